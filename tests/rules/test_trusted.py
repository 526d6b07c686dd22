"""Contradictions of what trusted claims state, in other words."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import APART, NOTES, Files, Repo, page, stating

from grounded_ingest.language.lexicon.slot_words import WORDS
from grounded_ingest.language.lexicon.slots_repository import SLOTS
from grounded_ingest.language.reading import read_text
from grounded_ingest.model.claims import Claim, DocClass, Form, Place
from grounded_ingest.rules.contradiction import _project, _siblings
from grounded_ingest.rules.settled_facts import is_settled, settled_path, slots

OLD = "memory-bank/architecture.md"
SAID = (
    "The API server listens on port 8443",
    "The request timeout is 30 seconds",
    "We use Redis as our cache",
    "The primary database is PostgreSQL",
    "The service runs with 3 replicas",
    "The queue holds at most 10000 items",
    "The project requires Python 3.12",
    "The index is owned by Team Heron",
    "The cloud provider is Google Cloud Platform",
    "The project requires Python 3.10+",
)
CODE = {"data/said.txt": stating(*SAID)}
AT = "(`data/said.txt:{}`)"
PORT, TIMEOUT, CACHE, DATABASE, REPLICAS, HOLDS, PYTHON, OWNER, CLOUD, OPEN = (
    f"{said} {AT.format(1 + n * APART)}." for n, said in enumerate(SAID)
)


def decided(repo: Repo, document: str = NOTES) -> list[tuple[str, str]]:
    return [
        (d.rule, " ".join(f.message for f in d.findings if f.rule == "contradiction"))
        for d in repo.decisions()
        if d.place.path == document
    ]


def judged(tmp_path: Path, landed: str, claim: str, **where: str) -> tuple[str, str]:
    repo = Repo(tmp_path)
    repo.commit({**CODE, where.get("old", OLD): page(landed)})
    document = where.get("new", NOTES)
    repo.stage({document: page(claim)})
    (found,) = decided(repo, document)
    return found


CONTRADICTED = [
    (PORT, "The port of the API server is 9000.", "8443"),
    (PORT, "Our API server runs on port 9000.", "8443"),
    (TIMEOUT, "Requests have a timeout of 60 seconds.", "30 seconds"),
    (TIMEOUT, "The request timeout is one minute.", "30 seconds"),
    (CACHE, "The cache is Memcached.", "Redis"),
    (DATABASE, "The database is MySQL.", "PostgreSQL"),
    (TIMEOUT, "The request timeout is 60 s and there are 7 retries.", "30 seconds"),
    (DATABASE, "MongoDB is the primary database.", "PostgreSQL"),
    (DATABASE, "We do not use PostgreSQL as the database.", "PostgreSQL"),
    (REPLICAS, "The number of replicas of the service is 8.", "3"),
    (HOLDS, "The queue has a limit of 20000 items.", "10000"),
    (CLOUD, "The cloud provider is AWS.", "Google Cloud Platform"),
    (OPEN, "The project requires Ruby 3.2 and Python 3.12+.", "3.10+"),
    (DATABASE, "The database is MySQL, its file lies in `~/.data`.", "PostgreSQL"),
]


@pytest.mark.parametrize(("landed", "claim", "value"), CONTRADICTED)
def test_another_value_is_a_contradiction(
    tmp_path: Path, landed: str, claim: str, value: str
) -> None:
    rule, message = judged(tmp_path, landed, claim)
    assert rule == "contradiction"
    assert f"{OLD}:3 says {value}" in message or f"says {value}" in message
    assert "(changed from " in message


PASSES = [
    (PORT, "The metrics server listens on port 9000."),
    (PORT, "The API server listens on port 9000 in production."),
    (PORT, "The API server used to listen on port 9000."),
    (TIMEOUT, "The request timeout is half a minute."),
    (TIMEOUT, "The request timeout was raised from 30 seconds to 60 seconds."),
    (TIMEOUT, "The connection timeout is 60 seconds."),
    (CACHE, "The cache is Redis."),
    (CACHE, "We are considering Memcached for the cache."),
    (CACHE, "The cache moved from Redis to Memcached."),
    (DATABASE, "The primary database is Postgres 15."),
    (DATABASE, "The analytics service uses ClickHouse as its database."),
    (DATABASE, "Tests use SQLite."),
    (DATABASE, "Which database is MySQL?"),
    (DATABASE, "MySQL is supported as a database, too."),
    (PORT, "The port of the API server is for example 9000."),
    # Read in real repositories as no contradictions, one of each class.
    (PYTHON, "When running with Python 3.13, the project crashes."),
    (PYTHON, "Developer A (Python 3.11) and developer B (Python 3.13) would break each other."),
    (TIMEOUT, "The request timeout could be 60 seconds."),
    (TIMEOUT, "The request timeout was observed to be about 60 seconds."),
    (CACHE, "Before the cache: 752 ms."),
    (DATABASE, "The database is a version-controlled SQL database."),
    (DATABASE, "The SQL database is the source of truth."),
    (OWNER, "The index belongs to the same project graph."),
    (PORT, "The API server starts in another mode (check logs for port 9000)."),
    (REPLICAS, "8 replicas of the service per region."),
    (DATABASE, "Database: Complete example application with MySQL."),
    (CLOUD, "The cloud provider is Google Cloud Run."),
    (OPEN, "The project requires Python 3.12."),
    (PORT, "The port of the API server is 9000:"),
    (TIMEOUT, "The request timeout is set as options = {'timeout': 60 s}."),
]


@pytest.mark.parametrize(("landed", "claim"), PASSES)
def test_what_can_hold_beside_it_passes(tmp_path: Path, landed: str, claim: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({**CODE, OLD: page(landed)})
    repo.stage({NOTES: page(claim)})
    assert "contradiction" not in {rule for rule, _ in decided(repo)}


SETTLED: list[tuple[str, str, Form, bool]] = [
    ("memory-bank/a.md", "Notes", Form.PROSE, True),
    ("memory-bank/progress.md", "Notes > Ports", Form.PROSE, True),
    ("docs/archive/a.md", "Notes", Form.PROSE, False),
    ("docs/2025-01-02-notes.md", "Notes", Form.PROSE, False),
    ("docs/CHANGELOG.md", "Notes", Form.PROSE, False),
    ("docs/a.md", "Notes > Example", Form.PROSE, False),
    ("docs/a.md", "Notes > Alternatives considered", Form.PROSE, False),
    ("docs/a.md", "Notes > Changelog", Form.PROSE, False),
    ("docs/a.md", "Changelog of nothing", Form.PROSE, True),
    ("docs/a.md", "Notes", Form.HEADING, False),
    ("docs/a.md", "Notes", Form.ROW, False),
]


@pytest.mark.parametrize(("path", "section", "form", "expected"), SETTLED)
def test_places_for_what_holds_now(path: str, section: str, form: Form, expected: bool) -> None:
    text = "Version: 1.1; Date: today; Changes: the timeout is 60 seconds"
    claim = Claim("0" * 16, text, "", section, 0, 1, 1, 1, 1, form=form)
    stands = is_settled(Place(path, DocClass.MEMORY, claim)) and settled_path(path)
    assert stands is expected


ROWS = [
    ("Setting: timeout; Value: 30 s", True),
    ("Tier: Free; Target: Individuals; Pricing: none", False),
    ("Field: `notes`; Type: string; Description: more", False),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_rows_of_a_key_and_its_value(text: str, expected: bool) -> None:
    claim = Claim("0" * 16, text, "", "Notes", 0, 1, 1, 1, 1, form=Form.ROW, table=1)
    assert is_settled(Place("docs/a.md", DocClass.MEMORY, claim)) is expected


SECTIONS = [
    ("Guide > Sizes > Small teams", "Guide > Sizes > Large teams", True),
    ("Guide > Small teams", "Guide > Large teams", False),
    ("Guide > Sizes > Small teams", "Guide > Sizes > Small teams", False),
    ("Guide > Sizes > Small teams", "Guide > Limits > Large teams", False),
]


@pytest.mark.parametrize(("one", "other", "beside"), SECTIONS)
def test_sections_side_by_side(one: str, other: str, beside: bool) -> None:
    assert _siblings(one, other) is beside


def test_only_trusted_claims_are_contradicted(tmp_path: Path) -> None:
    rule, _ = judged(tmp_path, "The primary database is PostgreSQL.", "The database is MySQL.")
    assert rule == "ungrounded"


def test_a_trusted_source_is_trusted_without_a_citation(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    config = f"sources:\n  {OLD}: manual\ntrusted_sources: [manual]\n"
    repo.commit({".grounded-ingest.yaml": config, OLD: page("The primary database is PostgreSQL.")})
    repo.stage({NOTES: page("The database is MySQL.")})
    assert [rule for rule, _ in decided(repo)] == ["contradiction"]


def test_replacing_the_old_version_contradicts_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({**CODE, OLD: page(DATABASE)})
    repo.stage({OLD: page("The primary database is MySQL.")})
    assert "contradiction" not in {rule for rule, _ in decided(repo, OLD)}


PROJECTS: list[tuple[str, str, bool]] = [
    ("memory-bank/a.md", "docs/adr/0001-x.md", True),
    ("CLAUDE.md", ".claude/rules/a.md", True),
    ("packages/one/CLAUDE.md", "packages/two/CLAUDE.md", False),
    ("packages/one/CLAUDE.md", "packages/one/docs/a.md", True),
    ("services/api/memory-bank/a.md", "CLAUDE.md", False),
]


@pytest.mark.parametrize(("one", "other", "same"), PROJECTS)
def test_projects_of_a_repository_are_told_apart(one: str, other: str, same: bool) -> None:
    assert (_project(one) == _project(other)) is same


def test_two_packages_have_their_own_port(tmp_path: Path) -> None:
    files: Files = {**CODE, "packages/one/CLAUDE.md": page(f"The port is 8443 {AT.format(1)}.")}
    repo = Repo(tmp_path)
    repo.commit(files)
    repo.stage({"packages/two/CLAUDE.md": page("The port is 9000.")})
    assert "contradiction" not in {rule for rule, _ in decided(repo, "packages/two/CLAUDE.md")}


@pytest.mark.parametrize("slot", SLOTS)
def test_every_slot_has_words(slot: str) -> None:
    """A claim that names a slot by any of its nouns belongs to it."""
    assert WORDS[slot]
    for noun in SLOTS[slot]["nouns"].split(", "):
        found = slots(read_text(f"the {noun} is x").word_set)
        assert slot in found, noun


def test_items_of_one_list_tell_things_apart(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    items = [f"- `dashboard` uses port 8080 {AT.format(1)}.", "- `api` uses port 8000."]
    repo.commit({**CODE, OLD: page(items[0])})
    repo.stage({OLD: "# Notes\n\n## Discovery server\n\n" + "\n".join(items) + "\n"})
    assert "contradiction" not in {rule for rule, _ in decided(repo, OLD)}


HEADINGS = [
    ("Notes > Current status", True),
    ("Notes > Performance", True),
    ("Notes > Pre-release checklist", False),
]


@pytest.mark.parametrize(("section", "expected"), HEADINGS)
def test_headings_of_what_is_so_now(section: str, expected: bool) -> None:
    claim = Claim("0" * 16, "The port is 8000.", "", section, 0, 1, 1, 1, 1)
    assert is_settled(Place("docs/a.md", DocClass.DOCS, claim)) is expected

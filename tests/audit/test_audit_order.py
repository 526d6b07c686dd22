"""What an audit prints: memory before documents, what tells of a day counted, a line each."""

from __future__ import annotations

import pytest
from auditing import DOCUMENT, SOURCE, ask, audited
from repos import Repo

from grounded_ingest.audit.file_history import PastTrees
from grounded_ingest.audit.model import Audit, EvidenceState, Item
from grounded_ingest.audit.pace import Pace
from grounded_ingest.audit.render import as_text
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.language.dated_paths import is_dated_section, states_its_day
from grounded_ingest.report.verbosity import Look

SAID = "The gateway starts in `src/gone.py`.\n"


@pytest.mark.parametrize(
    ("section", "dated"),
    [
        ("Progress > 2026-03-01", True),
        ("Progress > March 1, 2026: the gateway", True),
        ("Notes > Session log", True),
        ("CLAUDE.md > Recent changes", True),
        ("Notes > Sprint 12", True),
        ("Notes > Architecture", False),
        ("Notes > Session handling", False),
        ("Notes > Changing the port", False),
    ],
)
def test_a_heading_names_a_day_or_does_not(section: str, dated: bool) -> None:
    assert is_dated_section(section) is dated


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("---\ndate: 2026-03-01\n---\n# Notes\n", True),
        ("# Review\n\n**Date:** 2026-03-01\n", True),
        ("# Review\n\nReviewed: March 1, 2026\n", True),
        ("# Notes\n\nLast updated: 2026-03-01\n", False),
        ("# Notes\n\n## Format\n\nDate: 2026-03-01\n", False),
        ("# Notes\n\nThe date: a field of every record.\n", False),
    ],
)
def test_a_document_states_its_day(text: str, dated: bool) -> None:
    assert states_its_day(text) is dated


def test_memory_stands_first_and_what_tells_of_a_day_is_counted(repo: Repo) -> None:
    repo.commit({"src/gone.py": "WORKERS = 12  # started by the gateway\n"})
    repo.commit(
        {
            "docs/guide.md": f"# Guide\n\n{SAID}",
            "docs/reports/week.md": f"# Week\n\n{SAID}",
            "CLAUDE.md": f"# Agents\n\n{SAID}\n## 2026-03-01\n\nThat day {SAID}",
            ".claude/commands/review.md": f"# Review\n\n{SAID}",
            "memory-bank/tech.md": f"# Tech\n\n{SAID}",
        }
    )
    repo.commit({"src/gone.py": None})
    report = audited(repo)
    brief = as_text(report, Look(0, False)).splitlines()
    gone = [line.partition(":")[0] for line in brief if ": gone: " in line]
    assert gone == [
        ".claude/commands/review.md", "CLAUDE.md", "memory-bank/tech.md", "docs/guide.md",
    ]  # fmt: skip
    assert any(line.startswith("2 more in plans, reports") for line in brief)
    whole = as_text(report, Look(1, False)).splitlines()
    gone = [line.partition(":")[0] for line in whole if ": gone: " in line]
    assert gone[4:] == ["CLAUDE.md", "docs/reports/week.md"]
    assert not any("more in plans" in line for line in whole)


def test_what_is_wrong_in_no_claim_stands_with_its_document(repo: Repo) -> None:
    fence = "# Work\n\n```sh\njust gone-recipe\n```\n"
    repo.commit({"justfile": "test:\n\ttrue\n", "CLAUDE.md": fence, "docs/guide.md": fence})
    lines = as_text(audited(repo), Look(0, False)).splitlines()
    wrong = [line.partition(":")[0] for line in lines if "gone-recipe" in line]
    assert wrong == ["CLAUDE.md", "docs/guide.md"]


@pytest.mark.parametrize(("directory", "gone"), [("made", False), ("lib", True)])
def test_a_bare_name_is_of_the_directory_its_claim_names(
    repo: Repo, directory: str, gone: bool
) -> None:
    repo.commit({"lib/vars.json": '{"workers": 12, "of": "the gateway"}\n'})
    repo.commit(
        {"CLAUDE.md": f"# Work\n\nThe runs leave in `{directory}/` the file `vars.json`.\n"}
    )
    repo.commit({"lib/vars.json": None})
    states = {i.state for i in audited(repo).items if i.cited.endswith("vars.json")}
    assert (EvidenceState.GONE in states) is gone


def _report(*items: Item) -> Audit:
    from grounded_ingest.model.report import Scope

    scope = Scope(mode="all")
    counts = {"tier_1": 0, "tier_2": 1, "tier_3": 0}
    nothing: tuple[()] = ()
    return Audit(
        scope, 1, 1, counts, items, nothing, nothing, nothing, nothing, nothing, nothing,
        memory=("CLAUDE.md",),
    )  # fmt: skip


def _item(line: int, state: EvidenceState, cited: str, **more: object) -> Item:
    return Item("CLAUDE.md", line, "0" * 16, "It says so.", "path", cited, state, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (
            _item(3, EvidenceState.MOVED, "a.py:3", to="a.py:5", reason="elsewhere", certain=True),
            "CLAUDE.md:3: moved: a.py:3 -> a.py:5: elsewhere. Run: grounded-ingest audit --fix",
        ),
        (
            _item(3, EvidenceState.GONE, "a.py", reason="a.py was removed in 1234"),
            "CLAUDE.md:3: gone: a.py was removed in 1234. Name what took its place, or take it out.",
        ),
        (
            _item(3, EvidenceState.CHANGED, "a.py:3", reason="changed", candidates=("a.py:9",)),
            "CLAUDE.md:3: changed: a.py:3: changed (perhaps a.py:9). Read the lines; correct the "
            "claim or its citation.",
        ),
    ],
)
def test_a_finding_is_one_line_with_the_way_out(item: Item, line: str) -> None:
    assert as_text(_report(item), Look(0, False)).splitlines()[0] == line


def test_every_state_that_is_somebodys_turn_has_a_way_out() -> None:
    from grounded_ingest.audit.model import STALE
    from grounded_ingest.audit.render import _WAYS_OUT

    assert set(_WAYS_OUT) == STALE


def test_one_lost_file_is_one_line_for_a_document() -> None:
    lost = [_item(n, EvidenceState.MISSING, f"a.py:{n}", reason="never there") for n in (3, 5, 9)]
    brief = as_text(_report(*lost), Look(0, False)).splitlines()
    assert brief[0].startswith("CLAUDE.md:3: missing: a.py:3: never there; so in lines 5, 9. ")
    assert "3 missing" in brief[1]
    assert (
        len([r for r in as_text(_report(*lost), Look(1, False)).splitlines() if "a.py" in r]) == 3
    )


def test_a_past_tree_answers_as_its_listing_does(repo: Repo) -> None:
    repo.commit({"lib/deep/one.py": SOURCE, "lib/deep/more/one.py": SOURCE})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side/deep/one.py": SOURCE, "lib/deep/one.py": None})
    repo.git("checkout", "-q", "main")
    repo.commit({DOCUMENT: "# Later\n"})
    repo.git("merge", "-q", "--no-edit", "side")
    repo.commit({"lib/deep/more/one.py": None})
    commits = repo.git("rev-list", "HEAD").split()
    with Opened(str(repo.root), own=False) as opened:
        past = PastTrees(opened, commits[0])
        answers = []
        for commit in commits:
            fast, listed = past.at(commit), CommitTree(opened, commit)
            for name in ("one.py", "deep/one.py", "app.py", "never.py"):
                assert fast.ending_with(name) == listed.ending_with(name)
                answers += fast.ending_with(name)
            for name in ("deep", "lib/deep", "more", "never"):
                assert fast.directories_ending_with(name) == listed.directories_ending_with(name)
        assert {"lib/deep/one.py", "side/deep/one.py", "src/app.py"} <= set(answers)


def test_what_came_from_the_cache_is_said(repo: Repo) -> None:
    taken = b"1 text of documents taken from the cache"
    assert taken not in ask(repo).stderr
    assert taken in ask(repo).stderr
    assert taken not in ask(repo, "-q").stderr
    assert taken not in ask(repo, "--no-cache").stderr


def test_the_pace_says_how_many_of_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("grounded_ingest.audit.pace.monotonic", lambda: now[0])
    said: list[str] = []
    pace = Pace(said.append, "documents", 100)
    pace(1)
    now[0] += 0.1
    pace(2)
    now[0] += 9.9
    pace(25)
    assert said == ["documents: 1 of 100", "documents: 25 of 100, 30 s left"]


def test_a_route_of_a_site_is_no_file_that_was_removed(repo: Repo) -> None:
    repo.commit({"AGENTS.md": "# Agents\n", "docs/a.md": "# A\n\nSee [the rules](/AGENTS) now.\n"})
    found = {i.state for i in audited(repo).items if i.path == "docs/a.md"}
    assert found <= {EvidenceState.OK, EvidenceState.UNKNOWN}, found

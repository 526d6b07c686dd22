"""What is recorded, and what becomes of evidence as it was recorded once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import NOTES, Repo, page

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.sidecar_writer import settle

CITED = "The gateway listens on port 8443 (`src/app.py:2`)."
PLAIN = "Sessions are stored in PostgreSQL for one day."
DOUBTED = "Retries are usually enabled for uploads."
OTHER = "docs/guide.md"
BESIDE = "The host is db (`src/app.py:1`)."


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "work")
    repo.commit({"src/app.py": 'HOST = "db"\nGATEWAY_PORT = 8443\n'})
    repo.commit({NOTES: page(PLAIN, CITED, DOUBTED), OTHER: page(BESIDE, "Uploads go to a store.")})
    return repo


def settled(repo: Repo, *paths: str, write: bool) -> list[str]:
    """What is said of evidence: of some documents, or all."""
    with Opened(str(repo.root), own=False) as opened:
        asked = Asked("paths", paths) if paths else Asked("all")
        result = run(opened, asked, Options(online=False))
        told, _ = settle(opened, result, write=write, locked=not write, fail_on="never")
        result.kb.index.close()
    return [p.message for p in told.report.problems if p.rule == "stale-sidecar"]


def recorded(repo: Repo, document: str = NOTES) -> dict[str, str]:
    """Claims with the rule that is recorded of them."""
    files = (repo.root / ".grounded/evidence" / document).glob("*.jsonl")
    lines = [json.loads(f.read_text("utf-8")) for f in files]
    assert {line["document"] for line in lines} <= {document}
    return {line["claim"]: line.get("rule", "ungrounded") for line in lines}


def former(repo: Repo, document: str, claims: list[str]) -> Path:
    """Evidence as it was: one file, a line for every claim."""
    ids = {d.place.claim.text: d.place.claim.id for d in repo.check("all").report.decisions}
    rows = [json.dumps({"id": ids[text], "claim": text, "section": "Notes"}) for text in claims]
    path = f".grounded/evidence/{document}.jsonl"
    repo.commit({path: "\n\n".join(rows) + "\n"})
    return repo.root / path


SPARSE = {CITED: "verified-citation", DOUBTED: "technical-hedge"}


def test_a_line_only_where_there_is_something_to_say(repo: Repo) -> None:
    assert settled(repo, write=True) == []
    assert recorded(repo) == SPARSE
    assert settled(repo, write=False) == []


def test_all_is_recorded_for_those_who_want_it(repo: Repo) -> None:
    repo.commit({".grounded-ingest.yaml": "evidence: full\n"})
    settled(repo, write=True)
    assert recorded(repo) == SPARSE | {PLAIN: "ungrounded"}
    repo.commit({".grounded-ingest.yaml": "evidence: sparse\n"})
    assert settled(repo, write=False) == [], "more than is needed is not behind"
    settled(repo, write=True)
    assert recorded(repo) == SPARSE


def test_the_former_form_is_read_and_shrinks_said_once(repo: Repo) -> None:
    notes = former(repo, NOTES, [PLAIN, CITED, DOUBTED])
    guide = former(repo, OTHER, [BESIDE, "Uploads go to a store."])
    assert settled(repo, write=False) == [], "it says no more than the check finds"
    assert settled(repo, NOTES, write=True) == [
        "evidence is kept sparse by now: 3 lines became 2 files"
    ]
    assert recorded(repo) == SPARSE
    assert not notes.exists()
    assert guide.exists(), "a document that is not written keeps its evidence"
    assert settled(repo, write=True) == []
    assert not guide.exists()
    assert recorded(repo, OTHER) == {BESIDE: "verified-citation"}


def test_the_former_form_is_no_better_than_the_text(repo: Repo) -> None:
    former(repo, NOTES, [PLAIN, CITED])
    repo.commit({NOTES: page(CITED)})
    (said,) = settled(repo, NOTES, write=False)
    assert said == f"its evidence is not of this text: {PLAIN[:60]!r}"


def test_what_is_approved_and_was_not_recorded_is_no_grounds_to_complain(repo: Repo) -> None:
    """An uncited claim that something else grounds later has no line yet."""
    settled(repo, write=True)
    repo.commit(
        {".grounded-ingest.yaml": f"sources: {{{NOTES}: manual}}\ntrusted_sources: [manual]\n"}
    )
    assert settled(repo, write=False) == []
    settled(repo, write=True)
    assert recorded(repo)[PLAIN] == "trusted-source"
    repo.commit({".grounded-ingest.yaml": None})
    (said,) = settled(repo, write=False)
    assert "says tier 1 (trusted-source) where the check finds 2 (ungrounded)" in said


def test_a_file_of_no_claim_goes(repo: Repo) -> None:
    settled(repo, write=True)
    directory = repo.root / ".grounded/evidence" / NOTES
    kept = sorted(p.name for p in directory.iterdir())
    name = f".grounded/evidence/{NOTES}/{'0' * 16}.jsonl"
    for content in (f'{{"document":"{NOTES}","id":"{"0" * 16}","claim":"Gone."}}\n', "scratch\n"):
        repo.commit({name: content})
        assert len(settled(repo, write=False)) == 1
        settled(repo, write=True)
        assert sorted(p.name for p in directory.iterdir()) == kept

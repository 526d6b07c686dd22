"""What is recorded, and what becomes of evidence in its former forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import NOTES, Repo, page

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Problem
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.evidence_files import settle_evidence
from grounded_ingest.repository.scope import Asked

PLAIN = "Sessions are stored in PostgreSQL for one day."
DOUBTED = "Retries are usually enabled for uploads."
POINTER = "See `docs/guide.md`."
DEAD = "The worker is started by [its script](../src/worker.py)."
BESIDE = "A queue of uploads is drained with [a command](../src/drain.py)."
OTHER = "docs/guide.md"
RECORDED = {POINTER: "pointer", DEAD: "refuted-citation"}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "work")
    repo.commit(
        {NOTES: page(PLAIN, DOUBTED, POINTER, DEAD), OTHER: page(BESIDE, "Uploads go to a store.")}
    )
    return repo


def settled(repo: Repo, *paths: str, write: bool, told: list[str] | None = None) -> list[str]:
    """What is said of evidence: of some documents, or all; `told` gets the lines of stderr."""
    with Opened(str(repo.root), own=False) as opened:
        asked = Asked("paths", paths) if paths else Asked("all")
        result = run(opened, asked, Options(online=False))
        tell = [] if told is None else told
        got, _ = settle_evidence(
            opened, result, write=write, locked=not write, fail_on="never", tell=tell.append
        )
        result.kb.index.close()
    return [p.message for p in got.report.problems if p.rule == "stale-sidecar"]


def recorded(repo: Repo, document: str = NOTES) -> dict[str, str]:
    """Claims with the rule that is recorded of them, in the order of the file."""
    file = repo.root / f".grounded/evidence/{document}.jsonl"
    lines = [json.loads(x) for x in file.read_text("utf-8").splitlines()] if file.exists() else []
    return {line["claim"]: line["rule"] for line in lines}


def former(repo: Repo, document: str, claims: list[str]) -> Path:
    """Evidence as a directory with a file for each claim."""
    ids = {d.place.claim.text: d.place.claim.id for d in repo.check("all").report.decisions}
    home = f".grounded/evidence/{document}"
    repo.commit(
        {
            f"{home}/{ids[text]}.jsonl": json.dumps(
                {"document": document, "id": ids[text], "claim": text, "strength": "match"}
            )
            for text in claims
        }
    )
    return repo.root / home


def test_a_line_for_what_a_proof_or_a_finding_decided_in_document_order(repo: Repo) -> None:
    assert settled(repo, write=True) == []
    assert list(recorded(repo).items()) == list(RECORDED.items())
    assert recorded(repo, OTHER) == {BESIDE: "refuted-citation"}
    assert settled(repo, write=False) == []


def test_a_document_without_such_a_claim_has_no_file(repo: Repo) -> None:
    settled(repo, write=True)
    repo.commit({NOTES: page(PLAIN, DOUBTED)})
    settled(repo, write=True)
    assert not (repo.root / f".grounded/evidence/{NOTES}.jsonl").exists()


def test_memory_leaves_the_docs_out(repo: Repo) -> None:
    settled(repo, write=True)
    repo.commit({".grounded-ingest.yaml": "evidence: memory\n"})
    assert settled(repo, write=False) == []
    settled(repo, write=True)
    assert (recorded(repo), recorded(repo, OTHER)) == (RECORDED, {})


@pytest.mark.parametrize("off", ["off", "false", '"off"'])
def test_off_writes_nothing_and_calls_nothing_behind(repo: Repo, off: str) -> None:
    """YAML 1.1 reads `off` as false."""
    settled(repo, write=True)
    repo.commit({NOTES: page(PLAIN), ".grounded-ingest.yaml": f"evidence: {off}\n"})
    before = recorded(repo)
    assert settled(repo, write=False) == []
    assert settled(repo, write=True) == []
    assert recorded(repo) == before != {}


@pytest.mark.parametrize("name", ["sparse", "full"])
def test_old_names_mean_all_and_are_told(repo: Repo, name: str) -> None:
    repo.commit({".grounded-ingest.yaml": f"evidence: {name}\n"})
    told: list[str] = []
    settled(repo, write=True, told=told)
    assert told == [f"`evidence: {name}` is an old value; write `evidence: all` instead"]
    assert recorded(repo) == RECORDED


def test_a_file_a_claim_becomes_one_file_with_its_document(repo: Repo) -> None:
    """A document that nobody touches keeps its former evidence, which is read until then."""
    notes = former(repo, NOTES, [PLAIN, POINTER, DEAD])
    guide = former(repo, OTHER, [BESIDE, "Uploads go to a store."])
    assert settled(repo, write=False) == []
    told: list[str] = []
    settled(repo, NOTES, write=True, told=told)
    assert told == ["evidence now has one file for each document: 3 files became 1"]
    assert recorded(repo) == RECORDED
    assert not notes.exists()
    assert guide.exists()
    settled(repo, write=True, told=told)
    assert told[1:] == ["evidence now has one file for each document: 2 files became 1"]
    assert not guide.exists()


def test_former_evidence_of_another_text_is_behind(repo: Repo) -> None:
    former(repo, NOTES, [PLAIN, POINTER])
    repo.commit({NOTES: page(POINTER)})
    assert settled(repo, NOTES, write=False) == [
        f"its evidence has a line for a claim that is not in the document: {PLAIN!r}"
    ]


def test_one_file_with_a_line_for_every_claim_is_read_and_shrinks(repo: Repo) -> None:
    """The first form of evidence, with sections and empty lines."""
    ids = {d.place.claim.text: d.place.claim.id for d in repo.check("all").report.decisions}
    rows = [json.dumps({"id": ids[x], "claim": x, "section": "Notes"}) for x in (PLAIN, POINTER)]
    repo.commit({f".grounded/evidence/{NOTES}.jsonl": "\n\n".join(rows) + "\n"})
    assert settled(repo, write=False) == []
    settled(repo, write=True)
    assert recorded(repo) == RECORDED


def test_what_a_configuration_approves_needs_no_line_until_it_is_written(repo: Repo) -> None:
    settled(repo, write=True)
    trusts = f"sources: {{{NOTES}: manual}}\ntrusted_sources: [manual]\n"
    repo.commit({".grounded-ingest.yaml": trusts})
    assert settled(repo, write=False) == []
    settled(repo, write=True)
    assert recorded(repo)[PLAIN] == "trusted-source"
    repo.commit({".grounded-ingest.yaml": None})
    (said,) = settled(repo, write=False)
    assert "says tier 1 (trusted-source), but the check finds tier 2 (ungrounded)" in said


@pytest.mark.parametrize("content", ["scratch\n", '{{"id":"{0}","claim":"Gone."}}\n'])
def test_lines_of_no_claim_are_behind_and_go(repo: Repo, content: str) -> None:
    settled(repo, write=True)
    kept = recorded(repo)
    repo.commit({f".grounded/evidence/{NOTES}.jsonl": content.format("0" * 16)})
    assert len(settled(repo, write=False)) == 1
    settled(repo, write=True)
    assert recorded(repo) == kept


def test_strict_fails_for_evidence_that_is_behind_but_not_for_none(repo: Repo) -> None:
    repo.commit({".grounded-ingest.yaml": "preset: strict\n", NOTES: page(POINTER)})
    said = [p.rule for p in strictly(repo)]
    assert "stale-sidecar" not in said
    settled(repo, write=True)
    repo.commit({NOTES: page(PLAIN)})
    assert "stale-sidecar" in [p.rule for p in strictly(repo) if p.tier == 3]


def strictly(repo: Repo) -> tuple[Problem, ...]:
    with Opened(str(repo.root), own=False) as opened:
        result = run(opened, Asked("all"), Options(online=False))
        got, _ = settle_evidence(opened, result, write=False, locked=False, fail_on="")
        result.kb.index.close()
    return got.report.problems

"""What is recorded as evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import NOTES, Repo, page

from grounded_ingest.git.repository import Repo as Opened
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

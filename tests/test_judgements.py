"""What is kept of comparing: the same report as without it, and less work."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, page

from grounded_ingest.knowledge.ledger import JUDGEMENTS
from grounded_ingest.report.as_json import render
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.verify.comparison_cache import Judgements

SETTINGS = "src/settings.py"
DECISION = "docs/adr/0001-store.md"


def _settings(port: int, retries: int) -> str:
    return f"PORT = {port}\n\n\ndef attempts() -> int:\n    return {retries}\n"


def _decision(status: str, store: str) -> str:
    return f"# 1. Store\n\nStatus: {status}\n\n## Decision\n\nThe ledger is kept in {store}.\n"


def _start() -> Files:
    return {
        SETTINGS: _settings(8443, 3),
        DECISION: _decision("Accepted", "PostgreSQL"),
        "docs/guide.md": "# Guide\n\nThe gateway listens on port 8443 (`src/settings.py:1`).\n",
        NOTES: page(
            "The port is 8443 (`src/settings.py:1`).",
            "The ledger is kept in PostgreSQL (ADR-1).",
            "The gateway listens on port 8443 ([guide](../docs/guide.md)).",
            "Retries are attempted 3 times (`src/settings.py:4-5`).",
            "See ADR-1.",
        ),
    }


def _edit(chance: random.Random) -> Files:
    """One change of a kind that moves the ground of some claim, or of none."""
    port, retries = chance.choice((8443, 9090)), chance.choice((3, 5))
    store = chance.choice(("PostgreSQL", "MongoDB"))
    said = [
        f"The port is {port} (`src/settings.py:1`).",
        f"The ledger is kept in {store} (ADR-1).",
        f"The gateway listens on port {port} ([guide](../docs/guide.md)).",
        f"Retries are attempted {retries} times (`src/settings.py:4-5`).",
        f"Run {retries} was green.",
        "See ADR-1.",
    ]
    chance.shuffle(said)
    return chance.choice(
        [
            {NOTES: page(*said[: chance.randrange(2, 7)])},
            {SETTINGS: _settings(port, retries)},
            {SETTINGS: "# moved\n" + _settings(port, retries)},
            {DECISION: _decision(chance.choice(("Accepted", "Superseded by ADR-2")), store)},
            {"docs/guide.md": f"# Guide\n\nThe gateway listens on port {port}.\n"},
            {".grounded-ingest.yaml": f"policy:\n  repeat: {chance.choice(('block', 'review'))}\n"},
            {NOTES: page(*said), SETTINGS: _settings(port, retries)},
        ]
    )


def _report(repo: Repo, mode: str, *, cache: bool) -> str:
    return render(repo.check(mode, cache=cache).report)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit(_start())
    return repo


@pytest.mark.parametrize("seed", range(3))
def test_reports_are_those_of_a_cold_run(repo: Repo, seed: int) -> None:
    """Of what is staged and of everything, over edits, commits and branches."""
    chance = random.Random(seed)
    for _ in range(12):
        repo.stage(_edit(chance))
        mode = chance.choice(("staged", "all"))
        assert _report(repo, mode, cache=True) == _report(repo, mode, cache=False)
        if chance.random() < 0.5:
            repo.commit()


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was really compared, in order."""
    from grounded_ingest.verify import comparison_cache as judgements

    asked: list[str] = []
    really = judgements._judged

    def told(
        said: str, own: list[SourceText], others: list[SourceText]
    ) -> tuple[SourceVerdict, ...]:
        asked.append(said)
        return really(said, own, others)

    monkeypatch.setattr(judgements, "_judged", told)
    return asked


def test_only_what_changed_is_compared(repo: Repo, judged: list[str]) -> None:
    repo.check("all", cache=True)
    assert judged
    judged.clear()
    repo.check("all", cache=True)
    assert judged == []
    claims = (repo.root / NOTES).read_text("utf-8")
    repo.stage({NOTES: claims + "\nThe ledger is kept in MongoDB (ADR-1).\n"})
    repo.check("staged", cache=True)
    assert [said.strip() for said in judged] == ["The ledger is kept in MongoDB."]


def test_a_changed_source_is_compared_again(repo: Repo, judged: list[str]) -> None:
    before = {d.place.claim.text: d.rule for d in repo.check("all", cache=True).report.decisions}
    repo.commit({SETTINGS: _settings(9090, 3)})
    judged.clear()
    after = {d.place.claim.text: d.rule for d in repo.check("all", cache=True).report.decisions}
    port = "The port is 8443 (`src/settings.py:1`)."
    assert before[port] == "verified-citation" != after[port]
    assert "The port is 8443." in judged


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"\x91\x80", b"\x90"])
def test_damaged_judgements_are_made_again(repo: Repo, damage: bytes) -> None:
    whole = _report(repo, "all", cache=True)
    db = sqlite3.connect(repo.root / ".git/grounded-ingest/index.sqlite")
    assert db.execute("UPDATE judged SET said=?", (damage,)).rowcount > 0
    db.commit()
    db.close()
    assert _report(repo, "all", cache=True) == whole


class _Ledger:
    def __init__(self) -> None:
        self.kept: dict[bytes, bytes] = {}
        self.judgement, self.keep_judgements = self.kept.get, self.kept.update


TEXT = SourceText("file", "PORT = 8443\n", code=True)


@pytest.mark.parametrize(
    ("said", "own", "others"),
    [
        ("The port is 9090.", [TEXT], []),
        ("The port is 8443.", [SourceText("file", "PORT = 8443\n")], []),
        ("The port is 8443.", [SourceText("file", "PORT = 8443\n", line=2, code=True)], []),
        ("The port is 8443.", [], [TEXT]),
        ("The port is 8443.", [TEXT], [TEXT]),
    ],
)
def test_whatever_a_judgement_rests_on_is_in_its_key(
    said: str, own: list[SourceText], others: list[SourceText]
) -> None:
    ledger = _Ledger()
    first = Judgements(ledger)  # type: ignore[arg-type]
    first.of("The port is 8443.", [TEXT], [])
    first.of("The port is 8443.", [TEXT], [])
    first.keep()
    assert len(ledger.kept) == 1
    other = Judgements(ledger)  # type: ignore[arg-type]
    other.of(said, own, others)
    other.keep()
    assert len(ledger.kept) == 2


def test_too_many_are_dropped(repo: Repo) -> None:
    with_index = repo.check("all", cache=True)
    index = type(with_index.kb.index)(str(repo.root / ".git"), "test", lambda _: ())
    index.keep_judgements({n.to_bytes(4, "big"): b"x" for n in range(JUDGEMENTS + 2)})
    ((count,),) = index._all("SELECT count(*) FROM judged")
    assert count <= JUDGEMENTS
    assert index.judgement((JUDGEMENTS + 1).to_bytes(4, "big")) == b"x"
    assert index.judgement((0).to_bytes(4, "big")) is None
    index.close()


def test_nothing_is_kept_without_a_cache(repo: Repo) -> None:
    repo.check("all", cache=False)
    assert not (repo.root / ".git/grounded-ingest").exists()

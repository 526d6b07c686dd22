"""ADRs: one file for the number, accepted, on base."""

from __future__ import annotations

import pytest
from judged import World, said

from grounded_ingest.model import Decision

RECORD = "# {0}. Keep the ledger in PostgreSQL\n\n{1}\n\nIt needs transactions.\n"
CASES = [
    ("Per ADR-1, the ledger is kept in PostgreSQL.", "ADR-0001", "confirmed", ""),
    ("Per ADR-0001, the ledger is kept in PostgreSQL.", "ADR-0001", "confirmed", ""),
    ("The ledger is kept in PostgreSQL (ADR 001).", "ADR-0001", "confirmed", ""),
    ("Per ADR-3, the ledger is kept in PostgreSQL.", "ADR-0003", "confirmed", ""),
    (
        "The ledger is kept [in PostgreSQL](adr/0001-a.md).",
        "docs/adr/0001-a.md",
        "confirmed",
        "",
    ),
    ("Per ADR-2, the ledger is kept in a file.", "ADR-0002", "refuted", "superseded by adr-0003"),
    ("Per ADR-9, the ledger is kept in memory.", "ADR-009", "refuted", "no ADR 9 in docs/adr"),
    ("Per ADR-7, the ledger is kept on tape.", "ADR-007", "refuted", "docs/adr/0007-g.md is remo"),
    ("Per ADR-4, the ledger is kept in two places.", "ADR-0004", "unknown", "2 files have this"),
    ("Per ADR-5, the ledger is kept in the cloud.", "ADR-0005", "unknown", "proposed"),
    ("Per ADR-6, the ledger is kept at the bank.", "ADR-0006", "unknown", "not on base yet"),
    ("Per ADR-8, the ledger is kept on paper.", "ADR-0008", "unknown", "on base it is proposed"),
    ("See ADR-001 to ADR-003 for the ledger.", "ADR-0001..ADR-0003", "refuted", "ADR-0002: super"),
    ("See ADR-001 to ADR-200 for the ledger.", "ADR-001-200", "unknown", "more than 100 members"),
]


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Decision]:
    world = World(tmp_path_factory.mktemp("adr") / "work")
    for name, status in {
        "0001-a": "Status: accepted",
        "0002-b": "## Status\n\nSuperseded by [ADR-0003](0003-c.md)",
        "0003-c": "It has no status line.",
        "0004-d": "Status: accepted",
        "0004-e": "Status: accepted",
        "0005-f": "Status: Proposed",
        "0007-g": "Status: accepted",
        "0008-h": "Status: proposed",
    }.items():
        world.write(f"docs/adr/{name}.md", RECORD.format(int(name[:4]), status))
    world.commit()
    (world.root / "docs/adr/0007-g.md").unlink()
    world.write("docs/adr/0006-f.md", RECORD.format(6, "Status: accepted"))
    world.write("docs/adr/0008-h.md", RECORD.format(8, "Status: accepted"))
    gone = "We removed ADR-9 in the spring of that year."
    claims = [*(c for c, *_ in CASES), gone]
    return dict(zip(claims, world.decide(*claims), strict=True))


@pytest.mark.parametrize(("claim", "target", "verdict", "reason"), CASES)
def test_verdicts(
    decided: dict[str, Decision], claim: str, target: str, verdict: str, reason: str
) -> None:
    worst = said(decided[claim])[-1] if "to ADR" in claim else said(decided[claim])[0]
    assert worst[:2] == (target, verdict)
    assert worst[2].startswith(reason)


def test_who_says_that_a_decision_is_gone_is_not_refuted(decided: dict[str, Decision]) -> None:
    assert said(decided["We removed ADR-9 in the spring of that year."]) == []

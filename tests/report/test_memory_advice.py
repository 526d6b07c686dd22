"""What `audit` advises about memory records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.report.memory_advice import memory_advice

APART = "split a record with two types"
DATE = "add the date of an event"
EVENT = "store an event as an event, not as a rule"

# The four mixtures of the memory page, then what a record lacks and what it need not have.
RECORDS = [
    ({"text": "The deploy failed on 2026-03-04, so the disk is always too small."}, APART),
    ({"text": "We dropped Redis on 2026-03-04 because it is too slow for us."}, APART),
    ({"text": "Ana prefers tabs; she complained about spaces on 2026-03-04."}, APART),
    ({"text": "The port is 8443; never change it in production."}, APART),
    ({"text": "We moved the ledger to PostgreSQL."}, DATE),
    ({"text": "We moved the ledger to PostgreSQL.", "timestamp": "2026-03-04"}, ""),
    ({"text": "We moved the ledger on 2026-03-04.", "memory_type": "procedural"}, EVENT),
    ({"text": "Never commit a secret.", "memory_type": "procedural"}, ""),
    ({"text": "The ledger keeps its rows in PostgreSQL."}, ""),
]


def advice(root: Path, *records: dict[str, str]) -> str:
    repo = Repo(root)
    repo.commit({"memory/a.jsonl": "".join(json.dumps(r) + "\n" for r in records)})
    return memory_advice(repo.check("all").report)


@pytest.mark.parametrize(("record", "lack"), RECORDS)
def test_a_record_is_told_what_it_lacks(tmp_path: Path, record: dict[str, str], lack: str) -> None:
    assert advice(tmp_path, record) == (
        f"memory records: {lack} (memory/a.jsonl:1)" if lack else ""
    )


def test_the_advice_is_one_line_with_some_places(tmp_path: Path) -> None:
    event = {"text": "We moved the ledger to PostgreSQL."}
    said = advice(tmp_path, *({**event, "text": f"{event['text'][:-1]} {n}."} for n in range(5)))
    assert said.endswith("(memory/a.jsonl:1, memory/a.jsonl:2, memory/a.jsonl:3 and 2 more)")
    assert "\n" not in said

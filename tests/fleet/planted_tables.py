"""Tables of a run that never was, made of rows, and what the joins find in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.job import JobLimits
from grounded_ingest.fleet.keys import key
from grounded_ingest.fleet.local_engine import LocalEngine
from grounded_ingest.fleet.run_tables import RunTables
from grounded_ingest.fleet.tables import TABLES, connected, write_rows
from grounded_ingest.statements.agreed_facts import rivals
from grounded_ingest.statements.facts import Fact
from grounded_ingest.statements.near_duplicates import equal_key, set_keys, word_hash
from grounded_ingest.text.values import normal

RUN = "20260101T000000Z"
BLANK = {"VARCHAR": "", "BOOLEAN": True, "VARCHAR[]": [], "BIGINT[]": []}
Row = Mapping[str, Any]


def planted(out: Path, run: str = RUN, **told: Iterable[Row]) -> RunTables:
    """The tables of these rows; columns that a row leaves out are blank, and repositories are read
    in this run if nothing is said of them."""
    tables = {table: [*rows] for table, rows in told.items()}
    if "repositories" not in tables:
        named = dict.fromkeys(row["repository"] for rows in tables.values() for row in rows)
        tables["repositories"] = [{"repository": name} for name in named]
    read = {"state": "ok", "surveyed_in": run}
    tables["repositories"] = [{**read, **row} for row in tables["repositories"]]
    for table, columns in TABLES.items():
        blank = {c.name: BLANK.get(c.type, 0) for c in columns} | {"schema": 1, "run": run}
        (out / table / f"run={run}").mkdir(parents=True)
        rows = ({**blank, **row} for row in tables.get(table, ()))
        write_rows(str(out / table / f"run={run}/part-0.parquet"), columns, rows)
    return RunTables(str(out), run)


def claim(repository: str, text: str, form: str = "prose") -> Row:
    """As a survey writes it, of words that stand between spaces."""
    words = frozenset(text.lower().split())
    hashes = sorted(h - (1 << 64) if (h := word_hash(w)) >> 63 else h for w in words)
    keys = [equal_key(words)] if form == "row" else [*set_keys(words, 0.92)]
    return {
        "repository": repository, "path": "AGENTS.md", "line": 3, "text": text, "form": form,
        "said": equal_key(words), "words": hashes, "keys": keys,
    }  # fmt: skip


def fact(
    repository: str,
    subject: str,
    slot: str,
    value: str,
    path: str = "AGENTS.md",
    *,
    true: bool = True,
) -> Row:
    stated = Fact(subject, slot, value, normal(value), 0, 0, true)
    return {
        "repository": repository, "path": path, "line": 5, "kind": "fact", "subject": subject,
        "slot": slot, "value": value, "normal": stated.normal.key, "polarity": true,
        "many": False, "about": key(slot, subject, "", rivals(stated)),
    }  # fmt: skip


def history(repository: str, *texts: str, path: str = "AGENTS.md") -> list[Row]:
    """The versions of a file, the newest first."""
    return [
        {"repository": repository, "path": path, "position": position, "blob": text,
         "text_key": key("blob", text), "written_at": f"2026-01-{28 - position:02d}T00:00:00Z"}
        for position, text in enumerate(texts)
    ]  # fmt: skip


def joined(tables: RunTables, *joins: Callable[[Joining], object]) -> None:
    with LocalEngine(2) as engine:
        for join in joins:
            join(Joining(engine, tables, {}, JobLimits()))


def asked(tables: RunTables, table: str, columns: str, rest: str = "") -> list[tuple[Any, ...]]:
    with connected() as database:
        return database.execute(
            f"SELECT {columns} FROM ({tables.rows(table)}) {rest} ORDER BY ALL"
        ).fetchall()

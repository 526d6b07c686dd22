"""Writes the files of a run from rows, without repositories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grounded_ingest.fleet.survey import digest, encode_row
from grounded_ingest.fleet.tables import SURVEYED, WRITTEN, answer_query

RUN = "20260101T000000Z"
BLANK = {"VARCHAR": "", "BOOLEAN": True, "VARCHAR[]": []}
Row = Mapping[str, Any]


def planted(out: Path, run: str = RUN, **tables: Iterable[Row]) -> Path:
    """Writes tables. Columns that a row leaves out are blank; repositories that are named in other
    tables alone are added."""
    of_run = {t: [dict(row) for row in tables.pop(t, ())] for t in WRITTEN}
    rows = {t: [dict(row) for row in given] for t, given in tables.items()}
    surveys: dict[str, dict[str, list[Row]]] = {}
    for table, given in rows.items():
        for row in given:
            surveys.setdefault(row["repository"], {}).setdefault(table, []).append(row)
    named = {r["repository"] for r in of_run["repositories"]}
    of_run["repositories"] += [{"repository": name} for name in surveys if name not in named]
    for row in of_run["repositories"]:
        read = row.setdefault("state", "ok") == "ok"
        row["survey"] = digest(run, repr(row["repository"])) if read else ""
        if read:
            for table in SURVEYED:
                found = surveys.get(row["repository"], {}).get(table, [])
                _write(out / "surveys" / row["survey"] / f"{table}.jsonl", SURVEYED[table], found)
    for table, given in of_run.items():
        given = [{**row, "run": run} for row in given]
        _write(out / "runs" / run / f"{table}.jsonl", WRITTEN[table], given)
    return out


def _write(path: Path, columns: Iterable[Any], rows: Iterable[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    blank = {c.name: BLANK.get(c.type, 0) for c in columns}
    lines = [encode_row({**blank, **{k: v for k, v in r.items() if k in blank}}) for r in rows]
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def ask(out: Path, sql: str, **given: str) -> list[tuple[Any, ...]]:
    return list(answer_query(str(out), sql, given).rows)

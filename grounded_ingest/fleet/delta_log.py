"""The tables as Delta tables as well: a log beside the Parquet files that runs wrote (ADR-0074)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.run_tables import run_files, runs_of
from grounded_ingest.fleet.tables import TABLES, Column, connected, parquet_rows

if TYPE_CHECKING:
    from deltalake import Schema
    from deltalake.transaction import AddAction, RemoveAction

_TYPES = {
    "VARCHAR": "string", "INTEGER": "integer", "BIGINT": "long", "DOUBLE": "double",
    "BOOLEAN": "boolean",
}  # fmt: skip


def require_delta() -> None:
    """Raises GroundedIngestError where the extra is not installed."""
    try:
        import deltalake  # noqa: F401
    except ModuleNotFoundError:
        raise GroundedIngestError(
            "--delta needs deltalake", "pip install 'grounded-ingest[fleet,delta]'"
        ) from None


def log_runs(out: str) -> None:
    """Make the log of every table name the files of all finished runs, and no others. What is
    logged already is not logged again, so it mends what an earlier run left undone. Raises
    GroundedIngestError where a log cannot be read."""
    from deltalake.exceptions import DeltaError

    runs = runs_of(out)
    for table, columns in TABLES.items():
        home = f"{out}/{table}"
        files = [os.path.relpath(f, home) for run in runs for f in run_files(out, table, run)]
        try:
            _log(home, columns, files)
        except DeltaError as error:
            raise GroundedIngestError(
                f"{home}/_delta_log: {str(error).partition(chr(10))[0]}",
                "remove it: it is made anew from the tables",
            ) from None


def _log(home: str, columns: Sequence[Column], files: Sequence[str]) -> None:
    from deltalake import DeltaTable
    from deltalake.transaction import RemoveAction, create_table_with_add_actions

    if not DeltaTable.is_deltatable(home):
        create_table_with_add_actions(home, _schema(columns), [_added(home, f) for f in files])
        return
    table = DeltaTable(home)
    logged = set(table.get_add_actions().column("path").to_pylist())
    actions: list[AddAction | RemoveAction] = [
        _added(home, file) for file in files if file not in logged
    ]
    now = int(time.time() * 1000)
    actions += [RemoveAction(path, True, now) for path in sorted(logged.difference(files))]
    known = {field.name for field in table.schema().fields}
    if later := [field for field in _schema(columns).fields if field.name not in known]:
        table.alter.add_columns(later)
    if actions:
        table.create_write_transaction(actions, "append", table.schema())


def _added(home: str, file: str) -> AddAction:
    """A file as the log names it. Every file is of one run: who asks for another can leave it
    out."""
    from deltalake.transaction import AddAction

    path = f"{home}/{file}"
    with connected() as database:
        found = database.execute(
            f"SELECT count(*), min(run), max(run) FROM {parquet_rows([path])}"
        ).fetchall()
    ((rows, least, most),) = found
    told: dict[str, object] = {"numRecords": rows}
    if rows:
        told |= {"minValues": {"run": least}, "maxValues": {"run": most}, "nullCount": {"run": 0}}
    stat = os.stat(path)
    modified = int(stat.st_mtime * 1000)
    return AddAction(file, stat.st_size, {}, modified, True, json.dumps(told))


def _schema(columns: Sequence[Column]) -> Schema:
    from deltalake import Field, Schema
    from deltalake.schema import ArrayType, PrimitiveType

    def typed(name: str) -> Any:
        of = PrimitiveType(_TYPES[name.removesuffix("[]")])
        return ArrayType(of) if name.endswith("[]") else of

    return Schema([Field(c.name, typed(c.type)) for c in columns])

"""Defines the tables with the results of a fleet (docs/fleet.md), and runs SQL queries over them.

The check of a repository writes a report in JSON Lines (docs/report.schema.json). A run is a
directory with the table `repositories`, which names the report of each repository. Runs share the
report of a repository that did not change. DuckDB reads the files directly, and `views.sql` defines
a view for each kind of row in the reports.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.digests import blake2b
from grounded_ingest.version import install_command

if TYPE_CHECKING:
    import duckdb

LARGEST_ROW = 4 << 20
"""Maximum size in bytes of one row as JSON. DuckDB reserves twice this size to read a file."""

SUMMARY = ("documents", "claims", "tier_1", "tier_2", "tier_3", "errors", "warnings")
"""The counts in the summary of a report that are columns of the table `repositories`."""
REPOSITORIES = {
    **dict.fromkeys(
        ("run", "repository", "commit", "committed_at", "origin", "place", "state", "reason"),
        "VARCHAR",
    ),
    "report": "VARCHAR", "seconds": "DOUBLE", "peak_mb": "DOUBLE",
    **dict.fromkeys(SUMMARY, "INTEGER"),
}  # fmt: skip
"""The columns of the table `repositories`, with their types in DuckDB."""
_IN_REPORTS = {
    **dict.fromkeys(
        ("type", "id", "path", "section", "claim", "rule", "reason", "message", "severity", "kind",
         "memory_type", "source", "operation"),
        "VARCHAR",
    ),
    "line": "INTEGER", "tier": "INTEGER",
    "citations": "STRUCT(kind VARCHAR, target VARCHAR, verdict VARCHAR, reason VARCHAR)[]",
}  # fmt: skip
"""The fields of rows in reports that the views in `views.sql` use."""
TABLES = ("repositories", "claims", "evidence", "findings", "repetitions")


def digest(*parts: str) -> str:
    """Returns a digest of the parts (16 hex digits), from which a report gets its file name."""
    joined = "\0".join(parts).encode(errors="surrogateescape")
    return blake2b(joined, digest_size=8).hexdigest()


class QueryAnswer(NamedTuple):
    """The result of a query: rows, and the names of the columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def list_runs(out: str) -> list[str]:
    """Returns the names of the finished runs in the directory `out`, oldest first."""
    try:
        return sorted(n for n in os.listdir(f"{out}/runs") if not n.startswith("."))
    except FileNotFoundError:
        return []


@contextmanager
def _named_errors(where: str) -> Iterator[None]:
    import duckdb  # needs the extra `fleet`

    try:
        yield
    except duckdb.Error as error:
        raise GroundedIngestError(f"{where}: {str(error).strip()}") from None


def _create_views(database: duckdb.DuckDBPyConnection, out: str, runs: Sequence[str]) -> None:
    rows = _read_json([f"{out}/runs/{r}/repositories.jsonl" for r in runs], REPOSITORIES)
    database.execute(f"CREATE VIEW every_repositories AS SELECT * EXCLUDE (filename) FROM {rows}")
    reports = database.execute(
        "SELECT DISTINCT report FROM every_repositories WHERE report <> '' ORDER BY ALL"
    ).fetchall()
    rows = _read_json([f"{out}/reports/{r}" for (r,) in reports], _IN_REPORTS)
    database.execute(f"CREATE VIEW reported AS SELECT * FROM {rows}")
    views = files(__package__).joinpath("views.sql").read_text(encoding="utf-8")
    database.execute(views.replace("$run", _string(runs[-1])))
    database.execute(f"SET allowed_directories = [{_string(out)}]")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def answer_query(out: str, sql: str) -> QueryAnswer:
    """Returns the result of one SELECT statement over the tables of the newest run.

    Each table is a view with the rows of the run. The view `every_TABLE` has the rows of all runs.
    Queries cannot read files outside `out`. Raises GroundedIngestError if there is no run, or if
    the query fails or is another kind of statement.
    """
    runs = list_runs(out)
    if not runs:
        raise GroundedIngestError(
            f"{out}: the directory has no finished run", "run `grounded-ingest fleet` first"
        )
    with _connect_database() as database:
        with _named_errors(out):
            _create_views(database, out, runs)
        with _named_errors("the query fails"):
            statements = database.extract_statements(sql)
            if len(statements) != 1 or statements[0].type.name != "SELECT":
                raise GroundedIngestError(
                    "the query is not a single SELECT statement", "write exactly one SELECT"
                )
            found = database.execute(sql)
            columns = tuple(column[0] for column in found.description)
            return QueryAnswer(columns, tuple(found.fetchall()))


def _connect_database() -> duckdb.DuckDBPyConnection:
    """Returns a DuckDB database in memory, which never downloads extensions. Raises
    GroundedIngestError if the extra `fleet` is not installed."""
    try:
        import duckdb  # needs the extra `fleet`
    except ModuleNotFoundError:
        raise GroundedIngestError(
            "`fleet query` needs the package duckdb", f"install it: {install_command('fleet')}"
        ) from None
    return duckdb.connect(config={"threads": 1, "autoinstall_known_extensions": False})


def _read_json(paths: Sequence[str], columns: Mapping[str, str]) -> str:
    """Returns the SQL expression that reads rows from JSON Lines files. The column `filename`
    contains the path of the file."""
    if not paths:
        nulls = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in columns.items())
        return f"(SELECT {nulls}, '' AS filename WHERE false)"
    types = ", ".join(f'"{name}": {_string(kind)}' for name, kind in columns.items())
    return (
        f"read_json([{', '.join(map(_string, paths))}], format = 'newline_delimited',"
        f" columns = {{{types}}}, maximum_object_size = {LARGEST_ROW}, filename = true)"
    )


def _string(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"

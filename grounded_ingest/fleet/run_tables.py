"""Where the tables of a fleet lie, and which of their rows are of a run (docs/fleet.md).

`OUT/TABLE/run=RUN/part-N.parquet`. A repository that has not changed since an earlier run keeps the
rows of that one: `repositories.surveyed_in` names it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from grounded_ingest.fleet.tables import (
    SURVEYED,
    TABLES,
    Column,
    connected,
    no_rows,
    sql_list,
    sql_string,
    write_rows,
)

WORK = ".work"
LARGEST_PART = "256MB"
COUNTED = (
    "origin", "commit", "committed_at", "documents", "claims", "checkable", "grounded", "blocked",
    "wrong",
)  # fmt: skip
"""What a repository's row says of its commit."""


class KnownSurvey(NamedTuple):
    """The last time that a repository was read without failure."""

    commit: str
    settings: str
    surveyed_in: str
    counted: dict[str, object]


class RunTables:
    """The tables as a run has them. `out` is the directory of the fleet; `repositories` the file of
    that table while a run is not finished."""

    def __init__(self, out: str, run: str, repositories: str = "") -> None:
        self.out, self.run = out, run
        self._unfinished = [repositories] if repositories else []

    @cached_property
    def surveyed_in(self) -> tuple[str, ...]:
        """The runs whose rows are of this one."""
        with connected() as database:
            found = database.execute(
                f"SELECT DISTINCT surveyed_in FROM {self._repositories}"
                " WHERE state = 'ok' ORDER BY ALL"
            ).fetchall()
        return tuple(run for (run,) in found)

    def files(self, table: str) -> list[str]:
        """The files that hold the run's rows of a table, and maybe others."""
        if table == "repositories" and self._unfinished:
            return self._unfinished
        # A run that could read nothing has files without rows.
        runs = (self.run,) if table not in SURVEYED else self.surveyed_in or (self.run,)
        return [f for run in runs for f in run_files(self.out, table, run)]

    def rows(self, table: str, files: Sequence[str] | None = None) -> str:
        """A query for the run's rows of a table, or for those of them in some of its files."""
        every = self.files(table) if files is None else files
        if not every:  # nothing could be read
            return no_rows(TABLES[table])
        source = f"read_parquet({sql_list(every)}, hive_partitioning = false)"
        if table not in SURVEYED:
            return f"SELECT * FROM {source}"
        return (
            f"SELECT t.* FROM {source} t SEMI JOIN {self._repositories} r"
            " ON t.repository = r.repository AND t.run = r.surveyed_in AND r.state = 'ok'"
        )

    @property
    def _repositories(self) -> str:
        files = sql_list(self.files("repositories"))
        return f"read_parquet({files}, hive_partitioning = false)"


def runs_of(out: str) -> list[str]:
    """The finished runs of a fleet, the oldest first."""
    return partitions_of(out, "repositories")


def partitions_of(out: str, table: str) -> list[str]:
    """The runs that have a partition of a table, the oldest first, finished or not."""
    try:
        names = os.listdir(f"{out}/{table}")
    except FileNotFoundError:
        return []
    return sorted(n.removeprefix("run=") for n in names if n.startswith("run="))


def all_rows(out: str, table: str) -> str:
    """A query for the rows of every finished run, of which a repository may have several."""
    files = [f for run in runs_of(out) for f in run_files(out, table, run)]
    return f"SELECT * FROM read_parquet({sql_list(files)}, hive_partitioning = false)"


def known_surveys(out: str) -> dict[str, KnownSurvey]:
    """What the last run has of each repository that it could read."""
    runs = runs_of(out)
    if not runs:
        return {}
    files = run_files(out, "repositories", runs[-1])
    with connected() as database:
        found = database.execute(
            f"SELECT * FROM read_parquet({sql_list(files)}, hive_partitioning = false)"
            " WHERE state = 'ok'"
        )
        names = [column[0] for column in found.description]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return {
        str(r["repository"]): KnownSurvey(
            r["commit"], r["settings"], r["surveyed_in"], {n: r[n] for n in COUNTED}
        )
        for r in rows
    }


def put(out: str, table: str, run: str, files: Sequence[str], columns: Sequence[Column]) -> None:
    """Make the partition of a run of these files: parts of a size that engines like. It is there
    whole or not at all."""
    new, there = f"{out}/{WORK}/{run}/{table}.new", f"{out}/{table}/run={run}"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(new)
    if files:
        with connected() as database:
            database.execute(
                f"COPY (SELECT * FROM read_parquet({sql_list(files)}, hive_partitioning = false))"
                f" TO {sql_string(new)} (FORMAT parquet,"
                f" FILE_SIZE_BYTES {sql_string(LARGEST_PART)}, FILENAME_PATTERN 'part-{{i}}')"
            )
    if not os.listdir(new):
        write_rows(f"{new}/part-0.parquet", columns, ())
    os.makedirs(os.path.dirname(there), exist_ok=True)
    shutil.rmtree(there, ignore_errors=True)
    os.replace(new, there)


def run_files(out: str, table: str, run: str) -> list[str]:
    """The Parquet files of a table that a run wrote, in order."""
    directory = f"{out}/{table}/run={run}"
    names = os.listdir(directory) if os.path.isdir(directory) else ()
    return [f"{directory}/{name}" for name in sorted(names) if name.endswith(".parquet")]

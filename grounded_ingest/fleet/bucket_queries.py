"""How a join runs: queries over rows of Parquet files, side by side, and rows brought together by a
key. A join is a projection of the run's rows, a shuffle, and a query for each set of it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from glob import escape as glob_escape
from glob import glob
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.engine import FleetEngine, Work
from grounded_ingest.fleet.job import JobLimits, RepositorySource
from grounded_ingest.fleet.run_tables import WORK, RunTables, put
from grounded_ingest.fleet.tables import (
    JOINED,
    Database,
    connected,
    parquet_rows,
    sql_string,
    whole,
)

BUCKET_ROWS = 250_000
"""Rows that one query joins, about: fewer sets are more rows."""
MEMORY = "512MB"
"""What one query may hold. A machine needs it once for each of its workers; what does not fit is
on disk meanwhile."""


class Joining(NamedTuple):
    """What a join is given. `sources` are where the repositories of the run are, by name."""

    engine: FleetEngine
    tables: RunTables
    sources: Mapping[str, RepositorySource]
    limits: JobLimits

    def path(self, name: str) -> str:
        return f"{self.tables.out}/{WORK}/{self.tables.run}/joins/{name}"

    def queries(self, name: str, queries: Sequence[str]) -> list[str]:
        """Run queries side by side; the files of their answers. Raises GroundedIngestError."""
        return self.spread(name, write_query, [{"query": q} for q in queries])

    def spread(self, name: str, work: Work, jobs: Sequence[Mapping[str, object]]) -> list[str]:
        """Run work that writes a file for each job, whose path it finds under `out`."""
        outs = [f"{self.path(name)}-{n}.parquet" for n in range(len(jobs))]
        os.makedirs(self.path(""), exist_ok=True)
        texts = [json.dumps({**job, "out": out}) for job, out in zip(jobs, outs, strict=True)]
        for outcome in self.engine.map(work, texts):
            if outcome.error:
                raise GroundedIngestError(f"joining {name} failed: {outcome.error}")
        return outs

    def projected(self, name: str, table: str, columns: str, where: str) -> list[str]:
        """Some columns of the run's rows, a file for each file of the table."""
        files = self.tables.files(table)
        return self.queries(
            name,
            [
                f"SELECT {columns} FROM ({self.tables.rows(table, [f])}) WHERE {where}"
                for f in files
            ],
        )

    def by_key(self, name: str, files: Sequence[str], key: str) -> list[str]:
        """The rows of files brought together; what reads each set of them. Raises
        GroundedIngestError."""
        rows = count_rows(files)
        if not rows:
            return []
        buckets = -(-rows // BUCKET_ROWS)
        sets = self.engine.shuffle(files, key, buckets, self.path(f"{name}.by-{key}"))
        if (brought := count_rows([f for files in sets for f in files])) != rows:
            raise GroundedIngestError(
                f"joining {name} failed: of {rows} rows {brought} were brought together",
                "this is a bug: please report it with the engine that was used",
            )
        return [parquet_rows(files) for files in sets]

    def done(self, name: str) -> None:
        """Remove files that no later step reads."""
        for path in glob(f"{glob_escape(self.path(name))}[-.]*"):
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def write(self, table: str, files: Sequence[str]) -> None:
        put(self.tables.out, table, self.tables.run, files, JOINED[table])


def write_query(text: str) -> str:
    """The work of a join: the answer of a query, written whole."""
    job = json.loads(text)
    with whole(job["out"]) as new, spilling(new) as database:
        database.execute(f"COPY ({job['query']}) TO {sql_string(new)} (FORMAT parquet)")
    return ""


@contextmanager
def spilling(beside: str, memory: str = MEMORY) -> Iterator[Database]:
    """A database of bounded memory that keeps the rest beside a file meanwhile."""
    spill = f"{beside}.{secrets.token_hex(8)}.spill"
    try:
        with connected(memory) as database:
            database.execute(f"SET temp_directory = {sql_string(spill)}")
            database.execute("SET preserve_insertion_order = false")
            yield database
    finally:
        shutil.rmtree(spill, ignore_errors=True)


def count_rows(files: Sequence[str]) -> int:
    """How many rows Parquet files have, by their footers."""
    if not files:
        return 0
    with connected() as database:
        found = database.execute(f"SELECT count(*) FROM {parquet_rows(files)}").fetchone()
    return int(found[0]) if found else 0

"""The embedded engine: processes of this machine, and DuckDB."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from types import TracebackType
from typing import Self

from grounded_ingest.fleet.bucket_queries import spilling
from grounded_ingest.fleet.engine import JobOutcome, Work
from grounded_ingest.fleet.isolation import end_running
from grounded_ingest.fleet.tables import sql_list, sql_name, sql_string


class LocalEngine:
    """Work in as many threads as there are workers. Work that takes long starts a process of its
    own, and waits for it."""

    def __init__(self, workers: int, memory: str = "2GB") -> None:
        self._pool = ThreadPoolExecutor(workers)
        self._memory = memory

    def map(self, work: Work, jobs: Sequence[str]) -> Iterator[JobOutcome]:
        running = {self._pool.submit(work, job): n for n, job in enumerate(jobs)}
        for done in as_completed(running):
            error = done.exception()
            if error is None:
                yield JobOutcome(running[done], done.result())
            else:
                yield JobOutcome(running[done], "", f"{type(error).__name__}: {error}")

    def shuffle(self, files: Sequence[str], key: str, buckets: int, out: str) -> list[list[str]]:
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        with spilling(out, self._memory) as database:
            database.execute("SET partitioned_write_max_open_files = 64")
            database.execute(
                f"COPY (SELECT *, (({sql_name(key)} % {buckets}) + {buckets}) % {buckets} AS bucket"
                f" FROM read_parquet({sql_list(files)}))"
                f" TO {sql_string(out)}"
                " (FORMAT parquet, PARTITION_BY (bucket), OVERWRITE_OR_IGNORE)"
            )
        return [
            [f"{out}/{name}/{file}" for file in sorted(os.listdir(f"{out}/{name}"))]
            for name in sorted(os.listdir(out))
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        if error is not None:  # nobody waits for what is running
            end_running()
        self._pool.shutdown()

"""What runs a fleet: work on many repositories at once, and rows brought together by a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import NamedTuple, Protocol, Self

Work = Callable[[str], str]
"""A function of a module, of and to JSON: any worker of any engine can import it. Run twice on the
same job, at once even, it leaves the same files: engines run again what was lost with a worker."""


class JobOutcome(NamedTuple):
    """What became of a job, by its place in the list; `error` where the function raised, or no
    worker could be kept alive to the end."""

    number: int
    answer: str
    error: str = ""


class FleetEngine(Protocol):
    """Where a fleet runs. Tables are the same to the row whichever it is."""

    def map(self, work: Work, jobs: Sequence[str]) -> Iterator[JobOutcome]:
        """One outcome for each job, in any order, as they come."""
        ...

    def shuffle(self, files: Sequence[str], key: str, buckets: int, out: str) -> list[list[str]]:
        """Rows of Parquet files with the same columns, by a column of 64-bit integers: those of
        equal keys stand together in one of the sets of files that are returned, at most `buckets`.
        Order and number of files in them are the engine's own. `out` is made anew, and may hold
        files of workers that were lost, which are in no set."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

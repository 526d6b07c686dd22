"""No shape of text, record, configuration, log or query costs more than in proportion to its size.

Measured in CPU time of the real pipeline at n and 4n: the least of a few runs, so that other work on
the machine does not count, with the program's own thresholds of garbage collection. A busy machine's
caches make the larger text up to twice as dear. So what grows with a power of 1.2 between n and 4n
is measured at 16n, where 1.35 finds the same share of a square: a part of 11% at n that grows with
the square makes 4n 5.3 times and 16n 42 times as dear. Such a machine's factor explains 2.6.
"""

from __future__ import annotations

import functools
import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import log
from pathlib import Path

import hostile
import pytest
from hostile import Query, Shape
from repos import Repo

from grounded_ingest.__main__ import COLLECT
from grounded_ingest.errors import GroundedIngestError

LIMITS = {4: 1.2, 16: 1.35}
"""Largest allowed power of the size, by the factor between the two sizes that are measured."""
CERTAIN, TRIES = 1.7, 5


def is_in_proportion(cost: Callable[[int], float], n: int) -> bool:
    """Returns whether the cost grows in proportion to the size. A cost that seems to grow faster is
    measured up to five times: other work on the machine passes, the square of a text stays."""
    return any(_measured(cost, n) for _ in range(5))


def _measured(cost: Callable[[int], float], n: int) -> bool:
    for times, limit in LIMITS.items():
        small, large = cost(n), cost(times * n)
        for _ in range(TRIES):
            found = log(large / small) / log(times)
            if found <= limit:
                return True
            small, large = min(small, cost(n)), min(large, cost(times * n))
        print(f"{n} to {times * n}: {small:.3f} s to {large:.3f} s, power {found:.2f}")
        if found > CERTAIN:
            break
    return False


def forget() -> None:
    """Empty what this package has kept of earlier texts in this process."""
    ours = [vars(m) for name, m in [*sys.modules.items()] if name.startswith("grounded_ingest")]
    for kept in (k for names in ours for k in [*names.values()]):
        if isinstance(kept, functools._lru_cache_wrapper) and kept.cache_parameters()["maxsize"]:
            kept.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def _as_a_process_of_its_own() -> Iterator[None]:
    """The program's thresholds of garbage collection; what other tests left is not gone through."""
    before = gc.get_threshold()
    gc.set_threshold(*COLLECT)
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def seconds(run: Callable[[], object]) -> float:
    """CPU time, without garbage of before."""
    forget()
    gc.collect()
    started = time.process_time()
    with suppress(GroundedIngestError):  # refused in one line, which is an answer
        run()
    return time.process_time() - started


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("begun") / "r")
    repo.commit({"README.md": "# A\n"})
    return repo


@pytest.mark.parametrize("shape", hostile.SHAPES, ids=lambda s: s.name)
def test_the_hook_costs_what_the_text_is_long(shape: Shape, begun: Repo, tmp_path: Path) -> None:
    repos: dict[int, Repo] = {}

    def cost(n: int) -> float:
        if n not in repos:
            repos[n] = begun.copy(tmp_path / str(n))
            if landed := shape.landed(n):
                repos[n].commit(landed)
            repos[n].stage(shape.make(n))
        return seconds(lambda: repos[n].check())

    assert is_in_proportion(cost, shape.n)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = Repo(tmp_path_factory.mktemp("asked") / "r")
    repo.commit(hostile.KNOWN)
    return repo.root


@pytest.mark.parametrize("query", hostile.QUERIES, ids=lambda q: q.name)
def test_a_question_costs_what_it_is_long(query: Query, asked: Path) -> None:
    seconds(lambda: query.ask(asked, 1))  # what is kept of the repository is made
    assert is_in_proportion(lambda n: seconds(lambda: query.ask(asked, n)), query.n)


@pytest.mark.parametrize("read", hostile.FILES_READ, ids=lambda q: q.name)
def test_a_file_that_a_claim_leads_to_costs_what_it_is_long(read: Query, tmp_path: Path) -> None:
    seconds(lambda: read.ask(tmp_path, 1))  # what readers import is imported
    assert is_in_proportion(lambda n: seconds(lambda: read.ask(tmp_path, n)), read.n)

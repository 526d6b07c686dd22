"""Hostile texts are compared in bounded time, and never approved for it."""

from __future__ import annotations

import time

import pytest

from grounded_ingest.model.claims import Support
from grounded_ingest.support.budget import Budget, compared_words
from grounded_ingest.support.excerpt import whole_file
from grounded_ingest.support.source import LONGEST
from grounded_ingest.support.verdict import judge

CLAIM = "The gateway must listen on port 8443 for 30 seconds, but never in 2024."


@pytest.mark.parametrize("code", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "{" + ", ".join(str(n) for n in range(15_000)) + "}",
        "2024-01-02 " * 8_000,
        "the port, but " * 7_000,
        "`a" * 50_000,
        "not " * 25_000,
    ],
    ids=["numbers", "dates", "clauses", "ticks", "denials"],
)
def test_a_long_line_takes_no_long_time(text: str, code: bool) -> None:
    started = time.process_time()
    assert judge(CLAIM, whole_file("a.py", text, code=code)).support is not Support.SUPPORTED
    assert time.process_time() - started < 10


def test_a_claim_that_is_too_long_waits() -> None:
    text = "The port is 8443. " * (LONGEST // 10)
    assert (
        judge(text, whole_file("a.py", "PORT = 8443\n", code=True)).support is Support.UNSUPPORTED
    )


def test_what_is_beyond_the_budget_of_a_claim_is_not_compared() -> None:
    rows = "".join(f"value_{n} = {n}\n" for n in range(100))
    cost = compared_words(CLAIM, whole_file("a.py", rows, code=True))
    assert cost == 102 * len(CLAIM.split())  # 100 line ends, the last line, 1,000 characters
    assert "cite lines" in Budget(claim=cost - 1).over(cost)
    assert Budget(claim=cost).over(cost) == ""


def test_a_run_ends_where_its_budget_does() -> None:
    budget = Budget(claim=10, run=25)
    assert [bool(budget.over(10)) for _ in range(4)] == [False, False, True, True]
    assert not budget.over(5)  # what still fits is compared

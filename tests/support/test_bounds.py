"""Hostile texts are compared in bounded time, and never approved for it."""

from __future__ import annotations

import time

import pytest

from grounded_ingest.model import Support
from grounded_ingest.support.claims import LONGEST
from grounded_ingest.support.judging import judge
from grounded_ingest.support.reading import whole_file

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

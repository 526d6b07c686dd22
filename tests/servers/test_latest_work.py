"""One thread: the newest of a kind is done, what was cancelled is not, and failures are told."""

from __future__ import annotations

from concurrent.futures import CancelledError
from threading import Event, get_ident

import pytest

from grounded_ingest.servers.latest_work import LatestWork

SOON = 10


def test_older_work_of_a_kind_that_waits_is_dropped() -> None:
    work, go, done = LatestWork(), Event(), list[str]()
    begun = Event()
    held = work.submit("first", lambda: begun.set() or go.wait(SOON))
    assert begun.wait(SOON)  # else the newest would be done before it
    older = work.submit("judge", lambda: done.append("older"))
    other = work.submit("hover", lambda: done.append("other"))
    newer = work.submit("judge", lambda: done.append("newer") or "it")
    assert older.result(SOON) is None
    go.set()
    assert held.result(SOON) is True
    assert newer.result(SOON) == "it"
    other.result(SOON)
    assert done == ["newer", "other"]  # the last that was asked for comes first


def test_what_is_cancelled_before_its_turn_is_never_done() -> None:
    work, go, done = LatestWork(), Event(), list[str]()
    begun = Event()
    work.submit("first", lambda: begun.set() or go.wait(SOON))
    assert begun.wait(SOON)
    dropped = work.submit("hover", lambda: done.append("hover"))
    assert dropped.cancel()
    replaced = work.submit("hover", lambda: "again")
    go.set()
    assert replaced.result(SOON) == "again"
    with pytest.raises(CancelledError):
        dropped.result(SOON)
    assert done == []


def test_a_failure_is_told_and_the_thread_goes_on() -> None:
    work = LatestWork()

    def fails() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        work.submit("a", fails).result(SOON)
    first, second = work.submit("a", get_ident).result(SOON), work.submit("b", get_ident)
    assert first == second.result(SOON) != get_ident()

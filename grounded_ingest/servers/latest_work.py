"""Runs work in one thread. A newer request with the same key replaces a waiting older request."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any, TypeVar

T = TypeVar("T")


class LatestWork:
    """A queue of requests with one daemon thread, which the first request starts. The thread runs
    the newest request first."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, tuple[Future[Any], Callable[[], Any]]] = {}
        self._changed = Condition()
        self._thread: Thread | None = None

    def submit(self, key: Hashable, work: Callable[[], T | None]) -> Future[T | None]:
        """Queues work and returns a future for its result. If a request with the same key is
        waiting, the older request is dropped and its result is None. A request that is cancelled
        before it starts is dropped too."""
        future: Future[T | None] = Future()
        with self._changed:
            older = self._waiting.pop(key, None)
            self._waiting[key] = (future, work)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="judging", daemon=True)
                self._thread.start()
            self._changed.notify()
        if older is not None and older[0].set_running_or_notify_cancel():
            older[0].set_result(None)
        return future

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
                _, (future, work) = self._waiting.popitem()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001  raised again by Future.result
                future.set_exception(error)
            del work
            gc.collect()  # a check leaves reference cycles, which would stay in this long process

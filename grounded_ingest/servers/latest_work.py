"""A worker thread that runs the newest request of each key and drops older ones."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any, TypeVar

T = TypeVar("T")


class LatestWork:
    """A daemon thread, started by the first request. The newest request runs first."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, tuple[Future[Any], Callable[[], Any]]] = {}
        self._changed = Condition()
        self._thread: Thread | None = None

    def submit(self, key: Hashable, work: Callable[[], T | None]) -> Future[T | None]:
        """Queues work. A waiting request of the same key is dropped, and its result is None. A
        request that is cancelled while it waits is dropped too."""
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
            gc.collect()  # a run leaves cycles, which short commands leave to their exit

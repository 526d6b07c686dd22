"""Which evidence files this tool wrote, and what a judge said of claims. Shortcuts only."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grounded_ingest.repository.sqlite_files import sealed, unsealed

JUDGEMENTS = 200_000
"""Judgements from which on older ones are dropped for new ones."""


class Ledger:
    """The part of the index that remembers what was found out; safe to lose."""

    _db: sqlite3.Connection

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def writing(self, contents: Iterable[bytes]) -> None:
        """Remembers evidence this tool writes, so that it is never taken for a person's edits."""
        self._remember(
            "INSERT OR IGNORE INTO written VALUES (?)", ((_digest(c),) for c in contents)
        )

    def wrote(self, content: bytes) -> bool:
        sql = "SELECT 1 FROM written WHERE digest=?"
        return bool(self._all(sql, (_digest(content),)))

    def judgement(self, key: bytes) -> bytes | None:
        """What was kept under a key, None where nothing was."""
        rows = self._all("SELECT said FROM judged WHERE key=?", (key,))
        with contextlib.suppress(IndexError, ValueError):  # none, or a damaged one
            return unsealed(key.hex(), rows[0][0])
        return None

    def keep_judgements(self, said: Mapping[bytes, bytes]) -> None:
        """Keep judgements, the oldest of too many dropped."""
        rows = ((key, sealed(key.hex(), told)) for key, told in said.items())
        self._remember("INSERT OR REPLACE INTO judged (key, said) VALUES (?, ?)", rows)
        newest = self._all("SELECT max(rowid), min(rowid) FROM judged")[0]
        if newest[0] and newest[0] - newest[1] > JUDGEMENTS:
            limit = newest[0] - JUDGEMENTS // 2
            self._remember("DELETE FROM judged WHERE rowid < ?", [(limit,)])

    def _remember(self, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
        with contextlib.suppress(sqlite3.Error):  # locked, damaged: only a shortcut is lost
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany(sql, rows)
            finally:
                self._db.execute("COMMIT")


def _digest(content: bytes) -> bytes:
    from grounded_ingest.model.digests import blake2b

    return blake2b(content, digest_size=16).digest()

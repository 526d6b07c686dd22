"""The texts of files and their lines, each read once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from grounded_ingest.git.trees import Tree

LARGEST = 2 * 1024 * 1024
"""Bytes of the largest file whose lines are read."""

KEPT = 16 * 1024 * 1024
"""Characters of texts that are kept, so that many citations of few files read each once."""


class _Texts:
    """Texts by tree and path, the last ones read."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Tree, str], str | None] = {}
        self._size = 0

    def of(self, tree: Tree, path: str) -> str | None:
        if (tree, path) not in self._kept:
            text = self._kept[tree, path] = _read(tree, path)
            self._size += len(text or "") + 1000
            while self._size > KEPT and len(self._kept) > 1:
                self._size -= len(self._kept.pop(next(iter(self._kept))) or "") + 1000
        return self._kept[tree, path]

    def clear(self) -> None:
        self._kept, self._size = {}, 0


_texts = _Texts()


def text_of(tree: Tree, path: str) -> str | None:
    """The text of a file; None for links, binary files and what this clone lacks."""
    return _texts.of(tree, path)


def forget_texts() -> None:
    """Let go of the texts that are kept, and of their trees: in a process that stays, each question
    has trees of its own."""
    _texts.clear()


def _read(tree: Tree, path: str) -> str | None:
    content = tree.read(path)
    if content is None or b"\0" in content[:8000]:
        return None
    return content.decode(errors="replace").removeprefix("\ufeff")


@lru_cache(maxsize=16)
def rows_of(text: str) -> Sequence[str]:
    """Lines as git and editors count them: a form feed ends none."""
    rows = text.split("\n")
    return tuple(rows[:-1] if rows[-1] == "" else rows)

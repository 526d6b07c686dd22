"""Offsets to lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

_BREAK = re.compile(rb"\r\n|\n|\r")


class LineIndex:
    """Byte offsets of a text to 1-based (line, column); columns count characters."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts = [0, *(m.end() for m in _BREAK.finditer(source))]
        self._last = (0, 0, 1)

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        # Claims come in order: counting on from the last one keeps one-line documents linear.
        known, start, column = self._last
        if known != line or offset < start:
            start, column = self._starts[line - 1], 1
        column += len(self._source[start:offset].decode(errors="replace"))
        self._last = (line, offset, column)
        return line, column

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


class Excerpt:
    """Text gathered from several places of a source; knows the way back for its byte offsets."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._sources: list[int] = []
        self.length = 0

    def add(self, text: str, source: int) -> None:
        if not text:
            return
        self._parts.append(text)
        self._starts.append(self.length)
        self._sources.append(source)
        self.length += len(text.encode())

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def parts(self) -> Iterator[tuple[str, int]]:
        """Each piece and its source offset."""
        return zip(self._parts, self._sources, strict=True)

    def source(self, offset: int) -> int:
        """The source offset of byte `offset` of the text."""
        if not self._starts:
            return 0
        at = max(bisect_right(self._starts, offset) - 1, 0)
        return self._sources[at] + offset - self._starts[at]

    def flush_left(self) -> Excerpt:
        """The same without the white space and quote markers before each line, which would make
        Markdown take indented text for code."""
        found, at = Excerpt(), 0
        for line in re.findall(r"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+", self.text):
            bare = line.lstrip(" \t>") if line.strip() else line
            lead = len(line) - len(bare)
            found.add(bare, self.source(at + lead))
            at += len(line.encode())
        return found


class Offsets:
    """Character offsets of a text to bytes; cheap when asked in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._last = (0, 0)

    def __call__(self, at: int) -> int:
        if self._ascii:
            return at
        known, size = self._last if self._last[0] <= at else (0, 0)
        size += len(self._text[known:at].encode(errors="replace"))
        self._last = (at, size)
        return size

"""Maps offsets in a text to lines and columns, and offsets in an excerpt to its source."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

_BREAK = re.compile(rb"\r\n|\n|\r")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+")


class LineIndex:
    """A map from byte offsets to lines and columns (in characters, both 1-based), and back."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0, *(m.end() for m in _BREAK.finditer(source))]
        self._last = (0, 0, 1)

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        # Claims come in order. Counting from the last position keeps the time linear for a
        # document with only one long line.
        known, start, column = self._last
        if known != line or offset < start:
            start, column = self._starts[line - 1], 1
        column += len(self.source[start:offset].decode(errors="replace"))
        self._last = (line, offset, column)
        return line, column

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def offset(self, line: int, column: int = 1) -> int:
        """Returns the byte offset of a line and column.

        Returns the end of the line if the line is shorter, or the end of the text if the text has
        fewer lines."""
        if line > len(self._starts):
            return len(self.source)
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self.source)
        row = self.source[start:end].decode(errors="replace")
        return start + len(row[: column - 1].encode())


class Excerpt:
    """A text gathered from several places in a source, to which it can map its byte offsets."""

    def __init__(self, text: str = "", source: int = 0) -> None:
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._sources: list[int] = []
        self.length = 0
        self.add(text, source)

    def add(self, text: str, source: int) -> None:
        """Appends a text that begins at byte offset `source` in the source."""
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
        """Returns an iterator over pairs (part, byte offset of the part in the source)."""
        return zip(self._parts, self._sources, strict=True)

    def source(self, offset: int) -> int:
        """Returns the byte offset in the source for the byte `offset` in the excerpt."""
        if not self._starts:
            return 0
        at = max(bisect_right(self._starts, offset) - 1, 0)
        return self._sources[at] + offset - self._starts[at]

    def flush_left(self) -> Excerpt:
        """Returns the excerpt without the white space and quote marks (`>`) before its lines. The
        Markdown parser would take indented text for code."""
        found, at = Excerpt(), 0
        for line in _LINE.findall(self.text):
            bare = line.lstrip(" \t>") if line.strip() else line
            found.add(bare, self.source(at + len(line) - len(bare)))
            at += len(line.encode())
        return found


class Offsets:
    """Converts character offsets in a text to byte offsets, fast for ascending offsets."""

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

"""Converts positions of the language server protocol to character offsets and back."""

from __future__ import annotations

import re
from bisect import bisect_right

_BREAK = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""The position encodings of the protocol, with the Python codec and the bytes in a code unit."""


class TextPositions:
    """Converts between the positions of the client and offsets in one text. A position of the
    client is a line, counted from 0, and the number of code units before the position in that line.
    Offsets count code points. A lone surrogate counts as one code point."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self._codec, self._size = _CODECS[encoding]
        self._starts = [0, *(m.end() for m in _BREAK.finditer(text))]

    def offset(self, line: int, units: int) -> int:
        """Returns the offset of a client's position. A position after the end of a line or text is
        moved to the end. A position inside a character is moved to the start of the character."""
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._row(line)
        for at in range(start, end):
            units -= self._units(self.text[at])
            if units < 0:
                return at
        return end

    def position(self, offset: int) -> tuple[int, int]:
        """Returns the client's position for an offset."""
        line = bisect_right(self._starts, offset) - 1
        return line, self._units(self.text[self._starts[line] : offset])

    def at(self, line: int, column: int = 1) -> int:
        """Returns the offset of a line and column in a finding. Line and column are counted from 1.
        A byte order mark is not counted as a column.
        """
        if line > len(self._starts):
            return len(self.text)
        start, end = self._row(max(line, 1) - 1)
        start += line == 1 and self.text.startswith(_BOM)
        return min(start + column - 1, end)

    def line(self, offset: int) -> int:
        """Returns the number of the line at an offset, counted from 1."""
        return bisect_right(self._starts, offset)

    def end_of(self, line: int) -> int:
        """Returns the offset of the end of a line, before its line break. Lines are counted from
        1."""
        return self._row(line - 1)[1] if line <= len(self._starts) else len(self.text)

    def _row(self, number: int) -> tuple[int, int]:
        start = self._starts[number]
        last = number + 1 == len(self._starts)
        end = len(self.text) if last else self._starts[number + 1]
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._size

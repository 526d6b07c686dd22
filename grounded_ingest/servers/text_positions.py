"""Converts positions of the language server protocol to character offsets and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_BREAK = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""Position encodings of the protocol: the codec, and the bytes of its code unit."""


class ClientPosition(NamedTuple):
    """A line from 0, and the number of code units before the position in the client's encoding."""

    line: int
    units: int


class TextPositions:
    """Positions in one text. Offsets count code points; a lone surrogate is one."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self._codec, self._size = _CODECS[encoding]
        self._starts = [0, *(m.end() for m in _BREAK.finditer(text))]

    def offset(self, position: ClientPosition) -> int:
        """Returns the offset of a client's position. A position behind a line or the text is its
        end; one inside a character is the character's beginning."""
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._row(position.line)
        left = position.units
        for at in range(start, end):
            left -= self._units(self.text[at])
            if left < 0:
                return at
        return end

    def position(self, offset: int) -> ClientPosition:
        """Returns the client's position of an offset."""
        line = bisect_right(self._starts, offset) - 1
        return ClientPosition(line, self._units(self.text[self._starts[line] : offset]))

    def at(self, line: int, column: int = 1) -> int:
        """Returns the offset of a line and column of a finding: both from 1, without the byte order
        mark."""
        if line > len(self._starts):
            return len(self.text)
        start, end = self._row(max(line, 1) - 1)
        start += line == 1 and self.text.startswith(_BOM)
        return min(start + column - 1, end)

    def line(self, offset: int) -> int:
        """Returns the line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def end_of(self, line: int) -> int:
        """Returns the offset of the end of a line (from 1), before its line break."""
        return self._row(line - 1)[1] if line <= len(self._starts) else len(self.text)

    def _row(self, number: int) -> tuple[int, int]:
        start = self._starts[number]
        last = number + 1 == len(self._starts)
        end = len(self.text) if last else self._starts[number + 1]
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._size

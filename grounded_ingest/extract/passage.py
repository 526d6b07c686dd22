"""A passage: inline text of one paragraph, item or cell, with its way back to the source bytes."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal, NamedTuple
from unicodedata import is_normalized, normalize

MASK = "\0"
_SPACE = re.compile(r"\s+")
_RAGGED = re.compile(r"\s\s|[^\S ]")

MarkKind = Literal["code", "link", "image", "footnote"]


class Mark(NamedTuple):
    """A span of a passage that is not plain text. `target` is a link's or footnote's."""

    kind: MarkKind
    start: int
    end: int
    target: str
    label: str = ""


class Passage:
    """Canonical inline text under construction, then read.

    `text`: emphasis dropped, links as `[text](target)`, code in backticks, whitespace collapsed.
    `masked`: the same length, with NUL for code and link targets. Offsets are bytes of the source.
    """

    def __init__(self) -> None:
        self._text: list[str] = []
        self._masked: list[str] = []
        self._length = 0
        self._starts: list[int] = []
        self._sources: list[int] = []
        self._plain: list[bool] = []
        self.marks: list[Mark] = []
        self._open: list[tuple[int, str, MarkKind]] = []
        self._ends_in_space = True

    def add(self, text: str, source: int, *, mask: bool = False, verbatim: bool = True) -> None:
        """Append text that stands at byte `source`; `verbatim`: the source reads the same."""
        if _RAGGED.search(text):
            at = 0
            for gap in _SPACE.finditer(text):
                self._append(
                    text[at : gap.start()], source + len(text[:at].encode()), mask, verbatim
                )
                self._append(" ", source + len(text[: gap.start()].encode()), mask, False)
                at = gap.end()
            text, source = text[at:], source + len(text[:at].encode())
        self._append(text, source, mask, verbatim)

    def _append(self, text: str, source: int, mask: bool, verbatim: bool) -> None:
        if self._ends_in_space and text.startswith(" "):
            text, source = text[1:], source + 1
        if not text:
            return
        if not is_normalized("NFC", text):
            text, verbatim = normalize("NFC", text), False
        text = text.replace(MASK, "�")
        self._text.append(text)
        self._masked.append(MASK * len(text) if mask else text)
        self._starts.append(self._length)
        self._sources.append(source)
        self._plain.append(verbatim)
        self._length += len(text)
        self._ends_in_space = text.endswith(" ")

    def code(self, content: str, source: int) -> None:
        start = self._length
        content = " ".join(content.split())
        fence = "``" if "`" in content else "`"
        self.add(f"{fence}{content}{fence}", source, mask=True, verbatim=False)
        self.marks.append(Mark("code", start, self._length, content))

    def footnote(self, label: str, source: int) -> None:
        start = self._length
        self.add(f"[^{label}]", source, mask=True, verbatim=False)
        self.marks.append(Mark("footnote", start, self._length, label))

    def open_link(self, target: str, source: int, kind: MarkKind) -> None:
        self._open.append((self._length, target, kind))
        self.add("[" if kind == "link" else "![", source, mask=True, verbatim=False)

    def close_link(self, source: int) -> None:
        if not self._open:
            return
        start, target, kind = self._open.pop()
        label = "".join(self._text)[start:].lstrip("![")
        self.add(f"]({target})", source, mask=True, verbatim=False)
        self.marks.append(Mark(kind, start, self._length, target, label))

    def extend(self, other: Passage) -> None:
        """Append another passage with its marks and its way back to the source."""
        shift = self._length
        rows = zip(other._text, other._masked, other._sources, other._plain, strict=True)
        for text, masked, source, plain in rows:
            self._append(text, source, MASK in masked, plain)
        self.marks += [m._replace(start=m.start + shift, end=m.end + shift) for m in other.marks]

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def masked(self) -> str:
        return "".join(self._masked)

    @property
    def source_start(self) -> int:
        return self._sources[0] if self._sources else 0

    def source(self, index: int) -> int:
        """The byte offset at which character `index` of the text stands."""
        if not self._starts:
            return 0
        at = max(bisect_right(self._starts, index) - 1, 0)
        if not self._plain[at]:
            return self._sources[at]
        into = self._text[at][: index - self._starts[at]]
        return self._sources[at] + (len(into) if into.isascii() else len(into.encode()))


class Lines:
    """Byte offsets of a text to 1-based (line, column); columns count characters."""

    _BREAK = re.compile(rb"\r\n|\n|\r")

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts = [0, *(m.end() for m in self._BREAK.finditer(source))]

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        before = self._source[self._starts[line - 1] : offset]
        return line, len(before.decode(errors="replace")) + 1

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

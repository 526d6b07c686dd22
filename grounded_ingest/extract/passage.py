"""The type `Passage`: the inline text of a paragraph, item or cell, with offsets in the source."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal, NamedTuple
from unicodedata import is_normalized, normalize

from msgspec import Struct

from grounded_ingest.model.claims import Citation
from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.patterns import compiled

_RAGGED = compiled(r"\s\s|[^\S ]")
_PARTS = compiled(r"\S+(?: \S+)*|\s+")
_WINDOW = 256
"""Maximum number of characters that are normalised together. A long run of combining characters
would take quadratic time."""
_WORDS = compiled(rf"\S{{1,{_WINDOW}}}\s*|\s+")

MarkKind = Literal["code", "link", "image", "footnote"]


class PassageMark(NamedTuple):
    """A span in a passage that is code, a link, an image or a footnote. `target` is the code, the
    destination, or the label of the footnote. `label` is the text of the link or image."""

    kind: MarkKind
    start: int
    end: int
    target: str
    label: str = ""


class CitationSpan(NamedTuple):
    """A citation and its character offsets in a passage."""

    start: int
    end: int
    citation: Citation


class Pieces(NamedTuple):
    """The pieces from which the text of a passage was joined, as four lists with one entry for
    each: `starts` are their character offsets in the passage, and `sources` their byte offsets in
    the source. `plain` says whether the source has exactly the same text."""

    texts: list[str]
    starts: list[int]
    sources: list[int]
    plain: list[bool]

    @property
    def start(self) -> int:
        """Returns the byte offset in the source at which the passage begins."""
        return self.sources[0] if self.sources else 0

    def source(self, index: int) -> int:
        """Returns the byte offset in the source for the character `index` in the passage."""
        if not self.starts:
            return 0
        at = max(bisect_right(self.starts, index) - 1, 0)
        if not self.plain[at]:
            return self.sources[at]
        return self.sources[at] + _size(self.texts[at][: index - self.starts[at]])


class Passage(Struct, frozen=True):
    """The inline text of a paragraph, item or cell in a canonical form: `text` has no emphasis
    marks and collapsed white space, links as `[text](target)`, and code in backticks. `masked` has
    the same length, with NUL in place of code and link targets. `speaks` is true if the passage has
    a word outside of links and images, unlike badges and menus. `run_in` is the end of the
    emphasised label at the beginning, or 0. `asides` are the spans with table headers, which are
    repeated in every row."""

    text: str
    masked: str
    speaks: bool
    marks: list[PassageMark]
    asides: list[tuple[int, int]]
    run_in: int
    pieces: Pieces


class Draft:
    """Collects the text of a passage piece by piece. All offsets are byte offsets in the source."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._masked: list[str] = []
        self._length = 0
        self._pieces = Pieces(self._text, [], [], [])
        self._asides: list[tuple[int, int]] = []
        self._run_in = 0
        self.marks: list[PassageMark] = []
        self._open: list[tuple[int, int, str, MarkKind]] = []
        self._images = 0
        self._ends_in_space = True

    def add(self, text: str, source: int, *, mask: bool = False, verbatim: bool = True) -> None:
        """Appends a text that begins at byte offset `source`. `mask` replaces it by NUL in
        `masked`. `verbatim` says that the source has exactly the same text."""
        if not _RAGGED.search(text):
            self._append(text, source, mask, verbatim)
            return
        for part in _PARTS.findall(text):
            if part.isspace():
                self._append(" ", source, mask, False)
            else:
                self._append(part, source, mask, verbatim)
            if verbatim:
                source += _size(part)

    def _append(self, text: str, source: int, mask: bool, verbatim: bool) -> None:
        if self._ends_in_space and text.startswith(" "):
            text, source = text[1:], source + verbatim
        if not text:
            return
        if text.isascii() or (len(text) <= _WINDOW and is_normalized("NFC", text)):
            self._put(text, source, mask, verbatim)
            return
        for word in _WORDS.findall(text):
            composed = normalize("NFC", word)
            self._put(composed, source, mask, verbatim and composed == word)
            source += _size(word) if verbatim else 0

    def _put(self, text: str, source: int, mask: bool, verbatim: bool) -> None:
        if MASK in text:
            text = text.replace(MASK, "\ufffd")
        self._text.append(text)
        self._masked.append(MASK * len(text) if mask else text)
        self._pieces.starts.append(self._length)
        self._pieces.sources.append(source)
        self._pieces.plain.append(verbatim)
        self._length += len(text)
        self._ends_in_space = text[-1] == " "

    def code(self, content: str, source: int, end: int) -> None:
        """Appends a code span that is at the bytes from `source` to `end`."""
        start = self._length
        content = " ".join(content.split())
        fence = "``" if "`" in content else "`"
        self.add(f"{fence}{content}", source, mask=True, verbatim=False)
        self.add(fence, max(source, end - len(fence)), mask=True, verbatim=False)
        self.marks.append(PassageMark("code", start, self._length, content))

    def footnote(self, label: str, source: int) -> None:
        """Appends a reference to a footnote: `[^label]`."""
        start = self._length
        self.add(f"[^{label}]", source, mask=True, verbatim=False)
        self.marks.append(PassageMark("footnote", start, self._length, label))

    def open_link(self, target: str, source: int, kind: MarkKind) -> None:
        """Begins a link or an image. Text that is added before `close_link` becomes its label."""
        start = self._length
        self.add("[" if kind == "link" else "![", source, mask=True, verbatim=False)
        self._open.append((start, len(self._text), target, kind))
        self._images += kind == "image"

    def close_link(self, source: int) -> None:
        """Ends the innermost open link or image. `source` is the offset of the link's last byte."""
        if not self._open:
            return
        start, first, target, kind = self._open.pop()
        # An image inside an image is a part of the outer image's text, so it gets no own label.
        self._images -= kind == "image"
        inner = kind == "image" and self._images
        label = "" if inner else "".join(self._text[first:]).strip()
        self.add(f"]({target})", source, mask=True, verbatim=False)
        self.marks.append(PassageMark(kind, start, self._length, target, label))

    def aside(self, text: str, source: int) -> None:
        """Appends the header of a table column to a cell. `source` is the header's byte offset."""
        start = self._length
        self.add(text, source, verbatim=False)
        self._asides.append((start, self._length))

    def run_in(self) -> None:
        """Records that the text added so far is a label at the beginning of the passage, such as
        "**Note:**"."""
        self._run_in = self._length

    def extend(self, other: Passage) -> None:
        """Appends another passage with its marks and its offsets in the source."""
        shift = self._length
        for text, start, source, plain in zip(*other.pieces, strict=True):
            self._append(text, source, MASK in other.masked[start : start + len(text)], plain)
        self.marks += [m._replace(start=m.start + shift, end=m.end + shift) for m in other.marks]

    @property
    def barely_begun(self) -> bool:
        """Returns whether the draft has no letter or digit yet, and fewer than 8 characters, so
        that emphasised text can still be a label at its beginning."""
        return self._length < 8 and not any(c.isalnum() for c in "".join(self._text))

    @property
    def blank(self) -> bool:
        """Returns whether the draft is empty or has only white space."""
        return all(not text or text.isspace() for text in self._text)

    @property
    def passage(self) -> Passage:
        masked = "".join(self._masked)
        return Passage(
            "".join(self._text), masked, _speaks(masked, self.marks), self.marks, self._asides,
            self._run_in, self._pieces,
        )  # fmt: skip


def _speaks(text: str, marks: list[PassageMark]) -> bool:
    """Returns whether a text has a letter outside of its links and images."""
    at = 0
    for mark in sorted(m for m in marks if m.kind in ("link", "image")):
        if any(map(str.isalpha, text[at : mark.start])):
            return True
        at = max(at, mark.end)
    return any(map(str.isalpha, text[at:]))


def blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """Returns a text in which every character inside `spans` is replaced by NUL."""
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            parts += [text[at:start], MASK * (end - max(start, at))]
            at = end
    return "".join([*parts, text[at:]])


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())

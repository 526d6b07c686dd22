"""What an outline of a Markdown text is made of."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from grounded_ingest.extract.hidden_text import HtmlPiece, HtmlReader
from grounded_ingest.extract.passage import Draft, Passage
from grounded_ingest.extract.positions import Excerpt, Offsets
from grounded_ingest.model.claims import Form
from grounded_ingest.text.sentences import asserts

HEADER = 300
"""Characters of a header that each row of its table is read with."""


class PlacedPassage(Struct, frozen=True):
    """A passage in its place; `note` is the label of the footnote it stands in, `depth` how deep in
    lists it stands, `frame` the digest of what frames it, `doubt` the label over it that says it is
    open. `bare`: it states nothing, and only what it refers to counts."""

    passage: Passage
    form: Form
    section: str
    block: int
    table: int
    note: str
    depth: int
    frame: str
    doubt: str
    bare: bool = False

    @property
    def start(self) -> int:
        return self.passage.pieces.start


class Comment(Struct, frozen=True):
    """Text a rendered page does not show; `end` in bytes. `marked`: it is an HTML comment."""

    text: Excerpt
    end: int
    section: str
    block: int
    marked: bool

    @property
    def start(self) -> int:
        return self.text.source(0)


class Outline(Struct, frozen=True):
    """All a Markdown text holds. `notes` are footnotes by label, `opaque` (start, end, what)."""

    units: list[PlacedPassage]
    comments: list[Comment]
    notes: dict[str, list[Passage]]
    referenced: set[str]
    opaque: list[tuple[int, int, str]]


def joined_row(cells: list[Passage], header: list[str]) -> Passage:
    """A table row as `Header: cell; Header: cell`."""
    joined = Draft()
    for index, cell in enumerate(cells):
        if not cell.text.strip():
            continue
        if not joined.blank:
            joined.add("; ", cell.pieces.start, verbatim=False)
        head = header[index][:HEADER] if index < len(header) else ""
        if head and len(cells) > 1:
            joined.aside(f"{head}: ", cell.pieces.start)
        joined.extend(cell)
    return joined.passage


def html_pieces(block: Excerpt, html: HtmlReader) -> Iterator[tuple[HtmlPiece, Excerpt]]:
    """The pieces of an HTML block, each line of them in its place."""
    size = Offsets(block.text)
    for piece in html.feed(block.text):
        part, at = Excerpt(), size(piece.start)
        for line in piece.text.splitlines(keepends=True):
            part.add(line, block.source(at))
            at += len(line.encode())
        yield piece, part


def states_something(title: str) -> bool:
    """Whether a heading is a claim: it closes like a sentence, or asserts like one."""
    bare = title.rstrip("*_`\"')")
    if bare.endswith((".", "!", "。", "！")):
        return " " in bare or not bare.isascii()
    return asserts(title)

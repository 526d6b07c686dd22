"""Markdown to passages, by pulldown-cmark's events (docs/adr/0006): nothing is matched by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from grounded_ingest.extract.hidden import Html
from grounded_ingest.extract.passage import MarkKind, Passage
from grounded_ingest.model import Form


class Unit(NamedTuple):
    """A passage in its place. `end` is a byte offset."""

    passage: Passage
    form: Form
    section: str
    block: int
    table: int
    end: int


class Comment(NamedTuple):
    """A comment or hidden piece of HTML, `start` and `end` in bytes."""

    text: str
    start: int
    end: int
    section: str
    block: int


class Outline(NamedTuple):
    """All a Markdown text holds. `notes` are footnotes by label, `opaque` (start, end, what)."""

    units: list[Unit]
    comments: list[Comment]
    notes: dict[str, list[Passage]]
    opaque: list[tuple[int, int, str]]
    front_matter: tuple[str, int] | None


_SPANS = frozenset(
    ("Link", "Image", "Emphasis", "Strong", "Strikethrough", "Superscript", "Subscript")
)


class Walker:
    """Consumes events; one method per kind of event, looked up by name."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.outline = Outline([], [], {}, [], None)
        self.html = Html()
        self.headings: list[tuple[int, str]] = []
        self.passage: Passage | None = None
        self.depth = self.block = self.table = 0
        self.note = ""
        self.cells: list[Passage] = []
        self.header: list[str] = []
        self.in_head = False
        self.opaque: list[str] = []
        self.html_start = -1
        self.front = -1

    @property
    def section(self) -> str:
        return " > ".join(title for _, title in self.headings)

    def walk(self, events: Any) -> Outline:
        handlers: dict[str, Callable[[Any, int, int], None]] = {
            "Text": self.text, "Code": self.code, "InlineHtml": self.inline_html,
            "InlineMath": self.code, "DisplayMath": self.code,
            "FootnoteReference": self.footnote, "Start": self.start, "End": self.finish,
        }  # fmt: skip
        for event, at in events:
            if event.__class__ is str:
                if self.passage is not None and event.endswith("Break"):
                    self.passage.add(" ", at["start"], verbatim=False)
                continue
            for name, value in event.items():
                if handler := handlers.get(name):
                    handler(value, at["start"], at["end"])
        self.flush(len(self.source))
        return self.outline

    def inline(self, start: int) -> Passage:
        if self.passage is None:
            self.passage = Passage()
        return self.passage

    def text(self, value: str, start: int, end: int) -> None:
        if self.opaque:
            return
        verbatim = self.source[start:end] == value.encode()
        self.inline(start).add(value, start, verbatim=verbatim)

    def code(self, value: str, start: int, end: int) -> None:
        self.inline(start).code(value, start)

    def footnote(self, label: str, start: int, end: int) -> None:
        self.inline(start).footnote(label, start)

    def inline_html(self, value: str, start: int, end: int) -> None:
        if value.lower().startswith("<br"):
            self.inline(start).add(" ", start, verbatim=False)
        for piece in self.html.feed(value):
            self.comment(piece.text, start + len(value[: piece.start].encode()), end)

    def comment(self, text: str, start: int, end: int) -> None:
        self.outline.comments.append(Comment(text, start, end, self.section, self.block))

    def start(self, value: Any, start: int, end: int) -> None:
        name, detail = (value, None) if isinstance(value, str) else next(iter(value.items()))
        if name in _SPANS:
            self.span(name, detail, start)
            return
        if name != "TableCell":
            self.flush(start)
        if self.depth == 0:
            self.block += 1
        self.depth += 1
        match name:
            case "CodeBlock" | "HtmlBlock" | "MetadataBlock":
                self.opaque.append(name)
                self.html_start, self.front = start, start
            case "FootnoteDefinition":
                self.note = str(detail)
            case "Table":
                self.table += 1
            case "TableHead":
                self.in_head, self.cells = True, []
            case "TableRow":
                self.cells = []
            case "TableCell" | "Paragraph" | "Heading":
                self.passage = Passage()
            case _:
                pass

    def span(self, name: str, detail: Any, start: int) -> None:
        if name in ("Link", "Image"):
            kind: MarkKind = "link" if name == "Link" else "image"
            self.inline(start).open_link(detail["dest_url"], start, kind)
        elif name == "Strikethrough":
            self.inline(start).add("~~", start, verbatim=False)

    def finish(self, value: Any, start: int, end: int) -> None:
        name = value if isinstance(value, str) else next(iter(value))
        if name in _SPANS:
            if name in ("Link", "Image"):
                self.inline(start).close_link(end - 1)
            elif name == "Strikethrough":
                self.inline(start).add("~~", end - 2, verbatim=False)
            return
        match name:
            case "Heading":
                self.heading(int(value["Heading"][1]), end)
            case "TableCell":
                self.cells.append(self.passage or Passage())
                self.passage = None
            case "TableHead":
                self.header, self.in_head = [c.text.strip() for c in self.cells], False
            case "TableRow":
                self.row(end)
            case "HtmlBlock":
                self.opaque.pop()
                self.html_block(start, end)
            case "CodeBlock":
                self.opaque.pop()
                self.outline.opaque.append((start, end, "a code block"))
            case "MetadataBlock":
                self.opaque.pop()
                self.metadata(start, end)
            case "FootnoteDefinition":
                self.flush(end)
                self.note = ""
            case _:
                self.flush(end)
        self.depth -= 1

    def flush(self, end: int) -> None:
        passage, self.passage = self.passage, None
        if passage is None or not passage.text.strip():
            return
        if self.note:
            self.outline.notes.setdefault(self.note, []).append(passage)
        form = Form.HIDDEN if self.html.hidden else Form.PROSE
        self.unit(passage, form, end)

    def unit(self, passage: Passage, form: Form, end: int, table: int = 0) -> None:
        self.outline.units.append(Unit(passage, form, self.section, self.block, table, end))

    def heading(self, level: int, end: int) -> None:
        passage, self.passage = self.passage or Passage(), None
        title = passage.text.strip()
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        if title.rstrip("*_`\"')").endswith((".", "!", "。")) and " " in title:
            self.unit(passage, Form.HEADING, end)
        else:
            self.outline.opaque.append((passage.source_start, end, "a heading"))
        self.headings.append((level, title))

    def row(self, end: int) -> None:
        joined = Passage()
        for index, cell in enumerate(self.cells):
            if not cell.text.strip():
                continue
            if joined.text:
                joined.add("; ", cell.source_start, verbatim=False)
            head = self.header[index] if index < len(self.header) else ""
            if head and len(self.cells) > 1:
                joined.add(f"{head}: ", cell.source_start, verbatim=False)
            joined.extend(cell)
        self.passage = None
        if joined.text:
            form = Form.HIDDEN if self.html.hidden else Form.ROW
            self.unit(joined, form, end, self.table)

    def html_block(self, start: int, end: int) -> None:
        text = self.source[start:end].decode(errors="replace")
        visible = Passage()
        for piece in self.html.feed(text):
            at = start + len(text[: piece.start].encode())
            if piece.hidden:
                self.comment(piece.text, at, at + len(piece.text.encode()))
                continue
            if piece.breaks:
                self.html_text(visible, at)
                visible = Passage()
            visible.add(piece.text, at)
        self.html_text(visible, end)

    def html_text(self, passage: Passage, end: int) -> None:
        if passage.text.strip():
            self.unit(passage, Form.HTML, end)

    def metadata(self, start: int, end: int) -> None:
        text = self.source[start:end].decode(errors="replace")
        self.outline = self.outline._replace(front_matter=(text, start))


def outline(source: bytes) -> Outline:
    """Parse a Markdown text; offsets are bytes of `source`, which must be valid UTF-8."""
    import pyromark

    options = (
        pyromark.Options.ENABLE_TABLES
        | pyromark.Options.ENABLE_FOOTNOTES
        | pyromark.Options.ENABLE_STRIKETHROUGH
        | pyromark.Options.ENABLE_TASKLISTS
        | pyromark.Options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    )
    events = pyromark.events_with_range(source.decode(), options=options)
    return Walker(source).walk(events)

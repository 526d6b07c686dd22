"""Splits Markdown into passages, from the events of the parser pulldown-cmark.

See docs/decisions/reading.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from grounded_ingest.extract.code_blocks import fence_of, prose_of
from grounded_ingest.extract.frames import Frames, Framing
from grounded_ingest.extract.hidden_text import HtmlPiece, HtmlReader, reads_as_prose, unescaped
from grounded_ingest.extract.passage import Draft, MarkKind, Passage
from grounded_ingest.extract.positions import Excerpt, Offsets
from grounded_ingest.model.claims import CODE_BLOCK, Form
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import asserts

_TARGET = compiled(
    r"<(?:(?i:a|img|source|video|audio)\b[^<>]*?\s(?i:href|src(?P<set>set)?)|"
    r"[A-Z][\w.]*\b[^<>]*?\s(?:href|to))\s*=\s*[\"'](?P<url>[^\"'<>]+)"
)
"""Matches the target of an HTML tag, or of a component in MDX, such as `<Card href="x">`. The `src`
of a component is left out: only its code knows the folder in which `src` begins."""
_COMMENT = compiled(r"(?s)<!--.*?(?:-->|\Z)", needs=("<!--",))
_IMPORT = compiled(
    r"(?:(?:import|export)\b[\w\s{},*$]*?\bfrom\s*|import\s*)"
    r"[\"'](?P<file>\.{1,2}/[^\"'?]+)[^\"']*[\"'];?\s*"
)
"""Matches an import of a file, with which an MDX page begins."""
# Struck text is kept as `~~text~~`, so that a struck reference counts as gone.
_STRUCK = compiled(r"(?i)</?(?:del|s|strike)\b")
_SPANS = frozenset(
    ("Link", "Image", "Emphasis", "Strong", "Strikethrough", "Superscript", "Subscript")
)
_FRAMING = frozenset(("BlockQuote", "List", "Item", "FootnoteDefinition", "Table"))
_CONTAINERS = frozenset(("BlockQuote", "List", "Item", "FootnoteDefinition"))
_EMPHASES = frozenset(("Strong", "Emphasis"))
_WORDS = 4
"""Minimum number of words in a hidden text that is read."""
HEADER = 300
"""Maximum number of characters of a column header that are put before each cell in the column."""


class PlacedPassage(Struct, frozen=True):
    """A passage and its place in a document. `section` are the headings above. `block` is the
    number of the top-level block around it, and `table` the number of its table, or 0. `note` is
    the label of the footnote around it, and `depth` counts the lists around it. `frame` is the key
    in `Frames` of the nearest text above, such as a parent item. If `bare` is true, the passage has
    no claim, and only its references are looked up."""

    passage: Passage
    form: Form
    section: str
    block: int
    table: int
    note: str
    depth: int
    frame: str
    bare: bool = False

    @property
    def start(self) -> int:
        """Returns the byte offset at which the passage begins."""
        return self.passage.pieces.start


class Comment(Struct, frozen=True):
    """A text that a rendered page does not show: an HTML comment (`marked`), or for example the
    title of a link. `end` is the byte offset at which the text ends."""

    text: Excerpt
    end: int
    section: str
    block: int
    marked: bool

    @property
    def start(self) -> int:
        """Returns the byte offset at which the hidden text begins."""
        return self.text.source(0)


class Outline(Struct, frozen=True):
    """The content of a Markdown document: its passages (`units`) and hidden texts (`comments`).
    `notes` maps the labels of footnotes to their passages, and `referenced` are the labels that the
    text refers to. `opaque` are the parts without claims, such as headings and code, as (start,
    end, description)."""

    units: list[PlacedPassage]
    comments: list[Comment]
    notes: dict[str, list[Passage]]
    referenced: set[str]
    opaque: list[tuple[int, int, str]]


class Walker:
    """Turns the events of the Markdown parser into an `Outline`, with a method for each kind of
    event. `draft` collects the visible text in a block, and `veiled` the hidden text."""

    def __init__(self, source: bytes, framing: Framing) -> None:
        self.source, self.framing = source, framing
        self.outline, self.html = Outline([], [], {}, set(), []), HtmlReader()
        self.headings: list[tuple[int, str]] = []
        self.emphasised = 0
        self.draft: Draft | None = None
        self.veiled: Draft | None = None
        self.depth = self.block = self.table = 0
        self.note = ""
        self.cells: list[Passage] = []
        self.header: list[str] = []
        self.form = Form.PROSE
        self.code_text: Excerpt | None = None
        self.html_text = Excerpt()
        self.cell_end = 0
        self.labels: set[str] = set()
        self.gaps: list[tuple[int, int]] = []

    @property
    def section(self) -> str:
        """Returns the headings above the current block, joined by ` > `."""
        return " > ".join(title for _, title in self.headings)

    def walk(self, events: Any) -> Outline:
        """Handles all events of the parser, and returns the outline of the document."""
        handlers: dict[str, Callable[[Any, int, int], None]] = {
            "Text": self.text,
            "Code": lambda value, start, end: self.inline().code(value, start, end),
            "InlineHtml": self.inline_html,
            "Html": lambda value, start, _: self.html_text.add(value, start),
            "FootnoteReference": self.footnote,
            "TaskListMarker": lambda done, *_: self.framing.check_box(done=done is True),
            "Start": self.start,
            "End": self.finish,
        }
        reached = 0
        for event, at in events:
            start, end = at["start"], at["end"]
            if event.__class__ is str:
                if event.endswith("Break"):
                    self.inline().add(" ", start, verbatim=False)
                else:
                    self.framing.end_labels()  # a horizontal rule ends labels
                continue
            for name, value in event.items():
                if name != "End" and (name != "Start" or _name(value) not in _CONTAINERS):
                    if start > reached + 3:
                        self.gaps.append((reached, start))
                    if end > reached:
                        reached = end
                if handler := handlers.get(name):
                    handler(value, start, end)
        self.flush()
        self.gaps.append((reached, len(self.source)))
        self.definitions()
        return self.outline

    def inline(self) -> Draft:
        """Returns the `Draft` for the current text: `veiled` in hidden HTML, else `draft`."""
        if self.html.hidden:
            if self.veiled is None:
                self.veiled = Draft()
            return self.veiled
        if self.draft is None:
            self.draft = Draft()
        return self.draft

    def text(self, text: str, start: int, end: int) -> None:
        if self.code_text is not None:
            self.code_text.add(text, start)
        else:
            self.inline().add(text, start, verbatim=self.source[start:end] == text.encode())

    def footnote(self, label: str, start: int, end: int) -> None:  # noqa: ARG002
        self.outline.referenced.add(label)
        self.inline().footnote(label, start)

    def target(self, url: str, label: str, start: int) -> None:
        """Adds the target of an image, an HTML tag or an import, as a link outside of passages."""
        if not url.strip("#") or url.startswith("data:"):
            return
        draft = Draft()
        draft.open_link(url, start, "link")
        draft.add(label or url.rpartition("/")[2] or url, start, verbatim=False)
        draft.close_link(start)
        self.unit(draft.passage, Form.PROSE, bare=True)

    def tag_targets(self, tags: Excerpt) -> None:
        """Adds the links and images in HTML tags outside of comments."""
        size = Offsets(tags.text)
        for m in _TARGET.finditer(_COMMENT.sub(lambda c: " " * len(c[0]), tags.text)):
            start = tags.source(size(m.start("url")))
            # `srcset` lists images, each with a width or density: `a.png 1x, b.png 2x`.
            urls = [part.split()[0] for part in m["url"].split(", ")] if m["set"] else [m["url"]]
            for url in urls:
                self.target(unescaped(url), "", start)

    def imports(self, text: str, start: int) -> None:
        """Adds a link for each file that an `import` statement in an MDX paragraph names."""
        at = 0
        while m := _IMPORT.match(text, at):
            self.target(m["file"], "", start)
            at = m.end()

    def inline_html(self, value: str, start: int, end: int) -> None:  # noqa: ARG002
        self.tag_targets(Excerpt(value, start))
        if value.lower().startswith("<br"):
            self.inline().add(" ", start, verbatim=False)
        elif _STRUCK.match(value):
            self.inline().add("~~", start, verbatim=False)
        size = Offsets(value)
        for piece in self.html.feed(value):
            self.hide(piece.text, start + size(piece.start), marked=piece.comment)

    def hide(self, text: str, start: int, *, marked: bool = False) -> None:
        """Records a text that the rendered page does not show, such as a comment.
        `start` is the byte offset of the text. `marked` is true if the text is an HTML comment."""
        self.comment(Excerpt(text, start), marked=marked)

    def comment(self, text: Excerpt, *, marked: bool = False) -> None:
        end = text.source(max(text.length - 1, 0))
        self.outline.comments.append(Comment(text, end, self.section, self.block, marked))

    def start(self, value: Any, start: int, end: int) -> None:
        name, detail = (value, None) if isinstance(value, str) else next(iter(value.items()))
        if name in _SPANS:
            self.span(name, detail, start, end)
            return
        if name != "TableCell":
            self.flush()
        if self.depth == 0:
            self.block += 1
        self.depth += 1
        if name in _FRAMING:
            self.framing.open(name)
        match name:
            case "CodeBlock":
                self.framing.break_lead()
                self.code_text, self.language = Excerpt(), fence_of(detail)
            case "HtmlBlock":
                self.html_text = Excerpt()
            case "FootnoteDefinition":
                self.note = str(detail)
            case "Table":
                self.table += 1
            case "TableHead" | "TableRow":
                self.cells, self.form = [], Form.ROW
            case _:
                pass

    def span(self, name: str, detail: Any, start: int, end: int) -> None:
        """Handles the parser's event that an emphasis, struck text, a link or an image begins.
        `name` and `detail` come from the parser, and `start` and `end` are byte offsets."""
        if name == "Strikethrough":
            self.inline().add("~~", start, verbatim=False)
        if name in _EMPHASES:
            self.emphasised += bool(self.emphasised) or self.inline().barely_begun
        if name not in ("Link", "Image"):
            return
        kind: MarkKind = "link" if name == "Link" else "image"
        self.inline().open_link(detail["dest_url"], start, kind)
        title: str = detail["title"]
        if detail["id"]:
            self.labels.add(" ".join(detail["id"].lower().split()))
        elif len(title.split()) >= _WORDS:
            self.hide(title, max(self.source.find(title.encode(), start, end), start))

    def finish(self, value: Any, start: int, end: int) -> None:
        name = _name(value)
        if name in _SPANS:
            self.finish_span(name, start, end)
            return
        match name:
            case "Heading":
                self.heading(int(value["Heading"][1]), start, end)
            case "TableCell":
                self.cell(end)
            case "TableHead":
                self.table_head(start, end)
            case "TableRow":
                self.row(end)
            case "HtmlBlock":
                self.html_block()
            case "CodeBlock":
                self.code_block(start, end)
            case "FootnoteDefinition":
                self.flush()
                self.note = ""
            case _:
                self.flush()
        if name in _FRAMING:
            self.framing.close()
        self.depth -= 1

    def finish_span(self, name: str, start: int, end: int) -> None:
        draft = self.inline()
        if name == "Strikethrough":
            draft.add("~~", end - 2, verbatim=False)
        elif name in _EMPHASES and self.emphasised:
            self.emphasised -= 1
            draft.run_in()
        elif name in ("Link", "Image"):
            draft.close_link(end - 1)
        if name == "Image" and draft.marks:
            label = draft.marks[-1].label
            self.target(draft.marks[-1].target, label, start)
            if len(label.split()) >= _WORDS:
                self.hide(label, start + 2)

    def flush(self) -> None:
        """Ends the current block, and adds its visible and hidden text as passages."""
        for draft, form in ((self.draft, Form.PROSE), (self.veiled, Form.HIDDEN)):
            if draft is not None and not draft.blank:
                passage = draft.passage
                if passage.text.startswith(("import ", "export ")):
                    self.imports(passage.text, passage.pieces.start)
                if self.note:
                    self.outline.notes.setdefault(self.note, []).append(passage)
                self.unit(passage, form)
        self.draft = self.veiled = None

    def unit(self, passage: Passage, form: Form, table: int = 0, *, bare: bool = False) -> None:
        """Adds a passage to the outline, with its headings, and with the nearest text above it as
        its frame."""
        where = (self.section, self.block, table, self.note, self.depth // 2, self.framing.inner)
        self.outline.units.append(PlacedPassage(passage, form, *where, bare))
        if bare:
            return
        if form in (Form.PROSE, Form.HTML) and passage.speaks:
            self.framing.paragraph_end(passage.text.strip())

    def heading(self, level: int, start: int, end: int) -> None:
        draft, self.draft = self.draft or Draft(), None
        passage = draft.passage
        title = passage.text.strip()
        self.framing.end_labels()
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        if states_something(title):
            self.unit(passage, Form.HEADING)
        elif any(mark.kind in ("link", "code") for mark in passage.marks):
            self.unit(passage, Form.HEADING, bare=True)
        else:
            self.outline.opaque.append((start, end, "a heading"))
        self.flush()
        self.headings.append((level, title))

    def cell(self, end: int) -> None:
        """Ends a table cell. If a cell has only hidden text, the whole row becomes hidden."""
        self.cell_end = end
        seen, veiled = self.draft or Draft(), self.veiled
        self.draft = self.veiled = None
        if veiled is not None and not veiled.blank:
            if seen.blank:
                seen, self.form = veiled, Form.HIDDEN
            else:
                self.unit(veiled.passage, Form.HIDDEN)
        self.cells.append(seen.passage)

    def table_head(self, start: int, end: int) -> None:
        self.header = [c.text.strip() for c in self.cells]
        self.framing.header(" | ".join(self.header).strip(" |"))
        self.outline.opaque.append((start, end, "a table header"))
        for cell in self.cells:
            if states := states_something(cell.text.strip()) or cell.marks:
                self.unit(cell, Form.HEADING, bare=states is not True)

    def row(self, end: int) -> None:
        # A rendered page shows no more cells than the header has.
        surplus = self.source[self.cell_end : end].strip(b"| \t\r\n").decode()
        if surplus:
            self.hide(surplus, self.source.index(surplus.encode(), self.cell_end, end))
        joined = joined_row(self.cells, self.header)
        if joined.text.strip():
            self.unit(joined, self.form, self.table)

    def code_block(self, start: int, end: int) -> None:
        text, self.code_text = self.code_text, None
        prose = prose_of(text) if text is not None else []
        if reads_as_prose(self.language):
            at = self.source.find(self.language.encode(), start, end)
            self.hide(self.language, max(at, start))
        for passage in prose:
            self.unit(passage, Form.PROSE)
        self.outline.opaque.extend([] if prose else [(start, end, CODE_BLOCK)])

    def html_block(self) -> None:
        """Adds the visible and hidden texts in an HTML block."""
        block, self.html_text = self.html_text, Excerpt()
        self.tag_targets(block)
        visible = Draft()
        for piece, part in html_pieces(block, self.html):
            if piece.breaks or piece.hidden:
                self.html_unit(visible)
                visible = Draft()
            if piece.hidden:
                self.comment(part, marked=piece.comment)
            elif piece.code:
                prose = prose_of(part)
                for passage in prose:
                    self.unit(passage, Form.HTML)
                code = (part.source(0), part.source(part.length - 1), "code")
                self.outline.opaque.extend([] if prose else [code])
            else:
                for line, source in part.parts:
                    visible.add(unescaped(line), source, verbatim="&" not in line)
        self.html_unit(visible)

    def html_unit(self, draft: Draft) -> None:
        if not draft.blank:
            self.unit(draft.passage, Form.HTML)

    def definitions(self) -> None:
        """Adds the hidden texts in link definitions: titles and unused labels. The parser gives no
        events for link definitions, so the gaps between events are searched for them."""
        for start, end in self.gaps:
            if self.source.find(b"]:", start, end) < 0:
                continue
            text = self.source[start:end].decode(errors="replace").replace("\r", "\n")
            size = Offsets(text)
            for m in _DEFINITION.finditer(text):
                if m["label"].startswith("^"):
                    continue
                if " ".join(m["label"].lower().split()) not in self.labels:
                    self.hide_words(m["label"], start + size(m.start("label")))
                for title in filter(m.group, ("a", "b", "c")):
                    self.hide_words(m[title], start + size(m.start(title)))

    def hide_words(self, text: str, start: int) -> None:
        """Adds a text as hidden text if it has at least four words. Ignores a shorter text."""
        if len(text.split()) >= _WORDS:
            self.hide(text, start)


def _name(value: Any) -> str:
    return value if isinstance(value, str) else str(next(iter(value)))


def outline(source: bytes, frames: Frames, under: str = "") -> Outline:
    """Returns the passages, hidden texts and footnotes of a Markdown text. `source` must be valid
    UTF-8, and offsets are bytes. Stores in `frames` the texts that give each passage its context.
    `under` is the digest of a frame above the whole text, or empty."""
    import pyromark  # imported late, because unchanged documents come from the index

    options = (
        pyromark.Options.ENABLE_TABLES
        | pyromark.Options.ENABLE_FOOTNOTES
        | pyromark.Options.ENABLE_STRIKETHROUGH
        | pyromark.Options.ENABLE_TASKLISTS
        | pyromark.Options.ENABLE_GFM
    )
    events = pyromark.events_with_range(source.decode(), options=options)
    return Walker(source, Framing(frames, under)).walk(events)


# Matches a link definition `[label]: target "title"`.
_DEFINITION = compiled(
    r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999})\]:[ \t]*\n?[ \t>]*(?:<[^<>\n]*>|[^\s<]\S*)?+"
    r"(?:[ \t]*\n?[ \t>]*(?:\"(?P<a>(?:[^\"\\]|\\.)*+)\"|'(?P<b>(?:[^'\\]|\\.)*+)'|"
    r"\((?P<c>(?:[^()\\]|\\.)*+)\)))?",
)


def joined_row(cells: list[Passage], header: list[str]) -> Passage:
    """Returns a table row as a passage `Header: cell; Header: cell`."""
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
    """Yields the pieces of an HTML block, each with an excerpt that maps it to the source."""
    size = Offsets(block.text)
    for piece in html.feed(block.text):
        part, at = Excerpt(), size(piece.start)
        for line in piece.text.splitlines(keepends=True):
            part.add(line, block.source(at))
            at += len(line.encode())
        yield piece, part


def states_something(title: str) -> bool:
    """Returns whether a heading is a claim, such as "The cache is off by default.", and not only a
    title."""
    bare = title.rstrip("*_`\"')")
    if bare.endswith((".", "!", "。", "！")):
        return " " in bare or not bare.isascii()
    return asserts(title)

"""Reads the passages, front matter, comments and imports in a Markdown document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.extract.claims import UNJUDGED, Collector, add_excerpt, footnote_of
from grounded_ingest.extract.hidden_text import ignore_comment
from grounded_ingest.extract.markdown import Comment, Outline, PlacedPassage, outline
from grounded_ingest.extract.passage import Draft, Passage
from grounded_ingest.extract.positions import LineIndex, Offsets
from grounded_ingest.extract.reference_cues import Surroundings, describes_elsewhere
from grounded_ingest.extract.value_tree import (
    FieldError,
    Mapping,
    TextValue,
    read_yaml,
    record_fields,
    texts,
    wordy_name,
    yaml_notes,
)
from grounded_ingest.model.claims import Around, DocClass, Extraction, Form, Tier
from grounded_ingest.text.dated_paths import is_kept_as_record, is_snapshot
from grounded_ingest.text.patterns import compiled

# Matches imports such as `@docs/x.md` and `@~/x`. Agents load the imported files.
_IMPORT = compiled(r"(?:^|(?<=[\s(]))@((?:~?\.{0,2}/)?[\w][\w.-]*(?:/[\w.-]+)*)")
# Matches a comment that is a directive and not prose: a tool, its command and names of rules.
_DIRECTIVE = compiled(
    r"\s*+(?:[\w.:]|-(?!\s))++(?:[-\s]+(?:disable|enable|ignore|start|end|begin|next-line|off|on))?"
    r"(?:\s+(?:[A-Z]+\d+|[\w@]+(?:[-/.:][\w.*]+)+|\*),?){0,12}\s*",
    re.IGNORECASE,
)
# Matches a marker for a generator: `<!-- BEGIN_TF_DOCS -->`.
_MARKER = compiled(r"\s*(?:BEGIN|END|START|STOP)(?:[ _:-][A-Z][A-Z\d_:-]*)+(?:\s+\w+:\S+)*\s*$")


HEAD = 8
"""Maximum number of passages in the head of a document: the text before the second heading."""


class MarkdownReader:
    """Reads a Markdown document and collects its claims. All claims get `fields`. `shift` is the
    byte offset at which the text begins, after the front matter."""

    def __init__(self, source: bytes, doc_class: DocClass, role: str, shift: int) -> None:
        self.memory = doc_class is DocClass.MEMORY
        other = doc_class is DocClass.OTHER
        lines = self.lines = LineIndex(source)
        self.shift = shift

        def position(offset: int) -> tuple[int, int]:
            return lines.position(offset + shift)

        # `position` is a closure and not a method. With a method, reader and collector would refer
        # to each other, and both would stay in memory.
        self.position = position
        self.collector = Collector(position, wary=self.memory, role=role, other=other)
        self.fields: dict[str, Any] = {}
        self.head: list[Passage] = []
        self.front = ""

    @cached_property
    def of_all(self) -> frozenset[Around]:
        """Returns what the beginning of the document says about all its references: `foreign` if it
        describes another repository, `gone` if it is a historical record."""
        found: set[Around] = {"foreign"} if describes_elsewhere(self.head) else set()
        return frozenset(found | ({"gone"} if self.recorded else set()))

    @cached_property
    def recorded(self) -> bool:
        """Returns whether the document calls itself a record of the past, such as a snapshot."""
        return is_snapshot(self.front) or is_kept_as_record(p.text for p in self.head)

    def line(self, offset: int) -> int:
        """Returns the line in the document for a byte offset in the parsed text."""
        return self.lines.line(offset + self.shift)

    def read(self, parsed: Outline) -> None:
        """Adds the claims in a parsed document to the collector."""
        frames = self.collector.frames
        notes = {
            label: footnote_of(label, passages, frames) for label, passages in parsed.notes.items()
        }
        # The passages before the second heading describe the whole document.
        first = parsed.units[0].section if parsed.units else ""
        units = takewhile(lambda unit: unit.section == first, parsed.units[:HEAD])
        self.head = [unit.passage for unit in units]
        parts: list[PlacedPassage | Comment] = [*parsed.units, *parsed.comments]
        for part in sorted(parts, key=lambda p: p.start):
            if isinstance(part, Comment):
                self._comment(part)
            else:
                unseen = part.note and part.note not in parsed.referenced
                self._unit(part, Form.HIDDEN if unseen else part.form, notes)
        for start, end, what in parsed.opaque:
            self.collector.skip(self.line(start), self.line(max(start, end - 1)), what)

    def _unit(self, unit: PlacedPassage, form: Form, notes: dict[str, Any]) -> None:
        passage = unit.passage
        if form is Form.HIDDEN and not self.memory:
            last = passage.pieces.source(len(passage.text))
            self.collector.skip(self.line(unit.start), self.line(last), UNJUDGED)
            return
        fields = {**self.fields, "section": unit.section, "block": unit.block}
        fields |= {"form": form, "table": unit.table, "depth": unit.depth}
        fields |= {"context": unit.frame, "recorded": self.recorded}
        known = self.collector.frames.known
        around = Surroundings(unit.section, known, unit.frame, lambda: self.of_all)
        self.collector.passage(passage, fields, notes=notes, around=around, bare=unit.bare)
        if self.memory and not unit.bare and "@" in passage.masked:
            self.collector.imports += (m[1].rstrip(".") for m in _IMPORT.finditer(passage.masked))

    def _comment(self, comment: Comment) -> None:
        text, first, last = comment.text.text, self.line(comment.start), self.line(comment.end)
        if comment.marked:
            if ignore := ignore_comment(text, last):
                self.collector.ignores.append(replace(ignore, alone=self._is_alone(comment)))
                return
            if text.lstrip().startswith("grounded:"):
                message = 'the comment is not understood; write `grounded: ignore[rule] reason="…"`'
                self.collector.problem(first, "unused-ignore", message)
        if not text.strip():
            return
        if not self.memory:
            self.collector.skip(first, last, UNJUDGED)
        elif comment.marked and (_DIRECTIVE.fullmatch(text) or _MARKER.match(text)):
            self.collector.skip(first, last, "a directive in a comment")
        else:
            fields = {"section": comment.section, "block": comment.block, "form": Form.HIDDEN}
            add_excerpt(self.collector, comment.text, {**self.fields, **fields}, self.position)

    def _is_alone(self, comment: Comment) -> bool:
        lines, start, end = self.lines, comment.start + self.shift, comment.end + self.shift
        before = lines.source[lines.offset(self.line(comment.start)) : start]
        behind = lines.source[end : lines.offset(self.line(comment.end) + 1)]
        return before.strip() == b"<!--" and behind.strip() in (b"-->", b"")


def extract_markdown(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Returns the claims in a Markdown document. `source` must be valid UTF-8."""
    mark = 3 if source.startswith(b"\xef\xbb\xbf") else 0
    front = front_matter(source[mark:])
    shift = mark + (front.end if front else 0)
    reading = MarkdownReader(source, doc_class, role, shift)
    if front:
        collector = reading.collector
        reading.fields = front.fields
        reading.front = source[mark:shift].decode(errors="replace")
        if front.problem and doc_class is not DocClass.OTHER:
            # Broken front matter is only a warning, because agents accept front matter that is not
            # valid YAML. In other documents, such as templates of pull requests, nothing reads it.
            line = reading.line(front.at - front.end)
            collector.problem(line, "broken-record", front.problem, Tier.REVIEW)
        if front.named and reading.memory:
            collector.problem(reading.line(-shift), *wordy_name(front.named))
        collector.skip(reading.line(-shift), reading.line(-1), "front matter")

        def place(offset: int) -> tuple[int, int]:
            return reading.position(offset - front.end)

        for passage, key in front.statements:
            fields = {**front.fields, "section": key, "block": 0, "form": Form.METADATA}
            collector.passage(passage, fields, locate=place)
    text = source[shift:]
    for start, end in [] if reading.memory else _captures(text):  # agents read a template's source
        reading.collector.skip(reading.line(start), reading.line(end), "code of a template")
        text = text[:start] + re.sub(rb"[^\n]", b" ", text[start:end]) + text[end:]
    if not reading.memory and b"{" in text:
        text = _TAG_LINE.sub(lambda m: b" " * len(m[0]), text)
    reading.read(outline(text, reading.collector.frames))
    return reading.collector.found


_TAG = re.compile(
    rb"\{%-?[ \t]*(?:(?P<opened>set|capture|highlight|comment)[^=%\n]*"
    rb"|end(?P<closed>\w+)[ \t]*)-?%\}"
)
"""Matches a tag of Liquid, Nunjucks or Jinja that begins or ends a block of code."""


_TAG_LINE = re.compile(rb"(?m)^[ \t]*(?:\{\{[<%][^\n{}]*[%>]\}\}|\{%[^\n{}]*%\})[ \t]*$")
"""Matches a line with only a tag of Hugo, Liquid or Jinja, which is no part of the sentence below:
`{{% note %}}`."""


def _captures(text: bytes) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each block that a template stores, highlights or leaves out."""
    name, start = b"", 0
    for tag in _TAG.finditer(text) if b"{%" in text else ():
        if not name and tag["opened"]:
            name, start = tag["opened"], tag.start()
        elif name and tag["closed"] == name:
            yield start, tag.end()
            name = b""


_BLOCK = re.compile(
    rb"---[ \t]*+(?>\r\n|\n|\r)(?P<body>(?:[^\r\n]*+(?>\r\n|\n|\r))*?)(?:---|\.\.\.)[ \t]*+"
    rb"(?>\r\n|\n|\r|\Z)"
)
# Matches an unquoted file pattern in rule files for agents: `globs: *.py`. YAML would read `*.py`
# as an alias.
_GLOB = compiled(r"(?m)^([\w-]+:)[ \t]+\*[^\n]*")
# The description of an agent may contain `: ` without quotes, as Claude Code writes it.
_DESCRIPTION = compiled(r"(?m)^(description:)[ \t]+(?![|>'\"])[^\n]*")
_KEY = compiled(r"^(?P<key>[\w-]+):(?:[ \t]+(?P<value>[^\r\n]*))?", re.MULTILINE)
_NOTE = compiled(r"^[ \t]*#+[ \t]*(?P<value>[^\r\n]+)", re.MULTILINE)
_WORDS = 4


class FrontMatter(Struct, frozen=True):
    """The YAML front matter of a document, up to byte offset `end`. `fields` are the claim fields
    that it declares, and `statements` are pairs (text that states something, its YAML key).
    `problem` says why it cannot be read, at byte offset `at`. `named` is the first YAML anchor
    (`&name`) or tag (`!name`) with a name of several words, which can hide a sentence."""

    end: int
    fields: dict[str, Any]
    statements: list[tuple[Passage, str]]
    problem: str = ""
    at: int = 0
    named: str = ""


def front_matter(source: bytes) -> FrontMatter | None:
    """Returns the front matter of a document, or None if the document has no front matter.

    `source` must not begin with a byte order mark."""
    if not source.startswith(b"---") or not (found := _BLOCK.match(source)):
        return None
    text = source[: found.end("body")].decode()
    start = len(source[: found.start("body")].decode())
    body = text[start:]
    problem, at, fields = "", 0, {}
    try:
        record = read_yaml(body)
    except FieldError as error:
        record = _lenient(body)
        if not _is_yaml(_DESCRIPTION.sub(r"\1 ''", _GLOB.sub(r"\1 ''", body))):
            problem, at = f"front matter: {error}", start + error.offset
    if not isinstance(record, Mapping):
        return None if body.strip() else FrontMatter(found.end(), {}, [])
    if problem and not record:
        return None
    try:
        fields = record_fields(record)
    except FieldError as error:
        problem = f"front matter: {error}"
    offsets = Offsets(text)
    statements = [
        (_passage(value, text, start + value.at, offsets), key)
        for key, value in _statements(record, body)
    ]
    named = "" if problem else _named_text(body)
    return FrontMatter(found.end(), fields, statements, problem, offsets(at), named)


def _named_text(body: str) -> str:
    if "&" not in body and "!" not in body:
        return ""
    return next((note.lines[0] for note in yaml_notes(body) if note.named), "")


def _is_yaml(body: str) -> bool:
    try:
        read_yaml(body)
    except FieldError:
        return False
    return True


def _lenient(body: str) -> Mapping:
    """Returns the keys and values of front matter that is not valid YAML, such as `globs: *.py`,
    read line by line."""
    record = Mapping(0)
    for m in _KEY.finditer(body):
        record.put(m["key"], TextValue.placed(m["value"] or "", max(m.start("value"), 0)))
    return record


def _statements(record: Mapping, body: str) -> Iterator[tuple[str, TextValue]]:
    for key, value in texts(record):
        if len(value.split()) >= _WORDS:
            yield key, value
    for m in _NOTE.finditer(body):
        if len(m["value"].split()) >= _WORDS:
            yield "#", TextValue.placed(m["value"], m.start("value"))


def _passage(value: TextValue, text: str, at: int, offsets: Offsets) -> Passage:
    at += text[at : at + 1] in ("'", '"') and not value.startswith(text[at : at + 1])
    draft = Draft()
    draft.add(value, offsets(at), verbatim=text.startswith(value, at))
    return draft.passage

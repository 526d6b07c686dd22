"""A Markdown document to claims: its passages, front matter, comments, imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from typing import Any

from msgspec import Struct

from grounded_ingest.extract.blocks import Comment, Outline, PlacedPassage
from grounded_ingest.extract.claims import Collector, note_of
from grounded_ingest.extract.hidden_text import ignore_comment
from grounded_ingest.extract.inner_markdown import UNJUDGED, take_in
from grounded_ingest.extract.markdown import outline
from grounded_ingest.extract.passage import Draft, Passage
from grounded_ingest.extract.positions import LineIndex, Offsets
from grounded_ingest.extract.surroundings import Surroundings, of_elsewhere
from grounded_ingest.extract.value_tree import (
    FieldError,
    Mapping,
    TextValue,
    read_yaml,
    record_fields,
    texts,
)
from grounded_ingest.model.claims import Around, DocClass, Extraction, Form, Tier
from grounded_ingest.text.dated_paths import is_kept_as_record, is_snapshot
from grounded_ingest.text.patterns import compiled

_IMPORT = compiled(r"(?:^|(?<=[\s(]))@((?:~?\.{0,2}/)?[\w][\w.-]*(?:/[\w.-]+)*)")
# A tool's name, its command, and rules by name: nothing that speaks to a reader.
_DIRECTIVE = compiled(
    r"\s*+(?:[\w.:]|-(?!\s))++(?:[-\s]+(?:disable|enable|ignore|start|end|begin|next-line|off|on))?"
    r"(?:\s+(?:[A-Z]+\d+|[\w@]+(?:[-/.:][\w.*]+)+|\*),?){0,12}\s*",
    re.IGNORECASE,
)
_MARKER = compiled(r"\s*(?:BEGIN|END|START|STOP)(?:[ _:-][A-Z][A-Z\d_:-]*)+(?:\s+\w+:\S+)*\s*$")


HEAD = 8
"""Passages of a document that may stand at its head."""


class MarkdownReader:
    """One Markdown text being taken in; `fields` hold for all its claims, `shift` is where the
    parsed text begins."""

    def __init__(self, source: bytes, doc_class: DocClass, role: str, shift: int) -> None:
        self.memory = doc_class is DocClass.MEMORY
        other = doc_class is DocClass.OTHER
        lines = self.lines = LineIndex(source)
        self.shift = shift

        def position(offset: int) -> tuple[int, int]:
            return lines.position(offset + shift)

        # No method of this: text and reader would hold each other until garbage is collected.
        self.position = position
        self.collector = Collector(position, wary=self.memory, role=role, other=other)
        self.fields: dict[str, Any] = {}
        self.head: list[Passage] = []
        self.front = ""

    @cached_property
    def said_of_all(self) -> frozenset[Around]:
        """What the head of the document suggests of all that it cites."""
        said: set[Around] = {"foreign"} if of_elsewhere(self.head) else set()
        return frozenset(said | ({"gone"} if self.recorded else set()))

    @cached_property
    def recorded(self) -> bool:
        return is_snapshot(self.front) or is_kept_as_record(p.text for p in self.head)

    def line(self, offset: int) -> int:
        return self.lines.line(offset + self.shift)

    def outline(self, parsed: Outline) -> None:
        frames = self.collector.frames
        notes = {
            label: note_of(label, passages, frames) for label, passages in parsed.notes.items()
        }
        self.head = head_of(parsed.units)
        parts: list[PlacedPassage | Comment] = [*parsed.units, *parsed.comments]
        for part in sorted(parts, key=lambda p: p.start):
            if isinstance(part, Comment):
                self.comment(part)
            else:
                unseen = part.note and part.note not in parsed.referenced
                self.unit(part, Form.HIDDEN if unseen else part.form, notes)
        for start, end, what in parsed.opaque:
            self.collector.skip(self.line(start), self.line(max(start, end - 1)), what)

    def unit(self, unit: PlacedPassage, form: Form, notes: dict[str, Any]) -> None:
        passage = unit.passage
        if form is Form.HIDDEN and not self.memory:
            last = passage.pieces.source(len(passage.text))
            self.collector.skip(self.line(unit.start), self.line(last), UNJUDGED)
            return
        fields = {**self.fields, "section": unit.section, "block": unit.block}
        fields |= {"form": form, "table": unit.table, "depth": unit.depth}
        fields |= {"context": unit.frame, "doubt": unit.doubt, "recorded": self.recorded}
        known = self.collector.frames.known
        around = Surroundings(unit.section, known, unit.frame, lambda: self.said_of_all)
        self.collector.passage(passage, fields, notes=notes, around=around, bare=unit.bare)
        if self.memory and not unit.bare and "@" in passage.masked:
            self.collector.imports += (m[1].rstrip(".") for m in _IMPORT.finditer(passage.masked))

    def comment(self, comment: Comment) -> None:
        text, first, last = comment.text.text, self.line(comment.start), self.line(comment.end)
        if comment.marked:
            if ignore := ignore_comment(text, last):
                self.collector.ignores.append(ignore)
                return
            if text.lstrip().startswith("grounded:"):
                message = 'not understood; write: grounded: ignore[rule] reason="…"'
                self.collector.problem(first, "unused-ignore", message)
        if not text.strip():
            return
        if not self.memory:
            self.collector.skip(first, last, UNJUDGED)
        elif comment.marked and (_DIRECTIVE.fullmatch(text) or _MARKER.match(text)):
            self.collector.skip(first, last, "a directive in a comment")
        else:
            fields = {"section": comment.section, "block": comment.block, "form": Form.HIDDEN}
            take_in(self.collector, comment.text, {**self.fields, **fields}, self.position)


def head_of(units: list[PlacedPassage]) -> list[Passage]:
    """What stands before the second heading: it speaks of the whole document."""
    first = units[0].section if units else ""
    return [u.passage for u in takewhile(lambda u: u.section == first, units[:HEAD])]


def extract_markdown(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Claims of a Markdown text that is valid UTF-8."""
    mark = 3 if source.startswith(b"\xef\xbb\xbf") else 0
    front = split_front_matter(source[mark:])
    shift = mark + (front.end if front else 0)
    reading = MarkdownReader(source, doc_class, role, shift)
    if front:
        collector = reading.collector
        reading.fields = front.fields
        reading.front = source[mark:shift].decode(errors="replace")
        if front.problem:
            # A warning: agents' programs read what no parser of YAML takes.
            line = reading.line(front.at - front.end)
            collector.problem(line, "broken-record", front.problem, Tier.REVIEW)
        if front.named and reading.memory:
            from grounded_ingest.extract.yaml_notes import wordy_name

            collector.problem(reading.line(-shift), *wordy_name(front.named))
        collector.skip(reading.line(-shift), reading.line(-1), "front matter")

        def place(offset: int) -> tuple[int, int]:
            return reading.position(offset - front.end)

        for passage, key in front.statements:
            fields = {**front.fields, "section": key, "block": 0, "form": Form.METADATA}
            collector.passage(passage, fields, locate=place)
    reading.outline(outline(source[shift:], reading.collector.frames))
    return reading.collector.found


_BLOCK = re.compile(
    rb"---[ \t]*+(?>\r\n|\n|\r)(?P<body>(?:[^\r\n]*+(?>\r\n|\n|\r))*?)(?:---|\.\.\.)[ \t]*+"
    rb"(?>\r\n|\n|\r|\Z)"
)
# Agents' rules name files by patterns that stand there bare, which YAML takes for an alias.
_GLOB = compiled(r"(?m)^([\w-]+:)[ \t]+\*[^\n]*")
_KEY = compiled(r"^(?P<key>[\w-]+):(?:[ \t]+(?P<value>[^\r\n]*))?", re.MULTILINE)
_NOTE = compiled(r"^[ \t]*#+[ \t]*(?P<value>[^\r\n]+)", re.MULTILINE)
_WORDS = 4


class FrontMatter(Struct, frozen=True):
    """`end` is where the document's text begins, `statements` are (passage, key); offsets in bytes.
    `problem` says what could not be read, at byte `at`; `named` is an anchor or tag that holds
    words."""

    end: int
    fields: dict[str, Any]
    statements: list[tuple[Passage, str]]
    problem: str = ""
    at: int = 0
    named: str = ""


def split_front_matter(source: bytes) -> FrontMatter | None:
    """The front matter of a document without byte order mark, None where it has none."""
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
        if not _reads(_GLOB.sub(r"\1 ''", body)):
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
    named = "" if problem else _wordy_name(body)
    return FrontMatter(found.end(), fields, statements, problem, offsets(at), named)


def _wordy_name(body: str) -> str:
    if "&" not in body and "!" not in body:
        return ""
    from grounded_ingest.extract.yaml_notes import yaml_notes

    return next((note.lines[0] for note in yaml_notes(body) if note.named), "")


def _reads(body: str) -> bool:
    try:
        read_yaml(body)
    except FieldError:
        return False
    return True


def _lenient(body: str) -> Mapping:
    """Key and value of each line, for what is no YAML (`globs: *.py`)."""
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

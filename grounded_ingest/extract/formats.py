"""Other formats of text in memory places: agents read them as they stand, so they are read here.

Markup and tables as such, TOML by its values and comments, everything else by paragraphs."""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from grounded_ingest.extract.claims import Collector
from grounded_ingest.extract.frames import Framing
from grounded_ingest.extract.hidden_text import reads_as_prose
from grounded_ingest.extract.inner_markdown import take_in
from grounded_ingest.extract.markdown import Walker
from grounded_ingest.extract.markdown_document import MarkdownReader
from grounded_ingest.extract.positions import Excerpt, LineIndex, Offsets
from grounded_ingest.extract.records import RecordReader
from grounded_ingest.extract.unreadable import unread
from grounded_ingest.extract.value_tree import Mapping, TextValue
from grounded_ingest.model.claims import DocClass, Extraction, Form
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import asserts
from grounded_ingest.text.toml_text import TomlError, load_toml

_LINE = compiled(r"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+")
_MARKS = " \t>#;%"
"""What comments and headings of plain formats begin with."""
_WORDY = compiled(r"[^\W_]")
_SETTING = compiled(r"[ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=")
_WORD = compiled(r"[^\W\d_]{2,}")
_WORDS = 3
_NEAR = 1 << 14
"""Characters within which the next text of a document is looked for."""
_COMMENT = compiled(r"(?:^|(?<=\s))#+[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE)


def extract_markup(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """The texts between the tags of HTML or XML, comments and telling attributes as hidden ones."""
    mark = 3 if source.startswith(b"\xef\xbb\xbf") else 0
    reading = MarkdownReader(source, doc_class, role, mark)
    walker = Walker(source[mark:], Framing(reading.collector.frames))
    walker.html_text.add(source[mark:].decode(), 0)
    walker.html_block()
    reading.outline(walker.outline)
    return reading.collector.found


def extract_table(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """The rows of comma- or tab-separated values as `Header: cell; Header: cell`."""
    text = source.decode("utf-8-sig")
    lines = LineIndex(source)
    collector = Collector(lines.position, wary=doc_class is DocClass.MEMORY, role=role)
    first = text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    rows = csv.reader((m[0] for m in _LINE.finditer(text)), delimiter=delimiter)
    header: list[str] = []
    line = 1
    try:
        for row in rows:
            if line == 1 and not any(map(reads_as_prose, row)):
                header = row
                collector.skip(1, rows.line_num, "a table header")
            else:
                _row(collector, row, header, line)
            line = rows.line_num + 1
    except csv.Error as error:
        return unread(f"no table of values: {error}", line)
    return collector.found


def _row(collector: Collector, row: list[str], header: list[str], line: int) -> None:
    cells = []
    for number, cell in enumerate(row):
        head = header[number].strip() if number < len(header) else ""
        if said := " ".join(cell.split()):
            cells.append(f"{head}: {said}" if head and len(row) > 1 else said)
    if len(_WORD.findall(" ".join(row))) < _WORDS:
        collector.skip(line, line, "a row of data")
        return
    excerpt = Excerpt()
    excerpt.add("; ".join(cells), 0)
    fields = {"section": "", "block": 1, "form": Form.ROW, "table": 1}
    take_in(collector, excerpt, fields, lambda _: (line, 1))


def extract_toml(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """The texts and comments of a TOML document that speak to a reader."""
    reader = RecordReader(source, doc_class, role)
    try:
        found = load_toml(reader.text.removeprefix("\ufeff"))
    except TomlError as error:
        return unread(str(error), error.line)
    placer = _Placer(reader.text)
    value = placer.placed(found)
    reader.walk(value)
    for comment in _COMMENT.finditer(reader.text):
        if not placer.holds(comment.start()):
            reader.note([TextValue.placed(comment["value"], comment.start("value"))])
    return reader.found


class _Placer:
    """Gives the texts of a parsed document their places again, in the order they were written."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.starts: list[int] = []
        self.ends: list[int] = []

    def holds(self, at: int) -> bool:
        """Whether a text that was placed covers an offset."""
        nearest = bisect_right(self.starts, at) - 1
        return nearest >= 0 and at < self.ends[nearest]

    def placed(self, value: Any) -> Any:
        if isinstance(value, str):
            # One that is written with escapes is not found: no farther than needed is looked.
            found = self.text.find(value, self.at, self.at + len(value) + _NEAR) if value else -1
            if found >= 0:
                self.at = found + len(value)
                self.starts.append(found)
                self.ends.append(self.at)
            return TextValue.placed(value, max(found, 0))
        if isinstance(value, list):
            return [self.placed(item) for item in value]
        if not isinstance(value, dict):
            return value if isinstance(value, bool | int | float) else None
        mapping = Mapping(self.at)
        for key, item in value.items():
            mapping.put(key, self.placed(item))
        return mapping


def extract_plain(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """The paragraphs of a text of no format that is known; inline Markdown in them is read."""
    text = source.decode()
    lines = LineIndex(source)
    collector = Collector(lines.position, wary=doc_class is DocClass.MEMORY, role=role)
    if text.startswith("#!"):
        collector.skip(1, lines.line(len(source)), "a program")
        return collector.found
    fields = {"section": "", "block": 1, "form": Form.PROSE}
    for number, (paragraph, heading) in enumerate(_paragraphs(text), 1):
        said = " ".join(paragraph.text.split())
        if heading and not said.endswith((".", "!", "。")) and not asserts(said):
            line = lines.line(paragraph.source(0))
            collector.skip(line, line, "a heading")
        else:
            take_in(collector, paragraph, {**fields, "block": number}, lines.position)
    return collector.found


def _paragraphs(text: str) -> Iterator[tuple[Excerpt, bool]]:
    """(paragraph, whether it is underlined as a heading). Lines without a letter part them, as do
    settings, which are none, and the end of a comment."""
    paragraph, size, rows, remark = Excerpt(), Offsets(text), 0, False
    for found in _LINE.finditer(text):
        line = found[0]
        part = not _WORDY.search(line) or (_SETTING.match(line) and not reads_as_prose(line))
        commented = line.lstrip(" \t>")[:1] in ("#", ";", "%")
        if rows and (part or commented is not remark):
            yield paragraph, rows == 1 and bool(line.strip()) and not _WORDY.search(line)
            paragraph, rows = Excerpt(), 0
        if not part:
            bare = line.lstrip(_MARKS)
            paragraph.add(bare, size(found.end() - len(bare)))
            rows, remark = rows + 1, commented
    if rows:
        yield paragraph, False

"""Reads HTML, XML, CSV, TOML and plain text in memory directories, because agents read them too.

HTML and XML are read tag by tag, and tables are read row by row. In TOML, values and comments are
read. Other texts are read paragraph by paragraph.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from grounded_ingest.extract.claims import Collector, add_excerpt
from grounded_ingest.extract.frames import Framing
from grounded_ingest.extract.hidden_text import reads_as_prose
from grounded_ingest.extract.markdown import Walker
from grounded_ingest.extract.markdown_document import MarkdownReader
from grounded_ingest.extract.positions import Excerpt, LineIndex, Offsets
from grounded_ingest.extract.records import RecordReader
from grounded_ingest.extract.value_tree import Mapping, TextValue, comments_in
from grounded_ingest.model.claims import DocClass, Extraction, Form, Tier
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import asserts
from grounded_ingest.text.toml_text import TomlError, load_toml

_LINE = compiled(r"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+")
_MARKS = " \t>#;%"
"""The characters that begin comments and headings in plain text formats."""
_WORDY = compiled(r"[^\W_]")
_SETTING = compiled(r"[ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=")
_WORD = compiled(r"[^\W\d_]{2,}")
_WORDS = 3
_NEAR = 1 << 14
"""Maximum number of characters in which the next parsed text is searched for in the document. A
text that the document writes with escapes is not found."""


def extract_markup(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Returns the claims in the texts between HTML or XML tags.

    Comments and attributes are read as hidden text."""
    mark = 3 if source.startswith(b"\xef\xbb\xbf") else 0
    reading = MarkdownReader(source, doc_class, role, mark)
    walker = Walker(source[mark:], Framing(reading.collector.frames))
    walker.html_text.add(source[mark:].decode(), 0)
    walker.html_block()
    reading.read(walker.outline)
    return reading.collector.found


def extract_table(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Returns the claims in a table with comma- or tab-separated values.

    A row is read as `Header: cell; Header: cell`."""
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
        message = f"the file is not a valid table of values: {error}"
        collector.problem(line, "unread", message, int(Tier.REVIEW))
    return collector.found


def _row(collector: Collector, row: list[str], header: list[str], line: int) -> None:
    cells = []
    for number, cell in enumerate(row):
        head = header[number].strip() if number < len(header) else ""
        if text := " ".join(cell.split()):
            cells.append(f"{head}: {text}" if head and len(row) > 1 else text)
    if len(_WORD.findall(" ".join(row))) < _WORDS:
        collector.skip(line, line, "a row of data")
        return
    fields = {"section": "", "block": 1, "form": Form.ROW, "table": 1}
    add_excerpt(collector, Excerpt("; ".join(cells)), fields, lambda _: (line, 1))


def extract_toml(source: bytes, doc_class: DocClass, role: str = "") -> Extraction:
    """Returns the claims in a TOML document: values and comments that are prose."""
    reader = RecordReader(source, doc_class, role)
    try:
        found = load_toml(reader.text.removeprefix("\ufeff"))
    except TomlError as error:
        reader.collector.problem(error.line, "unread", str(error), int(Tier.REVIEW))
        return reader.collector.found
    placer = _Placer(reader.text)
    reader.walk(placer.placed(found))
    for comment in comments_in(reader.text, 0, len(reader.text)):
        if not placer.covers(comment.at - 1):
            reader.note([comment])
    return reader.found


class _Placer:
    """Finds the offset of each parsed text in its document. The texts must come in the order of the
    document."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.starts: list[int] = []
        self.ends: list[int] = []

    def covers(self, at: int) -> bool:
        """Returns whether a text that was already found covers the character offset `at`."""
        nearest = bisect_right(self.starts, at) - 1
        return nearest >= 0 and at < self.ends[nearest]

    def placed(self, value: Any) -> Any:
        """Returns a parsed value in which every string is a `TextValue` with its offset."""
        if isinstance(value, str):
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
    """Returns the claims in a text with an unknown format.

    The text is read paragraph by paragraph, and paragraphs may contain inline Markdown."""
    text = source.decode()
    lines = LineIndex(source)
    collector = Collector(lines.position, wary=doc_class is DocClass.MEMORY, role=role)
    if text.startswith("#!"):
        collector.skip(1, lines.line(len(source)), "a program")
        return collector.found
    fields = {"section": "", "block": 1, "form": Form.PROSE}
    for number, (paragraph, heading) in enumerate(_paragraphs(text), 1):
        words = " ".join(paragraph.text.split())
        if heading and not words.endswith((".", "!", "。")) and not asserts(words):
            line = lines.line(paragraph.source(0))
            collector.skip(line, line, "a heading")
        else:
            add_excerpt(collector, paragraph, {**fields, "block": number}, lines.position)
    return collector.found


def _paragraphs(text: str) -> Iterator[tuple[Excerpt, bool]]:
    """Yields pairs (paragraph, whether the paragraph is underlined like a heading).

    A paragraph ends at a line without letters, at a setting `name = value`, and where a comment
    begins or ends."""
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

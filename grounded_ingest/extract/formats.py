"""Reads documents of unknown formats in memory directories, because agents read them too."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.extract.claims import Collector, add_excerpt
from grounded_ingest.extract.hidden_text import reads_as_prose
from grounded_ingest.extract.positions import Excerpt, LineIndex, Offsets
from grounded_ingest.model.claims import DocClass, Extraction, Form
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import asserts

_LINE = compiled(r"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+")
_MARKS = " \t>#;%"
"""The characters that begin comments and headings in plain text formats."""
_WORDY = compiled(r"[^\W_]")
_SETTING = compiled(r"[ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=")


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
    """Yields pairs (paragraph, whether it is underlined like a heading). A paragraph ends at a line
    without letters, at a setting `name = value`, and where a comment begins or ends."""
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

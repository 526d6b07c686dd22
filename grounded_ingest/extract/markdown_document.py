"""A Markdown document to claims: its passages, front matter, comments, imports."""

from __future__ import annotations

import re
from typing import Any

from grounded_ingest.extract.claims import Collector
from grounded_ingest.extract.hidden import ignore_comment
from grounded_ingest.extract.markdown import Comment, Outline, outline
from grounded_ingest.extract.passage import Lines
from grounded_ingest.extract.structured import FieldError, front_matter_fields
from grounded_ingest.model import DocClass, Extraction, Form, Skipped

_IMPORT = re.compile(r"(?:^|(?<=[\s(]))@((?:~?\.{0,2}/)?[\w][\w.-]*(?:/[\w.-]+)*)")
_DIRECTIVE = re.compile(
    r"^\s*[\w.:-]+(?:[-\s]+(?:disable|enable|ignore|start|end|begin|next-line)\b.*)?\s*$",
    re.IGNORECASE,
)


def extract_markdown(source: bytes, doc_class: DocClass) -> Extraction:
    """Claims of a Markdown text that is valid UTF-8."""
    body = source.removeprefix(b"\xef\xbb\xbf")
    lines = Lines(source)
    collector = Collector(lines.position)
    shift = len(source) - len(body)
    parsed = outline(body)
    fields = _front_matter(parsed, collector, shift)
    _units(parsed, collector, doc_class, shift, fields)
    for comment in parsed.comments:
        _comment(comment, collector, lines, doc_class, shift, fields)
    for start, end, what in parsed.opaque:
        collector.skipped.append(
            Skipped(lines.line(start + shift), lines.line(max(start, end - 1) + shift), what)
        )
    return collector.found


def _units(
    parsed: Outline, collector: Collector, doc_class: DocClass, shift: int, fields: dict[str, Any]
) -> None:
    for unit in parsed.units:
        if unit.form is Form.HIDDEN and doc_class is not DocClass.MEMORY:
            continue
        collector.passage(
            unit.passage,
            section=unit.section,
            block=unit.block,
            form=unit.form,
            table=unit.table,
            notes=parsed.notes,
            shift=shift,
            **fields,
        )
        if doc_class is DocClass.MEMORY:
            collector.imports += (m[1].rstrip(".") for m in _IMPORT.finditer(unit.passage.masked))


def _comment(
    comment: Comment,
    collector: Collector,
    lines: Lines,
    doc_class: DocClass,
    shift: int,
    fields: dict[str, Any],
) -> None:
    line = lines.line(comment.end + shift)
    if ignore := ignore_comment(comment.text, line):
        collector.ignores.append(ignore)
        return
    if doc_class is not DocClass.MEMORY:
        return
    if _DIRECTIVE.match(comment.text):
        collector.skipped.append(
            Skipped(lines.line(comment.start + shift), line, "a directive in a comment")
        )
        return
    inner = outline(comment.text.encode())
    for unit in inner.units:
        collector.passage(
            unit.passage,
            section=comment.section,
            block=comment.block,
            form=Form.HIDDEN,
            notes=inner.notes,
            shift=shift + comment.start,
            **fields,
        )


def _front_matter(parsed: Outline, collector: Collector, shift: int) -> dict[str, Any]:
    if parsed.front_matter is None:
        return {}
    text, start = parsed.front_matter
    try:
        fields, statements = front_matter_fields(text)
    except FieldError as error:
        collector.problem(start + shift, "broken-record", f"front matter: {error}")
        return {}
    for passage, key in statements:
        collector.passage(
            passage, section=key, block=0, form=Form.METADATA, shift=shift + start, **fields
        )
    return fields

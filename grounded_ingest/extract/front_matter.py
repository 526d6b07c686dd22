"""Front matter: the YAML between `---` lines that a document may begin with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from grounded_ingest.extract.passage import Passage
from grounded_ingest.extract.positions import Offsets
from grounded_ingest.extract.value_tree import (
    FieldError,
    Mapping,
    TextValue,
    read_yaml,
    record_fields,
    texts,
)
from grounded_ingest.language.patterns import compiled

_BLOCK = re.compile(
    rb"---[ \t]*+(?>\r\n|\n|\r)(?P<body>(?:[^\r\n]*+(?>\r\n|\n|\r))*?)(?:---|\.\.\.)[ \t]*+"
    rb"(?>\r\n|\n|\r|\Z)"
)
_KEY = compiled(r"^(?P<key>[\w-]+):(?:[ \t]+(?P<value>[^\r\n]*))?", re.MULTILINE)
_NOTE = compiled(r"^[ \t]*#+[ \t]*(?P<value>[^\r\n]+)", re.MULTILINE)
_WORDS = 4


class FrontMatter(NamedTuple):
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
        record, problem, at = _lenient(body), f"front matter: {error}", start + error.offset
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
    passage = Passage()
    passage.add(value, offsets(at), verbatim=text.startswith(value, at))
    return passage

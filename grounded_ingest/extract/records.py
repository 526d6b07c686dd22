"""Memory records in JSON, JSON Lines and YAML, and the knowledge-graph memory format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grounded_ingest.extract.claims import Collector
from grounded_ingest.extract.markdown import outline
from grounded_ingest.extract.passage import Lines
from grounded_ingest.extract.structured import (
    FieldError,
    Mapping,
    Text,
    read_json,
    read_yaml,
    record_fields,
)
from grounded_ingest.model import DocClass, Extraction, Form, Tier

TEXT_KEYS = ("text", "content", "memory", "fact", "claim")


class Reader:
    """Turns the records of one file into claims; `base` is where its text begins, in bytes."""

    def __init__(self, source: bytes, doc_class: DocClass) -> None:
        self.text = source.decode()
        self.collector = Collector(Lines(source).position)
        self.tier = Tier.BLOCK if doc_class is DocClass.MEMORY else Tier.REVIEW
        self._ascii = self.text.isascii()

    def offset(self, at: int) -> int:
        """Character offsets to bytes."""
        return at if self._ascii else len(self.text[:at].encode())

    def broken(self, at: int, message: str) -> None:
        self.collector.problem(self.offset(at), "broken-record", message, int(self.tier))

    def walk(self, value: Any, name: str = "") -> None:
        """Take in every record below a value."""
        if isinstance(value, list):
            for child in value:
                self.walk(child, name)
        elif isinstance(value, Mapping):
            if value.repeated:
                self.broken(value.at, f"the key {value.repeated[0]!r} stands twice in one object")
            if not self.record(value):
                for key, child in value.items():
                    self.walk(child, key)

    def record(self, value: Mapping) -> bool:
        """Take in one record; False where the object is none."""
        statements = list(_statements(value))
        key = next((k for k in TEXT_KEYS if k in value), None)
        if key is not None and not statements:
            if isinstance(value[key], list | dict):
                return False
            self.broken(value.at, f"{key!r} is not a text")
            return True
        if not statements:
            return False
        try:
            fields = record_fields(value)
        except FieldError as error:
            self.broken(value.at, str(error))
            return True
        identity = str(value.get("id", value.get("name", "")))
        for prefix, text in statements:
            self.statement(prefix, text, identity, fields)
        return True

    def statement(self, prefix: str, text: Text, identity: str, fields: dict[str, Any]) -> None:
        at = self.offset(text.at)
        for unit in outline(f"{prefix}{text}".encode()).units:
            form = Form.HIDDEN if unit.form is Form.HIDDEN else Form.RECORD
            placed = _Placed(self.collector, at)
            placed.passage(
                unit.passage, section=identity, block=1, form=form, record_id=identity, **fields
            )


class _Placed:
    """Claims of a decoded string all stand where the string begins."""

    def __init__(self, collector: Collector, at: int) -> None:
        self.collector, self.at = collector, at

    def passage(self, *args: Any, **fields: Any) -> None:
        locate = self.collector.locate
        where = locate(self.at)
        self.collector.locate = lambda _: where
        try:
            self.collector.passage(*args, **fields)
        finally:
            self.collector.locate = locate


def _statements(value: Mapping) -> Iterator[tuple[str, Text]]:
    """(prefix, text) of what a record states."""
    kind = value.get("type")
    if isinstance(value.get("observations"), list):
        name = value.get("name", value.get("entityName", ""))
        for observation in value["observations"]:
            if isinstance(observation, Text):
                yield (f"{name}: " if name else ""), observation
        return
    if kind == "relation" or {"from", "to", "relationType"} <= value.keys():
        if all(isinstance(value.get(k), Text) for k in ("from", "to", "relationType")):
            words = f"{value['from']} {value['relationType']} {value['to']}"
            yield "", Text.placed(words, value["from"].at)
        return
    for key in TEXT_KEYS:
        if isinstance(value.get(key), Text):
            yield "", value[key]
            return


def extract_json(source: bytes, doc_class: DocClass) -> Extraction:
    """Records of a JSON text."""
    return _whole(Reader(source, doc_class), read_json)


def extract_yaml(source: bytes, doc_class: DocClass) -> Extraction:
    """Records of a YAML text."""
    return _whole(Reader(source, doc_class), read_yaml)


def _whole(reader: Reader, read: Any) -> Extraction:
    try:
        reader.walk(read(reader.text.removeprefix("\ufeff")))
    except FieldError as error:
        reader.collector.problem(
            reader.offset(error.offset), "unreadable", str(error), int(reader.tier)
        )
    return reader.collector.found


def extract_json_lines(source: bytes, doc_class: DocClass) -> Extraction:
    """Records of a JSON Lines text; a broken line loses no other."""
    reader = Reader(source, doc_class)
    start = 0
    for line in reader.text.splitlines(keepends=True):
        if line.strip():
            try:
                value = read_json(line.strip())
            except FieldError as error:
                reader.broken(start + error.offset, str(error))
            else:
                _shift(value, start + len(line) - len(line.lstrip()))
                reader.walk(value)
        start += len(line)
    return reader.collector.found


def _shift(value: Any, by: int) -> None:
    if isinstance(value, Text | Mapping):
        value.at += by
    children = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    )
    for child in children:
        _shift(child, by)

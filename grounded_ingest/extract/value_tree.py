"""Values with their places: JSON and YAML read so that every string knows where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grounded_ingest.model.claims import Kind, MemoryType, Source
from grounded_ingest.text.patterns import compiled

DEPTH = 64


class FieldError(Exception):
    """A text that cannot be read as structured data; `offset` counts characters."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class TextValue(str):
    """A string of a structured document, and the character offset at which its value begins."""

    __slots__ = ("at",)
    at: int

    @classmethod
    def placed(cls, value: str, at: int) -> TextValue:
        text = cls(value)
        text.at = at
        return text


class Mapping(dict[str, Any]):
    """An object of a structured document; `repeated` are keys that stand in it twice, `former`
    their values that others took the place of, `places` the character offsets of keys."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at
        self.repeated: list[str] = []
        self.former: list[Any] = []
        self.places: dict[str, int] = {}

    def put(self, key: str, value: Any) -> None:
        plain = str(key)  # a key becomes a section or an id, which have no place
        if plain in self:
            self.repeated.append(plain)
            self.former.append(self[plain])
        self.places[plain] = key.at if isinstance(key, TextValue) else self.at
        self[plain] = value


_BLANK = compiled(r"[ \t\r\n]*")
_SCALAR = compiled(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_CONSTANTS = {"true": True, "false": False, "null": None}


class _Json:
    def __init__(self, text: str) -> None:
        self.text = text

    def blank(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int = 0) -> tuple[Any, int]:
        at = self.blank(at)
        if depth > DEPTH:
            raise FieldError(f"nested more than {DEPTH} levels deep", at)
        start = self.text[at : at + 1]
        if start == '"':
            return self.string(at)
        if start == "{":
            return self.object(at, depth)
        if start == "[":
            return self.array(at, depth)
        if found := _SCALAR.match(self.text, at):
            word = found[0]
            return (_CONSTANTS[word] if word in _CONSTANTS else _number(word)), found.end()
        raise FieldError("not valid JSON", at)

    def string(self, at: int) -> tuple[TextValue, int]:
        from json import JSONDecodeError
        from json.decoder import scanstring  # type: ignore[attr-defined]

        try:
            value, end = scanstring(self.text, at + 1, True)
        except JSONDecodeError as error:
            raise FieldError(f"not valid JSON: {error.msg}", error.pos) from None
        return TextValue.placed(_whole(value), at + 1), end

    def object(self, at: int, depth: int) -> tuple[Mapping, int]:
        found, at = Mapping(at), self.blank(at + 1)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                raise FieldError("not valid JSON: a key is missing", at)
            key, at = self.string(at)
            at = self.blank(at)
            if self.text[at : at + 1] != ":":
                raise FieldError("not valid JSON: ':' is missing", at)
            value, at = self.value(at + 1, depth + 1)
            found.put(key, value)
            at = self.next(at, "}")
        return found, at + 1

    def array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self.blank(at + 1)
        while self.text[at : at + 1] != "]":
            value, at = self.value(at, depth + 1)
            found.append(value)
            at = self.next(at, "]")
        return found, at + 1

    def next(self, at: int, closing: str) -> int:
        at = self.blank(at)
        if self.text[at : at + 1] == ",":
            at = self.blank(at + 1)
            if self.text[at : at + 1] != closing:
                return at
        elif self.text[at : at + 1] == closing:
            return at
        raise FieldError("not valid JSON: ',' is missing or one too many", at)


def read_json(text: str) -> Any:
    """A JSON text; strings are `Text`, objects `Mapping`. Raises FieldError."""
    parser = _Json(text)
    value, at = parser.value(0)
    if (at := parser.blank(at)) != len(text):
        raise FieldError("not valid JSON: text after the value", at)
    return value


def _whole(text: str) -> str:
    """Without halves of surrogate pairs, which no encoding can write."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def _number(word: str) -> float:
    return int(word) if len(word) < 16 and word.lstrip("-").isdigit() else float(word)


def read_yaml(text: str) -> Any:
    """A YAML text; tags are not interpreted. Strings are `Text`, mappings `Mapping`; several
    documents are a list of them. Raises FieldError."""
    from grounded_ingest.text.yaml_text import YamlError, nodes_of

    known: dict[int, Any] = {}
    try:
        values = [_plain(node, known) for node in nodes_of(text)]
    except YamlError as error:
        raise FieldError(str(error), error.offset) from None
    return values[0] if len(values) == 1 else values or None


def _plain(node: Any, known: dict[int, Any]) -> Any:
    """The value of a node; aliases share theirs, so that no text grows by being read."""
    if id(node) not in known:
        if node.id == "sequence":
            known[id(node)] = [_plain(child, known) for child in node.value]
        elif node.id == "mapping":
            known[id(node)] = mapping = Mapping(node.start_mark.index)
            for key, value in node.value:
                name = TextValue.placed(str(key.value), key.start_mark.index)
                mapping.put(name, _plain(value, known))
        else:
            known[id(node)] = _scalar(node)
    return known[id(node)]


def _scalar(node: Any) -> Any:
    kind, value = node.tag.rpartition(":")[2], str(node.value)
    if kind == "null":
        return None
    if kind == "bool":
        return value.lower() in ("true", "yes", "on")
    if kind in ("int", "float"):
        try:
            return _number(value)
        except ValueError:
            pass
    return TextValue.placed(_whole(value), node.start_mark.index)


def texts(
    value: Any, name: str = "", depth: int = 0, seen: dict[int, Any] | None = None
) -> Iterator[tuple[str, TextValue]]:
    """Yield (key nearest above, text) of every string below a value, in order. What aliases share
    is written once and yielded once: `seen` are the values that were, by id."""
    seen = {} if seen is None else seen
    if not isinstance(value, TextValue | list | Mapping) or depth > DEPTH or id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, TextValue):
        yield name, value
        return
    pairs = value.items() if isinstance(value, Mapping) else ((name, v) for v in value)
    for key, child in pairs:
        yield from texts(child, key, depth + 1, seen)


def all_keys(value: Any, depth: int = 0) -> Iterator[TextValue]:
    """Yield every key at or below a value, with its place."""
    if depth <= DEPTH and isinstance(value, list | Mapping):
        for child in value.values() if isinstance(value, Mapping) else value:
            yield from all_keys(child, depth + 1)
        if isinstance(value, Mapping):
            yield from (TextValue.placed(key, at) for key, at in value.places.items())


def record_fields(record: dict[str, Any]) -> dict[str, Any]:
    """Claim fields a record or front matter states. Raises FieldError for impossible values."""
    fields: dict[str, Any] = {}
    source = str(record.get("source", "")).lower()
    if source in Source._value2member_map_:
        fields["declared_source"] = Source(source)
    kind = str(record.get("kind", record.get("type", ""))).lower()
    if kind in Kind._value2member_map_:
        fields["kind"] = Kind(kind)
    memory_type = str(record.get("memory_type", record.get("type", ""))).lower()
    if memory_type in MemoryType._value2member_map_:
        fields["memory_type"] = MemoryType(memory_type)
    if (trust := record.get("trust")) is not None:
        if isinstance(trust, bool) or not isinstance(trust, int | float) or not 0 <= trust <= 1:
            raise FieldError(f"trust must be a number from 0 to 1, not {str(trust)[:40]!r}")
        fields["trust"] = float(trust)
    for name in ("timestamp", "valid_until"):
        if isinstance(value := record.get(name), str):
            fields[name] = str(value)
    return fields

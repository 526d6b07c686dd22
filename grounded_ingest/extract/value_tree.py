"""Reads JSON and YAML into values in which every string has its character offset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from grounded_ingest.model.claims import Kind, MemoryType, Source, Tier
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.yaml_text import YamlError, nodes_of

DEPTH = 64


class FieldError(Exception):
    """Raised if a text cannot be read as structured data. `offset` is a character offset."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class TextValue(str):
    """A string in a JSON or YAML document. `at` is the character offset of the string's value."""

    __slots__ = ("at",)
    at: int

    @classmethod
    def placed(cls, value: str, at: int) -> TextValue:
        """Returns a string as a `TextValue` with its character offset."""
        text = cls(value)
        text.at = at
        return text


class Mapping(dict[str, Any]):
    """An object in a JSON or YAML document. `repeated` are the keys that occur more than once, and
    `former` their earlier values. `places` maps keys to character offsets."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at
        self.repeated: list[str] = []
        self.former: list[Any] = []
        self.places: dict[str, int] = {}

    def put(self, key: str, value: Any) -> None:
        """Sets the value of a key. If the key has a value already, keeps it in `former`."""
        plain = str(key)  # a key becomes a section or an id, which must be a plain string
        if plain in self:
            self.repeated.append(plain)
            self.former.append(self[plain])
        self.places[plain] = key.at if isinstance(key, TextValue) else self.at
        self[plain] = value


_STRING = r'"(?:[^"\\]|\\.)*+"'
_PLACE = compiled(rf"{_STRING}|\{{", re.DOTALL)
_NESTING = compiled(rf"{_STRING}|[\[{{]|[\]}}]", re.DOTALL)
_CONSTANT = compiled(rf"{_STRING}|(?P<constant>NaN|-?Infinity)", re.DOTALL)


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of a JSON object, including repeated keys."""


def read_json(text: str) -> Any:
    """Returns the value of a JSON text, with `TextValue` for strings and `Mapping` for objects.
    Raises FieldError if the text is not valid JSON or is nested too deeply."""
    from json import JSONDecodeError, JSONDecoder  # imported late, because Markdown needs no JSON

    def refuse(_: str) -> None:
        found = (m.start() for m in _CONSTANT.finditer(text) if m["constant"])
        raise FieldError("not valid JSON: found `NaN` or `Infinity`", next(found, 0))

    decoder = JSONDecoder(object_pairs_hook=_Pairs, parse_int=_number, parse_constant=refuse)
    try:
        value = decoder.decode(text)
    except JSONDecodeError as error:
        raise FieldError(f"not valid JSON: {error.msg}", error.pos) from None
    except RecursionError:
        raise FieldError(_TOO_DEEP, _too_deep(text)) from None
    return _with_places(value, _PLACE.finditer(text), text)


_TOO_DEEP = f"the value is nested more than {DEPTH} levels deep"


def _too_deep(text: str) -> int:
    depth = 0
    for found in _NESTING.finditer(text):
        depth += (found[0] in "[{") - (found[0] in "]}")
        if depth > DEPTH:
            return found.start()
    return 0


def _with_places(value: Any, places: Iterator[re.Match[str]], text: str, depth: int = 0) -> Any:
    """Returns a JSON value in which strings and objects have their offsets.

    `places` are the matches of strings and objects in `text`, in order."""
    if depth > DEPTH:
        raise FieldError(_TOO_DEEP, _too_deep(text))
    if isinstance(value, str):
        return TextValue.placed(_encodable(value), next(places).start() + 1)
    if isinstance(value, _Pairs):
        found = Mapping(next(places).start())
        for key, item in value:
            name = TextValue.placed(_encodable(key), next(places).start() + 1)
            found.put(name, _with_places(item, places, text, depth + 1))
        return found
    if isinstance(value, list):
        return [_with_places(item, places, text, depth + 1) for item in value]
    return value


def _encodable(text: str) -> str:
    """Returns a text with `?` for lone surrogates, because UTF-8 cannot encode them."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def _number(word: str) -> float:
    return int(word) if len(word) < 16 and word.lstrip("-").isdigit() else float(word)


def read_yaml(text: str) -> Any:
    """Returns the value of a YAML text. Strings become `TextValue`, mappings become `Mapping`.

    Tags are not interpreted. Several YAML documents become a list. Raises FieldError if the text is
    not valid YAML."""
    known: dict[int, Any] = {}
    try:
        values = [_plain(node, known) for node in nodes_of(text)]
    except YamlError as error:
        raise FieldError(str(error), error.offset) from None
    return values[0] if len(values) == 1 else values or None


def _plain(node: Any, known: dict[int, Any]) -> Any:
    """Returns the value of a YAML node.

    Aliases of the same node share its value, so that nested aliases do not use more memory."""
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
    return TextValue.placed(_encodable(value), node.start_mark.index)


def texts(
    value: Any, name: str = "", depth: int = 0, seen: dict[int, Any] | None = None
) -> Iterator[tuple[str, TextValue]]:
    """Yields pairs (nearest key above, text) for every string in a value, in order.

    `seen` maps the Python ids of values that were read already. These values are skipped, so that a
    string with several YAML aliases is yielded once."""
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
    """Yields every key in a value and the values nested in it, with the key's offset."""
    if depth <= DEPTH and isinstance(value, list | Mapping):
        for child in value.values() if isinstance(value, Mapping) else value:
            yield from all_keys(child, depth + 1)
        if isinstance(value, Mapping):
            yield from (TextValue.placed(key, at) for key, at in value.places.items())


def record_fields(record: dict[str, Any]) -> dict[str, Any]:
    """Returns the claim fields that a record or front matter declares: source, kind, memory type,
    trust and times.

    Raises FieldError if `trust` is not a number from 0 to 1."""
    fields: dict[str, Any] = {}
    for name, kind, keys in (
        ("declared_source", Source, ("source",)),
        ("kind", Kind, ("kind", "type")),
        ("memory_type", MemoryType, ("memory_type", "type")),
    ):
        word = str(next((record[key] for key in keys if key in record), "")).lower()
        if word in kind._value2member_map_:
            fields[name] = kind(word)
    if (trust := record.get("trust")) is not None:
        if isinstance(trust, bool) or not isinstance(trust, int | float) or not 0 <= trust <= 1:
            raise FieldError(f"trust must be a number from 0 to 1, not {str(trust)[:40]!r}")
        fields["trust"] = float(trust)
    for name in ("timestamp", "valid_until"):
        if isinstance(value := record.get(name), str):
            fields[name] = str(value)
    return fields


_COMMENT = compiled(r"(?:^|(?<=\s))#+[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE)
_NAME_WORD = compiled(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_NAME_WORDS = 4


class YamlNote(NamedTuple):
    """A YAML comment on consecutive lines. If `named` is true, the note is instead an anchor
    (`&name`) or tag (`!name`) with a name of several words."""

    lines: list[TextValue]
    named: bool = False


def yaml_notes(text: str) -> Iterator[YamlNote]:
    """Yields the comments in a valid YAML text, joined if on consecutive lines, and the anchors and
    tags with four or more words."""
    import yaml  # imported late, because only files with comments, anchors or tags need it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    comments: list[TextValue] = []
    reached = 0
    token: Any
    for token in yaml.scan(text, Loader=loader):
        comments += comments_in(text, reached, token.start_mark.index)
        reached = max(reached, token.end_mark.index)
        name = type(token).__name__
        if name == "ScalarToken" and token.style in ("|", ">"):
            head = text.find("\n", token.start_mark.index)
            comments += comments_in(text, token.start_mark.index, max(head, 0))
        elif name in ("AnchorToken", "TagToken"):
            value = token.value  # a tag has a handle and a suffix
            written = "".join(p or "" for p in value) if isinstance(value, tuple) else str(value)
            if len(_NAME_WORD.findall(written)) >= _NAME_WORDS:
                yield YamlNote([TextValue.placed(written, token.start_mark.index)], named=True)
    comments += comments_in(text, reached, len(text))
    yield from _paragraphs(text, comments)


def wordy_name(name: str) -> tuple[str, str, int]:
    """Returns rule, message and tier of the problem that the words in a YAML anchor or tag are not
    checked."""
    message = f"the words in a YAML anchor or tag are not checked: “{name[:80]}”"
    return "unread", message, int(Tier.REVIEW)


def comments_in(text: str, start: int, end: int) -> Iterator[TextValue]:
    """Yields the comments (`# …`) between two offsets in a text. Every comment has its offset."""
    if text.find("#", start, end) >= 0:
        for found in _COMMENT.finditer(text, start, end):
            yield TextValue.placed(found["value"], found.start("value"))


def _paragraphs(text: str, comments: list[TextValue]) -> Iterator[YamlNote]:
    """Yields comments on consecutive lines as a single note. An empty comment ends a note."""
    lines: list[TextValue] = []
    for comment in comments:
        end = lines[-1].at + len(lines[-1]) if lines else 0
        if lines and text[end : comment.at].strip("# \t") not in ("\n", "\r\n"):
            yield YamlNote(lines)
            lines = []
        if comment.strip():
            lines.append(comment)
    if lines:
        yield YamlNote(lines)

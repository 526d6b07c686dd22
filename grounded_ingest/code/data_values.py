"""Looks up values in data files: JSON, JSON with comments, YAML, TOML, INI and `.env` files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from grounded_ingest.code.literals import Value, plain_value, text_value
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.toml_text import TomlError, load_toml
from grounded_ingest.text.yaml_text import YamlError, nodes_below, nodes_of, value_of

LONGEST = 1_000_000
"""Maximum length of a data file that is read, in characters."""


class DataValue(Struct, frozen=True):
    """A value in a data file. `written` is the value as the file's format writes it. `members` are
    the keys of a map or the texts in a list; None if the value is neither. `plain` is false if a
    list also has items that are not texts."""

    value: Value | None
    written: str
    members: tuple[str, ...] | None = None
    plain: bool = True


class Missing(Struct, frozen=True):
    """The result of a look-up of a key that does not exist."""

    key: str


_FORMATS = {
    "json": "json", "jsonc": "json", "json5": "", "webmanifest": "json", "yaml": "yaml",
    "yml": "yaml", "toml": "toml", "ini": "ini", "cfg": "ini", "env": "env",
}  # fmt: skip
_ENV_FILE = compiled(
    r"\.env(?:\.(?:example|sample|template|dist|defaults?|local|test|testing|dev|development|staging|prod"
    r"|production))*"
)
_COMMENT = compiled(r'(?s)("(?:[^"\\]|\\.)*+")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])')
_ASSIGNED = compiled(r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)[ \t]*$")


def format_of(path: str) -> str:
    """Returns the format of a data file by its name, or an empty string."""
    name = path.rpartition("/")[2].lower()
    if _ENV_FILE.fullmatch(name):
        return "env"
    return _FORMATS.get(name.rpartition(".")[2], "")


def claimed_data(text: str, path: str) -> Value | None:
    """Returns the value of a literal that a document writes in the format of the file at `path`.
    Returns None if the text is not one literal."""
    kind = format_of(path)
    if "#" in text and text[:1] not in "\"'":
        return None  # a comment could deny the value
    if text[:1] in "\"'" and text[-1:] != text[:1]:
        return None
    try:
        if kind == "toml":
            read = load_toml(f"x = {text}")
            return plain_value(read["x"]) if read.keys() == {"x"} else None
        if kind == "json":
            return plain_value(_json(text))
        if kind == "yaml":
            nodes = nodes_of(text, plain=True)
            return plain_value(_of_yaml(nodes[0])) if len(nodes) == 1 else None
    except (ValueError, RecursionError, TomlError, YamlError):
        return None
    return text_value(text.strip("\"'")) if kind else None


def value_at(path: str, text: str, keys: Sequence[str]) -> DataValue | Missing | None:
    """Returns the value at a list of keys in a data file. Returns a `Missing` if one of the keys
    does not exist. Returns None if the file cannot be read, or if the keys are ambiguous."""
    read = _read(path, text) if len(text) <= LONGEST else None
    if read is None:
        return None
    value = read[0]
    for key in keys:
        if isinstance(value, list) and key.isdecimal():
            value = value[int(key)] if int(key) < len(value) else _NOWHERE
        elif isinstance(value, dict):
            value = value.get(key, _NOWHERE)
        else:
            return None
        if value is _NOWHERE:
            return Missing(key)
    members, plain = None, True
    if isinstance(value, dict):
        members = tuple(map(str, value))
    elif isinstance(value, list):
        members = tuple(v for v in value if isinstance(v, str))
        plain = len(members) == len(value)
    return DataValue(plain_value(value), _written(value), members, plain)


def values_of(path: str, text: str, key: str) -> list[DataValue]:
    """Returns the values of a key wherever a data file has it. Returns an empty list if the file
    cannot be read."""
    read = _read(path, text) if len(text) <= LONGEST else None
    waiting, found = list(read or ()), list[DataValue]()
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            found += [DataValue(plain_value(v), _written(v)) for k, v in value.items() if k == key]
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return found


_NOWHERE = object()


def _written(value: Any) -> str:
    import json  # imported late for a fast start

    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(value)


def _of_ini(text: str) -> Any:
    from configparser import ConfigParser, Error  # imported late for a fast start

    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
        return {s: _plain(dict(parser[s])) for s in parser.sections()}
    except Error as error:
        raise ValueError(str(error)) from error


def _json(text: str) -> Any:
    import json  # imported late for a fast start

    return json.loads(text, object_pairs_hook=_unique)


def _read(path: str, text: str) -> tuple[Any] | None:
    """Returns the content of a data file in a tuple. Returns None if the file cannot be read, or if
    a key occurs twice."""
    try:
        match format_of(path):
            case "json":
                plain = _COMMENT.sub(lambda m: m[1] or " ", text)
                return (_json(plain),)
            case "toml":
                return (load_toml(text),)
            case "yaml":
                nodes = nodes_of(text)
                if len(nodes) != 1 or _repeats(nodes[0]):
                    return None
                return (_of_yaml(nodes[0]),)
            case "ini":
                return (_of_ini(text),)
            case "env":
                pairs = _ASSIGNED.findall(text.replace("\r", ""))
                if any(value.count(sign) % 2 for _, value in pairs for sign in "\"'`"):
                    return None  # perhaps a text of several lines
                return (_plain(_unique(pairs)),)
            case _:
                return None
    except (ValueError, RecursionError, TomlError, YamlError):
        return None


def _plain(values: dict[str, str]) -> dict[str, Any]:
    """Returns INI or `.env` values without their quotes. A value with a `#` or `;`, with quotes
    inside or with a reference to another value becomes an empty set, which is no literal, because
    programs read such a value differently."""
    return {k: v.strip("\"'") if _CLEAR.fullmatch(v) else set() for k, v in values.items()}


_CLEAR = compiled(r"([\"']?)[^\"'`#;$%\\]*\1")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _repeats(root: Any) -> bool:
    for node in nodes_below(root):
        pairs = [child for child in node.value if isinstance(child, tuple)]
        keys = [key.value for key, _ in pairs if isinstance(key.value, str)]
        if len(set(keys)) < len(keys):
            return True
    return False


_SAME_IN_ALL = compiled(r"(?:true|false|null|~|)|[-+]?(?:0|[1-9]\d*)|[-+]?\d+\.\d+(?:[eE][-+]\d+)?")


def _of_yaml(root: Any) -> Any:
    """Returns the value of a YAML document. A plain scalar that YAML 1.1 and 1.2 read differently,
    such as `yes`, `017` or `12:30`, becomes its text."""
    for node in nodes_below(root):
        plain = isinstance(node.value, str) and not node.style
        if plain and not _SAME_IN_ALL.fullmatch(node.value) and node.tag in _READ_APART:
            node.tag = "tag:yaml.org,2002:str"
    return value_of(root)


_READ_APART = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("bool", "int", "float"))

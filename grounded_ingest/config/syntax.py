"""Reads YAML and TOML into plain values, and records the line of each key for error messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.text.toml_text import TomlError, load_toml
from grounded_ingest.text.yaml_text import YamlError, nodes_of, value_of

if TYPE_CHECKING:
    import yaml

Keys = tuple[str | int, ...]

MAX_CHARACTERS = 200_000
MAX_DEPTH = 8


class Located(Struct, frozen=True):
    """The values in a configuration file, and the line number (1-based) of every key and list
    item."""

    path: str
    values: dict[str, Any]
    lines: dict[Keys, int]

    def error(self, keys: Keys, message: str, hint: str = "") -> GroundedIngestError:
        """Returns an error with the message `path:line: key: message`. The line is that of the key,
        or of the nearest enclosing key with a known line. `keys` is the path to the key.
        """
        above = (keys[:n] for n in range(len(keys), -1, -1))
        line = next((self.lines[k] for k in above if k in self.lines), 1)
        name = ".".join(str(k) for k in keys if isinstance(k, str))
        return error_at(self.path, line, f"{name}: {message}" if name else message, hint)

    def unknown(self, keys: Keys, known: Iterable[str], what: str = "key") -> GroundedIngestError:
        """Returns an error that says that a key is unknown. The message suggests the most similar
        key in `known`. `keys` is the path to the unknown key.
        """
        words = tuple(known)
        near = nearest(str(keys[-1]), words)
        ending = f', did you mean "{near}"?' if near else f"; known are {', '.join(words)}"
        return self.error(keys, f"unknown {what}{ending}")


def error_at(path: str, line: int, message: str, hint: str = "") -> GroundedIngestError:
    """Returns an error about a line in a configuration file."""
    return GroundedIngestError(one_line(f"{path}:{line}: {message}"), one_line(hint))


def one_line(text: str) -> str:
    """Returns a text on one line without control characters. The text is shown in a terminal, and
    its author may be an attacker.
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


_SIMILAR = 0.78
"""Minimum similarity (0 to 1) of a suggested word. `chekc` and `check` have 0.8, `lint` and `init`
have 0.75."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns the known word that is most similar to `word`, or an empty string."""
    from difflib import get_close_matches  # imported late: only wrong words need it

    words = {w.lower(): w for w in known if w}
    for spelling in (word.lower(), word.lower().replace("-", "_")):
        if near := get_close_matches(spelling[:60], words, 1, _SIMILAR):
            return words[near[0]]
    return ""


def read_config_yaml(text: str, path: str) -> Located:
    """Returns the values in a YAML text. Raises GroundedIngestError for syntax errors, tags,
    anchors, aliases, deep nesting or too many characters.
    """
    if len(text) > MAX_CHARACTERS:
        raise error_at(
            path, 1, f"the file is too long: at most {MAX_CHARACTERS} characters are allowed"
        )
    try:
        nodes = nodes_of(text, depth=MAX_DEPTH, plain=True)
    except YamlError as error:
        raise error_at(path, error.line, str(error)) from None
    lines: dict[Keys, int] = {}
    values = _plain(nodes[0], (), path, lines) if nodes else {}
    if not isinstance(values, dict):
        raise error_at(path, 1, "expected a mapping of keys to values at the top of the file")
    return Located(path, values, lines)


def _plain(node: yaml.Node, keys: Keys, path: str, lines: dict[Keys, int]) -> Any:
    import yaml

    lines.setdefault(keys, node.start_mark.line + 1)
    match node:
        case yaml.MappingNode():
            return _mapping(node, keys, path, lines)
        case yaml.SequenceNode():
            return [_plain(n, (*keys, i), path, lines) for i, n in enumerate(node.value)]
        case _:
            try:
                return value_of(node)
            except ValueError:
                line, written = node.start_mark.line + 1, node.value[:60]
                raise error_at(path, line, f'cannot read "{written}"') from None


def _mapping(node: yaml.Node, keys: Keys, path: str, lines: dict[Keys, int]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        key = key_node.value
        if not isinstance(key, str):
            raise error_at(path, line, "expected plain text as a key")
        if key in values:
            raise error_at(path, line, f'the key "{key}" appears twice; remove one')
        lines[(*keys, key)] = line
        values[key] = _plain(value_node, (*keys, key), path, lines)
    return values


def read_toml(text: str, path: str, table: tuple[str, ...]) -> Located | None:
    """Returns the values in one table of a TOML text, or None if there is no such table."""
    try:
        found: Any = load_toml(text)
    except TomlError as error:
        raise error_at(path, error.line, str(error)) from None
    lines = _toml_lines(text, table)
    for name in table:
        found = found.get(name)
        if found is None:
            return None
        if not isinstance(found, dict):
            raise error_at(path, lines.get((), 1), f"[{'.'.join(table)}] must be a table")
    return Located(path, found, lines)


def _toml_lines(text: str, table: tuple[str, ...]) -> dict[Keys, int]:
    """Returns the lines of the keys in the table, found by a pattern because `tomllib` does not
    report lines. Leaves out keys in unusual notation.
    """
    name = r"""(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)"""
    dotted = rf"{name}(?:\s*\.\s*{name})*"
    header_or_key = re.compile(rf"\s*(?:\[\[?\s*({dotted})\s*\]|({dotted})\s*=)")
    size = len(table)
    lines: dict[Keys, int] = {}
    header: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        found = header_or_key.match(line)
        if found is None:
            continue
        parts = tuple(p.strip("\"'") for p in re.findall(name, found[1] or found[2]))
        full = parts if found[1] else (*header, *parts)
        header = parts if found[1] else header
        if full[:size] == table:
            for end in range(size, len(full) + 1):
                lines.setdefault(full[size:end], number)
    return lines

"""What a manifest offers by name: scripts, targets, recipes, tasks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """Something that can be run by its name: the line that names it, and what it runs."""

    line: int
    body: str = ""


class Offer(NamedTuple):
    """`whole`: what is not in `entries` is not offered, except what `patterns` (`%` stands for
    anything) match and what the files `includes` names offer (with the name it goes under, and
    whether the file may be missing)."""

    entries: Mapping[str, Entry]
    whole: bool = True
    patterns: tuple[str, ...] = ()
    includes: tuple[Include, ...] = ()


class Include(NamedTuple):
    """Another file whose entries belong to a manifest, below `prefix` if there is one."""

    path: str
    prefix: str = ""
    optional: bool = False


NOTHING = Offer({}, whole=False)
"""Of a text that could not be parsed: whatever is asked may be there."""

LARGEST = 256 * 1024
"""Characters of the largest manifest that is read."""


def json_value(text: str) -> Any:
    """What a JSON text holds; None where it is none, or nested too deeply."""
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def toml_value(text: str) -> dict[str, Any]:
    """Returns the values of a TOML text; empty if it is no TOML, or beyond the reader's bounds."""
    from grounded_ingest.text import toml_text

    try:
        return toml_text.load_toml(text)
    except toml_text.TomlError:
        return {}


def yaml_value(text: str) -> Any:
    """What the first document of a YAML text holds, within bounds; None where it is none."""
    from grounded_ingest.text.yaml_text import YamlError, nodes_of, value_of

    try:
        nodes = nodes_of(text)
        return value_of(nodes[0]) if nodes else None
    except (YamlError, ValueError, RecursionError):
        return None


def mapping_at(value: Any, *keys: str) -> dict[str, Any]:
    """The mapping at a path of keys; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def key_lines(text: str, keys: re.Pattern[str], start: int = 0) -> dict[str, int]:
    """The lines (1-based) of the first keys that a pattern's first group finds behind `start`."""
    found: dict[str, int] = {}
    for line, key in with_lines(keys.finditer(text, start), text, group=1):
        found.setdefault(key[1], line)
    return found


def with_lines(
    found: Iterable[re.Match[str]], text: str, group: int = 0
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yields matches with the line (1-based) on which a group of each begins; not those in which
    the group has no part. Lines are counted once, not anew for each match."""
    line, counted = 1, 0
    for one in found:
        if (at := one.start(group)) >= 0:
            line += text.count("\n", counted, at)
            counted = at
            yield line, one

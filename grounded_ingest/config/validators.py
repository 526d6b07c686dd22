"""Checks the values in a configuration file. Each top-level key has a reader function.

A reader converts a plain value to the matching value in `Config`. `msgspec.convert` checks each
single value. This module adds the line number and the "did you mean" suggestion to the error,
because msgspec cannot do this.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import fields

from grounded_ingest.config import globs
from grounded_ingest.config.settings import (
    MEMORY_SUFFIXES,
    Classes,
    Config,
    Days,
    Dedup,
    JudgeSettings,
    Network,
    ReviewSettings,
    TrackerSettings,
    Trust,
)
from grounded_ingest.config.syntax import Keys, Located, nearest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import Kind, MemoryType, Source
from grounded_ingest.rules.registry import EVERY_RULE, ROWS
from grounded_ingest.rules.rule_selectors import OLD_RULES, selector_words, selects_any

MAX_ENTRIES = 1000

OLD_KEYS = frozenset({
    "approve_at", "network.witness_hosts", "review.max_pending", "review.max_pending_per_owner",
    "review.over",
})  # fmt: skip
"""Settings from earlier versions. A configuration file may still contain them. A note tells the
user that they have no effect."""

KeyReader = Callable[[Located, Keys, Any], Any]


def read_settings(source: Located) -> dict[str, Any]:
    """Returns the checked values in a configuration file. Raises GroundedIngestError if a value is
    wrong.
    """
    for key in source.values:
        if key not in READERS and key not in OLD_KEYS:
            raise source.unknown((key,), tuple(READERS))
    values = {k: READERS[k](source, (k,), v) for k, v in source.values.items() if k in READERS}
    return {**values, "old": old} if (old := _old_names(source.values)) else values


def _old_names(values: dict[str, Any]) -> tuple[str, ...]:
    """Returns the settings from earlier versions in a file, which have no effect now."""
    nested = (f"{at}.{key}" for at in ("network", "review") for key in _keys(values.get(at)))
    rules = (f"policy.{key}" for key in _keys(values.get("policy")) if key in OLD_RULES)
    return (*(key for key in (*values, *nested) if key in OLD_KEYS), *rules)


def _keys(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, dict) else ()


def _leaf(expected: Any, source: Located, keys: Keys, value: Any) -> Any:
    """Converts a value to the type `expected`. Converts lists item by item, so that an error shows
    the line of the wrong item. Raises GroundedIngestError if the value has the wrong type.
    """
    if get_origin(expected) is tuple:
        item = get_args(expected)[0]
        items = _leaf(list[Any], source, keys, value)
        return tuple(_leaf(item, source, (*keys, i), v) for i, v in enumerate(items))
    choices = _choices(expected)
    if choices and not (isinstance(value, str) and value in choices):
        near = nearest(_shown(value), choices)
        ending = f', did you mean "{near}"?' if near else ""
        known = ", ".join(c for c in choices if c)
        raise source.error(keys, f'expected one of {known}, found "{_shown(value)}"{ending}')
    try:
        return msgspec.convert(value, expected)
    except msgspec.ValidationError as error:
        plain = _WORD.sub(lambda found: _WORDS[found[0]], str(error))
        raise source.error(keys, plain) from None


def _choices(expected: Any) -> tuple[str, ...]:
    if get_origin(expected) is Literal:
        return get_args(expected)
    if isinstance(expected, type) and issubclass(expected, StrEnum):
        return tuple(expected)
    return ()


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)[:60]


_WORDS = {
    "`str`": "text",
    "`int`": "a whole number",
    "`float`": "a number",
    "`float | null`": "a number",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "keys and values",
    "`null`": "nothing",
    "Expected": "expected",
    ">=": "of at least",
    "<=": "of at most",
    ">": "above",
}


_WORD = re.compile("|".join(map(re.escape, sorted(_WORDS, key=len, reverse=True))))


def _section(struct: Any, source: Located, keys: Keys, value: Any) -> Any:
    types = {f.name: f.type for f in fields(struct)}
    values = {}
    for key, item in _leaf(dict[str, Any], source, keys, value).items():
        if ".".join(map(str, (*keys, key))) in OLD_KEYS:
            continue
        if key not in types:
            raise source.unknown((*keys, key), types)
        found = _leaf(types[key], source, (*keys, key), item)
        values[key] = _checked(CHECKS.get(key), source, (*keys, key), found)
    return struct(**values)


def _checked(check: KeyReader | None, source: Located, keys: Keys, value: Any) -> Any:
    if check is None:
        return value
    if isinstance(value, tuple):
        return tuple(check(source, (*keys, index), item) for index, item in enumerate(value))
    return check(source, keys, value)


def _judge(source: Located, keys: Keys, value: Any) -> JudgeSettings:
    judge: JudgeSettings = _section(JudgeSettings, source, keys, value)
    lacking = [key for key in JUDGE_NEEDS.get(judge.kind, ()) if not getattr(judge, key)]
    if lacking:
        raise source.error((*keys, "kind"), f'"{judge.kind}" needs judge.{lacking[0]}')
    if judge.command and not (judge.command[0] and all(p.isprintable() for p in judge.command)):
        raise source.error(
            (*keys, "command"), "expected a list with a program and its arguments, all as text"
        )
    return judge


def _strings(source: Located, keys: Keys, value: Any) -> tuple[str, ...]:
    texts: tuple[str, ...] = _leaf(tuple[str, ...], source, keys, value)
    if len(texts) > MAX_ENTRIES:
        raise source.error(keys, f"the list is too long: at most {MAX_ENTRIES} entries are allowed")
    return texts


def _each(check: KeyReader, source: Located, keys: Keys, value: Any) -> tuple[str, ...]:
    texts: tuple[str, ...] = _checked(check, source, keys, _strings(source, keys, value))
    return texts


def _glob(source: Located, keys: Keys, pattern: str) -> str:
    try:
        globs.glob_pattern(pattern.removeprefix("!"))
    except GroundedIngestError as error:
        raise source.error(keys, str(error)) from None
    return pattern


def _document_glob(source: Located, keys: Keys, pattern: str) -> str:
    """Returns a glob for documents. Raises GroundedIngestError if it cannot match any document."""
    _glob(source, keys, pattern)
    name = pattern.rpartition("/")[2].lower()
    if name and name[-1] not in "*?]}" and not name.endswith(MEMORY_SUFFIXES):
        hint = f"For a directory write {pattern}/**; documents end in {' '.join(MEMORY_SUFFIXES)}"
        raise source.error(keys, f'"{pattern}" cannot match a document', hint)
    return pattern


def _classes(source: Located, keys: Keys, value: Any) -> dict[str, tuple[str, ...]]:
    names = [f.name for f in fields(Classes)]
    for key in _leaf(dict[str, Any], source, keys, value):
        if key not in names:
            raise source.unknown((*keys, key), names, "class")
    return {key: _each(_document_glob, source, (*keys, key), v) for key, v in value.items()}


def _mirrors(source: Located, keys: Keys, value: Any) -> tuple[tuple[str, ...], ...]:
    groups = _leaf(list[Any], source, keys, value)
    for index, group in enumerate(groups):
        if isinstance(group, list) and len(group) < 2:
            raise source.error((*keys, index), "a group of mirrors must have at least two globs")
    return tuple(_each(_document_glob, source, (*keys, i), g) for i, g in enumerate(groups))


def _by_glob(item: KeyReader, source: Located, keys: Keys, value: Any) -> tuple[Any, ...]:
    table = _leaf(dict[str, Any], source, keys, value)
    for pattern in table:
        if pattern.startswith("!"):
            raise source.error(
                (*keys, pattern), "a glob with `!` has no effect in this setting; remove it"
            )
        _document_glob(source, (*keys, pattern), pattern)
    return tuple((pattern, item(source, (*keys, pattern), v)) for pattern, v in table.items())


def _adr_dirs(source: Located, keys: Keys, value: Any) -> tuple[str, ...]:
    directories = tuple(d.removeprefix("./").rstrip("/") for d in _strings(source, keys, value))
    for index, directory in enumerate(directories):
        if re.search(r"[*?\[\]{}!]", directory):
            raise source.error((*keys, index), "expected a directory, not a glob")
        _glob(source, (*keys, index), directory)
    return directories


def _horizons(source: Located, keys: Keys, value: Any) -> tuple[tuple[str, int], ...]:
    known = (*ROWS, *Kind, *MemoryType)
    for key in _leaf(dict[str, Any], source, keys, value):
        if key not in known and key not in OLD_RULES:
            raise source.unknown((*keys, key), known, "rule, kind or memory type")
    return tuple((key, _leaf(Days, source, (*keys, key), v)) for key, v in value.items())


def _policy(source: Located, keys: Keys, value: Any) -> dict[str, Any]:
    table = _leaf(dict[str, Any], source, keys, value)
    return {k: _action(source, (*keys, k), v) for k, v in table.items() if k not in OLD_RULES}


def _action(source: Located, keys: Keys, value: Any) -> str:
    action = "off" if value is False else value  # YAML 1.1 parses `off` as false.
    movable = [r for r in ROWS if not EVERY_RULE[r].fixed]
    name = str(keys[-1])
    if name not in EVERY_RULE:
        raise source.unknown(keys, movable, "rule")
    if name not in movable:
        raise source.error(
            keys, "a policy cannot change this rule", f"A policy can change {', '.join(movable)}."
        )
    _leaf(Literal["block", "review", "off"], source, keys, action)
    if action not in EVERY_RULE[name].actions:
        raise source.error(
            keys, "this rule blocks; a policy can set `review` for it, but cannot turn it off"
        )
    return str(action)


def _selector(source: Located, keys: Keys, selector: str) -> str:
    if not selects_any(selector):
        near = nearest(selector, selector_words())
        ending = f', did you mean "{near}"?' if near else ""
        raise source.error(keys, f'no rule has the name or prefix "{_shown(selector)}"{ending}')
    return selector


def _text(pattern: str, message: str, source: Located, keys: Keys, value: Any) -> str:
    return _match(pattern, message, source, keys, _leaf(str, source, keys, value))


def _match(pattern: str, message: str, source: Located, keys: Keys, value: str) -> str:
    if value and not re.fullmatch(pattern, value):
        raise source.error(keys, message)
    return value


def _host(source: Located, keys: Keys, host: str) -> str:
    if not re.fullmatch(HOST, host):
        message = f'expected a host name such as "docs.example.org", not "{_shown(host)}"'
        raise source.error(keys, message)
    return host.lower().rstrip(".")


HOST = r"[\w.:\[\]-]+"
BRANCH = r"(?!-)(?!.*\.\.)[^\s~^:?*\[\\\x00-\x1f]+"
PLACE = r"(?![/\\])(?!\.git/)(?!(?:.*/)?\.\.?/)[^\\\x00-\x1f]*[^/.\\\x00-\x1f]"
VARIABLE = r"[A-Za-z_][A-Za-z0-9_]{0,63}"
JUDGE_NEEDS = {"openai": ("base_url", "model"), "command": ("command",)}
"""The keys that each kind of judge model needs. docs/configuration.schema.json contains these keys
and the patterns above.
"""

_PLAIN_URL = "expected an http or https URL without user name, password, query and fragment"
_FILE_IN_ROOT = "expected the path of a file, relative to the root of the repository"
_KEY_ENV = "expected the name of an environment variable that ends in JUDGE_KEY, not the key itself"
_NOT_THE_VALUE = "expected the name of an environment variable, not the token itself"
_NAMES_ONLY = "expected the name of an environment variable, not its value"

CHECKS: dict[str, KeyReader] = {
    "url": partial(_match, r"https?://[^\s/]+\S*", "expected an http or https URL"),
    "token_env": partial(_match, VARIABLE, _NOT_THE_VALUE),
    "base_url": partial(_match, r"https?://[^\s/?#@]+(/[^\s?#@]*)?", _PLAIN_URL),
    "variables": partial(_match, VARIABLE, _NAMES_ONLY),
    "key_env": partial(_match, r"([A-Za-z_][A-Za-z0-9_]{0,55}_)?JUDGE_KEY", _KEY_ENV),
    "repository": partial(_match, r"[\w.-]+(/[\w.-]+)+", 'expected "owner/name"'),
    "allow": _host,
    "deny": _host,
}

_CONFIG_TYPES = {f.name: f.type for f in fields(Config)}


def _evidence(source: Located, keys: Keys, value: Any) -> Any:
    """Returns the setting `evidence`. YAML 1.1 reads `off` as false, so false is turned back into
    `off`."""
    return _leaf(_CONFIG_TYPES["evidence"], source, keys, "off" if value is False else value)


READERS: dict[str, KeyReader] = {
    "classes": _classes,
    "exclude": partial(_each, _glob),
    "mirrors": _mirrors,
    "sources": partial(_by_glob, partial(_leaf, Source)),
    "trusted_sources": partial(_leaf, tuple[Source, ...]),
    "agents": _strings,
    "reviewers": partial(_by_glob, _strings),
    "base": partial(_text, BRANCH, "expected a branch name that git allows, such as main"),
    "adr_dirs": _adr_dirs,
    "dedup": partial(_section, Dedup),
    "trust": partial(_section, Trust),
    "network": partial(_section, Network),
    "tracker": partial(_section, TrackerSettings),
    "horizons": _horizons,
    "policy": _policy,
    "evidence": _evidence,
    "per_file_ignores": partial(_by_glob, partial(_each, _selector)),
    "baseline": partial(_text, PLACE, _FILE_IN_ROOT),
    "stage_evidence": partial(_leaf, bool),
    "review": partial(_section, ReviewSettings),
    "judge": _judge,
    "preset": partial(_leaf, _CONFIG_TYPES["preset"]),
}

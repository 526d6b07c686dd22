"""Lines that give a name a value: whichever may, by their form; those that surely do, by the parser
of their language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from grounded_ingest.code.dead_lines import dead_lines
from grounded_ingest.code.definitions import definitions_in, has_parser
from grounded_ingest.language.force import disowning, force_words
from grounded_ingest.language.lexicon import force_words as lexicon
from grounded_ingest.language.patterns import compiled

WIDEST = 400
"""Characters of the longest line that is looked into; a longer one may give any value."""


class GivenValue(NamedTuple):
    """A line (1-based) that gives a name a value. `value` is it as `literal_value` has it, None
    where it is computed or runs on; `stands_in`: it holds where nothing else is given."""

    line: int
    value: str | None
    stands_in: bool = False


_NUMBER = compiled(r"-?(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?)$", re.IGNORECASE)
_TEXT = compiled(
    r"(\"|'|`)((?:(?!\1)[^\\$\n])*)\1(?:\.(?:to_string|into|freeze|to_owned)(?:\(\))?)?$"
)
_WORDS = {"true": "true", "false": "false", "none": "none", "null": "none", "nil": "none"}


def literal_value(written: str) -> str | None:
    """A literal in one form for all languages: a number, a text, `true`, `none`; None where it is
    no literal. Texts that spell a number are that number, as variables of an environment do."""
    written = written.strip()
    if (quoted := _TEXT.match(written)) is not None:
        inner = str(quoted[2])
        return literal_value(inner) or f'"{inner}' if not _TEXT.match(inner) else f'"{inner}'
    if known := _WORDS.get(written.lower()):
        return known
    if not _NUMBER.match(written):
        return None
    digits = written.replace("_", "")
    whole = digits.lstrip("-")
    if "." in digits:
        return f"{float(digits):g}"
    old_octal = len(whole) > 1 and whole[0] == "0" and whole.isdigit()
    return None if old_octal else str(int(digits, 0))


_ONE = r"(?:\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|-?[\w.]+)(?:\.\w+(?:\(\))?)?"
_END = r"\s*[;,)\]}]*\s*(?:(?:\s#|//|/\*).*)?$"


@lru_cache(maxsize=256)
def _forms(name: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What gives the name a value; what gives it just one literal; what stands in for it."""
    word = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    gives = (
        rf"{word}[\"'`]?\]?(?:[?!]?\s*:\s*[\w\[\]&'<>| .]+)?\s*(?::=|=>|[-+*/|]?=(?![=>])|:(?!:))"
        rf"|\w[(\[][^()\[\]]*[\"'`]{word}[\"'`]\s*,|[Ee][Nn][Vv]\w*(?:(?:\.|::)\w+)*[(\[]\s*[\"'`]{word}"
        rf"|\.env\.{word}"
    )
    one = (
        rf"{word}[\"'`]?\]?(?:[?!]?\s*:\s*[\w\[\]&'<>| .]+?)?\s*(?:=>|:?=(?![=>])|:(?!:))"
        rf"\s*(?P<value>{_ONE}){_END}"
    )
    stands = (
        rf"\$\{{{re.escape(name)}:?[-=](?P<shell>[^}}$`]*)\}}"
        rf"|env\w*(?:(?:\.|::)\w+)*[(\[]\s*[\"'`]{word}[\"'`]\s*(?:,\s*(?:default\s*=\s*)?(?P<second>{_ONE})\s*\)"
        rf"|\)\s*\.unwrap_or(?:_else\(\|_\|\s*|\()\s*(?P<rust>{_ONE}))"
        rf"|\.env(?:\.|\[[\"']){word}(?:[\"']\])?\s*(?:\?\?|\|\|)\s*(?P<or>{_ONE})\s*[;,)]*\s*$"
    )
    return re.compile(gives), re.compile(one), re.compile(stands, re.IGNORECASE)


def given_values(text: str, name: str, *, bare: bool) -> Iterator[GivenValue]:
    """The lines that may give a name a value, whatever the language; comments are lines too.
    `bare`: a word without marks is a text, as in files of configuration."""
    gives, one, stands = _forms(name)
    for number, row in enumerate(text.split("\n"), 1):
        if name not in row:
            continue
        if len(row) > WIDEST:
            yield GivenValue(number, None)
            continue
        if stand := stands.search(row):
            value = next((v for v in stand.groups() if v is not None), "")
            yield GivenValue(number, literal_value(value) or f'"{value}', stands_in=True)
        elif gives.search(row):
            found = one.search(row)
            value = literal_value(found["value"]) if found else None
            if found and bare and value is None and _BARE.match(found["value"]):
                value = f'"{found["value"]}'
            yield GivenValue(number, value)


_BARE = compiled(r"[A-Za-z_][\w-]*$")


def surely_given(path: str, text: str, name: str, line: int) -> str:
    """The name with what it stands in, of a line by which the parser of its language gives it a
    value that lasts: at the top of a file, type or table, under no condition, with no remark that
    takes it back; empty for other lines."""
    rows = text.split("\n")
    if dead_lines(path, text, line, line) or _is_remarked(rows, line):
        return ""
    kind = path.rpartition("/")[2].rpartition(".")[2].lower()
    if kind in _TABLES:
        return _TABLES[kind](text, name).get(line, "")
    if path.rpartition("/")[2].startswith(".env"):
        return name if rows[line - 1].removeprefix("export ").startswith(f"{name}=") else ""
    if not has_parser(path) or _is_guarded(rows, line):
        return ""
    found = [d for d in definitions_in(path, text) or () if d.kind == "value" and d.line == line]
    return next((d.qualified for d in found if f".{d.qualified}".endswith(f".{name}")), "")


def _is_remarked(rows: Sequence[str], line: int) -> bool:
    """Whether a comment beside a line, or one right above it, may say when it holds."""
    if _REMARK.search(rows[line - 1]):
        return True
    above = rows[line - 2].strip() if line > 1 else ""
    if not above.startswith(("#", "//", "/*", "*", "--", ";")):
        return False
    said = set(_WORD.findall(above.lower()))
    return bool(force_words(above) or disowning(above) or said & _environments())


@cache
def _environments() -> frozenset[str]:
    return frozenset(lexicon.ENVIRONMENTS.split())


_REMARK = compiled(r"\s(?:#|//|--|/\*)")
_WORD = compiled(r"[a-z]+")


def _is_guarded(rows: Sequence[str], line: int) -> bool:
    """Whether a line stands under a condition, or is marked to be left out at times."""
    if line > 1 and _MARK.match(rows[line - 2]):
        return True
    if any(_MARK_OF_ALL.match(row) for row in rows[:20]):
        return True
    depth = _depth(rows[line - 1])
    for row in reversed(rows[: line - 1]):
        if row.strip() and _depth(row) < depth:
            depth = _depth(row)
            if _GUARD.match(row):
                return True
        if not depth:
            return False
    return False


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


_GUARD = compiled(lexicon.GUARDS + r"|^\W*(?:try|with|for|switch|match)\b")
_MARK = compiled(r"\s*#\s*(?:\[\s*cfg|if\b|ifdef|else)")
_MARK_OF_ALL = compiled(r"//go:build|// \+build|#!\[cfg")


def _keys_of_yaml(text: str, name: str) -> dict[int, str]:
    """The ways to the keys of a YAML or JSON text that are called so, by their lines; of dotted
    names, that end so."""
    from yaml import YAMLError

    from grounded_ingest.language.yaml_text import YamlError, nodes_of

    try:
        waiting: list[tuple[Any, str]] = [(node, "") for node in nodes_of(text)]
    except (YamlError, YAMLError):
        return {}
    found: dict[int, str] = {}
    while waiting:
        node, above = waiting.pop()
        if node.id == "sequence":
            waiting += [(item, above) for item in node.value]
        for key, value in node.value if node.id == "mapping" else ():
            way = f"{above}.{key.value}"
            waiting.append((value, way))
            if way.endswith(f".{name}") and value.id == "scalar":
                found[key.start_mark.line + 1] = way.lstrip(".")
    return found


def _keys_of_toml(text: str, name: str) -> dict[int, str]:
    """The same of a TOML text that has one such key, and no text of several lines that could hold
    such a line."""
    import tomllib

    try:
        waiting: list[tuple[Any, str]] = [(tomllib.loads(text), "")]
    except (ValueError, RecursionError):
        return {}
    ways: list[str] = []
    while waiting:
        held, above = waiting.pop()
        if isinstance(held, list):
            waiting += [(item, above) for item in held]
        for key, value in held.items() if isinstance(held, dict) else ():
            waiting.append((value, f"{above}.{key}"))
            plain = not isinstance(value, dict | list)
            ways += [f"{above}.{key}"] if plain and f"{above}.{key}".endswith(f".{name}") else []
    begins = re.compile(rf"[\"']?{re.escape(name.rpartition('.')[2])}[\"']?\s*=")
    lines = [n for n, row in enumerate(text.split("\n"), 1) if begins.match(row.lstrip())]
    if len(ways) != 1 or len(lines) != 1 or '"""' in text or "'''" in text:
        return {}
    return {lines[0]: ways[0].lstrip(".")}


_TABLES = {
    **dict.fromkeys(("yml", "yaml", "json"), _keys_of_yaml),
    "toml": _keys_of_toml,
}
"""By the ends of file names."""

"""Lines that give a name a value: whichever may, by their form; those that surely do, by the parser
of their language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from grounded_ingest.code.dead_lines import dead_lines
from grounded_ingest.code.definitions import definitions_in, has_parser
from grounded_ingest.language.lexicon import force_words
from grounded_ingest.language.patterns import compiled


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
        rf"|{word}[\"'`]\s*[,)\]]|{word}\s*(?:\?\?|\|\||\bor\b|:?-)"
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


def given_values(text: str, name: str) -> Iterator[GivenValue]:
    """The lines that may give a name a value, whatever the language; comments are lines too."""
    gives, one, stands = _forms(name)
    for number, row in enumerate(text.split("\n"), 1):
        if name not in row:
            continue
        if stand := stands.search(row):
            value = next((v for v in stand.groups() if v is not None), "")
            yield GivenValue(number, literal_value(value) or f'"{value}', stands_in=True)
        elif gives.search(row):
            found = one.search(row)
            yield GivenValue(number, _of_row(found["value"]) if found else None)


def _of_row(written: str) -> str | None:
    bare = compiled(r"[A-Za-z_][\w-]*$")
    return literal_value(written) or (f'"{written}' if bare.match(written) else None)


def surely_given(path: str, text: str, name: str, line: int) -> bool:
    """Whether a line is one by which the parser of its language gives a name a value that lasts:
    at the top of a file, type or table, under no condition, and read by something."""
    if dead_lines(path, text, line, line):
        return False
    kind = path.rpartition("/")[2].rpartition(".")[2].lower()
    if kind in _TABLES:
        return line in _TABLES[kind](text, name)
    if path.rpartition("/")[2].startswith(".env"):
        return text.split("\n")[line - 1].removeprefix("export ").startswith(f"{name}=")
    if not has_parser(path):
        return False
    found = definitions_in(path, text) or ()
    defined = any(
        d.kind == "value" and f".{d.qualified}".endswith(f".{name}") and d.line == line
        for d in found
    )
    return defined and not _is_guarded(text.split("\n"), line)


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


_GUARD = compiled(force_words.GUARDS + r"|^\W*(?:try|with|for|switch|match)\b")
_MARK = compiled(r"\s*#\s*(?:\[\s*cfg|if\b|ifdef|else)")
_MARK_OF_ALL = compiled(r"//go:build|// \+build|#!\[cfg")


def _keys_of_yaml(text: str, name: str) -> set[int]:
    """The lines of the keys of a YAML or JSON text that are called so; of dotted names, as the end
    of the way to them."""
    from yaml import YAMLError

    from grounded_ingest.language.yaml_text import YamlError, nodes_of

    try:
        waiting: list[tuple[Any, str]] = [(node, "") for node in nodes_of(text)]
    except (YamlError, YAMLError):
        return set()
    found: set[int] = set()
    while waiting:
        node, above = waiting.pop()
        if node.id == "sequence":
            waiting += [(item, above) for item in node.value]
        for key, value in node.value if node.id == "mapping" else ():
            way = f"{above}.{key.value}"
            waiting.append((value, way))
            if way.endswith(f".{name}") and value.id == "scalar":
                found.add(key.start_mark.line + 1)
    return found


def _keys_of_toml(text: str, name: str) -> set[int]:
    """The lines of a TOML text that begin with a key, where it has one of that name with a plain
    value, and no text of several lines that could hold such a line."""
    import tomllib

    try:
        waiting: list[tuple[Any, str]] = [(tomllib.loads(text), "")]
    except (ValueError, RecursionError):
        return set()
    found, last = False, name.rpartition(".")[2]
    while waiting:
        held, above = waiting.pop()
        if isinstance(held, list):
            waiting += [(item, above) for item in held]
        for key, value in held.items() if isinstance(held, dict) else ():
            waiting.append((value, f"{above}.{key}"))
            plain = not isinstance(value, dict | list)
            found = found or (plain and f"{above}.{key}".endswith(f".{name}"))
    if not found or '"""' in text or "'''" in text:
        return set()
    begins = re.compile(rf"[\"']?{re.escape(last)}[\"']?\s*=")
    return {n for n, row in enumerate(text.split("\n"), 1) if begins.match(row.lstrip())}


_TABLES = {
    **dict.fromkeys(("yml", "yaml", "json"), _keys_of_yaml),
    "toml": _keys_of_toml,
}
"""By the ends of file names."""

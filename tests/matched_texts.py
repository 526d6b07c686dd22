"""Texts that a regular expression matches, made from its parsed form: ways through it by chance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from re import _parser  # type: ignore[attr-defined]  # nothing but tests takes patterns apart
from typing import Any

AROUND = ("{}", "zq. {} zq.", ", {}", "- {}: zq", "zq ({})", "\n{}\n", "zq{}", "{}?", ": {} (zq")
"""Where the words of a match may have to stand."""
CLASSES = {"DIGIT": "07", "SPACE": " ", "WORD": "qz", "NOT_WORD": " -", "NOT_SPACE": "z9"}


def matched_texts(source: str, flags: int, count: int) -> Iterator[str]:
    rng, tree, pattern = Random(source), _parser.parse(source, flags), re.compile(source, flags)
    texts = (rng.choice(AROUND).format(_way(tree, rng, {})) for _ in range(count))
    return filter(pattern.search, texts)


def _way(tree: Any, rng: Random, groups: dict[int, str]) -> str:
    return "".join(_step(str(kind), value, rng, groups) for kind, value in tree)


def _step(kind: str, value: Any, rng: Random, groups: dict[int, str]) -> str:
    match kind:
        case "LITERAL":
            return chr(value)
        case "NOT_LITERAL" | "ANY":
            return rng.choice("z ")
        case "IN":
            return _member(value, rng)
        case "BRANCH":
            return _way(rng.choice(value[1]), rng, groups)
        case "SUBPATTERN":
            groups[value[0]] = _way(value[3], rng, groups)
            return groups[value[0]]
        case "ATOMIC_GROUP":
            return _way(value, rng, groups)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inner = value
            times = rng.randint(least, min(int(most), least + 2))
            return "".join(_way(inner, rng, groups) for _ in range(times))
        case "GROUPREF":
            return groups.get(value, "")
        case "ASSERT" if value[0] == 1:  # often it stands there in what follows, too
            return _way(value[1], rng, groups) if rng.random() < 0.5 else ""
    return ""


def _member(members: Any, rng: Random) -> str:
    kind, value = rng.choice(members)
    match str(kind):
        case "LITERAL":
            return chr(value)
        case "RANGE":
            return chr(rng.choice(value))
        case "CATEGORY":
            return rng.choice(CLASSES[str(value).removeprefix("CATEGORY_")])
    return rng.choice("zq0 ")  # of those that are left out, `pattern` tells

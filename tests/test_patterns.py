"""Patterns that are compiled late match as `re` compiles them, and none is bad."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from test_architecture import MODULES

from grounded_ingest.language.patterns import LazyPattern, compiled

TEXT = "Per ADR-0012 the port is 8443, see src/App.py:12 (v1.2.3) — née Ünïcode\nSecond line"
SOURCES = [
    (r"\b(?:adr|decision)[- ]?(?P<number>\d+)\b", re.IGNORECASE),
    (r"(?m)^second (?P<what>\w+)(?P<rest>x)?", re.IGNORECASE),
    (r"[^\W\d_]++(?=\W)", 0),
    (r"(a|(b)|(?P<c>c))*?$", re.MULTILINE),
    (r"(['\"])(.*?)\1|port", re.DOTALL),
]


@pytest.mark.parametrize(("source", "flags"), SOURCES)
def test_a_late_pattern_is_the_pattern(source: str, flags: int) -> None:
    ours, theirs = compiled(source, flags), re.compile(source, flags)
    assert (ours.pattern, ours.flags, ours.groups) == (theirs.pattern, theirs.flags, theirs.groups)
    assert dict(ours.groupindex) == dict(theirs.groupindex)
    found = [(m.span(), m.groups(), m.lastgroup) for m in theirs.finditer(TEXT)]
    assert [(m.span(), m.groups(), m.lastgroup) for m in ours.finditer(TEXT)] == found
    assert ours.sub("-", TEXT) == theirs.sub("-", TEXT)


def test_it_is_compiled_once() -> None:
    pattern = compiled("a+b")
    assert pattern.search is pattern.search
    assert pattern.search("xaab")


def test_a_bad_pattern_is_named_as_by_re() -> None:
    with pytest.raises(re.error, match="unterminated"):
        compiled("(a").search("")


def test_every_pattern_of_the_package_is_one() -> None:
    seen = 0
    for name in MODULES:
        if name.endswith("__main__"):
            continue
        for value in vars(import_module(f"grounded_ingest.{name}".rstrip("."))).values():
            for pattern in value if isinstance(value, tuple | list) else (value,):
                if isinstance(pattern, LazyPattern):
                    seen += bool(re.compile(pattern.pattern, pattern._flags))
    assert seen > 100

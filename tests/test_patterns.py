"""Patterns are compiled when they are first used, and match as `re` compiles them."""

from __future__ import annotations

import gc
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest
from matched_texts import matched_texts

import grounded_ingest
from grounded_ingest.text.patterns import GuardedPattern, compiled

TEXT = "Per ADR-0012 the port is 8443, see src/App.py:12 (v1.2.3) — née Ünïcode\nSecond line"
SOURCES = [
    (r"\b(?:adr|decision)[- ]?(?P<number>\d+)\b", re.IGNORECASE),
    (r"(?m)^second (?P<what>\w+)(?P<rest>x)?", re.IGNORECASE),
    (r"(?i)n(é)e [ü\u1000-\u109f]\w+", 0),
    (r"(['\"])(.*?)\1|port", re.DOTALL),
]


@pytest.mark.parametrize(("source", "flags"), SOURCES)
def test_it_is_the_pattern(source: str, flags: int) -> None:
    ours, theirs = compiled(source, flags), re.compile(source, flags)
    assert (ours.pattern, ours.flags, ours.groups) == (theirs.pattern, theirs.flags, theirs.groups)
    assert dict(ours.groupindex) == dict(theirs.groupindex)
    found = [(m.span(), m.groups(), m.lastgroup) for m in theirs.finditer(TEXT)]
    assert [(m.span(), m.groups(), m.lastgroup) for m in ours.finditer(TEXT)] == found
    assert ours.sub("-", TEXT) == theirs.sub("-", TEXT)


def test_nothing_is_compiled_before_it_is_used() -> None:
    made: list[str] = []

    def source() -> str:
        made.append("made")
        return "a+b"

    pattern = compiled(source)
    assert not made
    assert pattern.fullmatch("aab")
    assert pattern.search("xab")
    assert made == ["made"]


NEEDING = (r"(?i)\b(?:supersed|keep)(?P<end>es)\b", ("supersed", "keep"))
HELD = ("It SUPERSEDES that, keepes this", "it \u017fuperſedes it", "\u212aeepes")


@pytest.mark.parametrize("text", ["Nothing of it", "", *HELD])
def test_what_a_text_needs_is_looked_at_first(text: str) -> None:
    theirs, ours = re.compile(NEEDING[0]), compiled(NEEDING[0], needs=NEEDING[1])
    assert ours.sub("-", text) == theirs.sub("-", text)
    found = [m.span() for m in theirs.finditer(text)]
    assert [m.span() for m in compiled(NEEDING[0], needs=NEEDING[1]).finditer(text)] == found
    for way in ("search", "match", "fullmatch"):
        guarded = compiled(NEEDING[0], needs=NEEDING[1])
        expected = getattr(theirs, way)(text)
        assert bool(getattr(guarded, way)(text)) is bool(expected)
        assert (guarded._made is None) is not bool(found)  # type: ignore[attr-defined]


def test_a_match_of_each_pattern_holds_what_it_needs() -> None:
    for module in walk_packages(grounded_ingest.__path__, "grounded_ingest."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    guarded: list[GuardedPattern] = [p for p in gc.get_objects() if type(p) is GuardedPattern]
    assert len(guarded) > 10
    tried = [(p, list(matched_texts(p.pattern, p.flags, 200))) for p in guarded]
    assert [(p.pattern, t) for p, texts in tried for t in texts if not p.may_match(t)] == []
    assert sum(len(texts) > 10 for _, texts in tried) > 0.9 * len(guarded)


def test_a_bad_pattern_says_so_where_it_is_used() -> None:
    with pytest.raises(re.error, match="unterminated"):
        compiled("(").search("")

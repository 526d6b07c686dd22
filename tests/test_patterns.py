"""Patterns that are kept from one process to the next match as `re` compiles them."""

from __future__ import annotations

import marshal
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grounded_ingest.language import patterns
from grounded_ingest.language.patterns import _compile, _revived, compiled

TEXT = "Per ADR-0012 the port is 8443, see src/App.py:12 (v1.2.3) — née Ünïcode\nSecond line"
SOURCES = [
    (r"\b(?:adr|decision)[- ]?(?P<number>\d+)\b", re.IGNORECASE),
    (r"(?m)^second (?P<what>\w+)(?P<rest>x)?", re.IGNORECASE),
    (r"[^\W\d_]++(?=\W)", 0),
    (r"(?i)n(é)e [ü\u1000-\u109f]\w+", 0),
    (r"(a|(b)|(?P<c>c))*?$", re.MULTILINE),
    (r"(?x) v (\d+) \. (\d+) # a comment", 0),
    (r"(['\"])(.*?)\1|port", re.DOTALL),
]


@pytest.mark.parametrize(("source", "flags"), SOURCES)
def test_a_kept_pattern_is_the_pattern(source: str, flags: int) -> None:
    ours, theirs = _revived(source, _compile(source, flags)), re.compile(source, flags)
    assert (ours.pattern, ours.flags, ours.groups) == (theirs.pattern, theirs.flags, theirs.groups)
    assert dict(ours.groupindex) == dict(theirs.groupindex)
    found = [(m.span(), m.groups(), m.lastgroup) for m in theirs.finditer(TEXT)]
    assert [(m.span(), m.groups(), m.lastgroup) for m in ours.finditer(TEXT)] == found


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for kept patterns, and a process that has compiled nothing."""
    monkeypatch.setattr(patterns, "_file", lambda: str(tmp_path / "kept.bin"))
    monkeypatch.setattr(patterns, "_new", {})
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    patterns._kept.cache_clear()
    yield tmp_path  # type: ignore[misc]
    patterns._kept.cache_clear()


def test_what_one_process_compiled_the_next_one_finds(home: Path) -> None:
    assert compiled("a+b").fullmatch("aab")
    patterns.keep_patterns()
    patterns._kept.cache_clear()
    patterns._new.clear()
    assert compiled("a+b").fullmatch("aab")
    assert not patterns._new
    assert os.listdir(home) == ["kept.bin"]


BROKEN = {
    "no marshal": b"\xff\xfe nothing",
    "empty": b"",
    "cut": marshal.dumps({("a+b", 0): (32, b"1234", 0, {})})[:-9],
    "another shape": marshal.dumps([1, 2, 3]),
    "another interpreter's words": marshal.dumps({("a+b", 0): (32, b"\x63\0\0\0" * 7, 0, {})}),
    "half words": marshal.dumps({("a+b", 0): (32, b"123", 0, {})}),
    "no words": marshal.dumps({("a+b", 0): "x"}),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_costs_time_only(home: Path, content: bytes) -> None:
    (home / "kept.bin").write_bytes(content)
    assert compiled("a+b").fullmatch("aab")
    assert not compiled("a+b").fullmatch("b")


def test_an_installation_nobody_may_write_to(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_file", lambda: str(home / "absent" / "kept.bin"))
    assert compiled("a+b").fullmatch("aab")
    patterns.keep_patterns()
    assert os.listdir(home) == []


def test_the_file_does_not_grow_without_end(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST", 3)
    for number in range(9):
        compiled(f"a{{{number}}}b").search("")
        patterns.keep_patterns()
        patterns._kept.cache_clear()
        patterns._new.clear()
    assert len(patterns._kept()) <= 3


def test_a_bad_pattern_is_named_as_by_re(home: Path) -> None:
    with pytest.raises(re.error, match="unterminated"):
        compiled("(a").search("")


def test_nobody_asked_to_write_bytecode(tmp_path: Path) -> None:
    """PYTHONDONTWRITEBYTECODE holds for patterns, and PYTHONPYCACHEPREFIX says where they go."""
    code = "from grounded_ingest.language.patterns import *; compiled('a+b').search(''); keep_patterns()"
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(tmp_path)
    command = [sys.executable, "-c", code]
    subprocess.run(command, env=env | {"PYTHONDONTWRITEBYTECODE": "1"}, check=True)
    assert not list(tmp_path.rglob("patterns.*.bin"))
    subprocess.run(command, env=env, check=True)
    assert len(list(tmp_path.rglob("patterns.*.bin"))) == 1

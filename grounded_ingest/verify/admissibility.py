"""Who may bear witness: subject matter counts as the tree says, testimony as it stands on base."""

from __future__ import annotations

from functools import cache, lru_cache

from msgspec import Struct

from grounded_ingest.language.lexicon import comments, paths
from grounded_ingest.language.patterns import compiled


@cache
def _names(group: str) -> frozenset[str]:
    return frozenset(group.split())


def is_subject_matter(path: str) -> bool:
    """Whether a file is source code or configuration, by language and well-known names."""
    name = path.rpartition("/")[2]
    extension = name.rpartition(".")[2].lower() if "." in name else ""
    if name in _names(comments.TEXT_NAMES) or extension in _names(comments.TEXTS):
        return False
    if name in _names(paths.WELL_KNOWN) or name in _names(paths.CONFIGURATION_NAMES):
        return True
    return extension in _names(paths.CODE) or extension in _names(paths.CONFIGURATION)


def holds_commentary(path: str, text: str, first: int, last: int) -> bool:
    """Whether the lines first..last (1-based) of a source file hold a comment or docstring, alone
    or beside code: words, which anybody can have written to please the check."""
    extension = path.rpartition("/")[2].rpartition(".")[2].lower()
    said = commentary(extension, text, beside_code=True)
    return not said.isdisjoint(range(first, last + 1))


_LITERAL = compiled(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
_GIVEN = compiled(r"(\s*(?:-\s+)?[\w.\-/\"']+\s*[:=]\s*)([^\s(){}\[\];$<>][^(){}\[\];$<>]*)$")
_BARE = compiled(r"\s*(?:[-*|]\s+)?[A-Za-z][^=:(){}\[\];<>]*$")
_WORD = compiled(r"[^\W\d_]{2,}")
_NAME = compiled(r"[^\W\d][\w-]*")
_PART = compiled(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])|\d+")
_TOLD = 3
"""Words of a value that is a sentence and no value any more."""


def without_prose(row: str) -> str:
    """A line of code or configuration without what is told in it: literals, values and whole lines
    of several words, which anybody can have written to please the check. A name that spells a
    sentence is one word."""
    row = _NAME.sub(lambda m: _one_word(m[0]), row)
    row = _LITERAL.sub(lambda m: m[0][0] * 2 if _tells(m[0]) else m[0], row)
    if (given := _GIVEN.match(row)) and _tells(given[2]):
        return given[1]
    return "" if _BARE.match(row) and _tells(row) else row


def _one_word(name: str) -> str:
    """A name of many parts in one: who names the thing is borne out, who says its words is not."""
    parts = _PART.findall(name)
    return "".join(parts).lower() if len(parts) > _TOLD else name


def _tells(text: str) -> bool:
    return len(_WORD.findall(text)) >= _TOLD


class _Syntax(Struct, frozen=True):
    """What begins a comment, and what ends each that runs over lines."""

    openers: tuple[str, ...]
    closers: dict[str, str]


@cache
def _syntax(extension: str) -> _Syntax:
    marks = next((m for names, m in comments.COMMENTS if extension in names.split()), "")
    pairs = [mark.partition("..") for mark in (marks or comments.OTHERS).split()]
    openers = sorted((opener for opener, _, _ in pairs), key=len, reverse=True)
    return _Syntax(tuple(openers), {o: closer for o, _, closer in pairs if closer})


class _State(Struct, frozen=True):
    """What a line leaves open: what closes it, and whether it is a literal and no comment."""

    closer: str = ""
    literal: bool = False


@lru_cache(maxsize=16)
def commentary(extension: str, text: str, *, beside_code: bool = False) -> frozenset[int]:
    """The lines (1-based) that hold comments or docstrings and no code, or also `beside_code`."""
    syntax = _syntax(extension)
    found: set[int] = set()
    state = _State()
    for number, line in enumerate(text.split("\n"), 1):
        if not state.closer and not any(o in line for o in syntax.openers):
            continue
        code, said, state = _read(line, state, syntax)
        if said and (beside_code or not code):
            found.add(number)
    return frozenset(found)


def _read(line: str, state: _State, syntax: _Syntax) -> tuple[bool, bool, _State]:
    """(holds code, holds a comment, what it leaves open)."""
    code, said, at = state.literal, bool(state.closer) and not state.literal, 0
    while at < len(line):
        if state.closer:
            end = line.find(state.closer, at)
            if end < 0:
                return code, said, state
            at, state = end + len(state.closer), _State()
            continue
        opener = _opener(line, at, syntax)
        if opener and not (code and (opener[0] in "\"'" or opener[0].isalnum())):
            if opener not in syntax.closers:
                return code, True, state
            said, state, at = True, _State(syntax.closers[opener]), at + len(opener)
        elif opener in syntax.closers and opener[0] in "\"'":
            state, at = _State(opener, literal=True), at + len(opener)
        elif line[at] in "\"'`":
            code, at = True, _after_literal(line, at)
        else:
            # A prefix of a docstring (`r"""`) and what ends a statement are no code of their own.
            code = code or not (line[at].isspace() or line[at] in "rRbBuUfF;,)")
            at += 1
    return code, said, state


def _opener(line: str, at: int, syntax: _Syntax) -> str:
    for opener in syntax.openers:
        if line.startswith(opener, at):
            behind = line[at + len(opener) : at + len(opener) + 1]
            if not (opener[-1].isalpha() and behind.isalnum()):
                return opener
    return ""


def _after_literal(line: str, at: int) -> int:
    """Where a string that begins at `at` ends; the end of the line where it does not."""
    end = at + 1
    while end < len(line) and line[end] != line[at]:
        end += 2 if line[end] == "\\" else 1
    return end + 1

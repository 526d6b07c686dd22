"""Finds code spans in a text, and blanks the code in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from grounded_ingest.text.patterns import compiled

MASK = "\0"
"""The character that replaces each character of code, link targets and quotations, so that they are
not read as words."""

LONGEST = 4_000
"""Maximum number of characters in a text whose code spans are looked for. Matching backticks can
take quadratic time, and a longer text is hardly ever a single claim."""

_SPAN = compiled(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_CODE = compiled(r"`[^`]+`", needs=("`",))


class CodeSpan(Struct, frozen=True):
    """A code span: the text between the backticks, and the offset of its first character."""

    text: str
    start: int


@lru_cache(maxsize=64)
def code_spans(text: str) -> tuple[CodeSpan, ...]:
    """Returns the code spans in a text, in order."""
    found = _SPAN.finditer(text) if "`" in text and len(text) <= LONGEST else ()
    return tuple(CodeSpan(m[2], m.start(2)) for m in found)


def blank_code(text: str, mark: str = MASK) -> str:
    """Returns a text of the same length with every character of its code replaced."""
    return _CODE.sub(lambda m: mark * len(m[0]), text)


def is_in_longer_code(found: re.Match[str], spans: Iterable[CodeSpan]) -> bool:
    """Returns whether a code span contains what was found among other words, as a command or a
    message does."""
    inside = [s for s in spans if s.start <= found.start() < s.start + len(s.text)]
    return any(len(s.text.split()) > len(found[0].split()) for s in inside)

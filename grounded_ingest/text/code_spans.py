"""The code spans of a text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from grounded_ingest.text.patterns import compiled

_SPAN = compiled(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


class CodeSpan(Struct, frozen=True):
    """What stands between the backticks, and where its first character stands."""

    text: str
    start: int


LONGEST = 4_000
"""Characters of the longest text that is looked into: finding a pair of marks may take the square
of them, and a claim of more states no one thing."""


@lru_cache(maxsize=64)
def _spans(text: str) -> tuple[CodeSpan, ...]:
    found = _SPAN.finditer(text) if len(text) <= LONGEST else ()
    return tuple(CodeSpan(m[2], m.start(2)) for m in found)


def code_spans(text: str) -> Iterator[CodeSpan]:
    """In order; none in a text without backticks."""
    return iter(_spans(text) if "`" in text else ())

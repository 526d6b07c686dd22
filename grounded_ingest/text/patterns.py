"""Compiles regular expressions at their first use.

A run uses about a fifth of the patterns in the package. Compiling all patterns would take longer
than most runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast


class LazyPattern:
    """A regular expression that is compiled at its first use. The used method becomes an attribute
    of the object, so that later calls take no extra time."""

    def __init__(self, source: str | Callable[[], str], flags: int) -> None:
        self._source, self._flags = source, flags
        self._made: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.made(), name)
        setattr(self, name, found)
        return found

    def made(self) -> re.Pattern[str]:
        if self._made is None:
            source = self._source if isinstance(self._source, str) else self._source()
            self._made = re.compile(source, self._flags)
        return self._made


class GuardedPattern(LazyPattern):
    """A regular expression that is only tried on texts with one of the words `needs`, and is
    compiled for the first of them."""

    def __init__(self, source: str | Callable[[], str], flags: int, needs: Sequence[str]) -> None:
        super().__init__(source, flags)
        self._needs = needs

    def may_match(self, text: str) -> bool:
        """Returns whether a text has one of the words that a match needs, in either case."""
        low = text.lower()
        return any(map(low.__contains__, self._needs)) or any(map(low.__contains__, _FOLDED))

    def search(self, text: str, *ends: int) -> re.Match[str] | None:
        return self.made().search(text, *ends) if self._is_due(text) else None

    def match(self, text: str, *ends: int) -> re.Match[str] | None:
        return self.made().match(text, *ends) if self._is_due(text) else None

    def fullmatch(self, text: str, *ends: int) -> re.Match[str] | None:
        return self.made().fullmatch(text, *ends) if self._is_due(text) else None

    def finditer(self, text: str, *ends: int) -> Iterator[re.Match[str]]:
        return self.made().finditer(text, *ends) if self._is_due(text) else iter(())

    def sub(self, put: Any, text: str, count: int = 0) -> str:
        return self.made().sub(put, text, count) if self._is_due(text) else text

    def _is_due(self, text: str) -> bool:
        return self._made is not None or self.may_match(text)


_FOLDED = ("ı", "ſ")
"""Letters that `re.IGNORECASE` treats as `i` and `s`, but that `str.lower` does not change."""


def compiled(
    source: str | Callable[[], str], flags: int = 0, *, needs: Sequence[str] = ()
) -> re.Pattern[str]:
    """Returns a regular expression that is compiled at its first use. `source` is the expression or
    a function that returns it. Expressions from a configuration must not be compiled late, because
    their errors have to be reported at once. Every matching text must contain one of the words
    `needs`, in upper or lower case. Give `needs` if most texts do not have these words."""
    flags = int(flags)
    pattern = GuardedPattern(source, flags, needs) if needs else LazyPattern(source, flags)
    return cast("re.Pattern[str]", pattern)

"""Our regular expressions, compiled when they are first used, of some when a text first holds what
they need: most runs use a fifth of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast


class LazyPattern:
    """Stands for a compiled pattern. What is used of it once is kept as its own attribute."""

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
    """Is not compiled for texts without any of these words, which cannot match."""

    def __init__(self, source: str | Callable[[], str], flags: int, needs: Sequence[str]) -> None:
        super().__init__(source, flags)
        self._needs = needs

    def may_match(self, text: str) -> bool:
        """Whether a text holds what a match needs, in small letters or capitals."""
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
"""Letters that `re.IGNORECASE` takes for `i` and `s`, and `str.lower` leaves as they are."""


def compiled(
    source: str | Callable[[], str], flags: int = 0, *, needs: Sequence[str] = ()
) -> re.Pattern[str]:
    """`re.compile`, when it is first used, for patterns that are written in this package, or that a
    function makes of its words (not of configuration).

    `needs`: each text with a match holds one of these, in small letters or capitals. Worth saying
    where most texts hold none: then it is compiled when one does.
    """
    flags = int(flags)
    pattern = GuardedPattern(source, flags, needs) if needs else LazyPattern(source, flags)
    return cast("re.Pattern[str]", pattern)

"""Our regular expressions, compiled when they are first used: most runs use a third of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

_written: list[LazyPattern] = []


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


def compiled(source: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """`re.compile`, when it is first used, for patterns that are written in this package, or that a
    function makes of its words (not of configuration)."""
    pattern = LazyPattern(source, int(flags))
    _written.append(pattern)
    return cast("re.Pattern[str]", pattern)


def compile_all() -> None:
    """Compile those that were written so far, for a process that stays."""
    for pattern in _written:
        pattern.made()

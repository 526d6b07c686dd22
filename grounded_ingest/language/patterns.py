"""Our regular expressions, compiled when they are first used: most runs use a third of them."""

from __future__ import annotations

import re
from typing import Any, cast


class LazyPattern:
    """Stands for a compiled pattern. What is used of it once is kept as its own attribute."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile` for patterns that are written in this package, when they are first used."""
    return cast("re.Pattern[str]", LazyPattern(source, flags))

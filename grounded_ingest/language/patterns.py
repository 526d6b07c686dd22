"""Our regular expressions, compiled once per installation.

Compiling the patterns of a hook run takes as long as the rest of its work, and the standard library
keeps nothing of it from one process to the next. What the compiler made of them is kept beside this
package's bytecode and made of nothing else, so it is trusted exactly as that is. ADR 0014.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import re
import sys
from array import array
from functools import cache
from typing import Any, cast

_Kept = tuple[int, bytes, int, dict[str, int]]
"""Flags, machine words, number of groups, groups by name."""

MOST = 2000
_new: dict[tuple[str, int], _Kept] = {}


class LazyPattern:
    """Stands for a compiled pattern: most runs use a third of them. What is used of it once is kept
    as its own attribute."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(_made(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile`, when it is first used, for patterns that are written in this package (not in
    configuration)."""
    return cast("re.Pattern[str]", LazyPattern(source, int(flags)))


@cache
def _made(source: str, flags: int) -> re.Pattern[str]:
    kept = _kept().get((source, flags))
    if kept is not None:
        # Words of another interpreter do not pass sre's own validation.
        with contextlib.suppress(RuntimeError, OverflowError, TypeError, ValueError, ImportError):
            return _revived(source, kept)
    if not _file():
        return re.compile(source, flags)
    try:
        kept = _new[source, flags] = _compile(source, flags)
        return _revived(source, kept)
    except (ImportError, AttributeError, RuntimeError, TypeError):  # not this CPython's inside
        _new.pop((source, flags), None)
        return re.compile(source, flags)


def _compile(source: str, flags: int) -> _Kept:
    """What `re._compiler.compile` hands to `_sre.compile`."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(source, flags)
    words = array("I", _compiler._code(parsed, flags))
    state = parsed.state
    return int(flags | state.flags), words.tobytes(), state.groups - 1, dict(state.groupdict)


def _revived(source: str, kept: _Kept) -> re.Pattern[str]:
    import _sre  # type: ignore[import-not-found,unused-ignore]

    flags, words, groups, named = kept
    names: list[str | None] = [None] * (groups + 1)
    for name, number in named.items():
        names[number] = name
    code = array("I", words).tolist()
    found: re.Pattern[str] = _sre.compile(source, flags, code, groups, named, tuple(names))
    return found


@cache
def _file() -> str:
    """Where they are kept, beside the bytecode; empty where this interpreter keeps none."""
    bytecode = __spec__.cached if __spec__ is not None else None
    if sys.implementation.name != "cpython" or not bytecode or array("I").itemsize != 4:
        return ""
    return f"{os.path.dirname(bytecode)}/patterns.{sys.hexversion:x}.bin"


@cache
def _kept() -> dict[tuple[str, int], _Kept]:
    try:
        with open(_file(), "rb") as file:
            found: Any = marshal.loads(file.read())  # noqa: S302  as the bytecode beside it
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def keep_patterns() -> None:
    """Add what this process compiled to what is kept; nothing happens where that is impossible."""
    if not _new or sys.dont_write_bytecode:
        return
    kept = _kept() if len(_kept()) + len(_new) <= MOST else {}
    draft = f"{_file()}.{os.getpid()}"
    try:
        with open(draft, "xb") as file:
            file.write(marshal.dumps(kept | _new))
        os.replace(draft, _file())
    except (OSError, KeyboardInterrupt):  # a read-only installation; Ctrl-C while leaving
        with contextlib.suppress(OSError):
            os.unlink(draft)

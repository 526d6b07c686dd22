"""The version of the program, and a text that identifies its code."""

from __future__ import annotations

import os
from functools import cache

__version__ = "0.1.0"
_PACKAGE = os.path.dirname(__file__)


@cache
def code_stamp(*folders: str) -> str:
    """Returns a text that changes whenever code in these folders of the package changes. Without
    folders, covers the whole package.
    """
    below = [os.path.join(_PACKAGE, f) for f in folders] or [d for d, _, _ in os.walk(_PACKAGE)]
    files = (entry for folder in below for entry in os.scandir(folder))
    code = ((e.path, e.stat()) for e in files if e.name.endswith((".py", ".scm")))
    stamps = (f"{path[len(_PACKAGE) :]}:{s.st_size}:{s.st_mtime_ns}" for path, s in code)
    return "\n".join((__version__, *sorted(stamps)))

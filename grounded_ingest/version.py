"""The version, for those who must not import the package's face, and what tells its code apart."""

from __future__ import annotations

import os
from functools import cache

__version__ = "0.1.0"
_PACKAGE = os.path.dirname(__file__)


@cache
def code_stamp(*folders: str) -> str:
    """Tells the code of some folders of this package, or all of it, from any other; a checkout
    that is being edited included."""
    below = [os.path.join(_PACKAGE, f) for f in folders] or [d for d, _, _ in os.walk(_PACKAGE)]
    files = (entry for folder in below for entry in os.scandir(folder))
    code = ((e.path, e.stat()) for e in files if e.name.endswith((".py", ".scm")))
    stamps = (f"{path[len(_PACKAGE) :]}:{s.st_size}:{s.st_mtime_ns}" for path, s in code)
    return "\n".join((__version__, *sorted(stamps)))

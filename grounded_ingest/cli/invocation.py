"""Finds the command that starts this program, so that users can copy the printed commands."""

from __future__ import annotations

import os
import sys
from functools import cache
from shlex import quote

from grounded_ingest.report.formats import NAME

_BUILT = ("py_env-", "/hooks/python-")
"""Parts of the path of an environment that pre-commit or prek builds for a hook. They put its
folder first on PATH."""


@cache
def program() -> str:
    """Returns the command that starts this program in the user's shell, quoted for that shell. The
    command is the bare program name if PATH finds this program, else the full path of the
    script. Below pre-commit, any program of this name on PATH counts, because the script is in
    pre-commit's own folder."""
    script = _script()
    there = _which(_prompt_path(script))
    if script and there and (_same(there, script) or "PRE_COMMIT" in os.environ):
        return NAME
    return quote(script) if script else f"{quote(sys.executable)} -m grounded_ingest"


def _script() -> str:
    """Returns the path of the started script, else of the script next to the Python interpreter.
    Returns an empty string if neither script exists."""
    started = os.path.abspath(sys.argv[0])
    beside = _which([os.path.dirname(os.path.abspath(sys.executable))])
    if os.path.basename(os.path.splitext(started)[0]) == NAME and os.path.isfile(started):
        return started
    return beside


def _which(places: list[str]) -> str:
    """Returns the first executable named `grounded-ingest` in the folders `places`, or "".
    `shutil.which` is not used, because importing `shutil` would slow down the hook."""
    for place in places:
        for name in (NAME, f"{NAME}.exe") if os.name == "nt" else (NAME,):
            full = os.path.join(place, name)
            if os.path.isfile(full) and os.access(full, os.X_OK):
                return full
    return ""


def _prompt_path(script: str) -> list[str]:
    """Returns the folders in PATH, without the folder that pre-commit or `uv run` put first."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    by_runner = "UV" in os.environ or any(part in script for part in _BUILT)
    return places[by_runner and _same(places[0], os.path.dirname(script)) :]


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)

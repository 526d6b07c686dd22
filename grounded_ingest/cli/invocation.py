"""How this program was started, so that what is printed can be typed where it is read."""

from __future__ import annotations

import os
import sys
from functools import cache

from grounded_ingest.report.formats import NAME

_RUNNERS = ("PRE_COMMIT", "UV")
"""Set by runners that put an environment of their own first on PATH: pre-commit, uv."""


@cache
def program() -> str:
    """The words, as a shell reads them, that start this program from the person's own prompt: its
    bare name where PATH leads to it there, else the full path of its script."""
    script = _script()
    there = _which(_places_of_the_prompt(script))
    if script and there and _same(there, script):
        return NAME
    from shlex import quote

    return quote(script) if script else f"{quote(sys.executable)} -m grounded_ingest"


def on_path() -> bool:
    """Whether PATH leads to this program."""
    return program() == NAME


def _script() -> str:
    """The script beside the interpreter that runs, or the one that was started; else nothing."""
    started = os.path.abspath(sys.argv[0])
    beside = _which([os.path.dirname(os.path.abspath(sys.executable))])
    if os.path.basename(os.path.splitext(started)[0]) == NAME and os.path.isfile(started):
        return started
    return beside


def _which(places: list[str]) -> str:
    """The first executable of our name; `shutil.which` costs an import in every hook."""
    for place in places:
        for name in (NAME, f"{NAME}.exe") if os.name == "nt" else (NAME,):
            full = os.path.join(place, name)
            if os.path.isfile(full) and os.access(full, os.X_OK):
                return full
    return ""


def _places_of_the_prompt(script: str) -> list[str]:
    """PATH without what a runner put in front of it for this process alone."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    own = os.path.dirname(script)
    if any(name in os.environ for name in _RUNNERS) and places and _same(places[0], own):
        return places[1:]
    return places


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def origin() -> tuple[str, str]:
    """The public repository and revision that this program was installed from, as its installer
    recorded it; empty where from elsewhere.

    https://packaging.python.org/en/latest/specifications/direct-url-data-structure/
    """
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit

    try:
        recorded = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
        vcs = recorded.get("vcs_info") or {}
        place = urlsplit(recorded.get("url", ""))
    except (PackageNotFoundError, ValueError, AttributeError):
        return "", ""
    if vcs.get("vcs") != "git" or place.scheme != "https" or "@" in place.netloc:
        return "", ""
    return place.geturl(), str(vcs.get("commit_id", ""))

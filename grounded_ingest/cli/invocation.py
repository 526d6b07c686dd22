"""Finds out how to start this program, so that printed commands can be typed."""

from __future__ import annotations

import os
import sys
from functools import cache

from grounded_ingest.report.formats import NAME

_RUNNERS = ("PRE_COMMIT", "UV")
"""Variables of pre-commit and uv, which put an environment of their own first on PATH."""


@cache
def program() -> str:
    """Returns the command that starts this program at the user's own prompt, quoted for a shell:
    its bare name if PATH leads to it, else the full path of its script."""
    script = _script()
    there = _which(_prompt_path(script))
    if script and there and _same(there, script):
        return NAME
    from shlex import quote  # late: rarely needed, and the hook comes here

    return quote(script) if script else f"{quote(sys.executable)} -m grounded_ingest"


def on_path() -> bool:
    """Whether PATH leads to this program."""
    return program() == NAME


def _script() -> str:
    """Returns the script that was started, else the one beside the interpreter; else nothing."""
    started = os.path.abspath(sys.argv[0])
    beside = _which([os.path.dirname(os.path.abspath(sys.executable))])
    if os.path.basename(os.path.splitext(started)[0]) == NAME and os.path.isfile(started):
        return started
    return beside


def _which(places: list[str]) -> str:
    """Returns the first executable of our name. `shutil.which` would cost the hook an import."""
    for place in places:
        for name in (NAME, f"{NAME}.exe") if os.name == "nt" else (NAME,):
            full = os.path.join(place, name)
            if os.path.isfile(full) and os.access(full, os.X_OK):
                return full
    return ""


def _prompt_path(script: str) -> list[str]:
    """Returns PATH without the folder that a runner put in front for this process."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    own = os.path.dirname(script)
    if any(name in os.environ for name in _RUNNERS) and places and _same(places[0], own):
        return places[1:]
    return places


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def origin() -> tuple[str, str]:
    """Returns the public git repository and revision that this program was installed from, as its
    installer recorded them; empty texts if it was installed otherwise.

    https://packaging.python.org/en/latest/specifications/direct-url-data-structure/
    """
    # Late: `init` and `lsp` alone ask.
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

"""Finds the command that starts this program, so that users can copy the printed commands."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

from grounded_ingest.report.formats import NAME

_RUNNERS = ("PRE_COMMIT", "UV")
"""Environment variables that pre-commit and uv set. Each of these programs puts a folder of its own
first on PATH.
"""


@cache
def program() -> str:
    """Returns the command that starts this program in the user's shell, quoted for that shell.

    The command is the bare program name if PATH finds this program, else the full path of the
    script.
    """
    script = _script()
    there = _which(_prompt_path(script))
    if script and there and _same(there, script):
        return NAME
    from shlex import quote  # imported late, because the hook calls this function too

    return quote(script) if script else f"{quote(sys.executable)} -m grounded_ingest"


def on_path() -> bool:
    """Returns whether PATH finds this program."""
    return program() == NAME


def _script() -> str:
    """Returns the path of the started script, else of the script beside the Python interpreter.

    Returns an empty string if neither script exists.
    """
    started = os.path.abspath(sys.argv[0])
    beside = _which([os.path.dirname(os.path.abspath(sys.executable))])
    if os.path.basename(os.path.splitext(started)[0]) == NAME and os.path.isfile(started):
        return started
    return beside


def _which(places: list[str]) -> str:
    """Returns the first executable named `grounded-ingest` in the folders `places`, or "".

    `shutil.which` is not used, because importing `shutil` would slow down the hook.
    """
    for place in places:
        for name in (NAME, f"{NAME}.exe") if os.name == "nt" else (NAME,):
            full = os.path.join(place, name)
            if os.path.isfile(full) and os.access(full, os.X_OK):
                return full
    return ""


def _prompt_path(script: str) -> list[str]:
    """Returns the folders in PATH, without the folder that pre-commit or uv put first."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    own = os.path.dirname(script)
    if any(name in os.environ for name in _RUNNERS) and places and _same(places[0], own):
        return places[1:]
    return places


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def install_command(extra: str) -> str:
    """Returns the command that adds an extra to this installation, quoted for a shell.

    The command names what this program was installed from: a folder (editable or not), a wheel, a
    git repository or an index. It installs into the environment of the running interpreter.
    """
    from shlex import join  # imported late, because only a missing extra needs the command
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    recorded = _installation_record()
    url = str(recorded.get("url") or "")
    place = urlsplit(url)
    source = [f"{NAME}[{extra}]"]
    if recorded.get("vcs_info"):
        commit = recorded["vcs_info"].get("commit_id", "")
        source = [f"{NAME}[{extra}] @ git+{url}{'@' if commit else ''}{commit}"]
    elif place.scheme == "file":
        path = url2pathname(place.path)
        editable = (recorded.get("dir_info") or {}).get("editable")
        source = [*(["-e"] if editable else []), f"{path}[{extra}]"]
    elif url:
        source = [f"{NAME}[{extra}] @ {url}"]
    return join([*_installer(), *source])


def _installer() -> list[str]:
    """Returns the command that installs a package beside this program.

    uv and pipx keep programs in environments that may not contain pip.
    """
    from importlib.util import find_spec  # imported late, as above

    if find_spec("pip"):
        return [sys.executable, "-m", "pip", "install"]
    return ["uv", "pip", "install", "--python", sys.executable]


def _installation_record() -> dict[str, Any]:
    """Returns what the installer recorded about the source of this program.

    The record is empty if the program came from an index, or was not installed.
    https://packaging.python.org/en/latest/specifications/direct-url-data-structure/
    """
    # Imported late, because only `init`, `lsp` and a missing extra need the record.
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        recorded = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return recorded if isinstance(recorded, dict) else {}


def origin() -> tuple[str, str]:
    """Returns the public git repository and the revision that this program was installed from.

    Returns two empty strings if the program was not installed from a public git repository.
    """
    from urllib.parse import urlsplit  # imported late, as above

    recorded = _installation_record()
    vcs = recorded.get("vcs_info") or {}
    try:
        place = urlsplit(recorded.get("url", ""))
    except (ValueError, AttributeError):
        return "", ""
    if vcs.get("vcs") != "git" or place.scheme != "https" or "@" in place.netloc:
        return "", ""
    return place.geturl(), str(vcs.get("commit_id", ""))

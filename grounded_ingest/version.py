"""The version of the program, where it was installed from, and a text that identifies its code."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from urllib.parse import SplitResult

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


def install_command(extra: str) -> str:
    """Returns the command that adds an extra to this installation, quoted for a shell.

    The command names what this program was installed from: a folder (editable or not), a wheel, a
    git repository or an index. The extra is installed for the running interpreter.
    """
    from shlex import join  # imported late, because only a missing extra needs the command
    from urllib.request import url2pathname

    recorded, place = _installation_record()
    url = place.geturl()
    source = [f"grounded-ingest[{extra}]"]
    if recorded.get("vcs_info"):
        commit = recorded["vcs_info"].get("commit_id", "")
        source = [f"grounded-ingest[{extra}] @ git+{url}{'@' if commit else ''}{commit}"]
    elif place.scheme == "file":
        path = url2pathname(place.path)
        editable = (recorded.get("dir_info") or {}).get("editable")
        source = [*(["-e"] if editable else []), f"{path}[{extra}]"]
    elif url:
        source = [f"grounded-ingest[{extra}] @ {url}"]
    return join([*_installer(), *source])


def _installer() -> list[str]:
    """Returns the command that installs a package beside this program.

    uv and pipx keep programs in environments that may not contain pip.
    """
    from importlib.util import find_spec  # imported late, as above

    if find_spec("pip"):
        return [sys.executable, "-m", "pip", "install"]
    return ["uv", "pip", "install", "--python", sys.executable]


def _installation_record() -> tuple[dict[str, Any], SplitResult]:
    """Returns what the installer recorded about the source of this program, and the source's URL.

    Both are empty if the program came from an index, or was not installed.
    https://packaging.python.org/en/latest/specifications/direct-url-data-structure/
    """
    # Imported late, because only `init`, `lsp` and a missing extra need the record.
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit

    try:
        recorded = json.loads(distribution("grounded-ingest").read_text("direct_url.json") or "{}")
        return recorded, urlsplit(recorded.get("url", ""))
    except (PackageNotFoundError, ValueError, AttributeError):
        return {}, urlsplit("")


def origin() -> tuple[str, str]:
    """Returns the public git repository and the revision that this program was installed from.

    Returns two empty strings if the program was not installed from a public git repository.
    """
    recorded, place = _installation_record()
    vcs = recorded.get("vcs_info") or {}
    if vcs.get("vcs") != "git" or place.scheme != "https" or "@" in place.netloc:
        return "", ""
    return place.geturl(), str(vcs.get("commit_id", ""))


def installed_from() -> str:
    """Returns the folder on this machine, or the address of the package file, that this program was
    installed from.

    Returns an empty string if there is no record, or if the folder or the file is gone.
    """
    from urllib.request import url2pathname  # imported late, as above

    recorded, place = _installation_record()
    path = url2pathname(place.path)
    if place.scheme == "file" and os.path.exists(path):
        return path if os.path.isdir(path) else place.geturl()
    public = place.scheme == "https" and "@" not in place.netloc
    return place.geturl() if public and "archive_info" in recorded else ""

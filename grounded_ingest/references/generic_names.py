"""Names that files and folders have in any project, and names of folders that programs make."""

from __future__ import annotations

from grounded_ingest.text.lexicon import paths
from grounded_ingest.text.patterns import compiled

_READERS_OWN = frozenset(paths.READERS_OWN.split())
_GENERIC, _RUN_TIME = compiled(paths.GENERIC), compiled(paths.RUN_TIME)


def is_of_readers(name: str) -> bool:
    """Whether the project of whoever reads a README has a file of this name."""
    return name in _READERS_OWN


def is_generic(path: str) -> bool:
    """Whether a path ends in a name that says nothing of where it belongs: README.md, src."""
    return _GENERIC.fullmatch(path.rstrip("/").rpartition("/")[2]) is not None


def is_made_at_run_time(path: str) -> bool:
    """Whether a path lies in a folder called as those are that programs make where they run."""
    return any(map(_RUN_TIME.fullmatch, path.strip("/").split("/")))

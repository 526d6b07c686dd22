"""grounded-ingest: sorts what is written into a repository's memory by its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grounded_ingest.version import __version__

__all__ = ["__version__", "check", "ground", "recall", "validate"]

if TYPE_CHECKING:
    from grounded_ingest.api import check, ground, recall, validate


def __getattr__(name: str) -> Any:
    """Load the API only for those who use it: the command starts without it."""
    if name in ("check", "ground", "recall", "validate"):
        from grounded_ingest import api

        return getattr(api, name)
    raise AttributeError(name)

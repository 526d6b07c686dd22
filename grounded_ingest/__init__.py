"""grounded-ingest checks the statements in a repository's documents and agent memory files against
the repository.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grounded_ingest.version import __version__

__all__ = [
    "GroundedIngestError", "ReviewQueue", "__version__", "check", "ground", "recall", "support",
    "validate",
]  # fmt: skip

if TYPE_CHECKING:
    from grounded_ingest.api import ReviewQueue, check, ground, recall, support, validate
    from grounded_ingest.errors import GroundedIngestError


def __getattr__(name: str) -> Any:
    """Loads a name from the Python API at its first use, so that the command line starts without
    the API.
    """
    if name in __all__:
        # Imported late, so that `import grounded_ingest` stays fast.
        from grounded_ingest import api

        return getattr(api, name)
    raise AttributeError(name)

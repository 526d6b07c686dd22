"""Which documents of a tree were not read, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grounded_ingest.config.globs import matches
from grounded_ingest.config.settings import (
    EXCLUDE_GLOBS,
    NEVER_GLOBS,
    OTHERS_GLOBS,
    UNREAD_GLOBS,
    Config,
)
from grounded_ingest.git.repository import SYMLINK
from grounded_ingest.model.report import LeftOut
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.repository.documents import KnowledgeBase

# A `.txt` is a page where pages are kept; elsewhere it is a list that a program reads.
_DOCUMENT = compiled(
    r"(?i)(?:.*\.(?:md|markdown|mdx|mdc|rst|adoc)|(?:.*/)?docs?/(?!.*(?:requirements|constraints|robots"
    r"|cmakelists)[^/]*$).*\.txt)$"
)


def left_out(kb: KnowledgeBase) -> Iterator[LeftOut]:
    """Yields the tracked documents, by their suffix, that no run of this configuration reads."""
    for path in sorted(kb.tree.files):
        if path in kb.documents:
            problems = kb.index.extraction(kb.documents[path]).problems
            why = next((p.message for p in problems if p.rule in ("unreadable", "unread")), "")
            if why and not kb.index.extraction(kb.documents[path]).claims:
                yield LeftOut(path, why)
        elif _DOCUMENT.match(path) and kb.tree.mode(path) != SYMLINK:
            yield LeftOut(path, _why_unread(kb.config, path))


def _why_unread(config: Config, path: str) -> str:
    """Why the configuration leaves out a document; never empty."""
    if glob := _matching(NEVER_GLOBS, path):
        return f"nothing below {glob} is ever read"
    if glob := _matching(tuple(g for g in config.exclude if g[:1] != "!"), path):
        if glob in OTHERS_GLOBS:
            return f"vendored or generated: {glob}"
        default = " by default" if glob in EXCLUDE_GLOBS else ""
        return f"excluded{default}: {glob}"
    if glob := _matching(UNREAD_GLOBS, path):
        return f"changelog, test data or generated: {glob}"
    suffix = path.rpartition(".")[2]
    return f"a .{suffix} is read in memory places alone"


def _matching(globs: tuple[str, ...], path: str) -> str:
    """The first glob that a path matches, or lies below; empty if none does."""
    return next((g for g in globs if matches((g,), path, fold=True, below=True)), "")

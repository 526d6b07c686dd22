"""Base: the protected state a change is judged against."""

from __future__ import annotations

from typing import NamedTuple

from grounded_ingest.git.trees import CommitTree


class Base(NamedTuple):
    """The protected state a change is judged against. An empty `commit` is an empty tree;
    `known` is false where the default branch could not be found."""

    commit: str
    tree: CommitTree
    known: bool
    reason: str

"""Documents that are copies of each other on purpose: configured groups, and those found."""

from __future__ import annotations

from grounded_ingest.config.globs import matches
from grounded_ingest.config.settings import Config
from grounded_ingest.knowledge.documents import KnowledgeBase


class Mirrors:
    """Whether two documents mirror each other: at least 5 claims and half of all in common."""

    def __init__(self, kb: KnowledgeBase, config: Config) -> None:
        self.kb, self.config = kb, config
        self._found: dict[tuple[str, str], bool] = {}
        self._ids: dict[str, frozenset[str]] = {}

    def mirrored(self, one: str, other: str) -> bool:
        pair = (one, other) if one < other else (other, one)
        if pair not in self._found:
            self._found[pair] = self._mirror(*pair)
        return self._found[pair]

    def _mirror(self, one: str, other: str) -> bool:
        for group in self.config.mirrors:
            if matches(group, one) and matches(group, other):
                return True
        mine, theirs = self._ids_of(one), self._ids_of(other)
        common = len(mine & theirs)
        return common >= 5 and 2 * common >= min(len(mine), len(theirs))

    def _ids_of(self, path: str) -> frozenset[str]:
        if path not in self._ids:
            self._ids[path] = frozenset(p.claim.id for p in self.kb.places(path))
        return self._ids[path]

"""What every family of runs is given: sizes, rounds, a place to work, and a voice."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.prose import Prose, project_pages
from benchmarks.repository import Repository
from benchmarks.tools import PROJECT

SIZES = (1_000, 10_000, 100_000, 1_000_000)


class Setup(NamedTuple):
    """`sizes` are claims in the base, the second the one budgets speak of; `tree` a
    directory of Markdown of the user's, or empty."""

    directory: str
    rounds: int
    sizes: tuple[int, ...]
    claims: int
    urls: int
    delay: float
    tree: str
    say: Callable[[str], None]
    built: dict[int, Repository]

    @property
    def reference(self) -> int:
        return self.sizes[min(1, len(self.sizes) - 1)]

    def repository(self, size: int) -> Repository:
        """The knowledge base of that size, built where none of the runs before did."""
        if size not in self.built:
            self.say(f"building a knowledge base of {size:,} claims")
            root = os.path.join(self.directory, f"claims-{size}")
            self.built[size] = Repository(root, size, self.prose(size))
        return self.built[size]

    def prose(self, seed: int) -> Prose:
        return Prose(project_pages(PROJECT), seed)


def full_size(
    directory: str,
    rounds: int,
    largest: int,
    tree: str,
    say: Callable[[str], None],
) -> Setup:
    sizes = tuple(s for s in SIZES if s <= largest) or SIZES[:1]
    return Setup(directory, rounds, sizes, 150, 500, 0.05, tree, say, {})


def small(directory: str, tree: str, say: Callable[[str], None]) -> Setup:
    """As small as tells whether everything runs; the figures mean nothing."""
    return Setup(directory, 1, (200, 400, 800), 60, 20, 0.005, tree, say, {})

"""The process that the self-join is timed as, and the one that holds its answer to account.

`python -m benchmarks.join_process join|exact CLAIMS PAIRS` reads a claim a line and writes the
line numbers of pairs, from 0, the smaller first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module

SELF_JOIN = "grounded_ingest.audit.claim_pairs"
THRESHOLD, EXACT_WORDS, NEAR_WORDS = 0.92, 5, 7


def join(claims: list[str]) -> Iterable[tuple[int, int]]:
    """The product's answer."""
    found: Iterable[tuple[int, int]] = import_module(SELF_JOIN).pairs(claims)
    return found


def exact(claims: list[str]) -> Iterator[tuple[int, int]]:
    """Every pair compared with every other: no index, no keys."""
    from grounded_ingest.language.reading import word_list
    from grounded_ingest.language.word_keys import jaccard

    sets = [frozenset(word_list(claim)) for claim in claims]
    for one, words in enumerate(sets):
        for other in range(one + 1, len(sets)):
            if jaccard(words, sets[other]) >= THRESHOLD:
                few = EXACT_WORDS if words == sets[other] else NEAR_WORDS
                if min(len(words), len(sets[other])) >= few:
                    yield one, other


def main() -> None:
    how, source, target = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        claims = file.read().splitlines()
    found = (join if how == "join" else exact)(claims)
    with open(target, "w", encoding="ascii") as file:
        file.writelines(f"{min(p)} {max(p)}\n" for p in found)


if __name__ == "__main__":
    main()

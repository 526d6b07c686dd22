"""How much is compared: counted in words, so that the same is compared on every machine.

What is beyond the budget is unknown and waits; a claim is compared with all that it cites or with
nothing of it, so that what grounds it does not hang on an order (docs/adr/0032).
"""

from __future__ import annotations

from grounded_ingest.support.claims import LONGEST, read
from grounded_ingest.support.source import Source, passages

CLAIM = 1_000_000
"""Compared words of one claim: its words and numbers, each beside every passage of its sources."""
RUN = 200_000_000
"""Compared words of a run."""


def compared_words(claim: str, source: Source) -> int:
    """What comparing a claim, its citations left out, with a source costs."""
    if len(claim) > LONGEST:
        return 0  # it is not compared
    said = read(claim)
    return (len(said.terms) + len(said.amounts)) * len(passages(source))


class Budget:
    """The compared words of one run."""

    def __init__(self, claim: int = CLAIM, run: int = RUN) -> None:
        self.claim, self.run = claim, run
        self.spent = 0
        self.refused = False

    def over(self, words: int) -> str:
        """Why so much more is not compared; empty where it is, which spends it."""
        self.refused |= words > self.claim or self.spent + words > self.run
        if words > self.claim:
            return (
                f"not compared: {words:,} words to compare, more than {self.claim:,}; "
                "cite lines, or fewer sources"
            )
        if self.spent + words > self.run:
            return f"not compared: this run has compared {self.run:,} words; check fewer documents"
        self.spent += words
        return ""

"""How much is compared: counted in words, so that the same is compared on every machine.

What is beyond the budget is unknown and waits; a claim is compared with all that it cites or with
nothing of it, so that what grounds it does not hang on an order (docs/adr/0032).
"""

from __future__ import annotations

from grounded_ingest.support.source import LONGEST, SourceText

CLAIM = 2_000_000
"""Compared words of one claim: its words, each beside every line and sentence of its sources."""
RUN = 1_000_000_000
"""Compared words of a run."""
_PIECE = 1000
"""Characters of a line that count as one."""


def compared_words(text: str, *sources: SourceText) -> int:
    """What comparing a claim, its citations left out, with sources costs. Counted without reading
    them: what is kept of an earlier run costs as much as what is compared now."""
    if len(text) > LONGEST:
        return 0  # it is not compared
    words = len(text.split())
    return sum(words * _places(source) for source in sources)


def _places(source: SourceText) -> int:
    texts = (source.text, source.diff)
    places = sum(t.count("\n") + t.count(". ") + len(t) // _PIECE + 1 for t in texts if t)
    return places + len(source.paths)


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

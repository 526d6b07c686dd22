"""How text output looks: how much of it, and in colour or not."""

from __future__ import annotations

from typing import Literal, NamedTuple

from grounded_ingest.model.claims import Tier

NAME = "grounded-ingest"
Colour = Literal["red", "yellow", "green", "bold", "dim"]

_SGR = {"red": "1;31", "yellow": "33", "green": "32", "bold": "1", "dim": "2"}
_OF_TIER: dict[int, Colour] = {Tier.APPROVE: "green", Tier.REVIEW: "yellow", Tier.BLOCK: "red"}


class Look(NamedTuple):
    """`verbosity` -1 shows what blocks, 0 a line per document for the rest, 1 every claim that
    waits as well. `program` is what starts this one where the text is read, `again` what lists all
    that was left out; `asks_on` ends with a command that tells more."""

    verbosity: int = 0
    color: bool = False
    program: str = NAME
    again: str = "-v"
    asks_on: bool = False

    def commands(self, own: str) -> str:
        """Words of our own with the commands in them as they can be typed."""
        return own.replace(f"`{NAME} ", f"`{self.program} ")

    def paint(self, text: str, colour: Colour) -> str:
        return f"\033[{_SGR[colour]}m{text}\033[0m" if self.color else text

    def rule(self, rule: str, tier: int) -> str:
        """A rule's name in the colour of its tier."""
        return self.paint(rule, _OF_TIER.get(tier, "dim"))


PLAIN = Look()

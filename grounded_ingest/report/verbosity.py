"""How text output looks: how much of it, and in colour or not."""

from __future__ import annotations

from typing import Literal, NamedTuple

NAME = "grounded-ingest"
Colour = Literal["red", "yellow", "green", "bold", "dim"]

_SGR = {"red": "1;31", "yellow": "33", "green": "32", "bold": "1", "dim": "2"}
_OF_SEVERITY: dict[str, Colour] = {"error": "red", "warning": "yellow"}


class Look(NamedTuple):
    """`verbosity` -1 leaves out the last line, 1 adds the claim and how to ignore the finding, 2
    also lists decisions that nobody can act on. `program` is the command that starts this program
    where the text is read."""

    verbosity: int = 0
    color: bool = False
    program: str = NAME

    def commands(self, text: str) -> str:
        """Returns a text with the commands in it as they can be typed."""
        return text.replace(f"`{NAME} ", f"`{self.program} ")

    def paint(self, text: str, colour: Colour) -> str:
        return f"\033[{_SGR[colour]}m{text}\033[0m" if self.color else text

    def rule(self, rule: str, severity: str) -> str:
        """Returns a rule's name in the colour of its severity."""
        return self.paint(rule, _OF_SEVERITY.get(severity, "dim"))


PLAIN = Look()

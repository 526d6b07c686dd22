"""The types of mentions: a reference that a claim mentions, and the tree's answer to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.text.code_spans import code_spans

Over = Sequence[tuple[str, str]]
"""What a claim stands under, as (kind, text), the outermost first."""


class Reference(NamedTuple):
    """A mention in a claim of the document at `path`. `start` and `end` delimit it in the claim's
    text. `name` is looked up; `of` is the file, command or value that it belongs to, if any."""

    kind: CitationKind
    path: str
    name: str
    start: int
    end: int
    of: str = ""


class TreeAnswer(NamedTuple):
    """The tree's answer to a reference.

    `target` is the normalised name of what is meant. `reason` says why it does not hold, and where
    the thing went. `before` is the number of characters before the mention that hold with it, such
    as the command of an option. `loose` is true if it holds in one of several readings: enough not
    to be wrong, too little to prove a claim. `elsewhere` are words for other places that have it;
    if the text names one of them, the reference is not wrong. `instead` is the target that
    `check --fix` writes in its place.
    """

    verdict: Verdict
    target: str
    reason: str = ""
    line: int = 0
    before: int = 0
    loose: bool = False
    elsewhere: tuple[str, ...] = ()
    instead: str = ""


Answers = dict[Reference, TreeAnswer]
"""Answers by reference. References that the tree can say nothing about are missing."""


def find_in_commands(
    path: str, claim: Claim, find: Callable[[str, str, int], Iterable[Reference]]
) -> list[Reference]:
    """Returns what `find` finds in those code spans of a claim that may be command lines. `find`
    takes the document's path, a command line, and where the line starts in the claim."""
    spans = (s for s in code_spans(claim.text) if " " in s.text) if "`" in claim.text else ()
    return [found for span in spans for found in find(path, span.text, span.start)]


def add_fates(
    found: Answers, fate: Callable[[Reference, TreeAnswer], TreeAnswer], most: int
) -> Answers:
    """Returns answers, the first `most` refuted ones completed by `fate` with what history shows:
    a look into history is dear."""
    refuted = [r for r, answer in found.items() if answer.verdict is Verdict.REFUTED]
    return found | {r: fate(r, found[r]) for r in refuted[:most]}


class ReferenceKind(Protocol):
    """The module of a kind."""

    KIND: CitationKind

    def mentions(self, path: str, claim: Claim) -> Sequence[Reference]:
        """Returns the references of this kind in a claim of a document. Reads nothing else."""

    def answers(self, asked: Sequence[Reference], context: Context) -> Answers:
        """Returns the tree's answers to all references of a run at once."""

"""A reference: something a claim mentions that parsing the tree can confirm or refute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from grounded_ingest.extract.reference_cues import said_of_file
from grounded_ingest.extract.surroundings import clause, suggested
from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    DocClass,
    MemoryType,
    Place,
    Verdict,
)
from grounded_ingest.references.context import Context
from grounded_ingest.text.dated_paths import is_dated_section, tells_of_a_day
from grounded_ingest.text.force import force_words
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled

Over = Sequence[tuple[str, str]]
"""What a claim stands under, as (kind, text), the outermost first."""


class Reference(NamedTuple):
    """A mention in a claim. `start` to `end` is its place in the claim's text, `name` what is
    looked up, `of` the file, command or value it is said of, if any. `path` is the document."""

    kind: CitationKind
    path: str
    name: str
    start: int
    end: int
    of: str = ""


class TreeAnswer(NamedTuple):
    """What the tree says of a reference. `target` is what was meant, normalised; `reason` says why
    it is not confirmed, and where the thing went. `before`: how many characters before the mention
    are borne out with it, as the command is that an option belongs to. `loose`: it holds in one of
    several ways to read it, which is enough not to be wrong and too little to prove a claim.
    `elsewhere`: words for other places that have it; with one of them near it is not wrong.
    `instead`: the target that `check --fix` writes in its place."""

    verdict: Verdict
    target: str
    reason: str = ""
    line: int = 0
    before: int = 0
    loose: bool = False
    elsewhere: tuple[str, ...] = ()
    instead: str = ""


Answers = dict[Reference, TreeAnswer]
"""References that the tree can say nothing of are missing."""


class Answering(Protocol):
    """The module of a kind."""

    KIND: CitationKind

    def mentions(self, path: str, claim: Claim) -> Sequence[Reference]:
        """The references of this kind in a claim of a document; looks at nothing else."""

    def answers(self, asked: Sequence[Reference], context: Context) -> Answers:
        """What the tree says of them, all of a run at once."""


def exemption(claim: Claim, over: Over, reference: Reference | None = None) -> str:
    """Returns why a reference need not be there: `gone`, `planned`, `example`, `foreign`, what its
    neighbouring words say of it, or a word that denies it in its clause; empty if nothing does.
    Without a reference the claim's masked words speak of all that it mentions."""
    said, section, denied = claim.masked, claim.section, ""
    if reference is not None:
        start, end = reference.start, reference.end
        if cue := said_of_file(claim.text[:start].rstrip("`"), claim.text[end:].lstrip("`")):
            return cue
        said = clause(claim.masked, start, end, 0, len(claim.masked))
        if does := _BY_IT.search(claim.masked[max(0, start - 60) : start]):
            said = said.replace(does[1], "", 1)  # "dropped by `x`": `x` is what does it now
        plain = _ASIDE.sub(" ", said)  # "`just unit` (no coverage)" runs
        denied = next((w.text for w in force_words(plain) if w.denies), "")
    if reference is not None and reference.kind is CitationKind.VERSION:
        section = _NEEDS.sub("", section)
    if found := suggested(claim.text, said, section, over):
        return min(found)
    if any(c.cue == "foreign" or "foreign" in c.around for c in claim.citations):
        return "foreign"
    return denied


_BY_IT = compiled(r"\b(?:is|are|gets?|be) (?:\w+ly )?(\w+ by) [`\s\0]*$")
_ASIDE = compiled(r"\([^()]*\)?")
_NEEDS = compiled(lexicon.NEEDS)


def tells_of_now(place: Place) -> bool:
    """Whether a claim speaks of the tree as it is: no plan, template, record of a day or decision,
    which name what was, or will be, there."""
    claim = place.claim
    if place.doc_class is DocClass.DECISIONS or claim.memory_type is MemoryType.EPISODIC:
        return False
    past = claim.recorded or is_dated_section(claim.section)
    return not past and not tells_of_a_day(place.path)


def is_said(reference: Reference, answer: TreeAnswer, place: Place, exempt: str) -> bool:
    """Whether what is not confirmed speaks against its claim. Nothing exempts a link: no plan,
    example or record has one that leads nowhere."""
    if reference.kind is CitationKind.ANCHOR:
        return True
    return not exempt and (answer.verdict is not Verdict.REFUTED or tells_of_now(place))


def why_exempt(exemption: str) -> str:
    """Returns in words why a refuted reference is skipped: what exempts it, else its document."""
    if exemption in ("gone", "planned", "example", "foreign"):
        return {
            "gone": "the text says that it went",
            "planned": "the text says that it is to come",
            "example": "the text shows an example",
            "foreign": "the text speaks of another repository",
        }[exemption]
    return f"the text says “{exemption}”" if exemption else "this text records a day"


_NAME = compiled(r"[a-z0-9][a-z0-9._-]*")


def names_one(places: Sequence[str], claim: Claim, over: Over) -> bool:
    """Whether one of the places is named in a claim, or above it."""
    said = " ".join((claim.text, claim.section, *(text for _, text in over))).lower()
    return not frozenset(places).isdisjoint(_NAME.findall(said))

"""A claim as it is compared: without its citations, in clauses, with what each holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct

from grounded_ingest.language.amount_match import Amount, is_year
from grounded_ingest.language.lexicon import (
    obligation,
    support_frames,
    support_patterns,
    support_words,
)
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading, read_text
from grounded_ingest.language.statements import finite_verbs
from grounded_ingest.language.terms import Term, words_of

ClaimType = Literal["quantitative", "temporal", "obligation", "general"]

_FENCE = compiled(support_patterns.FENCE)
_WORD = compiled(r"[a-z][a-z'’]*")
_PROMISED = compiled(obligation.PROMISED, 2)

_LEAST = 2
AMOUNT = 2.0
"""The weight of a number."""


class Clause(NamedTuple):
    """A part of a claim that says something by itself, or `points` to where it is said."""

    reading: Reading
    terms: tuple[Term, ...]
    points: bool = False

    @property
    def weight(self) -> float:
        return sum(t.weight for t in self.terms) + AMOUNT * len(self.reading.amounts)


class ClaimView(Struct, frozen=True):
    reading: Reading
    clauses: tuple[Clause, ...]
    kind: ClaimType

    @property
    def terms(self) -> list[Term]:
        return [t for c in self.clauses for t in c.terms]

    @property
    def amounts(self) -> list[Amount]:
        return [a for c in self.clauses for a in c.reading.amounts]


@lru_cache(maxsize=4096)
def claim_view(text: str) -> ClaimView:
    """A claim's text, citations left out, in clauses."""
    text = text.replace("\xa0", " ")
    text = statement(text)
    for pattern, noun in _verb_nouns():
        text = pattern.sub(noun, text)
    parts: list[Clause] = []
    for piece in _pieces(text):
        held = _clause(piece)
        if parts and (_is_scrap(held) or _is_light(parts[-1])):
            parts[-1] = _clause(_joined(parts[-1].reading.text, piece))
        else:
            parts.append(held)
    kept = (p for p in parts if p.reading.amounts or (p.terms and not examines(p)))
    reading = read_text(text)
    return ClaimView(reading, tuple(kept), claim_type(reading))


def _is_light(clause: Clause) -> bool:
    """Whether a clause holds too little to be compared by itself."""
    return sum(t.weight >= 0.6 for t in clause.terms) + len(clause.reading.amounts) < _LEAST


def _is_scrap(clause: Clause) -> bool:
    """Whether it is light and holds nothing but words."""
    return (
        _is_light(clause)
        and not clause.reading.amounts
        and all(t.kind == "word" for t in clause.terms)
    )


@cache
def _verb_nouns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((compiled(p, 2), noun) for p, noun in support_words.VERB_NOUNS.items())


def _pieces(text: str) -> Iterator[str]:
    """Where a claim can be cut in two; inside code and links it is not."""
    start = 0
    for match in _FENCE.finditer(text):
        if text.count("`", 0, match.start()) % 2:
            continue
        if match[0].strip() in ("and", ", and", ", or", ", not") and not _says(text[match.end() :]):
            continue
        # A colon stays: it tells a label, whose capitals name nothing.
        yield text[start : match.start()] + (":" if match[0].startswith(":") else "")
        start = match.end()
    yield text[start:]


def _joined(first: str, second: str) -> str:
    """Two pieces as one that still shows where the second begins: capitals there name nothing."""
    first = first.rstrip(" ;")
    return f"{first}{' ' if first.endswith(':') else '; '}{second.lstrip(' ;')}"


def _says(text: str) -> bool:
    """Whether what follows "and" is a clause and not one more of a list."""
    words = _WORD.findall(text[:80].split(",")[0].lower())[:7]
    return any(w in finite_verbs() for w in words) or (words[:1] == ["not"])


def _clause(text: str) -> Clause:
    reading = read_text(text)
    spans = [(a.start, a.end) for a in reading.amounts]
    pointers = words_of("POINTERS")
    kept = tuple(
        t for t in reading.terms
        if not any(a <= t.start < b for a, b in spans)
        and not (t.weight < 1 and t.low in pointers and t.kind == "word")
    )  # fmt: skip
    return Clause(reading, kept, points(text))


def claim_type(reading: Reading) -> ClaimType:
    """First match in this order: quantitative, temporal, obligation, general."""
    found = reading.amounts
    if any(
        a.unit not in ("time", "date", "era") and not (a.unit == "" and is_year(a)) for a in found
    ):
        return "quantitative"
    if found:
        return "temporal"
    obliges = reading.modality in ("must", "must-not") or _PROMISED.search(reading.text)
    return "obligation" if obliges else "general"


def only_points(read_claim: ClaimView) -> bool:
    """Whether a claim says no more than where to look. A denial says more."""
    pointers = words_of("POINTERS")
    if read_claim.amounts or any(c.reading.negated for c in read_claim.clauses):
        return False
    return all(t.kind == "word" and t.low in pointers for t in read_claim.terms)


# What of a claim is not about what its source says: book-keeping, pointers, examinations.

_LABEL = compiled(r"(?:^|;)\s*([^:;`.]{1,40}):(?=\s|$)")
_OWN_ID = compiled(
    rf"^(?:{support_frames.ROW_IDS}):\s*`?(?:[A-Z]{{0,6}}-?)?\d+(?:[-.]\d+)?[a-z]?`?\s*(?=;)"
)
_PLAIN_WORD = compiled(r"[a-z#]+(?:-[a-z]+)*")
_VALUE = compiled(r"\d")
_POINTS = compiled(support_frames.POINTS)
_EXAMINES = compiled(support_frames.EXAMINES)
_HEAD = compiled(support_frames.HEAD)
_HEADS = 2
"""Labels that make the head of a document."""
_LONGEST = 3
"""Words of a cell that only keeps books."""


def numbered(text: str) -> tuple[str, str]:
    """A table row in two: the number it has in its own table, and what it states."""
    own = _OWN_ID.match(text)
    return (own[0], text[own.end() :]) if own else ("", text)


def statement(text: str) -> str:
    """A table row without the names of its columns and the cells that only keep books; any other
    text as it is. A cell with a number stays, it could be false."""
    labels = list(_LABEL.finditer(text))
    if len(labels) < 2:
        return text
    text = numbered(text)[1]
    labels = list(_LABEL.finditer(text))
    kept, ends = [text[: labels[0].start()] if labels else text], [m.start() for m in labels[1:]]
    for label, end in zip(labels, (*ends, len(text)), strict=True):
        cell = text[label.end() : end]
        if not _keeps_books(label[1], cell):
            kept.append(cell)
    said = "; ".join(c.strip() for c in kept if c.strip())
    return f"; {said}" if said else _LABEL.sub("; ", text)


def _keeps_books(label: str, cell: str) -> bool:
    words = _PLAIN_WORD.findall(label.lower())
    return (
        bool(words)
        and all(w in _bookkeeping() for w in words)
        and not _VALUE.search(cell)
        and len(cell.split()) <= _LONGEST
    )


def keeps_books(said: Amount, text: str) -> bool:
    """Whether a number says something of the table or document it stands in: a cell of its own, of
    which the column says what it counts, or the version and date at the head of a document."""
    if text.startswith(";") and any(c.strip(" `*_~") == said.text for c in text.split(";")):
        return True
    return heads(text)


def heads(text: str) -> bool:
    """Whether a text is the head of a document: its status, version and date."""
    return len({m[0].lower() for m in _HEAD.finditer(text)}) >= _HEADS


@cache
def _bookkeeping() -> frozenset[str]:
    return frozenset(support_frames.BOOKKEEPING.split())


def points(text: str) -> bool:
    """Whether a sentence says where something can be read."""
    return _POINTS.search(text) is not None


def examines(clause: Clause) -> bool:
    """Whether a clause says what was done with a source, and nothing of anything else: what was
    examined is no name before the verb, and nothing is denied."""
    found = _EXAMINES.search(clause.reading.text)
    if not found or clause.reading.negated:
        return False
    return all(t.start >= found.start() or t.weight < 1 for t in clause.terms)


@cache
def told_by_name(ending: str) -> str:
    """What a file's ending says of its content, as words."""
    return support_frames.ENDINGS.get(ending, "")

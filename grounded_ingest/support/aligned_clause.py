"""A clause of a claim beside one place of a source: where each of its words stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from grounded_ingest.language.amount_match import Amount, bears_out_amount
from grounded_ingest.language.clauses import is_verb
from grounded_ingest.language.lexicon import force_words as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading, read_text
from grounded_ingest.language.terms import Term, grade
from grounded_ingest.support.claim_view import Clause
from grounded_ingest.support.compare import Beside, ClauseMatch
from grounded_ingest.support.passages import SourcePassage
from grounded_ingest.support.places import ExaminedPlace, PlaceIndex, Spot

EXACT = 0.9


class Objection(Struct, frozen=True):
    """A word that is not licensed. `check` is one of: coverage, force, order, one-place,
    scope, section, letters."""

    check: str
    word: str
    told: str


FoundTerm = tuple[Term, tuple[Spot, ...]]


class AlignedClause(Struct, frozen=True):
    """A clause beside a place: of each of its terms where it stands, and how surely."""

    clause: Clause
    place: ExaminedPlace
    terms: tuple[tuple[Term, tuple[Spot, ...], float], ...]
    amounts: tuple[tuple[Amount, tuple[int, ...]], ...]
    """Each number, and the passages that say it."""

    @property
    def there(self) -> list[FoundTerm]:
        """The terms that stand in the place, and where."""
        return [(term, spots) for term, spots, _ in self.terms if spots]

    @property
    def lines(self) -> frozenset[int]:
        """The passages that hold anything of it."""
        spots = {s.line for _, found, _ in self.terms for s in found}
        return frozenset(spots | {n for _, lines in self.amounts for n in lines})


def align_clause(found: ClauseMatch, place: ExaminedPlace, held: Beside) -> AlignedClause:
    clause, spots = found.clause, place.spots()
    facts = held.facts if clause.reading.amounts else ()
    text = clause.reading.text
    terms = tuple((t, *_found(t, spots, text)) for t in clause.terms)
    amounts = tuple(
        (
            a,
            tuple(
                n
                for n, p in enumerate(place.passages)
                if listed
                or any(bears_out_amount(a, b) for b in (*p.reading.amounts, *_above(p), *facts))
            ),
        )
        for a, listed in _listed_amounts(found)
    )
    return AlignedClause(clause, place, terms, amounts)


def _listed_amounts(found: ClauseMatch) -> Iterator[tuple[Amount, bool]]:
    """The numbers of a clause, and whether the source shows one as a list of that many."""
    for amount, counted in zip(found.clause.reading.amounts, found.counted, strict=True):
        yield amount, counted and bool(amount.noun) and not amount.unit


def _above(passage: SourcePassage) -> Sequence[Amount]:
    return () if passage.code else read_text(passage.about).amounts


def _found(term: Term, spots: PlaceIndex, text: str) -> tuple[tuple[Spot, ...], float]:
    """Where a term stands; a name in backticks only where it stands as a name of its own."""
    graded = [(s, grade(term, s.word.keys)) for s in spots.reached(term)]
    if _is_quoted(term, text):
        graded = [(s, g) for s, g in graded if g and _same_name(term.text, s.word.text)]
        cased = [(s, g) for s, g in graded if s.word.text.strip("\"'") == term.text.strip("\"'")]
        graded = cased or graded
    best = max((g for _, g in graded), default=0.0)
    if best < EXACT and term.low in lexicon_words("CONTENT"):
        return (), 0.0
    return tuple(s for s, g in graded if g == best) if best else (), best


def _is_quoted(term: Term, text: str) -> bool:
    before = text[: term.start]
    return before.count("`") % 2 == 1


def bare_name(name: str) -> str:
    dotted = re.sub(r"::|->", ".", name.lower().replace("-", "_"))
    return re.sub(r"[^\w.]+", "", dotted).strip("_.")


def _same_name(said: str, known: str) -> bool:
    one, other = bare_name(said), bare_name(known)
    if one == other or one.replace("_", "") == other.replace("_", ""):
        return True
    ends = [re.split(r"\.|::|->|/", n)[-1] for n in (one, other)]
    return (
        ("." in one or "." in other or "/" in said or "/" in known)
        and (ends[0] == ends[1] or other.endswith(f".{one}") or one.endswith(f".{other}"))
    ) or one in other.split(".")


def share_held(aligned: AlignedClause) -> float:
    """How much of a clause stands in the place itself, 0 to 1."""
    whole = sum(t.weight for t, _, _ in aligned.terms) + 2 * len(aligned.amounts)
    there = sum(g * t.weight for t, _, g in aligned.terms)
    there += sum(2.0 for _, lines in aligned.amounts if lines)
    return there / whole if whole else 0.0


@lru_cache(maxsize=4096)
def verb_starts(reading: Reading) -> frozenset[int]:
    """Where the first verb of each piece stands."""
    return frozenset(
        s.tokens[p.verb].start for s in reading.sentences for p in s.pieces if p.verb >= 0
    )


@lru_cache(maxsize=4096)
def verbs_of(reading: Reading) -> frozenset[int]:
    """Where verbs stand, participles behind a form of `be` among them."""
    told = (
        t.start
        for s in reading.sentences
        for n, t in enumerate(s.tokens)
        if n and is_verb(s.tokens, n, 0)
    )
    participles = (m.start(1) for m in _PARTICIPLE.finditer(reading.text))
    return verb_starts(reading).union(told, participles)


_PARTICIPLE = compiled(
    r"(?i)\b(?:is|are|was|were|be|been|being|gets?)\s+(?:not\s+|only\s+|\w+ly\s+)?([a-z]+ed)\b"
)


@cache
def lexicon_words(name: str) -> frozenset[str]:
    listed: str = getattr(lexicon, name)
    return frozenset(listed.split())


def sentence_parts(text: str) -> tuple[int, ...]:
    """Where the parts of a sentence begin."""
    return (0, *(m.end() for m in _PARTS.finditer(text)))


def part_at(start: int, parts: Sequence[int]) -> int:
    return max(n for n, begin in enumerate(parts) if begin <= start)


def shared_lines(aligned: AlignedClause) -> frozenset[int]:
    """The passages that hold more than one telling word of a clause."""
    rows = [s for t, spots, _ in aligned.terms if t.weight >= 1 for s in {s.line for s in spots}]
    return frozenset(n for n in rows if rows.count(n) > 1)


def strong_lines(aligned: AlignedClause, share: float = 0.75) -> frozenset[int]:
    """The lines that hold most of the clause."""
    held: dict[int, float] = {}
    for term, spots, sure in aligned.terms:
        for line in {s.line for s in spots}:
            held[line] = held.get(line, 0.0) + term.weight * sure / len({s.line for s in spots})
    for _, found in aligned.amounts:
        for line in found:
            held[line] = held.get(line, 0.0) + 2.0
    best = max(held.values(), default=0.0)
    return frozenset(n for n, weight in held.items() if weight >= share * best)


def in_comments(spots: Sequence[Spot], place: ExaminedPlace) -> bool:
    return not any(place.passages[s.line].code for s in spots)


_PARTS = compiled(r"(?<=[,;:])\s|\s(?=(?:and|but|while|whereas|or)\s)")


ASSIGNS = compiled(
    r"\s*(?:-\s+|export\s+|const\s+|let\s+|var\s+)?[-\w.\"'`\[\]@]+\s*(?::|=|=>|:=)\s*[^\s{\[(:=]"
)


ASSIGNED = compiled(
    r"\s*(?:export\s+|const\s+|let\s+|var\s+|pub\s+|static\s+|-\s+)*"
    r"[\"']?([A-Za-z_][\w.\-]*)[\"']?\s*(?::\s*[\w\[\], |]+)?\s*[:=](?!=)"
)

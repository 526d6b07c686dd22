"""Name, value and unit of a clause stand together in the place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from grounded_ingest.language.amount_match import Amount, bears_out_amount
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.terms import Term, grade, word_parts
from grounded_ingest.support.aligned_clause import (
    ASSIGNED,
    ASSIGNS,
    AlignedClause,
    Objection,
    lexicon_words,
    part_at,
    sentence_parts,
)
from grounded_ingest.support.compare import Beside
from grounded_ingest.support.places import (
    ExaminedPlace,
    Spot,
)


class _Said(Struct, frozen=True):
    """A word of one part of a claim where it stands in the place."""

    part: tuple[int, int]
    term: Term
    spots: tuple[Spot, ...]


def crossed_values(found: Sequence[AlignedClause | None]) -> Iterator[Objection]:
    """Of two parts of a claim that each name a thing and what it has, neither has what stands with
    the other's name."""
    if len({a.place for a in found if a}) != 1:
        return
    telling = _telling_apart([s for n, a in enumerate(found) if a for s in _said_in(n, a)])
    names: dict[tuple[int, int], _Said] = {}
    for one in telling:
        names.setdefault(one.part, one)
    for one in telling if len(names) > 1 else ():
        if one is not names[one.part] and _elsewhere(one, telling, names):
            told = f"“{one.term.text}” stands with the other name"
            yield Objection("one-place", one.term.text, told)
            return


def _said_in(number: int, aligned: AlignedClause) -> Iterator[_Said]:
    parts = sentence_parts(aligned.clause.reading.text)
    for term, spots in aligned.there:
        if term.weight >= 1 or term.kind != "word":
            yield _Said((number, part_at(term.start, parts)), term, spots)


def _telling_apart(said: Sequence[_Said]) -> list[_Said]:
    """Those that one part says alone."""
    parts: dict[str, set[tuple[int, int]]] = {}
    for one in said:
        parts.setdefault(one.term.stem, set()).add(one.part)
    return [s for s in said if len(parts[s.term.stem]) == 1]


def _elsewhere(one: _Said, telling: Sequence[_Said], names: dict[tuple[int, int], _Said]) -> bool:
    owners = _owners(one, names)
    return one.part not in owners and _mirrored(one, owners[0], telling, names)


def _mirrored(
    one: _Said,
    other: tuple[int, int],
    telling: Sequence[_Said],
    names: dict[tuple[int, int], _Said],
) -> bool:
    """Whether a word of the other part stands with the name of this one."""
    return any(
        s.part == other and s is not names[other] and set(_owners(s, names)) == {one.part}
        for s in telling
    )


def _owners(one: _Said, names: dict[tuple[int, int], _Said]) -> list[tuple[int, int]]:
    """Whose name stands nearest to a word, where it stands in a line with one of them."""
    lines = {s.line for name in names.values() for s in name.spots}
    spots = [s for s in one.spots if s.line in lines] or one.spots
    return [_owner(spot, names) for spot in spots]


def _owner(spot: Spot, names: dict[tuple[int, int], _Said]) -> tuple[int, int]:
    """The part whose name stands nearest to a word: in its line, else the last one before it."""

    def distance(part: tuple[int, int]) -> tuple[int, int]:
        return min(
            (0 if s.line == spot.line else 1 if s.at < spot.at else 2, abs(s.at - spot.at))
            for s in names[part].spots
        )

    return min(names, key=distance)


def apart_in_place(aligned: AlignedClause, held: Beside) -> Iterator[Objection]:
    """A value stands with its name: in one line, under one key, in one part of a sentence.

    Of the words that stand with one value and not with another, the nearest to a value in the claim
    stands with it in the place, too."""
    units = _units(aligned.place)
    values = [
        (a.start, a.text, frozenset(_of_amount(a, units))) for a in aligned.clause.reading.amounts
    ]
    for start, value, there in [*values, *_literals(aligned)]:
        bearing = there | _valued(units, numbers=any(c.isdigit() for c in value))
        nearest = _nearest(start, value, bearing, aligned)
        if not there or not nearest or nearest[1] & there:
            continue
        if not (_goes_on(start, there, nearest, aligned) or _of_named(there, nearest[1], aligned)):
            told = f"“{value}” does not stand with “{nearest[0].text}”"
            yield Objection("one-place", value, told)
    if aligned.place.code:
        yield from _better_name(aligned, held)
        yield from _of_two_items(aligned)


_ENTRY = compiled(r"\s*([-*•]\s|\d{1,2}[.)]\s|[\w.]{3,}\()")


_COORDINATED = compiled(
    r"(?i)(?:-[\w-]+)?[\s,`\"'()]*(?:and|or|nor|&|/|,|as well as)?[\s,`\"'()]*$"
)


def _of_two_items(aligned: AlignedClause) -> Iterator[Objection]:
    """One clause takes what it says of one item of a list, or of one of several like calls; only
    what it lists itself may stand in several."""
    alike = _entries(aligned.place)
    text = aligned.clause.reading.text
    known = [(t, frozenset(x.line for x in s)) for t, s in aligned.there]
    inside = [(t, lines) for t, lines in known if lines < alike]
    for (one, mine), (other, its) in pairwise(inside):
        between = text[one.start + len(one.text) : other.start]
        if mine.isdisjoint(its) and not _COORDINATED.match(between):
            told = f"“{other.text}” does not stand with “{one.text}”"
            yield Objection("one-place", other.text, told)
            return


@lru_cache(maxsize=256)
def _entries(place: ExaminedPlace) -> frozenset[int]:
    """The passages that begin like others: items of a list, calls of the same function."""
    heads = {n: m[1] for n, p in enumerate(place.passages) if (m := _ENTRY.match(p.text))}
    return frozenset(n for n, head in heads.items() if list(heads.values()).count(head) > 1)


def _nearest(
    start: int, value: str, bearing: frozenset[int], aligned: AlignedClause
) -> tuple[Term, frozenset[int]] | None:
    """The word nearest to a value, before it if there is one, that tells one value from another."""
    units = _units(aligned.place)
    parts = sentence_parts(aligned.clause.reading.text)
    telling = [
        (term, there)
        for term, spots in aligned.there
        if (there := frozenset(_unit(s, units) for s in spots) & bearing) not in ((), bearing)
        if there and term.start != start and term.text not in value
        if aligned.place.code or part_at(term.start, parts) == part_at(start, parts)
    ]
    before = [w for w in telling if w[0].start < start]
    return before[-1] if before else (telling[0] if telling else None)


def _goes_on(
    start: int, there: frozenset[int], name: tuple[Term, frozenset[int]], aligned: AlignedClause
) -> bool:
    """Whether a value stands behind its name in a part that names nothing new, in the claim and in
    the sentence: `the port was 8443, is now 9443`."""
    parts, units = sentence_parts(aligned.clause.reading.text), _units(aligned.place)
    if aligned.place.code or part_at(name[0].start, parts) >= part_at(start, parts):
        return False
    told = [t for n in there for t in read_text(units[n].text).terms if t.weight >= 1]
    known = aligned.clause.reading.keys
    return min(there) > min(name[1]) and all(grade(t, known) for t in told)


_IDENTIFIES = compiled(
    r"(\s*)(?:-\s+|\{\s*)?[\"']?(?:name|id|key|title|package)[\"']?\s*[:=]\s*[\"']?[\w@]"
)


def _of_named(there: frozenset[int], named: frozenset[int], aligned: AlignedClause) -> bool:
    """Whether a value stands in the block that its name's line names: `name = "x"` above it, and
    no other block begins in between."""
    passages = aligned.place.passages
    if not aligned.place.code or not named or not there:
        return False
    first, last = min(named), min(there)
    if first >= last or not _IDENTIFIES.match(passages[first].text):
        return False
    depth = _depth(passages[first].text)
    between = [passages[n].text for n in range(first + 1, last + 1)]
    begins = (not row.strip() or row.strip()[0] == "[" or _IDENTIFIES.match(row) for row in between)
    return not any(begins) and min(map(_depth, between)) >= depth


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip(" \t-{"))


class _Unit(Struct, frozen=True):
    line: int
    start: int
    text: str


@lru_cache(maxsize=256)
def _units(place: ExaminedPlace) -> tuple[_Unit, ...]:
    """Lines of code, parts of a sentence."""
    if place.code:
        return tuple(_Unit(n, 0, p.text) for n, p in enumerate(place.passages))
    text = place.passages[0].text
    edges = (*sentence_parts(text), len(text))
    return tuple(_Unit(0, a, text[a:b]) for a, b in pairwise(edges))


def _unit(spot: Spot, units: Sequence[_Unit]) -> int:
    return max(n for n, u in enumerate(units) if u.line == spot.line and u.start <= spot.word.start)


def _of_amount(amount: Amount, units: Sequence[_Unit]) -> Iterator[int]:
    for number, unit in enumerate(units):
        if any(bears_out_amount(amount, b) for b in read_text(unit.text, code=True).amounts):
            yield number


def _valued(units: Sequence[_Unit], *, numbers: bool) -> frozenset[int]:
    """The units that hold a number of their own, or a value."""
    return frozenset(
        n
        for n, u in enumerate(units)
        if (read_text(u.text, code=True).amounts if numbers else ASSIGNS.match(u.text))
    )


_VALUE = compiled(
    r"(?i)\b(?:is|are|to|of|as|has|uses|with|equals|returns|=|:)\s+(?:the\s+|an?\s+)?"
    r"(`[^`]+`|\"[^\"]+\"|true|false|none|null|nil)"
)


def _literals(aligned: AlignedClause) -> list[tuple[int, str, frozenset[int]]]:
    """Values that are no numbers: in backticks or quotation marks behind a word that gives one."""
    units, found = _units(aligned.place), []
    for match in _VALUE.finditer(aligned.clause.reading.text):
        there = [
            frozenset(_unit(s, units) for s in spots)
            for t, spots, _ in aligned.terms
            if match.start(1) <= t.start < match.end(1) and spots
        ]
        if there:
            found.append((match.start(1), match[1], frozenset.intersection(*there)))
    return found


def _better_name(aligned: AlignedClause, held: Beside) -> Iterator[Objection]:
    """Whether another name of the source fits what a value is said of better."""
    said = aligned.clause.reading.keys
    lines = {n for _, found in aligned.amounts for n in found}
    lines.update(n for _, _, there in _literals(aligned) for n in there)
    names = [m[1] for n in lines if (m := ASSIGNED.match(aligned.place.passages[n].text))]
    if not names:
        return
    left, name = min((_left_over(n, said), n) for n in names)
    for other in _assigned(held) if left else ():
        if other not in names and _fits(other, said) and _left_over(other, said) < left:
            told = f"the value is of “{name}”, “{other}” fits better"
            yield Objection("one-place", name, told)
            return


def _assigned(held: Beside) -> Iterator[str]:
    """The names that the source gives a value."""
    for passage in held.passages:
        if passage.code and ASSIGNS.match(passage.text) and (m := ASSIGNED.match(passage.text)):
            yield m[1]


def _parts(name: str) -> list[str]:
    return [stem(p) for p in word_parts(name) if p.isalpha()]


def _left_over(name: str, said: frozenset[str]) -> int:
    return sum(p not in said for p in _parts(name) if p not in lexicon_words("UNTELLING"))


def _fits(name: str, said: frozenset[str]) -> bool:
    return bool(_parts(name)) and all(p in said for p in _parts(name))

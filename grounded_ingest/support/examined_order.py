"""Who does what, to whom, and when: the same in the claim and in the place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading
from grounded_ingest.language.terms import Term, grade
from grounded_ingest.support.aligned_clause import (
    EXACT,
    AlignedClause,
    FoundTerm,
    Objection,
    bare_name,
    in_comments,
    lexicon_words,
    strong_lines,
    verb_starts,
    verbs_of,
)
from grounded_ingest.support.compare import Beside
from grounded_ingest.support.places import (
    ExaminedPlace,
    Spot,
)

_ORDERED = compiled(
    r"(?i)\b(?:first|then|afterwards?|(?:after|before) (?:it|that|them)|finally|last|later)\b"
)


def turned_round(text: str, found: Sequence[AlignedClause | None]) -> Iterator[Objection]:
    """Clauses that are told one after the other stand so in the place."""
    mark = _ORDERED.search(text)
    rows = [
        sorted((a.place.passages[n].line, n) for n in strong_lines(a, 1.0))
        for a in found
        if a is not None and a.place.code
    ]
    for one, other in pairwise(rows):
        if mark and one and other and one[0] > other[-1]:
            yield Objection(
                "order", mark[0], f"the place has it the other way round than “{mark[0]}”"
            )
            return


def order_unlicensed(aligned: AlignedClause, _: Beside) -> Iterator[Objection]:
    """Who does what: what stands on both sides of the verb stands so in the place, too."""
    for verb in _ordering_verbs(aligned):
        pairs = ((b, a) for b in _heavy(aligned, before=verb) for a in _heavy(aligned, behind=verb))
        for (one, mine), (other, its) in pairs:
            if one.stem != other.stem and _turned(verb, mine, its, aligned):
                told = f"the place has “{other.text}” before “{one.text}”"
                yield Objection("order", one.text, told)
                return
    yield from _called_by(aligned)
    yield from _linked(aligned)
    yield from _cased(aligned)
    yield from _sequence(aligned)


def _called_by(aligned: AlignedClause) -> Iterator[Objection]:
    """`a` calls `b` where a line of `b` names `a`."""
    verb = _first_call(aligned)
    names = [(t, s) for t, s, _ in aligned.terms if t.kind != "word" and verb >= 0]
    inside = [t for t, s in names if t.start < verb and s]
    later = [t for t, s in names if t.start > verb and not s]
    around = [t for t in later if grade(t, aligned.place.enclosing)]
    if inside and around:
        told = f"the place is in “{around[0].text}”"
        yield Objection("order", inside[0].text, told)


def _first_call(aligned: AlignedClause) -> int:
    calls = [t.start for t, _, _ in aligned.terms if t.low in lexicon_words("CALLS")]
    return min(calls, default=-1) if aligned.place.code else -1


def _ordering_verbs(aligned: AlignedClause) -> list[int]:
    calling = {t.start for t, _, _ in aligned.terms if t.low in lexicon_words("CALLS")}
    return sorted(verb_starts(aligned.clause.reading) | calling)[:2]


def _heavy(aligned: AlignedClause, before: int = 1 << 30, behind: int = -1) -> list[FoundTerm]:
    return [(t, s) for t, s in aligned.there if behind < t.start < before and t.weight >= 1]


def _turned(verb: int, mine: Sequence[Spot], its: Sequence[Spot], aligned: AlignedClause) -> bool:
    """Whether a place has two things on the other sides of a verb; in code, where the one who calls
    stands first, in the other order."""
    found = next(((t, s) for t, s, _ in aligned.terms if t.start == verb), None)
    if found is None:
        return False
    place = aligned.place
    if place.code and not (in_comments(mine, place) and in_comments(its, place)):
        return found[0].low in lexicon_words("CALLS") and _inverted(mine, its)
    if _passive(aligned.clause.reading.text) != _passive(place.text):
        return False
    return _around(mine, found[1], its)


def _inverted(mine: Sequence[Spot], its: Sequence[Spot]) -> bool:
    return min(s.at for s in mine) > max(s.at for s in its)


_LINK = compiled(r"(?i)\s(?:to|into|onto|over|by|from)\s")


def _linked(aligned: AlignedClause) -> Iterator[Objection]:
    """`A to B` is not `B to A`."""
    verbs = verbs_of(aligned.clause.reading)
    named = [
        (t, s)
        for t, s in aligned.there
        if t.weight >= 0.6 and t.start not in verbs
        if not aligned.place.code or in_comments(s, aligned.place)
    ]
    for link in _LINK.finditer(aligned.clause.reading.text):
        before = [x for x in named if x[0].start < link.start()]
        behind = [x for x in named if x[0].start > link.start()]
        if not before or not behind:
            continue
        (one, mine), (other, its) = before[-1], behind[0]
        if one.stem != other.stem and _inverted(mine, its):
            told = f"the place has “{other.text}” before “{one.text}”"
            yield Objection("order", one.text, told)


_ROLES = tuple(
    compiled(rf"(?i)(?<![\w-])(?:{words})\s+(?:(?:the|an?|its|their|our|this|all|each)\s+)?")
    for words in (
        "to|into|onto|towards?",
        "from|out of",
        "by",
        "than",
        "instead of|rather than|over",
    )
)


def _cased(aligned: AlignedClause) -> Iterator[Objection]:
    """Who is marked by `to`, `from`, `by`, `than` in the place is so marked in the claim, where
    both mark something and the claim knows what the place marks."""
    said = aligned.clause.reading
    prose = [p.reading for p in aligned.place.passages if not p.code]
    for role in _ROLES:
        known = [t for reading in prose for group in _marked(role, reading) for t in group]
        theirs = [t for t in known if grade(t, said.keys) >= EXACT]
        for group in _marked(role, said) if theirs else ():
            roots = {
                r for t in group for r in (t.stem, t.root, bare_name(t.text).rpartition(".")[2])
            }
            if not any({t.stem, t.root} & roots for t in known):
                told = f"the place has “{theirs[0].text}” where the claim has “{group[0].text}”"
                yield Objection("order", group[0].text, told)
                return


def _marked(role: re.Pattern[str], reading: Reading) -> Iterator[list[Term]]:
    """The first telling words behind a preposition, near by."""
    for mark in role.finditer(reading.text):
        near = [t for t in reading.terms if 0 <= t.start - mark.end() <= _NEAR and t.weight >= 0.6]
        if near:
            yield near[:2]


_NEAR = 24


def _around(mine: Sequence[Spot], verb: Sequence[Spot], its: Sequence[Spot]) -> bool:
    """Whether all that is behind a verb stands before it in the place, and the other way round."""
    return (
        bool(verb)
        and max(s.at for s in its) < min(s.at for s in verb)
        and min(s.at for s in mine) > max(s.at for s in verb)
    )


_PASSIVE = compiled(
    r"(?i)\b(?:is|are|was|were|be|been|being|gets?)\s+(?:(?:not|only|then|\w+ly)\s+)*\w+(?:ed|en|wn|pt|ilt|ent)\b"
)


def _passive(text: str) -> bool:
    return bool(_PASSIVE.search(text))


_SEQUENCE = compiled(
    r"(?i)\b(first|before|then|afterwards?|after|finally|last|once|until|followed by|ahead of)\b"
)


def _sequence(aligned: AlignedClause) -> Iterator[Objection]:
    """What comes first in time, in the order of the code or the sentence."""
    text = aligned.clause.reading.text
    named = [(t, s) for t, s in aligned.there if t.kind != "word" or _placed(t, s, aligned.place)]
    for mark in _SEQUENCE.finditer(text):
        earlier = [x for x in named if x[0].start < mark.start()]
        later = [x for x in named if x[0].start > mark.end()]
        if earlier and later and _against(mark[1].lower(), earlier[-1][1], later[0][1]):
            told = f"the place has it the other way round than “{mark[1]}”"
            yield Objection("order", mark[1], told)
    yield from _firsts(text, named)


def _placed(term: Term, spots: Sequence[Spot], place: ExaminedPlace) -> bool:
    """Whether the place of a word says when: words of code stand anywhere."""
    return term.weight >= 1 and (not place.code or in_comments(spots, place))


def _firsts(text: str, named: Sequence[FoundTerm]) -> Iterator[Objection]:
    first = _FIRST.search(text)
    if first and len(named) > 1 and _another_first(first.start(), named):
        yield Objection("order", "first", "the place has another first")


def _against(word: str, one: Sequence[Spot], other: Sequence[Spot]) -> bool:
    """Whether two things stand against a word of time between them."""
    if word in _ALONE:
        return False
    return _inverted(other, one) if word in ("after", "once") else _inverted(one, other)


_ALONE = ("first", "finally", "last", "then")


_FIRST = compiled(r"(?i)\bfirst\b")


def _another_first(at: int, named: Sequence[FoundTerm]) -> bool:
    """Whether what is told later than the one called first stands before it."""
    closest = min(named, key=lambda x: abs(x[0].start - at))
    others = [
        min(s.at for s in spots) for t, spots in named if t is not closest[0] and t.start > at
    ]
    return bool(others) and min(s.at for s in closest[1]) > min(others)

"""A claim beside a source: how much of each of its clauses stands there, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.language.amount_match import Amount, bears_out_amount
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.terms import Term, grade, reach, words_of
from grounded_ingest.support.claim_view import AMOUNT, ClaimView, Clause
from grounded_ingest.support.list_counts import countable_lists
from grounded_ingest.support.passages import FACTS, SourcePassage, carried, passages
from grounded_ingest.support.source import SourceText

_ONLY = compiled(r"(?i)\b(?:only|sole|single)\b")

NAMED, HEADINGS = 0.33, 2000
"""Share of the words of a pointer that stand in name and headings, and characters of these."""

CITED, NEAR = 80, 4
"""Lines that are cited together and read together, and those around them."""

REACH, REACH_IN_CODE = 2, 8
"""How far from its best sentence or line the rest of a clause may stand."""


class ClauseMatch(NamedTuple):
    """A clause beside the place of a source that holds most of it.

    `coverage` is the share of its words, 0 to 1, names and numbers counted; `missing` the numbers,
    identifiers, paths and names that are not there. `at` indexes `passages`, -1: nothing. `grades`
    says of each of its terms how surely it is there, `counted` of each number whether it is."""

    clause: Clause
    at: int
    first: int
    last: int
    coverage: float
    missing: tuple[Term | Amount, ...]
    grades: tuple[float, ...]
    counted: tuple[bool, ...]


class Beside(Struct, frozen=True):
    """A claim beside a source."""

    read: ClaimView
    source: SourceText
    passages: Sequence[SourcePassage]
    over: frozenset[str]
    found: tuple[ClauseMatch, ...]

    @property
    def facts(self) -> tuple[Amount, ...]:
        """The numbers of a commit that git tells beside its message: dates, counts."""
        return _facts(self.source)

    @property
    def above(self) -> frozenset[str]:
        """The keys of path, title and enclosing definitions alone."""
        return read_text(carried(self.source)).keys

    @property
    def points(self) -> bool:
        """Whether the claim only says what can be read in its source."""
        return all(f.clause.points for f in self.found)

    @property
    def coverage(self) -> float:
        whole = sum(f.clause.weight for f in self.found)
        return sum(f.coverage * f.clause.weight for f in self.found) / whole if whole else 0.0


@lru_cache(maxsize=64)
def _facts(source: SourceText) -> tuple[Amount, ...]:
    return tuple(a for p in passages(source) if p.about == FACTS for a in p.reading.amounts)


def speaks_of(held: Beside) -> bool:
    """Whether name, title and headings of a source speak of what a claim points to."""
    source = held.source
    heads = "\n".join(dict.fromkeys(p.about for p in held.passages if p.about))
    folder, _, name = source.path.rpartition("/")
    if name.partition(".")[0].lower() in words_of("NAMELESS"):
        name = f"{folder.rpartition('/')[2]} {name}"
    known = read_text(f"{name}\n{source.title}\n{heads[:HEADINGS]}").keys
    asked = [t for t in held.read.terms if t.weight >= 1 and t.low not in words_of("POINTERS")]
    there = sum(grade(t, known) > 0 for t in asked)
    return there >= 1 and there >= NAMED * len(asked)


def beside(read: ClaimView, source: SourceText) -> Beside:
    """The best place of a source for each clause of a claim."""
    held, over = passages(source), _over(source)
    asked = any(t.low in words_of("ASIDE_WORDS") for t in read.terms)
    centres = _centres(source, asides=asked)
    found = tuple(_shown(_best(c, source, centres, over), source, read) for c in read.clauses)
    return Beside(read, source, held, over, found)


@lru_cache(maxsize=64)
def _over(source: SourceText) -> frozenset[str]:
    """The keys of what stands over every passage of a source; of a commit all that it tells."""
    over = read_text(carried(source)).keys
    if source.kind != "commit":
        return over
    told = (p for p in passages(source) if not p.code or (not p.line and p.block == 0))
    paths = read_text("\n".join(source.paths)).keys
    return over.union(*(p.reading.keys for p in told), paths, read_text(source.text).keys)


@lru_cache(maxsize=64)
def _centres(source: SourceText, *, asides: bool) -> frozenset[int]:
    """The passages of a source that a clause may stand in: those that are cited."""
    held = enumerate(passages(source))
    return frozenset(n for n, p in held if p.focus and (asides or not p.aside))


def _shown(found: ClauseMatch, source: SourceText, read: ClaimView) -> ClauseMatch:
    """A clause with the counts that its source shows as a list, or the claim item by item."""
    clause = found.clause
    lost = [a for a in found.missing if isinstance(a, Amount) and a.noun and not a.unit]
    there = [a for a in lost if _counted(a, clause, source) or _itemised(a, clause, read)]
    if not there:
        return found
    counted = tuple(
        c or a in there for c, a in zip(found.counted, clause.reading.amounts, strict=True)
    )
    share = min(1.0, found.coverage + AMOUNT * len(there) / clause.weight)
    missing = tuple(m for m in found.missing if m not in there)
    return found._replace(coverage=share, missing=missing, counted=counted)


def _counted(said: Amount, clause: Clause, source: SourceText) -> bool:
    nouns = [t for t in clause.terms if t.stem == said.noun]
    return any(
        one.number == said.low and all(grade(t, one.keys) >= 0.9 for t in nouns)
        for one in (countable_lists(source) if nouns else ())
    )


@lru_cache(maxsize=64)
def _keyed(source: SourceText) -> Mapping[str, Sequence[int]]:
    """Which passages of a source are under each key."""
    found: dict[str, list[int]] = {}
    for n, passage in enumerate(passages(source)):
        for key in passage.reading.keys:
            found.setdefault(key, []).append(n)
    return found


@lru_cache(maxsize=64)
def _said(source: SourceText) -> Mapping[Amount, Sequence[int]]:
    """Which passages of a source say each number. Asked late: few claims hold one."""
    found: dict[Amount, list[int]] = {}
    for n, passage in enumerate(passages(source)):
        for amount in {_told_as(a) for a in passage.reading.amounts}:
            found.setdefault(amount, []).append(n)
    return found


def _told_as(amount: Amount) -> Amount:
    """A number without its place: what `matches` goes by."""
    return amount._replace(start=0, end=0, noun="", near=frozenset(), side="")


def _best(
    clause: Clause, source: SourceText, centres: frozenset[int], over: frozenset[str]
) -> ClauseMatch:
    best, score = -1, 0.0
    held, keyed = passages(source), _keyed(source)
    rest = clause._replace(terms=tuple(t for t in clause.terms if not grade(t, over)))
    for asked in (rest, clause):
        counts = _counts(asked, source)
        wanted = frozenset[str]().union(*(reach(t) for t in asked.terms))
        sharing = chain.from_iterable(keyed.get(k, ()) for k in wanted)
        near = centres.intersection(chain(sharing, counts))
        for at in sorted(near):
            scored = _score(asked, held[at]) + 2.0 * counts.get(at, 0)
            if scored > score:
                best, score = at, scored
        if best >= 0:
            break
    if best < 0:
        return _measured(clause, held, (0, -1), -1, over)
    return _measured(clause, held, _window(held, best), best, over)


def _counts(clause: Clause, source: SourceText) -> Counter[int]:
    """How many of a clause's numbers each passage says."""
    found: Counter[int] = Counter()
    for amount in clause.reading.amounts:
        there = (
            places for known, places in _said(source).items() if bears_out_amount(amount, known)
        )
        found.update(set(chain.from_iterable(there)))
    return found


def _score(clause: Clause, passage: SourcePassage) -> float:
    """How much of a clause's words a passage holds."""
    known = passage.reading.keys
    return sum(
        grade(t, known) * (t.weight if t.kind == "word" else 2.0)
        for t in clause.terms
        if not reach(t).isdisjoint(known)
    )


def _window(held: Sequence[SourcePassage], at: int) -> tuple[int, int]:
    """The passages around the best one that may hold the rest: near it, or cited with it."""
    cited = [n for n, p in enumerate(held) if p.focus]
    if len(cited) < len(held) and len(cited) <= CITED:
        return max(0, cited[0] - NEAR), min(len(held) - 1, cited[-1] + NEAR)
    reach = REACH_IN_CODE if held[at].code else REACH
    first = last = at
    while first > 0 and at - first < reach and _together(held[first - 1], held[at]):
        first -= 1
    while last + 1 < len(held) and last - at < reach and _together(held[last + 1], held[at]):
        last += 1
    return first, last


def _together(one: SourcePassage, other: SourcePassage) -> bool:
    if one.aside != other.aside:
        return False
    return abs(one.block - other.block) <= 1 and (
        one.about == other.about or not one.about or not other.about
    )


def _measured(
    clause: Clause, held: Sequence[SourcePassage], window: tuple[int, int], at: int,
    over: frozenset[str],
) -> ClauseMatch:  # fmt: skip
    """How much of a clause a window of passages holds, with what stands over them."""
    near = held[window[0] : window[1] + 1]
    known = over.union(*(p.reading.keys for p in near)) if near else over
    grades = tuple(grade(t, known) for t in clause.terms)
    covered = sum(g * t.weight for g, t in zip(grades, clause.terms, strict=True))
    missing: list[Term | Amount] = [
        t for g, t in zip(grades, clause.terms, strict=True) if not g and t.kind != "word"
    ]
    counted = _counted_in(clause, held, window, over)
    for amount, is_there in zip(clause.reading.amounts, counted, strict=True):
        if is_there:
            covered += AMOUNT
        elif amount.text[:1].isdigit() or not _told(amount):
            missing.append(amount)
    share = covered / clause.weight if clause.weight else 0.0
    return ClauseMatch(clause, at, *window, share, tuple(missing), grades, counted)


def _counted_in(
    clause: Clause, held: Sequence[SourcePassage], window: tuple[int, int], over: frozenset[str]
) -> tuple[bool, ...]:
    """Of each number of a clause whether a cited passage of a window says it."""
    there = [
        (b, n)
        for n in range(window[0], window[1] + 1)
        if held[n].focus
        for b in held[n].reading.amounts
    ]
    return tuple(
        any(bears_out_amount(a, b) and same_topic(a, b, clause, held, n, over) for b, n in there)
        for a in clause.reading.amounts
    )


_QUOTED = compiled(r"`[^`]+`")


def _itemised(said: Amount, clause: Clause, read: ClaimView) -> bool:
    """Whether a claim names one by one what it counts: `3 verbs: get, put, delete`."""
    whole = read.reading.text
    rest = whole[whole.find(clause.reading.text) + said.end :]
    behind = rest.partition(":")[2].partition(";")[0]
    return said.low == len(_QUOTED.findall(behind)) > 1


def _told(amount: Amount) -> bool:
    """Whether a number in words is more telling than counting: first, second, zero, half, the
    only one."""
    if _ONLY.search(amount.text):
        return True
    return amount.low < 1 or (amount.unit == "ordinal" and amount.low <= 2)


LEAST = 3
"""Words, names and (twice) numbers of a claim below which any place that shares a word says it."""


def in_one_place(held: Beside) -> bool:
    """Whether one sentence, line or definition says the whole claim."""
    telling = sum(t.weight >= 1 for t in held.read.terms) + 2 * len(held.read.amounts)
    places = dict.fromkeys(f.at for f in held.found if f.at >= 0)
    return telling >= LEAST and any(_alone(held.read, held.passages, at) for at in places)


def _alone(claim: ClaimView, held: Sequence[SourcePassage], at: int) -> bool:
    """Whether one sentence, line or definition holds a claim."""
    if _holds(claim, [held[at]]):
        return True
    near = held[max(0, at - REACH_IN_CODE) : at + REACH_IN_CODE]
    return held[at].code and _holds(claim, [p for p in near if p.block == held[at].block])


def _holds(claim: ClaimView, places: Sequence[SourcePassage]) -> bool:
    """Whether every number and name of a claim, and half its words, stand in some passages."""
    known = frozenset[str]().union(*(p.reading.keys for p in places))
    if not all(grade(t, known) for t in claim.terms if t.kind != "word"):
        return False
    words = [t for t in claim.terms if t.kind == "word"]
    if sum(t.weight for t in words if grade(t, known)) < sum(t.weight for t in words) / 2:
        return False
    there = [b for p in places for b in p.reading.amounts]
    return all(any(bears_out_amount(a, b) for b in there) for a in claim.amounts)


def same_topic(
    said: Amount,
    known: Amount,
    clause: Clause,
    held: Sequence[SourcePassage],
    at: int,
    over: frozenset[str],
) -> bool:
    """Whether a number of a source counts what the claim's number counts."""
    passage = held[at]
    if passage.about == FACTS:
        return said.unit == "date" or (said.unit == "" and said.text.isdigit())
    if not passage.code and _of_other_nouns(said, known, clause):
        return False
    close = [t for t in clause.terms if f"^{t.root}" in said.near or t.kind != "word"]
    if not close:
        return True
    if passage.code:
        return _said_by_code(said, close, held, at, over)
    return any(grade(t, passage.reading.keys) for t in close)


def _of_other_nouns(said: Amount, known: Amount, clause: Clause) -> bool:
    """Whether two bare numbers count things that no key of the claim's noun makes one."""
    if said.unit or known.unit or not said.noun or not known.noun or said.noun == known.noun:
        return False
    term = next((t for t in clause.terms if t.stem == said.noun), None)
    return term is not None and not grade(term, read_text(known.noun).keys)


def _said_by_code(
    said: Amount,
    close: Sequence[Term],
    held: Sequence[SourcePassage],
    at: int,
    over: frozenset[str],
) -> bool:
    """Whether a line of code speaks of what stands close to the claim's number. A commit's message
    stands over its diff for words; what a line counts it says itself."""
    passage = held[at]
    here = passage.reading.keys | (over if passage.line else read_text(passage.about).keys)
    if _bare(passage):
        here = here.union(*(p.reading.keys for p in held[max(0, at - 3) : at + 2]))
    if said.bound == "max" and not here.isdisjoint(("limit", "max", "cap")):
        return True
    shared = sum(grade(t, here) > 0 for t in close)
    return shared > 0 if passage.line else shared * 2 >= len(close)


def _bare(passage: SourcePassage) -> bool:
    """Whether a line of code says little of its value: `version: 15`, `return 422`."""
    return sum(t.weight >= 1 for t in passage.reading.terms) < 2

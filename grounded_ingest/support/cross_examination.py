"""Cross-examination: what a claim says that one place of its source does not license.

A source supports a claim by positive alignment. Every check is a function of the claim's clause and
a place of the source, and names the word that is not licensed; silence licenses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, islice

from msgspec import Struct

from grounded_ingest.language.amount_match import Amount
from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.force import ForceWord
from grounded_ingest.language.lexicon import force_words as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.printable import unseen
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.terms import Term, grade, words_of
from grounded_ingest.model.claims import Strength
from grounded_ingest.support.aligned_clause import (
    ASSIGNS,
    EXACT,
    AlignedClause,
    Objection,
    align_clause,
    lexicon_words,
    share_held,
    strong_lines,
    verbs_of,
)
from grounded_ingest.support.claim_view import Clause
from grounded_ingest.support.compare import Beside, ClauseMatch
from grounded_ingest.support.examined_force import force_unlicensed
from grounded_ingest.support.examined_order import order_unlicensed, turned_round
from grounded_ingest.support.examined_place import apart_in_place, crossed_values
from grounded_ingest.support.passages import SourcePassage, carried
from grounded_ingest.support.places import (
    ExaminedPlace,
    Spot,
    places_in,
    places_near,
)

FACTUAL = 4
"""Telling words of a clause that says a name and its value, and no more."""


class Examined(Struct, frozen=True):
    """What became of a claim beside a source: the objections to each of its clauses. `strength` is
    that of its weakest clause where there is none."""

    clauses: tuple[tuple[Objection, ...], ...]
    strength: Strength | None = None

    @property
    def objections(self) -> tuple[Objection, ...]:
        return tuple(dict.fromkeys(o for found in self.clauses for o in found))

    @property
    def paraphrase(self) -> bool:
        """Whether too few words stand in the place, and nothing else is wrong."""
        return bool(self.objections) and all(o.check == "coverage" for o in self.objections)

    @property
    def told(self) -> str:
        found = self.objections[:3]
        lost = [o.word for o in found if o.told == _lost(o.word)]
        if len(lost) < 2:
            return "; ".join(dict.fromkeys(o.told for o in found))
        words = f"{', '.join(f'“{w}”' for w in lost[:-1])} and “{lost[-1]}”"
        rest = (o.told for o in found if o.word not in lost)
        return "; ".join(dict.fromkeys((f"{words} do not stand in the place", *rest)))


def examine_pointer(held: Beside) -> Examined:
    """A claim that only says where something is told: its other words stand in name and headings,
    and none of them has force."""
    heads = dict.fromkeys(p.about for p in held.passages)
    known = read_text("\n".join((carried(held.source), *heads))).keys
    pointers = words_of("POINTERS")
    asked = [t for t in held.read.terms if t.low not in pointers and t.weight >= 1]
    there = [t for t in asked if grade(t, known)]
    lost = [
        Objection("coverage", t.text, f"“{t.text}” does not stand in name or headings")
        for t in asked
        if t not in there and (t.kind != "word" or 2 * len(there) < len(asked))
    ]
    lost += [
        Objection("force", w.text, f"“{w.text}” says more than where it is told")
        for w in held.read.reading.force
    ]
    return Examined((tuple(lost),), None if lost else Strength.POINTER)


def examine(held: Beside) -> Examined:
    """Every clause of a claim beside the one place of the source that holds most of it."""
    letters = tuple(_letters(held.read.reading.text))
    places = places_in(held)
    examined = [_examined(f, places_near(f, places, held), held) for f in held.found]
    found_at = [a for _, a in examined]
    letters += tuple(_denied_apart(held))
    turned = (*turned_round(held.read.reading.text, found_at), *crossed_values(found_at))
    clauses = tuple((*letters, *turned, *found) for found, _ in examined)
    if any(clauses):
        return Examined(clauses)
    strengths = [_strength(a) for _, a in examined if a]
    return Examined(clauses, min(strengths, key=lambda s: s.rank, default=Strength.MATCH))


def _denied_apart(held: Beside) -> Iterator[Objection]:
    """A cell or clause that only denies: `True?: no`."""
    told = sum(_denials(c.reading.force) for c in held.read.clauses)
    whole = held.read.reading.force
    if _denials(whole) > told:
        word = next(w.text for w in reversed(whole) if "not" in w.groups)
        yield Objection("force", word, f"“{word}” is not what the place says")


def _denials(words: Sequence[ForceWord]) -> int:
    return sum("not" in w.groups for w in words)


def _examined(
    match: ClauseMatch, places: Sequence[ExaminedPlace], held: Beside
) -> tuple[tuple[Objection, ...], AlignedClause | None]:
    """The objections to a clause at the place that holds most of it; of several the one with the
    fewest, the strongest, the first."""
    aligned = [align_clause(match, place, held) for place in places]
    shares = [round(share_held(a), 2) for a in aligned]
    most = max(shares, default=0.0)
    best: tuple[tuple[Objection, ...], AlignedClause] | None = None
    rank = 0
    for one in (a for a, share in zip(aligned, shares, strict=True) if share == most):
        found = _objections(one, held, fewer_than=None if best is None else len(best[0]) or 1)
        if found is None:
            continue
        own = 0 if found else _strength(one).rank
        if best is None or len(found) < len(best[0]) or own > rank:
            best, rank = (found, one), own
    if best is None:
        told = "nothing that counts in the source says it (decisions, live code)"
        return (Objection("section", "", told),), None
    return best


def _objections(
    aligned: AlignedClause, held: Beside, *, fewer_than: int | None
) -> tuple[Objection, ...] | None:
    """The objections to a clause at a place; None where they are not fewer, looked for no
    further."""
    every = chain.from_iterable(check(aligned, held) for check in CHECKS)
    found = tuple(islice(every, fewer_than))
    return None if len(found) == fewer_than else found


def _coverage(aligned: AlignedClause, _: Beside) -> Iterator[Objection]:
    """The clause's content words stand in the place; what is over it may supply nouns."""
    for amount, lines in aligned.amounts:
        if not lines and _is_telling(amount):
            yield _missing("one-place", amount.text)
    verbs = verbs_of(aligned.clause.reading)
    asked = [n for n in range(len(aligned.terms)) if _asks_licence(n, aligned, verbs)]
    lost = (aligned.terms[n][0] for n in asked if not _licensed(n, aligned, verbs))
    for term in lost:
        worded = term.kind == "word" and not _listed(term, aligned.clause.reading.text)
        yield _missing("coverage" if worded else "one-place", term.text)


def _missing(check: str, word: str) -> Objection:
    return Objection(check, word, _lost(word))


def _lost(word: str) -> str:
    return f"“{word}” does not stand in the place"


def _is_telling(amount: Amount) -> bool:
    """Whether a number counts: not `one` or `first`, which say little."""
    return amount.text[:1].isdigit() or (amount.low >= 2 and amount.unit != "ordinal")


def _asks_licence(number: int, aligned: AlignedClause, verbs: frozenset[int]) -> bool:
    """Whether a term has to be licensed: it states something, and is no label, word of force or
    frame that the place has in its own form."""
    term, spots, _ = aligned.terms[number]
    labels = _labels(aligned.clause.reading.text)
    if term.weight < 0.6 or any(a <= term.start < b for a, b in labels):
        return False
    if _of_force(term, aligned.clause):
        return False
    framing = term.kind == "word" and term.start in verbs and _frame(term.low)
    return bool(spots) or not (framing or _structural(term.low, aligned))


def _licensed(number: int, aligned: AlignedClause, verbs: frozenset[int]) -> bool:
    term, spots, _ = aligned.terms[number]
    if spots or _is_kind(aligned, number) or _comments(term, aligned):
        return True
    if term.kind == "word" and term.low in lexicon_words("WHOLE"):
        return True
    verb = term.kind == "word" and term.start in verbs
    return grade(term, aligned.place.enclosing if verb else aligned.place.over) > 0


_LABEL = compiled(r"(?:^\W*|(?<=[.!?]\s))[A-Z]\w*(?:\s\w+){0,2}:(?=\s|$)")


_JOINT = 24
"""Characters before a word that show whether it is one more of a list."""


_LISTED = compiled(r"(?i)(?:,|\band|\bor|,\s*and)\s+(?:the\s+|an?\s+)?$")


@lru_cache(maxsize=256)
def _labels(text: str) -> tuple[tuple[int, int], ...]:
    """Where labels stand, which begin a text or a sentence of it."""
    return tuple(m.span() for m in _LABEL.finditer(text))


def _listed(term: Term, text: str) -> bool:
    """Whether a word is one more of a list."""
    return bool(_LISTED.search(text[max(0, term.start - _JOINT) : term.start]))


def _frame(low: str) -> bool:
    return low in lexicon_words("FRAME_VERBS")


@cache
def _kind_stems() -> frozenset[str]:
    return frozenset(map(stem, lexicon_words("KINDS")))


@cache
def _structures() -> dict[str, re.Pattern[str]]:
    return {
        stem(word): compiled(pattern, 2)
        for listed, pattern in lexicon.STRUCTURE.items()
        for word in listed.split()
    }


def _structural(low: str, aligned: AlignedClause) -> bool:
    """Whether code says a verb by its form: `return`, `raise`, a call."""
    pattern = _structures().get(stem(low))
    if pattern is None or not aligned.place.code:
        return False
    return any(pattern.search(p.text) for p in aligned.place.passages)


def _of_force(term: Term, clause: Clause) -> bool:
    return any(
        w.start <= term.start < w.start + len(w.text) and w.text not in lexicon_words("CONTENT")
        for w in clause.reading.force
    )


def _comments(term: Term, aligned: AlignedClause) -> bool:
    """Whether a word says that something is a comment, where it is."""
    return term.stem == "comment" and any(
        not aligned.place.passages[s.line].code for _, spots, _ in aligned.terms for s in spots
    )


def _is_kind(aligned: AlignedClause, number: int) -> bool:
    """Whether a word only says what kind of thing the name beside it is."""
    if aligned.terms[number][0].stem not in _kind_stems():
        return False
    near = aligned.terms[max(0, number - 1) : number] + aligned.terms[number + 1 : number + 2]
    return any(s and t.kind != "word" for t, s, _ in near)


def _near(line: int, lines: frozenset[int]) -> bool:
    return any(abs(line - other) <= 1 for other in lines)


def _scope(aligned: AlignedClause, held: Beside) -> Iterator[Objection]:
    """Environments stand where the rest of the clause stands; tests speak of themselves."""
    envs = lexicon_words("ENVIRONMENTS")
    said = {t.low for t, _, _ in aligned.terms} | set(aligned.clause.reading.words)
    for term, spots in aligned.there if aligned.place.code else ():
        strong = strong_lines(aligned)
        if term.low in envs and not any(_governs(s.line, strong, aligned) for s in spots):
            yield Objection("scope", term.text, f"“{term.text}” stands elsewhere")
    if other := other_environment(said, held.source.path):
        yield Objection("scope", other[0], f"the source is of {other[1]}")
    tried = held.source.kind in ("lines", "file") and _TRIAL.search(held.source.path)
    if tried and not said & lexicon_words("TRIAL_WORDS"):
        told = "tests, fixtures and examples speak of themselves alone"
        yield Objection("section", "test", told)


def other_environment(said: Iterable[str], path: str) -> tuple[str, str] | None:
    """An environment that is said, and the one that a path is of instead."""
    envs = lexicon_words("ENVIRONMENTS")
    parts = set(re.split(r"[/._-]", path.lower())) - lexicon_words("TRIAL_WORDS") - {"ci"}
    mine, theirs = envs.intersection(said), parts & envs
    if mine and theirs and not mine & theirs and not _synonymous(mine, theirs):
        return min(mine), min(theirs)
    return None


def _governs(line: int, strong: frozenset[int], aligned: AlignedClause) -> bool:
    """Whether a line is one of some lines, or stands next to them and is no statement of its own
    under its own condition."""
    whole = _TRAILING.search(aligned.place.passages[line].text)
    return line in strong if whole else _near(line, strong)


_TRAILING = compiled(r"^\s*(?!if\b|unless\b|elif\b|else\b|when\b|case\b)\S.*\s(?:if|unless)\s")


_TRIAL = compiled(lexicon.TRIALS)


def _synonymous(said: Iterable[str], theirs: Iterable[str]) -> bool:
    return any(a.startswith(b) or b.startswith(a) for a in said for b in theirs)


_MIXED = compiled(r"(?=\w*[A-Za-z])(?=\w*[\u0370-\u03ff\u0400-\u04ff\u0530-\u058f])\w+")


_UNSEEN = compiled(unseen())


def _letters(text: str) -> Iterator[Objection]:
    """One canonical reading: no letters of two scripts in a word, nothing that is not seen."""
    if text.isascii():
        return
    if mixed := _MIXED.search(text):
        yield Objection("letters", mixed[0], f"“{mixed[0]}” mixes scripts")
    if _UNSEEN.search(text):
        yield Objection("letters", "", "it holds characters that are not seen")


CHECKS: tuple[Callable[[AlignedClause, Beside], Iterator[Objection]], ...] = (
    _coverage,
    force_unlicensed,
    order_unlicensed,
    apart_in_place,
    _scope,
)


def _strength(aligned: AlignedClause) -> Strength:
    """`fact`: a name and its value in one line; `quote`: every word as one line or sentence has it,
    in its order, with its words of force; `match`: what is licensed."""
    terms = [
        (spots, sure)
        for number, (term, spots, sure) in enumerate(aligned.terms)
        if term.weight >= 0.6 and (spots or not _is_frame(number, aligned))
    ]
    line = _one_line(terms, aligned)
    if line is None:
        return Strength.MATCH
    passage = aligned.place.passages[line]
    ours = sorted(stem(w.text) for w in aligned.clause.reading.force)
    if passage.code:
        told = len(terms) <= FACTUAL and not ours and _is_assignment(passage.text)
        return Strength.FACT if told else Strength.MATCH
    theirs = sorted(stem(w.text) for w in passage.reading.force)
    quoted = ours == theirs and _in_order(terms, line) and _adds_nothing(aligned, passage)
    return Strength.QUOTE if quoted else Strength.MATCH


def _adds_nothing(aligned: AlignedClause, passage: SourcePassage) -> bool:
    """Whether a clause has no word, however little it weighs, that its sentence has not."""
    known = {stem(w) for w in passage.reading.words}
    own = (w for w in aligned.clause.reading.words if w not in function_words())
    return all(stem(w) in known for w in own)


def _one_line(terms: Sequence[tuple[Sequence[Spot], float]], aligned: AlignedClause) -> int | None:
    """The first passage that holds every term and number, in these words; None where none does."""
    rows = [{s.line for s in spots} for spots, _ in terms]
    rows += [set(lines) for _, lines in aligned.amounts]
    if not rows or any(sure < EXACT for _, sure in terms):
        return None
    return min(set.intersection(*rows), default=None)


def _is_assignment(text: str) -> bool:
    """Whether a line gives a name its value, and no remark beside it."""
    return bool(ASSIGNS.match(text)) and not _REMARK.search(text)


_REMARK = compiled(r"\s(?:#|//|--|/\*)\s")


def _in_order(terms: Sequence[tuple[Sequence[Spot], float]], line: int) -> bool:
    at = -1
    for spots, _ in terms:
        later = [s.at for s in spots if s.line == line and s.at > at]
        if not later:
            return False
        at = min(later)
    return True


def _is_frame(number: int, aligned: AlignedClause) -> bool:
    """Whether a word says no more than that a thing is there, or what kind of thing it is."""
    term = aligned.terms[number][0]
    if term.kind != "word":
        return False
    return _frame(term.low) or term.low in lexicon_words("WHOLE") or _is_kind(aligned, number)

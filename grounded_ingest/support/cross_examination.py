"""Cross-examination: what a claim says that one place of its source does not license.

A source supports a claim by positive alignment. Every check is a function of the claim's clause and
a place of the source, and names the word that is not licensed; silence licenses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from grounded_ingest.language.amount_match import Amount, bears_out_amount
from grounded_ingest.language.clauses import is_verb
from grounded_ingest.language.force import ForceWord, code_licenses
from grounded_ingest.language.lexicon import force_words as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.printable import unseen
from grounded_ingest.language.reading import Reading, read_text
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.terms import Term, grade, word_parts, words_of
from grounded_ingest.model.claims import Strength
from grounded_ingest.support.claim_view import Clause
from grounded_ingest.support.compare import Beside, ClauseMatch
from grounded_ingest.support.passages import FACTS, SourcePassage, carried
from grounded_ingest.support.places import (
    ExaminedPlace,
    Spot,
    is_decision_file,
    places_in,
    places_near,
)

EXACT = 0.9
FACTUAL = 4
"""Telling words of a clause that says a name and its value, and no more."""


class Objection(NamedTuple):
    """A word that is not licensed. `check` is one of: coverage, force, order, one-place,
    scope, section, letters."""

    check: str
    word: str
    told: str


class Examined(NamedTuple):
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
        return "; ".join(dict.fromkeys(o.told for o in self.objections[:3]))


_Found = tuple[Term, tuple[Spot, ...]]


class _Aligned(NamedTuple):
    """A clause beside a place: of each of its terms where it stands, and how surely."""

    clause: Clause
    place: ExaminedPlace
    terms: tuple[tuple[Term, tuple[Spot, ...], float], ...]
    amounts: tuple[tuple[Amount, tuple[int, ...]], ...]
    """Each number, and the passages that say it."""

    @property
    def there(self) -> list[_Found]:
        """The terms that stand in the place, and where."""
        return [(term, spots) for term, spots, _ in self.terms if spots]

    @property
    def lines(self) -> frozenset[int]:
        """The passages that hold anything of it."""
        spots = {s.line for _, found, _ in self.terms for s in found}
        return frozenset(spots | {n for _, lines in self.amounts for n in lines})


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
    turned = (*_turned_round(held.read.reading.text, found_at), *_crossed(found_at))
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


class _Said(NamedTuple):
    """A word of one part of a claim where it stands in the place."""

    part: tuple[int, int]
    term: Term
    spots: tuple[Spot, ...]


def _crossed(found: Sequence[_Aligned | None]) -> Iterator[Objection]:
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


def _said_in(number: int, aligned: _Aligned) -> Iterator[_Said]:
    parts = _parts_of(aligned.clause.reading.text)
    for term, spots in aligned.there:
        if term.weight >= 1 or term.kind != "word":
            yield _Said((number, _part_at(term.start, parts)), term, spots)


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


_ORDERED = compiled(
    r"(?i)\b(?:first|then|afterwards?|(?:after|before) (?:it|that|them)|finally|last|later)\b"
)


def _turned_round(text: str, found: Sequence[_Aligned | None]) -> Iterator[Objection]:
    """Clauses that are told one after the other stand so in the place."""
    mark = _ORDERED.search(text)
    rows = [
        sorted((a.place.passages[n].line, n) for n in _strong_lines(a, 1.0))
        for a in found
        if a is not None and a.place.code
    ]
    for one, other in pairwise(rows):
        if mark and one and other and one[0] > other[-1]:
            yield Objection(
                "order", mark[0], f"the place has it the other way round than “{mark[0]}”"
            )
            return


def _examined(
    match: ClauseMatch, places: Sequence[ExaminedPlace], held: Beside
) -> tuple[tuple[Objection, ...], _Aligned | None]:
    """The objections to a clause at the place that holds most of it."""
    best: tuple[tuple[float, int, int], Sequence[Objection], _Aligned] | None = None
    for place in places:
        aligned = _align(match, place, held)
        share = round(_share(aligned), 2)
        if best is not None and share < best[0][0]:
            continue
        found = _objections(aligned, held)
        score = (share, -len(found), 0 if found else _strength(aligned).rank)
        if best is None or score > best[0]:
            best = score, found, aligned
    if best is None:
        return (Objection("section", "", "no part of the source may say it"),), None
    return tuple(best[1]), best[2]


def _align(found: ClauseMatch, place: ExaminedPlace, held: Beside) -> _Aligned:
    clause, spots = found.clause, place.spots()
    facts = [a for p in held.passages if p.about == FACTS for a in p.reading.amounts]
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
    return _Aligned(clause, place, terms, amounts)


def _listed_amounts(found: ClauseMatch) -> Iterator[tuple[Amount, bool]]:
    """The numbers of a clause, and whether the source shows one as a list of that many."""
    for amount, counted in zip(found.clause.reading.amounts, found.counted, strict=True):
        yield amount, counted and bool(amount.noun) and not amount.unit


def _above(passage: SourcePassage) -> Sequence[Amount]:
    return () if passage.code else read_text(passage.about).amounts


def _found(term: Term, spots: Sequence[Spot], text: str) -> tuple[tuple[Spot, ...], float]:
    """Where a term stands; a name in backticks only where it stands as a name of its own."""
    graded = [(s, grade(term, s.word.keys)) for s in spots]
    if _is_quoted(term, text):
        graded = [(s, g) for s, g in graded if g and _same_name(term.text, s.word.text)]
        cased = [(s, g) for s, g in graded if s.word.text.strip("\"'") == term.text.strip("\"'")]
        graded = cased or graded
    best = max((g for _, g in graded), default=0.0)
    if best < EXACT and term.low in _words("CONTENT"):
        return (), 0.0
    return tuple(s for s, g in graded if g == best) if best else (), best


def _is_quoted(term: Term, text: str) -> bool:
    before = text[: term.start]
    return before.count("`") % 2 == 1


def _bare(name: str) -> str:
    dotted = re.sub(r"::|->", ".", name.lower().replace("-", "_"))
    return re.sub(r"[^\w.]+", "", dotted).strip("_.")


def _same_name(said: str, known: str) -> bool:
    one, other = _bare(said), _bare(known)
    if one == other or one.replace("_", "") == other.replace("_", ""):
        return True
    ends = [re.split(r"\.|::|->|/", n)[-1] for n in (one, other)]
    return (
        ("." in one or "." in other or "/" in said or "/" in known)
        and (ends[0] == ends[1] or other.endswith(f".{one}") or one.endswith(f".{other}"))
    ) or one in other.split(".")


def _share(aligned: _Aligned) -> float:
    """How much of a clause stands in the place itself, 0 to 1."""
    whole = sum(t.weight for t, _, _ in aligned.terms) + 2 * len(aligned.amounts)
    there = sum(g * t.weight for t, _, g in aligned.terms)
    there += sum(2.0 for _, lines in aligned.amounts if lines)
    return there / whole if whole else 0.0


def _objections(aligned: _Aligned, held: Beside) -> list[Objection]:
    return [o for check in CHECKS for o in check(aligned, held)]


def _coverage(aligned: _Aligned, _: Beside) -> Iterator[Objection]:
    """The clause's content words stand in the place; what is over it may supply nouns."""
    for amount, lines in aligned.amounts:
        if not lines and _is_telling(amount):
            yield _missing("one-place", amount.text)
    verbs = _verbs(aligned.clause.reading)
    asked = [n for n in range(len(aligned.terms)) if _asks_licence(n, aligned, verbs)]
    lost = (aligned.terms[n][0] for n in asked if not _licensed(n, aligned, verbs))
    for term in lost:
        worded = term.kind == "word" and not _listed(term, aligned.clause.reading.text)
        yield _missing("coverage" if worded else "one-place", term.text)


def _missing(check: str, word: str) -> Objection:
    return Objection(check, word, f"“{word}” does not stand in the place")


def _is_telling(amount: Amount) -> bool:
    """Whether a number counts: not `one` or `first`, which say little."""
    return amount.text[:1].isdigit() or (amount.low >= 2 and amount.unit != "ordinal")


def _asks_licence(number: int, aligned: _Aligned, verbs: frozenset[int]) -> bool:
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


def _licensed(number: int, aligned: _Aligned, verbs: frozenset[int]) -> bool:
    term, spots, _ = aligned.terms[number]
    if spots or _is_kind(aligned, number) or _comments(term, aligned):
        return True
    if term.kind == "word" and term.low in _words("WHOLE"):
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


@lru_cache(maxsize=4096)
def _verb_starts(reading: Reading) -> frozenset[int]:
    """Where the first verb of each piece stands."""
    return frozenset(
        s.tokens[p.verb].start for s in reading.sentences for p in s.pieces if p.verb >= 0
    )


@lru_cache(maxsize=4096)
def _verbs(reading: Reading) -> frozenset[int]:
    """Where verbs stand, participles behind a form of `be` among them."""
    told = (
        t.start
        for s in reading.sentences
        for n, t in enumerate(s.tokens)
        if n and is_verb(s.tokens, n, 0)
    )
    participles = (m.start(1) for m in _PARTICIPLE.finditer(reading.text))
    return _verb_starts(reading).union(told, participles)


_PARTICIPLE = compiled(
    r"(?i)\b(?:is|are|was|were|be|been|being|gets?)\s+(?:not\s+|only\s+|\w+ly\s+)?([a-z]+ed)\b"
)


def _frame(low: str) -> bool:
    return low in _words("FRAME_VERBS")


@cache
def _words(name: str) -> frozenset[str]:
    listed: str = getattr(lexicon, name)
    return frozenset(listed.split())


@cache
def _kind_stems() -> frozenset[str]:
    return frozenset(map(stem, _words("KINDS")))


@cache
def _structures() -> dict[str, re.Pattern[str]]:
    return {
        stem(word): compiled(pattern, 2)
        for listed, pattern in lexicon.STRUCTURE.items()
        for word in listed.split()
    }


def _structural(low: str, aligned: _Aligned) -> bool:
    """Whether code says a verb by its form: `return`, `raise`, a call."""
    pattern = _structures().get(stem(low))
    if pattern is None or not aligned.place.code:
        return False
    return any(pattern.search(p.text) for p in aligned.place.passages)


def _of_force(term: Term, clause: Clause) -> bool:
    return any(
        w.start <= term.start < w.start + len(w.text) and w.text not in _words("CONTENT")
        for w in clause.reading.force
    )


def _comments(term: Term, aligned: _Aligned) -> bool:
    """Whether a word says that something is a comment, where it is."""
    return term.stem == "comment" and any(
        not aligned.place.passages[s.line].code for _, spots, _ in aligned.terms for s in spots
    )


def _is_kind(aligned: _Aligned, number: int) -> bool:
    """Whether a word only says what kind of thing the name beside it is."""
    if aligned.terms[number][0].stem not in _kind_stems():
        return False
    near = aligned.terms[max(0, number - 1) : number] + aligned.terms[number + 1 : number + 2]
    return any(s and t.kind != "word" for t, s, _ in near)


def _force(aligned: _Aligned, held: Beside) -> Iterator[Objection]:
    """Words of force are licensed both ways: the claim's in the place, the place's in the claim."""
    said = aligned.clause.reading.force
    place = aligned.place
    told = _told_at(aligned) if place.code else 0
    if told is None:
        yield from _force_beside_code(aligned, held)
        return
    known = place.passages[told].reading.force
    theirs = _force_groups(known)
    free = _free_of_licence(aligned, held)
    stated = {stem(w.text) for w in known}
    for word in said:
        licensed = word.groups & (theirs | free) or stem(word.text) in stated
        if not licensed and not _counts(word, aligned):
            yield Objection("force", word.text, f"“{word.text}” is not what the place says")
    whole = said if place.code else held.read.reading.force
    if "not" in _force_groups(whole) & theirs and _odd(whole) != _odd(known):
        yield Objection("force", "not", "the one denies what the other says")
    yield from _unstated(told, aligned, held)


def _free_of_licence(aligned: _Aligned, held: Beside) -> frozenset[str]:
    """What a commit did is past, and holds since; the order of what is told is looked at by
    itself."""
    free = _DONE if held.source.kind == "commit" else frozenset[str]()
    return free | _TIMES if aligned.place.code and len(aligned.there) > 1 else free


def _told_at(aligned: _Aligned) -> int | None:
    """The sentence of a comment that holds all of a clause, but for the name that is declared
    below it and stands first in the clause; None where code itself says some of it."""
    passages = aligned.place.passages
    declared = _declarations(aligned.place)
    lines = [frozenset(s.line for s in spots) for _, spots in aligned.there]
    lines += [frozenset(found) for _, found in aligned.amounts if found]
    asked = [own - declared for own in lines if own - declared]
    if not asked or any(own <= declared for own in lines[1:]):
        return None
    shared = frozenset.intersection(*asked)
    return next((n for n in sorted(shared) if not passages[n].code), None)


def _declarations(place: ExaminedPlace) -> frozenset[int]:
    """The lines of code right below a comment."""
    return frozenset(
        n + 1 for n, (one, next_) in enumerate(pairwise(place.passages)) if next_.code > one.code
    )


def _force_groups(words: Sequence[ForceWord]) -> frozenset[str]:
    return frozenset[str]().union(*(w.groups for w in words))


def _unstated(line: int, aligned: _Aligned, held: Beside) -> Iterator[Objection]:
    """What a sentence of the place says with force, and the claim leaves out: conditions of the
    whole sentence, the rest where the claim's words stand."""
    passage = aligned.place.passages[line]
    ours = _force_groups(held.read.reading.force)
    parts = _parts_of(passage.text)
    held_by = {
        _part_at(s.word.start, parts)
        for _, spots, _ in aligned.terms
        for s in spots
        if s.line == line
    }
    for word in passage.reading.force:
        if word.groups & ours or not word.groups & _BINDING or _counted_by(word):
            continue
        if _left_free(word, passage.text, held, aligned):
            continue
        governs = word.groups & _CONDITIONAL or ":" in passage.text[word.start :].rstrip(":")
        if governs or _part_at(word.start, parts) in held_by:
            yield Objection("force", word.text, f"the place says “{word.text}”, the claim does not")


def _left_free(word: ForceWord, text: str, held: Beside, aligned: _Aligned) -> bool:
    """Whether a claim may leave out a word of force: it tells the condition in another form; a
    record says "will" of what it decides, a comment of what the code does."""
    if word.text == "will":
        decides = is_decision_file(held.source.path) or held.source.kind == "adr"
        return decides or aligned.place.code
    if word.text in _WHEN:
        return _told_whole(_clause_from(word, text), held)
    return word.text in _LEFT_FREE


_WHEN = frozenset(("if", "when", "whenever", "once", "while"))
_STOP = compiled(r"[,;.:](?=\s|$)| -- | — ")


def _clause_from(word: ForceWord, text: str) -> str:
    """What a word of condition governs, as far as the next stop."""
    stop = _STOP.search(text, word.start)
    return text[word.start + len(word.text) : stop.start() if stop else len(text)]


def _told_whole(condition: str, held: Beside) -> bool:
    """Whether a claim has every telling word of a condition: it tells it in another form."""
    terms = [t for t in read_text(condition).terms if t.weight >= 0.6]
    return bool(terms) and all(grade(t, held.read.reading.keys) >= EXACT for t in terms)


def _parts_of(text: str) -> tuple[int, ...]:
    """Where the parts of a sentence begin."""
    return (0, *(m.end() for m in _PARTS.finditer(text)))


def _part_at(start: int, parts: Sequence[int]) -> int:
    return max(n for n, begin in enumerate(parts) if begin <= start)


_CONDITIONAL = frozenset(("only", "if"))
_DONE = frozenset(("past", "now"))
"""What a commit did is past, and holds since."""
_LEFT_FREE = frozenset(("can", "able", "allowed", "allows", "allow", "permitted", "permits"))
_TIMES = frozenset(("before", "after", "first", "last"))
_BINDING = frozenset(("not", "only", "if", "some", "most", "past", "planned", "may", "option"))


def _odd(words: Sequence[ForceWord]) -> bool:
    return sum("not" in w.groups for w in words) % 2 == 1


def _counts(word: ForceWord, aligned: _Aligned) -> bool:
    """Whether a word belongs to a number that was compared with it: `at most 5`."""
    numbers = frozenset(lexicon.OF_NUMBERS.split()) | ({"all"} if word.text == "every" else set())
    return bool(word.groups & numbers) and any(
        lines and abs(a.start - word.start) < 30 for a, lines in aligned.amounts
    )


def _counted_by(word: ForceWord) -> bool:
    numbers = frozenset(lexicon.OF_NUMBERS.split())
    return bool(word.groups <= numbers)


def _force_beside_code(aligned: _Aligned, held: Beside) -> Iterator[Objection]:
    """The same beside code, whose form says some of these words."""
    said = aligned.clause.reading.force
    lines = aligned.lines or frozenset(range(len(aligned.place.passages)))
    for word in said:
        if held.source.kind == "commit" and word.groups & _DONE:
            continue
        if not _said_by_code(word, lines, aligned):
            yield Objection("force", word.text, f"“{word.text}” is not what the code says")
    yield from _directions(aligned)
    yield from _bounds(aligned)
    yield from _unsaid(aligned, held)
    for number in sorted(_strong_lines(aligned) | _shared_lines(aligned)):
        if not aligned.place.passages[number].code:
            yield from _unstated(number, aligned, held)


def _said_by_code(word: ForceWord, lines: frozenset[int], aligned: _Aligned) -> bool:
    """Whether the lines that hold a clause, or their comments, say a word of force. The order of
    what is told is looked at by itself."""
    if "not" in word.groups and word.text not in _words("CONTENT"):
        close = _strong_lines(aligned) | _shared_lines(aligned)
        code, told = _texts_near(close, aligned, 2)
        return code_licenses("not", f"{code}\n{told}")
    if word.groups & _TIMES and len(aligned.there) > 1:
        return True
    if word.text in _words("CONTENT") and any(
        t.start == word.start and sure >= EXACT for t, _, sure in aligned.terms
    ):
        return True
    code, _ = _texts_near(lines, aligned, 1)
    told_groups = _force_groups(
        [w for n in _around_lines(lines, aligned, 1) for w in _of_comment(n, aligned)]
    )
    licensed = word.groups & told_groups or any(code_licenses(g, code) for g in word.groups)
    return bool(licensed) or _counts(word, aligned)


def _of_comment(number: int, aligned: _Aligned) -> Sequence[ForceWord]:
    passage = aligned.place.passages[number]
    return () if passage.code else passage.reading.force


def _around_lines(lines: frozenset[int], aligned: _Aligned, reach: int) -> list[int]:
    return [
        n for n in range(len(aligned.place.passages)) if any(abs(n - at) <= reach for at in lines)
    ]


def _texts_near(lines: frozenset[int], aligned: _Aligned, reach: int) -> tuple[str, str]:
    """The code and the comments around some lines."""
    near = [aligned.place.passages[n] for n in _around_lines(lines, aligned, reach)]
    return (
        "\n".join(p.text for p in near if p.code),
        "\n".join(p.text for p in near if not p.code),
    )


def _bounds(aligned: _Aligned) -> Iterator[Objection]:
    """`at least 5` beside a maximum."""
    for amount, found in aligned.amounts:
        shown = " ".join(aligned.place.passages[n].text for n in found)
        bounds = {b for b, p in _BOUNDS.items() if p.search(shown)}
        if amount.bound in _BOUNDS and bounds and amount.bound not in bounds:
            yield Objection("force", amount.text, f"“{amount.text}” is the other bound")


def _shared_lines(aligned: _Aligned) -> frozenset[int]:
    """The passages that hold more than one telling word of a clause."""
    rows = [s for t, spots, _ in aligned.terms if t.weight >= 1 for s in {s.line for s in spots}]
    return frozenset(n for n in rows if rows.count(n) > 1)


def _near(line: int, lines: frozenset[int]) -> bool:
    return any(abs(line - other) <= 1 for other in lines)


_MORE, _LESS = compiled(r"(?<![-=<>])>(?!>)=?|-g[te]\b"), compiled(r"(?<![-=<>])<(?!<)=?|-l[te]\b")
_OPPOSED = (("more", "less"), ("less", "more"), ("before", "after"), ("after", "before"))
_BOUNDS = {"min": compiled(r"(?i)min|least|>="), "max": compiled(r"(?i)max|limit|cap|most|<=")}


def _directions(aligned: _Aligned) -> Iterator[Objection]:
    """`more than` beside `<`, `before` where a comment says "after"."""
    code, _ = _texts_near(aligned.lines, aligned, 1)
    known = _force_groups([w for p in aligned.place.passages for w in p.reading.force])
    for word in aligned.clause.reading.force:
        if _opposed(word, known) or _compared_otherwise(word, code):
            yield Objection("force", word.text, f"“{word.text}” is not what the place compares")


def _opposed(word: ForceWord, known: frozenset[str]) -> bool:
    """Whether a place says the opposite of a word, and not the word."""
    return any(
        one in word.groups and other not in word.groups and other in known and one not in known
        for one, other in _OPPOSED
    )


def _compared_otherwise(word: ForceWord, code: str) -> bool:
    rises, falls = bool(_MORE.search(code)), bool(_LESS.search(code))
    if rises == falls:
        return False
    if _AGO.search(code):  # what lies before a time is older than that
        rises, falls = falls, rises
    return word.text in _words("RISING" if falls else "FALLING")


_AGO = compiled(r"\.ago\b|(?i:\bnow\b|getdate|current_timestamp)\W*(?:\(\))?\s*-")
_CONDITION, _GUARD = compiled(lexicon.CONDITIONS), compiled(lexicon.GUARDS)
_DENYING = compiled(
    r"\bnot\b(?! (?:None|in))|(?<!\w)!(?=\w|\()|\bunless\b"
    r"|!==?(?!\s*(?:''|\"\"|None|nil|null|undefined|0\b|-1))"
)
_OFF = compiled(
    r"(?i)[=:]\s*[\"']?(?:false|off|no|none|null|nil|disabled?|0)\b[\"']?\s*[,;})]?\s*(?:#.*|//.*)?$"
)


def _unsaid(aligned: _Aligned, held: Beside) -> Iterator[Objection]:
    """What a line of code hangs on, or denies, and the claim leaves out."""
    said = aligned.clause.reading.force
    groups = _force_groups(said)
    content = _words("CONTENT") - {"disabled"}
    if "not" in _force_groups([w for w in said if w.text not in content]):
        return
    for number in sorted(_weighty(aligned, conditional="if" in groups)):
        passage = aligned.place.passages[number]
        if not passage.code:
            continue
        off = "not" not in groups and _switched_off(passage, aligned)
        if off or _DENYING.search(passage.text):
            yield Objection("force", "not", f"the code denies it: {passage.text[:60]}")
            return
        hangs = not groups & {"only", "if"} and _CONDITION.search(_unquoted(passage.text))
        if hangs and not (_told_of(number, aligned) or _told_whole(hangs[0], held)):
            yield Objection(
                "force", "if", f"the code says it under a condition: {passage.text[:60]}"
            )
            return


def _weighty(aligned: _Aligned, *, conditional: bool) -> frozenset[int]:
    """The lines that carry a clause; with their conditions where it tells one as well."""
    found = _strong_lines(aligned) | _named_lines(aligned) or aligned.lines
    if not conditional:
        return found
    guards = {n for n in aligned.lines if _GUARD.match(aligned.place.passages[n].text)}
    return found | guards


def _told_of(line: int, aligned: _Aligned) -> bool:
    """Whether a clause names what a condition is of: a word that stands in its line alone."""
    return any({s.line for s in spots} == {line} for _, spots, _ in aligned.terms if spots)


def _named_lines(aligned: _Aligned) -> frozenset[int]:
    """The lines whose assigned name is a word of the clause."""
    found = set()
    for _, spots, _ in aligned.terms:
        for spot in spots:
            named = _NAMED.match(aligned.place.passages[spot.line].text)
            if named and _bare(named[1]) == _bare(spot.word.text):
                found.add(spot.line)
    return frozenset(found)


def _switched_off(passage: SourcePassage, aligned: _Aligned) -> bool:
    off = _OFF.search(passage.text)
    if not off:
        return False
    said = aligned.clause.reading.text.lower()
    return not re.search(r"\b(?:false|off|no|none|null|nil|disabled?|0|zero)\b", said)


_STRING = compiled(r"\"[^\"]*\"|'[^']*'")


def _unquoted(text: str) -> str:
    return _STRING.sub("''", text)


def _strong_lines(aligned: _Aligned, share: float = 0.75) -> frozenset[int]:
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


def _order(aligned: _Aligned, _: Beside) -> Iterator[Objection]:
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


def _called_by(aligned: _Aligned) -> Iterator[Objection]:
    """`a` calls `b` where a line of `b` names `a`."""
    verb = _first_call(aligned)
    names = [(t, s) for t, s, _ in aligned.terms if t.kind != "word" and verb >= 0]
    inside = [t for t, s in names if t.start < verb and s]
    later = [t for t, s in names if t.start > verb and not s]
    around = [t for t in later if grade(t, aligned.place.enclosing)]
    if inside and around:
        told = f"the place is in “{around[0].text}”"
        yield Objection("order", inside[0].text, told)


def _first_call(aligned: _Aligned) -> int:
    calls = [t.start for t, _, _ in aligned.terms if t.low in _words("CALLS")]
    return min(calls, default=-1) if aligned.place.code else -1


def _ordering_verbs(aligned: _Aligned) -> list[int]:
    calling = {t.start for t, _, _ in aligned.terms if t.low in _words("CALLS")}
    return sorted(_verb_starts(aligned.clause.reading) | calling)[:2]


def _heavy(aligned: _Aligned, before: int = 1 << 30, behind: int = -1) -> list[_Found]:
    return [(t, s) for t, s in aligned.there if behind < t.start < before and t.weight >= 1]


def _turned(verb: int, mine: Sequence[Spot], its: Sequence[Spot], aligned: _Aligned) -> bool:
    """Whether a place has two things on the other sides of a verb; in code, where the one who calls
    stands first, in the other order."""
    found = next(((t, s) for t, s, _ in aligned.terms if t.start == verb), None)
    if found is None:
        return False
    place = aligned.place
    if place.code and not (_in_comments(mine, place) and _in_comments(its, place)):
        return found[0].low in _words("CALLS") and _inverted(mine, its)
    if _passive(aligned.clause.reading.text) != _passive(place.text):
        return False
    return _around(mine, found[1], its)


def _inverted(mine: Sequence[Spot], its: Sequence[Spot]) -> bool:
    return min(s.at for s in mine) > max(s.at for s in its)


_LINK = compiled(r"(?i)\s(?:to|into|onto|over|by|from)\s")


def _linked(aligned: _Aligned) -> Iterator[Objection]:
    """`A to B` is not `B to A`."""
    verbs = _verbs(aligned.clause.reading)
    named = [
        (t, s)
        for t, s in aligned.there
        if t.weight >= 0.6 and t.start not in verbs
        if not aligned.place.code or _in_comments(s, aligned.place)
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


def _cased(aligned: _Aligned) -> Iterator[Objection]:
    """Who is marked by `to`, `from`, `by`, `than` in the place is so marked in the claim, where
    both mark something and the claim knows what the place marks."""
    said = aligned.clause.reading
    prose = [p.reading for p in aligned.place.passages if not p.code]
    for role in _ROLES:
        known = [t for reading in prose for group in _marked(role, reading) for t in group]
        theirs = [t for t in known if grade(t, said.keys) >= EXACT]
        for group in _marked(role, said) if theirs else ():
            roots = {r for t in group for r in (t.stem, t.root, _bare(t.text).rpartition(".")[2])}
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


def _in_comments(spots: Sequence[Spot], place: ExaminedPlace) -> bool:
    return not any(place.passages[s.line].code for s in spots)


_PASSIVE = compiled(
    r"(?i)\b(?:is|are|was|were|be|been|being|gets?)\s+(?:(?:not|only|then|\w+ly)\s+)*\w+(?:ed|en|wn|pt|ilt|ent)\b"
)


def _passive(text: str) -> bool:
    return bool(_PASSIVE.search(text))


_SEQUENCE = compiled(
    r"(?i)\b(first|before|then|afterwards?|after|finally|last|once|until|followed by|ahead of)\b"
)


def _sequence(aligned: _Aligned) -> Iterator[Objection]:
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
    return term.weight >= 1 and (not place.code or _in_comments(spots, place))


def _firsts(text: str, named: Sequence[_Found]) -> Iterator[Objection]:
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


def _another_first(at: int, named: Sequence[_Found]) -> bool:
    """Whether what is told later than the one called first stands before it."""
    closest = min(named, key=lambda x: abs(x[0].start - at))
    others = [
        min(s.at for s in spots) for t, spots in named if t is not closest[0] and t.start > at
    ]
    return bool(others) and min(s.at for s in closest[1]) > min(others)


def _one_place(aligned: _Aligned, held: Beside) -> Iterator[Objection]:
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


def _of_two_items(aligned: _Aligned) -> Iterator[Objection]:
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
    start: int, value: str, bearing: frozenset[int], aligned: _Aligned
) -> tuple[Term, frozenset[int]] | None:
    """The word nearest to a value, before it if there is one, that tells one value from another."""
    units = _units(aligned.place)
    parts = _parts_of(aligned.clause.reading.text)
    telling = [
        (term, there)
        for term, spots in aligned.there
        if (there := frozenset(_unit(s, units) for s in spots) & bearing) not in ((), bearing)
        if there and term.start != start and term.text not in value
        if aligned.place.code or _part_at(term.start, parts) == _part_at(start, parts)
    ]
    before = [w for w in telling if w[0].start < start]
    return before[-1] if before else (telling[0] if telling else None)


def _goes_on(
    start: int, there: frozenset[int], name: tuple[Term, frozenset[int]], aligned: _Aligned
) -> bool:
    """Whether a value stands behind its name in a part that names nothing new, in the claim and in
    the sentence: `the port was 8443, is now 9443`."""
    parts, units = _parts_of(aligned.clause.reading.text), _units(aligned.place)
    if aligned.place.code or _part_at(name[0].start, parts) >= _part_at(start, parts):
        return False
    told = [t for n in there for t in read_text(units[n].text).terms if t.weight >= 1]
    known = aligned.clause.reading.keys
    return min(there) > min(name[1]) and all(grade(t, known) for t in told)


_IDENTIFIES = compiled(
    r"(\s*)(?:-\s+|\{\s*)?[\"']?(?:name|id|key|title|package)[\"']?\s*[:=]\s*[\"']?[\w@]"
)


def _of_named(there: frozenset[int], named: frozenset[int], aligned: _Aligned) -> bool:
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


_PARTS = compiled(r"(?<=[,;:])\s|\s(?=(?:and|but|while|whereas|or)\s)")


class _Unit(NamedTuple):
    line: int
    start: int
    text: str


@lru_cache(maxsize=256)
def _units(place: ExaminedPlace) -> tuple[_Unit, ...]:
    """Lines of code, parts of a sentence."""
    if place.code:
        return tuple(_Unit(n, 0, p.text) for n, p in enumerate(place.passages))
    text = place.passages[0].text
    edges = (*_parts_of(text), len(text))
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
        if (read_text(u.text, code=True).amounts if numbers else _ASSIGNS.match(u.text))
    )


_ASSIGNS = compiled(
    r"\s*(?:-\s+|export\s+|const\s+|let\s+|var\s+)?[-\w.\"'`\[\]@]+\s*(?::|=|=>|:=)\s*[^\s{\[(:=]"
)
_VALUE = compiled(
    r"(?i)\b(?:is|are|to|of|as|has|uses|with|equals|returns|=|:)\s+(?:the\s+|an?\s+)?"
    r"(`[^`]+`|\"[^\"]+\"|true|false|none|null|nil)"
)


def _literals(aligned: _Aligned) -> list[tuple[int, str, frozenset[int]]]:
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


_NAMED = compiled(
    r"\s*(?:export\s+|const\s+|let\s+|var\s+|pub\s+|static\s+|-\s+)*"
    r"[\"']?([A-Za-z_][\w.\-]*)[\"']?\s*(?::\s*[\w\[\], |]+)?\s*[:=](?!=)"
)


def _better_name(aligned: _Aligned, held: Beside) -> Iterator[Objection]:
    """Whether another name of the source fits what a value is said of better."""
    said = aligned.clause.reading.keys
    lines = {n for _, found in aligned.amounts for n in found}
    names = [m[1] for n in lines if (m := _NAMED.match(aligned.place.passages[n].text))]
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
        if passage.code and _ASSIGNS.match(passage.text) and (m := _NAMED.match(passage.text)):
            yield m[1]


def _parts(name: str) -> list[str]:
    return [stem(p) for p in word_parts(name) if p.isalpha()]


def _left_over(name: str, said: frozenset[str]) -> int:
    return sum(p not in said for p in _parts(name) if p not in _words("UNTELLING"))


def _fits(name: str, said: frozenset[str]) -> bool:
    return bool(_parts(name)) and all(p in said for p in _parts(name))


def _scope(aligned: _Aligned, held: Beside) -> Iterator[Objection]:
    """Environments stand where the rest of the clause stands; tests speak of themselves."""
    envs = _words("ENVIRONMENTS")
    said = {t.low for t, _, _ in aligned.terms} | set(aligned.clause.reading.words)
    for term, spots in aligned.there if aligned.place.code else ():
        strong = _strong_lines(aligned)
        if term.low in envs and not any(_governs(s.line, strong, aligned) for s in spots):
            yield Objection("scope", term.text, f"“{term.text}” stands elsewhere")
    if other := other_environment(said, held.source.path):
        yield Objection("scope", other[0], f"the source is of {other[1]}")
    tried = held.source.kind in ("lines", "file") and _TRIAL.search(held.source.path)
    if tried and not said & _words("TRIAL_WORDS"):
        told = "tests, fixtures and examples speak of themselves alone"
        yield Objection("section", "test", told)


def other_environment(said: Iterable[str], path: str) -> tuple[str, str] | None:
    """An environment that is said, and the one that a path is of instead."""
    envs = _words("ENVIRONMENTS")
    parts = set(re.split(r"[/._-]", path.lower())) - _words("TRIAL_WORDS") - {"ci"}
    mine, theirs = envs.intersection(said), parts & envs
    if mine and theirs and not mine & theirs and not _synonymous(mine, theirs):
        return min(mine), min(theirs)
    return None


def _governs(line: int, strong: frozenset[int], aligned: _Aligned) -> bool:
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


CHECKS: tuple[Callable[[_Aligned, Beside], Iterator[Objection]], ...] = (
    _coverage,
    _force,
    _order,
    _one_place,
    _scope,
)


def _strength(aligned: _Aligned) -> Strength:
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
    theirs = sorted(stem(w.text) for w in passage.reading.force)
    if passage.code:
        told = len(terms) <= FACTUAL and set(ours) <= set(theirs) and _is_assignment(passage.text)
        return Strength.FACT if told else Strength.MATCH
    return Strength.QUOTE if ours == theirs and _in_order(terms, line) else Strength.MATCH


def _one_line(terms: Sequence[tuple[Sequence[Spot], float]], aligned: _Aligned) -> int | None:
    """The first passage that holds every term and number, in these words; None where none does."""
    rows = [{s.line for s in spots} for spots, _ in terms]
    rows += [set(lines) for _, lines in aligned.amounts]
    if not rows or any(sure < EXACT for _, sure in terms):
        return None
    return min(set.intersection(*rows), default=None)


def _is_assignment(text: str) -> bool:
    """Whether a line gives a name its value, and no remark beside it."""
    return bool(_ASSIGNS.match(text)) and not _REMARK.search(text)


_REMARK = compiled(r"\s(?:#|//|--|/\*)\s")


def _in_order(terms: Sequence[tuple[Sequence[Spot], float]], line: int) -> bool:
    at = -1
    for spots, _ in terms:
        later = [s.at for s in spots if s.line == line and s.at > at]
        if not later:
            return False
        at = min(later)
    return True


def _is_frame(number: int, aligned: _Aligned) -> bool:
    """Whether a word says no more than that a thing is there, or what kind of thing it is."""
    term = aligned.terms[number][0]
    if term.kind != "word":
        return False
    return _frame(term.low) or term.low in _words("WHOLE") or _is_kind(aligned, number)

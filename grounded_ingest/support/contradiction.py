"""Where a source says otherwise: another value of the same thing, an obligation or a negation
turned round, a name swapped, a quotation cut short. Precision comes before recall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grounded_ingest.language.amount_match import Amount, bears_out_amount, dated, is_year
from grounded_ingest.language.lexicon import obligation, support_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.polarity import NEGATIONS
from grounded_ingest.language.quantities import is_unit
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.terms import Term, grade, root, word_parts
from grounded_ingest.language.versions import compatible
from grounded_ingest.support.alignment import (
    IN_CODE,
    IN_REPOSITORY,
    LIMITS,
    MAIN,
    Conflict,
    Limits,
    aligned,
    back,
    of_subject,
)
from grounded_ingest.support.claim_view import Clause, heads, keeps_books
from grounded_ingest.support.compare import Beside, ClauseMatch
from grounded_ingest.support.name_swaps import rival_place, swapped
from grounded_ingest.support.passages import SourcePassage
from grounded_ingest.support.substitution import crossed, excluded, swapped_subject

_CUT = compiled(support_words.CUTS, 2)
_GOVERNED = compiled(obligation.GOVERNED, 2)
_FREE = ("page", "text")
"""Sources that are no part of a repository."""
_LIFE = frozenset(("^born", "^die", "^died", "^death", "^pass"))


def conflicts(held: Beside, limits: Limits = LIMITS) -> Iterator[Conflict]:
    """What of a claim its source contradicts. A commit tells what was wrong before it: of its
    sentences only numbers and names are compared."""
    if held.source.kind not in _FREE:
        limits = IN_REPOSITORY
    whole = sum(f.clause.weight for f in held.found)
    for found in held.found:
        if limits.back and found.clause.weight < MAIN * whole:
            continue
        yield from _numbers(held, found, limits)
        yield from swapped(held, found, limits)
        if not limits.back:
            yield from rival_place(held, found, limits)
        if held.source.kind != "commit":
            yield from _turned(held, found, limits)
            yield from _excluded(held, found, limits)
            yield from _moved(held, found, limits)


def _numbers(held: Beside, found: ClauseMatch, limits: Limits) -> Iterator[Conflict]:
    clause = found.clause
    for said in found.missing:
        if (
            not isinstance(said, Amount)
            or said.bound == "when"
            or (limits.back and keeps_books(said, held.read.reading.text))
            or _borne_out(said, held, clause)
        ):
            continue
        rivals = list(_rivals(held, clause, said, limits))
        best = max(rivals, default=None)
        if best is not None and (not limits.back or len({text for *_, text in rivals}) == 1):
            yield Conflict("number", said.text, best[2], best[1])


def _borne_out(said: Amount, held: Beside, clause: Clause) -> bool:
    """Whether a number stands anywhere in a source and may count the same thing there."""
    return any(
        bears_out_amount(said, b) and _same_thing(said, b, clause)
        for p in held.passages
        for b in p.reading.amounts
    )


def _rivals(
    held: Beside, clause: Clause, said: Amount, limits: Limits
) -> Iterator[tuple[float, int, str]]:
    """Numbers of the source that stand for the same thing: (how surely, where, as written)."""
    close = [t for t in clause.terms if f"^{t.root}" in said.near]
    for at, passage in enumerate(held.passages):
        if not passage.reading.amounts or not _rules(passage, held):
            continue
        there = _candidates(said, held, clause, passage)
        if not there or len(there) > 2 or not of_subject(held, clause, passage):
            continue
        # Beside code the name of a value says what it is of, and all of it has to be in the claim.
        asked = IN_CODE if passage.code and limits.back else limits
        if asked.back and back(clause, passage, held.above) < asked.back:
            continue
        for sure, known in _standing_for(said, there, close, held, clause, passage, asked):
            yield sure, at, known.text


def _candidates(said: Amount, held: Beside, clause: Clause, passage: SourcePassage) -> list[Amount]:
    """Numbers of a passage that can be another value of the same thing; none where it leaves room
    for the claim's."""
    stated = passage.reading.amounts
    if any(_admits(b, said) for b in stated):
        return []
    there = [b for b in stated if comparable(said, b, clause, passage)]
    others = [a for a in held.read.amounts if a is not said and a.unit != "era"] if there else []
    return _closest(said, [b for b in there if not any(bears_out_amount(o, b) for o in others)])


def _closest(said: Amount, there: list[Amount]) -> list[Amount]:
    """Those of some numbers that stand on a number's side and beside its event of a life, where
    there are such."""
    if said.side:
        there = [b for b in there if b.side == said.side] or [b for b in there if not b.side]
    return [b for b in there if _of_one_event(said, b)] or there


def _of_one_event(said: Amount, known: Amount) -> bool:
    """Whether both numbers stand beside the same event of a life."""
    return bool(said.near & known.near & _LIFE)


def _standing_for(
    said: Amount, there: Sequence[Amount], close: list[Term],
    held: Beside, clause: Clause, passage: SourcePassage, limits: Limits,
) -> Iterator[tuple[float, Amount]]:  # fmt: skip
    """The candidates of a passage whose surroundings agree with the claim's, and how far."""
    share = aligned(clause, passage, held.above)
    near = _share(close, passage.reading.keys | held.above)
    for known in there:
        if known.bound == "when":
            continue
        local, shared = near, _shared(said, known, close, clause)
        if _of_one_event(said, known):
            local = max(local, limits.local)
        whole = share >= limits.number and (shared >= 1 or (not close and share >= limits.flip))
        nearby = (
            local >= limits.local and len(close) >= limits.local_terms and shared >= limits.shared
        )
        only = share >= limits.only and _counts(said, known, clause)
        if whole or nearby or (only and _counted_once(held, said, clause)):
            yield max(share, local) + shared, known


def _shared(said: Amount, known: Amount, close: Sequence[Term], clause: Clause) -> int:
    """How much of what stands near a claim's number stands near the source's, too."""
    shared = sum(grade(t, known.near) >= 0.9 for t in close)
    if said.noun and known.noun and grade_of(clause, said.noun, known.near) < 0.9:
        shared += 1
    return shared + _of_one_event(said, known)


def _rules(passage: SourcePassage, held: Beside) -> bool:
    """Whether the numbers of a passage hold: cited, decided, of more than its own document, and
    not one of many in a diff."""
    if passage.aside or not passage.focus:
        return False
    if held.source.kind not in _FREE and heads(passage.text):
        return False
    return not (passage.code and held.source.kind == "commit")


def _same_thing(said: Amount, known: Amount, clause: Clause) -> bool:
    """Whether two equal numbers may count one thing: their nouns do not differ."""
    if (
        not said.noun
        or not known.noun
        or is_year(said)
        or said.unit not in ("", "ordinal")
        or known.label
    ):
        return True
    return said.noun == known.noun or grade_of(clause, said.noun, read_text(known.noun).keys) > 0


def _counted_once(held: Beside, said: Amount, clause: Clause) -> bool:
    """Whether a source counts only once what a claim's number counts."""
    same = [
        b for p in held.passages for b in p.reading.amounts
        if b.noun and not b.unit and grade_of(clause, said.noun, read_text(b.noun).keys)
    ]  # fmt: skip
    return len(same) == 1


def _counts(said: Amount, known: Amount, clause: Clause) -> bool:
    """Whether a number of a source counts what the claim counts."""
    if said.unit or not said.noun or not known.noun:
        return False
    return grade_of(clause, said.noun, read_text(known.noun).keys) >= 0.6


def _share(close: list[Term], known: frozenset[str]) -> float:
    whole = sum(t.weight for t in close)
    return sum(grade(t, known) * t.weight for t in close) / whole if whole else 0.0


def comparable(said: Amount, known: Amount, clause: Clause, passage: SourcePassage) -> bool:
    """Whether two numbers can be values of one thing."""
    if dated(said) or dated(known):
        return dated(said) and dated(known)
    if said.unit != known.unit:
        return False
    if said.unit == "version" and compatible(said.parts, known.parts):
        return False
    if {said.bound, known.bound} & {"about", "min", "max"} and not _far(said, known):
        return False
    if passage.code:
        return _labels(known, clause)
    if said.unit:
        return True
    if said.noun and known.noun:
        return (
            said.noun == known.noun or grade_of(clause, said.noun, read_text(known.noun).keys) > 0
        )
    return not said.noun and bool(said.near & known.near)


def _labels(known: Amount, clause: Clause) -> bool:
    """Whether a clause speaks of all that the name of a value in code says."""
    said = read_text(clause.reading.text).keys
    units = [p for p in word_parts(known.label) if not is_unit(p)]
    named = read_text(" ".join(units)).terms
    return any(t.weight >= 1 for t in named) and all(grade(t, said) for t in named)


def grade_of(clause: Clause, noun: str, known: frozenset[str]) -> float:
    return max((grade(t, known) for t in clause.terms if t.stem == noun), default=0.0)


def _far(said: Amount, known: Amount) -> bool:
    """Whether a bounded or approximate number is still clearly another."""
    if said.bound == "min" or known.bound == "max":
        return known.low < said.low
    if said.bound == "max" or known.bound == "min":
        return known.low > said.low
    return abs(said.low - known.low) > 0.25 * max(said.low, known.low)


def _admits(known: Amount, said: Amount) -> bool:
    """Whether a bound of the source leaves room for the claim's number."""
    return (
        known.unit == said.unit and known.bound in ("min", "max", "about") and not _far(said, known)
    )


def _turned(held: Beside, found: ClauseMatch, limits: Limits) -> Iterator[Conflict]:
    """Negation or obligation changed, or a condition cut off, in a sentence otherwise the same."""
    clause, passage = found.clause, _sentence(held, found)
    if passage is None or len(clause.terms) < 2:
        return
    if aligned(clause, passage, held.above) < limits.flip:
        return
    text = passage.text
    if cut := _cut_off(held, clause, passage, limits):
        yield Conflict("cut", clause.reading.text, cut, found.at)
    elif back(clause, passage, held.above) < limits.flip_back:
        return
    elif read_text(text).negated != clause.reading.negated:
        denial, plain = (
            (text, clause.reading.text) if read_text(text).negated else (clause.reading.text, text)
        )
        if denied_alone(denial, plain):
            yield Conflict("negation", clause.reading.text, text, found.at)
    elif _obliges_otherwise(clause, text, limits):
        yield Conflict("obligation", clause.reading.modality, read_text(text).modality, found.at)


def _sentence(held: Beside, found: ClauseMatch) -> SourcePassage | None:
    """The sentence that holds all names and numbers of a clause."""
    if found.at < 0 or found.missing:
        return None
    passage = held.passages[found.at]
    return None if passage.code or passage.aside else passage


def _cut_off(held: Beside, clause: Clause, passage: SourcePassage, limits: Limits) -> str:
    """The condition or exception of a passage that a claim leaves out."""
    text = passage.text
    cut = _CUT.search(text)
    if not cut or read_text(text[: cut.start()]).negated or _CUT.search(held.read.reading.text):
        return ""
    head = passage.reworded(text[: cut.start()])
    if min(compare(clause, head, held.above) for compare in (aligned, back)) < limits.flip:
        return ""
    return text[cut.start() :].strip(" ,;")


def _excluded(held: Beside, found: ClauseMatch, limits: Limits) -> Iterator[Conflict]:
    """A word with its opposite or another value of its kind in its place in a sentence otherwise
    the same."""
    clause, passage = found.clause, _prose_at(held, found)
    if passage is None or (limits.back and clause.reading.negated):
        return
    pair = excluded(clause.reading.text, passage.text)
    if pair is None or _near(pair[0], held, found) or not _only(pair[0], found):
        return
    enough = back(clause, passage, held.above) >= limits.back
    if enough and _else_same(pair[0], clause, passage, held, limits):
        yield Conflict("opposite", *pair, found.at)


def _moved(held: Beside, found: ClauseMatch, limits: Limits) -> Iterator[Conflict]:
    """Another subject, or two words that changed places, in a reader's text that says the rest in
    the same words."""
    passage = _prose_at(held, found)
    if passage is None or limits.back or found.missing:
        return
    said = found.clause.reading.text
    names = swapped_subject(said, passage.text)
    if names and _near(names[0].lower(), held, found):
        return
    names = names or crossed(held.read.reading.text, passage.text)
    if names:
        yield Conflict("name", *names, found.at)


def _prose_at(held: Beside, found: ClauseMatch) -> SourcePassage | None:
    """The sentence that holds most of a clause, where it denies as much as the clause."""
    passage = held.passages[found.at] if found.at >= 0 else None
    if passage is None or passage.code or passage.aside:
        return None
    return passage if passage.reading.negated == found.clause.reading.negated else None


def _near(word: str, held: Beside, found: ClauseMatch) -> bool:
    """Whether a word stands around the place of a clause."""
    return any(stem(word) in p.reading.keys for p in held.passages[found.first : found.last + 1])


def _only(word: str, found: ClauseMatch) -> bool:
    """Whether all that is missing of a clause is one word."""
    return all(isinstance(m, Term) and m.low == word for m in found.missing)


def _else_same(
    word: str, clause: Clause, passage: SourcePassage, held: Beside, limits: Limits
) -> bool:
    rest = clause._replace(terms=tuple(t for t in clause.terms if t.low != word))
    enough = len(rest.terms) >= 2 or (rest.terms and back(rest, passage, held.above) >= 0.5)
    return bool(enough) and aligned(rest, passage, held.above) >= limits.opposed


def _obliges_otherwise(clause: Clause, text: str, limits: Limits) -> bool:
    """Whether one says must where the other says may or must not, of the same verb."""
    if {read_text(text).modality, clause.reading.modality} not in (
        {"must", "may"},
        {"must", "must-not"},
        {"may", "must-not"},
    ):
        return False
    mine, theirs = _GOVERNED.search(clause.reading.text), _GOVERNED.search(text)
    if not mine or not theirs:
        return not limits.back
    if not (mine[1] and theirs[1]):
        return not limits.back or not (mine[1] or theirs[1])
    return root(mine[1].lower()) == root(theirs[1].lower())


_PARTS = compiled(
    r"[,;:()\u2013\u2014]|\s-+\s|\.(?=\s)|\b(?:and|or|if|when|while|because|since|so)\b", 2
)
_APART = compiled(support_words.APART, 2)
_QUOTES = compiled(r'["“”]')


def denied_alone(denial: str, other: str) -> bool:
    """Whether one text denies what the other says, and that only: its only denial stands in a part
    of it whose words the other has, and the other sets nothing apart."""
    parts = [p for p in _PARTS.split(denial) if read_text(p).negated]
    if (
        len(parts) != 1
        or _APART.search(other)
        or _QUOTES.search(denial)
        or read_text(other).denials
    ):
        return False
    denied = [t for t in read_text(parts[0]).terms if t.weight >= 1 and t.low not in NEGATIONS]
    known = read_text(other).keys
    return len(denied) >= 2 and all(grade(t, known) for t in denied)

"""Compares a text with its sources by words (`verify --source`), in four phases.

1. Split the text into typed claims. 2. Look for each claim's key words and numbers in the sentences
of the sources. 3. Look for contradictions: another number, an opposite, a negation, words that
changed places. 4. Sum up: confidence, and whether the text counts as hallucinated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct, to_builtins

from grounded_ingest.grounding.source_words import (
    NEGATIONS,
    STOP_WORDS,
    Amount,
    SentenceWords,
    Word,
    opposites,
    read_words,
    stem,
)
from grounded_ingest.language.dates import entailed, same_day
from grounded_ingest.language.sentences import sentences

Status = Literal["supported", "unsupported", "contradicted", "nothing-to-compare"]
ClaimType = Literal["quantitative", "temporal", "obligation", "general"]

CONTRADICTED, UNSUPPORTED, HALLUCINATED = 0.8, 0.3, 0.5
"""Confidence lost by a share of contradicted and of unsupported claims, and the confidence below
which a text counts as hallucinated."""
ENOUGH = 0.5
"""Share of a claim's words that one place of a source must hold to support the claim."""
SAME_TOPIC, ABOUT = 0.4, 0.2
"""Share of a claim's other words that a sentence must hold to contradict it, and the same below a
heading that names what the claim is about."""
CLOSE = 0.7
"""Share from which a claim counts as a copy of a sentence, in which a changed word matters."""
NEARBY, HEADING = 0.5, 1.0
"""Weights of a word that only a neighbouring sentence or the heading holds."""
ALIKE = 0.8
"""Weight of a word with the same beginning (`electric`, `electricity`)."""
LONGEST = 24
"""Words of content of a sentence in which words that changed places are looked for."""

_OBLIGATION = re.compile(r"(?i)\b(?:shall|must|will|required?|has to|have to|may not|should|obliged)\b")


class Source(NamedTuple):
    """A source text and the name under which it is shown."""

    name: str
    text: str


class Place(NamedTuple):
    """One sentence, item or line of a source; `near` holds the weights of the stems around it."""

    source: str
    line: int
    text: str
    read: SentenceWords
    near: dict[str, float]
    heading: frozenset[str]
    near_amounts: tuple[Amount, ...]


class Checked(Struct, frozen=True):
    """One claim of a text. `source_line` is 1-based, 0 without a quote; `differs` says what no
    source holds, or what a source says instead."""

    text: str
    type: ClaimType
    found_in_source: bool
    source_quote: str
    status: Status
    source: str = ""
    source_line: int = 0
    differs: str = ""


class TextVerdict(Struct, frozen=True):
    """What the sources make of a text."""

    claims: tuple[Checked, ...]
    confidence_score: float
    is_hallucinated: bool
    should_return: bool
    summary: str
    reasoning: str

    @property
    def as_json(self) -> dict[str, Any]:
        return {"schema": "grounded-ingest/support/1", "method": "by words", **to_builtins(self)}


class Comparison(NamedTuple):
    """One claim beside one place. `share` is how much of the claim's words the place holds."""

    share: float
    status: Status
    differs: str
    place: Place


def check_text(text: str, sources: Iterable[Source]) -> TextVerdict:
    """Judges each claim of a text beside all sources, and sums up."""
    places = [place for source in sources for place in read_places(source)]
    return summed_up([_checked(claim, places) for claim in split_claims(text)])


def split_claims(text: str) -> list[str]:
    """Returns the sentences, items and rows of a text; headings and code are none."""
    return [said for _, said, heading in _statements(text) if not heading]


_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)\s*#*$")
_MARKER = re.compile(r"\s*(?:[-*+>]\s+|\d+[.)]\s+|\||//+\s*|#+!?\s*|;\s+)+")
_OWN_LINE = re.compile(r"\s*(?:[-*+>|]\s|\d+[.)]\s|[\w.\"'-]+\s*[:=]\s*\S|//|#)|.*[;{}|]\s*$")


def _statements(text: str, *, code: bool = False) -> Iterator[tuple[int, str, bool]]:
    """Yields (line, statement, whether it is a heading). `code`: also what stands in fences."""
    block: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            yield from _sentences_of(block)
            block, fenced = [], not fenced
        elif fenced:
            if code and line.strip():
                yield number, line.strip(), False
        elif heading := _HEADING.match(line):
            yield from _sentences_of(block)
            block = []
            if heading[1]:
                yield number, heading[1], True
        elif not line.strip() or _OWN_LINE.match(line):
            yield from _sentences_of(block)
            block = [(number, line)] if line.strip() else []
        else:
            block.append((number, line))
    yield from _sentences_of(block)


def _sentences_of(block: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str, bool]]:
    if not block:
        return
    first = _MARKER.match(block[0][1])
    lines = [block[0][1][first.end() if first else 0 :].strip(), *(x[1].strip() for x in block[1:])]
    joined, starts, at = " ".join(lines), [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    for start, end in sentences(joined):
        said = joined[start:end].strip(" |")
        if said:
            line = sum(s <= start for s in starts) - 1
            yield block[line][0], said, False


def read_places(source: Source) -> list[Place]:
    """Reads a source into places, each with the words of its heading and its neighbours."""
    heading: SentenceWords = read_words("")
    found: list[tuple[int, str, SentenceWords, SentenceWords]] = []
    for line, said, is_heading in _statements(source.text, code=True):
        if is_heading:
            heading = read_words(said)
        else:
            found.append((line, said, read_words(said), heading))
    places = []
    for number, (line, said, read, above) in enumerate(found):
        around = [x[2] for x in found[max(0, number - 1) : number + 2] if x[2] is not read]
        near = {w.stem: NEARBY for words in around for w in words.words}
        near |= {w.stem: HEADING for w in above.words}
        amounts = tuple(a for words in (above, *around) for a in words.amounts)
        places.append(Place(source.name, line, said, read, near, frozenset(w.stem for w in above.words), amounts))
    return places


def claim_type(claim: str) -> ClaimType:
    """Returns the first type that fits: a number, a time, an obligation, or general."""
    amounts = read_words(claim).amounts
    if any(a.kind not in ("time", "date", "year") for a in amounts):
        return "quantitative"
    if amounts:
        return "temporal"
    return "obligation" if _OBLIGATION.search(claim) else "general"


def _checked(claim: str, places: Sequence[Place]) -> Checked:
    read, kind = read_words(claim), claim_type(claim)
    if not read.words and not read.amounts:
        return Checked(claim, kind, False, "", "nothing-to-compare")
    best = judge(claim, places)
    if best is None or best.status == "unsupported":
        return Checked(claim, kind, False, "", "unsupported", differs=best.differs if best else "")
    place = best.place
    supported = best.status == "supported"
    return Checked(
        claim, kind, supported, place.text, best.status, place.source, place.line, best.differs
    )


_RANK = {"supported": 1, "contradicted": 2, "unsupported": 0, "nothing-to-compare": 0}


def judge(claim: str, places: Sequence[Place]) -> Comparison | None:
    """Returns the comparison that decides a claim: of supported and contradicted the one whose
    place holds more of the claim, else the nearest; None without any place."""
    compared = [compare(read_words(claim), place) for place in places]
    if not compared:
        return None
    decided = [c for c in compared if c.status != "unsupported"]
    return max(decided or compared, key=lambda c: (round(c.share, 3), _RANK[c.status] == 1))


def compare(claim: SentenceWords, place: Place) -> Comparison:
    """Compares a claim with one place."""
    left = Counter(w.stem for w in place.read.words)
    total, own, missing_words = 0.0, [], []
    for word in claim.words:
        weight, matched = _match(word, place)
        total += weight
        if matched is not None and left[matched]:
            left[matched] -= 1
            own.append((word, matched))
        else:
            missing_words.append(word)
    share = total / len(claim.words) if claim.words else 1.0
    used = {matched for _, matched in own}
    spare = [w for w in place.read.words if w.stem not in used]
    wrong = _contradiction(claim, place, own, missing_words, spare, share)
    if wrong:
        return Comparison(share, "contradicted", wrong, place)
    missing = _missing(claim, place, missing_words, share)
    return Comparison(share, "unsupported" if missing else "supported", missing, place)


def _match(word: Word, place: Place) -> tuple[float, str | None]:
    """Returns the weight with which a place holds a word, and the stem that it matches there."""
    best: tuple[float, str | None] = (place.near.get(word.stem, 0.0), None)
    for other in place.read.words:
        if other.stem == word.stem:
            return 1.0, other.stem
        if alike(word.stem, other.stem) and best[0] < ALIKE:
            best = (ALIKE, other.stem)
    return best


def alike(one: str, other: str) -> bool:
    """Whether two stems begin alike and are forms of one word: `electric`, `electricit`."""
    short, long = sorted((one, other), key=len)
    if len(short) < 4 or other in opposites().get(one, ()):
        return False
    return long.startswith(short) and len(long) - len(short) <= 3


def _contradiction(
    claim: SentenceWords, place: Place, own: Sequence[tuple[Word, str]],
    missing: Sequence[Word], spare: Sequence[Word], share: float,
) -> str:  # fmt: skip
    """Says how a place contradicts a claim; empty if it does not."""
    return (
        _other_amount(claim, place, share)
        or _opposite(claim, place, missing, spare, share)
        or _denied(claim, place, own, share)
        or _other_name(claim, place, missing, spare, share)
        or _changed_places(claim, place, share)
    )


def _opposite(
    claim: SentenceWords, place: Place, missing: Sequence[Word], spare: Sequence[Word], share: float
) -> str:
    """Says which word of a place is the opposite of one of the claim."""
    rest = share * len(claim.words) / max(1, len(claim.words) - 1)
    if rest >= (ABOUT if _about(claim, place) else SAME_TOPIC):
        for word in missing:
            for other in spare:
                if other.stem in opposites().get(word.stem, ()) and word.negated == other.negated:
                    return f"the source says “{other.text}”, the claim “{word.text}”"
    if share >= CLOSE:
        here, there = claim.low - place.read.low, place.read.low - claim.low
        for plain in sorted(here & STOP_WORDS):
            for other_plain in sorted(there):
                if stem(other_plain) in opposites().get(stem(plain), ()):
                    return f"the source says “{other_plain}”, the claim “{plain}”"
    return ""


def _denied(
    claim: SentenceWords, place: Place, own: Sequence[tuple[Word, str]], share: float
) -> str:
    """Says which word only one of both denies."""
    denies_here, denies_there = claim.low & NEGATIONS, place.read.low & NEGATIONS
    if denies_here and not denies_there and any(w.negated for w in claim.words):
        word = next((w for w, _ in own if w.negated), None)
        if share >= (DENIAL if word else NR):
            return f"the claim denies “{word.text if word else claim.words[-1].text}”"
    if denies_there and not denies_here and share >= CLOSE:
        negated = {w.stem for w in place.read.words if w.negated}
        negated -= {w.stem for w in place.read.words if not w.negated}
        word = next((w for w, matched in own if matched in negated), None)
        if word:
            return f"the source denies “{word.text}”"
    return ""


NR=.6
DENIAL = 0.5


def _other_name(
    claim: SentenceWords, place: Place, missing: Sequence[Word], spare: Sequence[Word], share: float
) -> str:
    """Says which other name a place has behind the same word and preposition: `born in Oslo`."""
    if share < (ABOUT if _about(claim, place) else SAME_TOPIC):
        return ""
    there = {
        (before.stem, word.preposition): word
        for before, word in zip(place.read.words, place.read.words[1:])
        if word.name and word.preposition and word in spare
    }
    for before, word in zip(claim.words, claim.words[1:]):
        if word.name and word in missing and word.preposition:
            other = there.get((before.stem, word.preposition))
            if other:
                return f"the source says “{other.text}”, the claim “{word.text}”"
    return ""


def _changed_places(claim: SentenceWords, place: Place, share: float) -> str:
    """Says which two words of a claim stand the other way round in a place that holds all."""
    here, there = [w.stem for w in claim.words], [w.stem for w in place.read.words]
    if share < 0.85 or not 3 <= len(here) <= LONGEST or len(there) > 2 * LONGEST:
        return ""
    common = _in_order(here, there)
    if common == len(here):
        return ""
    for first in range(len(here)):
        for second in range(first + 1, len(here)):
            if here[first] == here[second] or not {here[first], here[second]} <= set(there):
                continue
            turned = list(here)
            turned[first], turned[second] = turned[second], turned[first]
            opposed = here[second] in opposites().get(here[first], ())
            if _in_order(turned, there) >= common + (1 if opposed else 2):
                return f"“{claim.words[first].text}” and “{claim.words[second].text}” changed places"
    return ""


def _in_order(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns how many words of one stand in another in the same order."""
    before = [0] * (len(other) + 1)
    for word in one:
        row = [0]
        for at, word_there in enumerate(other):
            row.append(before[at] + 1 if word == word_there else max(before[at + 1], row[at]))
        before = row
    return before[-1]


def _about(claim: SentenceWords, place: Place) -> bool:
    """Whether the heading above a place names what the claim is about."""
    named = {w.stem for w in claim.words} & place.heading
    return len(named) * 2 > len(place.heading) > 0


def _other_amount(claim: SentenceWords, place: Place, share: float) -> str:
    """Says which number a place has instead of the claim's."""
    if share < (ABOUT if _about(claim, place) else SAME_TOPIC):
        return ""
    there = place.read.amounts
    spare = [b for b in there if not any(equal(a, b) for a in claim.amounts)]
    for amount in claim.amounts:
        if any(equal(amount, b) for b in (*there, *place.near_amounts)):
            continue
        for other in spare:
            if comparable(amount, other):
                return f"the source says {other.text}, the claim {amount.text}"
    return ""


def comparable(one: Amount, other: Amount) -> bool:
    """Whether two amounts measure the same kind of thing."""
    dates = ("date", "year", "decade")
    if one.kind != other.kind and not (one.kind in dates and other.kind in dates):
        return False
    shared = one.context & other.context
    return bool(shared) and (one.kind != "" or one.noun == other.noun or other.noun in one.context)


def equal(claim: Amount, source: Amount) -> bool:
    """Whether a source's amount bears out the claim's."""
    if {claim.kind, source.kind} & {"date", "year", "decade"}:
        return _equal_dates(claim, source)
    if claim.kind != source.kind:
        return False
    if abs(claim.value - source.value) <= 1e-9 * max(abs(claim.value), abs(source.value)):
        return True
    if claim.bound == ">" and not source.bound:
        return source.value >= claim.value
    if claim.bound == "<" and not source.bound:
        return source.value <= claim.value
    if "~" in (claim.bound, source.bound):
        return abs(claim.value - source.value) <= 0.05 * max(abs(claim.value), abs(source.value))
    return False


def _equal_dates(claim: Amount, source: Amount) -> bool:
    if claim.day and source.day:
        return entailed(source.day, claim.day) or same_day(source.day, claim.day)
    if claim.kind == "decade":
        year = source.day.year if source.day else source.value
        return 0 <= year - claim.value < (100 if claim.value % 100 == 0 else 10)
    if claim.kind == "year" and source.day:
        return source.day.year == claim.value
    if claim.day and source.kind == "year":
        return claim.day.year == source.value and not claim.day.month
    return claim.value == source.value


def _missing(claim: SentenceWords, place: Place, missing: Sequence[Word], share: float) -> str:
    """Says what of a claim a place does not hold; empty if it holds enough."""
    for amount in claim.amounts:
        if not any(equal(amount, b) for b in (*place.read.amounts, *place.near_amounts)):
            return f"no source says {amount.text}"
    lacking = [w for w in missing if w.stem not in place.near]
    if share < ENOUGH or (lacking and _copies(claim, place)):
        return "no source says " + ", ".join(f"“{w.text}”" for w in (lacking or missing)[:4])
    return ""


def _copies(claim: SentenceWords, place: Place) -> bool:
    """Whether a claim is a sentence of the source with a few words changed."""
    here, there = [w.stem for w in claim.words], [w.stem for w in place.read.words]
    if len(there) > LONGER * len(here) or len(here) > 4 * LONGEST:
        return False
    common = _in_order(here, there)
    return common >= 3 and common >= COPY * len(here)


COPY = 0.7
LONGER = 2


def summed_up(checked: Sequence[Checked]) -> TextVerdict:
    """Sums up: confidence over what could be compared, and what follows from it."""
    claims = tuple(checked)
    count = {s: sum(c.status == s for c in claims) for s in _RANK}
    compared = len(claims) - count["nothing-to-compare"]
    lost = CONTRADICTED * count["contradicted"] + UNSUPPORTED * count["unsupported"]
    confidence = round(1 - lost / compared, 4) if compared else 1.0
    told = [f"{c.text!r}: {c.status}, {c.differs}" for c in claims if c.differs]
    said = ", ".join(f"{n} {s}" for s, n in count.items() if n and s != "nothing-to-compare")
    plural = "" if compared == 1 else "s"
    return TextVerdict(
        claims,
        confidence,
        count["contradicted"] > 0 or confidence < HALLUCINATED,
        compared > 0 and count["supported"] == compared,
        f"{compared} claim{plural} compared by words: {said}" if compared else "nothing to compare",
        "; ".join(told) or ("every claim has its quote" if compared else "the text states nothing"),
    )

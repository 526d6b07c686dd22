"""Compares a text with its sources by words (`verify --source`), in four phases.

1. Split the text into typed claims. 2. Look for each claim's key words and numbers in the sentences
of the sources. 3. Look for contradictions: another number, an opposite, a negation, words that
changed places. 4. Sum up: confidence, and whether the text counts as hallucinated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct, to_builtins

from grounded_ingest.text.names import word_stem
from grounded_ingest.text.sentences import sentences
from grounded_ingest.verify.source_words import (
    NEGATIONS,
    STOP_WORDS,
    ContentWord,
    Measure,
    SentenceWords,
    alike,
    opposites,
    read_words,
    same_amount,
    same_measure,
    with_units,
    word_set,
)

Status = Literal["supported", "unsupported", "contradicted", "nothing-to-compare"]
ClaimType = Literal["quantitative", "temporal", "obligation", "general"]

CONTRADICTED, UNSUPPORTED, HALLUCINATED = 0.8, 0.3, 0.5
"""Confidence lost by a share of contradicted and of unsupported claims, and the confidence below
which a text counts as hallucinated."""
ENOUGH = 0.4
"""Share of a claim's words that one place of a source must hold to support the claim."""
SAME_TOPIC, BELOW_HEADING = 0.4, 0.2
"""Share of a claim's words that a sentence must hold to contradict it, and the same below a heading
that names what the claim is about."""
DENIAL, CLOSE_DENIAL, CLOSE, COMPLETE = 0.5, 0.6, 0.7, 0.85
"""Shares of a claim's words that a place must hold to contradict it: by a negation of a word in
both; of a word that the place lacks; by an opposite, "must" beside "may" or an omitted exception (a
copy holds as much); by words that changed places."""
SHORT = 3
"""Words of content up to which a claim has to be held whole."""
NEARBY, HEADING, ALIKE = 0.5, 1.0, 0.8
"""Weights of a word that only a neighbouring sentence or the heading holds, and of another form of
a word (`electric`, `electricity`)."""
MOST_CLAIMS, MOST_PLACES, COMMON = 2000, 64, 2000
"""Claims of a text and places for one claim that are compared, and the number of places from which
a word is not looked up, so that the time stays in bounds."""
LONGEST_SENTENCE = 5000
"""Characters of a sentence that are read."""
FARTHER = 0.2
"""A place does not support a claim if a near copy elsewhere holds this much more of it."""
LONGEST = 24
"""Words of content of a claim in which words that changed places are looked for."""

PRONOUNS = word_set("he she it they this these those that his her its their him them here such")
MUST, MAY = frozenset(("must", "shall")), frozenset(("may", "might", "can"))
EACH = frozenset(("all", "every", "each"))
SWEEPING = word_set("all every always only entire entirely exactly")
"""Words that say more than the rest of a claim: a place has to say them, too."""
EXCEPTIONS = frozenset(("unless", "except"))
_OBLIGATION = re.compile(
    r"(?i)\b(?:shall|must|will|required?|has to|have to|may not|should|obliged)\b"
)
_AND = re.compile(r",\s+and\s+")
_CLAUSE = re.compile(r";\s+|,\s+(?=(?:but|while|whereas)\b)")


class NamedSource(NamedTuple):
    """A source text and the name under which it is shown."""

    name: str
    text: str


class SourcePlace(NamedTuple):
    """One sentence, item or line of a source; `near` holds the weights of the stems around it."""

    source: str
    line: int
    text: str
    read: SentenceWords
    near: dict[str, float]
    heading: frozenset[str]
    near_amounts: tuple[Measure, ...]


class JudgedClaim(Struct, frozen=True):
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


class TextJudgement(Struct, frozen=True):
    """What the sources make of a text."""

    claims: tuple[JudgedClaim, ...]
    confidence_score: float
    is_hallucinated: bool
    should_return: bool
    summary: str
    reasoning: str

    @property
    def as_json(self) -> dict[str, Any]:
        built = {**to_builtins(self), "claims": [to_builtins(c) for c in self.claims]}
        return {"schema": "grounded-ingest/support/1", "method": "by words", **built}


class PlaceMatch(NamedTuple):
    """One claim beside one place. `share` is how much of the claim's words the place holds; `copy`:
    the claim is this sentence with a few words changed."""

    share: float
    status: Status
    differs: str
    place: SourcePlace
    copy: bool = False


def check_text(text: str, sources: Iterable[NamedSource]) -> TextJudgement:
    """Judges each claim of a text beside all sources, and sums up."""
    places = [place for source in sources for place in read_places(source)]
    by_stem: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        for one in {*(w.stem for w in place.read.words), *place.heading}:
            by_stem.setdefault(one, []).append(number)
    claims = split_claims(text)
    checked = [_checked(c, _nearest(c, places, by_stem)) for c in claims[:MOST_CLAIMS]]
    checked += [
        JudgedClaim(
            c, type_of_claim(c), False, "", "unsupported", differs="not compared: text too long"
        )
        for c in claims[MOST_CLAIMS:]
    ]
    return summed_up(checked)


def _nearest(
    claim: str, places: Sequence[SourcePlace], by_stem: dict[str, list[int]]
) -> list[SourcePlace]:
    """Returns the places that share most words with a claim, in their order."""
    if len(places) <= MOST_PLACES:
        return list(places)
    shared: Counter[int] = Counter()
    for one in {w.stem for w in read_words(claim).words}:
        numbers = by_stem.get(one, [])
        # A word that stands everywhere tells no place apart.
        if len(numbers) <= COMMON:
            shared.update(numbers)
    return [places[n] for n in sorted(n for n, _ in shared.most_common(MOST_PLACES))]


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
    joined = " ".join(lines)
    for start, end in sentences(joined):
        said = joined[start : min(end, start + LONGEST_SENTENCE)].strip(" |")
        if said:
            before, at = 0, 0
            while before + len(lines[at]) < start:
                before, at = before + len(lines[at]) + 1, at + 1
            yield block[at][0], said, False


def read_places(source: NamedSource) -> list[SourcePlace]:
    """Reads a source into places, each with the words of its heading and its neighbours."""
    heading: SentenceWords = read_words("")
    found: list[tuple[int, str, SentenceWords, SentenceWords]] = []
    for line, said, is_heading in _statements(source.text, code=True):
        if is_heading:
            heading = read_words(said)
        else:
            parts = _CLAUSE.split(said)
            found.extend((line, part, read_words(with_units(part)), heading) for part in parts)
    places = []
    for number, (line, said, read, above) in enumerate(found):
        around = [x[2] for x in found[max(0, number - 1) : number + 2] if x[2] is not read]
        # A neighbouring sentence only helps one that refers back to it: "It was founded in 1990."
        if not (read.low & PRONOUNS or said.startswith(("but ", "while ", "whereas "))):
            around = []
        near = {w.stem: NEARBY for words in around for w in words.words}
        near |= {w.stem: HEADING for w in above.words}
        titles = frozenset(w.stem for w in above.words)
        amounts = tuple(a for words in (above, *around) for a in words.amounts)
        places.append(SourcePlace(source.name, line, said, read, near, titles, amounts))
    return places


def type_of_claim(claim: str) -> ClaimType:
    """Returns the first type that fits: a number, a time, an obligation, or general."""
    amounts = read_words(claim).amounts
    if any(a.kind not in ("time", "date", "year") for a in amounts):
        return "quantitative"
    if amounts:
        return "temporal"
    return "obligation" if _OBLIGATION.search(claim) else "general"


def _checked(claim: str, places: Sequence[SourcePlace]) -> JudgedClaim:
    read, kind = read_words(claim), type_of_claim(claim)
    if not read.words and not read.amounts:
        return JudgedClaim(claim, kind, False, "", "nothing-to-compare")
    best = judge_claim(claim, places)
    if best is None or best.status == "unsupported":
        return JudgedClaim(
            claim, kind, False, "", "unsupported", differs=best.differs if best else ""
        )
    place = best.place
    supported = best.status == "supported"
    return JudgedClaim(
        claim, kind, supported, place.text, best.status, place.source, place.line, best.differs
    )


def judge_claim(claim: str, places: Sequence[SourcePlace]) -> PlaceMatch | None:
    """Returns the comparison that decides a claim; None without any place. Of several clauses
    (`; `, `, but `) the worst decides."""
    found = [_judge_clause(part, places) for part in _CLAUSE.split(claim)]
    return max((f for f in found if f), key=lambda f: _WORST.index(f.status), default=None)


_WORST = ("nothing-to-compare", "supported", "unsupported", "contradicted")


def _judge_clause(claim: str, places: Sequence[SourcePlace]) -> PlaceMatch | None:
    """Returns the comparison that decides: of those that support or contradict, the one whose place
    holds most of the claim; without any, the one whose place holds most of it."""
    plain = _plain(claim)
    for place in places:
        if _plain(place.text) == plain:
            return PlaceMatch(1.0, "supported", "", place)
    compared = [compare_with(read_words(claim), place) for place in places]
    decided = [c for c in compared if c.status != "unsupported"]
    best = max(decided or compared, key=_rank, default=None)
    if best is None or best.status != "supported":
        return best
    near = max(compared, key=_rank)
    if near.copy and near.share >= best.share + FARTHER:
        return near
    half = _unsaid_half(claim, places)
    return best._replace(status="unsupported", differs=half) if half else best


def _unsaid_half(claim: str, places: Sequence[SourcePlace]) -> str:
    """Says which half of "X, and Y" no place holds."""
    for part in _AND.split(claim) if _AND.search(claim) else ():
        read = read_words(part)
        held = max(compare_with(read, place).share for place in places)
        if len(read.words) >= 2 and held < ENOUGH / 2:
            return f"no source says “{part.strip()}”"
    return ""


@lru_cache(maxsize=65536)
def _plain(text: str) -> str:
    """Returns the words of a text in lower case, without marks around them."""
    return " ".join(re.findall(r"\w[\w.,:/-]*\w|\w|[%$€£¥]", text.lower()))


def _rank(compared: PlaceMatch) -> tuple[float, bool]:
    return round(compared.share, 3), compared.status == "supported"


def compare_with(claim: SentenceWords, place: SourcePlace) -> PlaceMatch:
    """Compares a claim with one place."""
    left = Counter(w.stem for w in place.read.words)
    total = 0.0
    held: list[tuple[ContentWord, str]] = []
    missing: list[ContentWord] = []
    for word in claim.words:
        weight, matched = _match(word, place)
        if matched is not None and left[matched]:
            left[matched] -= 1
            held.append((word, matched))
        else:
            # A word that the claim says twice and the place once is half held.
            weight *= 1.0 if matched is None else 0.5
            missing.append(word)
        total += weight
    share = total / len(claim.words) if claim.words else 1.0
    used = {matched for _, matched in held}
    spare = [w for w in place.read.words if w.stem not in used]
    pair = Pair(claim, place, share, held, missing, spare)
    if wrong := _contradiction(pair):
        return PlaceMatch(share, "contradicted", wrong, place)
    lacking, copy = _lacking(pair), _copies(pair)
    return PlaceMatch(share, "unsupported" if lacking else "supported", lacking, place, copy)


class Pair(NamedTuple):
    """A claim beside a place: `held` words with the stem that matches them, `missing` words of the
    claim, `spare` words of the place."""

    claim: SentenceWords
    place: SourcePlace
    share: float
    held: Sequence[tuple[ContentWord, str]]
    missing: Sequence[ContentWord]
    spare: Sequence[ContentWord]

    @property
    def same_topic(self) -> float:
        """The share from which the place counts as speaking of what the claim speaks of."""
        named = {w.stem for w in self.claim.words} & self.place.heading
        return BELOW_HEADING if len(named) * 2 > len(self.place.heading) > 0 else SAME_TOPIC


def _match(word: ContentWord, place: SourcePlace) -> tuple[float, str | None]:
    """Returns the weight with which a place holds a word, and the stem that it matches there."""
    best: tuple[float, str | None] = (place.near.get(word.stem, 0.0), None)
    for other in place.read.words:
        if other.stem == word.stem:
            return 1.0, other.stem
        if best[0] < ALIKE and alike(word.stem, other.stem):
            best = (ALIKE, other.stem)
    return best


def _contradiction(pair: Pair) -> str:
    """Says how a place contradicts a claim; empty if it does not."""
    if not _same_subject(pair):
        return ""
    return (
        _other_amount(pair)
        or _opposite(pair)
        or _denied(pair)
        or _other_force(pair)
        or _other_name(pair)
        or _changed_places(pair)
    )


def _same_subject(pair: Pair) -> bool:
    """Whether the first words of both can mean the same: the API's timeout is not the worker's."""
    claim, place = pair.claim, pair.place
    if not claim.words or not place.read.words:
        return True
    first, there = claim.words[0], place.read.words[0].stem
    if first not in pair.missing or first.stem in place.near:
        return True
    known = {matched for _, matched in pair.held} | place.heading
    refers_back = bool(place.read.low & PRONOUNS)
    return refers_back or there in known or there in opposites().get(first.stem, ())


def _opposite(pair: Pair) -> str:
    """Says which word of a place is the opposite of one of the claim."""
    claim = pair.claim
    rest = pair.share * len(claim.words) / max(1, len(claim.words) - 1)
    if rest >= pair.same_topic:
        for word in pair.missing:
            for other in pair.spare:
                if other.stem in opposites().get(word.stem, ()) and word.negated == other.negated:
                    return f"the source says “{other.text}”, the claim “{word.text}”"
    return _opposite_in_order(pair) or _opposite_of_form(pair)


def _opposite_in_order(pair: Pair) -> str:
    """Says which word of a claim has its opposite where a place that says both has it: "enabled by
    default" beside "disabled by default and can be enabled"."""
    words = pair.claim.words
    here, there = [w.stem for w in words], [w.stem for w in pair.place.read.words]
    if pair.share < CLOSE or len(here) > LONGEST or len(there) > 2 * LONGEST:
        return ""
    common, neighbours = _in_order(here, there), set(pairwise(there))
    for at, word in enumerate(words):
        if neighbours & {*pairwise(here[max(0, at - 1) : at + 2])}:
            continue  # "the left pane" is the left pane, wherever it stands
        for other in opposites().get(word.stem, frozenset()) & set(there):
            if _in_order([*here[:at], other, *here[at + 1 :]], there) > common:
                said = next(w.text for w in pair.place.read.words if w.stem == other)
                return f"the source says “{said}”, the claim “{word.text}”"
    return ""


def _opposite_of_form(pair: Pair) -> str:
    """Says which word of no content has its opposite in a place: `before`, `on`, `most`."""
    claim, place = pair.claim, pair.place
    if pair.share < CLOSE:
        return ""
    for here in sorted((claim.low - place.read.low) & STOP_WORDS):
        for there in sorted(place.read.low - claim.low):
            if word_stem(there) in opposites().get(word_stem(here), ()):
                return f"the source says “{there}”, the claim “{here}”"
    return ""


def _denied(pair: Pair) -> str:
    """Says which word only one of both denies."""
    here, there = pair.claim.low & NEGATIONS, pair.place.read.low & NEGATIONS
    if here and not there:
        return _denied_by_claim(pair)
    return _denied_by_source(pair) if there and not here else ""


def _denied_by_claim(pair: Pair) -> str:
    denied = next((w for w, _ in pair.held if w.negated), None)
    if not denied or pair.share < DENIAL:
        denied = next((w for w in pair.missing if w.negated), None)
        denied = denied if pair.share >= CLOSE_DENIAL else None
    return f"the claim denies “{denied.text}”, the source does not" if denied else ""


def _denied_by_source(pair: Pair) -> str:
    words = pair.place.read.words
    negated = {w.stem for w in words if w.negated} - {w.stem for w in words if not w.negated}
    denied = next((w for w, matched in pair.held if matched in negated), None)
    if not denied or pair.share < CLOSE:
        return ""
    return f"the source denies “{denied.text}”, the claim does not"


def _other_force(pair: Pair) -> str:
    """Says that one of both requires what the other only allows."""
    here, there = pair.claim.low, pair.place.read.low
    if pair.share < CLOSE or not here & (MUST | MAY) or (here & MUST and here & MAY):
        return ""
    if here & MUST and there & MAY and not there & MUST:
        return "the claim requires what the source allows"
    if here & MAY and there & MUST and not there & MAY:
        return "the claim allows what the source requires"
    return ""


def _other_name(pair: Pair) -> str:
    """Says which other name a place has behind the same word and preposition: `born in Oslo`."""
    if pair.share < pair.same_topic:
        return ""
    there = {
        (before.stem, word.preposition): word.text
        for before, word in pairwise(pair.place.read.words)
        if word.name and word.preposition and word in pair.spare
    }
    for before, word in pairwise(pair.claim.words):
        if word.name and word.preposition and word in pair.missing:
            other = there.get((before.stem, word.preposition))
            if other:
                return f"the source says “{other}”, the claim “{word.text}”"
    return ""


def _changed_places(pair: Pair) -> str:
    """Says which two words of a claim stand the other way round in a place that holds them all."""
    words, read = pair.claim.words, pair.place.read
    here, there = [w.stem for w in words], [w.stem for w in read.words]
    if pair.share < COMPLETE or not 3 <= len(here) <= LONGEST or len(there) > 2 * LONGEST:
        return ""
    common = _in_order(here, there)
    passive = ("by" in pair.claim.low) != ("by" in read.low)
    if common == len(here) or passive:
        return ""
    for first, second in combinations(range(len(here)), 2):
        if here[first] == here[second] or not {here[first], here[second]} <= set(there):
            continue
        turned = list(here)
        turned[first], turned[second] = turned[second], turned[first]
        opposed = here[second] in opposites().get(here[first], ())
        if _in_order(turned, there) >= common + (1 if opposed else 2):
            return f"“{words[first].text}” and “{words[second].text}” changed places"
    return ""


def _in_order(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns how many words of one stand in another in the same order."""
    before = [0] * (len(other) + 1)
    for word in one:
        row = [0]
        for at, there in enumerate(other):
            row.append(before[at] + 1 if word == there else max(before[at + 1], row[at]))
        before = row
    return before[-1]


def _other_amount(pair: Pair) -> str:
    """Says which number a place has instead of the claim's."""
    if pair.share < pair.same_topic:
        return ""
    claim, place = pair.claim, pair.place
    spare = [b for b in place.read.amounts if not any(same_amount(a, b) for a in claim.amounts)]
    for amount in claim.amounts:
        if any(same_amount(amount, b) for b in (*place.read.amounts, *place.near_amounts)):
            continue
        for other in spare:
            if same_measure(amount, other):
                return f"the source says {other.text}, the claim {amount.text}"
    return ""


def _lacking(pair: Pair) -> str:
    """Says what of a claim a place does not hold; empty if it holds enough."""
    claim, place = pair.claim, pair.place
    known = (*place.read.amounts, *place.near_amounts)
    for amount in claim.amounts:
        if not any(same_amount(amount, b) for b in known):
            return f"no source says {amount.text}"
    if said := _more_than_said(pair):
        return said
    lacking = [w for w in pair.missing if w.stem not in place.near]
    short = len(claim.words) <= SHORT and not claim.amounts
    if pair.share < ENOUGH or (lacking and (short or _copies(pair))):
        return "no source says " + ", ".join(f"“{w.text}”" for w in (lacking or pair.missing)[:4])
    return ""


def _more_than_said(pair: Pair) -> str:
    """Says which `all` a place lacks, or which exception a claim leaves out."""
    here, there = pair.claim.low, pair.place.read.low
    sweeping = (here & SWEEPING) - there
    if sweeping and not (sweeping & EACH and there & EACH):
        return f"no source says “{min(sweeping)}”"
    exception = (there & EXCEPTIONS) - here
    return f"the source adds “{min(exception)}”" if exception and pair.share >= CLOSE else ""


def _copies(pair: Pair) -> bool:
    """Whether a claim is a sentence of the source with few words changed."""
    here = [w.stem for w in pair.claim.words]
    there = [w.stem for w in pair.place.read.words]
    if len(there) > 2 * len(here) or len(here) > 4 * LONGEST:
        return False
    common = _in_order(here, there)
    return common >= 3 and common >= CLOSE * len(here)


def summed_up(checked: Sequence[JudgedClaim]) -> TextJudgement:
    """Sums up: confidence over what could be compared, and what follows from it."""
    claims = tuple(checked)
    count = {s: sum(c.status == s for c in claims) for s in get_args(Status)}
    compared = len(claims) - count["nothing-to-compare"]
    lost = CONTRADICTED * count["contradicted"] + UNSUPPORTED * count["unsupported"]
    confidence = round(1 - lost / compared, 4) if compared else 1.0
    told = [f"{c.text!r}: {c.status}, {c.differs}" for c in claims if c.differs]
    said = ", ".join(f"{n} {s}" for s, n in count.items() if n and s != "nothing-to-compare")
    plural = "" if compared == 1 else "s"
    return TextJudgement(
        claims,
        confidence,
        count["contradicted"] > 0 or confidence < HALLUCINATED,
        compared > 0 and count["supported"] == compared,
        f"{compared} claim{plural} compared by words: {said}" if compared else "nothing to compare",
        "; ".join(told) or ("every claim has its quote" if compared else "the text states nothing"),
    )

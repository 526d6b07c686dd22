"""Compares a text with its sources word by word (`verify --source`), in four phases.

1. Splits the text into claims and gives every claim a type.
2. Searches the sentences of the sources for the words and numbers in a claim.
3. Searches for contradictions: a different number, an opposite word, a negation, swapped words.
4. Computes the confidence, and decides whether the text counts as hallucinated.

In this module, a source sentence is a sentence, a list item or a line of a source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct, to_builtins

from grounded_ingest.text.lexicon.number_words import DIMENSIONS, EVERY, MONTH_NAMES, WEEKDAY_NAMES
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
"""Weights for the confidence of a text. The share of contradicted claims times `CONTRADICTED` and
the share of unsupported claims times `UNSUPPORTED` are subtracted from 1. A text with a confidence
below `HALLUCINATED` counts as hallucinated."""
ENOUGH = 0.4
"""Minimum share of a claim's words that one sentence in a source must contain to support the
claim."""
SAME_TOPIC, BELOW_HEADING = 0.4, 0.2
"""Minimum share of a claim's words that a sentence must contain to contradict the claim.
`BELOW_HEADING` applies if the heading above the sentence names the topic of the claim."""
DENIAL, CLOSE_DENIAL, CLOSE, COMPLETE = 0.5, 0.6, 0.7, 0.85
"""Minimum shares of a claim's words that a source sentence must contain to contradict the claim.
`DENIAL`: the claim negates a word that is also in the source sentence. `CLOSE_DENIAL`: the claim
negates a word that is not in the source sentence. `CLOSE`: the source sentence has an opposite
word, negates a word of the claim, or has "may" for "must". `COMPLETE`: two words are swapped."""
SHORT = 3
"""A claim with at most this many compared words is supported only if the source sentence contains
all of them."""
NEARBY, HEADING, ALIKE = 0.5, 1.0, 0.8
"""Weights of a claim's word. `NEARBY` applies if only a neighbouring sentence contains the word,
`HEADING` if only the heading contains the word, and `ALIKE` if the source sentence contains another
form of the word (`electric`, `electricity`). A word in the source sentence itself has the weight
1."""
MOST_CLAIMS, MOST_PLACES, COMMON = 2000, 64, 2000
"""Limits of the run time. `MOST_CLAIMS`: claims that are compared. `MOST_PLACES`: source sentences
that are compared with one claim. `COMMON`: a word in more source sentences than this is not used to
find source sentences."""
LONGEST_SENTENCE = 5000
"""Maximum number of characters of a sentence. The rest of a longer sentence is ignored."""
FARTHER = 0.2
"""A source sentence that is almost a copy of the claim decides in place of a supporting sentence
whose share of the claim's words is smaller by at least this number."""
LONGEST = 24
"""Maximum number of compared words in a claim that is searched for swapped words."""

PRONOUNS = word_set("he she it they this these those that his her its their him them here such")
MUST, MAY = frozenset(("must", "shall")), frozenset(("may", "might", "can"))
EACH = frozenset(("all", "every", "each"))
SWEEPING = word_set("all every always only entire entirely exactly")
"""Words that make a claim more general. A source sentence that supports the claim must contain the
same word; "all", "every" and "each" count as the same."""
_OBLIGATION = re.compile(
    r"(?i)\b(?:shall|must|will|required?|has to|have to|may not|should|obliged)\b"
)
_AND = re.compile(r",\s+and\s+")
_CLAUSE = re.compile(r";\s+|,\s+(?=(?:but|while|whereas)\b)")


class NamedSource(NamedTuple):
    """A source text, and the name of the source in reports."""

    name: str
    text: str


class SourcePlace(NamedTuple):
    """One sentence, list item or line in a source, with its words and numbers (`read`). `near` maps
    the word stems of the neighbouring sentences and the heading to weights from 0 to 1, and
    `near_amounts` has their numbers. `heading` has the word stems of the heading."""

    source: str
    line: int
    text: str
    read: SentenceWords
    near: dict[str, float]
    heading: frozenset[str]
    near_amounts: tuple[Measure, ...]


class JudgedClaim(Struct, frozen=True):
    """A claim in a text, with the result of the comparison in `status`.

    `source_line` is the line of the quote, counted from 1, or 0 if there is no quote. `differs` is
    a message about the part of the claim that no source states or that a source contradicts.
    """

    text: str
    type: ClaimType
    found_in_source: bool
    source_quote: str
    status: Status
    source: str = ""
    source_line: int = 0
    differs: str = ""


class TextJudgement(Struct, frozen=True):
    """The result of comparing a text with its sources. `confidence_score` is from 0 to 1.
    `should_return` is true if all compared claims are supported."""

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
    """The result of comparing a claim with a source sentence.

    `share` says how much of the claim the source sentence contains, from 0 (no word) to 1 (all
    words). `copy` is true if the claim is the source sentence with a few changed words.
    """

    share: float
    status: Status
    differs: str
    place: SourcePlace
    copy: bool = False


def check_text(text: str, sources: Iterable[NamedSource]) -> TextJudgement:
    """Compares every claim in a text with the sources and returns the overall result."""
    places = [place for source in sources for place in read_places(source)]
    by_stem: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        for one in {*(w.stem for w in place.read.words), *place.heading}:
            by_stem.setdefault(one, []).append(number)
    claims = split_claims(text)
    checked = [_checked(c, _nearest(c, places, by_stem)) for c in claims[:MOST_CLAIMS]]
    checked += [
        JudgedClaim(
            c, type_of_claim(c), False, "", "unsupported", differs="too many claims to compare"
        )
        for c in claims[MOST_CLAIMS:]
    ]
    return overall_result(checked)


def _nearest(
    claim: str, places: Sequence[SourcePlace], by_stem: dict[str, list[int]]
) -> list[SourcePlace]:
    """Returns at most `MOST_PLACES` source sentences: those that share the most words with the
    claim.

    The returned source sentences keep their order in the sources.
    """
    if len(places) <= MOST_PLACES:
        return list(places)
    shared: Counter[int] = Counter()
    for one in {w.stem for w in read_words(claim).words}:
        numbers = by_stem.get(one, [])
        # A very common word does not help to find the right sentence.
        if len(numbers) <= COMMON:
            shared.update(numbers)
    return [places[n] for n in sorted(n for n, _ in shared.most_common(MOST_PLACES))]


def split_claims(text: str) -> list[str]:
    """Returns the sentences, list items and table rows in a text, without headings and code."""
    return [said for _, said, heading in _statements(text) if not heading]


_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)\s*#*$")
_MARKER = re.compile(r"\s*(?:[-*+>]\s+|\d+[.)]\s+|\||//+\s*|#+!?\s*|;\s+)+")
_OWN_LINE = re.compile(r"\s*(?:[-*+>|]\s|\d+[.)]\s|[\w.\"'-]+\s*[:=]\s*\S|//|#)|.*[;{}|]\s*$")


def _statements(text: str, *, code: bool = False) -> Iterator[tuple[int, str, bool]]:
    """Yields (line number, statement, whether it is a heading). Lines in fenced code blocks are
    yielded only if `code` is true."""
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
    """Returns the sentences in a source, with the words of their headings and neighbours."""
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
        # The words of a neighbouring sentence count only if the sentence refers back to it, such as
        # "It was founded in 1990."
        if not (read.low & PRONOUNS or said.startswith(("but ", "while ", "whereas "))):
            around = []
        near = {w.stem: NEARBY for words in around for w in words.words}
        near |= {w.stem: HEADING for w in above.words}
        titles = frozenset(w.stem for w in above.words)
        amounts = tuple(a for words in (above, *around) for a in words.amounts)
        places.append(SourcePlace(source.name, line, said, read, near, titles, amounts))
    return places


def type_of_claim(claim: str) -> ClaimType:
    """Returns the first type that fits the claim: quantitative (a number), temporal (a date, a
    duration, or a word such as "weekly"), obligation ("must"), or general."""
    read = read_words(claim)
    if any(a.kind not in ("time", "date", "year", "decade", "clock") for a in read.amounts):
        return "quantitative"
    if read.amounts or read.low & _TIME_WORDS:
        return "temporal"
    return "obligation" if _OBLIGATION.search(claim) else "general"


_TIME_UNITS = " ".join(names for names, _ in DIMENSIONS["time"]).split()
_TIME_WORDS = frozenset(
    (*EVERY, *WEEKDAY_NAMES, *MONTH_NAMES, *(unit for unit in _TIME_UNITS if len(unit) > 2))
) - {"min", "second", "seconds", "may", "march"}


def _checked(claim: str, places: Sequence[SourcePlace]) -> JudgedClaim:
    read, kind = read_words(claim), type_of_claim(claim)
    if not read.words and not read.amounts:
        return JudgedClaim(claim, kind, False, "", "nothing-to-compare")
    best = judge_claim(claim, places)
    if best is None or best.status == "unsupported":
        differs = best.differs if best else ""
        return JudgedClaim(claim, kind, False, "", "unsupported", differs=differs)
    place = best.place
    supported = best.status == "supported"
    return JudgedClaim(
        claim, kind, supported, place.text, best.status, place.source, place.line, best.differs
    )


def judge_claim(claim: str, places: Sequence[SourcePlace]) -> PlaceMatch | None:
    """Returns the comparison that decides the status of a claim.

    If the claim has several clauses (`; `, `, but `), the clause with the worst status decides.
    Returns None if there are no source sentences.
    """
    found = [_judge_clause(part, places) for part in _CLAUSE.split(claim)]
    return max((f for f in found if f), key=lambda f: _WORST.index(f.status), default=None)


_WORST = ("nothing-to-compare", "supported", "unsupported", "contradicted")


def _judge_clause(claim: str, places: Sequence[SourcePlace]) -> PlaceMatch | None:
    """Returns the comparison that decides the status of one clause.

    Among the source sentences that support or contradict the clause, the one with most of the
    clause's words decides. Returns None if there are no source sentences.
    """
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
    half = _missing_half(claim, places)
    return best._replace(status="unsupported", differs=half) if half else best


def _missing_half(claim: str, places: Sequence[SourcePlace]) -> str:
    """Returns a message about the half of "X, and Y" that is in no source, or an empty string."""
    for part in _AND.split(claim) if _AND.search(claim) else ():
        read = read_words(part)
        held = max(compare_with(read, place).share for place in places)
        if len(read.words) >= 2 and held < ENOUGH / 2:
            return f"no source says “{part.strip()}”"
    return ""


@lru_cache(maxsize=65536)
def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w[\w.,:/-]*\w|\w|[%$€£¥]", text.lower()))


def _rank(compared: PlaceMatch) -> tuple[float, bool]:
    return round(compared.share, 3), compared.status == "supported"


def compare_with(claim: SentenceWords, place: SourcePlace) -> PlaceMatch:
    """Compares a claim with one sentence in a source and returns the result."""
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
            # The claim has the word twice and the source sentence has it once: the second word
            # counts half.
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
    """A claim and a source sentence. `held` has the claim's words that are in the sentence, each
    with the stem that matches there, and `missing` the others. `spare` has the sentence's words
    that are not in the claim. `share` says how much of the claim the sentence contains, from 0 to
    1."""

    claim: SentenceWords
    place: SourcePlace
    share: float
    held: Sequence[tuple[ContentWord, str]]
    missing: Sequence[ContentWord]
    spare: Sequence[ContentWord]

    @property
    def same_topic(self) -> float:
        """The minimum `share` at which the claim and the source sentence count as being about the
        same topic. The minimum is lower if the claim names the topic of the source's heading."""
        named = {w.stem for w in self.claim.words} & self.place.heading
        return BELOW_HEADING if len(named) * 2 > len(self.place.heading) > 0 else SAME_TOPIC


def _match(word: ContentWord, place: SourcePlace) -> tuple[float, str | None]:
    """Returns how well a source sentence contains a word, from 0 (not at all) to 1 (the word
    itself), and the matching stem.

    The stem is None if only a neighbouring sentence or the heading contains the word.
    """
    best: tuple[float, str | None] = (place.near.get(word.stem, 0.0), None)
    for other in place.read.words:
        if other.stem == word.stem:
            return 1.0, other.stem
        if best[0] < ALIKE and alike(word.stem, other.stem):
            best = (ALIKE, other.stem)
    return best


def _contradiction(pair: Pair) -> str:
    """Returns a message that explains how the source sentence contradicts the claim.

    Returns an empty string if there is no contradiction.
    """
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
    """Returns whether claim and source sentence can have the same subject, judged by their first
    words.

    A sentence about the timeout of the API does not contradict a claim about the worker's timeout.
    """
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
    claim = pair.claim
    rest = pair.share * len(claim.words) / max(1, len(claim.words) - 1)
    if rest >= pair.same_topic:
        for word in pair.missing:
            for other in pair.spare:
                if other.stem in opposites().get(word.stem, ()) and word.negated == other.negated:
                    return f"the source says “{other.text}”, the claim “{word.text}”"
    return _opposite_in_order(pair) or _opposite_of_form(pair)


def _opposite_in_order(pair: Pair) -> str:
    """Returns a message if the source sentence has the opposite of a claim's word at the same
    position.

    The source sentence may contain both words: "disabled by default and can be enabled" contradicts
    "enabled by default". Compares the order of the words.
    """
    words = pair.claim.words
    here, there = [w.stem for w in words], [w.stem for w in pair.place.read.words]
    if pair.share < CLOSE or len(here) > LONGEST or len(there) > 2 * LONGEST:
        return ""
    common, neighbours = _in_order(here, there), set(pairwise(there))
    for at, word in enumerate(words):
        if neighbours & {*pairwise(here[max(0, at - 1) : at + 2])}:
            continue  # the same two words are side by side, such as "left pane"
        for other in opposites().get(word.stem, frozenset()) & set(there):
            if _in_order([*here[:at], other, *here[at + 1 :]], there) > common:
                said = next(w.text for w in pair.place.read.words if w.stem == other)
                return f"the source says “{said}”, the claim “{word.text}”"
    return ""


def _opposite_of_form(pair: Pair) -> str:
    claim, place = pair.claim, pair.place
    if pair.share < CLOSE:
        return ""
    for here in sorted((claim.low - place.read.low) & STOP_WORDS):
        for there in sorted(place.read.low - claim.low):
            if word_stem(there) in opposites().get(word_stem(here), ()):
                return f"the source says “{there}”, the claim “{here}”"
    return ""


def _denied(pair: Pair) -> str:
    here, there = pair.claim.low & NEGATIONS, pair.place.read.low & NEGATIONS
    if bool(here) == bool(there):
        return ""
    return _denied_by_claim(pair) if here else _denied_by_source(pair)


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
    here, there = pair.claim.low, pair.place.read.low
    if pair.share < CLOSE or not here & (MUST | MAY) or (here & MUST and here & MAY):
        return ""
    if here & MUST and there & MAY and not there & MUST:
        return "the claim requires what the source only allows"
    if here & MAY and there & MUST and not there & MAY:
        return "the claim only allows what the source requires"
    return ""


def _other_name(pair: Pair) -> str:
    """Returns a message if the source sentence has a different name after the same word and
    preposition.

    Example: the claim states `born in Oslo`, the source `born in Bergen`.
    """
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
    """Returns a message if the claim swaps two words of an almost equal source sentence."""
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
            return f"“{words[first].text}” and “{words[second].text}” are swapped"
    return ""


def _in_order(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns the length of the longest common subsequence of two word lists."""
    before = [0] * (len(other) + 1)
    for word in one:
        row = [0]
        for at, there in enumerate(other):
            row.append(before[at] + 1 if word == there else max(before[at + 1], row[at]))
        before = row
    return before[-1]


def _other_amount(pair: Pair) -> str:
    """Returns a message if the source sentence has another number for the same kind of thing."""
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
    """Returns a message about the numbers or words of the claim that are not in the source
    sentence.

    Returns an empty string if the source sentence contains enough of the claim to support it.
    """
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
    """Returns a message if the claim is more general than the source sentence: only the claim has a
    word such as `all`, or only the source sentence has an exception."""
    here, there = pair.claim.low, pair.place.read.low
    sweeping = (here & SWEEPING) - there
    if sweeping and not (sweeping & EACH and there & EACH):
        return f"no source says “{min(sweeping)}”"
    exception = (there & {"unless", "except"}) - here
    is_lost = bool(exception) and pair.share >= CLOSE
    return f"the source has an exception (“{min(exception)}”)" if is_lost else ""


def _copies(pair: Pair) -> bool:
    here = [w.stem for w in pair.claim.words]
    there = [w.stem for w in pair.place.read.words]
    if len(there) > 2 * len(here) or len(here) > 4 * LONGEST:
        return False
    common = _in_order(here, there)
    return common >= 3 and common >= CLOSE * len(here)


def overall_result(checked: Sequence[JudgedClaim]) -> TextJudgement:
    """Returns the counts, the confidence, and whether the text counts as hallucinated. Claims
    without words to compare do not change the result."""
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
        "; ".join(told) or ("the sources support every claim" if compared else "there is no claim"),
    )

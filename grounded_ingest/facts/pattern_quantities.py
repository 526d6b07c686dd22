"""Facts whose value stands beside the noun: `a 30-second timeout`, `Python 3.11`."""

from __future__ import annotations

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.value_spans import is_version, parse_value
from grounded_ingest.language.clauses import subject_key
from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.lexicon.number_words import CARDINALS
from grounded_ingest.language.stemming import canonical, singular
from grounded_ingest.language.value_normal_form import normal

_MEASURED = frozenset(("quantity", "interval", "count", "port", "version"))
_AMOUNTS = frozenset(("quantity", "interval", "count"))
_LINKS = frozenset(frame_words.QUANTITIES_LINKS.split())
_BOUNDS = frozenset(frame_words.QUANTITIES_BOUNDS.split())


def find(finder: Finder) -> None:
    """Values before and behind nouns, versions behind products, counts of things."""
    _versions(finder)
    at = 0
    while at < finder.end:
        at = max(at + 1, _noun_first(finder, at), _value_first(finder, at))


def _versions(finder: Finder) -> None:
    tokens = finder.tokens
    for entity in finder.sentence.named:
        at = entity.end
        while at < finder.end and tokens[at].low in _BOUNDS:
            at += 1
        if at < finder.end and is_version(tokens[at]) and finder.free(at, at + 1):
            finder.add(
                "version",
                (at, at + 1),
                subject=" ".join(singular(w) for w in canonical(entity.name).split()),
            )


def _noun_first(finder: Finder, at: int) -> int:
    """`timeout of 30 seconds`, `port 8080`, `timeout (30s)`."""
    hit = finder.tables.nouns.at(finder.tokens, at, finder.end)
    if hit is None:
        return at
    length, names = hit
    measured = [n for n in names.split("|") if finder.tables.slots[n].values in _MEASURED]
    if not measured:
        return at
    name, after = measured[0], at + length
    slot = finder.tables.slots[name]
    links = 0
    while after < finder.end and finder.tokens[after].low in _LINKS and links < 4:
        after, links = after + 1, links + 1
    span = parse_value(finder.tokens, after, min(finder.end, after + 6), slot.values)
    if span is None or span[0] > after + 1 or not finder.free(*span):
        return at
    name, kept = limited(finder, name, span)
    finder.add(name, kept, subject=_before(finder, at))
    return span[1]


def limited(finder: Finder, name: str, span: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    """What a bare limit limits: `a maximum of 12 retries`, `at most 100 requests per minute`."""
    if name != "size_limit":
        return name, span
    tokens = finder.tokens
    rate = normal(finder.reading.text[tokens[span[0]].start : tokens[span[1] - 1].end]).parts[:1]
    if rate and "/" in rate[0]:
        return "rate_limit", span
    for at in (span[1] - 1, span[1]):
        hit = finder.tables.nouns.at(tokens, at, finder.end) if span[0] < at < finder.end else None
        for found in hit[1].split("|") if hit else ():
            if finder.tables.slots[found].values in ("count", "quantity") and found != name:
                return found, (span[0], at)
    return name, span


def _before(finder: Finder, at: int) -> str | None:
    """The words that qualify a noun from the front: `the billing worker timeout`."""
    start = at
    while (
        start > 0
        and finder.tokens[start - 1].kind == "word"
        and finder.tokens[start - 1].low
        not in group("DETERMINERS") | group("PREPOSITIONS") | group("CONJUNCTIONS")
    ):
        piece = finder.sentence.piece(at)
        if start - 1 <= piece.verb or start - 1 < piece.start:
            break
        start -= 1
    qualifier = subject_key(finder.tokens[start:at])
    return qualifier or None


def _value_first(finder: Finder, at: int) -> int:
    """`a 30-second request timeout`, `5 MB uploads limit`, `3 retries`, `two siblings`."""
    tokens, first = finder.tokens, finder.tokens[at]
    if not (first.kind == "num" or first.low[:1] in "$€£" or first.low in CARDINALS):
        return at
    span = parse_value(tokens, at, finder.end, "quantity")
    if span is None or span[0] != at or not finder.free(*span):
        return at
    after = span[1]
    while after < finder.end and tokens[after].low == "-":
        after += 1
    for start in range(after, min(finder.end, after + 3)):
        length, slot = _amount_noun(finder, start)
        if slot:
            finder.add(slot, span, subject=subject_key(tokens[after:start]) or None)
            return start + length
        joins = group("PREPOSITIONS") | group("CONJUNCTIONS")
        if tokens[start].kind != "word" or tokens[start].low in joins:
            break
    return _counted(finder, span)


def _amount_noun(finder: Finder, at: int) -> tuple[int, str]:
    """The noun at a place that has an amount: its length in words and its slot, empty without."""
    length, names = finder.tables.nouns.at(finder.tokens, at, finder.end) or (0, "")
    slots = finder.tables.slots
    fitting = (n for n in names.split("|") if n and slots[n].values in _AMOUNTS)
    return length, next(fitting, "")


def _counted(finder: Finder, span: tuple[int, int]) -> int:
    """`has two siblings`, `we have five servers`: how many there are of something."""
    tokens, after = finder.tokens, span[1]
    piece = finder.sentence.piece(span[0])
    verb = tokens[piece.verb].stem if piece.verb >= 0 else ""
    if after >= finder.end or tokens[after].kind != "word":
        return span[1]
    if tokens[after].low == "old" and tokens[after - 1].low in ("years", "year"):
        stop = after - 1 if tokens[after - 2].low != "-" else after - 2
        finder.add("age", (span[0], max(stop, span[0] + 1)))
        return after + 1
    slot = frame_words.QUANTITIES_NOUNS.get(tokens[after].stem)
    with_or_have = verb == "have" or (slot and slot != "languages_spoken")
    if slot == "languages_spoken" and verb == "speak":
        finder.add(slot, (span[0], after))
        return after + 1
    if with_or_have and tokens[after].low.endswith(("s", "children", "people")):
        finder.add(slot or f"number_of_{tokens[after].stem}", (span[0], after))
        return after + 1
    return span[1]

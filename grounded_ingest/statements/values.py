"""Where a value ends, and whether it is of the kind that its slot takes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from grounded_ingest.statements.sentence import is_verb
from grounded_ingest.statements.words import Token, technologies_in
from grounded_ingest.text.lexicon import frame_words, people
from grounded_ingest.text.lexicon.number_words import MONTHS, WEEKDAYS
from grounded_ingest.text.values import is_counted, is_unit, normal, quantity
from grounded_ingest.text.words import group

Span = tuple[int, int]
_ENDS = frozenset(frame_words.CHUNKS_ENDS.split())
_LEADING = frozenset(frame_words.CHUNKS_MODIFIERS.split()) | {"a", "an", "the", "of", "is", "for"}
_IN_PHRASES = frozenset("&/-'’%$#.")
_BEHIND = frozenset((
    "now", "currently", "today", "these", "anymore", "instead", "twice", "since",
    "everywhere", "yet", "too", "also", "only",
))  # fmt: skip
_LISTING = frozenset([",", ";", "and", "or", "/", "&", "plus"])


_LISTS = {
    "diet": "DIETS",
    "relationship": "RELATIONSHIPS",
    "schedule": "SCHEDULES",
    "city": "PLACES",
}
"""Kinds of values that a list of `lexicon.people` holds."""


@cache
def people_words(name: str) -> frozenset[str]:
    """Returns a list of `lexicon.people` by its name."""
    return frozenset(getattr(people, name).split())


def value_start(tokens: Sequence[Token], at: int, end: int) -> int:
    """Returns the index behind determiners and adverbs that stand before a value."""
    before = (group("DETERMINERS") | group("ADVERBS")) - {"no", "more", "most", "less", "both"}
    while at < end and tokens[at].low in before:
        at += 1
    return at


def phrase(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    """Returns the noun phrase at a place, without what stands behind it."""
    start = stop = value_start(tokens, at, end)
    while stop < end and not _ends_phrase(tokens, start, stop, end):
        stop += 1
    while stop > start and tokens[stop - 1].low in ("of", "-", "/", "&", "the", "'s", "."):
        stop -= 1
    return (start, stop) if stop > start else None


def _ends_phrase(tokens: Sequence[Token], start: int, at: int, end: int) -> bool:
    token = tokens[at]
    if token.kind == "line" or (token.kind == "punct" and token.low not in _IN_PHRASES):
        return True
    if token.low in group("SELF") | group("PRONOUNS"):
        return True
    twice = 0 < at < end - 1 and tokens[at - 1].low == tokens[at + 1].low  # Johnson and Johnson
    if (token.low in _ENDS and not twice) or token.low in group("PREPOSITIONS") - {"of"}:
        return True
    if at == start:
        return False
    return token.low in _BEHIND or (is_verb(tokens, at, start) and not token.text[:1].isupper())


def parse_value(tokens: Sequence[Token], at: int, end: int, kind: str) -> Span | None:
    """Returns the value of a kind at a place; None if there is none."""
    match kind:
        case "quantity" | "number":
            return _quantity(tokens, at, end, kind)
        case "year":
            span = _quantity(tokens, at, end, "number")
            low = tokens[span[0]].low if span else ""
            return span if low.isdigit() and len(low) == 4 else None
        case "date":
            return _date(tokens, at, end)
        case "clause":
            stop = next((i for i in range(at, end) if tokens[i].low in (",", ";", "(", "but")), end)
            return (at, stop) if stop > at else None
        case _:
            span = phrase(tokens, at, end)
            return span if span and _fits(tokens, span, kind) else None


def _fits(tokens: Sequence[Token], span: Span, kind: str) -> bool:
    mine = tokens[span[0] : span[1]]
    first, capital = mine[0], mine[0].text[:1].isupper()
    if kind in _LISTS:
        return any(t.low in people_words(_LISTS[kind]) for t in mine)
    match kind:
        case "proper" | "name":
            moody = first.low in people_words("STATES_OF_MIND")
            return not moody and first.kind != "num" and (capital or kind == "name")
        case "title":
            return is_title(tokens, span)
        case "company":  # nobody is employed at "joined the call"
            return any(t.text[:1].isupper() or t.text[0].isdigit() for t in mine)
        case "place" | "activity":
            named = capital or kind == "activity" or first.low in people_words("PLACES")
            return named and not technologies_in(mine)
        case _:
            return mine[-1].kind != "punct"


def is_title(tokens: Sequence[Token], span: Span) -> bool:
    """Whether a phrase is an occupation: its head, or what stands before `of`, is one."""
    lows = [t.low for t in tokens[span[0] : span[1]]]
    head = lows[: lows.index("of")] if "of" in lows else lows
    known = people_words("OCCUPATIONS")
    return bool(head) and (head[-1] in known or head[-1].rstrip("s") in known)


def _quantity(tokens: Sequence[Token], at: int, end: int, kind: str) -> Span | None:
    while at < end and tokens[at].low in _LEADING:
        if tokens[at].low in ("a", "an") and quantity([t.low for t in tokens[at:end]]):
            break
        at += 1
    lows = [t.low for t in tokens[at : min(end, at + 8)]]
    found = None if not lows or lows[0].startswith("v") else quantity(lows)
    if found is None:
        return None
    stop = at + found[1]
    return (at, stop) if found[0].dimension else (at, _bare_end(tokens, (at, stop), end, kind))


def _bare_end(tokens: Sequence[Token], span: Span, end: int, kind: str) -> int:
    """Returns where a number without a unit ends: what it counts belongs to an amount only."""
    start, stop = span
    if kind == "number":
        while stop > start + 1 and _is_unit_or_counted(tokens[stop - 1].low):
            stop -= 1
    elif stop < end and tokens[stop].kind == "word":
        stop += is_counted(tokens[stop].low)
    return stop


def _is_unit_or_counted(word: str) -> bool:
    return is_counted(word) or is_unit(word)


def _date(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    at = value_start(tokens, at, end)
    while at < end and tokens[at].low in ("on", "by", "in", "at", "end", "of", "the"):
        at += 1
    for stop in range(min(end, at + 5), at, -1):
        if normal(" ".join(t.low for t in tokens[at:stop])).kind == "date":
            return at, stop
    named = at < end and (tokens[at].low in WEEKDAYS or tokens[at].low in MONTHS)
    return (at, at + 1) if named else None


def listed_values(tokens: Sequence[Token], first: Span, end: int, kind: str) -> list[Span]:
    """Returns a value and those that stand beside it in a list: `Python, Go and Rust`."""
    found = [first]
    while span := _next_listed(tokens, found[-1][1], end, kind):
        found.append(span)
    return found


def _next_listed(tokens: Sequence[Token], at: int, end: int, kind: str) -> Span | None:
    behind = at
    while behind < end and tokens[behind].low in _LISTING:
        behind += 1
    if behind == at or behind >= end:
        return None
    low = tokens[behind].low
    opens = low in group("SELF") | group("PRONOUNS") | group("PREPOSITIONS")
    if opens or (is_verb(tokens, behind, behind) and not low.endswith("ing")):
        return None
    span = parse_value(tokens, behind, end, kind)
    if span is None or span[0] > behind + 1:
        return None
    return span if span[1] >= end or not is_verb(tokens, span[1], span[0]) else None

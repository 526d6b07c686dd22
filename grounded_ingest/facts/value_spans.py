"""Where a value ends, and whether it is of the kind its slot takes."""

from __future__ import annotations

from functools import cache

from grounded_ingest.language.clauses import is_verb
from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.lexicon import frame_words, people
from grounded_ingest.language.lexicon.number_words import MONTHS, WEEKDAYS
from grounded_ingest.language.quantities import counted, is_unit, quantity
from grounded_ingest.language.tokens import Token, entities
from grounded_ingest.language.value_normal_form import normal

TokenSpan = tuple[int, int]
_ENDS = frozenset(frame_words.CHUNKS_ENDS.split())
_MODIFIERS = frozenset(frame_words.CHUNKS_MODIFIERS.split())
_PORT_DIGITS = 5
_IN_PHRASES = frozenset("&/-'’%$#")
_BEHIND = frozenset(
    ("now", "currently", "today", "these", "anymore", "instead", "twice", "since", "everywhere",
     "yet", "too", "also", "only")
)  # fmt: skip
_LITERAL_NOUNS = frozenset(
    ("file", "directory", "folder", "path", "url", "variable", "environment")
)


@cache
def group_words(name: str) -> frozenset[str]:
    """A group of `lexicon.people` by its name."""
    return frozenset(getattr(people, name).split())


def value_start(tokens: list[Token], at: int, end: int) -> int:
    """The index behind determiners and adverbs that stand before a value."""
    while at < end and (
        tokens[at].low in group("DETERMINERS") - {"no"} or tokens[at].low in group("ADVERBS")
    ):
        if tokens[at].low in ("more", "most", "less", "both"):
            break
        at += 1
    return at


def phrase(tokens: list[Token], at: int, end: int) -> TokenSpan | None:
    """The noun phrase at a place, without what stands behind it."""
    start = stop = value_start(tokens, at, end)
    while stop < end and not _ends_phrase(tokens, start, stop, end):
        stop += 1
    while stop > start and tokens[stop - 1].low in ("of", "-", "/", "&", "the", "'s"):
        stop -= 1
    return (start, stop) if stop > start else None


def _ends_phrase(tokens: list[Token], start: int, at: int, end: int) -> bool:
    """Whether a word stands behind the noun phrase that begins at `start`."""
    token = tokens[at]
    if token.kind == "line" or (token.kind == "punct" and token.low not in _IN_PHRASES):
        initial = token.low == "." and at + 1 < end and len(tokens[at - 1].low) <= 2
        return not initial
    if token.low in group("SELF") | group("PRONOUNS"):
        return True
    ends = token.low in _ENDS or token.low in group("PREPOSITIONS") - {"of"}
    if ends and not (token.low == "and" and _joined(tokens, at, end)):
        return True
    if at == start:
        return False
    return token.low in _BEHIND or (is_verb(tokens, at, start) and not token.text[:1].isupper())


def _joined(tokens: list[Token], at: int, end: int) -> bool:
    """`Johnson and Johnson`: one name with a conjunction inside."""
    return 0 < at < end - 1 and tokens[at - 1].low == tokens[at + 1].low


def parse_value(tokens: list[Token], at: int, end: int, kind: str) -> TokenSpan | None:
    """The value of a kind at a place; None where there is none."""
    match kind:
        case "quantity" | "count" | "number" | "interval":
            return _quantity(tokens, at, end, kind)
        case "port":
            return _port(tokens, at, end)
        case "year":
            return _year(tokens, at, end)
        case "date" | "when":
            return _date(tokens, at, end, kind)
        case "version":
            return _version(tokens, at, end)
        case "path" | "url" | "address" | "env" | "region":
            return _literal(tokens, at, end, kind)
        case "clause":
            stop = next((i for i in range(at, end) if tokens[i].low in (",", ";", "(", "but")), end)
            return (at, stop) if stop > at else None
        case _:
            span = phrase(tokens, at, end)
            return span if span and _fits(tokens, span, kind) else None


def _year(tokens: list[Token], at: int, end: int) -> TokenSpan | None:
    span = _quantity(tokens, at, end, "number")
    low = tokens[span[0]].low if span else ""
    return span if low.isdigit() and len(low) == 4 else None


def _fits(tokens: list[Token], span: TokenSpan, kind: str) -> bool:
    mine = tokens[span[0] : span[1]]
    first = mine[0]
    match kind:
        case "proper":
            return first.text[:1].isupper() and first.low not in group_words("STATES_OF_MIND")
        case "title":
            return is_title(tokens, span)
        case "place":
            return _is_place(mine)
        case "diet" | "relationship" | "schedule":
            known = group_words(f"{kind.upper()}S")
            return any(t.low in known for t in mine)
        case "name":
            return first.low not in group_words("STATES_OF_MIND") and first.kind != "num"
        case "field":
            return first.kind == "word" and first.low not in ("year", "years")
        case "industry":
            return False
        case "team" | "timezone":
            return True
        case "license" | "tech":
            return bool(entities(mine, governed=True))
        case _:
            return mine[-1].kind != "punct"


def _is_place(words: list[Token]) -> bool:
    named = words[0].text[:1].isupper() or words[0].low in group_words("PLACES")
    return named and not entities(words)


def is_title(tokens: list[Token], span: TokenSpan) -> bool:
    """Whether a phrase is an occupation: its head, or what stands before `of`, is one."""
    lows = [t.low for t in tokens[span[0] : span[1]]]
    head = lows[: lows.index("of")] if "of" in lows else lows
    return bool(head) and (
        head[-1] in group_words("OCCUPATIONS") or head[-1].rstrip("s") in group_words("OCCUPATIONS")
    )


def _quantity(tokens: list[Token], at: int, end: int, kind: str) -> TokenSpan | None:
    at = _amount_start(tokens, at, end)
    if at >= end:
        return None
    lows = [t.low for t in tokens[at : min(end, at + 8)]]
    if kind == "interval" and is_unit(lows[0]) and lows[0] not in ("s", "m", "d", "h"):
        return at, at + 1
    found = None if lows[0].startswith("v") else quantity(lows)
    if found is None:
        return None
    amount, taken = found
    stop = at + taken
    return at, stop if amount.dimension else _bare_end(tokens, (at, stop), end, kind)


def _amount_start(tokens: list[Token], at: int, end: int) -> int:
    """The index behind the words that lead up to an amount: `at least`, `the`, `of`."""
    while at < end and tokens[at].low in _MODIFIERS | {"a", "an", "the", "of", "is", "for"}:
        if tokens[at].low in ("a", "an") and quantity([t.low for t in tokens[at:end]]):
            break
        at += 1
    return at


def _bare_end(tokens: list[Token], span: TokenSpan, end: int, kind: str) -> int:
    """Where a number without a unit ends: what it counts belongs to an amount, to no count."""
    start, stop = span
    if kind in ("count", "number"):
        while stop > start + 1 and (counted(tokens[stop - 1].low) or is_unit(tokens[stop - 1].low)):
            stop -= 1
    elif kind == "quantity" and stop < end and tokens[stop].kind == "word":
        stop += counted(tokens[stop].low)
    return stop


def _port(tokens: list[Token], at: int, end: int) -> TokenSpan | None:
    while at < end and tokens[at].low in ("port", "tcp", "udp", ":", "the", "number", "to", "on"):
        at += 1
    digits = tokens[at].low.strip(":") if at < end else ""
    # int() refuses "²", and more than 4,300 digits.
    fits = digits.isdecimal() and len(digits) <= _PORT_DIGITS and 0 < int(digits) < 65536
    return (at, at + 1) if fits else None


def _date(tokens: list[Token], at: int, end: int, kind: str) -> TokenSpan | None:
    at = value_start(tokens, at, end)
    while at < end and tokens[at].low in ("on", "by", "in", "at", "end", "of", "the"):
        at += 1
    for stop in range(min(end, at + 5), at, -1):
        text = " ".join(t.low for t in tokens[at:stop])
        if normal(text).kind == "date":
            return at, stop
    if at < end and (tokens[at].low in WEEKDAYS or (kind == "when" and tokens[at].low in MONTHS)):
        return at, at + 1
    if kind == "when" and at < end and tokens[at].low[:1] == "q" and tokens[at].low[1:].isdigit():
        return at, at + 1
    return None


def _version(tokens: list[Token], at: int, end: int) -> TokenSpan | None:
    while at < end and (
        tokens[at].low in ("version", "v", "release", "the", "to", "at", "least", "is", "a")
        or tokens[at].low in _MODIFIERS
    ):
        at += 1
    return (at, at + 1) if at < end and is_version(tokens[at]) else None


def is_version(token: Token) -> bool:
    """Whether a word is a version and not an amount with a unit."""
    low = token.low.rstrip("+")
    found = normal(low)
    return (low[:1].isdigit() and (found.kind == "version" or len(found.parts) > 1)) or (
        low[:1] == "v" and low[1:2].isdigit()
    )


def _literal(tokens: list[Token], at: int, end: int, kind: str) -> TokenSpan | None:
    at = value_start(tokens, at, end)
    while at < end and tokens[at].low in _LITERAL_NOUNS:
        at += 1
    if at >= end or not _is_literal(tokens[at], kind):
        return None
    stop = at + 1
    colon = kind in ("address", "url") and stop + 1 < end and tokens[stop].low == ":"
    return at, stop + 2 if colon and tokens[stop + 1].low.isdigit() else stop


def _is_literal(token: Token, kind: str) -> bool:
    match kind:
        case "path":
            dotted = token.text[-1].isalnum() and _is_dotted(token, "word")
            return token.kind == "path" or dotted
        case "env":
            spelt = "_" in token.text or token.text.isalpha()
            return spelt and token.text.isupper() and len(token.text) > 2
        case "region":
            return "-" in token.low and token.low[-1:].isdigit() and token.kind == "word"
        case _:
            named = token.kind in ("url", "path") or token.low == "localhost"
            return named or _is_dotted(token, "word", "num")


def _is_dotted(token: Token, *kinds: str) -> bool:
    return "." in token.text and token.kind in kinds and not entities([token])


def listed_values(tokens: list[Token], first: TokenSpan, end: int, kind: str) -> list[TokenSpan]:
    """A value and those that stand beside it in a list: `Python, Go and Rust`."""
    found = [first]
    while span := _next_listed(tokens, found[-1][1], end, kind):
        found.append(span)
    return found


def _next_listed(tokens: list[Token], at: int, end: int, kind: str) -> TokenSpan | None:
    """The value that a list goes on with at a place; None where it ends."""
    behind = at
    while behind < end and tokens[behind].low in (",", ";", "and", "or", "/", "&", "plus"):
        behind += 1
    if behind == at or behind >= end or _opens_clause(tokens, behind):
        return None
    span = parse_value(tokens, behind, end, kind)
    if span is None or span[0] > behind + 1:
        return None
    if span[1] >= end:
        return span
    if is_verb(tokens, span[1], span[0]):
        return None
    # Behind a semicolon a clause can begin; an item fills it.
    apart = any(t.low == ";" for t in tokens[at:behind])
    return None if apart and tokens[span[1]].low not in (",", ";", "and", "or") else span


def _opens_clause(tokens: list[Token], at: int) -> bool:
    low = tokens[at].low
    if low in group("SELF") | group("PRONOUNS") | group("PREPOSITIONS"):
        return True
    return is_verb(tokens, at, at) and not low.endswith("ing")

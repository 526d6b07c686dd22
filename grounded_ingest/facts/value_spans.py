"""Where a value ends, and whether it is of the kind its slot takes."""

from __future__ import annotations

from functools import cache

from grounded_ingest.language.clauses import is_verb
from grounded_ingest.language.lexicon import frame_words, people
from grounded_ingest.language.lexicon.number_words import MONTHS, WEEKDAYS
from grounded_ingest.language.quantities import counted, is_unit, quantity
from grounded_ingest.language.tokens import Token, entities, group
from grounded_ingest.language.value_normal_form import normal

TokenSpan = tuple[int, int]
_ENDS = frozenset(frame_words.CHUNKS_ENDS.split())
_MODIFIERS = frozenset(frame_words.CHUNKS_MODIFIERS.split())


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
    while stop < end:
        token = tokens[stop]
        if (
            token.kind == "punct" and token.low not in ("&", "/", "-", "'", "’", "%", "$", "#")
        ) or token.kind == "line":
            if token.low == "." and stop + 1 < end and len(tokens[stop - 1].low) <= 2:
                stop += 1
                continue
            break
        ends = token.low in _ENDS or (token.low in group("PREPOSITIONS") and token.low != "of")
        if ends and not (token.low == "and" and _joined(tokens, stop, end)):
            break
        if token.low in group("SELF") | group("PRONOUNS"):
            break
        if stop > start and is_verb(tokens, stop, start) and not token.text[:1].isupper():
            break
        if stop > start and token.low in (
            "now",
            "currently",
            "today",
            "these",
            "anymore",
            "instead",
            "twice",
            "since",
            "everywhere",
            "yet",
            "too",
            "also",
            "only",
        ):
            break
        stop += 1
    while stop > start and tokens[stop - 1].low in ("of", "-", "/", "&", "the", "'s"):
        stop -= 1
    return (start, stop) if stop > start else None


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
            span = _quantity(tokens, at, end, "number")
            return (
                span
                if span and tokens[span[0]].low.isdigit() and len(tokens[span[0]].low) == 4
                else None
            )
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


def _fits(tokens: list[Token], span: TokenSpan, kind: str) -> bool:
    first, last = tokens[span[0]], tokens[span[1] - 1]
    match kind:
        case "proper":
            return first.text[:1].isupper() and first.low not in group_words("STATES_OF_MIND")
        case "title":
            return is_title(tokens, span)
        case "place":
            named = first.text[:1].isupper() or first.low in group_words("PLACES")
            return named and not entities(tokens[span[0] : span[1]])
        case "diet" | "relationship" | "schedule":
            group_name = {
                "diet": "DIETS",
                "relationship": "RELATIONSHIPS",
                "schedule": "SCHEDULES",
            }[kind]
            return any(t.low in group_words(group_name) for t in tokens[span[0] : span[1]])
        case "name":
            return first.low not in group_words("STATES_OF_MIND") and first.kind != "num"
        case "field":
            return first.kind == "word" and first.low not in ("year", "years")
        case "industry":
            return False
        case "team":
            return True
        case "timezone":
            return True
        case "license" | "tech":
            return bool(entities(tokens[span[0] : span[1]], governed=True))
        case _:
            return last.kind != "punct"


def is_title(tokens: list[Token], span: TokenSpan) -> bool:
    """Whether a phrase is an occupation: its head, or what stands before `of`, is one."""
    lows = [t.low for t in tokens[span[0] : span[1]]]
    head = lows[: lows.index("of")] if "of" in lows else lows
    return bool(head) and (
        head[-1] in group_words("OCCUPATIONS") or head[-1].rstrip("s") in group_words("OCCUPATIONS")
    )


def _quantity(tokens: list[Token], at: int, end: int, kind: str) -> TokenSpan | None:
    while at < end and (
        tokens[at].low in _MODIFIERS or tokens[at].low in ("a", "an", "the", "of", "is", "for")
    ):
        if tokens[at].low in ("a", "an") and quantity([t.low for t in tokens[at:end]]):
            break
        if at + 1 >= end:
            return None
        at += 1
    if at >= end:
        return None
    lows = [t.low for t in tokens[at : min(end, at + 8)]]
    if kind == "interval" and is_unit(lows[0]) and lows[0] not in ("s", "m", "d", "h"):
        return at, at + 1
    if lows[0] == "v" or (tokens[at].text[:1] in "vV" and len(lows[0]) > 1):
        return None
    found = quantity(lows)
    if found is None:
        return None
    stop = at + found[1]
    if kind in ("count", "number") and not found[0].dimension:
        while stop > at + 1 and (counted(tokens[stop - 1].low) or is_unit(tokens[stop - 1].low)):
            stop -= 1
    bare = kind == "quantity" and stop < end and not found[0].dimension
    return at, stop + (bare and tokens[stop].kind == "word" and counted(tokens[stop].low))


def _port(tokens: list[Token], at: int, end: int) -> TokenSpan | None:
    while at < end and tokens[at].low in ("port", "tcp", "udp", ":", "the", "number", "to", "on"):
        at += 1
    fits = (
        at < end
        and tokens[at].low.strip(":").isdigit()
        and 0 < int(tokens[at].low.strip(":")) < 65536
    )
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
    while at < end and tokens[at].low in (
        "file",
        "directory",
        "folder",
        "path",
        "url",
        "variable",
        "environment",
    ):
        at += 1
    if at >= end:
        return None
    token = tokens[at]
    match kind:
        case "path":
            fits = token.kind == "path" or (
                token.kind == "word"
                and "." in token.text
                and token.text[-1].isalnum()
                and not entities([token])
            )
        case "env":
            fits = (
                token.text.isupper()
                and len(token.text) > 2
                and ("_" in token.text or token.text.isalpha())
            )
        case "region":
            fits = "-" in token.low and token.low[-1:].isdigit() and token.kind == "word"
        case _:
            fits = token.kind in ("url", "path") or (
                "." in token.text and token.kind in ("word", "num") and not entities([token])
            )
            fits = fits or token.low == "localhost"
    if not fits:
        return None
    stop = at + 1
    if (
        stop + 1 < end
        and tokens[stop].low == ":"
        and tokens[stop + 1].low.isdigit()
        and kind in ("address", "url")
    ):
        stop += 2
    return at, stop


def listed_values(tokens: list[Token], first: TokenSpan, end: int, kind: str) -> list[TokenSpan]:
    """A value and those that stand beside it in a list: `Python, Go and Rust`."""
    found, at = [first], first[1]
    while at < end:
        behind = at
        while behind < end and tokens[behind].low in (",", ";", "and", "or", "/", "&", "plus"):
            behind += 1
        if (
            behind == at
            or behind >= end
            or (is_verb(tokens, behind, behind) and not tokens[behind].low.endswith("ing"))
        ):
            break
        if tokens[behind].low in group("SELF") | group("PRONOUNS") | group("PREPOSITIONS"):
            break
        span = parse_value(tokens, behind, end, kind)
        if span is None or span[0] > behind + 1:
            break
        if span[1] < end and is_verb(tokens, span[1], span[0]):
            break
        apart = any(t.low == ";" for t in tokens[at:behind])
        if apart and span[1] < end and tokens[span[1]].low not in (",", ";", "and", "or"):
            break  # behind a semicolon a clause can begin; an item fills it
        found.append(span)
        at = span[1]
    return found

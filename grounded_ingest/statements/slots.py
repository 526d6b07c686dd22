"""Finds the slot (a property such as `port`) that a noun or verb names, and its value. The slots
are in `slots.txt`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

from grounded_ingest.statements.clauses import (
    PhraseTable,
    Token,
    is_verb,
    kind_stems,
    stems_of,
    subject_key,
    technologies_in,
)
from grounded_ingest.text.lexicon import fact_words
from grounded_ingest.text.lexicon.number_words import EVERY, MONTHS, WEEKDAYS
from grounded_ingest.text.values import COUNTED_NOUNS, UNITS_BY_NAME, clock, normal, quantity
from grounded_ingest.text.words import group

_RANKS = frozenset(fact_words.NAMING_RANKS.split())
_NO_SLOTS = frozenset(fact_words.NO_SLOTS.split())
ONE_OF_A_KIND = frozenset(fact_words.ONE_OF_A_KIND.split())
"""Kinds of technology of which a project uses only one, so that two contradict each other."""


class Slot(NamedTuple):
    """A property that a fact states, such as `port`. `values` is the kind of its values, such as
    `number`. If `many` is true, it can have several values at once. If `planned` is true, as for
    goals, values that are only planned count, too."""

    name: str
    values: str
    many: bool = False
    planned: bool = False


class _Tables(NamedTuple):
    slots: dict[str, Slot]
    nouns: PhraseTable
    verbs: PhraseTable
    verbs_behind: PhraseTable


@cache
def _tables() -> _Tables:
    found = _Tables({}, PhraseTable(), PhraseTable(), PhraseTable())
    data = resources.files("grounded_ingest.statements").joinpath("slots.txt").read_text("utf-8")
    for line in (one for one in data.splitlines() if not one.startswith("#")):
        name, kind, *columns = (part.strip() for part in line.split("|"))
        values, *flags = kind.split()
        found.slots[name] = Slot(name, values, "many" in flags, "planned" in flags)
        for table, phrases in zip(found[1:], columns, strict=False):
            for one in filter(None, phrases.split(", ")):
                table.add(stems_of(one), name)
    return found


def slot_named(name: str) -> Slot | None:
    """Looks up a slot, a property such as `port`, in the table `slots.txt` by its name."""
    return _tables().slots.get(name)


@cache
def noun_stems(name: str) -> frozenset[str]:
    """Returns the stems of the words for a slot ("port") or a kind of technology ("database")."""
    nouns = (stems for stems, slot in _tables().nouns.entries() if slot == name)
    return kind_stems(name).union(*nouns)


Column = Literal["nouns", "verbs", "verbs_behind"]


def slots_at(column: Column, stems: Sequence[str], at: int) -> list[tuple[int, Slot]]:
    """Returns (number of words, slot) for the phrases at the index `at` in one column of the table,
    the longest first: (2, `employer`) for "works at"."""
    tables = _tables()
    return [(length, tables.slots[name]) for length, name in getattr(tables, column).at(stems, at)]


def named_slot(label: Sequence[Token]) -> tuple[str, str]:
    """Returns the slot that a noun phrase names, and its owner: ("port", "service-b") for `the port
    of service-b`. A noun that is not in the table is a slot of its own. Returns two empty strings
    if the phrase does not name a slot."""
    out = group("DETERMINERS") | group("ADVERBS") | group("SELF") | {"'s"}
    while label and label[0].low in out:
        label = label[1:]
    lows = [w.low for w in label]
    prep = next((i for i, low in enumerate(lows) if i and low in ("of", "for", "on", "in")), 0)
    if prep and lows[:prep] != ["number"]:
        slot, subject = named_slot(label[:prep])
        return slot, " ".join(filter(None, (subject, subject_key(label[prep:]))))
    if not label or any(w.kind not in ("word", "num") for w in label):
        return "", ""
    if lows[0] in ("favorite", "favourite") and len(lows) > 1:
        return f"favorite_{'_'.join(lows[1:])}", ""
    return _slot_of_table(label) or _own_slot(label)


def _slot_of_table(label: Sequence[Token]) -> tuple[str, str] | None:
    """Returns the slot that the last words of a noun phrase name, and the subject before these
    words. If several slots match, the slot with the most words counts."""
    stems = [w.stem for w in label]
    for at in range(len(stems)):
        for length, name in _tables().nouns.at(stems, at):
            if length == len(stems) - at:
                return name, subject_key([w for w in label[:at] if w.low not in _RANKS])
    return None


def _own_slot(label: Sequence[Token]) -> tuple[str, str]:
    words = [w for w in label if w.low not in _RANKS]
    if not words or len(words) > 4 or words[-1].low in _NO_SLOTS | group("WHOLE"):
        return "", ""
    at = next((i for i, w in enumerate(words) if w.low == "'s"), -1)
    owner, own = words[: max(at, 0)], words[at + 1 :]
    plain = [w for w in own if subject_key([w]) or w is own[-1]]
    if not own or not all(w.low.replace("-", "").replace("_", "").isalnum() for w in own):
        return "", ""
    return "_".join(w.stem for w in plain), subject_key(owner)


Span = tuple[int, int]
_MEASURES = COUNTED_NOUNS.keys() | UNITS_BY_NAME.keys()
_ENDS = frozenset(fact_words.CHUNKS_ENDS.split())
_LEADING = frozenset(fact_words.CHUNKS_MODIFIERS.split()) | {"a", "an", "the", "of", "is", "for"}
_IN_PHRASES = frozenset("&/-'’%$#.")
_BEHIND = frozenset((
    "now", "currently", "today", "these", "anymore", "instead", "twice", "since",
    "everywhere", "yet", "too", "also", "only", "last", "ago",
))  # fmt: skip
_REPEATING = frozenset(("every", "each", "once", "a", "an", "per"))
_LISTING = frozenset([",", ";", "and", "or", "/", "&", "plus"])


_LISTS = {
    "diet": "DIETS",
    "relationship": "RELATIONSHIPS",
    "schedule": "SCHEDULES",
    "city": "PLACES",
}
"""Maps kinds of values to the name of their list in `lexicon.fact_words`."""


@cache
def people_words(name: str) -> frozenset[str]:
    """Returns a list of `lexicon.fact_words` by its name, such as "DIETS"."""
    return frozenset(getattr(fact_words, name).split())


def status_length(lows: Sequence[str], at: int) -> int:
    """Returns how many words at an index are the status of an account ("on hold"), or 0."""
    phrases = (phrase.split() for phrase in fact_words.STATUS_PHRASES)
    found = (len(words) for words in phrases if list(lows[at : at + len(words)]) == words)
    return next(found, int(lows[at] in people_words("STATUSES")))


_BEFORE_VALUES = (group("DETERMINERS") | group("ADVERBS")) - {"no", "more", "most", "less", "both"}


def value_start(tokens: Sequence[Token], at: int, end: int) -> int:
    """Returns the index at which a value begins, after its determiners and adverbs."""
    while at < end and tokens[at].low in _BEFORE_VALUES:
        at += 1
    return at


def phrase(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    """Returns the span of the noun phrase at an index, or None if no noun phrase begins there."""
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
    last = at + 1 >= end or tokens[at + 1].kind == "punct"  # "the search index": no verb
    verb = is_verb(tokens, at, start) and not token.text[:1].isupper() and not last
    return token.low in _BEHIND or verb


def parse_value(tokens: Sequence[Token], at: int, end: int, kind: str) -> Span | None:
    """Returns the span of the value of this kind, such as `number`, at the index `at`, or None."""
    if parse := _PARSERS.get(kind):
        return parse(tokens, at, end)
    if kind in ("quantity", "number"):
        return _quantity(tokens, at, end, kind)
    span = phrase(tokens, at, end)
    return span if span and _fits(tokens, span, kind) else None


def _year(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    span = _quantity(tokens, at, end, "number")
    low = tokens[span[0]].low if span else ""
    return span if low.isdigit() and len(low) == 4 else None


def _clause(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    stop = next((i for i in range(at, end) if tokens[i].low in (",", ";", "(", "but")), end)
    return (at, stop) if stop > at else None


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
        case "company":  # "joined the call" does not name an employer
            return any(map(_is_company, mine))
        case "place" | "activity":
            named = capital or kind == "activity" or first.low in people_words("PLACES")
            return named and not technologies_in(mine)
        case _:
            return mine[-1].kind != "punct"


def _is_company(token: Token) -> bool:
    return token.text[:1].isupper() or (token.text[0].isdigit() and not clock(token.low))


def is_title(tokens: Sequence[Token], span: Span) -> bool:
    """Returns whether a phrase is an occupation by its last word, or the last before "of"."""
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


def _interval(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    """Returns the span of the time between two runs: `hour` in "every hour" and "once an hour"."""
    lows = [t.low for t in tokens[at : min(end, at + 8)]]
    if lows and lows[0] in EVERY:
        return at, at + 1
    start = next((i for i, low in enumerate(lows) if low not in _REPEATING), len(lows))
    amount = quantity(lows[start:])
    unit = quantity(["a", *lows[start : start + 1]])
    found = amount or unit
    if not start or found is None or found[0].dimension != "time":
        return None
    return at + start, at + start + (amount[1] if amount else 1)


def _clock(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    """Returns the span of a time of day: `at 02:00`, `2 am`."""
    at += at < end and tokens[at].low == "at"
    stops = (at + 1, min(end, at + 2))
    return next(((at, s) for s in stops if clock(" ".join(t.low for t in tokens[at:s]))), None)


def _weekday(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    """Returns the span of a weekday: `on Mondays`, `every Monday`."""
    at += at < end and tokens[at].low in ("on", "every", "each")
    named = at < end and normal(tokens[at].text).key.startswith("weekday")
    return (at, at + 1) if named else None


def _branch(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    """Returns the span of the name of a branch: `main`, `the release/2 branch`."""
    at = value_start(tokens, at, end)
    if at >= end or tokens[at].kind not in ("word", "path"):
        return None
    known = tokens[at].low in people_words("BRANCH_NAMES") or tokens[at].kind == "path"
    named = at + 1 < end and tokens[at + 1].low == "branch"
    return (at, at + 1) if known or named else None


def _bare_end(tokens: Sequence[Token], span: Span, end: int, kind: str) -> int:
    """Returns the end of a value that begins with a number. The counted noun belongs to the value,
    except if `kind` is `number`."""
    start, stop = span
    if kind == "number":
        while stop > start + 1 and tokens[stop - 1].low in _MEASURES:
            stop -= 1
    elif stop < end and tokens[stop].kind == "word":
        stop += tokens[stop].low in COUNTED_NOUNS
    return stop


def _date(tokens: Sequence[Token], at: int, end: int) -> Span | None:
    at = value_start(tokens, at, end)
    while at < end and tokens[at].low in ("on", "by", "in", "at", "end", "of", "the"):
        at += 1
    for stop in range(min(end, at + 5), at, -1):
        if normal(" ".join(t.low for t in tokens[at:stop])).kind == "date":
            return at, stop
    named = at < end and (tokens[at].low in WEEKDAYS or tokens[at].low in MONTHS)
    return (at, at + 1) if named else None


_PARSERS = {
    "year": _year,
    "date": _date,
    "clause": _clause,
    "interval": _interval,
    "clock": _clock,
    "weekday": _weekday,
    "branch": _branch,
}


def listed_values(tokens: Sequence[Token], first: Span, end: int, kind: str) -> list[Span]:
    """Returns the spans of a value and of the values listed after it: `Python, Go and Rust`."""
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

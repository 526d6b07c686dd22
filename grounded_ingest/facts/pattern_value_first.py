"""Facts whose value stands before its slot: `Redis is not the cache`, `8080 is the port`."""

from __future__ import annotations

from msgspec import Struct

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.slot_names import named_slot
from grounded_ingest.facts.value_spans import is_version, parse_value, value_start
from grounded_ingest.language.clauses import Segment, is_verb, subject_key
from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.polarity import DENIED_BE, NEGATIONS
from grounded_ingest.language.slots import Slot
from grounded_ingest.language.status import Status, cues
from grounded_ingest.language.stemming import canonical, singular
from grounded_ingest.language.tokens import Entity, entities

_BE = frozenset(frame_words.PREDICATES_BE.split())
_DEFINITE = frozenset(frame_words.INVERTED_DEFINITE.split())
_CLAUSES = frozenset(frame_words.INVERTED_CLAUSES.split())
_MERELY = frozenset(frame_words.INVERTED_MERELY.split())
_NAMES = frozenset(("proper", "name", "any", "place", "team"))
_MEASURED = frozenset(
    ("quantity", "count", "number", "interval", "port", "version", "date", "when", "year",
     "path", "url", "address", "env", "region")
)  # fmt: skip
# `Dark mode is the default`: of what, the sentence does not say.
_OF_SOMETHING = frozenset(("default",))
_LONGEST = 4


class _Link(Struct, frozen=True):
    """Where the description behind a copula begins, and whether it is denied or over."""

    after: int
    denied: bool
    over: bool


def find(finder: Finder) -> None:
    """Values that a copula says to be, or not to be, what a slot's noun describes."""
    for piece in finder.sentence.pieces:
        link = _link(finder, piece)
        if link is None:
            continue
        first = finder.tokens[link.after]
        if first.low == "what":
            _cleft(finder, piece, link)
        elif first.low in _DEFINITE:
            _described(finder, piece, link)


def _link(finder: Finder, piece: Segment) -> _Link | None:
    tokens, at = finder.tokens, piece.verb
    if at <= piece.start or tokens[at].low not in _BE | DENIED_BE:
        return None
    denied = tokens[at].low in DENIED_BE or tokens[at - 1].low == "never"
    over = tokens[at].low in ("was", "were", "wasn't", "weren't")
    at += 1
    while at < piece.end and (tokens[at].low in NEGATIONS | group("ADVERBS") | {"longer", "yet"}):
        merely = at + 1 < piece.end and tokens[at + 1].low in _MERELY
        denied = denied or (tokens[at].low in NEGATIONS and not merely)
        at += 1
    return _Link(at, denied, over) if at + 1 < piece.end else None


def _described(finder: Finder, piece: Segment, link: _Link) -> None:
    """`Redis is our cache`: the definite description names a slot of the tables."""
    tokens = finder.tokens
    if link.after + 1 < piece.end and tokens[link.after + 1].low == "only":
        return
    end = _description_end(finder, piece, link.after)
    label = tokens[link.after : end]
    if not label or any(is_verb(tokens, i, link.after) for i in range(link.after + 1, end)):
        return
    name, subject = named_slot(label, finder.tables)
    slot = finder.tables.slots.get(name)
    place = _head(finder, piece)
    if slot is None or name in _OF_SOMETHING or place is None:
        return
    value = _value(finder, place, slot)
    if value is None:
        return
    span, about = value
    _state(finder, link, name, span, subject or about, place)


def _description_end(finder: Finder, piece: Segment, start: int) -> int:
    """Where a description ends, before a clause that goes on about it."""
    tokens = finder.tokens
    end = next((i for i in range(start, piece.end) if tokens[i].low in _CLAUSES), piece.end)
    while end > start and (
        tokens[end - 1].low in group("ADVERBS") or tokens[end - 1].kind == "punct"
    ):
        end -= 1
    return end


def _head(finder: Finder, piece: Segment) -> tuple[int, int] | None:
    """What stands before the copula, where it can be a value."""
    tokens, start, end = finder.tokens, piece.start, piece.verb
    while start < end and tokens[start].low in group("CONJUNCTIONS") | group("ADVERBS"):
        start += 1
    while end > start and tokens[end - 1].low in group("ADVERBS") | NEGATIONS:
        end -= 1
    out = group("PRONOUNS") | group("SELF") | group("PREPOSITIONS")
    if start >= end or tokens[start].low in out - {"the"}:
        return None
    return start, end


def _value(
    finder: Finder, place: tuple[int, int], slot: Slot
) -> tuple[tuple[int, int], str] | None:
    """The value that is all of the head, and the product it is a version of."""
    named = entities(finder.tokens[slice(*place)], governed=True)
    if slot.values in ("tech", "license") or (slot.kinds and named):
        return _named(finder, place, named, slot)
    if slot.values == "version" and named and named[0].first == 0:
        return _version(finder, place, named[0])
    if slot.values in _MEASURED:
        start, end = place
        span = parse_value(finder.tokens, start, end, slot.values)
        whole = span is not None and span[1] == end and span[0] <= start + 1
        return (span, "") if span and whole else None
    return _worded(finder, place, slot) if slot.values in _NAMES else None


def _version(
    finder: Finder, place: tuple[int, int], product: Entity
) -> tuple[tuple[int, int], str] | None:
    """`Python 3.12`: the version, and of what."""
    rest, end = place[0] + product.end, place[1]
    name = " ".join(singular(w) for w in canonical(product.name).split())
    return ((rest, end), name) if rest + 1 == end and is_version(finder.tokens[rest]) else None


def _worded(
    finder: Finder, place: tuple[int, int], slot: Slot
) -> tuple[tuple[int, int], str] | None:
    """A name of few words that names no slot itself: `The status is the state` has no value."""
    tokens, (start, end) = finder.tokens, place
    begin = value_start(tokens, start, end) if slot.values == "name" else start
    words = tokens[begin:end]
    if not 0 < len(words) <= _LONGEST or any(t.low in function_words() for t in words):
        return None
    other = named_slot(words, finder.tables)[0]
    if slot.values != "name" and other != slot.name and other in finder.tables.slots:
        return None
    span = parse_value(tokens, begin, end, slot.values)
    return (span, "") if span == (begin, end) else None


def _named(
    finder: Finder,
    place: tuple[int, int],
    named: list[Entity],
    slot: Slot,
    *,
    fitting: bool = False,
) -> tuple[tuple[int, int], str] | None:
    """A technology, alone or with its version. `fitting`: it has to be of the slot's kind."""
    tokens, (start, end) = finder.tokens, place
    if len(named) != 1 or named[0].first > 1 or (fitting and not named[0].kinds & slot.kinds):
        return None
    first, last = start + named[0].first, start + named[0].end
    versions = all(is_version(t) or t.kind == "num" or t.low == "version" for t in tokens[last:end])
    return ((first, last), "") if versions and value_start(tokens, start, end) >= first else None


def _state(
    finder: Finder,
    link: _Link,
    name: str,
    span: tuple[int, int],
    subject: str,
    place: tuple[int, int],
    *,
    many: bool | None = None,
) -> None:
    if not finder.free(*span):
        return
    meant = finder.sentence.meant[span[0]]
    over = link.over and meant.time == "now"
    status = Status("before" if over else meant.time, link.denied or meant.denied)
    finder.add(name, span, subject=subject, many=many, status=status)
    if status != Status():
        finder.taken.update(range(*place))  # `PostgreSQL 15 is not the database` states no version


def _cleft(finder: Finder, piece: Segment, link: _Link) -> None:
    """`MySQL is what the ledger uses`: the kind of thing names the slot, and the form says that
    there is one."""
    tokens, at = finder.tokens, link.after + 1
    verb = next((i for i in range(at, piece.end) if is_verb(tokens, i, at)), -1)
    cue = cues().at(tokens, verb, piece.end) if verb > at else None
    place = _head(finder, piece)
    if cue is None or cue[1] != "adopt" or place is None:
        return
    named = entities(tokens[slice(*place)], governed=True)
    if len(named) != 1:
        return
    behind = verb + cue[0] + 1
    purposed = behind < piece.end
    name = _slot_for(finder, named[0], (behind, piece.end) if purposed else None)
    if not name:
        return
    slot = finder.tables.slots[name]
    value = _named(finder, place, named, slot, fitting=True)
    if value is None:
        return
    alone = name in finder.tables.one_of_a_kind and not piece.personal
    _state(
        finder, link, name, value[0], subject_key(tokens[at:verb]), place,
        many=slot.many or not (alone or purposed),
    )  # fmt: skip


def _slot_for(finder: Finder, entity: Entity, purpose: tuple[int, int] | None) -> str:
    """The slot a technology has by the purpose that is given, else by its kind."""
    tables = finder.tables
    if purpose is None:
        return next((s for k, s in tables.by_kind.items() if k in entity.kinds), "")
    hit = tables.purposes.at(finder.tokens, *purpose)
    names = hit[1].split("|") if hit else ()
    return next((n for n in names if tables.slots[n].kinds & entity.kinds), "")

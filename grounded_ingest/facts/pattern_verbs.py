"""Facts said by a verb: phrases that carry a slot (`listens on port`), and `the port is 8080`."""

from __future__ import annotations

from functools import cache

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.pattern_quantities import limited
from grounded_ingest.facts.slot_names import named_slot
from grounded_ingest.facts.value_spans import (
    TokenSpan,
    listed_values,
    parse_value,
    phrase,
    value_start,
)
from grounded_ingest.language.clauses import COPULAS, Segment, subject_key
from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.lexicon.slots_repository import SCALARS
from grounded_ingest.language.number_words import number
from grounded_ingest.language.persons import Who, holder
from grounded_ingest.language.polarity import DENIED_BE, NEGATIONS
from grounded_ingest.language.slots import Slot
from grounded_ingest.language.status import Status
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.tokens import entities
from grounded_ingest.language.value_normal_form import normal

_BE = frozenset(frame_words.PREDICATES_BE.split())
_BY_ANY_WORDS = frozenset(("tech", "license", "place", "proper", "title", "diet", "industry"))
_CHAIN = _BE | frozenset(frame_words.PREDICATES_CHAIN.split())


def relations(finder: Finder) -> None:
    """Phrases of the slot tables, with the value behind them."""
    at = 0
    while at < finder.end:
        hit = finder.tables.relations.at(finder.tokens, at, finder.end)
        if hit is None:
            at += 1
            continue
        length, names = hit
        if _is_noun(finder, at, length):
            at += 1
            continue
        for name in names.split("|"):
            before = len(finder.facts)
            stop = _related(finder, at, at + length, finder.tables.slots[name])
            if len(finder.facts) > before:
                break
        at = max(at + 1, stop)


def _is_noun(finder: Finder, at: int, length: int) -> bool:
    """Whether a verb of the tables stands as something else: `the play`, `pots like these`."""
    tokens = finder.tokens
    before = next((t for t in reversed(tokens[:at]) if t.low not in group("ADVERBS")), None)
    if length > 1 or before is None:
        return tokens[at].low in ("into", "known")
    if tokens[at].low == "known":
        return before.low not in COPULAS
    if tokens[at].low in ("into", "like") and at != finder.sentence.piece(at).verb:
        return before.low not in COPULAS
    return before.low in ("the", "a", "an") and tokens[at].kind == "word"


def _related(finder: Finder, at: int, after: int, slot: Slot) -> int:
    """State what a phrase says; the index to go on from."""
    tokens, personal = finder.tokens, finder.sentence.piece(at).personal
    if slot.values in ("tech", "license") or slot.kinds:
        return _technology(finder, after, slot)
    span = None if slot.planned and not personal else _value_behind(finder, after, slot)
    if span is None:
        return at + 1
    if slot.name == "opinion" and tokens[after].low in ("about", "of"):
        return after
    if slot.name == "hobby" and not personal and entities(tokens[slice(*span)]):
        return after
    of = _owner(finder, at)
    if slot.name in ("preference", "hobby"):
        return _liked(finder, span, slot, of)
    spans = listed_values(tokens, span, finder.end, slot.values) if slot.many else [span]
    # `don't like` is the relation itself, not its denial.
    denying = any(t.low in NEGATIONS for t in tokens[at:after])
    _state(finder, slot, spans, of, denying=denying)
    return spans[-1][1]


def _value_behind(finder: Finder, after: int, slot: Slot) -> TokenSpan | None:
    """The value near behind a phrase; a number is none of a slot that has several."""
    span = parse_value(finder.tokens, after, finder.end, slot.values)
    if span is None or span[0] > after + 4:
        return None
    return None if slot.many and number(finder.tokens[span[0]].low) is not None else span


def _state(finder: Finder, slot: Slot, spans: list[TokenSpan], of: Who, *, denying: bool) -> None:
    for each in spans:
        if finder.free(*each):
            name, kept = limited(finder, slot.name, each)
            meant = finder.sentence.meant[kept[0]]
            status = Status(meant.time) if denying else meant
            finder.add(name, kept, planned=slot.planned, status=status, of=of)


def _owner(finder: Finder, at: int) -> Who:
    """Whose a relation is that begins at a place: its subject's, or in `my degree was from` the
    one's who has what the phrase begins with."""
    piece, low = finder.sentence.piece(at), finder.tokens[at].low
    if piece.who == "elided" and at > max(piece.start, piece.verb) and low.endswith("s"):
        return "thing"  # `many members of the council`
    return holder(finder.tokens[piece.start : at + 1]) if at < piece.verb else finder.who(at)


def _liked(finder: Finder, span: tuple[int, int], slot: Slot, of: Who) -> int:
    """What somebody prefers: one of a kind for technologies, any number of other things."""
    spans = listed_values(finder.tokens, span, finder.end, slot.values)
    for each in spans:
        named = entities(finder.tokens[each[0] : each[1]], governed=True)
        if slot.name == "preference" and named:
            kind = sorted(named[0].kinds)[0]
            finder.add(f"preferred_{kind}", each, many=len(spans) > 1, of=of)
        else:
            finder.add(slot.name, each, many=True, of=of)
    return spans[-1][1]


def _technology(finder: Finder, after: int, slot: Slot) -> int:
    """A technology behind a phrase that asks for one; its kind may name a nearer slot."""
    start = value_start(finder.tokens, after, finder.end)
    span = phrase(finder.tokens, after, finder.end)
    if span is None:
        return after
    every = listed_values(finder.tokens, span, finder.end, "any")
    alone = len(every) == 1 and bool(finder.sentence.piece(after - 1).subject)
    for each in every:
        named = entities(finder.tokens[each[0] : each[1]], governed=True)
        if not named:
            if slot.values == "any" and each is span:
                finder.add(slot.name, span)
            continue
        first = named[0]
        place = (each[0] + first.first, each[0] + first.end)
        name = _nearest_slot(finder, slot, first.kinds)
        if name and finder.free(*place):
            known = finder.tables.slots[name]
            single = alone or name in finder.tables.one_of_a_kind or name == "language"
            finder.add(name, place, many=known.many or len(every) > 1 or not single)
    return start


def _nearest_slot(finder: Finder, slot: Slot, kinds: frozenset[str]) -> str:
    """The slot that a thing of some kinds has where another is asked for; empty without one."""
    if slot.name == "cloud_provider" and "orchestration" in kinds:
        return "orchestration"
    if kinds & slot.kinds:
        return slot.name
    if slot.name not in ("cloud_provider", "language"):
        return ""
    by_kind = finder.tables.by_kind
    return next((by_kind[k] for k in sorted(kinds) if k in by_kind), slot.name)


def copulas(finder: Finder) -> None:
    """`The port of service-a is 8080`, `max retries should be 5`, `the limit defaults to 9`."""
    for piece in finder.sentence.pieces:
        verb = piece.verb
        if verb <= piece.start:
            continue
        start = _predicate(finder, piece)
        if start < 0 or start >= finder.end:
            continue
        label = finder.tokens[piece.start : verb]
        while label and label[0].low in group("CONJUNCTIONS"):
            label = label[1:]
        if label and label[0].low in group("PREPOSITIONS"):  # `In production the port is …`
            inner = [i for i, t in enumerate(label) if i and t.low in group("DETERMINERS")]
            label = label[inner[-1] :] if inner and inner[-1] > 1 else label
        slot, subject = named_slot(label, finder.tables)
        if slot:
            _said(finder, piece, start, (slot, subject), holder(label))


def _predicate(finder: Finder, piece: Segment) -> int:
    """The index behind `is`, `should be`, `is set to`, `defaults to`; -1 for other verbs."""
    at, tokens = piece.verb, finder.tokens
    be = False
    while at < finder.end and (
        tokens[at].low in _CHAIN
        or tokens[at].low in NEGATIONS
        or tokens[at].low in group("ADVERBS")
    ):
        if tokens[at].low == "may" and at + 1 < finder.end and tokens[at + 1].kind == "num":
            break
        be = (
            be
            or tokens[at].low in _BE | DENIED_BE
            or tokens[at].low in ("defaults", "default", "set")
        )
        at += 1
    return at if be else -1


def _said(finder: Finder, piece: Segment, start: int, named: tuple[str, str], of: Who) -> None:
    slot, subject = named
    known = finder.tables.slots.get(slot)
    end = _until(finder, start)
    if known is None:
        _own(finder, piece, (start, end), slot, of)
        return
    if known.of_person and known.values != "clause" and finder.tokens[start - 1].low == "to":
        return  # `your job is to review it`
    kind = "any" if known.values in _BY_ANY_WORDS else known.values
    span = parse_value(finder.tokens, start, end, kind)
    if span and known.values in ("tech", "license"):
        span = _first_technology(finder, start, span[1])
    if span is None or span[0] > start + 6 or not finder.free(*span):
        return
    several = known.many or known.kinds
    spans = listed_values(finder.tokens, span, finder.end, kind) if several else [span]
    many = known.many or len(spans) > 1
    for each in spans:
        finder.add(slot, each, subject=subject, setting=piece.setting, many=many, of=of)


def _first_technology(finder: Finder, start: int, end: int) -> TokenSpan | None:
    hits = entities(finder.tokens[start:end], governed=True)
    return (start + hits[0].first, start + hits[0].end) if hits else None


def _until(finder: Finder, start: int) -> int:
    return next(
        (i for i in range(start, finder.end) if finder.tokens[i].low in (";", "(", ")", "—", "–")),
        finder.end,
    )


@cache
def _scalars() -> frozenset[str]:
    return frozenset(stem(w) for w in SCALARS.split())


def owners(finder: Finder) -> None:
    """`Team Heron owns the checkout service`: the owner stands before the verb."""
    tokens = finder.tokens
    for piece in finder.sentence.pieces:
        owns = piece.verb > piece.start and tokens[piece.verb].low in ("owns", "own", "maintains")
        span = phrase(tokens, piece.verb + 1, piece.end) if owns else None
        holder = phrase(tokens, piece.start, piece.verb) if owns else None
        if span is None or holder is None or piece.personal:
            continue
        slot = "maintainer" if tokens[piece.verb].low == "maintains" else "owner"
        finder.add(slot, holder, subject=subject_key(tokens[span[0] : span[1]]))


def _own(finder: Finder, piece: Segment, place: TokenSpan, slot: str, of: Who) -> None:
    """A slot of the text's own: exclusive where the value is a number, a date or a name. Its
    subject is what the sentence speaks of, but for keys and for what somebody likes best."""
    tokens, favorite = finder.tokens, slot.startswith("favorite_")
    span = _own_value(finder, piece, place)
    if span is None:
        return
    first = tokens[span[0]]
    single = (
        favorite
        or slot.rpartition("_")[2] in _scalars()
        or normal(finder.reading.text[first.start : tokens[span[1] - 1].end]).kind != "name"
        or first.text[:1].isupper()
        or (place[0] < span[0] and tokens[place[0]].low in ("a", "an", "the"))
    )
    key = piece.verb == piece.start + 1 and "_" in tokens[piece.start].text
    about = "" if key or (of == "speaker" and favorite) else piece.subject
    finder.add(slot, span, subject=about, setting=piece.setting, many=not single)


def _own_value(finder: Finder, piece: Segment, place: TokenSpan) -> TokenSpan | None:
    """The value of such a slot: a short phrase, and all that is said of it."""
    tokens, (start, end) = finder.tokens, place
    opens = tokens[piece.start].low in group("DETERMINERS") | group("SELF") | group("PREPOSITIONS")
    if not opens and not (start < end and tokens[start].kind == "num"):
        return None
    span = parse_value(tokens, start, end, "quantity") or phrase(tokens, start, end)
    if span is None or span[0] > start + 1 or span[1] - span[0] > 4 or not finder.free(*span):
        return None
    mine = tokens[slice(*span)]
    if mine[0].low in function_words() or any(t.low in group("PRONOUNS") for t in mine):
        return None
    return None if _goes_on(finder, span[1]) else span


def _goes_on(finder: Finder, at: int) -> bool:
    """Whether words behind a value belong to it."""
    if at >= finder.end or finder.tokens[at].kind != "word":
        return False
    return finder.tokens[at].low not in group("CONJUNCTIONS") | group("PREPOSITIONS")

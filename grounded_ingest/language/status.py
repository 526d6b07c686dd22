"""How every word of a sentence is meant: now, before, planned, only considered, denied."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from grounded_ingest.language.clauses import COPULAS, Segment
from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.lexicon import frames
from grounded_ingest.language.lexicon.frame_words import MERE
from grounded_ingest.language.lexicon.negation import OBJECTS
from grounded_ingest.language.phrase_table import Phrases
from grounded_ingest.language.polarity import DENIED_BE, NEGATIONS
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.tokens import Token

_ONWARD = frozenset(("to", "onto", "into"))
_INSTEAD = frozenset(("with", "by", "for", "favor", "favour"))


_OBJECTS = frozenset(OBJECTS.split())
_PERHAPS = frozenset(("might", "may", "could"))
_MERE = frozenset(MERE.split())
_PAST_ADJECTIVES = frozenset(
    ("old", "former", "prior", "previous", "before", "ex", "until", "earlier")
)
_PASSIVE = frozenset(("us", "requir", "support", "need", "allow", "employ", "deploy", "instal"))


class Status(Struct, frozen=True):
    """How a word is meant: `time` now, before, planned, ever or maybe."""

    time: str = "now"
    denied: bool = False


NOW = Status()


@cache
def cues() -> Phrases:
    """Phrases that change how what stands around them is meant."""
    table = Phrases()
    for kind, listed in (
        ("consider", frames.CONSIDER), ("leave", frames.LEAVE), ("adopt", frames.ADOPT),
        ("instead", frames.INSTEAD),
    ):  # fmt: skip
        for phrase in listed.split(", "):
            table.add(phrase, kind)
    for phrase in frames.MIGRATE.split(", "):
        table.add(phrase, "migrate")
    return table


@cache
def _past_words() -> Phrases:
    return Phrases(dict.fromkeys(frames.PAST.split(", "), "past"), stems=False)


@cache
def _planned() -> frozenset[str]:
    return frozenset(stem(p.split()[0]) for p in frames.PLANNED.split(", "))


@cache
def _stems(name: str) -> frozenset[str]:
    return frozenset(getattr(frames, name).split())


def statuses(tokens: list[Token], pieces: list[Segment]) -> list[Status]:
    """How every token is meant."""
    found = [NOW] * len(tokens)
    state = NOW
    for piece in pieces:
        state = _status(tokens, piece, state, found)
    return found


def _status(tokens: list[Token], piece: Segment, state: Status, found: list[Status]) -> Status:
    start, end = piece.start, piece.end
    carried = state = _fill(found, start, end, _at_first(tokens, piece, state))
    marked, at = "", start
    while at < end:
        cue = _cue(tokens, piece, at)
        if cue is None:
            carried = _without_cue(tokens, at, end, carried, found)
            at += 1
            continue
        length, kind = cue
        carried, marked = _apply(tokens, piece, (at, at + length, kind), carried, marked, found)
        at += length
    _backwards(tokens, piece, state, found)
    return carried


def _at_first(tokens: list[Token], piece: Segment, state: Status) -> Status:
    """How a piece is meant before its words say otherwise: as the one before, if it goes on."""
    start, end = piece.start, piece.end
    turned = start > 0 and tokens[start - 1].low in ("but", "while", "whereas", ";")
    if piece.verb >= 0 or turned or any(cues().at(tokens, i, end) for i in range(start, end)):
        state = NOW
    merely = end > start + 1 and tokens[start + 1].low in ("only", "just", "sure", "but")
    if tokens[start].low in NEGATIONS and not merely:
        state = Status(state.time, denied=True)
    return state


def _cue(tokens: list[Token], piece: Segment, at: int) -> tuple[int, str] | None:
    """How many words of a phrase that changes the meaning stand at a place, and its kind."""
    low = tokens[at].low
    if low == "used" and at > piece.start and tokens[at - 1].low in COPULAS:
        return None
    hit = _past_words().at(tokens, at, piece.end) or cues().at(tokens, at, piece.end)
    return None if hit is not None and hit[1] == "past" and low in _PAST_ADJECTIVES else hit


def _without_cue(
    tokens: list[Token], at: int, end: int, carried: Status, found: list[Status]
) -> Status:
    """What a single word changes: a negation, `the old X`, `now`."""
    low = tokens[at].low
    denying = low in NEGATIONS and low not in _OBJECTS
    if denying and not _mere(tokens, at, end):
        return _fill(found, at + 1, end, Status(carried.time, denied=True))
    if low in ("old", "former", "previous", "prior"):
        _fill(found, at + 1, min(end, at + 4), Status("before"))
    elif low in ("now", "today", "currently") and carried.time == "before":
        return _fill(found, at, end, NOW)
    return carried


def _backwards(tokens: list[Token], piece: Segment, state: Status, found: list[Status]) -> None:
    """What a later word says of those before it: `Redis is not used`, `the MySQL disaster`."""
    start, end = piece.start, piece.end
    for at in range(start + 1, end - 1):
        passive = tokens[at + 1].stem in _PASSIVE
        apart = tokens[at].low in ("not", "never") and tokens[at - 1].low in COPULAS
        if passive and (apart or tokens[at].low in DENIED_BE):
            _fill(found, start, at, Status(state.time, denied=True))
        if tokens[at].low in _PERHAPS and tokens[at + 1].low in ("be", "become"):
            _fill(found, start, at, Status("maybe"))
    if tokens[end - 1].low in _over():
        back = end - 1
        while back > start and tokens[back - 1].low not in group("PREPOSITIONS"):
            back -= 1
        _fill(found, back, end, Status("before"))


@cache
def _over() -> frozenset[str]:
    return frozenset(["disaster", "mess", "fiasco", "nightmare", "debacle"])


def _mere(tokens: list[Token], at: int, end: int) -> bool:
    return at + 1 < end and tokens[at + 1].low in _MERE


def _fill(found: list[Status], start: int, end: int, status: Status) -> Status:
    for i in range(start, end):
        found[i] = status
    return status


def _apply(
    tokens: list[Token],
    piece: Segment,
    cue: tuple[int, int, str],
    state: Status,
    marked: str,
    found: list[Status],
) -> tuple[Status, str]:
    at, after, kind = cue
    match kind:
        case "consider":
            planned = tokens[at].stem in _planned()
            status = Status("planned" if planned else "maybe")
            return _fill(found, at, piece.end, status), "consider"
        case "leave":
            if state.denied or _habitual(tokens, piece, at):
                return state, marked
            return _leave(tokens, piece, at, after, state, marked, found), "leave"
        case "migrate":
            return _migrate(tokens, piece, after, state, marked, found), marked
        case "past":
            return _past(tokens, piece, (at, after), state, found), marked
        case "instead":
            return _instead(tokens, piece, (at, after), state, found), marked
        case _:
            return _adopt(tokens, piece, at, state, found), marked


def _instead(
    tokens: list[Token],
    piece: Segment,
    place: tuple[int, int],
    state: Status,
    found: list[Status],
) -> Status:
    """`X instead of Y`, `chose X over Y`, `not Y`: Y is denied, behind `not` all that follows."""
    at, after = place
    low, denied = tokens[at].low, Status(state.time, denied=True)
    if low == "not":
        return state if _mere(tokens, at, piece.end) else _fill(found, after, piece.end, denied)
    if low != "over" or _chosen(tokens, piece.start, at):
        _fill(found, after, piece.end, denied)
    return state


def _adopt(
    tokens: list[Token], piece: Segment, at: int, state: Status, found: list[Status]
) -> Status:
    """`uses X` is now; `worked at X` is over, unless it is perfect or passive."""
    past = (
        tokens[at].low.endswith("ed")
        and state.time == "now"
        and tokens[at].stem in ("work", "liv", "resid", "stay")
        and not _perfect(tokens, piece.start, at)
    )
    return _fill(found, at, piece.end, Status("before", state.denied)) if past else state


def _habitual(tokens: list[Token], piece: Segment, at: int) -> bool:
    """`the importer skips duplicates`: what something does, not what somebody has left."""
    low = tokens[at].low
    if low in ("no", "instead", "shut", "got", "rid") or low.endswith(("ed", "ing", "ft", "it")):
        return False
    subject = [t.low for t in tokens[piece.start : at]]
    return bool(subject) and not {"we", "i", "you", "to", "user", "team"} & set(subject)


def _chosen(tokens: list[Token], start: int, at: int) -> bool:
    return any(
        t.stem in ("choos", "prefer", "pick", "favor", "favour", "select") for t in tokens[start:at]
    )


def _perfect(tokens: list[Token], start: int, at: int) -> bool:
    return any(
        t.low in ("have", "has", "'ve", "been", "is", "are", "'s", "'re", "be")
        for t in tokens[start:at]
    )


def _leave(
    tokens: list[Token],
    piece: Segment,
    at: int,
    after: int,
    state: Status,
    marked: str,
    found: list[Status],
) -> Status:
    """`dropped X for Y`, `X was replaced by Y`: X before, Y now."""
    end = piece.end
    turn = next((i for i in range(after, end) if tokens[i].low in _INSTEAD), end)
    passive = any(
        t.low in ("is", "are", "was", "were", "been", "be", "being", "got")
        for t in tokens[max(piece.start, at - 3) : at]
    )
    gone, come = Status("before"), NOW
    if marked == "consider":
        gone, come = NOW, Status("maybe")
    elif state.time in ("maybe", "planned"):
        gone, come = NOW, Status("planned")
    if passive and tokens[at].low.endswith(("ed", "en", "out", "rid")):
        _fill(found, piece.start, at, gone)
        return _fill(found, after, end, come)
    _fill(found, after, turn, gone)
    if turn < end:
        _fill(found, turn, end, come)
        return come
    return gone if marked != "consider" else Status("maybe")


def _migrate(
    tokens: list[Token],
    piece: Segment,
    after: int,
    state: Status,
    marked: str,
    found: list[Status],
) -> Status:
    """`migrated from X to Y`: Y now, X before; the other way where it is planned."""
    end = piece.end
    gone, come = _sides(state, marked)
    low = [t.low for t in tokens[after:end]]
    origin = next((after + i for i, w in enumerate(low) if w in ("from", "off")), -1)
    target = next((after + i for i, w in enumerate(low) if w in _ONWARD), -1)
    if origin < 0 and target < 0:
        return state
    if origin >= 0:
        _fill(found, origin + 1, target if target > origin else end, gone)
    if target >= 0:
        _fill(found, target, origin if origin > target else end, come)
    return gone if target < 0 else come


def _sides(state: Status, marked: str) -> tuple[Status, Status]:
    """How what is left and what is turned to are meant."""
    if state.denied:
        return NOW, Status("now", denied=True)
    if state.time in ("maybe", "planned"):
        return NOW, state
    return (NOW, Status("maybe")) if marked == "consider" else (Status("before"), NOW)


def _past(
    tokens: list[Token],
    piece: Segment,
    place: tuple[int, int],
    state: Status,
    found: list[Status],
) -> Status:
    at, after = place
    low = tokens[at].low
    if low in ("was", "were"):
        behind = next((t for t in tokens[after : piece.end] if t.low not in group("ADVERBS")), None)
        if behind is not None and behind.low == "from":
            return state
        told = (
            behind is not None
            and behind.low.endswith(("ed", "en", "born", "built", "made", "set", "ten"))
            and behind.stem in _stems("EVENTS")
        )
        if told or (behind is not None and behind.low in ("born",)):
            return state
    if low == "until" or state.time in ("maybe", "planned"):
        return state
    return _fill(
        found,
        at if low in ("was", "were") else piece.start,
        piece.end,
        Status("before", state.denied),
    )

"""Sentences in pieces: of whom each speaks, where and when it holds, what is denied or only considered."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from grounded_ingest.grounding.phrases import Phrases
from grounded_ingest.grounding.tokens import Token, function_words, group, name_key
from grounded_ingest.lexicon import frames, verbs
from grounded_ingest.lexicon.function_words import SETTINGS
from grounded_ingest.values.names import singular, stem

_BREAKS = frozenset((",", ";", "(", ")", "—", "–", "|", "and", "but", "or", "while", "whereas", "[", "]"))
_COPULAS = frozenset("is are was were be am been being 's 're 'm equals".split())
_MODALS = frozenset("can could will would shall should must may might do does did has have had 've 'll 'd".split())
_ONWARD = frozenset(("to", "onto", "into"))
_INSTEAD = frozenset(("with", "by", "for", "favor", "favour"))
_REPORTING = frozenset("mention say tell report not stat confirm infer claim explain".split())
_NO_VERBS = frozenset("last like ci test port host".split())
UNKNOWN = "?"
"""The subject of a pronoun nothing stands before."""


class Status(NamedTuple):
    """How a word is meant: `time` now, before, planned, ever or maybe."""

    time: str = "now"
    denied: bool = False


NOW = Status()


class Segment(NamedTuple):
    """A piece of a sentence. `verb` is the index of its verb, -1 where it has none."""

    start: int
    end: int
    verb: int
    subject: str
    setting: str
    personal: bool


@cache
def _verb_stems() -> frozenset[str]:
    more = "live work enjoy love like know study graduate attend speak drive own earn teach learn play prefer hate dislike weigh grow marry join report suffer reside cost weigh rotate expire retry deploy host talk communicate authenticate licence license belong store persist rely depend default bind front proxy cap throttle ship launch run target purge retain hold sign encrypt hash cook travel hike swim paint mention infer report confirm explain serve"
    return frozenset(stem(v) for v in f"{verbs.REGULAR} {verbs.IRREGULAR} {more}".split())


@cache
def _settings() -> dict[str, str]:
    return {word: name for name, listed in SETTINGS.items() for word in listed.split()}


def is_verb(tokens: list[Token], at: int, start: int) -> bool:
    """Whether a word is the verb of its piece, as far as its form and its neighbours show."""
    token = tokens[at]
    if token.kind != "word":
        return False
    if token.low in _COPULAS or token.low in _MODALS or token.low.endswith("n't") or token.low == "cannot":
        return not (token.low == "'s" and _possessive(tokens, at))
    if at == start and token.low.endswith("ed") and len(token.low) > 4:
        return True
    if token.stem not in _verb_stems():
        return False
    if token.low in _NO_VERBS or (at and token.text[:1].isupper() and not token.text.isupper()):
        return False
    near = next((i for i in range(at - 1, start - 1, -1) if tokens[i].low not in group("ADVERBS")), -1)
    before = tokens[near].low if near >= 0 else ""
    if before in group("DETERMINERS") or before == "'s" or before in ("of", "per", "for", "in", "on", "by", "with"):
        return False
    low = token.low
    if low.endswith("ing"):
        return at == start or before in _COPULAS
    if low.endswith("s") and not low.endswith("ss"):
        return at > start and not (at + 1 < len(tokens) and _is_copula(tokens[at + 1]))
    if low.endswith("ed") or low != token.stem and low not in verbs.REGULAR.split():
        return at > start or at == start
    if at == start:
        return not (at + 1 < len(tokens) and (_is_copula(tokens[at + 1]) or tokens[at + 1].low in (":", "=", "|", "of")))
    plural = before.endswith("s") and before not in ("is", "was", "this", "its", "has", "'s")
    return before in group("SELF") | group("PRONOUNS") or plural or before in _MODALS or before == "to"


def _is_copula(token: Token) -> bool:
    return token.low in _COPULAS or token.low in _MODALS


def _possessive(tokens: list[Token], at: int) -> bool:
    """`'s` as a possessive: behind a name or noun, before another noun."""
    before = tokens[at - 1].low if at else ""
    if before in ("it", "he", "she", "that", "there", "what", "who", "here", "where", "let", "how"):
        return False
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return behind is not None and behind.low not in group("DETERMINERS") | group("PREPOSITIONS") | group("NEGATIONS") | group("ADVERBS")


def segments(tokens: list[Token], start: int, end: int, before: str) -> list[Segment]:
    """The pieces of a sentence; `before` is the subject of the sentence before it."""
    found: list[Segment] = []
    subject, setting, personal = "", "", False
    last = before
    at = start
    for stop in (*_stops(tokens, start, end), end):
        if stop > at:
            piece = _segment(tokens, at, stop, last)
            if piece.subject is None:
                piece = piece._replace(subject=subject, personal=personal)
            subject, personal = piece.subject, piece.personal
            last = subject or last
            setting = piece.setting or (setting if found and found[-1].verb < 0 else "") or (setting if piece.verb < 0 else "")
            found.append(piece._replace(setting=setting))
        at = stop + 1
    return found


def _stops(tokens: list[Token], start: int, end: int) -> list[int]:
    return [i for i in range(start, end) if tokens[i].low in _BREAKS and tokens[i].kind in ("punct", "word")]


def _segment(tokens: list[Token], start: int, end: int, before: str) -> Segment:
    verb = next((i for i in range(start, end) if is_verb(tokens, i, start)), -1)
    if verb > start and tokens[verb].stem in _REPORTING and verb + 2 < end:
        behind = verb + 2 if tokens[verb + 1].low == "that" else verb + 1
        told = next((i for i in range(behind, end) if is_verb(tokens, i, behind)), -1)
        if told > behind:
            who = subject_key(tokens[start:verb])
            piece = _segment(tokens, behind, end, who)
            return piece._replace(start=start)
    setting = _setting(tokens, start, end, verb)
    if verb <= start:
        elided: str | None = None
        return Segment(start, end, verb, elided, setting, False)  # type: ignore[arg-type]
    head = tokens[start:verb]
    while head and (head[0].low in group("ADVERBS") or head[0].kind == "punct" or head[0].low in group("CONJUNCTIONS")):
        head = head[1:]
    lows = [t.low for t in head]
    if not head:
        return Segment(start, end, verb, None, setting, False)  # type: ignore[arg-type]
    if lows[0] in group("PREPOSITIONS") and len(head) < 4 or lows[0] in ("there", "here"):
        return Segment(start, end, verb, "", setting, False)
    if lows[-1] in group("PRONOUNS") and len(lows) == 1:
        pronoun = UNKNOWN if lows[0] in ("he", "she", "him", "her", "they") and not before else before
        return Segment(start, end, verb, pronoun, setting, False)
    personal = lows[0] in ("i", "you", "user", "my", "your") or lows[:2] == ["the", "user"]
    return Segment(start, end, verb, subject_key(head), setting, personal)


def subject_key(head: list[Token]) -> str:
    """A subject as a key; empty for the speaker and for the project as a whole."""
    kept = [t for t in head if t.low not in group("SELF") and t.low not in _settings() and t.low != "'s"]
    kept = [t for t in kept if t.low not in function_words() and t.kind != "punct"]
    if kept and kept[-1].low in group("WHOLE") and len(kept) == 1:
        return ""
    if len(kept) > 1 and kept[-1].low in ("service", "app", "application", "team", "server", "project", "component", "module", "package"):
        kept = kept[:-1]
    return " ".join(singular(w) for w in name_key(kept).split())


def _setting(tokens: list[Token], start: int, end: int, verb: int) -> str:
    """The environment or platform a piece is about (`in production`, `the staging port`)."""
    known = _settings()
    for i in range(start, end):
        name = known.get(tokens[i].low)
        if name is None:
            continue
        before = tokens[i - 1].low if i > start else ""
        article = i - 2 >= start and before in ("the", "a", "our", "your", "my")
        placed = before in ("in", "on", "for", "during", "under", "at") or (article and tokens[i - 2].low in ("in", "on", "for", "during", "under", "at"))
        if placed or (i < verb and name not in ("default", "test")) or (i == start and end - start == 1):
            return name
    return ""


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
    return Phrases({phrase: "past" for phrase in frames.PAST.split(", ")}, stems=False)


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
    turned = start > 0 and tokens[start - 1].low in ("but", "while", "whereas", ";")
    if piece.verb >= 0 or turned or any(cues().at(tokens, i, end) for i in range(start, end)):
        state = NOW
    if tokens[start].low in ("not", "never", "no", "without") and not (end > start + 1 and tokens[start + 1].low in ("only", "just", "sure")):
        state = Status(state.time, denied=True)
    carried, marked, at = state, "", start
    for i in range(start, end):
        found[i] = state
    while at < end:
        hit = _past_words().at(tokens, at, end) or cues().at(tokens, at, end)
        low = tokens[at].low
        if low == "used" and at > start and tokens[at - 1].low in _COPULAS:
            hit = None
        if hit is None or (hit[1] == "past" and low in ("old", "former", "prior", "previous", "before", "ex", "until", "earlier")):
            if low in group("NEGATIONS") and low not in ("nothing", "nowhere", "hardly") and not _mere(tokens, at, end):
                carried = _fill(found, at + 1, end, Status(carried.time, denied=True))
            elif low in ("old", "former", "previous", "prior"):
                _fill(found, at + 1, min(end, at + 4), Status("before"))
            elif low in ("now", "today", "currently") and carried.time == "before":
                carried = _fill(found, at, end, NOW)
            at += 1
            continue
        length, kind = hit
        carried, marked = _apply(tokens, piece, (at, at + length, kind), carried, marked, found)
        at += length
    if tokens[end - 1].low in _over():
        back = end - 1
        while back > start and tokens[back - 1].low not in group("PREPOSITIONS"):
            back -= 1
        _fill(found, back, end, Status("before"))
    return carried


@cache
def _over() -> frozenset[str]:
    return frozenset("disaster mess fiasco nightmare debacle".split())


def _mere(tokens: list[Token], at: int, end: int) -> bool:
    return at + 1 < end and tokens[at + 1].low in ("only", "just", "more", "later", "longer", "less", "than")


def _fill(found: list[Status], start: int, end: int, status: Status) -> Status:
    for i in range(start, end):
        found[i] = status
    return status


def _apply(
    tokens: list[Token], piece: Segment, cue: tuple[int, int, str], state: Status, marked: str, found: list[Status]
) -> tuple[Status, str]:
    at, after, kind = cue
    end, low = piece.end, tokens[at].low
    match kind:
        case "consider":
            planned = tokens[at].stem in _planned()
            return _fill(found, at, end, Status("planned" if planned else "maybe")), "consider"
        case "leave":
            if state.denied:
                return state, marked
            return _leave(tokens, piece, at, after, state, marked, found), "leave"
        case "migrate":
            return _migrate(tokens, piece, at, after, state, marked, found), marked
        case "past":
            return _past(tokens, piece, at, after, state, found), marked
        case "instead":
            if low == "not" or (low == "over" and not _chosen(tokens, piece.start, at)):
                if low == "not" and not _mere(tokens, at, end):
                    return _fill(found, after, end, Status(state.time, denied=True)), marked
                return state, marked
            _fill(found, after, end, Status(state.time, denied=True))
            return state, marked
        case _:
            past = low.endswith("ed") and state.time == "now" and tokens[at].stem in ("work", "liv", "resid", "stay") and not _perfect(tokens, piece.start, at)
            if past and low not in ("based", "located"):
                return _fill(found, at, end, Status("before", state.denied)), marked
            return state, marked


def _chosen(tokens: list[Token], start: int, at: int) -> bool:
    return any(t.stem in ("choos", "prefer", "pick", "favor", "favour", "select") for t in tokens[start:at])


def _perfect(tokens: list[Token], start: int, at: int) -> bool:
    return any(t.low in ("have", "has", "'ve", "been", "is", "are", "'s", "'re", "be") for t in tokens[start:at])


def _leave(
    tokens: list[Token], piece: Segment, at: int, after: int, state: Status, marked: str, found: list[Status]
) -> Status:
    """`dropped X for Y`, `X was replaced by Y`: X before, Y now."""
    end = piece.end
    turn = next((i for i in range(after, end) if tokens[i].low in _INSTEAD), end)
    passive = any(t.low in ("is", "are", "was", "were", "been", "be", "being", "got") for t in tokens[max(piece.start, at - 3) : at])
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
    tokens: list[Token], piece: Segment, at: int, after: int, state: Status, marked: str, found: list[Status]
) -> Status:
    """`migrated from X to Y`, `raised to Y from X`: Y now, X before; the other way where planned."""
    end = piece.end
    gone, come = Status("before"), NOW
    if marked == "consider" or state.time in ("maybe", "planned"):
        gone, come = NOW, state if state.time in ("maybe", "planned") else Status("maybe")
    if state.denied:
        gone, come = NOW, Status("now", denied=True)
    low = [t.low for t in tokens[after:end]]
    origin = next((after + i for i, w in enumerate(low) if w in ("from", "off")), -1)
    target = next((after + i for i, w in enumerate(low) if w in _ONWARD), -1)
    if origin < 0 and target < 0:
        return state
    if origin >= 0:
        _fill(found, origin + 1, target if target > origin else end, gone)
    if target >= 0:
        _fill(found, target, origin if origin > target else end, come)
    return come if target > origin else gone if origin >= 0 and target < 0 else come


def _past(
    tokens: list[Token], piece: Segment, at: int, after: int, state: Status, found: list[Status]
) -> Status:
    low = tokens[at].low
    if low in ("was", "were"):
        behind = next((t for t in tokens[after : piece.end] if t.low not in group("ADVERBS")), None)
        if behind is not None and behind.low == "from":
            return state
        told = behind is not None and behind.low.endswith(("ed", "en", "born", "built", "made", "set", "ten")) and behind.stem in _stems("EVENTS")
        if told or (behind is not None and behind.low in ("born",)):
            return state
    if low == "until" or state.time in ("maybe", "planned"):
        return state
    return _fill(found, at if low in ("was", "were") else piece.start, piece.end, Status("before", state.denied))

"""Sentences in pieces: of whom each speaks, and in which setting it holds."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.lexicon import frame_words, verbs
from grounded_ingest.language.lexicon.function_words import SETTINGS
from grounded_ingest.language.persons import Who, whose
from grounded_ingest.language.polarity import NEGATIONS
from grounded_ingest.language.stemming import singular, stem
from grounded_ingest.language.tokens import Token, name_key

_BREAKS = frozenset(
    (",", ";", "(", ")", "—", "–", "|", "and", "but", "or", "while", "whereas", "[", "]")
)
_OPEN = frozenset((",", "(", ")", "—", "–"))
_HEADS = frozenset(frame_words.SEGMENTS_HEADS.split())
_PARTICIPLES = frozenset(frame_words.SEGMENTS_PARTICIPLES.split())
_QUANTIFIERS = frozenset(frame_words.SEGMENTS_QUANTIFIERS.split())
_SUBORDINATORS = frozenset(frame_words.SEGMENTS_SUBORDINATORS.split())
COPULAS = frozenset(frame_words.SEGMENTS_COPULAS.split())
_MODALS = frozenset(frame_words.SEGMENTS_MODALS.split())
_REPORTING = frozenset(frame_words.SEGMENTS_REPORTING.split())
_NO_VERBS = frozenset(frame_words.SEGMENTS_NO_VERBS.split())
UNKNOWN = "?"
"""The subject of a pronoun nothing stands before."""


class Segment(NamedTuple):
    """A piece of a sentence. `verb` is the index of its verb, -1 where it has none; `own`: it
    names its subject itself."""

    start: int
    end: int
    verb: int
    subject: str
    setting: str
    who: Who
    own: bool = True

    @property
    def personal(self) -> bool:
        return self.who in ("speaker", "belonging")


@cache
def _verb_stems() -> frozenset[str]:
    return frozenset(
        stem(v) for v in f"{verbs.REGULAR} {verbs.IRREGULAR} {frame_words.MORE_VERBS}".split()
    )


@cache
def _settings() -> dict[str, str]:
    return {word: name for name, listed in SETTINGS.items() for word in listed.split()}


def is_verb(tokens: list[Token], at: int, start: int) -> bool:
    """Whether a word is the verb of its piece, as far as its form and its neighbours show."""
    token = tokens[at]
    if token.kind != "word":
        return False
    if is_auxiliary(token) or token.low.endswith("n't") or token.low == "cannot":
        return not (token.low == "'s" and _possessive(tokens, at))
    if at == start and token.low.endswith("ed") and len(token.low) > 4:
        return True
    if not _known_verb(tokens, at):
        return False
    before = _word_before(tokens, at, start)
    return before not in _before_nouns() and _inflected(tokens, at, before, opens=at == start)


def _known_verb(tokens: list[Token], at: int) -> bool:
    """Whether a word is a verb of the tables, and not written as a name or `pull request`."""
    token = tokens[at]
    titled = at > 0 and token.text[:1].isupper() and not token.text.isupper()
    if titled or token.low in _NO_VERBS or token.stem not in _verb_stems():
        return False
    return not (token.low == "pull" and at + 1 < len(tokens) and tokens[at + 1].stem == "request")


@cache
def _before_nouns() -> frozenset[str]:
    return group("DETERMINERS") | {"'s", "of", "per", "for", "in", "on", "by", "with"}


def _word_before(tokens: list[Token], at: int, start: int) -> str:
    """The word of a piece before a place, past adverbs; empty without one."""
    before = (tokens[i].low for i in range(at - 1, start - 1, -1))
    return next((low for low in before if low not in group("ADVERBS")), "")


def _inflected(tokens: list[Token], at: int, before: str, *, opens: bool) -> bool:
    """Whether the form of a word that can be a verb makes it one behind the word before."""
    token = tokens[at]
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    governed = behind is not None and is_auxiliary(behind)
    if token.low.endswith("ing"):
        return opens or before in COPULAS
    if token.low.endswith("s") and not token.low.endswith("ss"):
        return not opens and not governed
    if token.low.endswith("ed") or (token.low != token.stem and token.low not in _regular()):
        return True
    if opens:
        return not governed and (behind is None or behind.low not in (":", "=", "|", "of"))
    return _takes_base_form(before)


@cache
def _regular() -> frozenset[str]:
    return frozenset(verbs.REGULAR.split())


def _takes_base_form(before: str) -> bool:
    """Whether a word has a verb without an ending behind it: `we`, `services`, `must`, `to`."""
    if before in group("SELF") | group("PRONOUNS") | _MODALS | {"to"}:
        return True
    return before.endswith("s") and before not in ("is", "was", "this", "its", "has", "'s")


def is_auxiliary(token: Token) -> bool:
    return token.low in COPULAS or token.low in _MODALS


def _possessive(tokens: list[Token], at: int) -> bool:
    """`'s` as a possessive: behind a name or noun, before another noun."""
    before = tokens[at - 1].low if at else ""
    if before in ("it", "he", "she", "that", "there", "what", "who", "here", "where", "let", "how"):
        return False
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return behind is not None and behind.low not in group("DETERMINERS") | group(
        "PREPOSITIONS"
    ) | NEGATIONS | group("ADVERBS")


def segments(tokens: list[Token], start: int, end: int, before: str) -> list[Segment]:
    """The pieces of a sentence; `before` is the subject of the sentence before it."""
    found: list[Segment] = []
    setting, last = "", before
    at = start
    for stop in (*_stops(tokens, start, end), end):
        if stop > at:
            piece = _segment(tokens, at, stop, last)
            if not piece.own and found:
                piece = _carried_on(tokens, found, piece)
            last = piece.subject or last
            setting = (
                piece.setting
                or (setting if found and found[-1].verb < 0 else "")
                or (setting if piece.verb < 0 else "")
            )
            found.append(piece._replace(setting=setting))
        at = stop + 1
    return _in_front(tokens, found)


def _carried_on(tokens: list[Token], found: list[Segment], piece: Segment) -> Segment:
    """A piece without a subject has that of the piece before; behind a noun phrase and what is
    put in beside it, that noun phrase: `Ada, a nurse, lives in Porto`."""
    head = tokens[found[0].start : found[0].end]
    noun = found[0].verb < 0 and head[0].low not in group("PREPOSITIONS") and subject_key(head)
    first = tokens[piece.start]
    if noun and not any(p.own for p in found) and (piece.verb == piece.start or _present(first)):
        who = whose(head, first, opens=True)
        if is_auxiliary(first) or (who == "person" and first.low.endswith(("ed", "s"))):
            return piece._replace(verb=piece.start, subject=noun, who=who, own=True)
    several = found[0].verb < 0 and found[0].who == "elided" and _several(tokens, found[0])
    return piece._replace(subject=found[-1].subject, who="thing" if several else found[-1].who)


def _several(tokens: list[Token], piece: Segment) -> bool:
    """Whether a noun phrase stands for several, so not for one person: `Boys and girls`."""
    if tokens[piece.start].low in _QUANTIFIERS:
        return True
    joined = tokens[piece.end].low in ("and", "or")
    return joined and tokens[piece.end - 1].low.endswith("s") and piece.end == piece.start + 1


def _present(token: Token) -> bool:
    """Whether a word can be a verb in the third person (`lives`)."""
    return token.low.endswith("s") and token.text.islower() and token.stem in _verb_stems()


def _in_front(tokens: list[Token], found: list[Segment]) -> list[Segment]:
    """What stands in front of a clause, set off by commas, is said of its subject: `Located in
    Turin, the shop …`. A finite verb in front is a clause of its own."""
    main = next((n for n, p in enumerate(found) if p.own), 0)
    front, subject = found[:main], found[main] if found else None
    if subject is None or not front or any(_closed(tokens, p) for p in front):
        return found
    return [p._replace(subject=subject.subject, who=subject.who) for p in front] + found[main:]


def _closed(tokens: list[Token], piece: Segment) -> bool:
    """Whether what stands in front is a clause of its own, or of a list."""
    verb = tokens[piece.verb].low if piece.verb >= 0 else ""
    participle = verb.endswith(("ed", "ing")) or verb in _PARTICIPLES
    if tokens[piece.end].low not in _OPEN or (verb and not participle):
        return True
    return tokens[piece.end].low in (",", "(") and tokens[piece.end + 1].low in ("and", "or", "but")


def _stops(tokens: list[Token], start: int, end: int) -> list[int]:
    return [
        i
        for i in range(start, end)
        if tokens[i].low in _BREAKS and tokens[i].kind in ("punct", "word")
    ]


def _segment(tokens: list[Token], start: int, end: int, before: str) -> Segment:
    verb = _first_verb(tokens, start, end)
    clause = _reported_clause(tokens, start, end, verb)
    if clause > start:
        # `I remember you work at`: what is said is said of the one in the clause.
        piece = _segment(tokens, clause, end, subject_key(tokens[start:verb]))
        return piece._replace(start=start)
    told = _told_of_somebody(tokens, start, end if verb < 0 else verb)
    verb = told if told >= 0 else verb
    setting = _setting(tokens, start, end, verb)
    if verb < 0 and tokens[start].low in _SUBORDINATORS:
        return Segment(start, end, verb, UNKNOWN, setting, "thing", own=False)
    head = _head(tokens, start, verb) if verb > start else []
    if not head:
        return Segment(start, end, verb, "", setting, "elided", own=False)
    if head[0].low in ("there", "here"):
        return Segment(start, end, verb, before, setting, "thing")
    if head[0].low in group("PREPOSITIONS") and len(head) < 4:
        return Segment(start, end, verb, before or UNKNOWN, setting, "thing")
    who = whose(head, tokens[verb], opens=not start)
    return Segment(start, end, verb, _subject(head, before), setting, who)


def _first_verb(tokens: list[Token], start: int, end: int) -> int:
    return next((i for i in range(start, end) if is_verb(tokens, i, start)), -1)


def _reported_clause(tokens: list[Token], start: int, end: int, verb: int) -> int:
    """Where the clause behind a verb of saying begins; -1 without one."""
    if verb <= start or verb + 2 >= end or tokens[verb].stem not in _REPORTING:
        return -1
    behind = verb + 2 if tokens[verb + 1].low == "that" else verb + 1
    return behind if _first_verb(tokens, behind, end) > behind else -1


def _head(tokens: list[Token], start: int, verb: int) -> list[Token]:
    """The noun phrase before a verb, without what stands in front of it."""
    head = tokens[start:verb]
    while head and (
        head[0].low in group("ADVERBS")
        or head[0].kind == "punct"
        or head[0].low in group("CONJUNCTIONS")
    ):
        head = head[1:]
    if head and head[0].low in group("PREPOSITIONS"):
        inner = [i for i, t in enumerate(head) if i > 1 and t.low in group("DETERMINERS")]
        head = head[inner[-1] :] if inner else head
    return head


def _subject(head: list[Token], before: str) -> str:
    """A subject as a key; that of a pronoun is what was spoken of before, else unknown."""
    light = function_words() - group("SELF") - {"nothing", "nobody", "none"}
    if any(t.low in group("PRONOUNS") for t in head) and all(t.low in light for t in head):
        return before or UNKNOWN
    return subject_key(head)


def _told_of_somebody(tokens: list[Token], start: int, end: int) -> int:
    """The index of a past form behind a pronoun or a name (`she enlisted`), which no table of
    verbs needs to know; -1 without one."""
    for at in range(start + 1, min(end, start + 6)):
        past = tokens[at].low.endswith("ed") and tokens[at].kind == "word"
        if past and whose(tokens[start:at], opens=not start) in ("speaker", "we", "person"):
            return at
    return -1


def subject_key(head: list[Token]) -> str:
    """A subject as a key; empty for the speaker and for the project as a whole."""
    kept = [
        t for t in head if t.low not in group("SELF") and t.low not in _settings() and t.low != "'s"
    ]
    kept = [t for t in kept if t.low not in function_words() and t.kind != "punct"]
    if kept and kept[-1].low in group("WHOLE") and len(kept) == 1:
        return ""
    if len(kept) > 1 and kept[-1].low in _HEADS:
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
        placed = before in ("in", "on", "for", "during", "under", "at") or (
            article and tokens[i - 2].low in ("in", "on", "for", "during", "under", "at")
        )
        if (
            placed
            or (i < verb and name not in ("default", "test"))
            or (i == start and end - start == 1)
        ):
            return name
    return ""

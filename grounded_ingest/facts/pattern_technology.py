"""Facts about what a project is made of: technologies, by their use or by their kind."""

from __future__ import annotations

from grounded_ingest.facts.collector import Finder
from grounded_ingest.language.clauses import Segment
from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.status import cues
from grounded_ingest.language.stemming import canonical, singular
from grounded_ingest.language.tokens import Entity

_FOR = frozenset(frame_words.TECHNOLOGY_FOR.split())
_BY = frozenset(frame_words.TECHNOLOGY_BY.split())
_RANKED = frozenset(frame_words.TECHNOLOGY_RANKED.split())


def find(finder: Finder) -> None:
    """Every technology that is stated to be in use, or no longer, or not."""
    for entity in finder.sentence.named:
        if not finder.free(entity.first, entity.end):
            continue
        firm = _behind(finder, entity) or _ahead(finder, entity)
        slot = firm or (_by_kind(finder, entity) if _governed(finder, entity) else "")
        if slot:
            _add(finder, entity, finder.sentence.piece(entity.first), slot, firm=bool(firm))


def _add(finder: Finder, entity: Entity, piece: Segment, slot: str, *, firm: bool) -> None:
    exclusive = slot in finder.tables.one_of_a_kind and not piece.personal
    known = finder.tables.slots.get(slot)
    many = bool(known and known.many) or not (exclusive or (firm and not piece.personal))
    own = " ".join(singular(w) for w in canonical(entity.name).split())
    ours = any(
        t.low in ("our", "we", "all", "everything")
        for t in finder.tokens[piece.start : entity.first]
    )
    about = "" if ours or own in piece.subject or _names_slot(finder, piece) else piece.subject
    span = (entity.first, entity.end)
    finder.add(slot, span, subject=about, many=many or _beside(finder, entity), firm=firm)


def _names_slot(finder: Finder, piece: Segment) -> bool:
    """Whether a subject is a part of the project that the slot stands for (`the CI pipeline`)."""
    subject = [
        t
        for t in finder.tokens[piece.start : max(piece.verb, piece.start)]
        if t.low not in function_words()
    ]
    if subject and subject[-1].low in group("WHOLE"):
        subject = subject[:-1] or subject
    named = finder.tables.nouns.whole(subject) if subject else None
    return named is not None and any(finder.tables.slots[n].kinds for n in named.split("|"))


def _beside(finder: Finder, entity: Entity) -> bool:
    """Whether another technology of its kind stands in the same list."""
    return any(
        other.first != entity.first
        and other.kinds & entity.kinds
        and (_lists(finder, entity, other) or _lists(finder, other, entity))
        for other in finder.sentence.named
    )


def _by_kind(finder: Finder, entity: Entity) -> str:
    for kind, slot in finder.tables.by_kind.items():
        if kind in entity.kinds:
            return slot
    return ""


def _lists(finder: Finder, one: Entity, other: Entity) -> bool:
    between = finder.tokens[one.end : other.first]
    return 0 < len(between) <= 3 and all(
        t.low in (",", "and", "or", "&", "/", "+", "plus") for t in between
    )


def _behind(finder: Finder, entity: Entity) -> str:
    """The slot of `React frontend`, `Redis for caching`, `PostgreSQL is the primary database`."""
    tokens, end = finder.tokens, entity.end
    direct = finder.tables.nouns.at(tokens, end, finder.end) if end < finder.end else None
    if direct and (slot := _fitting(finder, direct[1], entity)):
        return slot
    at = _purpose_start(finder, entity)
    for start in range(at, min(finder.end, at + 3)):
        hit = finder.tables.purposes.at(tokens, start, finder.end) or finder.tables.nouns.at(
            tokens, start, finder.end
        )
        if hit and (slot := _fitting(finder, hit[1], entity)):
            return slot
        if tokens[start].kind != "word" or tokens[start].low in function_words():
            break
    return ""


def _purpose_start(finder: Finder, entity: Entity) -> int:
    """Where what a technology is for begins, behind its list and `for`, `serves as`, `is the`; the
    end of the sentence where it does not say."""
    tokens, at = finder.tokens, entity.end
    inside = {i for e in finder.sentence.named for i in range(e.first, e.end)}
    while at < finder.end and (tokens[at].low in (",", "and") or at in inside):
        at += 1
    length = _link(finder, at, listed=at > entity.end)
    if not length:
        return finder.end
    at += length
    while at < finder.end and (
        tokens[at].low in _RANKED | group("ADVERBS") | {"used", "as", "for", "chosen"}
    ):
        at += 1
    return at


def _link(finder: Finder, at: int, *, listed: bool) -> int:
    """How many words join a technology, or a list of them, to a purpose."""
    if at >= finder.end:
        return 0
    token, behind = finder.tokens[at], finder.tokens[at + 1].low if at + 1 < finder.end else ""
    if token.low in ("is", "are"):
        # `PostgreSQL is a database` says what it is, not who uses it
        return 0 if listed or behind in ("a", "an", "one") else 1
    if token.low in _FOR:
        return 1
    return 2 if token.stem in ("serv", "us", "act", "work") and behind in ("as", "for") else 0


def _fitting(finder: Finder, names: str, entity: Entity) -> str:
    """The slot of several that takes this kind of thing, else the first that takes any."""
    slots = [finder.tables.slots[n] for n in names.split("|")]
    fitting = [s.name for s in slots if s.kinds & entity.kinds]
    return fitting[0] if fitting else next((s.name for s in slots if s.kinds), "")


def _ahead(finder: Finder, entity: Entity) -> str:
    """The slot of `testing with pytest`, `monitoring via Sentry`, `the database: PostgreSQL`."""
    tokens, at = finder.tokens, entity.first - 1
    while at >= 0 and (tokens[at].low in _RANKED or tokens[at].low in group("ADVERBS")):
        at -= 1
    if at < 1 or tokens[at].low not in _BY:
        return ""
    for start in range(max(0, at - 3), at):
        for table in (finder.tables.purposes, finder.tables.nouns):
            hit = table.at(tokens, start, at)
            if hit and start + hit[0] == at:
                for name in hit[1].split("|"):
                    if finder.tables.slots[name].kinds & entity.kinds:
                        return name
    return ""


def _governed(finder: Finder, entity: Entity) -> bool:
    """Whether a verb of use governs a name, or no verb at all does."""
    pieces = finder.sentence.pieces
    index = next(i for i, p in enumerate(pieces) if p == finder.sentence.piece(entity.first))
    piece = pieces[index]
    while index > 0 and piece.verb < 0 and not _cue(finder, piece):
        index -= 1
        piece = pieces[index]
    if _cue(finder, piece):
        return True
    if piece.verb < 0:
        return entity.first <= 3 or len(finder.sentence.named) > 1
    return (
        finder.tokens[piece.verb].low in ("is", "are", "'re", "'s", "was", "were", "'m", "am", "be")
        and entity.first > piece.verb
    )


def _cue(finder: Finder, piece: Segment) -> bool:
    return any(cues().at(finder.tokens, i, piece.end) for i in range(piece.start, piece.end))

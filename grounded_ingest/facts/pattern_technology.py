"""Facts about what a project is made of: technologies, by their use or by their kind."""

from __future__ import annotations

from grounded_ingest.facts.collector import Finder
from grounded_ingest.language.clauses import Segment
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.modality import cues
from grounded_ingest.language.stemming import canonical, singular
from grounded_ingest.language.tokens import Entity, function_words, group

_FOR = frozenset(("for", "as", "handles", "handling", "powers", "is", "are"))
_BY = frozenset(
    (
        "with",
        "via",
        "by",
        "on",
        "through",
        "using",
        "in",
        "from",
        "uses",
        "use",
        "is",
        "are",
        ":",
        "runs",
    )
)
_RANKED = frozenset(frame_words.TECHNOLOGY_RANKED.split())


def find(finder: Finder) -> None:
    """Every technology that is stated to be in use, or no longer, or not."""
    slot_of: dict[int, str] = {}
    for number, entity in enumerate(finder.sentence.named):
        if any(i in finder.taken for i in range(entity.first, entity.end)) and not _in_title(
            finder, entity
        ):
            continue
        firm = _behind(finder, entity) or _ahead(finder, entity)
        previous = finder.sentence.named[number - 1] if number else None
        if not firm and previous is not None and _lists(finder, previous, entity):
            kept = slot_of.get(number - 1, "")
            firm = kept if kept and entity.kinds & finder.tables.slots[kept].kinds else ""
        if not firm and not _governed(finder, entity):
            continue
        slot = firm or _by_kind(finder, entity)
        if not slot:
            continue
        slot_of[number] = slot if firm else ""
        piece = finder.sentence.piece(entity.first)
        _add(finder, entity, piece, slot, firm=bool(firm))


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


def _in_title(finder: Finder, entity: Entity) -> bool:
    start = finder.tokens[entity.first].start
    return any(f.slot == "title" and f.start <= start < f.end for f in finder.facts)


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
    tokens, at = finder.tokens, entity.end
    direct = finder.tables.nouns.at(tokens, at, finder.end) if at < finder.end else None
    if direct and (slot := _fitting(finder, direct[1], entity)):
        return slot
    while at < finder.end and (
        tokens[at].low in (",", "and") or any(e.first <= at < e.end for e in finder.sentence.named)
    ):
        at += 1
    kind_of = at + 1 < finder.end and tokens[at + 1].low in ("a", "an", "one")
    if kind_of and tokens[at].low in ("is", "are"):
        return ""  # `PostgreSQL is a database` says what it is, not who uses it
    if (
        at >= finder.end
        or tokens[at].low not in _FOR
        or (at > entity.end and tokens[at].low in ("is", "are"))
    ):
        if (
            at < finder.end
            and tokens[at].stem in ("serv", "us", "act", "work")
            and at + 1 < finder.end
            and tokens[at + 1].low in ("as", "for")
        ):
            at += 1
        else:
            return ""
    at += 1
    while at < finder.end and (
        tokens[at].low in _RANKED
        or tokens[at].low in group("ADVERBS")
        or tokens[at].low in ("used", "as", "for", "chosen")
    ):
        at += 1
    if at >= finder.end:
        return ""
    for start in range(at, min(finder.end, at + 3)):
        hit = finder.tables.purposes.at(tokens, start, finder.end) or finder.tables.nouns.at(
            tokens, start, finder.end
        )
        if hit and (slot := _fitting(finder, hit[1], entity)):
            return slot
        if tokens[start].kind != "word" or tokens[start].low in function_words():
            break
    return ""


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

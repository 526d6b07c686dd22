"""Facts said by a verb: phrases that carry a slot (`listens on port`), and `the port is 8080`."""

from __future__ import annotations

from functools import cache

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.pattern_quantities import limited
from grounded_ingest.facts.slot_names import named_slot
from grounded_ingest.facts.value_spans import listed_values, parse_value, phrase, value_start
from grounded_ingest.language.clauses import COPULAS, Segment, subject_key
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.lexicon.slots_repository import SCALARS
from grounded_ingest.language.modality import Status
from grounded_ingest.language.number_words import number
from grounded_ingest.language.persons import Who, holder
from grounded_ingest.language.slots import Slot
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.tokens import entities, function_words, group
from grounded_ingest.language.value_normal_form import normal

_BE = frozenset(frame_words.PREDICATES_BE.split())
_DENIED_BE = frozenset(frame_words.INVERTED_DENIED_BE.split())
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
    tokens = finder.tokens
    if slot.values in ("tech", "license") or slot.kinds:
        return _technology(finder, after, slot)
    span = parse_value(tokens, after, finder.end, slot.values)
    if (
        span is None
        or span[0] > after + 4
        or (slot.planned and not finder.sentence.piece(at).personal)
    ):
        return at + 1
    if slot.many and number(tokens[span[0]].low) is not None:
        return at + 1
    if slot.name == "opinion" and tokens[after].low in ("about", "of"):
        return after
    if (
        slot.name == "hobby"
        and not finder.sentence.piece(at).personal
        and entities(tokens[span[0] : span[1]])
    ):
        return after
    if slot.name in ("preference", "hobby"):
        return _liked(finder, span, slot, _owner(finder, at))
    spans = listed_values(tokens, span, finder.end, slot.values) if slot.many else [span]
    of = _owner(finder, at)
    for each in spans:
        if finder.free(*each):
            name, kept = limited(finder, slot.name, each)
            meant = finder.sentence.meant[kept[0]]
            # `don't like` is the relation itself, not its denial.
            denying = any(t.low in group("NEGATIONS") for t in tokens[at:after])
            status = Status(meant.time) if denying else meant
            finder.add(name, kept, planned=slot.planned, status=status, of=of)
    return spans[-1][1]


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
        kind = slot.name if first.kinds & slot.kinds else ""
        name = kind or next(
            (finder.tables.by_kind[k] for k in sorted(first.kinds) if k in finder.tables.by_kind),
            slot.name,
        )
        if slot.name == "cloud_provider" and "orchestration" in first.kinds:
            name = "orchestration"
        if not first.kinds & slot.kinds and slot.name not in ("cloud_provider", "language"):
            continue
        if finder.free(*place):
            known = finder.tables.slots[name]
            single = alone or name in finder.tables.one_of_a_kind or name == "language"
            finder.add(name, place, many=known.many or len(every) > 1 or not single)
    return start


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
        or tokens[at].low in group("NEGATIONS")
        or tokens[at].low in group("ADVERBS")
    ):
        if tokens[at].low == "may" and at + 1 < finder.end and tokens[at + 1].kind == "num":
            break
        be = (
            be
            or tokens[at].low in _BE | _DENIED_BE
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
    kind = (
        known.values
        if known.values not in ("tech", "license", "place", "proper", "title", "diet", "industry")
        else "any"
    )
    span = parse_value(finder.tokens, start, end, kind)
    if known.values in ("tech", "license") and span:
        hits = entities(finder.tokens[start : span[1]], governed=True)
        sized = parse_value(finder.tokens, start, end, "quantity")
        if sized and not hits:
            finder.add(f"{slot}_size", sized, subject=subject, setting=piece.setting)
            return
        if not hits and not finder.tokens[span[0]].text[:1].isupper():
            _own(finder, piece, (start, end), f"{slot} is", of)
            return
        if hits:
            span = (start + hits[0].first, start + hits[0].end)
    if span is None or span[0] > start + 6 or not finder.free(*span):
        return
    spans = (
        listed_values(finder.tokens, span, finder.end, kind)
        if known.many or known.kinds
        else [span]
    )
    for each in spans:
        finder.add(
            slot, each, subject=subject, setting=piece.setting,
            many=known.many or len(spans) > 1, of=of,
        )  # fmt: skip


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


def _own(finder: Finder, piece: Segment, place: tuple[int, int], slot: str, of: Who) -> None:
    """A slot of the text's own: exclusive where the value is a number, a date or a name. Its
    subject is what the sentence speaks of, but for keys and for what somebody likes best."""
    start, end = place
    tokens = finder.tokens
    if (
        piece.start < finder.end
        and tokens[piece.start].low
        not in group("DETERMINERS") | group("SELF") | group("PREPOSITIONS")
        and not (start < end and tokens[start].kind == "num")
    ):
        return
    span = parse_value(tokens, start, end, "quantity") or phrase(tokens, start, end)
    if span is None or span[0] > start + 1 or span[1] - span[0] > 4 or not finder.free(*span):
        return
    first = tokens[span[0]]
    if first.low in function_words() or any(
        t.low in group("PRONOUNS") for t in tokens[span[0] : span[1]]
    ):
        return
    article = start < span[0] and tokens[start].low in ("a", "an", "the")
    text = finder.text[first.start : tokens[span[1] - 1].end]
    scalar = slot.rpartition("_")[2] in _scalars()
    single = (
        scalar
        or slot.startswith("favorite_")
        or normal(text).kind != "name"
        or first.text[:1].isupper()
        or article
    )
    behind = (
        span[1] < finder.end
        and tokens[span[1]].kind == "word"
        and tokens[span[1]].low not in group("CONJUNCTIONS") | group("PREPOSITIONS")
    )
    if behind:
        return
    ours = of == "speaker" and slot.startswith("favorite_")
    key = piece.verb == piece.start + 1 and "_" in tokens[piece.start].text
    about = "" if ours or key else piece.subject
    finder.add(slot, span, subject=about, setting=piece.setting, many=not single)

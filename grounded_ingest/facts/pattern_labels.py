"""Facts written as labels: `timeout: 30s`, `DB_HOST=db`, `FACT: name = Ada`, rows of tables."""

from __future__ import annotations

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.slot_names import named_slot
from grounded_ingest.facts.value_spans import TokenSpan, parse_value
from grounded_ingest.language.clauses import UNKNOWN
from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.identifiers import is_identifier
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.persons import Who, holder
from grounded_ingest.language.slots import Slot
from grounded_ingest.language.tokens import Token

_LITERAL = compiled(r"\w-\w|^[A-Z][A-Z0-9]+$")
_MARKS = frozenset(frame_words.LABELS_MARKS.split())
_ANYBODYS = frozenset(("goal", "opinion", "account_type"))
_NO_LABELS = frozenset(frame_words.LABELS_NO_LABELS.split())


def find(finder: Finder) -> None:
    """Labels at the start of a sentence or of its pieces."""
    tokens, at = finder.tokens, 0
    while (
        at < finder.end
        and tokens[at].low in _MARKS
        and at + 1 < finder.end
        and tokens[at + 1].low == ":"
    ):
        at += 2
    start = at
    while at < finder.end:
        low = tokens[at].low
        if low in (":", "=", "|") and start < at:
            stop = _value(finder, start, at)
            start = at = max(stop, at + 1)
            continue
        if low in (",", ";", "|", "("):
            start = at + 1
        at += 1


def _value(finder: Finder, start: int, colon: int) -> int:
    """Take in one label and its value; the index behind it."""
    tokens = finder.tokens
    stop = next(
        (
            i
            for i in range(colon + 1, finder.end)
            if tokens[i].low in (";", "|", ",", "(") and not _inside(finder, i)
        ),
        finder.end,
    )
    if tokens[start].low in _NO_LABELS or colon - start > 6 or stop == colon + 1:
        return colon + 1
    named = _of_named_slot(finder, tokens[start:colon], colon + 1, stop)
    return stop if named or _emit(finder, start, colon, colon + 1, stop) else colon + 1


def _inside(finder: Finder, at: int) -> bool:
    return (
        finder.tokens[at].low == "," and at + 1 < finder.end and finder.tokens[at + 1].low.isdigit()
    )


def _emit(finder: Finder, start: int, end: int, value: int, stop: int) -> bool:
    tokens = finder.tokens
    label = tokens[start:end]
    if not label or value >= stop:
        return False
    slot, subject = named_slot(label, finder.tables)
    known = finder.tables.slots.get(slot)
    identifier = len(label) == 1 and _is_literal(label[0].text)
    assigned = tokens[end].low == "=" or value > end + 1
    if known is None and not (
        (identifier or assigned or (stop - value <= 5 and len(label) <= 3)) and _is_key(label)
    ):
        return False
    span = _value_span(finder, known, value, stop)
    if span is None:
        return False
    if identifier and known is None:
        subject = ""
    subject = subject or _aside(finder, start)
    finder.add(slot, span, of=_of(finder, start, label, slot), subject=subject)
    return True


def _of_named_slot(finder: Finder, label: list[Token], value: int, stop: int) -> bool:
    """`Admin API: port 7002`: the value names its slot, the label what has it."""
    known = finder.tables.slots.get(finder.tokens[value].low)
    if known is None or known.of_person or stop - value != 2 or not _is_key(label):
        return False
    if named_slot(label, finder.tables)[0] in finder.tables.slots:
        return False
    if parse_value(finder.tokens, value + 1, stop, known.values) != (value + 1, stop):
        return False
    subject = " ".join(t.low for t in label)
    finder.add(known.name, (value + 1, stop), subject=subject, of="thing")
    return True


def _is_key(label: list[Token]) -> bool:
    return not any(t.low in function_words() for t in label)


def _is_literal(word: str) -> bool:
    """Whether a label is a key as code or settings write it."""
    return is_identifier(word) or bool(_LITERAL.search(word))


def _value_span(finder: Finder, known: Slot | None, start: int, stop: int) -> TokenSpan | None:
    """The value of a label: of the kind its slot takes, else all of it where it is short."""
    span = parse_value(finder.tokens, start, stop, known.values) if known else None
    titled = known is not None and known.of_person and known.values == "title"
    if span is not None or titled:
        return span
    return (start, stop) if stop - start <= 8 and _plain(finder, start, stop) else None


def _aside(finder: Finder, start: int) -> str:
    """What a label in parentheses is about: the subject of its sentence."""
    before = [t.low for t in finder.tokens[:start]]
    inside = before.count("(") > before.count(")")
    return (finder.sentence.pieces[0].subject or UNKNOWN) if inside else ""


def _of(finder: Finder, start: int, label: list[Token], slot: str) -> Who:
    """Whose a label is that names nobody: of a note by itself, its author's; below a heading or
    in a record, whatever that is of. Things have goals and plans, too."""
    of = holder(label)
    alone = ";" not in (t.low for t in finder.tokens[:start]) and not finder.about
    return "elided" if of == "thing" and alone and slot not in _ANYBODYS else of


def _plain(finder: Finder, start: int, stop: int) -> bool:
    """Whether a value is no sentence of its own."""
    return (
        not any(piece.verb > start and piece.verb < stop - 1 for piece in finder.sentence.pieces)
        or stop - start <= 2
    )

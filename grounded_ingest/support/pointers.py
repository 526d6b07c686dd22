"""What of a claim is not about what its source says: book-keeping cells, pointers, examinations."""

from __future__ import annotations

from functools import cache

from grounded_ingest.language.amount_match import Amount
from grounded_ingest.language.lexicon import support_frames
from grounded_ingest.language.patterns import compiled

_LABEL = compiled(r"(?:^|;)\s*([^:;`.]{1,40}):(?=\s|$)")
_OWN_ID = compiled(
    rf"^(?:{support_frames.ROW_IDS}):\s*`?(?:[A-Z]{{0,6}}-?)?\d+(?:[-.]\d+)?[a-z]?`?\s*(?=;)"
)
_WORD = compiled(r"[a-z#]+(?:-[a-z]+)*")
_VALUE = compiled(r"\d")
_POINTS = compiled(support_frames.POINTS)
_EXAMINES = compiled(support_frames.EXAMINES)
_HEAD = compiled(support_frames.HEAD)
_HEADS = 2
"""Labels that make the head of a document."""
_LONGEST = 3
"""Words of a cell that only keeps books."""


def numbered(text: str) -> tuple[str, str]:
    """A table row in two: the number it has in its own table, and what it states."""
    own = _OWN_ID.match(text)
    return (own[0], text[own.end() :]) if own else ("", text)


def statement(text: str) -> str:
    """A table row without the names of its columns and the cells that only keep books; any other
    text as it is. A cell with a number stays, it could be false."""
    labels = list(_LABEL.finditer(text))
    if len(labels) < 2:
        return text
    text = numbered(text)[1]
    labels = list(_LABEL.finditer(text))
    kept, ends = [text[: labels[0].start()] if labels else text], [m.start() for m in labels[1:]]
    for label, end in zip(labels, (*ends, len(text)), strict=True):
        cell = text[label.end() : end]
        if not _keeps_books(label[1], cell):
            kept.append(cell)
    said = "; ".join(c.strip() for c in kept if c.strip())
    return f"; {said}" if said else _LABEL.sub("; ", text)


def _keeps_books(label: str, cell: str) -> bool:
    words = _WORD.findall(label.lower())
    return (
        bool(words)
        and all(w in _bookkeeping() for w in words)
        and not _VALUE.search(cell)
        and len(cell.split()) <= _LONGEST
    )


def keeps_books(said: Amount, text: str) -> bool:
    """Whether a number says something of the table or document it stands in: a cell of its own, of
    which the column says what it counts, or the version and date at the head of a document."""
    if text.startswith(";") and any(c.strip(" `*_~") == said.text for c in text.split(";")):
        return True
    return heads(text)


def heads(text: str) -> bool:
    """Whether a text is the head of a document: its status, version and date."""
    return len({m[0].lower() for m in _HEAD.finditer(text)}) >= _HEADS


@cache
def _bookkeeping() -> frozenset[str]:
    return frozenset(support_frames.BOOKKEEPING.split())


def points(text: str) -> bool:
    """Whether a sentence says where something can be read."""
    return _POINTS.search(text) is not None


def examines(text: str) -> bool:
    """Whether a sentence says what was done with a source."""
    return _EXAMINES.search(text) is not None


@cache
def told_by_name(ending: str) -> str:
    """What a file's ending says of its content, as words."""
    return support_frames.ENDINGS.get(ending, "")

"""A text with its wrong values replaced by grounded ones, and what nothing licenses left out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from sys import maxsize
from typing import Generic, Protocol, TypeVar

from grounded_ingest.grounding.extraction import reading
from grounded_ingest.grounding.facts import Contradiction, Grounding, Hallucination
from grounded_ingest.grounding.segments import Segment
from grounded_ingest.grounding.sentences import Sentence
from grounded_ingest.grounding.tokens import group
from grounded_ingest.patterns import compiled

_PREPOSITIONS = r"(?:in|on|at|for|with|as|from|by|near|of|within|using|via|to)"
_BEHIND = r"(?=[,.;!?)]|$|\s(?:and|or|in|on|at|for|with|as|from)\b)"
_TIDY = (
    (compiled(r"\s+([,.;:!?)])"), r"\1"),
    (compiled(r"\(\s*\)"), ""),
    (compiled(r"([,;])(?:\s*[,;])+"), r"\1"),
    (compiled(r",?\s+(?:and|or|but)\s*(?=[.;!?)]|$)"), ""),
    (compiled(r",?\s+(?:and|or)\s+(?:and|or)\b"), " and"),
    (compiled(rf"(?:,\s*)?\b{_PREPOSITIONS}(?:\s+(?:the|a|an))?\s*{_BEHIND}"), ""),
    (compiled(r"\b(?:a|an|the)\s*(?=[,.;!?)]|$|\s(?:and|or)\b)"), ""),
    (compiled(r",\s*(?=[.;!?]|$)"), ""),
    (compiled(r",\s+and\s*,"), ","),
    (compiled(r"\s{2,}"), " "),
)  # fmt: skip


class _Span(Protocol):
    @property
    def start(self) -> int: ...


_S = TypeVar("_S", bound=_Span)


class _Ordered(Generic[_S]):
    """Spans by where they begin, so that those of one place are found without a look at all."""

    def __init__(self, spans: Iterable[_S]) -> None:
        self.all = sorted(spans, key=lambda s: s.start)
        self._starts = [s.start for s in self.all]

    def within(self, start: int, end: int) -> list[_S]:
        return self.all[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


def left_out(
    text: str, hallucinations: Sequence[Hallucination], grounding: Sequence[Grounding]
) -> list[tuple[int, int]]:
    """What goes with a detail that nothing licenses: its clause, its list item, its phrase."""
    found = []
    bad = _Ordered(h for h in hallucinations if not h.expected)
    replaced = _Ordered(h for h in hallucinations if h.expected)
    licensed = _Ordered(grounding)
    for sentence in reading(text).sentences if bad.all else ():
        kept = [(g.start, g.end) for g in licensed.within(sentence.start, sentence.end)]
        for number, piece in enumerate(sentence.pieces):
            start, end = sentence.tokens[piece.start].start, sentence.tokens[piece.end - 1].end
            inside = bad.within(start, end)
            if not inside:
                continue
            lists = number + 1 < len(sentence.pieces) and sentence.pieces[number + 1].verb < 0
            grounded = any(start <= g[0] < end for g in kept)
            wrong = bool(replaced.within(start, end))
            if (piece.verb < 0 and piece.start) or not (
                grounded or wrong or (lists and not number)
            ):
                found.append(
                    (sentence.tokens[piece.start - 1].start if piece.start else start, end)
                )
            else:
                found.extend(_phrase(sentence, piece, h, kept) for h in inside)
    return found


def _phrase(
    sentence: Sentence, piece: Segment, wrong: Hallucination, kept: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """A detail with its article and preposition, up to the end of its phrase."""
    tokens = sentence.tokens
    first = next(i for i, t in enumerate(tokens) if t.end > wrong.start)
    last = max(i for i, t in enumerate(tokens) if t.start < wrong.end)

    def is_kept(at: int) -> bool:
        return any(start <= tokens[at].start < end for start, end in kept)

    while last + 1 < piece.end and not is_kept(last + 1):
        low = tokens[last + 1].low
        if low in group("PREPOSITIONS") - {"of"} or low in group("CONJUNCTIONS"):
            break
        if low in group("AUXILIARIES") or (tokens[last + 1].kind == "punct" and low != "'"):
            break
        last += 1
    whole = last + 1 >= piece.end or not is_kept(last + 1)
    loose = group("DETERMINERS") | group("PREPOSITIONS") | {"'s"}
    while (
        whole
        and first - 1 > max(piece.verb, piece.start - 1)
        and tokens[first - 1].low in loose
        and not is_kept(first - 1)
    ):
        first -= 1
    return tokens[first].start, tokens[last].end


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _covered(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether one of some spans, in order and apart, covers a place."""
    before = bisect_right(spans, (at, maxsize)) - 1
    return before >= 0 and at < spans[before][1]


def _changed(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, instead in sorted(changes):
        if start >= at:
            parts += [text[at:start], instead]
            at = end
    return "".join([*parts, text[at:]])


def corrected(
    text: str,
    hallucinations: Sequence[Hallucination],
    undisclosed: Sequence[tuple[int, int, Contradiction]],
    dropped: Sequence[tuple[int, int]],
) -> str:
    """The text as memories would have it."""
    gone = _merged(dropped)
    changes = [(start, end, "") for start, end in gone]
    changes += [(h.start, h.end, h.expected) for h in hallucinations if not _covered(gone, h.start)]
    lowered = text.lower()
    for _, end, contradiction in undisclosed:
        others = [v for v in contradiction.values if v.lower() not in lowered]
        if others:
            changes.append((end, end, f" (changed from {' and '.join(others)})"))
    text = _changed(text, changes)
    if any(not h.expected for h in hallucinations):
        for _ in range(3):
            for pattern, instead in _TIDY:
                text = pattern.sub(instead, text)
    text = text.strip(" ,;")
    return text if any(c.isalnum() for c in text) else ""

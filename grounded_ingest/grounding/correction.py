"""A text with its wrong values replaced by grounded ones, and what nothing licenses left out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import pairwise
from sys import maxsize
from typing import Generic, Protocol, TypeVar

from grounded_ingest.facts.extraction import reading
from grounded_ingest.facts.fact import Contradiction, Grounding, Hallucination
from grounded_ingest.language.clauses import Segment
from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.tokens import Token

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


def removal(
    text: str, hallucinations: Sequence[Hallucination], grounding: Sequence[Grounding]
) -> list[tuple[int, int]]:
    """What goes with a detail that nothing licenses: its clause, its list item, its phrase."""
    found = []
    bad = _Ordered(h for h in hallucinations if not h.expected)
    replaced = _Ordered(h for h in hallucinations if h.expected)
    licensed = _Ordered(grounding)
    for sentence in reading(text).sentences if bad.all else ():
        gone = _unlicensed(sentence, bad, replaced, licensed)
        gone.extend(_gutted(sentence, _merged(gone)))
        if gone and not _says_something(sentence, _merged(gone)):
            gone.append(_with_its_mark(text, sentence))
        found += gone
    return found


def _unlicensed(
    sentence: Sentence,
    bad: _Ordered[Hallucination],
    replaced: _Ordered[Hallucination],
    licensed: _Ordered[Grounding],
) -> list[tuple[int, int]]:
    """The pieces of a sentence that go, and the phrases of those that stay."""
    gone: list[tuple[int, int]] = []
    kept = [(g.start, g.end) for g in licensed.within(sentence.start, sentence.end)]
    for number, piece in enumerate(sentence.pieces):
        start, end = sentence.tokens[piece.start].start, sentence.tokens[piece.end - 1].end
        inside = bad.within(start, end)
        stays = any(start <= g[0] < end for g in kept) or bool(replaced.within(start, end))
        if inside and _goes_whole(sentence.pieces, number, stays=stays):
            gone.append(_clause(sentence, number))
        else:
            gone.extend(_phrase(sentence, piece, h, kept) for h in inside)
    return gone


def _goes_whole(pieces: Sequence[Segment], number: int, *, stays: bool) -> bool:
    """Whether a piece with a detail that has to go, goes as a whole: an item of a list does, and a
    clause in which nothing stays, unless it opens a list."""
    piece = pieces[number]
    if piece.verb < 0 and piece.start:
        return True
    opens_list = number == 0 and len(pieces) > 1 and pieces[1].verb < 0
    return not stays and not opens_list


def _clause(sentence: Sentence, number: int) -> tuple[int, int]:
    """A piece with the conjunction that joins it: the one in front, of the first one behind."""
    tokens, piece = sentence.tokens, sentence.pieces[number]
    if piece.start:
        return tokens[piece.start - 1].start, tokens[piece.end - 1].end
    behind = next(iter(sentence.pieces[number + 1 :]), None)
    if behind is not None and _shares(piece, behind):
        return tokens[piece.verb].start, tokens[behind.start].start
    end = tokens[behind.start].start if behind and behind.own else tokens[piece.end - 1].end
    return tokens[piece.start].start, end


def _shares(piece: Segment, behind: Segment) -> bool:
    """Whether two clauses have one subject: `You play chess and live in Turin`."""
    whole = piece.own and piece.verb > piece.start
    return whole and not behind.own and behind.verb == behind.start


def _gutted(sentence: Sentence, gone: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Verbs that lost what they say, where the next clause has the same subject."""
    found, tokens = [], sentence.tokens
    for piece, behind in pairwise(sentence.pieces):
        left = [i for i in range(piece.verb + 1, piece.end) if not _covered(gone, tokens[i].start)]
        if _shares(piece, behind) and not any(_content(sentence, i) for i in left):
            found.append((tokens[piece.verb].start, tokens[behind.start].start))
    return found


def _says_something(sentence: Sentence, gone: Sequence[tuple[int, int]]) -> bool:
    """Whether a clause is left whole: its subject, its verb, and what it says of it."""
    left = [i for i, t in enumerate(sentence.tokens) if not _covered(gone, t.start)]
    clauses = [p for p in sentence.pieces if p.own and p.verb > p.start] or [
        p for p in sentence.pieces if p.verb == p.start
    ]
    content = [i for i in left if _content(sentence, i)]
    if not clauses:
        return bool(content)
    return any(
        set(range(p.start, p.verb)) <= set(left) and any(i > p.verb for i in content)
        for p in clauses
    )


def _content(sentence: Sentence, at: int) -> bool:
    token = sentence.tokens[at]
    return token.kind not in ("punct", "line") and token.low not in function_words()


def _with_its_mark(text: str, sentence: Sentence) -> tuple[int, int]:
    """A sentence and the mark that ends it."""
    end = sentence.end
    while end < len(text) and text[end] in ".!?":
        end += 1
    return sentence.start, end


def _phrase(
    sentence: Sentence, piece: Segment, wrong: Hallucination, kept: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """A detail with its article and preposition, up to the end of its phrase."""
    tokens = sentence.tokens
    first = next(i for i, t in enumerate(tokens) if t.end > wrong.start)
    last = max(i for i, t in enumerate(tokens) if t.start < wrong.end)

    def is_kept(at: int) -> bool:
        return any(start <= tokens[at].start < end for start, end in kept)

    while last + 1 < piece.end and not is_kept(last + 1) and not _leaves_phrase(tokens[last + 1]):
        last += 1
    if last + 1 < piece.end and is_kept(last + 1):
        return tokens[first].start, tokens[last].end
    loose = group("DETERMINERS") | group("PREPOSITIONS") | {"'s"}
    behind = max(piece.verb, piece.start - 1) + 1
    while first > behind and tokens[first - 1].low in loose and not is_kept(first - 1):
        first -= 1
    return tokens[first].start, tokens[last].end


def _leaves_phrase(token: Token) -> bool:
    """Whether a word stands behind the phrase before it."""
    if token.kind == "punct":
        return token.low != "'"
    joins = group("PREPOSITIONS") | group("CONJUNCTIONS") | group("AUXILIARIES")
    return token.low in joins - {"of"}


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


def _capitals(
    text: str, gone: Sequence[tuple[int, int]], replaced: Set[int]
) -> Iterator[tuple[int, int, str]]:
    """The first letters of sentences that begin later than they did."""
    for start, end in gone:
        opens = text[:start].rstrip()[-1:] in ("", ".", "!", "?") and text[start].isupper()
        if opens and text[end : end + 1].islower() and end not in replaced:
            yield end, end + 1, text[end].upper()


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
    changes += _capitals(text, gone, {h.start for h in hallucinations})
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

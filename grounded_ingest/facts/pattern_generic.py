"""Facts no slot covers: what stands behind a verb, under subject, verb and preposition."""

from __future__ import annotations

from functools import cache

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.value_spans import parse_value, phrase
from grounded_ingest.language.clauses import Segment
from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.lexicon.frames import ADDITIVE
from grounded_ingest.language.polarity import NEGATIONS
from grounded_ingest.language.tokens import entities

PREFIX = "says: "


@cache
def additive() -> frozenset[str]:
    return frozenset(ADDITIVE.split())


def find(finder: Finder) -> None:
    """One fact for every piece that has a verb and yielded none."""
    for piece in finder.sentence.pieces:
        if piece.verb <= piece.start or not piece.subject or _yielded(finder, piece):
            continue
        _tail(finder, piece)


def _yielded(finder: Finder, piece: Segment) -> bool:
    first, last = finder.tokens[piece.start].start, finder.tokens[piece.end - 1].end
    return any(first <= f.start < last for f in finder.facts)


def _tail(finder: Finder, piece: Segment) -> None:
    tokens = finder.tokens
    verb, prep, at = _relation(finder, piece)
    if not verb and not prep:
        return
    span = parse_value(tokens, at, piece.end, "quantity") or phrase(tokens, at, piece.end)
    if span is None or span[1] - span[0] > 5 or tokens[span[0]].low in function_words():
        return
    mine = tokens[span[0] : span[1]]
    telling = (
        mine[0].kind != "word" or any(t.text[:1].isupper() for t in mine) or bool(entities(mine))
    )
    many = verb in additive() or not (telling or (prep and len(mine) <= 3))
    finder.add(f"{PREFIX}{verb} {prep}".strip(), span, many=many, firm=False, take=False)


def _relation(finder: Finder, piece: Segment) -> tuple[str, str, int]:
    """The stem of the full verb, its preposition, and the index behind both; each can be empty."""
    tokens, at, verb, prep = finder.tokens, piece.verb, "", ""
    light = group("AUXILIARIES") | group("ADVERBS") | NEGATIONS
    while at < piece.end and tokens[at].low in light:
        at += 1
    nominal = group("PREPOSITIONS") | group("DETERMINERS")
    if at < piece.end and tokens[at].kind == "word" and tokens[at].low not in nominal:
        verb, at = tokens[at].stem, at + 1
    if at < piece.end and tokens[at].low in group("PREPOSITIONS"):
        prep, at = tokens[at].low, at + 1
    return verb, prep, at

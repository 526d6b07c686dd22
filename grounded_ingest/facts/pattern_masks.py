"""Sentences that are the same but for one value behind the verb, as facts of what surrounds it."""

from __future__ import annotations

from functools import cache

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.content_words import ContentWord, pieces
from grounded_ingest.facts.pattern_generic import PREFIX, additive
from grounded_ingest.language.clauses import COPULAS, Segment
from grounded_ingest.language.lexicon.frames import SWITCHED
from grounded_ingest.language.lexicon.number_words import WEEKDAYS
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.tokens import group

LONGEST = 14
MOST = 4
"""Words of a sentence that is compared as a whole; values of it that are masked."""

_DROPPED = frozenset(("every", "each", "at", "around", "about", "'s"))


@cache
def _switched() -> frozenset[str]:
    return frozenset((*SWITCHED, *SWITCHED.values()))


def find(finder: Finder) -> None:
    """One fact for every value behind the verb, and one for whether the sentence is denied."""
    first = finder.sentence.pieces[0]
    short = len(finder.tokens) <= 2 * LONGEST
    if (
        not short
        or first.verb <= first.start
        or any(t.low in ("if", "when", "unless") for t in finder.tokens)
    ):
        return
    if any(p.verb >= 0 for p in finder.sentence.pieces[1:]):
        return
    content = [p for p in pieces(finder.sentence) if _counts(finder, p)]
    if not 2 <= len(content) <= LONGEST:
        return
    held = {f.start for f in finder.facts if not f.many}
    stated = bool(finder.facts)
    masked = [
        p
        for p in content
        if p.first > first.verb
        and finder.tokens[p.first].start not in held
        and _is_value(finder, p, first)
    ]
    for piece in masked[:MOST]:
        words = ("_" if p is piece else _word(finder, p) for p in content)
        finder.add(
            f"{PREFIX}{' '.join(words)}",
            (piece.first, piece.end),
            subject=first.subject,
            take=False,
            firm=False,
        )
    if len(content) >= 3 and not stated:
        _denied(finder, content, first)


def _counts(finder: Finder, piece: ContentWord) -> bool:
    token = finder.tokens[piece.first]
    left_out = group("DETERMINERS") | group("AUXILIARIES") | group("NEGATIONS") | group("ADVERBS")
    return not (
        piece.end == piece.first + 1
        and (token.low in left_out | _DROPPED)
        and token.low not in _switched()
    )


def _word(finder: Finder, piece: ContentWord) -> str:
    key = piece.keys[0]
    return key if key[:1] in "#@v=" else finder.tokens[piece.first].stem


def _is_value(finder: Finder, piece: ContentWord, first: Segment) -> bool:
    token = finder.tokens[piece.first]
    verb = finder.tokens[first.verb].stem
    main = next(
        (
            t.stem
            for t in finder.tokens[first.verb : piece.first]
            if t.low not in group("AUXILIARIES") and t.kind == "word"
        ),
        verb,
    )
    if piece.keys[0][:1] in "#@v" and piece.keys[0][1:2]:
        behind = finder.tokens[piece.end].low if piece.end < finder.end else ""
        plain = piece.keys[0].startswith("#") and " " not in piece.keys[0]
        return not (plain and main in additive() and not behind.endswith("s"))
    bound = piece.end < finder.end and finder.tokens[piece.end].low == "of"
    if bound and token.low in ("maximum", "minimum"):
        return False  # `a maximum of 12 retries` is a fact of retries
    if token.low in _switched() or token.low.rstrip("s") in WEEKDAYS:
        return True
    there = finder.tokens[first.verb].low in COPULAS and finder.tokens[piece.first - 1].low == "to"
    if (main in additive() and not there) or verb in additive():
        return False  # what is done to something goes on; where it is sent is one place
    named = any(e.first == piece.first for e in finder.sentence.named)
    return (
        named
        or token.kind in ("path", "url")
        or (token.text[:1].isupper() and token.kind == "word")
    )


def _denied(finder: Finder, content: list[ContentWord], first: Segment) -> None:
    """The sentence as a whole: true of it, or denied."""
    last = content[-1]
    if last.first <= first.verb:
        return
    key = " ".join(_word(finder, p) for p in content)
    span = (content[-1].first, content[-1].end)
    finder.add(
        f"{PREFIX}{key}", span, subject=first.subject, take=False, firm=False, value=stem("so")
    )

"""Sentences that are the same but for one value behind the verb, as facts of what surrounds it."""

from __future__ import annotations

from functools import cache

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.content_words import ContentWord, pieces
from grounded_ingest.facts.pattern_generic import PREFIX, additive
from grounded_ingest.language.clauses import COPULAS, Segment
from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.lexicon.frames import SWITCHED
from grounded_ingest.language.lexicon.number_words import WEEKDAYS
from grounded_ingest.language.polarity import NEGATIONS
from grounded_ingest.language.stemming import stem

LONGEST = 14
MOST = 4
"""Words of a sentence that is compared as a whole; values of it that are masked."""

_DROPPED = frozenset(("every", "each", "at", "around", "about", "'s"))


@cache
def _switched() -> frozenset[str]:
    return frozenset((*SWITCHED, *SWITCHED.values()))


def find(finder: Finder) -> None:
    """One fact for every value behind the verb, and one for whether the sentence is denied."""
    if not _comparable(finder):
        return
    first = finder.sentence.pieces[0]
    content = [p for p in pieces(finder.sentence) if _counts(finder, p)]
    if not 2 <= len(content) <= LONGEST:
        return
    stated = bool(finder.facts)
    for piece in _values(finder, content, first)[:MOST]:
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


def _values(finder: Finder, content: list[ContentWord], first: Segment) -> list[ContentWord]:
    """The values behind the verb that no fact holds yet."""
    held = {f.start for f in finder.facts if not f.many}
    behind = (p for p in content if p.first > first.verb)
    free = (p for p in behind if finder.tokens[p.first].start not in held)
    return [p for p in free if _is_value(finder, p, first)]


def _comparable(finder: Finder) -> bool:
    """Whether a sentence is short, has one verb, and says what holds in every case."""
    first, *others = finder.sentence.pieces
    if len(finder.tokens) > 2 * LONGEST or first.verb <= first.start:
        return False
    conditional = any(t.low in ("if", "when", "unless") for t in finder.tokens)
    return not conditional and all(p.verb < 0 for p in others)


def _counts(finder: Finder, piece: ContentWord) -> bool:
    token = finder.tokens[piece.first]
    left_out = group("DETERMINERS") | group("AUXILIARIES") | NEGATIONS | group("ADVERBS")
    return not (
        piece.end == piece.first + 1
        and (token.low in left_out | _DROPPED)
        and token.low not in _switched()
    )


def _word(finder: Finder, piece: ContentWord) -> str:
    key = piece.keys[0]
    return key if key[:1] in "#@v=" else finder.tokens[piece.first].stem


def _is_value(finder: Finder, piece: ContentWord, first: Segment) -> bool:
    token, key = finder.tokens[piece.first], piece.keys[0]
    behind = finder.tokens[piece.end].low if piece.end < finder.end else ""
    main = _main_verb(finder, piece, first)
    if key[:1] in "#@v" and key[1:2]:
        plain = key.startswith("#") and " " not in key
        return not (plain and main in additive() and not behind.endswith("s"))
    if behind == "of" and token.low in ("maximum", "minimum"):
        return False  # `a maximum of 12 retries` is a fact of retries
    if token.low in _switched() or token.low.rstrip("s") in WEEKDAYS:
        return True
    verb = finder.tokens[first.verb]
    there = verb.low in COPULAS and finder.tokens[piece.first - 1].low == "to"
    if verb.stem in additive() or (main in additive() and not there):
        return False  # what is done to something goes on; where it is sent is one place
    return _is_named(finder, piece)


def _main_verb(finder: Finder, piece: ContentWord, first: Segment) -> str:
    """The stem of the first full word from the verb on, else of the verb itself."""
    chain = finder.tokens[first.verb : piece.first]
    full = (t.stem for t in chain if t.low not in group("AUXILIARIES") and t.kind == "word")
    return next(full, finder.tokens[first.verb].stem)


def _is_named(finder: Finder, piece: ContentWord) -> bool:
    """Whether a word is a name, as it is written or as the tables know it."""
    token = finder.tokens[piece.first]
    if token.kind in ("path", "url") or (token.kind == "word" and token.text[:1].isupper()):
        return True
    return any(e.first == piece.first for e in finder.sentence.named)


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

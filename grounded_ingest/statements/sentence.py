"""Reads a text into sentences and clauses, and tells how each word is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.statements.words import Token, words_of
from grounded_ingest.text.code_spans import blank_code
from grounded_ingest.text.lexicon import frame_words, frames, verbs
from grounded_ingest.text.lexicon.function_words import SETTINGS
from grounded_ingest.text.names import canonical, word_stem
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import stops
from grounded_ingest.text.words import NEGATIONS, group

UNKNOWN = "?"
"""The subject of a pronoun that no name stands before."""
BE = frozenset(frame_words.COPULAS.split())
_BREAKS = frozenset((
    ",", ";", "(", ")", "—", "–", "|", "and", "but", "or", "while", "whereas", "because",
))  # fmt: skip
_SUBORDINATE = frozenset((
    "when", "while", "if", "although", "though", "because", "as", "after", "before", "since",
))  # fmt: skip
_ASKING = frozenset((
    "what", "how", "why", "do", "does", "can", "could", "should", "would", "which", "who",
    "where",
))  # fmt: skip
_ASKED = frozenset(("you", "we", "i", "database", "the", "your", "my", "is", "are", "do", "does"))
_NO_DENIAL = frozenset(("only", "just", "sure", "more", "longer"))
_SETTINGS = {word: name for name, listed in SETTINGS.items() for word in listed.split()}


class Meaning(NamedTuple):
    """How a word is meant: `time` is now, before, planned or maybe."""

    time: str = "now"
    denied: bool = False


_CHANGES = [
    (compiled(pattern), meaning)
    for patterns, meaning in (
        (frames.OVER, Meaning("before")),
        (frames.CHANGES, Meaning("before")),
        (frames.DENIED, Meaning(denied=True)),
        (frames.PLANNED, Meaning("planned")),
        (frames.CONSIDERED, Meaning("maybe")),
    )
    for pattern in patterns
]


class Clause(NamedTuple):
    """A part of a sentence. `verb` is the index of its verb, -1 without one. `subject` is empty for
    the speaker or the project."""

    start: int
    end: int
    verb: int
    subject: str
    setting: str


class Sentence(Struct, frozen=True):
    """`tokens` are those of this sentence alone: indices begin at 0."""

    tokens: list[Token]
    pieces: list[Clause]
    meant: list[Meaning]
    question: bool

    def piece(self, at: int) -> Clause:
        """Returns the clause that a word stands in, or the one before it."""
        return next((p for p in reversed(self.pieces) if p.start <= at), self.pieces[0])

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def sentences_of(text: str) -> list[Sentence]:
    """Returns the sentences of a text."""
    ends, found, mine = stops(blank_code(text) if "`" in text else text), [], []
    for word in (*words_of(text), None):
        if word is not None and word.start not in ends and word.kind != "line":
            mine.append(word)
            continue
        if mine and (pieces := _clauses(mine)):
            asks = word is not None and word.low == "?"
            asks = asks or (mine[0].low in _ASKING and len(mine) > 2 and mine[1].low in _ASKED)
            meant = _Meanings(text, mine).read(pieces)
            found.append(Sentence(mine, pieces, meant, asks))
        mine = []
    return found


def _clauses(tokens: list[Token]) -> list[Clause]:
    found: list[Clause] = []
    start = 0
    for at in range(len(tokens) + 1):
        if at == len(tokens) or tokens[at].low in _BREAKS:
            if at > start:
                found.append(_clause(tokens, start, at, found[-1] if found else None))
            start = at + 1
    return found


def _clause(tokens: list[Token], start: int, end: int, before: Clause | None) -> Clause:
    verb = _verb_of(tokens, start, end)
    head = tokens[start : verb if verb >= 0 else start]
    named = [w for w in head if w.low not in group("ADVERBS") and w.kind != "punct"]
    named = [w for w in named if w.low not in group("AUXILIARIES") | NEGATIONS | _SUBORDINATE]
    setting = next((_SETTINGS[w.low] for w in tokens[start:end] if w.low in _SETTINGS), "")
    if named or before is None:
        return Clause(start, end, verb, subject_key(named), setting)
    return Clause(start, end, verb, before.subject, setting or before.setting)


def _verb_of(tokens: list[Token], start: int, end: int) -> int:
    """Returns where the verb of a clause stands, -1 without one. In "the upload limit is" it is the
    form of "be", though "limit" can be a verb."""
    found = [i for i in range(start, end) if is_verb(tokens, i, start)]
    be = next((i for i in found if tokens[i].low in BE), -1)
    if be >= 0 and tokens[start].low in group("DETERMINERS"):
        return be
    return found[0] if found else -1


@cache
def _verb_stems() -> frozenset[str]:
    listed = f"{verbs.REGULAR} {verbs.IRREGULAR} {frame_words.MORE_VERBS}"
    return frozenset(map(word_stem, listed.split())) - {"last", "test", "port", "host", "cod"}


def is_verb(tokens: Sequence[Token], at: int, start: int) -> bool:
    """Whether a word of the clause that begins at `start` is a verb."""
    word = tokens[at]
    before = tokens[at - 1].low if at > start else ""
    if word.low in BE:
        return not (word.low == "'s" and _possesses(tokens, at))
    if before == "'s" or before in group("DETERMINERS") | group("PREPOSITIONS") - {"to"}:
        return False
    if word.low in ("have", "has", "had", "'ve"):
        return at + 1 >= len(tokens) or not tokens[at + 1].low.endswith(("ed", "en"))
    if word.kind != "word":
        return False
    if before in group("PLURAL_SUBJECTS") | {"he", "she", "it", "user"}:
        return word.low not in group("ADVERBS") | group("AUXILIARIES")
    return _known(word, named=at > start and tokens[at - 1].text[:1].isupper(), opens=at == start)


def _known(word: Token, *, named: bool, opens: bool) -> bool:
    """Whether a word is a known verb, or ends like one behind a name: "Spotify hired you"."""
    if word.text[:1].isupper() and not opens:
        return False
    return word.stem in _verb_stems() or (named and word.low.endswith("ed"))


def _possesses(tokens: Sequence[Token], at: int) -> bool:
    """Whether `'s` shows a possessor: "User's name", and not "he's vegan"."""
    before = tokens[at - 1].low if at else ""
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    pronoun = before in ("he", "she", "it", "that", "there", "what", "who")
    return not pronoun and behind is not None and behind.low not in ("a", "an", "the", "not")


def subject_key(tokens: Sequence[Token]) -> str:
    """Returns a subject as a key: empty for the speaker or the project, `?` for a pronoun."""
    out = group("DETERMINERS") | group("SELF") | group("ADVERBS") | _SETTINGS.keys() | {"'s"}
    out |= group("WHOLE") | group("PREPOSITIONS") | {"service", "team", "server", "module"}
    kept = [w for w in tokens if w.low not in out and w.kind != "punct"]
    if any(w.low in group("PRONOUNS") for w in kept):
        return UNKNOWN
    return canonical(" ".join(w.low for w in kept))


class _Shift(NamedTuple):
    """A pattern found in a sentence, and how what it marks is meant."""

    match: re.Match[str]
    meaning: Meaning


class _Meanings:
    """How every word of a sentence is meant: later patterns override earlier ones."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.tokens, self.first = tokens, tokens[0].start
        self.found = [Meaning()] * len(tokens)
        low = text[self.first : tokens[-1].end].lower().replace("’", "'")
        self.changes = [_Shift(m, how) for pattern, how in _CHANGES for m in pattern.finditer(low)]

    def read(self, pieces: list[Clause]) -> list[Meaning]:
        for match, meaning in self.changes:
            for name in match.groupdict().keys() - {"come"}:
                self._fill(match.span(name), meaning)
        self._settle()
        for at, token in enumerate(self.tokens):
            behind = self.tokens[at + 1].low if at + 1 < len(self.tokens) else ""
            if token.low in NEGATIONS and behind not in _NO_DENIAL:
                end = next((p.end for p in pieces if p.start <= at < p.end), len(self.tokens))
                for i in range(at + 1, end):
                    self.found[i] = Meaning(self.found[i].time, denied=True)
        return self.found

    def _settle(self) -> None:
        """Reads both sides of a change: the new value holds now; while the change is only planned
        or considered, the old one still does."""
        open_ends = [m.span() for m, how in self.changes if how.time in ("planned", "maybe")]
        for match, how in self.changes:
            unsettled = any(start <= match.start() < end for start, end in open_ends)
            side = "gone" if unsettled else "come"
            if how.time == "before" and match.groupdict().get(side):
                self._fill(match.span(side), Meaning())

    def _fill(self, span: tuple[int, int], meaning: Meaning) -> None:
        for at, token in enumerate(self.tokens):
            if span[0] <= token.start - self.first < span[1]:
                self.found[at] = meaning

"""A text as sentences, each in pieces, every word with the way it is meant."""

from __future__ import annotations

from msgspec import Struct

from grounded_ingest.language.clauses import Segment, segments
from grounded_ingest.language.status import NOW, Status, statuses
from grounded_ingest.language.tokens import Entity, Token, entities

LONGEST = 400
"""Tokens of a sentence; what is longer is no sentence, and is read in parts."""

_ASKING = frozenset(("what", "how", "why", "do", "does", "can", "could", "should", "would"))
_ASKED = frozenset(("you", "we", "i", "database", "the", "your", "my", "is", "are", "do", "does"))


class Sentence(Struct, frozen=True):
    """`tokens` are those of this sentence alone, so that indices begin at 0."""

    tokens: list[Token]
    pieces: list[Segment]
    meant: list[Status]
    named: list[Entity]
    question: bool

    def piece(self, at: int) -> Segment:
        """The piece a token stands in, or the one before a break."""
        last = self.pieces[0]
        for piece in self.pieces:
            if piece.start > at:
                break
            last = piece
        return last

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def read_sentences(tokens: list[Token], stops: frozenset[int]) -> list[Sentence]:
    """The sentences of a text; `stops` are where the marks stand that end them."""
    found: list[Sentence] = []
    start, before = 0, ""
    for at, token in enumerate((*tokens, None)):
        ends = token is None or token.start in stops or token.kind == "line"
        if not ends and at - start < LONGEST:
            continue
        asks = token is not None and token.low == "?"
        mine = tokens[start:at]
        start = at + 1 if ends else at
        if not mine:
            continue
        pieces = segments(mine, 0, len(mine), before)
        if not pieces:
            continue
        before = next((p.subject for p in reversed(pieces) if p.subject), before)
        question = asks or _asks(mine)
        meant = statuses(mine, pieces) if not question else [NOW] * len(mine)
        found.append(Sentence(mine, pieces, meant, entities(mine), question))
    return found


def _asks(tokens: list[Token]) -> bool:
    """A question without its mark: `do you know`, `what database are we using`."""
    return (
        len(tokens) > 2
        and tokens[0].low in _ASKING
        and tokens[0].text[:1].isupper()
        and tokens[1].low in _ASKED
    )

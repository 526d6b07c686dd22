"""Where the frames put what they find in one sentence."""

from __future__ import annotations

from grounded_ingest.facts.fact import Fact, Time
from grounded_ingest.language.clauses import UNKNOWN
from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.persons import SOMEBODY, Who, is_order
from grounded_ingest.language.reading import Reading
from grounded_ingest.language.slots import Slot, Tables
from grounded_ingest.language.status import Status
from grounded_ingest.language.tokens import Token
from grounded_ingest.language.value_normal_form import normal

_IN_CASE = frozenset(("if", "unless", "whether"))

# Settings that are what a slot is about: `CI runs on Buildkite` does not hold in CI only.
_OWN = {"ci_cd": ("ci",), "testing": ("test",)}


class Finder:
    """Collects the facts of one sentence. A span holds one value of one slot."""

    def __init__(self, sentence: Sentence, reading: Reading, about: str, slots: Tables) -> None:
        self.sentence, self.reading, self.about = sentence, reading, about
        self.tokens: list[Token] = sentence.tokens
        self.end = len(self.tokens)
        self.tables = slots
        self.facts: list[Fact] = []
        self.taken: set[int] = set()
        self._seen: set[tuple[str, int]] = set()

    def free(self, start: int, end: int) -> bool:
        return not any(i in self.taken for i in range(start, end))

    def who(self, at: int) -> Who:
        """Of whom a piece speaks in what begins at a place. Nothing but light words may stand
        between an elided subject and what is said of it; an order has none, and what is said of
        some case is said of nobody yet."""
        piece, tokens = self.sentence.piece(at), self.tokens
        if any(t.low in _IN_CASE for t in tokens[:at]):
            return "thing"
        if piece.who != "elided":
            return piece.who
        part = piece.start + 1 < at and tokens[piece.start + 1].low == "of"  # `one of eight`
        if part or (piece.verb == piece.start and is_order(tokens, piece.verb)):
            return "thing"
        between = (tokens[i] for i in range(piece.start, at) if i != piece.verb)
        loose = all(t.low in function_words() or t.kind == "num" for t in between)
        return "elided" if loose else "thing"

    def add(
        self,
        slot: str,
        span: tuple[int, int],
        *,
        subject: str | None = None,
        setting: str = "",
        many: bool | None = None,
        firm: bool = True,
        value: str = "",
        planned: bool = False,
        take: bool = True,
        status: Status | None = None,
        of: Who | None = None,
    ) -> None:
        """State a fact about a span of tokens, unless it is only considered, or of something that
        cannot have it. `of`: whose it is; without it, the subject's of the piece."""
        first, last = self.tokens[span[0]], self.tokens[span[1] - 1]
        status = status or self.sentence.meant[span[0]]
        if (status.time == "maybe" and not planned) or (slot, first.start) in self._seen:
            return
        known = self.tables.slots.get(slot)
        if known is not None and not self._can_have(known, span[0], of):
            return
        self._seen.add((slot, first.start))
        if many is None:
            many = known.many if known else False
        if take:
            self.taken.update(range(*span))
        piece = self.sentence.piece(span[0])
        where = setting or piece.setting
        written = self.reading.text[first.start : last.end]
        time: Time = "now" if planned else status.time  # type: ignore[assignment]
        self.facts.append(
            Fact(
                self._about(piece.subject if subject is None else subject),
                slot,
                written,
                normal(value or written),
                first.start,
                last.end,
                not status.denied,
                time,
                "" if where in _OWN.get(slot, ()) else where,
                many,
                firm,
            )
        )

    def _can_have(self, slot: Slot, at: int, of: Who | None) -> bool:
        """Whether what a fact is of can have the slot: those of people only somebody."""
        return not slot.of_person or (of or self.who(at)) in SOMEBODY

    def _about(self, subject: str) -> str:
        """A subject, or what the text is about where it names none."""
        return self.about if not subject or (subject == UNKNOWN and self.about) else subject

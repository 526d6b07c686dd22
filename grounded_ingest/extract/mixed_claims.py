"""Claims that mix what is better stored apart, and their parts. Precision first: a claim is split
where two whole clauses of other types meet at a joint that says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from grounded_ingest.language.clause_form import CODE, main_verb, shape
from grounded_ingest.language.lexicon import memory_splits as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading
from grounded_ingest.language.statements import third_person

_LEAST = 3
_SHORTEST, _LONGEST = 24, 600
_LABEL = 6
_EARLY = 6
"""Words of the shortest clause that is stored alone; characters of the claims looked at;
words of a label; words of an event's subject and verb."""
_JOINT = compiled(
    rf"(?i)(?:[,;:.—–(-]\s*|\s)(?:and\s+)?\b(?P<word>{'|'.join(lexicon.JOINTS)})\b"
    rf"\s*,?\s*(?:that )?"
)
_JOINTS = frozenset(joint.split()[-1] for joint in lexicon.JOINTS)
_STOP = compiled(r";| [—–] ")
_STOPS = (";", " — ", " – ")
_PAST = ("main past", "main ed", "main perfect")
_STANDING = ("main present", "main can", "main third person")
_ASKING = ("imperative", "prohibition")
_NO_FACT = (*_ASKING, "condition", "wh")


class ClauseSpan(NamedTuple):
    """A part of a claim: its place in the text, its words, how it begins, its finite verb."""

    start: int
    end: int
    tokens: list[str]
    shape: str
    verb: str

    @property
    def past(self) -> bool:
        """Whether it reports an event: its verb is past, early, and no participle of a noun."""
        if self.shape in ("past verb", "noun", "article first", "we first", "infinitive", "code"):
            early = self.tokens[:_EARLY]
            return self.shape == "past verb" or main_verb(early) in _PAST
        return False

    @property
    def standing(self) -> bool:
        return self.verb in _STANDING and not self.shape.startswith(_NO_FACT)

    @property
    def asks(self) -> bool:
        return self.shape in _ASKING or self.verb == "main must"

    @property
    def whole(self) -> bool:
        return sum(t[0].isalnum() or t[0] == CODE for t in self.tokens) >= _LEAST


def split_of(text: str, masked: str, tokens: Sequence[str]) -> tuple[str, ...]:
    """What a claim mixes and its parts; empty where it mixes nothing. `tokens` are those of its
    masked text."""
    if not _SHORTEST < len(text) < _LONGEST:
        return ()
    for kind, before, after in _found(masked, tokens):
        return kind, text[before.start : before.end].strip(), text[after.start : after.end].strip()
    return ()


def _found(text: str, tokens: Sequence[str]) -> Iterator[tuple[str, ClauseSpan, ClauseSpan]]:
    if not _JOINTS.isdisjoint(tokens):
        yield from _at_joints(text)
    for before, after in pairwise(_clauses(text)):
        if before.whole and after.whole and (kind := _beside(before, after, text)):
            yield kind, before, after


def _at_joints(masked: str) -> Iterator[tuple[str, ClauseSpan, ClauseSpan]]:
    for m in _JOINT.finditer(masked):
        before, after = _clause(masked, 0, m.start()), _clause(masked, m.end(), len(masked))
        whole = before.whole and after.whole
        if whole and (kind := _joined(lexicon.JOINTS[m["word"].lower()], before, after)):
            yield kind, before, after


def _clause(masked: str, start: int, end: int) -> ClauseSpan:
    tokens = Reading("", masked[start:end]).cues
    label = next((at + 1 for at, t in enumerate(tokens[:_LABEL]) if t == ":"), 0)
    tokens = tokens[label:]
    return ClauseSpan(start, end, tokens, shape(tokens), main_verb(tokens))


def _clauses(text: str) -> list[ClauseSpan]:
    if not any(map(text.__contains__, _STOPS)):
        return []
    stops = list(_STOP.finditer(text))
    starts = [0, *(m.end() for m in stops)]
    ends = [*(m.start() for m in stops), len(text)]
    return [_clause(text, *span) for span in zip(starts, ends, strict=True)] if stops else []


def _joined(joint: str, before: ClauseSpan, after: ClauseSpan) -> str:
    if _prefers(before) and _shown(after):
        return "preference|event"
    if joint == "belief":
        if before.past and after.standing:
            return "event|belief"
        return "fact|rule" if before.standing and after.asks else ""
    return "occurrence|motive" if before.past and not after.past and not after.asks else ""


def _beside(before: ClauseSpan, after: ClauseSpan, masked: str) -> str:
    """What two clauses mix that nothing but a stop joins."""
    if _prefers(before) and _shown(after):
        return "preference|event"
    stop = masked[before.end : after.start].strip()
    if before.standing and after.asks and stop in (";", "—", "–"):
        return "fact|rule"
    subjects = _subject(masked, before), _subject(masked, after)
    apart = all(subjects) and subjects[0] != subjects[1] and not _shared(before, after)
    return "subject|subject" if apart else ""


def _prefers(clause: ClauseSpan) -> bool:
    return not _words("PREFERRING").isdisjoint(clause.tokens)


def _shown(clause: ClauseSpan) -> bool:
    return clause.past and not _words("SHOWN").isdisjoint(clause.tokens)


def _subject(masked: str, clause: ClauseSpan) -> str:
    """The name a clause begins with, if its verb follows at once."""
    words = masked[clause.start : clause.end].split()
    if len(words) < _LEAST or not words[0].isalpha() or not words[0][0].isupper():
        return ""
    told = words[1] in third_person() or words[1] in ("is", "are")
    finite = told or (words[1].islower() and words[1][-1] == "s" and words[1][-2:] != "ss")
    return words[0] if finite and words[0].lower() not in _words("ANAPHORS") else ""


def _shared(before: ClauseSpan, after: ClauseSpan) -> bool:
    """Whether the second clause goes on speaking of what the first one named."""
    told = {t for t in before.tokens if len(t) > 3 or t[0] == CODE}
    return any(t in told or t in _words("ANAPHORS") for t in after.tokens)


@cache
def _words(name: str) -> frozenset[str]:
    words: str = getattr(lexicon, name)
    return frozenset(words.split())

"""Memories that go beyond their source: an event made a rule, a reason or a universal added."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from grounded_ingest.language.lexicon import contamination as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Claim, Evidence, Form, MemoryType, Support
from grounded_ingest.support.alignment import aligned, back
from grounded_ingest.support.claim_view import Clause
from grounded_ingest.support.passages import SourcePassage, SourceText
from grounded_ingest.support.verdict import SourceVerdict, judge, weigh

if TYPE_CHECKING:
    import re

PROSE = ("adr", "commit", "issue", "page", "section", "text")
"""Sources that would tell a reason, or of an event; a line of code tells neither."""


ALIKE, BACK = 0.7, 0.6
"""Share of a claim's words in a sentence, and of the sentence's in the claim, from which on the one
is made of the other."""


class ComparedCitation(NamedTuple):
    """A citation of a claim that was compared with its source."""

    evidence: Evidence
    source: SourceText
    judged: SourceVerdict


def generalization(claim: Claim, said: str, read: Sequence[ComparedCitation], whole: bool) -> str:
    """An event of the source stored as a standing fact or rule."""
    del whole
    if claim.memory_type is MemoryType.EPISODIC or not evident(claim):
        return ""
    habit = pattern("HABITUAL").search(said)
    if habit is None or pattern("ANCHORS").search(said):
        return ""
    events = [_event(said, r.source) for r in read if r.source.kind in PROSE]
    if not events or len(events) < len(read) or not all(events):
        return ""
    return (
        f"generalization_error: the source tells of one event (“{events[0][:120]}”), "
        f"this says {habit[0]!r}"
    )


def _event(said: str, source: SourceText) -> str:
    """The sentence of a source that a memory was made of, if all it tells is that something
    happened once."""
    held = weigh(said, source).held
    if held is None or held.coverage < 0.4:
        return ""
    near = [held.passages[f.at] for f in held.found if f.at >= 0]
    if any(p.code or _lasts(p.text) or not pattern("PAST").search(p.text) for p in near):
        return ""
    return next((p.text for p in near if pattern("ANCHORS").search(p.text)), "")


def _lasts(text: str) -> bool:
    return bool(pattern("LASTING").search(text) or pattern("HABITUAL").search(text))


def inference(claim: Claim, said: str, read: Sequence[ComparedCitation], whole: bool) -> str:
    """A cause, motive or universal that no source has, beside what one of them says."""
    if not whole or not evident(claim) or any(r.source.kind not in PROSE for r in read):
        return ""
    return _reason(said, read) or _universal(said, read)


def _reason(said: str, read: Sequence[ComparedCitation]) -> str:
    for found in pattern("INFERRING").finditer(said):
        seed, added = said[: found.start()].strip(" ,"), said[found.start("marker") :]
        if len(seed.split()) < 4 or len(added.split()) < 4:
            continue
        if not any(judge(seed, r.source).support is Support.SUPPORTED for r in read):
            continue
        if all(_absent(said[found.end() :], r.source) for r in read):
            return f"spurious_inference_stored: the source does not say “{added.rstrip('.')}”"
    return ""


def _absent(added: str, source: SourceText) -> bool:
    """Whether hardly a telling word of a reason stands in a source."""
    held = weigh(added, source).held
    if held is None:
        return False
    grades = [
        g
        for f in held.found
        for t, g in zip(f.clause.terms, f.grades, strict=True)
        if t.weight >= 1
    ]
    return len(grades) >= 2 and sum(g > 0 for g in grades) * 3 <= len(grades)


def _universal(said: str, read: Sequence[ComparedCitation]) -> str:
    """A memory without exception of a sentence of a source that states one."""
    universal = pattern("UNIVERSAL").search(said)
    if universal is None or pattern("RESTRICTED").search(said):
        return ""
    for one in read:
        held = weigh(said, one.source).held
        for found in held.found if held else ():
            passage = held.passages[found.at] if held and found.at >= 0 else None
            if passage is None or passage.code or not _made_of(found.clause, passage):
                continue
            bound = pattern("RESTRICTED").search(passage.text)
            if bound and not pattern("UNIVERSAL").search(passage.text):
                said_there = f"the source says {bound[0]!r} where this says {universal[0]!r}"
                return f"spurious_inference_stored: {said_there}"
    return ""


def _made_of(clause: Clause, passage: SourcePassage) -> bool:
    if not pattern("UNIVERSAL").search(clause.reading.text):
        return False
    nothing = frozenset[str]()
    return aligned(clause, passage, nothing) >= ALIKE and back(clause, passage, nothing) >= BACK


def evident(claim: Claim) -> bool:
    """Whether a claim is a sentence that stands on what it cites, and no part of one."""
    return claim.form in (Form.PROSE, Form.RECORD) and bool(pattern("EVIDENT").search(claim.text))


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A group of words of the lexicon, whatever their case."""
    return compiled(f"(?i){getattr(lexicon, name)}")

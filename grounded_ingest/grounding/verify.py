"""Whether memories say what a text says: `verify`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from grounded_ingest.facts.extraction import by_sentence, reading
from grounded_ingest.facts.fact import (
    Contradiction,
    Fact,
    Grounding,
    Hallucination,
    Memory,
    Verification,
)
from grounded_ingest.grounding import disclosure
from grounded_ingest.grounding.correction import corrected, removal
from grounded_ingest.grounding.licensing import Licensing
from grounded_ingest.grounding.memory_index import HeldFact, Memories
from grounded_ingest.language.parse import is_english

VerificationMode = Literal["strict", "permissive"]
FEW = 32
"""Contradictions that are all looked for in a text, whatever slots it names."""

_Supported = list[tuple[Fact, tuple[HeldFact, ...]]]


def verify_text(
    text: str, memories: Memories | Iterable[Memory], *, mode: VerificationMode = "strict"
) -> Verification:
    """Judge a text by memories.

    `permissive` reports details that no slot covers and no memory licenses, but lets them pass. A
    text in which there is nothing to verify is never grounded.
    """
    index = memories if isinstance(memories, Memories) else Memories(memories)
    read = reading(text)
    grounding: list[Grounding] = []
    wrong: list[Hallucination] = []
    supported: _Supported = []
    words = foreign = 0
    facts = by_sentence(read)
    for sentence in read.sentences:
        if sentence.question:
            continue
        if not is_english(sentence):
            foreign += len(sentence.tokens)
            continue
        mine = facts.get(sentence.start, ())
        outcome = Licensing(sentence, mine, text, index).outcome()
        grounding.extend(outcome.grounding)
        wrong.extend(outcome.hallucinations)
        supported.extend(outcome.supported)
        words += outcome.words
    touched = _touched(text, read.facts, supported, index)
    hallucinations = tuple(sorted(wrong, key=lambda h: (h.start, h.end)))
    return _result(
        text,
        mode,
        read.facts,
        grounding,
        hallucinations,
        touched,
        supported,
        index,
        (words, foreign),
    )


def _touched(
    text: str, facts: Sequence[Fact], supported: _Supported, index: Memories
) -> tuple[Contradiction, ...]:
    """The contradictions among the memories, those the text uses judged by what it says of them."""
    named = {(f.subject, f.slot) for f in facts}
    named |= {(h.fact.subject, h.fact.slot) for _, held in supported for h in held}
    if len(index.contradictions) > FEW and not any(key in index.contradicted for key in named):
        return index.contradictions
    few = len(index.contradictions) <= FEW
    return tuple(
        disclosure.judged(c, text, facts, supported, index)
        if few or (c.subject, c.slot) in named
        else c
        for c in index.contradictions
    )


def _result(
    text: str,
    mode: VerificationMode,
    facts: tuple[Fact, ...],
    grounding: list[Grounding],
    wrong: tuple[Hallucination, ...],
    touched: tuple[Contradiction, ...],
    supported: _Supported,
    index: Memories,
    counted: tuple[int, int],
) -> Verification:
    used = [] if touched is index.contradictions else [c for c in touched if c.used]
    undisclosed = [c for c in used if not c.disclosed]
    counting = [h for h in wrong if mode == "strict" or h.slot or h.reason != "unsupported"]
    words, foreign = counted
    verdict = _verdict(bool(counting), bool(undisclosed), words, foreign)
    places = _places(supported, undisclosed)
    fixed = (
        corrected(text, wrong, places, removal(text, wrong, grounding))
        if mode == "strict" and (wrong or undisclosed)
        else ""
    )
    return Verification(
        text,
        mode,
        verdict == "grounded",
        verdict,
        wrong,
        touched,
        bool(undisclosed),
        disclosure.expected(used),
        fixed,
        tuple(sorted(grounding, key=lambda g: (g.start, g.end))),
        _confidence(grounding, wrong, bool(undisclosed), index),
        facts,
        round(words / (words + foreign), 4) if words else 0.0,
    )


def _verdict(
    wrong: bool, undisclosed: bool, words: int, foreign: int
) -> Literal["grounded", "ungrounded", "undisclosed", "nothing-to-verify", "out-of-scope"]:
    if wrong:
        return "ungrounded"
    if undisclosed:
        return "undisclosed"
    if foreign:
        return "out-of-scope"
    return "grounded" if words else "nothing-to-verify"


def _places(
    supported: _Supported, undisclosed: list[Contradiction]
) -> list[tuple[int, int, Contradiction]]:
    """Where in the text the undisclosed values stand."""
    found = []
    for contradiction in undisclosed:
        place = next(
            (
                (f.start, f.end)
                for f, held in supported
                for h in held
                if (h.fact.slot, h.fact.subject) == (contradiction.slot, contradiction.subject)
            ),
            None,
        )
        if place:
            found.append((*place, contradiction))
    return found


def _confidence(
    grounding: list[Grounding], wrong: tuple[Hallucination, ...], undisclosed: bool, index: Memories
) -> float:
    """The mean trust of what licenses each detail, 0 for what nothing does; halved while a
    contradiction is not disclosed."""
    trust = index.trust_by_id
    scores = [max(trust.get(i, 0.0) for i in g.memory_ids) for g in grounding if g.memory_ids]
    scores += [0.0] * len(wrong)
    if not scores:
        return 0.0
    return round(sum(scores) / len(scores) * (0.5 if undisclosed else 1.0), 4)

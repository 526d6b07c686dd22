"""Whether memories say what a text says (`verify`), and whether it says of their contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
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
from grounded_ingest.grounding.correction import corrected, removal
from grounded_ingest.grounding.licensing import Licensing
from grounded_ingest.grounding.memory_index import HeldFact, HeldMemories, Memories
from grounded_ingest.language.parse import is_english
from grounded_ingest.language.stemming import canonical
from grounded_ingest.language.value_normal_form import entails, normal

VerificationMode = Literal["strict", "permissive"]
FEW = 32
"""Contradictions that are all looked for in a text, whatever slots it names."""

_Supported = list[tuple[Fact, tuple[HeldFact, ...]]]


def verify_text(
    text: str, memories: HeldMemories | Iterable[Memory], *, mode: VerificationMode = "strict"
) -> Verification:
    """Judge a text by memories.

    `permissive` reports details that no slot covers and no memory licenses, but lets them pass. A
    text in which there is nothing to verify is never grounded.
    """
    index = memories if isinstance(memories, HeldMemories) else Memories(memories)
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
    text: str, facts: Sequence[Fact], supported: _Supported, index: HeldMemories
) -> tuple[Contradiction, ...]:
    """The contradictions among the memories, those the text uses judged by what it says of them."""
    named = {(f.subject, f.slot) for f in facts}
    named |= {(h.fact.subject, h.fact.slot) for _, held in supported for h in held}
    if len(index.contradictions) > FEW and not any(key in index.contradicted for key in named):
        return index.contradictions
    few = len(index.contradictions) <= FEW
    return tuple(
        _disclosed(c, text, facts, supported, index) if few or (c.subject, c.slot) in named else c
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
    index: HeldMemories,
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
        _expected_words(used),
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
    grounding: list[Grounding],
    wrong: tuple[Hallucination, ...],
    undisclosed: bool,
    index: HeldMemories,
) -> float:
    """The mean trust of what licenses each detail, 0 for what nothing does; halved while a
    contradiction is not disclosed."""
    trust = index.trust_by_id
    scores = [max(trust.get(i, 0.0) for i in g.memory_ids) for g in grounding if g.memory_ids]
    scores += [0.0] * len(wrong)
    if not scores:
        return 0.0
    return round(sum(scores) / len(scores) * (0.5 if undisclosed else 1.0), 4)


def _disclosed(
    contradiction: Contradiction,
    text: str,
    facts: Sequence[Fact],
    supported: Sequence[tuple[Fact, tuple[HeldFact, ...]]],
    memories: HeldMemories,
) -> Contradiction:
    """A contradiction with whether the text uses one of its values, and names more than one."""
    used = any(
        (h.fact.slot, h.fact.subject) == (contradiction.slot, contradiction.subject)
        and memories.all[h.memory].id in contradiction.memory_ids
        for fact, held in supported if fact.time == "now" for h in held
    )  # fmt: skip
    named = [
        v for v in contradiction.values if _names(_without_longer(text, v, contradiction), facts, v)
    ]
    used = used or any(
        f.slot == contradiction.slot and any(entails(normal(v), f.normal) for v in named)
        for f in facts
        if f.subject == contradiction.subject
    )
    return Contradiction(
        contradiction.slot, contradiction.subject, contradiction.values, contradiction.memory_ids,
        contradiction.trust_scores, contradiction.timestamps, contradiction.places,
        contradiction.most_recent, contradiction.most_trusted,
        used=used or len(named) > 1, disclosed=len(named) > 1,
    )  # fmt: skip


def _without_longer(text: str, value: str, contradiction: Contradiction) -> str:
    """A text without the other values that this one stands in: Engineer in Senior Engineer."""
    for other in contradiction.values:
        at = text.lower().find(other.lower())
        if (
            at >= 0
            and value.lower() != other.lower()
            and set(normal(value).parts) < set(normal(other).parts)
        ):
            text = f"{text[:at]} {text[at + len(other) :]}"
    return text


def _names(text: str, facts: Sequence[Fact], value: str) -> bool:
    """Whether a text names a value, in its own or another spelling."""
    wanted = normal(value)
    if any(f.normal.key == wanted.key for f in facts):
        return True
    size = max(1, len(value.split()))
    spread = {size, size + 1, size - 1, 1, 2, 3, len(wanted.key.split())} - {0}
    if any(wanted.key in _keys(text, length) for length in spread):
        return True
    return (
        bool(wanted.parts)
        and wanted.kind == "name"
        and set(wanted.parts) <= _parts(text)
        and not _within(wanted.parts, facts)
    )


@lru_cache(maxsize=8)
def _words(text: str) -> Sequence[str]:
    plain = text.lower().replace("(", " ").replace("→", " ")
    return tuple(w.strip(".,;:()!?\"'`[]") for w in plain.split())


@lru_cache(maxsize=64)
def _keys(text: str, length: int) -> frozenset[str]:
    """What every piece of a text of so many words may be called; made once for all values."""
    words = _words(text)
    pieces = {" ".join(words[at : at + length]) for at in range(len(words) - length + 1)} - {""}
    return frozenset(key for p in pieces for key in (canonical(p), normal(p).key))


@lru_cache(maxsize=8)
def _parts(text: str) -> frozenset[str]:
    return frozenset(p for w in _words(text) for p in normal(w).parts)


def _within(parts: tuple[str, ...], facts: Sequence[Fact]) -> bool:
    """Whether a value only stands inside a longer one: Engineer in Senior Engineer."""
    return any(set(parts) < set(f.normal.parts) for f in facts)


def _expected_words(contradictions: Sequence[Contradiction]) -> str:
    """`Amazon (changed from Microsoft)`, most recent first; of several, one after the other."""
    return "; ".join(_expected(c) for c in contradictions)


def _expected(contradiction: Contradiction) -> str:
    order = sorted(
        range(len(contradiction.values)),
        key=lambda i: (
            contradiction.timestamps[i] is not None,
            contradiction.timestamps[i] or 0.0,
            contradiction.trust_scores[i],
            i,
        ),
        reverse=True,
    )
    first, *others = [contradiction.values[i] for i in order]
    return f"{first} (changed from {' and '.join(others)})"

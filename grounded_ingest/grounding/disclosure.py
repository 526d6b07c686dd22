"""Contradictions that a text touches: whether it says so, and how it would."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from grounded_ingest.facts.fact import Contradiction, Fact
from grounded_ingest.grounding.memory_index import HeldFact, Memories
from grounded_ingest.language.stemming import canonical
from grounded_ingest.language.value_normal_form import entails, normal


def judged(
    contradiction: Contradiction,
    text: str,
    facts: Sequence[Fact],
    supported: Sequence[tuple[Fact, tuple[HeldFact, ...]]],
    memories: Memories,
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


def expected(contradictions: Sequence[Contradiction]) -> str:
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

"""Scores over labelled examples: verdicts, spans, maps, corrections, facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

from msgspec import Struct

from benchmarks.quality.groundingbench import NO_CORRECTION, Example, Judgement, right
from grounded_ingest.facts.extraction import facts
from grounded_ingest.facts.fact import Fact
from grounded_ingest.grounding.memory_index import Memories
from grounded_ingest.grounding.verify import verify_text
from grounded_ingest.language.value_normal_form import entails, normal, same


class Score(Struct, frozen=True):
    """`precision`, `recall` and `f1` are of finding what is not grounded or not disclosed."""

    name: str
    right: int
    total: int
    accuracy: float
    precision: float
    recall: float
    f1: float


def score(name: str, examples: Sequence[Example], judgements: Sequence[Judgement]) -> Score:
    hits = sum(right(e, j) for e, j in zip(examples, judgements, strict=True))
    wrong = [not e.grounded or e.disclosure for e in examples]
    said = [not j.grounded or j.disclosure for j in judgements]
    both = sum(a and b for a, b in zip(wrong, said, strict=True))
    precision = both / sum(said) if any(said) else 0.0
    recall = both / sum(wrong) if any(wrong) else 0.0
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    total = len(examples)
    return Score(
        name,
        hits,
        total,
        *(round(x, 4) for x in (hits / total if total else 0.0, precision, recall, f1)),
    )


def latency(judgements: Sequence[Judgement]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    spent = sorted(1000 * j.seconds for j in judgements) or [0.0]
    return {
        "median_ms": round(spent[len(spent) // 2], 3),
        "p95_ms": round(spent[ceil(0.95 * len(spent)) - 1], 3),
    }


def _words(text: str) -> set[str]:
    return {w.strip(".,;:()'\"").lower() for w in text.split()} - {""}


def spans(examples: Sequence[Example], judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Hallucinated spans, right when they share half of their words with a label's."""
    found = wanted = hit_found = hit_wanted = 0
    for example, judgement in zip(examples, judgements, strict=True):
        labels = [_words(s) for s in example.label.get("hallucinations") or ()]
        mine = [_words(h.text) for h in judgement.result.hallucinations] if judgement.result else []
        found, wanted = found + len(mine), wanted + len(labels)
        hit_wanted += sum(any(2 * len(w & m) >= len(w) for m in mine) for w in labels)
        hit_found += sum(any(2 * len(w & m) >= len(m) for w in labels) for m in mine)
    precision, recall = hit_found / found if found else 1.0, hit_wanted / wanted if wanted else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(f1, 4),
        "labelled": wanted,
    }


def maps(examples: Sequence[Example], judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Entries of the labels' grounding maps that stand in ours, with all their memories."""
    wanted = hits = 0
    for example, judgement in zip(examples, judgements, strict=True):
        mine = judgement.result.grounding_map if judgement.result else {}
        for span, ids in (example.label.get("grounding_map") or {}).items():
            wanted += 1
            labelled = {ids} if isinstance(ids, str) else set(ids)
            named = {i for key, held in mine.items() if _words(key) & _words(span) for i in held}
            hits += labelled <= named
    return {"right": hits, "labelled": wanted}


def corrections(examples: Sequence[Example], judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Corrections that hold no wrong span and are grounded, and those that are word for word."""
    tried = clean = exact = written = 0
    for example, judgement in zip(examples, judgements, strict=True):
        labels = example.label.get("hallucinations") or ()
        if not labels or judgement.result is None:
            continue
        text = judgement.result.corrected
        tried += 1
        left = verify_text(text, Memories(example.memories))
        seen = bool(judgement.result.hallucinations) and not left.hallucinations
        clean += seen and not any(w.lower() in text.lower() for w in labels)
        expected = example.label.get("expected_correction") or NO_CORRECTION
        if expected != NO_CORRECTION:
            written += 1
            exact += _words(expected) == _words(text)
    return {"tried": tried, "clean": clean, "exact": exact, "written": written}


# What the slots of `dataset.json` are called here, by what they mean. Its `database` holds caches,
# its `backend_framework` web servers and its `language` runtimes.
SAME = {
    "programming_language": ("language", "skill", "runtime"),
    "language": ("language", "runtime"),
    "database": ("database", "cache"),
    "backend_framework": ("backend_framework", "web_server"),
}


def _everything(text: str) -> Sequence[Fact]:
    return facts(text, persons=True)


def extraction(
    rows: Sequence[dict[str, Any]],
    stated: Callable[[str], Sequence[Fact]] = _everything,
) -> dict[str, Any]:
    """Slots with their values; precision over slots that the data knows, unlabelled ones apart."""
    inventory = {slot for row in rows for slot in row["expected"]}
    known = {name for slot in inventory for name in (slot, *SAME.get(slot, ()))}
    hits = wanted = found = 0
    unlabelled: list[str] = []
    for row in rows:
        mine = [
            f for f in stated(row["text"]) if f.time == "now" and f.polarity and f.slot in known
        ]
        wanted += len(row["expected"])
        left = list(mine)
        for slot, value in row["expected"].items():
            hit = next((f for f in left if _matches(f, slot, value)), None)
            if hit is not None:
                hits += 1
                left = [f for f in left if f is not hit and (f.slot != hit.slot or not f.many)]
        found += len(left)
        unlabelled.extend(f"{row['id']}: {f.slot} = {f.value}" for f in left)
    precision, recall = (
        hits / (hits + found) if hits + found else 0.0,
        hits / wanted if wanted else 0.0,
    )
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return {
        "sentences": len(rows), "slots": wanted, "right": hits, "precision": round(precision, 4),
        "recall": round(recall, 4), "f1": round(f1, 4), "unlabelled": unlabelled,
    }  # fmt: skip


def _matches(fact: Fact, slot: str, value: str) -> bool:
    if fact.slot != slot and fact.slot not in SAME.get(slot, ()):
        return False
    wanted = normal(str(value))
    return same(fact.normal, wanted) or entails(fact.normal, wanted)

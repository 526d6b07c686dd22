"""A run over labelled examples of grounding, and how it is shown: JSON, text, Markdown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins

from benchmarks.quality import groundingbench as bench
from benchmarks.quality.grounding_folds import Data, folds
from benchmarks.quality.grounding_scores import (
    Score,
    corrections,
    extraction,
    latency,
    maps,
    score,
    spans,
)

SCHEMA = "grounded-ingest/bench-groundingbench/1"


class Run(Struct, frozen=True):
    """`scores` holds one row each for all, every category and every difficulty, by who judged."""

    schema: str
    examples: int
    disputed: tuple[dict[str, Any], ...]
    scores: dict[str, tuple[Score, ...]]
    undisputed: Score
    templates: tuple[Score, ...]
    latency: dict[str, dict[str, float]]
    spans: dict[str, Any]
    grounding_map: dict[str, Any]
    corrections: dict[str, Any]
    misses: tuple[dict[str, Any], ...]
    extraction: dict[str, Any] | None
    folds: dict[str, Any] | None
    groundcheck: str = ""


def run(directory: str, facts: str = "", count: int = 0) -> Run:
    """Judge everything in a directory. `facts` is a `dataset.json`, else the one in it; `count`
    folds are held out one after the other, none without it."""
    native, templates = bench.load(directory)
    mine = [bench.ours(e) for e in native]
    template = [bench.ours(e) for e in templates]
    library, why_not = bench.groundcheck()
    by_judge = {"ours": mine, **_others(native, library)}
    certain = [(e, j) for e, j in zip(native, mine, strict=True) if e.id not in bench.DISPUTED]
    path = facts or f"{directory}/dataset.json"
    rows = bench.facts_of(path) if facts or os.path.exists(path) else []
    return Run(
        SCHEMA,
        len(native),
        tuple(_disputed(native, mine)),
        {name: tuple(_scores(native, judged)) for name, judged in by_judge.items()},
        score("undisputed", [e for e, _ in certain], [j for _, j in certain]),
        tuple(_grouped(templates, template, "category")),
        {
            name: latency(judged)
            for name, judged in by_judge.items()
            if any(j.seconds for j in judged)
        },
        spans(native, mine),
        maps(native, mine),
        corrections(native, mine),
        tuple(_misses([*native, *templates], [*mine, *template])),
        extraction(rows) if rows else None,
        folds(Data(native, templates, rows), count) if count else None,
        why_not,
    )


def _others(
    native: Sequence[bench.Example], library: bench.Judging | None
) -> dict[str, list[bench.Judgement]]:
    judges: dict[str, bench.Judging | None] = {
        "always grounded": bench.always_grounded,
        "category majority": bench.majority(native),
        "word overlap": bench.word_overlap,
        "groundcheck": library,
    }
    return {name: [judge(e) for e in native] for name, judge in judges.items() if judge}


def _scores(examples: Sequence[bench.Example], judged: Sequence[bench.Judgement]) -> list[Score]:
    categories, levels = (_grouped(examples, judged, by) for by in ("category", "difficulty"))
    return [score("all", examples, judged), *categories, *levels]


def _grouped(
    examples: Sequence[bench.Example], judged: Sequence[bench.Judgement], by: str
) -> list[Score]:
    """Scores of the examples that share a field's value."""
    found = []
    for value in dict.fromkeys(getattr(e, by) for e in examples):
        some = [(e, j) for e, j in zip(examples, judged, strict=True) if getattr(e, by) == value]
        found.append(score(value, [e for e, _ in some], [j for _, j in some]))
    return found


def _disputed(
    examples: Sequence[bench.Example], judged: Sequence[bench.Judgement]
) -> list[dict[str, Any]]:
    return [
        {"id": e.id, "reason": bench.DISPUTED[e.id], "agrees": bench.right(e, j)}
        for e, j in zip(examples, judged, strict=True)
        if e.id in bench.DISPUTED
    ]


def _misses(
    examples: Sequence[bench.Example], judged: Sequence[bench.Judgement]
) -> list[dict[str, Any]]:
    return [
        {"id": e.id, "text": e.text, "grounded": j.grounded, "disclosure": j.disclosure,
         "labelled": {"grounded": e.grounded, "disclosure": e.disclosure}}
        for e, j in zip(examples, judged, strict=True)
        if not bench.right(e, j) and e.id not in bench.DISPUTED
    ]  # fmt: skip


def as_json(result: Run) -> str:
    from grounded_ingest.report.as_json import pretty

    return pretty(to_builtins(result))


def as_text(result: Run) -> str:
    """The figures in lines."""
    lines = [f"{result.examples} examples, {len(result.disputed)} disputed"]
    for judge, scores in result.scores.items():
        spent = result.latency.get(judge)
        took = f", median {spent['median_ms']} ms, p95 {spent['p95_ms']} ms" if spent else ""
        lines.append(f"{judge}: {scores[0].right}/{scores[0].total}, F1 {scores[0].f1:.2f}{took}")
        lines.extend(f"  {s.name}: {s.right}/{s.total}, F1 {s.f1:.2f}" for s in scores[1:])
    if result.groundcheck:
        lines.append(f"groundcheck: {result.groundcheck}")
    lines.append(f"undisputed: {result.undisputed.right}/{result.undisputed.total}")
    lines.extend(f"template {s.name}: {s.right}/{s.total}" for s in result.templates)
    lines.append(f"spans: F1 {result.spans['f1']:.2f} of {result.spans['labelled']}")
    lines.append(
        f"grounding map: {result.grounding_map['right']}/{result.grounding_map['labelled']}"
    )
    c = result.corrections
    lines.append(
        f"corrections: {c['clean']}/{c['tried']} clean, {c['exact']}/{c['written']} word for word"
    )
    if result.extraction:
        e = result.extraction
        lines.append(
            f"extraction: F1 {e['f1']:.3f} ({e['right']} of {e['slots']} slots, "
            f"precision {e['precision']:.3f})"
        )
    lines.extend(_folded(result.folds) if result.folds else ())
    lines.extend(f"disputed {d['id']}: {d['reason']}" for d in result.disputed)
    lines.extend(f"miss {m['id']}: {m['text']}" for m in result.misses)
    return "".join(f"{line}\n" for line in lines)


def _folded(folded: dict[str, Any]) -> list[str]:
    listed = folded["entries"]
    lines = [f"{listed['in_examples']} of {listed['all']} lexicon entries occur in the examples"]
    for key, name in (
        ("from_all", "all examples"),
        ("from_own", "the same set"),
        ("from_own_names_kept", "the same set, names kept"),
    ):
        f = folded[key]
        f1 = "" if f["extraction_f1"] is None else f", extraction F1 {f['extraction_f1']:.3f}"
        lines.append(
            f"{folded['folds']}-fold, entries drawn from the other folds of {name}: {f['native']} "
            f"native, {f['undisputed']} undisputed, {f['templates']} templates{f1} "
            f"({min(f['entries_removed'])} to {max(f['entries_removed'])} entries removed)"
        )
    return lines


def as_markdown(result: Run) -> str:
    """Scores as a table."""
    judges = list(result.scores)
    names = [s.name for s in result.scores["ours"]]
    lines = [f"| | {' | '.join(judges)} |", f"|---|{'--:|' * len(judges)}"]
    for i, name in enumerate(names):
        cells = [f"{result.scores[j][i].right}/{result.scores[j][i].total}" for j in judges]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    rest = [
        line
        for line in as_text(result).splitlines()
        if "-fold" in line
        or line.startswith(("undisputed", "template", "spans", "grounding", "corr", "extr"))
    ]
    return "".join(f"{line}\n" for line in [*lines, "", *(f"- {line}" for line in rest)])

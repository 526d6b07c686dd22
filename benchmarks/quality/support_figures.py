"""A run over labelled claims, or over pairs, as text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import to_builtins

from benchmarks.quality.pairs import Row, Tried, rows
from benchmarks.quality.support import SupportRun
from grounded_ingest.report.as_json import pretty


def as_json(run: SupportRun) -> str:
    return pretty(to_builtins(run))


def as_text(run: SupportRun) -> str:
    """A table for each set: precision, recall and F1 of every verdict, by method."""
    half = f", half {run.half}" if run.half else ""
    lines = [f"{run.data}{half}: {run.examples} examples, {run.coverage:.1%} with text"]
    for name, methods in run.sets.items():
        for m in methods:
            wrong = _rate(m.contradicted_supported)
            lines.append(
                f"\n{name}, {m.method}: {m.examples} examples, AUC {_rate(m.auc)}, "
                f"supported called contradicted {wrong}"
            )
            lines.extend(
                f"  {s.verdict:13} {s.labelled:5} labelled {s.given:5} given"
                f"  P {_rate(s.precision)}  R {_rate(s.recall)}  F1 {_rate(s.f1)}"
                for s in m.verdicts
            )
    return "\n".join(lines) + "\n"


def _rate(value: float | None) -> str:
    return "  -  " if value is None else f"{value:.3f}"


def pairs_as_json(tried: Sequence[Tried], curve: Sequence[dict[str, Any]]) -> str:
    table = [{**r._asdict(), "rate": round(r.rate, 4), "interval": r.interval} for r in rows(tried)]
    misses = [
        {"id": t.id, "way": t.way, "kind": t.kind, "claim": t.claim, **to_builtins(t.judged)}
        for t in tried
        if t.passed is not (t.way == "true")
    ]
    shown = {"schema": "grounded-ingest/bench-pairs/1", "rows": table, "curve": curve}
    return pretty({**shown, "misses": misses})


def pairs_as_text(tried: Sequence[Tried], curve: Sequence[dict[str, Any]]) -> str:
    """Write-back by way, friction by kind of source, and both over the coverage threshold."""
    lines = [_row(r) for r in rows(tried)]
    lines += [
        "",
        "coverage  " + "  ".join(k for k in (curve[0] if curve else ()) if k != "coverage"),
    ]
    lines += [_point(p) for p in curve]
    return "\n".join(lines) + "\n"


def _row(row: Row) -> str:
    low, high = row.interval
    what = "friction" if row.way == "true" else "write-back"
    rate = 1 - row.rate if row.way == "true" else row.rate
    if row.way == "true":
        low, high = 1 - high, 1 - low
    return (
        f"{row.way:13} {row.kind or 'all':7} {row.trials:5}  {what} {rate:.3f} "
        f"({low:.3f} to {high:.3f}), {row.contradicted} contradicted"
    )


def _point(point: dict[str, Any]) -> str:
    return "  ".join(f"{v:.3f}" for v in point.values())


def point(tried: Iterable[Tried], coverage: float) -> dict[str, Any]:
    """Write-back of each group of ways, and friction, at one threshold."""
    from benchmarks.quality.pairs import HALF, TRUE, VALUES, WORDS

    groups: dict[str, list[bool]] = {"values": [], "words": [], "swaps": [], "half": [], TRUE: []}
    names = {**dict.fromkeys(VALUES, "values"), **dict.fromkeys(WORDS, "words"), HALF: "half"}
    for one in tried:
        groups[TRUE if one.way == TRUE else names.get(one.way, "swaps")].append(one.passed)
    rates = {k: round(sum(v) / len(v), 4) if v else 0.0 for k, v in groups.items()}
    friction = round(1 - rates.pop(TRUE), 4)
    return {"coverage": coverage, **rates, "friction": friction}

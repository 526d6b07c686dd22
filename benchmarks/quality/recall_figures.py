"""The figures of `benchmarks.quality recall`, as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.intervals import wilson
from benchmarks.quality.recall import HALVES, MOST, TOP, Asked, Run
from grounded_ingest.report.as_json import pretty

_HEAD = (
    "half",
    "questions",
    f"answer in the top {TOP}",
    "left empty",
    "abstained rightly",
    "by the answers first written",
    f"top {TOP} if forced",
    f"flat, top {TOP}",
    f"flat, top {MOST}",
    "at half its tokens",
    "tokens flat / half / ours",
)


def figures(run: Run) -> list[dict[str, Any]]:
    """A row for each half, and all together."""
    halves = [h for h in HALVES if any(a.question.half == h for a in run.rows)]
    return [
        {
            "half": half or "all",
            **_row([a for a in run.rows if half in ("", a.question.half)]),
        }
        for half in (*halves, "")
    ]


def _row(rows: Sequence[Asked]) -> dict[str, Any]:
    answerable = [a for a in rows if a.question.answerable]
    others = [a for a in rows if not a.question.answerable]
    return {
        "answerable": len(answerable),
        "unanswerable": len(others),
        "top": _share(answerable, lambda a: a.right),
        "abstained": _share(others, lambda a: a.right),
        "written_top": _share(
            [a for a in answerable if a.question.written.answers], lambda a: 0 < a.written <= TOP
        ),
        "wrongly_abstained": _share(answerable, lambda a: not a.served),
        "forced_top": _share(answerable, lambda a: 0 < a.forced <= TOP),
        "flat_top": _share(answerable, lambda a: 0 < a.flat <= TOP),
        "flat_most": _share(answerable, lambda a: a.flat > 0),
        "half_tokens": _share(answerable, lambda a: a.half > 0),
        "tokens": {
            "flat": _mean([a.flat_tokens for a in answerable]),
            "half": _mean([a.half_tokens for a in answerable]),
            "ours": _mean([a.tokens for a in answerable]),
        },
    }


def _share(rows: Sequence[Asked], holds: Callable[[Asked], bool]) -> dict[str, Any]:
    hits = sum(map(holds, rows))
    low, high = wilson(hits, len(rows))
    share = round(hits / len(rows), 4) if rows else None
    return {"count": hits, "share": share, "interval": [round(low, 4), round(high, 4)]}


def _mean(values: Sequence[int]) -> float:
    return round(sum(values) / len(values), 1) if values else 0.0


def as_json(run: Run) -> str:
    return pretty(
        {
            "schema": "grounded-ingest/bench-recall/3",
            "repository": run.name,
            "claims": run.claims,
            "served": run.served,
            "pending": run.pending,
            "figures": figures(run),
            "wrong": [_wrong(a) for a in run.rows if not a.right],
            "left_out": run.left_out,
        }
    )


def _wrong(asked: Asked) -> dict[str, Any]:
    return {
        "id": asked.question.id,
        "half": asked.question.half,
        "answerable": asked.question.answerable,
        "served": asked.served,
        "rank": asked.rank,
        "rank_if_forced": asked.forced,
        "covered": round(asked.covered, 3),
    }


def as_text(run: Run) -> str:
    cells = [_HEAD, *(tuple(_cells(row)) for row in figures(run))]
    widths = [max(len(row[n]) for row in cells) for n in range(len(_HEAD))]
    table = [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells
    ]
    return "\n".join([_what(run), *table, *_left_out(run)]) + "\n"


def as_markdown(run: Run) -> str:
    rows = [_HEAD, ["---", *["--:"] * (len(_HEAD) - 1)], *(list(_cells(r)) for r in figures(run))]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([_what(run), "", *lines, *_left_out(run)]) + "\n"


def _what(run: Run) -> str:
    asked = "every claim is served (--pending)" if run.pending else "these are served"
    return f"{run.name}: {run.claims} claims, {run.served} proved, approved or cited; {asked}"


def _left_out(run: Run) -> list[str]:
    count = len(run.left_out)
    said = f"{count} left out, as a line that answers is not there: {', '.join(run.left_out[:20])}"
    return [said] if count else []


def _cells(row: dict[str, Any]) -> Iterator[str]:
    yield row["half"]
    yield f"{row['answerable']} + {row['unanswerable']}"
    for name in (
        "top",
        "wrongly_abstained",
        "abstained",
        "written_top",
        "forced_top",
        "flat_top",
        "flat_most",
        "half_tokens",
    ):
        found = row[name]
        low, high = found["interval"]
        share = "-" if found["share"] is None else f"{found['share']:.1%}"
        yield f"{share} ({low:.0%}-{high:.0%})" if name in ("top", "abstained") else share
    yield " / ".join(f"{row['tokens'][n]:.0f}" for n in ("flat", "half", "ours"))

"""What a write-back run says: rows, totals, misses; as JSON, as text, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from msgspec import Struct

from grounded_ingest.bench.mutations import MUTATIONS
from grounded_ingest.bench.writeback import ShownTrial, Trial
from grounded_ingest.language.printable import printable
from grounded_ingest.report.as_json import decision_json, pretty

FIRST = ("existence", "form", "authority")
"""The groups whose write-back rate has to be zero without reading any source."""


class Figures(Struct, frozen=True):
    """Trials by outcome; `interval` is the 95% interval of the write-back rate."""

    name: str
    group: str
    trials: int
    tier_1: int
    tier_2: int
    tier_3: int
    unseen: int
    write_back_rate: float | None
    interval: tuple[float, float]


class Run(Struct, frozen=True):
    """A whole run, as JSON shows it. `misses` are trials that were written back."""

    schema: str
    repository: str
    revision: str
    seed: int
    n: int
    rows: tuple[Figures, ...]
    totals: tuple[Figures, ...]
    misses: tuple[dict[str, Any], ...]


def gathered(
    trials: Sequence[Trial],
    *,
    repository: str,
    revision: str,
    seed: int,
    n: int,
) -> Run:
    """The figures of a run's trials."""
    rows = [
        _figures(name, way.group, [t for t in trials if t.mutation == name])
        for name, way in MUTATIONS.items()
    ]
    first = [t for t in trials if MUTATIONS[t.mutation].group in FIRST]
    totals = [
        _figures("existence, form and authority", "", first),
        _figures("content", "", [t for t in trials if MUTATIONS[t.mutation].group == "content"]),
        _figures("all", "", trials),
    ]
    misses = tuple(_miss(t) for t in trials if t.written_back)
    schema = "grounded-ingest/bench-writeback/1"
    return Run(schema, repository, revision, seed, n, tuple(rows), tuple(totals), misses)


def _figures(name: str, group: str, trials: Sequence[Trial]) -> Figures:
    hits = sum(t.written_back for t in trials)
    low, high = wilson(hits, len(trials))
    one, two, three, unseen = (sum(t.tier == n for t in trials) for n in (1, 2, 3, 0))
    rate = round(hits / len(trials), 4) if trials else None
    interval = (round(low, 4), round(high, 4))
    return Figures(name, group, len(trials), one, two, three, unseen, rate, interval)


def _miss(trial: Trial) -> dict[str, Any]:
    return {
        "id": trial.id,
        "mutation": trial.mutation,
        "group": MUTATIONS[trial.mutation].group,
        "tier": trial.tier,
        "rules": trial.rules,
        "form": trial.plant.form,
        "text": trial.plant.text,
    }


def as_json(run: Run) -> str:
    return pretty(run)


_COLUMNS = ("trials", "tier 1", "tier 2", "tier 3", "unseen", "written back", "95% interval")


def _cells(row: Figures) -> list[str]:
    counts = [row.trials, row.tier_1, row.tier_2, row.tier_3, row.unseen]
    if row.write_back_rate is None:
        return [*map(str, counts), "-", "-"]
    low, high = (100 * bound for bound in row.interval)
    return [*map(str, counts), f"{100 * row.write_back_rate:.1f}%", f"{low:.1f} to {high:.1f}%"]


def _blocks(run: Run) -> list[tuple[str, list[Figures]]]:
    groups = [*FIRST, "content"]
    return [(g, [r for r in run.rows if r.group == g]) for g in groups] + [
        ("in all", list(run.totals))
    ]


def as_text(run: Run) -> str:
    """The tables in columns, then the misses."""
    lines = [f"{run.repository} at {run.revision[:12]}, seed {run.seed}"]
    for title, rows in _blocks(run):
        head = [f"{c:>8}" for c in _COLUMNS[:5]] + [f"{_COLUMNS[5]:>13}", f"{_COLUMNS[6]:>16}"]
        lines.append(f"\n{title:<30}" + "".join(head))
        for row in rows:
            *counts, rate, interval = _cells(row)
            cells = "".join(f"{c:>8}" for c in counts)
            lines.append(f"  {row.name:<28}{cells}{rate:>13}{interval:>16}")
    return "\n".join([*lines, *_misses_text(run)]) + "\n"


def _misses_text(run: Run) -> list[str]:
    """Misses of the groups that must have none, and some of the others."""
    if not run.misses:
        return []
    first = [m for m in run.misses if m["group"] in FIRST]
    others = {m["mutation"]: m for m in reversed(run.misses) if m["group"] not in FIRST}
    shown = [*first, *reversed(others.values())]
    lines = ["", "written back (see one with --trial ID):"]
    for miss in shown:
        how = "never judged" if miss["tier"] == 0 else f"approved by {', '.join(miss['rules'])}"
        lines.append(f"  {miss['id']}: {how}: {printable(miss['text'], 160)}")
    if left := len(run.misses) - len(shown):
        lines.append(f"  and {left} more of content (--output-format json lists all)")
    return lines


def as_markdown(run: Run) -> str:
    """The tables, for a page."""
    lines = []
    for title, rows in _blocks(run):
        lines += [f"| {title} | {' | '.join(_COLUMNS)} |", "|---|" + "--:|" * len(_COLUMNS)]
        lines += [f"| {row.name} | {' | '.join(_cells(row))} |" for row in rows]
        lines.append("")
    return "\n".join(lines)


def shown_as_json(shown: ShownTrial) -> str:
    """One trial with its files and the decisions of its change."""
    trial = shown.trial
    whole = {
        **_miss(trial),
        "written_back": trial.written_back,
        "path": shown.planted.path,
        "lines": shown.planted.lines,
        "landed": trial.plant.landed,
        "files": {**trial.plant.files, **shown.planted.files},
        "decisions": [decision_json(d) for d in shown.decisions],
    }
    return pretty(whole)


def shown_as_text(shown: ShownTrial) -> str:
    """One trial for reading: the falsehood, where it stands, and what was decided of its change."""
    trial, plant = shown.trial, shown.trial.plant
    outcome = "written back" if trial.written_back else f"caught (tier {trial.tier})"
    first, last = shown.planted.lines
    lines = [
        f"{trial.id}: {outcome}",
        f"falsehood: {printable(plant.text)}",
        f"form: {plant.form}, {shown.planted.path} lines {first} to {last}",
    ]
    lines += [f"after: {printable(plant.beside)}"] if plant.beside else []
    for when, files in (("landed before", plant.landed), ("in the same change", plant.files)):
        for path, text in files.items():
            lines += [f"{when}: {path}", *(f"    {printable(x)}" for x in text.splitlines())]
    lines += [line for d in shown.decisions for line in _decided(decision_json(d))]
    return "\n".join([*lines, *(["no claim was judged"] if not shown.decisions else [])]) + "\n"


def _decided(said: dict[str, Any]) -> list[str]:
    evidence = [
        f"    {e['kind']} {printable(e['target'])}: {e['verdict']} {printable(e['reason'])}"
        for e in said["citations"]
    ]
    place = f"{printable(said['path'])}:{said['line']}"
    return [
        f"{place}: tier {said['tier']}, {said['rule']}: {printable(said['claim'], 200)}",
        f"    {said['reason']}",
        *(e.rstrip() for e in evidence),
    ]


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """95% interval of a rate (Wilson, 1927)."""
    if not trials:
        return 0.0, 1.0
    z, rate = 1.959964, hits / trials
    centre = rate + z * z / (2 * trials)
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)

"""The table: rows with a figure and its budget, as text, JSON and Markdown."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

HEAD = ("run", "what is measured", "ours", "compared with", "figure", "budget", "met", "rounds")


class Budget(NamedTuple):
    """What a figure may be at most, or must be at least."""

    limit: float
    least: bool = False

    def allows(self, figure: float) -> bool:
        """Never for what is no number."""
        return figure >= self.limit if self.least else figure <= self.limit


class Row(NamedTuple):
    """`figure` in `unit` is held against the budget; without one it is only reported."""

    run: str
    what: str
    ours: str
    theirs: str
    figure: float
    unit: str
    rounds: int
    budget: Budget | None = None

    @property
    def met(self) -> bool | None:
        return None if self.budget is None else self.budget.allows(self.figure)

    @property
    def cells(self) -> tuple[str, ...]:
        budget = ""
        if self.budget is not None:
            budget = f"{'>=' if self.budget.least else '<='} {self.budget.limit:g}{self.unit}"
        met = {None: "", True: "yes", False: "**no**"}[self.met]
        figure = number(self.figure) + self.unit if math.isfinite(self.figure) else "none"
        return (
            self.run, self.what, self.ours, self.theirs, figure, budget, met, str(self.rounds)
        )  # fmt: skip

    @property
    def record(self) -> dict[str, Any]:
        budget = None if self.budget is None else self.budget._asdict()
        figure = self.figure if math.isfinite(self.figure) else None
        return self._asdict() | {"figure": figure, "budget": budget, "met": self.met}


def number(figure: float) -> str:
    """Three digits that count."""
    return f"{figure:.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


def seconds(taken: float) -> str:
    return f"{taken:.3g} s" if taken >= 1 else f"{taken * 1e3:.3g} ms"


def megabytes(size: float) -> float:
    return size / 1e6


def markdown(rows: Iterable[Row]) -> str:
    lines = [f"| {' | '.join(HEAD)} |", "|---|---|---|---|--:|--:|---|--:|"]
    lines += [f"| {' | '.join(c.replace('|', '/') for c in row.cells)} |" for row in rows]
    return "\n".join(lines) + "\n"


def text(rows: Sequence[Row]) -> str:
    table = [HEAD, *(row.cells for row in rows)]
    widths = [max(len(cells[i]) for cells in table) for i in range(len(HEAD))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)) for cells in table]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def as_json(rows: Iterable[Row], notes: dict[str, str]) -> str:
    return json.dumps({"notes": notes, "rows": [r.record for r in rows]}, indent=2) + "\n"


def exponent(points: Iterable[tuple[float, float]]) -> float:
    """The power of growth: the slope of log y over log x by least squares; NaN under 2 sizes."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    if len({x for x, _ in logs}) < 2:
        return math.nan
    mean_x = math.fsum(x for x, _ in logs) / len(logs)
    mean_y = math.fsum(y for _, y in logs) / len(logs)
    above = math.fsum((x - mean_x) * (y - mean_y) for x, y in logs)
    return above / math.fsum((x - mean_x) ** 2 for x, _ in logs)

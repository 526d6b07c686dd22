"""How well a tool does: precision, recall and false alarms by task and class, with intervals."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from benchmarks.corpus.cases import EXACT, WRONG, Case
from benchmarks.corpus.results import Result, Said
from benchmarks.intervals import wilson
from benchmarks.quality.labels import block_of
from grounded_ingest.report.as_json import pretty

SCHEMA = "grounded-ingest/corpus-score/1"
ALL = "all"


class Share(Struct, frozen=True):
    """Part of a whole with its 95% interval (Wilson)."""

    part: int
    whole: int
    interval: tuple[float, float]

    @classmethod
    def of(cls, part: int, whole: int) -> Share:
        low, high = wilson(part, whole)
        return cls(part, whole, (round(low, 4), round(high, 4)))

    def __str__(self) -> str:
        if not self.whole:
            return "-"
        low, high = (f"{100 * bound:.0f}" for bound in self.interval)
        return f"{self.part} of {self.whole}: {self.part / self.whole:.0%} ({low} to {high})"


class Row(Struct, frozen=True):
    """A class of a task. Of what is looked for: `recall` of all there are, `precision` of all that
    was named; `alarms`: named of those it is not."""

    task: str
    kind: str
    cases: int
    recall: Share
    precision: Share
    alarms: Share


class Answer(Struct, frozen=True):
    """A case and what the tool said of it: `wrong`, a label, or nothing."""

    id: str
    tree: str
    places: tuple[str, ...]
    label: str
    said: str


class Score(Struct, frozen=True):
    """`left_out` are trees at hand in which the tool did not run, `unplaced` results without a line
    in any tree."""

    schema: str
    tool: str
    split: str
    trees: int
    left_out: tuple[str, ...]
    unplaced: int
    rows: tuple[Row, ...]
    answers: tuple[Answer, ...]


def scored(tool: str, cases: Sequence[Case], said: Said, trees: str, split: str) -> Score:
    """Score the cases of trees in which the tool ran: of tasks with labels, those it gives one."""
    given = {r.label for results in said.results.values() for r in results}
    labels: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        labels[case.task] |= {case.label} & given
    wanted = [c for c in cases if split in (ALL, c.split) and (c.task in WRONG or labels[c.task])]
    at_hand = {c.tree.name for c in wanted} & set(os.listdir(trees))
    asked = [c for c in wanted if c.tree.name in at_hand & said.results.keys()]
    told = {c.id: _told(c, said.results[c.tree.name], labels[c.task], trees) for c in asked}
    answers = (
        Answer(c.id, c.tree.name, tuple(f"{p}:{n}" for p, n in c.places), c.label, told[c.id])
        for c in asked
    )
    return Score(
        SCHEMA, tool, split, len({c.tree for c in asked}),
        tuple(sorted(at_hand - said.results.keys())), said.unplaced,
        tuple(_rows(asked, told)), tuple(answers),
    )  # fmt: skip


def _told(case: Case, results: Sequence[Result], labels: set[str], trees: str) -> str:
    spans = [(path, *_span(case, f"{trees}/{case.tree.name}/{path}", n)) for path, n in case.places]
    named = [
        r.label for r in results
        if any(r.path == p and r.first <= last and first <= r.last for p, first, last in spans)
    ]  # fmt: skip
    if case.task in WRONG:
        return "wrong" if "" in named else ""
    return next((label for label in named if label in labels), "")


def _span(case: Case, file: str, line: int) -> tuple[int, int]:
    """The line, or all that is left of its paragraph, item or row where a sentence begins there."""
    if case.task in EXACT or case.task not in WRONG:
        return line, line
    return line, _ends(file).get(line, line)


@cache
def _ends(file: str) -> Mapping[int, int]:
    """The last line of the block of each line outside fences."""
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            lines = opened.read().split("\n")
    except OSError:
        return {}
    ends, fenced = {}, False
    for number, line in enumerate(lines, 1):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if not fenced:
            ends[number] = block_of(lines, number)[-1]
    return ends


def _rows(cases: Iterable[Case], told: Mapping[str, str]) -> Iterator[Row]:
    by_task: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_task[case.task].append(case)
    for task, own in sorted(by_task.items()):
        yield from _of_wrong(task, own, told) if task in WRONG else _of_labels(task, own, told)


def _of_wrong(task: str, cases: Sequence[Case], told: Mapping[str, str]) -> Iterator[Row]:
    kinds = sorted({c.kind for c in cases} - {task})
    for kind in (*kinds, ALL):
        own = [c for c in cases if kind in (c.kind, ALL)]
        wrong = {c.id for c in own if c.label == WRONG[task]}
        yield _row(task, kind, {c.id for c in own}, wrong, {c.id for c in own if told[c.id]})


def _of_labels(task: str, cases: Sequence[Case], told: Mapping[str, str]) -> Iterator[Row]:
    every = {c.id for c in cases}
    for label in sorted({c.label for c in cases}):
        there = {c.id for c in cases if c.label == label}
        yield _row(task, label, every, there, {c.id for c in cases if told[c.id] == label})


def _row(task: str, kind: str, every: set[str], there: set[str], named: set[str]) -> Row:
    right = len(there & named)
    others = Share.of(len(named) - right, len(every) - len(there))
    return Row(
        task, kind, len(every), Share.of(right, len(there)), Share.of(right, len(named)), others
    )


HEAD = ("task", "class", "cases", "recall", "precision", "false alarms")


def _cells(row: Row) -> tuple[str, ...]:
    return row.task, row.kind, str(row.cases), *map(str, (row.recall, row.precision, row.alarms))


def as_text(score: Score) -> str:
    table = [HEAD, *map(_cells, score.rows)]
    widths = [max(len(cells[i]) for cells in table) for i in range(len(HEAD))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in table]
    lines = [f"{score.tool}: {score.split} split, {score.trees} trees", *lines]
    lines += [f"left out, no results: {name}" for name in score.left_out]
    lines += [f"{score.unplaced} results name no line of a tree"] if score.unplaced else []
    return "\n".join(lines) + "\n"


def as_markdown(score: Score) -> str:
    lines = [f"| {' | '.join(HEAD)} |", "|---|---|--:|--:|--:|--:|"]
    return "\n".join([*lines, *(f"| {' | '.join(_cells(r))} |" for r in score.rows)]) + "\n"


def as_json(score: Score) -> str:
    return pretty(score)

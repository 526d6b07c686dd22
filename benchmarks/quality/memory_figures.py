"""What a run of `memory` says: rates with their intervals, and what was missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from benchmarks.intervals import wilson
from benchmarks.quality.memory import Read
from benchmarks.quality.memory_updates import Done
from grounded_ingest.report.as_json import pretty
from grounded_ingest.text.printable import printable


class Rate(Struct, frozen=True):
    """`value` is `hits` of `of`; `interval` is the 95% interval, for shares of things alone."""

    measure: str
    value: float | None
    hits: float
    of: float
    interval: tuple[float, float] | None = None


class Miss(Struct, frozen=True):
    """Something that came out otherwise than it was labelled."""

    what: str
    place: str
    text: str
    beside: str = ""


class MemoryRun(Struct, frozen=True):
    """A whole run, as JSON shows it. `agreement` and `kappa` are of the two readings of the
    lines."""

    schema: str
    extraction: tuple[Rate, ...]
    updates: tuple[Rate, ...]
    agreement: Rate | None
    kappa: float | None
    missed: tuple[Miss, ...]
    left_out: tuple[str, ...]


class Outcome(NamedTuple):
    """What was measured; either half can be empty."""

    read: Sequence[Read] = ()
    done: Sequence[Done] = ()
    left_out: Sequence[str] = ()


def gathered(outcome: Outcome) -> MemoryRun:
    """The figures of a run."""
    return MemoryRun(
        "grounded-ingest/bench-memory/1",
        _extraction(outcome.read) if outcome.read else (),
        _updates(outcome.done) if outcome.done else (),
        _agreement(outcome.read) if outcome.read else None,
        _kappa(outcome.read) if outcome.read else None,
        (*_missed_lines(outcome.read), *_missed_changes(outcome.done)),
        tuple(outcome.left_out),
    )


def _share(measure: str, hits: int, of: int) -> Rate:
    low, high = wilson(hits, of)
    value = round(hits / of, 4) if of else None
    return Rate(measure, value, hits, of, (round(low, 4), round(high, 4)))


def _mean(measure: str, scores: float, of: float) -> Rate:
    return Rate(measure, round(scores / of, 4) if of else None, scores, of)


def _extraction(read: Sequence[Read]) -> tuple[Rate, ...]:
    """HaluMem's measures, then two that do not reward copying: precision and false memories."""
    claims = [r for r in read if r.sentence.claim]
    others = [r for r in read if not r.sentence.claim]
    target = [score for r in claims for score in r.faithful]
    weight = sum(r.sentence.weight for r in claims)
    taken = sum(r.extracted for r in read)
    recall = _share("memory recall (R)", sum(r.score == 1 for r in claims), len(claims))
    aimed = _mean("target memory precision", sum(target), len(target))
    false = sum(len(r.faithful) for r in others)
    return (
        recall,
        _mean("weighted R", sum(r.score * r.sentence.weight for r in claims), weight),
        aimed,
        _mean("memory accuracy", sum(target), len(target) + false),
        _mean("F1 (of R and target precision)", _f1(recall, aimed), 1),
        _share("precision by line", sum(r.extracted for r in claims), taken),
        _share("false memory resistance", sum(not r.extracted for r in others), len(others)),
    )


def _f1(one: Rate, other: Rate) -> float:
    a, b = one.value or 0.0, other.value or 0.0
    return 2 * a * b / (a + b) if a + b else 0.0


def _updates(done: Sequence[Done]) -> tuple[Rate, ...]:
    revised = [d.outcome for d in done if d.revision.operation == "UPDATE"]
    added = [d.outcome for d in done if d.revision.operation == "ADD"]
    rows = [
        _share(f"updates {what}", revised.count(what), len(revised))
        for what in ("correct", "hallucinated", "omitted", "unseen")
    ]
    alike = [d.outcome for d in done if d.revision.operation == "UPDATE" and d.in_one_place]
    return (
        *rows,
        _share("correct where one place changed", alike.count("correct"), len(alike)),
        _share("additions taken for something else", *_false(added)),
    )


def _false(added: Sequence[str]) -> tuple[int, int]:
    return added.count("hallucinated"), len(added)


def _agreement(read: Sequence[Read]) -> Rate:
    same = sum(r.sentence.first in (None, r.sentence.claim) for r in read)
    return _share("two readings agree", same, len(read))


def _kappa(read: Sequence[Read]) -> float | None:
    """Cohen's kappa of the two readings."""
    pairs = [(_first(r), r.sentence.claim) for r in read]
    n = len(pairs)
    one, other = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    chance = one * other + (1 - one) * (1 - other)
    same = sum(a == b for a, b in pairs) / n
    return round((same - chance) / (1 - chance), 4) if chance < 1 else None


def _first(read: Read) -> bool:
    first = read.sentence.first
    return read.sentence.claim if first is None else first


def _missed_lines(read: Sequence[Read]) -> list[Miss]:
    found = []
    for r in read:
        place = f"{r.sentence.repo}:{r.sentence.path}:{r.sentence.line}"
        if r.sentence.claim and r.score < 1:
            found.append(Miss("in part" if r.extracted else "not extracted", place, r.text))
        elif r.extracted and not r.sentence.claim:
            found.append(Miss("extracted, no claim", place, r.text))
    return found


def _missed_changes(done: Sequence[Done]) -> list[Miss]:
    return [
        Miss(
            f"{d.revision.operation} {d.outcome}",
            f"{d.revision.repo}:{d.revision.path}:{d.revision.line} at {d.revision.commit[:12]}",
            d.claim,
            d.named,
        )
        for d in done
        if d.outcome != "correct"
    ]


def as_json(run: MemoryRun) -> str:
    return pretty(run)


def _rows(run: MemoryRun) -> list[tuple[str, list[Rate]]]:
    """Titles with their rows; what was not measured is left out."""
    labels = [run.agreement] if run.agreement else []
    found = [("labels", labels), ("extraction", list(run.extraction))]
    return [(t, rows) for t, rows in [*found, ("updates", list(run.updates))] if rows]


def _cells(rate: Rate) -> tuple[str, str, str]:
    value = "-" if rate.value is None else f"{rate.value:.3f}"
    of = f"{rate.hits:g} of {rate.of:g}" if rate.of != 1 else ""
    between = "{:.3f} to {:.3f}".format(*rate.interval) if rate.interval else ""
    return value, of, between


def as_text(run: MemoryRun) -> str:
    """The rates in columns, then what was missed and what was left out."""
    lines = []
    for title, rows in _rows(run):
        lines.append(title)
        for rate in rows:
            value, of, between = _cells(rate)
            lines.append(f"  {rate.measure:<36}{value:>6}  {of:<14}{between}".rstrip())
    lines += [f"  kappa {run.kappa:.3f}"] if run.kappa is not None else []
    return "\n".join([*lines, *_said(run)]) + "\n"


def as_markdown(run: MemoryRun) -> str:
    """One table, for a page."""
    lines = ["| measure | value | of | 95% interval |", "|---|--:|--:|--:|"]
    for _, rows in _rows(run):
        lines += [f"| {rate.measure} | {' | '.join(_cells(rate))} |" for rate in rows]
    return "\n".join(lines) + "\n"


def _said(run: MemoryRun) -> list[str]:
    lines = ["", "otherwise than labelled:"] if run.missed else []
    for miss in run.missed:
        lines.append(f"  {miss.what}: {printable(miss.place)}: {printable(miss.text.strip(), 120)}")
        lines += [f"      named: {printable(miss.beside, 120)}"] if miss.beside else []
    lines += ["", "left out:"] if run.left_out else []
    return [*lines, *(f"  {printable(said)}" for said in run.left_out)]

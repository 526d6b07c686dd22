"""Mutes findings once, before any format sees them: by `--select`, `--ignore`, `per_file_ignores`
and the baseline. Decisions and evidence stay what they are (docs/decisions/deciding.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.config.globs import matches
from grounded_ingest.config.syntax import nearest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import Decision, Evidence, Problem, Tier
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result, is_below
from grounded_ingest.records.baseline import Accepted
from grounded_ingest.report.acceptance import accept, acceptable, item_key, renewed
from grounded_ingest.report.baseline_file import (
    BaselineFile,
    baseline_file,
    read_baseline,
    write_baseline,
)
from grounded_ingest.report.ordering import ReportItem, entries, items_of, problem_item
from grounded_ingest.rules.reference_rules import reference_rule
from grounded_ingest.rules.rule_selectors import is_chosen, selector_words, selects_any


class Selection(NamedTuple):
    """The choices of a caller, beside the configuration. `landed`: the baseline is base's in every
    mode; `update`: it is derived anew."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str = ""
    update: bool = False
    landed: bool = False


def selectors_of(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """Returns the selectors of an option. Raises GroundedIngestError for unknown ones."""
    found = tuple(s for value in values for part in value.split(",") if (s := part.strip()))
    if values and not found:
        raise GroundedIngestError(f"{option} is empty: name a rule, the beginning of one, or ALL")
    for selector in found:
        if not selects_any(selector):
            near = nearest(selector, selector_words())
            way_out = f"did you mean {near}?" if near else "grounded-ingest rule lists them"
            raise GroundedIngestError(f"{option}: unknown rule: {selector}: {way_out}")
    return found


class Keeping:
    """Whether findings of a rule in a document are shown and counted."""

    def __init__(self, selection: Selection, result: Result) -> None:
        self._select, self._ignore = selection.select, selection.ignore
        self._per_file = result.config.per_file_ignores
        self._asked = cache(self._answer)

    def __call__(self, rule: str, path: str) -> bool:
        return self._asked(rule, path)

    def _answer(self, rule: str, path: str) -> bool:
        here = [s for glob, some in self._per_file if path and matches((glob,), path) for s in some]
        return is_chosen(rule, self._select, self._ignore) and is_chosen(rule, (), here)


def narrowed(result: Result, selection: Selection = Selection()) -> Result:  # noqa: B008  frozen
    """Returns the result with what is not selected or is accepted muted; with `update` the baseline
    is written first. Raises GroundedIngestError if the baseline cannot be read or written."""
    keeps = Keeping(selection, result)
    config, scoped = result.config, result.scoped
    report = _muted(result.report, keeps)
    said: list[str] = []
    file = baseline_file(scoped, selection.baseline, config.baseline, landed=selection.landed)
    if file is not None:
        accepted, known = read_baseline(scoped, file, anew=selection.update)
        said = [*known]
        if selection.update:
            accepted, told = _updated(result, report, file, accepted, keeps)
            said.append(told)
        taken, idle = accept(entries(report), accepted)
        report = _accepted(report, taken)
        if not selection.update:
            said += _of_entries(result, idle)
    elif selection.update:
        raise GroundedIngestError(
            "--update-baseline has no file: give --baseline FILE, or set `baseline` in the"
            " configuration"
        )
    if file is not None and said and keeps("baseline", file.inside):
        problem = Problem(file.inside, int(bool(file.inside)), "baseline", "; ".join(said))
        report = replace(report, problems=(*report.problems, problem))
    return replace(result, report=report)


def _muted(report: Report, keeps: Keeping) -> Report:
    """Returns the report without the findings that a selection leaves out."""

    def muted(decision: Decision) -> Decision:
        path = decision.place.path
        evidence = tuple(_muting(e, not keeps(reference_rule(e), path)) for e in decision.evidence)
        row = decision.tier is not Tier.APPROVE and not keeps(decision.rule, path)
        return _changed(decision, evidence, muted=row)

    problems = tuple(p for p in report.problems if keeps(p.rule, p.path))
    return _with(report, muted, problems)


def _with(
    report: Report, muted: Callable[[Decision], Decision], problems: tuple[Problem, ...]
) -> Report:
    return replace(
        report,
        decisions=tuple(map(muted, report.decisions)),
        elsewhere=tuple(map(muted, report.elsewhere)),
        problems=problems,
    )


def _accepted(report: Report, taken: frozenset[str]) -> Report:
    """Returns the report without the findings of these fingerprints."""
    if not taken:
        return report
    keys = {item_key(e): 0 for e in entries(report) if e.fingerprint in taken}
    for item in entries(report):
        if item.fingerprint in taken:
            keys[item_key(item)] += 1

    def takes(item: ReportItem) -> bool:
        left = keys.get(item_key(item), 0)
        keys[item_key(item)] = left - 1
        return left > 0

    def muted(decision: Decision) -> Decision:
        row = decision.muted
        evidence = list(decision.evidence)
        for item, at in items_of(decision, report):
            if takes(item):
                if at is None:
                    row = True
                else:
                    evidence[at] = _muting(evidence[at], accepted=True)
        return _changed(decision, tuple(evidence), muted=row)

    problems = tuple(p for p in report.problems if not takes(problem_item(p)))
    return _with(report, muted, problems)


def _muting(evidence: Evidence, accepted: bool) -> Evidence:
    return replace(evidence, muted=True) if accepted and not evidence.muted else evidence


def _changed(decision: Decision, evidence: tuple[Evidence, ...], *, muted: bool) -> Decision:
    if evidence == decision.evidence and muted == decision.muted:
        return decision
    return replace(decision, evidence=evidence, muted=muted)


def _of_entries(result: Result, idle: Sequence[Accepted]) -> Iterator[str]:
    """Yields how many entries of a baseline accept nothing any more."""
    if many := sum(_looked_at(result, e) for e in idle):
        named = "1 entry" if many == 1 else f"{many} entries"
        yield f"{named} of what is found no more (--update-baseline drops them)"


def _looked_at(result: Result, entry: Accepted) -> bool:
    """Whether this run would find the finding of an entry again: not in a change alone."""
    scoped = result.scoped
    wanted = [p.rstrip("/") for p in scoped.paths] or [""]
    return scoped.changes is None and is_below(entry.path, wanted)


def _updated(
    result: Result, report: Report, file: BaselineFile, old: list[Accepted], keeps: Keeping
) -> tuple[list[Accepted], str]:
    """Derives the baseline anew and writes it. Returns its entries and one line about them."""
    renew = renewed(
        old, acceptable(entries(report)), lambda e: _looked_at(result, e) and keeps(e.rule, e.path)
    )
    found, came, went = renew
    write_baseline(result.scoped.tree.repo, file, found)
    many = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    return found, f"{many} accepted, {came} of them new, {went} dropped"

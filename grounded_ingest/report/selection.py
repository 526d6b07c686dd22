"""What of a report is shown and counted: selections and a baseline mute findings, once, before any
format sees them. Nothing is decided again, and evidence is not touched (docs/adr/0053)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.config.globs import matches
from grounded_ingest.config.syntax import nearest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import Problem, Tier
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result, is_below
from grounded_ingest.records.baseline import Accepted
from grounded_ingest.report.acceptance import Acceptance, accept, findings, renewed
from grounded_ingest.report.baseline_file import (
    BaselineFile,
    baseline_file,
    read_baseline,
    write_baseline,
)
from grounded_ingest.report.sidecar_plan import fails_by
from grounded_ingest.rules.rule_selectors import is_chosen, selector_words, selects_any


class Selection(NamedTuple):
    """What a caller chooses, beside the configuration. `landed`: the baseline is base's in every
    mode; `update`: it is derived anew, for a run that fails on `fail_on`."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str = ""
    update: bool = False
    landed: bool = False
    fail_on: str = ""


def selectors_of(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """The selectors of an option, in lists. Raises GroundedIngestError for unknown ones."""
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
    """The result with muted what is not selected or is accepted; with `update` the baseline is
    written first. Raises GroundedIngestError where that cannot be, or by hand cannot be read."""
    keeps = Keeping(selection, result)
    accepted, said = Acceptance(), []
    config, scoped, report = result.config, result.scoped, result.report
    file = baseline_file(scoped, selection.baseline, config.baseline, landed=selection.landed)
    if file is not None:
        entries, known = read_baseline(scoped, file, anew=selection.update)
        if selection.update:
            entries, told = _updated(result, file, entries, selection, keeps)
            accepted, said = accept(report, entries), [*known, told]
        else:
            accepted = accept(report, entries)
            said = [*_of_entries(result, accepted, keeps), *known]
    elif selection.update:
        raise GroundedIngestError(
            "--update-baseline has no file: give --baseline FILE, or set `baseline` in the"
            " configuration"
        )
    report = _muted(report, keeps, accepted)
    if file is not None and said and keeps("baseline", file.inside):
        problem = Problem(file.inside, int(bool(file.inside)), "baseline", "; ".join(said))
        report = replace(report, problems=(*report.problems, problem))
    return replace(result, report=report)


def _muted(report: Report, keeps: Keeping, accepted: Acceptance) -> Report:
    decisions = list(report.decisions)
    for number, decision in enumerate(decisions):
        if decision.changed and decision.tier is not Tier.APPROVE:
            kept = keeps(decision.rule, decision.place.path)
            if not kept or number in accepted.decisions:
                decisions[number] = replace(decision, muted=True)
    problems = (p for n, p in enumerate(report.problems) if n not in accepted.problems)
    kept_problems = tuple(p for p in problems if keeps(p.rule, p.path))
    return replace(report, decisions=tuple(decisions), problems=kept_problems)


def _of_entries(result: Result, accepted: Acceptance, keeps: Keeping) -> Iterator[str]:
    """How much a baseline accepts of what would be shown, and what of it is of nothing now."""
    decisions = [result.report.decisions[n] for n in accepted.decisions]
    problems = [result.report.problems[n] for n in accepted.problems]
    shown = [(d.rule, d.place.path) for d in decisions if d.changed]
    shown += [(p.rule, p.path) for p in problems]
    if many := sum(keeps(*of) for of in shown):
        yield f"{many} {'finding' if many == 1 else 'findings'} accepted, not shown"
    if idle := sum(_looked_at(result, e) for e in accepted.idle):
        entries = "1 entry" if idle == 1 else f"{idle} entries"
        yield f"{entries} of what is found no more (--update-baseline drops them)"


def _looked_at(result: Result, entry: Accepted) -> bool:
    """Whether this run would find again what an entry is of: where all of a document counts."""
    scoped = result.scoped
    wanted = [p.rstrip("/") for p in scoped.paths] or [""]
    return scoped.changes is None and is_below(entry.path, wanted)


def _updated(
    result: Result, file: BaselineFile, old: list[Accepted], selection: Selection, keeps: Keeping
) -> tuple[list[Accepted], str]:
    """The baseline derived anew and written, and what is said of that."""
    fails = fails_by(result.config, selection.fail_on)
    found = findings(result.report, keeps, fails)
    entries, came, went = renewed(
        old, found, lambda e: _looked_at(result, e) and keeps(e.rule, e.path)
    )
    write_baseline(result.scoped.tree.repo, file, entries)
    many = "1 finding" if len(entries) == 1 else f"{len(entries)} findings"
    return entries, f"{many} accepted, {came} of them new, {went} dropped"

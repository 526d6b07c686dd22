"""Mutes findings by `--select`, `--ignore`, `per_file_ignores` and the baseline.

This happens once, before any format sees the report. Decisions and evidence stay as they are: a
muted claim is neither approved nor dropped.
"""

from __future__ import annotations

from collections import Counter
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
from grounded_ingest.report.baseline_file import (
    Accepted,
    BaselineFile,
    accept_findings,
    baseline_entries,
    baseline_key,
    find_baseline,
    read_baseline,
    renew_entries,
    write_baseline,
)
from grounded_ingest.report.findings import (
    ReportItem,
    finding_of_problem,
    findings_of_decision,
    list_findings,
)
from grounded_ingest.rules.reference_rules import reference_rule
from grounded_ingest.rules.rule_selectors import is_chosen, selector_words, selects_any


class Selection(NamedTuple):
    """What the options choose, besides the configuration.

    update: the baseline is written from today's findings. landed: the baseline is read from base
    in every mode.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str = ""
    update: bool = False
    landed: bool = False


def parse_selectors(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """Returns the selectors in an option's comma-separated values. Raises GroundedIngestError if
    one matches no rule."""
    found = tuple(s for value in values for part in value.split(",") if (s := part.strip()))
    if values and not found:
        raise GroundedIngestError(
            f"{option} is empty", "name a rule, the beginning of rule names, or ALL"
        )
    for selector in found:
        if not selects_any(selector):
            near = nearest(selector, selector_words())
            hint = f"did you mean {near}?" if near else "`grounded-ingest rule` lists the rules"
            raise GroundedIngestError(f"{option}: unknown rule: {selector}", hint)
    return found


class RuleFilter:
    """Answers whether findings of a rule in a document are shown and counted."""

    def __init__(self, selection: Selection, result: Result) -> None:
        self._select, self._ignore = selection.select, selection.ignore
        self._per_file = result.config.per_file_ignores
        self._asked = cache(self._answer)

    def __call__(self, rule: str, path: str) -> bool:
        return self._asked(rule, path)

    def _answer(self, rule: str, path: str) -> bool:
        here = [s for glob, some in self._per_file if path and matches((glob,), path) for s in some]
        return is_chosen(rule, self._select, self._ignore) and is_chosen(rule, (), here)


def mute_findings(
    result: Result,
    selection: Selection = Selection(),  # noqa: B008  frozen
) -> Result:
    """Returns the result with findings muted that are not selected or that the baseline accepts.

    With `selection.update` the baseline is written first. Raises GroundedIngestError if the
    baseline cannot be read or written."""
    keeps = RuleFilter(selection, result)
    config, scoped = result.config, result.scoped
    report = _without_deselected(result.report, keeps)
    remarks: list[str] = []
    file = find_baseline(scoped, selection.baseline, config.baseline, landed=selection.landed)
    if file is not None:
        entries, read_remarks = read_baseline(scoped, file, update=selection.update)
        remarks = [*read_remarks]
        if selection.update:
            entries, remark = _update(result, report, file, entries, keeps)
            remarks.append(remark)
        accepted, unused = accept_findings(list_findings(report), entries)
        report = _without_accepted(report, accepted)
        if not selection.update:
            remarks += _remark_unused(result, unused)
    elif selection.update:
        raise GroundedIngestError(
            "--update-baseline: no file is named",
            "give --baseline FILE, or set `baseline` in the configuration",
        )
    if file is not None and remarks and keeps("baseline", file.inside):
        problem = Problem(file.inside, int(bool(file.inside)), "baseline", "; ".join(remarks))
        report = replace(report, problems=(*report.problems, problem))
    return replace(result, report=report)


def _without_deselected(report: Report, keeps: RuleFilter) -> Report:

    def mute(decision: Decision) -> Decision:
        path = decision.place.path
        evidence = tuple(
            _mute(e) if not keeps(reference_rule(e), path) else e for e in decision.evidence
        )
        row = decision.tier is not Tier.APPROVE and not keeps(decision.rule, path)
        return _changed(decision, evidence, muted=row)

    problems = tuple(p for p in report.problems if keeps(p.rule, p.path))
    return _with(report, mute, problems)


def _with(
    report: Report, mute: Callable[[Decision], Decision], problems: tuple[Problem, ...]
) -> Report:
    return replace(
        report,
        decisions=tuple(map(mute, report.decisions)),
        elsewhere=tuple(map(mute, report.elsewhere)),
        problems=problems,
    )


def _without_accepted(report: Report, accepted: frozenset[str]) -> Report:
    if not accepted:
        return report
    # By key, not by fingerprint: fingerprints number equal findings in the order of the whole list.
    left = Counter(baseline_key(e) for e in list_findings(report) if e.fingerprint in accepted)

    def takes(item: ReportItem) -> bool:
        key = baseline_key(item)
        left[key] -= 1
        return left[key] >= 0

    def mute(decision: Decision) -> Decision:
        muted, evidence = decision.muted, list(decision.evidence)
        for item, at in findings_of_decision(decision, report):
            if takes(item):
                if at is None:
                    muted = True
                else:
                    evidence[at] = _mute(evidence[at])
        return _changed(decision, tuple(evidence), muted=muted)

    problems = tuple(p for p in report.problems if not takes(finding_of_problem(p)))
    return _with(report, mute, problems)


def _mute(evidence: Evidence) -> Evidence:
    return evidence if evidence.muted else replace(evidence, muted=True)


def _changed(decision: Decision, evidence: tuple[Evidence, ...], *, muted: bool) -> Decision:
    if evidence == decision.evidence and muted == decision.muted:
        return decision
    return replace(decision, evidence=evidence, muted=muted)


def _remark_unused(result: Result, unused: Sequence[Accepted]) -> Iterator[str]:
    if many := sum(_covers(result, e) for e in unused):
        verb = "1 entry matches" if many == 1 else f"{many} entries match"
        yield f"{verb} no finding any more (--update-baseline drops them)"


def _covers(result: Result, entry: Accepted) -> bool:
    """Whether this run would find an entry's finding again; a check of a change alone would not."""
    scoped = result.scoped
    wanted = [p.rstrip("/") for p in scoped.paths] or [""]
    return scoped.changes is None and is_below(entry.path, wanted)


def _update(
    result: Result, report: Report, file: BaselineFile, old: list[Accepted], keeps: RuleFilter
) -> tuple[list[Accepted], str]:
    """Writes today's findings to the baseline. Returns its entries and a remark with their
    number."""
    found, new, dropped = renew_entries(
        old,
        baseline_entries(list_findings(report)),
        lambda e: _covers(result, e) and keeps(e.rule, e.path),
    )
    write_baseline(result.scoped.tree.repo, file, found)
    many = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    return found, f"{many} accepted, {new} of them new, {dropped} dropped"

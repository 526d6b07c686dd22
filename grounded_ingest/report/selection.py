"""Mutes findings by `--select`, `--ignore`, `per_file_ignores` and the baseline.

Findings are muted before the report is printed in any format. Muting does not change decisions or
evidence: a claim whose finding is muted is neither approved nor removed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.config.files import line_of
from grounded_ingest.config.globs import matches
from grounded_ingest.config.syntax import nearest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import Decision, Evidence, Problem, Tier
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result, scope_test
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
    reporting_rule,
)
from grounded_ingest.rules.rule_selectors import is_chosen, matches_any, selector_words, selects_any
from grounded_ingest.text.printable import number_of

Keeps = Callable[[str, str], bool]


class Selection(NamedTuple):
    """The options that select findings, in addition to the configuration. select, ignore: rule
    selectors. baseline: the file that `--baseline` names. update: write the current findings to the
    baseline. landed: always read the baseline from the base branch."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str = ""
    update: bool = False
    landed: bool = False


def parse_selectors(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """Returns the rule selectors in the comma-separated values of an option. Raises
    GroundedIngestError if a selector does not match any rule, or if there is no selector."""
    found = tuple(s for value in values for part in value.split(",") if (s := part.strip()))
    if values and not found:
        raise GroundedIngestError(
            f"the value of {option} is empty", "give a rule id, the beginning of rule ids, or ALL"
        )
    for selector in found:
        if not selects_any(selector):
            near = nearest(selector, selector_words())
            hint = f"did you mean {near}?" if near else "`grounded-ingest rule` lists the rules"
            raise GroundedIngestError(f"{option}: unknown rule: {selector}", hint)
    return found


def rule_filter(selection: Selection, result: Result) -> Keeps:
    """Returns a function of a rule and a path, which returns whether findings of the rule in that
    document are shown and counted."""
    per_file = result.config.per_file_ignores

    @cache
    def keeps(rule: str, path: str) -> bool:
        here = [s for glob, some in per_file if path and matches((glob,), path) for s in some]
        chosen = is_chosen(rule, selection.select, selection.ignore)
        return chosen and is_chosen(rule, (), here)

    return keeps


def mute_findings(
    result: Result,
    selection: Selection = Selection(),  # noqa: B008  frozen
) -> Result:
    """Returns the result with muted findings. Mutes findings that the options do not select, and
    findings that the baseline accepts. With `selection.update`, first writes the baseline. Raises
    GroundedIngestError if the baseline cannot be read or written."""
    keeps = rule_filter(selection, result)
    config, scoped = result.config, result.scoped
    unused_ignores = (p for p in _unused_ignores(result) if keeps(p.rule, p.path))
    report = _without_deselected(result.report, keeps)
    report = replace(report, problems=(*report.problems, *unused_ignores))
    remarks: list[str] = []
    file = find_baseline(scoped, selection.baseline, config.baseline, landed=selection.landed)
    if file is not None:
        entries, remarks = read_baseline(scoped, file, update=selection.update)
        if selection.update:
            entries, remark = _update(result, report, file, entries, keeps)
            remarks.append(remark)
        accepted, unused = accept_findings(list_findings(report), entries)
        report = _without_accepted(report, accepted)
        many = sum(_covers(result, e) for e in unused)
        if many and not selection.update:
            verb = "1 entry no longer matches" if many == 1 else f"{many} entries no longer match"
            remarks.append(f"{verb} a finding; --update-baseline removes unused entries")
    elif selection.update:
        raise GroundedIngestError(
            "--update-baseline needs a baseline file",
            "add --baseline FILE, or set `baseline` in the configuration",
        )
    if file is not None and remarks and keeps("baseline", file.inside):
        problem = Problem(file.inside, int(bool(file.inside)), "baseline", "; ".join(remarks))
        report = replace(report, problems=(*report.problems, problem))
    return replace(result, report=report)


_SOMETIMES = ("expired", "stale-sidecar", "not-staged")
_ONLINE = ("refuted-citation[url]", "refuted-citation[issue]")
"""Rules whose findings `check --all` may miss: always (`_SOMETIMES`), or if offline (`_ONLINE`)."""


def _unused_ignores(result: Result) -> Iterator[Problem]:
    """Yields a problem for each entry of `per_file_ignores` that ignores nothing in a check of all
    documents. An entry with `ALL` counts as used if its glob matches a document, because `ALL` also
    ignores future findings."""
    config, tree = result.config, result.scoped.tree
    if result.scoped.mode != "all" or not config.per_file_ignores:
        return
    found = list_findings(result.report, quiet=True)
    text = (tree.read(config.origin) or b"").decode(errors="replace")
    rare = _SOMETIMES if result.report.scope.online else (*_SOMETIMES, *_ONLINE)
    for glob, selectors in config.per_file_ignores:
        rules = {*rare, *(e.rule for e in found if matches((glob,), e.path))}
        unused = [s for s in selectors if not any(matches_any((s,), rule) for rule in rules)]
        if not any(matches((glob,), path) for path in result.kb.documents):
            message = f"`per_file_ignores`: {glob} matches no document"
        elif unused:
            names = f"{', '.join(unused)} report{'s' * (len(unused) == 1)} nothing"
            message = f"`per_file_ignores`: {names} in the documents that match {glob}"
        else:
            continue
        line = line_of(text, config.origin, ("per_file_ignores", glob))
        yield Problem(config.origin, line, "unused-ignore", message)


def _without_deselected(report: Report, keeps: Keeps) -> Report:

    def mute(decision: Decision) -> Decision:
        path = decision.place.path
        evidence = tuple(
            _mute(e)
            if (rule := reporting_rule(e, report, changed=True)) and not keeps(rule, path)
            else e
            for e in decision.evidence
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
    # Findings are matched by key and not by fingerprint, because a fingerprint depends on the order
    # of equal findings in the whole list.
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


def _covers(result: Result, entry: Accepted) -> bool:
    """Returns whether this run would find the entry's finding again. A check of a change would not
    find it, because such a check reads only the change."""
    return result.scoped.changes is None and scope_test(result.scoped)(entry.path)


def _update(
    result: Result, report: Report, file: BaselineFile, old: list[Accepted], keeps: Keeps
) -> tuple[list[Accepted], str]:
    """Writes the current findings to the baseline. Returns the entries in the baseline, and a
    message that counts accepted and removed entries."""
    found, new, dropped = renew_entries(
        old,
        baseline_entries(list_findings(report)),
        lambda e: _covers(result, e) and keeps(e.rule, e.path),
    )
    write_baseline(result.scoped.tree.repo, file, found)
    accepted = f"the baseline accepts {number_of(len(found), 'finding')} ({new} new)"
    return found, f"{accepted}; removed entries of fixed findings: {dropped}"

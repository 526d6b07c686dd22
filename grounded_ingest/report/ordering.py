"""Lists what a report has to say, errors first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grounded_ingest.model.claims import Decision, Evidence, Problem, Verdict
from grounded_ingest.model.digests import blake2b
from grounded_ingest.model.report import Report
from grounded_ingest.report.verbosity import PLAIN, Look
from grounded_ingest.report.wording import cause, of_reference
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.reference_rules import (
    WRONG,
    family,
    reference_rule,
    severity_of,
    way_out,
)
from grounded_ingest.rules.rule import Severity
from grounded_ingest.text.printable import printable

UNKNOWN, NOT_STAGED = "unknown-reference", "not-staged"
ORDER: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2, "quiet": 3}


class ReportItem(NamedTuple):
    """One finding. `path` is raw, as git has it; `text` is the claim's, printable, empty for
    problems of the run. `fact` says what is wrong and shows it. `line` is 0 without a line. `id` is
    the claim's, or empty. `key` is what a baseline knows the finding by, beside path and rule.
    `fingerprint` stays the same while lines move, and is unique in its report. `instead` is the
    reference that `check --fix` writes."""

    severity: Severity
    tier: int
    rule: str
    path: str
    line: int
    column: int
    end_line: int
    section: str
    id: str
    text: str
    fact: str
    key: str
    fingerprint: str
    instead: str = ""

    @property
    def what(self) -> str:
        """Says what is wrong, without the way out: the fact, or what the rule says without one."""
        return self.fact or EVERY_RULE[family(self.rule)].summary

    @property
    def way_out(self) -> str:
        """Says what to do; empty for notes."""
        if self.instead:
            return "Run `grounded-ingest check --fix`."
        return "" if self.severity == "note" else way_out(self.rule)

    @property
    def said(self) -> str:
        """Says what is wrong, and the way out, in one line."""
        return self.told(PLAIN)

    def told(self, look: Look) -> str:
        """Returns `said` with the program's own name in the commands."""
        if not self.way_out:
            return look.commands(self.what)
        return f"{self.what.rstrip('.')}. {look.commands(self.way_out)}"

    @property
    def message(self) -> str:
        """Returns the claim's words and `said`, for formats that do not show the line itself."""
        return f"{self.text}\n{self.said}" if self.text else self.said


def entries(report: Report, *, quiet: bool = False) -> list[ReportItem]:
    """Returns what counts in a report: errors, warnings, notes, each by place; with `quiet` also
    the decisions that nobody can act on. Wrong references are listed beside the row of their claim.
    References that could not be looked up are warnings if the report is strict."""
    found = [
        item
        for decision in (*report.decisions, *report.elsewhere)
        for item, _ in items_of(decision, report, quiet=quiet)
    ]
    found += [problem_item(p) for p in report.problems]
    found.sort(key=lambda e: (ORDER[e.severity], e.path, e.line, e.column))
    met: Counter[tuple[str, str, str]] = Counter()
    numbered = []
    for item in found:
        same = item.path, item.rule, item.key
        met[same] += 1
        numbered.append(item._replace(fingerprint=_digest(*same, str(met[same]))))
    return numbered


def folded(found: Iterable[ReportItem]) -> list[tuple[ReportItem, list[int]]]:
    """Returns findings of one document that say the same as one, with the lines of the others."""
    same: dict[tuple[str, str, str], tuple[ReportItem, list[int]]] = {}
    for item in found:
        key = item.rule, item.path, item.fact or item.fingerprint
        first, others = same.setdefault(key, (item, []))
        if first is not item and item.line != first.line:
            others.append(item.line)
    return list(same.values())


def also(lines: Sequence[int]) -> str:
    """Returns the other lines of a folded finding in words, or nothing."""
    if not lines:
        return ""
    more = f" and {len(lines) - 4} more" if len(lines) > 4 else ""
    named = "line" if len(lines) == 1 else "lines"
    return f" (also {named} {', '.join(map(str, lines[:4]))}{more})"


def fails_at(found: Iterable[ReportItem], fail_on: str) -> bool:
    """Whether findings make a run fail: `block` for what is tier 3, `wrong` for errors, `review`
    for warnings too, `never`."""
    match fail_on:
        case "never":
            return False
        case "block":
            return any(e.tier == 3 for e in found)
        case "review":
            return any(e.severity in ("error", "warning") for e in found)
        case _:
            return any(e.severity == "error" for e in found)


def items_of(
    decision: Decision, report: Report, *, quiet: bool = False
) -> Iterator[tuple[ReportItem, int | None]]:
    """Yields the findings of a decision: its row, and each of its references that is wrong, with
    the reference's place in `decision.evidence`. Of a claim that the change leaves as it is only
    references are reported that the change makes wrong."""
    row = decision.rule
    severity = severity_of(row, int(decision.tier))
    counts = decision.counts and row != WRONG
    if counts and (severity != "quiet" or quiet):
        yield _item(decision, row, severity, cause(decision), decision.place.claim.id), None
    for at, one in enumerate(decision.evidence):
        if rule := _rule_of(one, report, changed=decision.changed):
            yield _of_reference(decision, one, rule), at


def _rule_of(one: Evidence, report: Report, *, changed: bool) -> str:
    """Returns the rule that reports a reference of a claim; empty if none does."""
    if one.muted or one.old or not one.own:
        return ""
    if one.verdict is Verdict.REFUTED:
        return reference_rule(one)
    if changed and one.note == NOT_STAGED:
        return NOT_STAGED
    return UNKNOWN if changed and report.strict and one.verdict is Verdict.UNKNOWN else ""


def _of_reference(decision: Decision, one: Evidence, rule: str) -> ReportItem:
    blocks = decision.rule == WRONG and decision.tier == 3
    severity = severity_of(rule, 3 * (blocks and family(rule) == WRONG))
    key = _digest(one.kind, one.target)[:16]
    item = _item(decision, rule, severity, of_reference(one), key)
    return item._replace(instead=printable(one.instead, 200))


def _item(decision: Decision, rule: str, severity: Severity, fact: str, key: str) -> ReportItem:
    claim = decision.place.claim
    return ReportItem(
        severity, int(decision.tier), rule, decision.place.path, claim.line, claim.column,
        claim.end_line, printable(claim.section, 200), claim.id, printable(claim.text, 500), fact,
        key, "",
    )  # fmt: skip


def problem_item(problem: Problem) -> ReportItem:
    text = printable(problem.message, 500)
    return ReportItem(
        severity_of(problem.rule, problem.tier), problem.tier, problem.rule, problem.path,
        problem.line, 1, problem.line, "", "", "", text, _digest(problem.message)[:16], "",
    )  # fmt: skip


def _digest(*parts: str) -> str:
    told = "\0".join(parts).encode("utf-8", "backslashreplace")
    return blake2b(told, digest_size=16).hexdigest()

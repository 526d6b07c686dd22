"""What a report has to say in one list, worst first: claims that do not pass, and problems."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Decision, Problem, Tier
from grounded_ingest.model.digests import blake2b
from grounded_ingest.model.report import Report
from grounded_ingest.report.wording import cause
from grounded_ingest.rules.problems import EVERY_RULE

_ORDER = {rule: place for place, rule in enumerate(EVERY_RULE)}


class ReportItem(NamedTuple):
    """One of them. `path` is raw, as git has it; `text` (the claim, or the problem's message) and
    `cause` are printable. `line` is 0 where there is none. `id` is empty for problems.
    `fingerprint` stays the same while lines move, and is the entry's alone in its report."""

    tier: int
    rule: str
    path: str
    line: int
    column: int
    end_line: int
    section: str
    id: str
    text: str
    cause: str
    fingerprint: str

    @property
    def message(self) -> str:
        """Words, what decided, and the way out: one line each."""
        lines = (self.text, self.cause, EVERY_RULE[self.rule].way_out)
        return "\n".join(line for line in lines if line)


def entries(report: Report, *, least: Tier = Tier.REVIEW) -> list[ReportItem]:
    """Counted claims of that tier or a worse one, and all problems; the worst first, then as in
    the table of rules, then by place."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for decision in report.decisions:
        key: tuple[str, ...] = (decision.place.path, decision.place.claim.id)
        seen[key] += 1  # claims that do not count as well: they must not renumber their equals
        if decision.changed and decision.tier >= least:
            found.append(_of_decision(decision, seen[key]))
    for problem in report.problems:
        key = (problem.path, problem.rule, problem.message)
        seen[key] += 1
        found.append(_of_problem(problem, seen[key]))
    return sorted(found, key=lambda e: (-e.tier, _ORDER[e.rule], e.path, e.line, e.column))


def _of_decision(decision: Decision, count: int) -> ReportItem:
    claim, path = decision.place.claim, decision.place.path
    return ReportItem(
        int(decision.tier), decision.rule, path, claim.line, claim.column, claim.end_line,
        printable(claim.section, 200), claim.id, printable(claim.text, 500), cause(decision),
        _fingerprint(path, claim.id, count),
    )  # fmt: skip


def _of_problem(problem: Problem, count: int) -> ReportItem:
    path, rule, line = problem.path, problem.rule, problem.line
    digest = _fingerprint(path, rule, problem.message, count)
    text = printable(problem.message, 500)
    return ReportItem(problem.tier, rule, path, line, 1, line, "", "", text, "", digest)


def _fingerprint(*parts: object) -> str:
    told = "\0".join(map(str, parts)).encode("utf-8", "backslashreplace")
    return blake2b(told, digest_size=16).hexdigest()

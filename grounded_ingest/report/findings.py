"""Lists the findings in a report, errors first, and describes decisions and references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import NamedTuple

from grounded_ingest.config.adoption import UNMERGED
from grounded_ingest.model.claims import CitationKind, Decision, Evidence, Problem, Verdict
from grounded_ingest.model.digests import blake2b
from grounded_ingest.model.report import Report
from grounded_ingest.report.formats import PLAIN, Look
from grounded_ingest.rules.reference_rules import (
    BY_CHANGE,
    CHANGED,
    FAILED,
    WRONG,
    family,
    is_removed,
    reference_rule,
    severity_of,
    way_out,
)
from grounded_ingest.rules.registry import EVERY_RULE, RULES
from grounded_ingest.rules.rule import Severity
from grounded_ingest.text.printable import printable

_MOVED_LINES = " now line"
"""Part of the message about cited lines that a change moves (`cited_lines.describe_drift`)."""
UNKNOWN, NOT_STAGED = "unknown-reference", "not-staged"
ORDER: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2, "quiet": 3}


class ReportItem(NamedTuple):
    """A finding in the list that every report format prints.

    path: the path in git, with its unprintable characters. line: the line of the reference or of
    the claim; 0 if the finding is about a whole file or run. text: the claim without unprintable
    characters; empty for problems of the run. id: the id of the claim, or empty. fact: what is
    wrong, and how it was found. key: identifies the finding in a baseline, together with path and
    rule. fingerprint: unique in a report, and stable when lines move. instead: the reference that
    `check --fix` writes, or empty. passing: a server did not answer, which may be over soon.
    """

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
    passing: bool = False

    @property
    def description(self) -> str:
        """Returns what is wrong: the fact, or else the rule's summary."""
        return self.fact or EVERY_RULE[family(self.rule)].summary

    @property
    def way_out(self) -> str:
        """Returns what the user can do about the finding, or an empty string for a note."""
        if self.instead:
            return f"Run `grounded-ingest check --fix {quote(printable(self.path))}`."
        return "" if self.severity == "note" else way_out(self.rule, self.fact)

    def sentence(self, look: Look = PLAIN) -> str:
        """Returns what is wrong and how to fix it. Commands start with `look.program`."""
        if not self.way_out:
            return look.commands(self.description)
        return f"{self.description.rstrip('.')}. {look.commands(self.way_out)}"

    @property
    def message(self) -> str:
        """Returns the claim, what is wrong with it, and how to fix it. Formats that do not show the
        claim's line use this text.
        """
        return f"{self.text}\n{self.sentence()}" if self.text else self.sentence()


def list_findings(report: Report, *, quiet: bool = False) -> list[ReportItem]:
    """Returns the findings in a report: first errors, then warnings, then notes, sorted by place. A
    wrong reference is listed in addition to the rule that decided the claim. In a strict report,
    unknown references are warnings. `quiet` adds decisions that need no action."""
    found = [
        item
        for decision in (*report.decisions, *report.elsewhere)
        for item, _ in findings_of_decision(decision, report, quiet=quiet)
    ]
    failing = any(item.severity == "error" for item in found)
    found += [
        finding_of_problem(p)
        for p in report.problems
        if failing or not p.message.startswith(UNMERGED)  # else it explains nothing
    ]
    found.sort(key=lambda e: (ORDER[e.severity], e.path, e.line, e.column))
    seen: Counter[tuple[str, str, str]] = Counter()
    numbered = []
    for item in found:
        same = item.path, item.rule, item.key
        seen[same] += 1
        numbered.append(item._replace(fingerprint=_digest(*same, str(seen[same]))))
    return numbered


def affected_findings(report: Report) -> list[ReportItem]:
    """Returns the findings about claims that the change does not edit but makes wrong. Returns at
    most one finding for each claim. Such a claim was right before the change, or cites lines that
    the change moves."""
    claims = {
        _claim_key(d)
        for d in (*report.decisions, *report.elsewhere)
        if d.newly_wrong and not d.changed
    }
    # `tools/tool.py:79` had pointed at other code for months when a commit replaced line 79, so
    # only lines that moved are sure to have been right (fastmcp, 766641a1a5).
    drifted = {
        (p.path, p.line, 1)
        for p in report.problems
        if p.rule == f"{WRONG}[{CHANGED}]" and _MOVED_LINES in p.message
    }
    found: dict[tuple[str, str, str, int], ReportItem] = {}
    for item in list_findings(report):
        claim = _claim_of(item)
        of_reference = claim in claims and family(item.rule) in (WRONG, FAILED)
        if of_reference or ((item.path, item.line, item.column) in drifted and not item.id):
            found.setdefault((*claim, 0 if item.id else item.line), item)
    return list(found.values())


def findings_of_change(report: Report) -> list[ReportItem]:
    """Returns the warnings that a hook prints if it passes: a new claim names code that is not in
    the file named beside it, the change makes a setting less strict, or it makes a claim wrong.

    861 commits had 29 other warnings about new claims, and none was useful: 25 were about decision
    records kept in a data file, and 4 about code that the sentence itself calls removed.
    """
    edited = {_claim_key(d) for d in report.decisions if d.changed}
    return [
        *(
            e
            for e in list_findings(report)
            if e.rule == "config-change"
            or (e.rule == f"{WRONG}[symbol]" and _claim_of(e) in edited and not is_removed(e.fact))
        ),
        *affected_findings(report),
    ]


def _claim_key(decision: Decision) -> tuple[str, str, str]:
    claim = decision.place.claim
    return decision.place.path, printable(claim.section, 200), claim.id


def _claim_of(item: ReportItem) -> tuple[str, str, str]:
    return item.path, item.section, item.id


def merge_equal(found: Iterable[ReportItem]) -> list[tuple[ReportItem, list[int]]]:
    """Merges equal findings in a document. Returns each finding with the lines of its copies. A
    link `./src/x.py` and a path `src/x.py` with the same fate are equal."""
    same: dict[tuple[str, str, str], dict[int, ReportItem]] = {}
    for item in found:
        rule = item.rule.replace("[link]", "[path]")
        key = rule, item.path, item.fact.removeprefix("./") or item.fingerprint
        same.setdefault(key, {}).setdefault(item.line, item)
    return [(next(iter(rows.values())), [*rows][1:]) for rows in same.values()]


def drop_repeats(found: Iterable[ReportItem]) -> list[ReportItem]:
    """Drops findings with the same message and line as an earlier finding: a line often names a
    missing file twice."""
    same: dict[tuple[str, str, int, str], ReportItem] = {}
    for item in found:
        same.setdefault((item.rule, item.path, item.line, item.fact or item.fingerprint), item)
    return list(same.values())


def name_lines(lines: Sequence[int]) -> str:
    """Returns " (also line 5)" for the further lines of a merged finding, or an empty string."""
    if not lines:
        return ""
    more = f" and {len(lines) - 4} more" if len(lines) > 4 else ""
    word = "line" if len(lines) == 1 else "lines"
    return f" (also {word} {', '.join(map(str, lines[:4]))}{more})"


def passes(report: Report) -> bool:
    """Returns whether a report has neither errors nor warnings, and not because none of its
    documents was read."""
    read = bool(report.documents) or not report.unread
    return read and not fails_at(list_findings(report), "review")


def fails_at(found: Iterable[ReportItem], fail_on: str) -> bool:
    """Returns whether these findings fail a run. With `fail_on` `wrong`, an error fails the run.
    With `review`, a warning fails the run too. With `block`, only a finding about a blocked claim
    (tier 3) fails it. With `never`, no finding does."""
    match fail_on:
        case "never":
            return False
        case "block":
            return any(e.tier == 3 for e in found)
        case "review":
            return any(e.severity in ("error", "warning") for e in found)
        case _:
            return any(e.severity == "error" for e in found)


def findings_of_decision(
    decision: Decision, report: Report, *, quiet: bool = False
) -> Iterator[tuple[ReportItem, int | None]]:
    """Yields the findings about a claim: one for the deciding rule, and one for each wrong
    reference, with its position in `decision.evidence` (None for the deciding rule). If the change
    does not edit the claim, only references that the change breaks are reported."""
    rule = decision.rule
    severity = severity_of(rule, int(decision.tier))
    counts = decision.counts and rule not in (WRONG, FAILED)
    if counts and (severity != "quiet" or quiet):
        yield (
            _item(decision, rule, severity, deciding_facts(decision), decision.place.claim.id),
            None,
        )
    for at, evidence in enumerate(decision.evidence):
        if rule := reporting_rule(evidence, report, changed=decision.changed):
            yield reference_item(decision, evidence, rule), at


def reporting_rule(evidence: Evidence, report: Report, *, changed: bool) -> str:
    """Returns the id of the rule that reports this reference as wrong or unknown, or ""."""
    if evidence.muted or evidence.old or not evidence.own:
        return ""
    if evidence.verdict is Verdict.REFUTED:
        return reference_rule(evidence)
    if changed and evidence.note == NOT_STAGED:
        return NOT_STAGED
    if evidence.kind is CitationKind.PROOF or not (changed and report.strict):
        return ""
    return UNKNOWN if evidence.verdict is Verdict.UNKNOWN else ""


def reference_item(decision: Decision, evidence: Evidence, rule: str) -> ReportItem:
    """Returns the finding of the rule `rule` about a reference of a claim."""
    # A policy may raise `refuted-citation` to tier 3. The wrong references then are errors as well.
    blocks = decision.rule == WRONG and decision.tier == 3
    severity = severity_of(rule, 3 * (rule == FAILED or (blocks and family(rule) == WRONG)))
    if evidence.kind is CitationKind.SYMBOL and evidence.reason.endswith(BY_CHANGE):
        severity = "error"
    # The claim counts: an accepted sentence must not hide a new one with the same wrong target.
    key = _digest(decision.place.claim.id, evidence.kind, evidence.target)[:16]
    item = _item(decision, rule, severity, describe_reference(evidence), key)
    if evidence.at:
        column = item.column if evidence.at == item.line else 1
        item = item._replace(line=evidence.at, end_line=evidence.at, column=column)
    passing = evidence.network and evidence.verdict is Verdict.UNKNOWN
    return item._replace(instead=printable(evidence.instead, 200), passing=passing)


def _item(decision: Decision, rule: str, severity: Severity, fact: str, key: str) -> ReportItem:
    claim = decision.place.claim
    return ReportItem(
        severity, int(decision.tier), rule, decision.place.path, claim.line, claim.column,
        claim.end_line, printable(claim.section, 200), claim.id, printable(claim.text, 500), fact,
        key, "",
    )  # fmt: skip


def finding_of_problem(problem: Problem) -> ReportItem:
    """Returns a problem in a file or in the run as a finding."""
    text = printable(problem.message, 500)
    return ReportItem(
        severity_of(problem.rule, problem.tier), problem.tier, problem.rule, problem.path,
        problem.line, 1, problem.line, "", "", "", text, _digest(problem.message)[:16], "",
        printable(problem.fix[1], 200),
    )  # fmt: skip


def _digest(*parts: str) -> str:
    joined = "\0".join(parts).encode("utf-8", "backslashreplace")
    return blake2b(joined, digest_size=16).hexdigest()


_NOTHING = {
    "instruction": "The sentence asks for something.",
    "plan": "The sentence is a plan.",
    "history": "The sentence tells about work that was done.",
    "label": "The text only names something.",
    "reference": "The text is not a statement; only its references are looked up.",
}


def deciding_facts(decision: Decision) -> str:
    """Returns the words or references that decided a claim. Returns an empty string if the rule
    needs no further explanation."""
    finding = decision.deciding
    if decision.rule == "nothing-to-check":
        return _NOTHING.get(decision.place.claim.nothing, "")
    if finding is not None:
        message = finding.message
        return printable(f"“{finding.words}”: {message}" if finding.words else message, 300)
    decided: list[Evidence] = []
    if decision.rule in (WRONG, FAILED):
        decided = [e for e in decision.own_evidence if e.verdict is Verdict.REFUTED]
    elif decision.rule == "judge-denies":
        decided = [e for e in decision.own_evidence if e.judged == "contradicted"]
    return "; ".join(map(describe_reference, decided))


def describe_reference(evidence: Evidence) -> str:
    """Returns a reference and its result in one line: `src/x.py: deleted in 97b300c`."""
    quoted = f"“{evidence.quote}”" if evidence.quote else ""
    answer = evidence.reason or quoted or "it exists"
    if evidence.judged == "contradicted" and quoted:
        answer = f"{quoted}; {answer}" if evidence.reason else quoted
    file = evidence.target.partition("#")[0].partition("::")[0]
    names_target = file not in ("", evidence.target) and answer.startswith(file)
    of_program = evidence.kind in (CitationKind.COMMAND, CitationKind.FLAG)
    if names_target or (evidence.reason and of_program):
        return printable(answer, 200)
    target = evidence.target
    if evidence.kind is CitationKind.COMMIT:
        target = target[:12]
    return printable(f"{target}: {answer}", 200)


def decision_reason(decision: Decision) -> str:
    """Returns the summary of the deciding rule, and what the rule found in this claim."""
    summary = RULES[decision.rule].summary
    facts = deciding_facts(decision)
    return f"{summary} {facts}" if facts else summary


def source_id(decision: Decision) -> str:
    """Returns the first confirmed source of a claim, or an empty string if there is none. The forms
    are `ADR-003`, `commit:a1b2c3d`, `path:src/x.py:12`, `issue:12` and a URL."""
    first = next((e for e in decision.own_evidence if e.verdict is Verdict.CONFIRMED), None)
    if first is None:
        return ""
    match first.kind:
        case CitationKind.ADR | CitationKind.URL:
            return first.target
        case CitationKind.COMMIT:
            return f"commit:{first.target[:12]}"
        case CitationKind.ISSUE:
            return f"issue:{first.target.lstrip('#')}"
        case kind:
            return f"{kind}:{first.target}"

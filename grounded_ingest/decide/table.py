"""Applies the decision table, and ignore comments: `<!-- grounded: ignore[RULE] reason="..." -->`.

The first row of the table that applies decides a claim. The id of that row is the rule of the
decision. In documents whose class is in the row's field `yields_in`, a later row decides. If that
row would approve the claim, the first row decides, and the claim needs review (tier 2). An ignore
comment applies to findings on its own line and on the next line. Above a code block, it applies to
all findings in the block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from grounded_ingest.config.settings import PolicyAction
from grounded_ingest.config.syntax import nearest
from grounded_ingest.model.claims import (
    CODE_BLOCK,
    Claim,
    Decision,
    Document,
    Evidence,
    Extraction,
    Finding,
    Ignore,
    Problem,
    Skipped,
    Tier,
    Verdict,
)
from grounded_ingest.rules.reference_rules import reference_rule
from grounded_ingest.rules.registry import ROWS, RULES
from grounded_ingest.rules.rule import Case
from grounded_ingest.rules.rule_selectors import matches_any, selector_words, selects_any

WITHOUT_STATEMENT = (
    "rejected", "proof-failed", "approved", "check-failed", "refuted-citation", "ignored", "proved",
    "proof-new", "proof-open", "proof-beside", "cited", "nothing-to-check", "ungrounded",
)  # fmt: skip
"""The only rows that can decide a claim that has references and no statement."""


def decide(case: Case, policy: Mapping[str, PolicyAction]) -> Decision:
    """Returns the decision for a claim: its tier, and the rule that decided. It depends only on the
    arguments. `policy` changes the tier of rules or turns rules off."""
    yielded = ""
    for row in WITHOUT_STATEMENT if case.place.claim.only_refers else ROWS:
        action = policy.get(row, "")
        if action == "off" or row in case.ignored or not RULES[row].applies(case):
            continue
        if not action and case.place.doc_class in RULES[row].yields_in:
            yielded = yielded or row
            continue
        tier = {"block": Tier.BLOCK, "review": Tier.REVIEW}.get(action, Tier(RULES[row].tier))
        if yielded and tier is Tier.APPROVE:
            row, tier = yielded, Tier.REVIEW
        return Decision(
            case.place, tier, row, case.source, case.evidence, case.findings, case.changed
        )
    raise AssertionError("the last row of the decision table always applies")


class Ignores:
    """Applies ignore comments during one run, and records which comments had an effect."""

    def __init__(self) -> None:
        self._used: set[tuple[str, Ignore]] = set()

    def suspend(self, document: Document, case: Case, policy: Mapping[str, PolicyAction]) -> Case:
        """Returns the `Case` without what ignore comments at the claim suppress: wrong references,
        and rules whose tier the setting `policy` may change. If a comment suppresses something, the
        rule `ignored` keeps the claim from being approved."""
        near = _near(document, case.place.claim)
        if not near:
            return case
        evidence = tuple(self._mute(document.path, near, e) for e in case.evidence)
        muted = replace(case, evidence=evidence)
        decided = decide(muted, policy)
        asked = _naming(near, decided.rule)
        if not asked and evidence == case.evidence:
            return case
        self._used.update((document.path, i) for i in asked)
        reason = "; ".join(i.reason for i in asked or near)
        words = decided.deciding.words if decided.deciding else ""
        named = decided.rule if asked else "a wrong reference"
        finding = Finding("ignored", f"a comment suppresses {named}: {reason}", words=words)
        # The set must not be empty, so that the row `ignored` applies if only references are muted.
        suspended = frozenset(row for row in ROWS if _naming(near, row)) or frozenset(("",))
        return replace(muted, ignored=suspended, findings=(*case.findings, finding))

    def _mute(self, path: str, near: Sequence[Ignore], evidence: Evidence) -> Evidence:
        wrong = reference_rule(evidence)
        rules = {Verdict.REFUTED: wrong, Verdict.UNKNOWN: "unknown-reference"}
        rule = rules.get(evidence.verdict, "")
        found = [i for i in near if rule and matches_any(i.rules, rule)]
        # A check of old text reports less than the hook did when the comment was written.
        open_here = evidence.verdict is not Verdict.CONFIRMED
        self._used.update((path, i) for i in near if open_here and matches_any(i.rules, wrong))
        self._used.update((path, i) for i in found)
        return replace(evidence, muted=True) if found else evidence

    def filter_problems(
        self,
        documents: Sequence[Document],
        problems: Sequence[Problem],
        others: Sequence[Document] = (),
    ) -> list[Problem]:
        """Returns the problems that no ignore comment suppresses, and a problem for each useless
        comment in `documents`.

        A comment is useless if it has no reason or no effect. Comments in `others` also suppress
        problems, but useless comments there are not reported.
        """
        kept = self.suppress((*others, *documents), problems)
        unused = (self._unused(d.path, i) for d in documents for i in d.extraction.ignores)
        return [*kept, *filter(None, unused)]

    def suppress(self, documents: Iterable[Document], problems: Iterable[Problem]) -> list[Problem]:
        """Returns the problems that no ignore comment suppresses."""
        read = {d.path: d.extraction for d in documents}
        kept = []
        for problem in problems:
            at = read.get(problem.path, Extraction())
            first = _first_line(at, problem.line) if at.ignores else 0
            found = [
                i
                for i in at.ignores
                if i.reason and i.covers(first, problem.line) and matches_any(i.rules, problem.rule)
            ]
            self._used.update((problem.path, i) for i in found)
            kept += [] if found else [problem]
        return kept

    def _unused(self, path: str, ignore: Ignore) -> Problem | None:
        names = ", ".join(ignore.rules)
        if not ignore.reason:
            message = f"ignore[{names}] does not give a reason, so the comment has no effect"
            return Problem(path, ignore.line, "ignore-without-reason", message)
        # Only `audit` finds expired claims, after this.
        if (path, ignore) in self._used or {*ignore.rules} == {"expired"}:
            return None
        why = "the rule reports nothing at this place"
        if unknown := [rule for rule in ignore.rules if not selects_any(rule)]:
            near = nearest(unknown[0], selector_words())
            hint = f'; did you mean "{near}"?' if near else ""
            why = f"there is no rule {unknown[0]}{hint}"
        message = f"ignore[{names}] has no effect, because {why}"
        return Problem(path, ignore.line, "unused-ignore", message)


def _first_line(found: Extraction, line: int) -> int:
    """Returns the first line of the code block with this line, or the empty line above the block.
    Returns `line` outside of code blocks."""

    def covers(part: Claim | Skipped, at: int) -> bool:
        return part.line <= at <= part.end_line

    blocks = (s for s in found.skipped if s.reason == CODE_BLOCK and covers(s, line))
    if (block := next(blocks, None)) is None:
        return line
    above = block.line - 1
    parts: list[Claim | Skipped] = [*found.claims, *found.skipped]
    return block.line if any(covers(part, above) for part in parts) else above


def _near(document: Document, claim: Claim) -> list[Ignore]:
    return [
        i for i in document.extraction.ignores if i.reason and i.covers(claim.line, claim.end_line)
    ]


def _naming(near: Sequence[Ignore], row: str) -> list[Ignore]:
    """Returns the comments that name the rule `row`. Returns an empty list if comments must not
    suppress this rule."""
    # A comment in the text must not override a person's review or a row that a policy cannot move.
    if RULES[row].fixed or RULES[row].tier == Tier.APPROVE:
        return []
    return [i for i in near if matches_any(i.rules, row)]

"""Applies ignore comments: `<!-- grounded: ignore[RULE] reason="..." -->`, on the line or above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from grounded_ingest.config.settings import PolicyAction
from grounded_ingest.decide.table import decide
from grounded_ingest.model.claims import (
    Claim,
    Document,
    Evidence,
    Finding,
    Ignore,
    Problem,
    Tier,
    Verdict,
)
from grounded_ingest.rules.reference_rules import reference_rule
from grounded_ingest.rules.registry import ROWS, RULES
from grounded_ingest.rules.rule import Case
from grounded_ingest.rules.rule_selectors import matches_any


class Ignores:
    """Applies ignore comments during one run, and remembers which of them had an effect."""

    def __init__(self) -> None:
        self._used: set[tuple[str, Ignore]] = set()

    def suspend(self, document: Document, case: Case, policy: Mapping[str, PolicyAction]) -> Case:
        """Returns the case without what the comments at the claim suspend: its wrong references,
        and rows that are not fixed. The row `ignored` then keeps the claim from being approved."""
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
        finding = Finding("ignored", f"suspends {named}: {reason}", words=words)
        # Never empty, so that the row `ignored` applies even if only references are muted.
        suspended = frozenset(row for row in ROWS if _naming(near, row)) or frozenset(("",))
        return replace(muted, ignored=suspended, findings=(*case.findings, finding))

    def _mute(self, path: str, near: Sequence[Ignore], evidence: Evidence) -> Evidence:
        """Returns the evidence, muted if a comment names its rule."""
        rules = {Verdict.REFUTED: reference_rule(evidence), Verdict.UNKNOWN: "unknown-reference"}
        rule = rules.get(evidence.verdict, "")
        found = [i for i in near if rule and matches_any(i.rules, rule)]
        self._used.update((path, i) for i in found)
        return replace(evidence, muted=True) if found else evidence

    def filter_problems(
        self,
        documents: Sequence[Document],
        problems: Sequence[Problem],
        others: Sequence[Document] = (),
    ) -> list[Problem]:
        """Returns the problems that no comment suspends, and a problem for each comment of
        `documents` that has no reason or no effect. `others` are documents whose comments apply to
        problems, but are not reported."""
        ignores = {d.path: d.extraction.ignores for d in (*others, *documents)}
        kept = []
        for problem in problems:
            found = [
                i
                for i in ignores.get(problem.path, ())
                if i.reason and problem.line - 1 <= i.line <= problem.line
                if matches_any(i.rules, problem.rule)
            ]
            self._used.update((problem.path, i) for i in found)
            kept += [] if found else [problem]
        unused = (self._unused(d.path, i) for d in documents for i in d.extraction.ignores)
        return [*kept, *filter(None, unused)]

    def _unused(self, path: str, ignore: Ignore) -> Problem | None:
        names = ", ".join(ignore.rules)
        if not ignore.reason:
            message = f"ignore[{names}] gives no reason: it has no effect"
            return Problem(path, ignore.line, "ignore-without-reason", message)
        if (path, ignore) in self._used:
            return None
        return Problem(path, ignore.line, "unused-ignore", f"ignore[{names}] suspends nothing")


def _near(document: Document, claim: Claim) -> list[Ignore]:
    """Returns the comments with a reason on the line above a claim or on one of its lines."""
    return [
        i
        for i in document.extraction.ignores
        if i.reason and claim.line - 1 <= i.line <= claim.end_line
    ]


def _naming(near: Sequence[Ignore], row: str) -> list[Ignore]:
    """Returns the comments that name a row; none if the row may not be suspended."""
    # A comment in the text must not lift what only a person or base may lift.
    if RULES[row].fixed or RULES[row].tier == Tier.APPROVE:
        return []
    return [i for i in near if matches_any(i.rules, row)]

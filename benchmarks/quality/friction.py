"""Friction: true claims, truly cited by those who wrote them, that do not reach tier 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from benchmarks.quality.shipped import Shipped
from grounded_ingest.git.repository import Repo
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.model.claims import CitationKind, Claim, Decision, Tier
from grounded_ingest.pipeline import Options, run

UNSEEN = "unseen"
"""What decided a claim that was never judged."""


class Row(NamedTuple):
    """True claims of one kind of citation: all, those approved, and what decided."""

    citation: str
    claims: int
    approved: int
    rules: dict[str, int]


class Met(NamedTuple):
    """A true claim by the kind of its citation, and what decided it; tier 0: never judged."""

    citation: str
    tier: int
    rule: str


def counted(met: Iterable[Met]) -> list[Row]:
    """A row for each kind of citation."""
    rules: dict[str, Counter[str]] = {}
    approved: Counter[str] = Counter()
    for claim in met:
        rules.setdefault(claim.citation, Counter())[claim.rule] += 1
        approved[claim.citation] += claim.tier == Tier.APPROVE
    return [
        Row(kind, by_rule.total(), approved[kind], dict(by_rule.most_common()))
        for kind, by_rule in sorted(rules.items())
    ]


def friction(shipped: Shipped) -> list[Row]:
    """The shipped repository's claims, as the hook saw the commit that brought them."""
    commit = shipped.commits["memory"]
    with Repo(shipped.root, own=False) as repo:
        asked = Asked("range", start=f"{commit}^", end=commit)
        result = run(repo, asked, Options(online=False, cache=False))
        decided = {(d.place.path, d.place.claim.text): d for d in result.report.counted}
        result.kb.index.close()
    return counted(_met(decided.get((claim.path, claim.text))) for claim in shipped.claims)


def _met(decision: Decision | None) -> Met:
    if decision is None:
        return Met(UNSEEN, 0, UNSEEN)
    return Met(_kind(decision.place.claim), int(decision.tier), decision.rule)


def _kind(claim: Claim) -> str:
    cited = next((c for c in claim.citations if c.own), None)
    if cited is None:
        return "none seen"
    if cited.kind is not CitationKind.PATH:
        return cited.kind.value
    return "path:line" if cited.lines else "link" if cited.link else "path"

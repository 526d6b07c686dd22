"""Friction: true claims, truly cited by those who wrote them, that do not reach tier 1."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from grounded_ingest.bench.shipped import Shipped
from grounded_ingest.git import Repo
from grounded_ingest.model import CitationKind, Claim, Decision, Tier
from grounded_ingest.pipeline import Options, run
from grounded_ingest.scope import Asked


class Row(NamedTuple):
    """True claims of one kind of citation: all, those approved, and what decided."""

    citation: str
    claims: int
    approved: int
    rules: dict[str, int]


def friction(shipped: Shipped) -> list[Row]:
    """The shipped repository's claims, as the hook saw the commit that brought them.

    A claim that was never judged counts under `unseen`.
    """
    commit = shipped.commits["memory"]
    with Repo(shipped.root, own=False) as repo:
        asked = Asked("range", start=f"{commit}^", end=commit)
        result = run(repo, asked, Options(online=False, cache=False))
        decided = {(d.place.path, d.place.claim.text): d for d in result.report.counted}
        result.kb.index.close()
    rows: dict[str, Counter[str]] = {}
    approved: Counter[str] = Counter()
    for claim in shipped.claims:
        decision = decided.get((claim.path, claim.text))
        kind = _kind(decision.place.claim) if decision else "unseen"
        rows.setdefault(kind, Counter())[decision.rule if decision else "unseen"] += 1
        approved[kind] += _approved(decision)
    return [Row(k, rules.total(), approved[k], dict(rules)) for k, rules in sorted(rows.items())]


def _approved(decision: Decision | None) -> int:
    return int(decision is not None and decision.tier is Tier.APPROVE)


def _kind(claim: Claim) -> str:
    cited = next((c for c in claim.citations if c.own), None)
    if cited is None:
        return "none seen"
    if cited.kind is not CitationKind.PATH:
        return cited.kind.value
    return "path:line" if cited.lines else "link" if cited.link else "path"

"""The decision table: every row wins over the rows after it, and what a policy may move."""

from __future__ import annotations

from itertools import combinations

import pytest

from grounded_ingest.decide.table import decide
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    DocClass,
    Evidence,
    Finding,
    Kind,
    Place,
    Source,
    Tier,
    Verdict,
)
from grounded_ingest.rules.registry import EVERY_RULE, ROWS
from grounded_ingest.rules.rule import Case

CLAIM = Claim("0" * 16, "x", "x", "", 0, 1, 1, 1, 1)
PATH = CitationKind.PATH
POINTING = {"text": "See `docs/a.md`.", "citations": (Citation(PATH, "docs/a.md"),)}


def cited(verdict: Verdict, **more: object) -> Evidence:
    return Evidence(PATH, "a:1", verdict, **more)  # type: ignore[arg-type]


C, R = Verdict.CONFIRMED, Verdict.REFUTED


def proof(verdict: Verdict) -> tuple[Evidence]:
    return (Evidence(CitationKind.PROOF, "a.py::X = 1", verdict),)


SIGNS: dict[str, dict[str, object]] = {
    "rejected": {"review": "reject"},
    "proof-failed": {"evidence": proof(R)},
    "approved": {"review": "approve"},
    "check-failed": {"failed": "boom"},
    "refuted-citation": {"evidence": (cited(R),)},
    "judge-denies": {"evidence": (cited(C, judged="contradicted"),)},
    "proved": {"evidence": (cited(C, proves=True),)},
    "quoted": {"quoted": True, "evidence": (cited(C),)},
    "judged": {"evidence": (cited(C, judged="supported"),), "may_judge": True},
    "pointer": {"points": True},
    "verified-citation": {"evidence": (cited(C),), "by_existence": True},
    "proof-new": {"evidence": (cited(C, note="not-landed"),)},
    "proof-open": {"evidence": proof(Verdict.UNKNOWN)},
    "proof-beside": {"evidence": proof(C)},
    "trusted-source": {"configured": Source.MANUAL, "trusted": (Source.MANUAL,)},
    "stated-decision": {"configured": Source.CONVERSATION, "kind": Kind.DECISION},
    "stated-preference": {"configured": Source.CHAT, "kind": Kind.PREFERENCE},
    "cited": {"evidence": (cited(C),)},
    "nothing-to-check": {"nothing": "instruction"},
    "ungrounded": {},
}
FINDINGS = ("speculation", "conflicting-update", "duplicate", "contradiction", "technical-hedge",
            "repeat", "hidden-text")  # fmt: skip


def case(*rules: str, doc_class: DocClass = DocClass.MEMORY) -> Case:
    """A case with the signs of these rules."""
    signs: dict[str, object] = {}
    evidence: tuple[Evidence, ...] = ()
    points = False
    for rule in rules:
        more = dict(SIGNS.get(rule, {}))
        evidence += more.pop("evidence", ())  # type: ignore[operator]
        points |= bool(more.pop("points", False))
        signs |= more
    findings = tuple(Finding(r, "") for r in rules if r in FINDINGS)
    if "ignored" in rules:
        findings += (Finding("speculation", ""),)
        signs["ignored"] = frozenset({"speculation"})
    claim = Claim(**{f: getattr(CLAIM, f) for f in CLAIM.__struct_fields__} | {
        "kind": signs.pop("kind", Kind.FACT), "nothing": signs.pop("nothing", ""),
        **(POINTING if points else {})})  # fmt: skip
    evidence += (cited(C),) if points else ()
    place = Place("memory/a.md", doc_class, claim)
    return Case(place, findings, evidence, **signs)  # type: ignore[arg-type]


def test_every_row_applies_somewhere() -> None:
    assert {*SIGNS, *FINDINGS, "ignored"} == set(ROWS)


@pytest.mark.parametrize("rule", ROWS)
def test_each_row_alone(rule: str) -> None:
    decision = decide(case(rule), {})
    assert (decision.rule, decision.tier) == (rule, EVERY_RULE[rule].tier)


# What cannot be at the same time: one review, one source; an ignored speculation and a plain one.
APART = ({"rejected", "approved"}, {"trusted-source", "stated-decision"},
         {"trusted-source", "stated-preference"}, {"stated-decision", "stated-preference"},
         {"speculation", "ignored"}, {"pointer", "proof-open"})  # fmt: skip


@pytest.mark.parametrize(
    ("first", "later"), [p for p in combinations(ROWS, 2) if set(p) not in APART]
)
def test_every_row_wins_over_the_rows_after_it(first: str, later: str) -> None:
    assert decide(case(first, later), {}).rule == first


@pytest.mark.parametrize("rule", [r for r in ROWS if not EVERY_RULE[r].fixed])
@pytest.mark.parametrize("action", ["block", "review", "off"])
def test_policy_moves(rule: str, action: str) -> None:
    decision = decide(case(rule), {rule: action})  # type: ignore[dict-item]
    if action == "off":
        assert decision.rule != rule
    else:
        tier = Tier.BLOCK if action == "block" else Tier.REVIEW
        assert (decision.rule, decision.tier) == (rule, tier)


@pytest.mark.parametrize("rule", ROWS)
def test_nothing_but_the_approving_rows_approves(rule: str) -> None:
    approving = {"approved", "proved", "quoted", "judged", "pointer", "verified-citation",
                 "trusted-source", "stated-decision", "stated-preference"}  # fmt: skip
    everything_off = {r: "off" for r in ROWS if not EVERY_RULE[r].fixed}
    for policy in ({}, everything_off):
        decision = decide(case(rule), policy)  # type: ignore[arg-type]
        assert decision.approved <= (decision.rule in approving)
    fixed = {r for r in ROWS if EVERY_RULE[r].fixed}
    others = {"rejected", "check-failed", "ignored", "cited", "ungrounded", "proof-failed",
              "proof-new", "proof-open", "proof-beside"}  # fmt: skip
    assert (approving - {"judged", "verified-citation"}) | others == fixed


YIELDING = [r for r in ROWS if EVERY_RULE[r].yields_in]


@pytest.mark.parametrize("rule", YIELDING)
@pytest.mark.parametrize("other", [r for r in ROWS if r not in YIELDING])
def test_hedges_in_docs_leave_the_decision_to_others_and_approve_nothing(
    rule: str, other: str
) -> None:
    if {rule, other} in APART:
        pytest.skip("never together")
    if other == "nothing-to-check":
        other = "ungrounded"  # what was found keeps a claim in the queue
    both, alone = case(rule, other, doc_class=DocClass.DOCS), decide(case(other), {})
    decision = decide(both, {})
    if not alone.approved:
        assert (decision.rule, decision.tier) == (other, alone.tier)
    elif ROWS.index(other) < ROWS.index(rule):
        assert decision.rule == other
    else:
        assert (decision.rule, decision.tier) == (rule, Tier.REVIEW)
    for asked in ("block", "review"):
        named = decide(both, {rule: asked})  # type: ignore[dict-item]
        assert named.rule == min(rule, other, key=ROWS.index)


@pytest.mark.parametrize("rule", YIELDING)
@pytest.mark.parametrize("doc_class", [DocClass.MEMORY, DocClass.DECISIONS])
def test_hedges_decide_in_memory_and_decisions(rule: str, doc_class: DocClass) -> None:
    assert decide(case(rule, "cited", doc_class=doc_class), {}).rule == rule


def test_a_muted_reference_is_not_wrong() -> None:
    """An ignore or a baseline accepts a wrong reference; the claim is not approved by that."""
    muted = Case(case().place, evidence=(cited(R, muted=True),), ignored=frozenset({"x"}))
    assert decide(muted, {}).rule == "ignored"

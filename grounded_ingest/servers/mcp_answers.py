"""Declares the schemas of the inputs and results of the MCP tools, which clients can read.

A class has fewer fields than the JSON output of the same command.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

Tier = Annotated[int, Field(description="1: approve, 2: review, 3: block, 0: no decision")]


class FoundItem(BaseModel):
    """A finding that somebody should fix."""

    severity: str = Field(description="error: stops the commit; warning: somebody should look")
    path: str
    line: int
    end_line: int
    rule: str = Field(
        description="Rule name, which may end in [kind]; the resource grounded://rule/{name without"
        " [kind]} explains the rule"
    )
    id: str = Field(description="Claim id for `explain`; empty if the finding is not about a claim")
    claim: str
    message: str = Field(description="What is wrong, and how to fix it")


class ReferenceCounts(BaseModel):
    """The number of references with each verdict."""

    hold: int
    wrong: int
    unknown: int = Field(description="References whose lookup could not decide")
    skipped: int = Field(description="References that were not looked up")


class CheckAnswer(BaseModel):
    """The result of checking documents."""

    documents: int = Field(
        description="Number of checked documents; if it is 0, an empty list of findings does not"
        " mean that everything is right"
    )
    errors: int
    warnings: int
    references: ReferenceCounts
    findings: list[FoundItem] = Field(description="Findings to fix, errors first")
    left_out: int = Field(
        description="Number of findings that are not listed; check fewer paths to see them"
    )
    notes: list[str]


class CitedSource(BaseModel):
    """A citation or reference in a claim, with its verdict."""

    kind: str
    target: str
    verdict: str
    reason: str
    judged: str = Field("", description="Verdict of the configured judge model on the citation")
    quote: str
    inherited: bool = Field(
        description="Whether the citation is in a heading or introduction, not in the claim itself"
    )


class OtherClaim(BaseModel):
    """Another claim that a finding compares with the claim."""

    path: str
    line: int
    claim: str


class FindingDetail(BaseModel):
    """A problem that a rule found in a claim."""

    rule: str
    message: str
    words: str
    other: OtherClaim | None = None


class RelatedClaim(OtherClaim):
    """A claim that is related to the explained claim. `kind` is the kind of relation."""

    kind: str


class ExplainedDecision(BaseModel):
    """A claim with its decision, and the citations and findings that led to the decision."""

    id: str
    path: str
    line: int
    section: str
    claim: str
    tier: Tier
    rule: str
    reason: str
    way_out: str = ""
    memory_type: str
    citations: list[CitedSource]
    findings: list[FindingDetail] = []
    relations: list[RelatedClaim] = []
    places: dict[str, list[tuple[int, str]]] = Field(
        {}, description="Cited lines as (line number, text), by citation"
    )


class ExplainAnswer(BaseModel):
    """The explanation of the decisions for claims. If `decisions` is empty, `note` explains why."""

    found_in: str
    note: str
    decisions: list[ExplainedDecision]


class AnsweredProof(BaseModel):
    """A claim that has a proof, or a claim that could have one. Without a proof, `answer` is
    "offer"."""

    line: int
    answer: str = Field(
        description=(
            "proved, denied, open, not landed (proved after the merge), says more (a part is"
            " proved), or offer (no proof yet)"
        )
    )
    text: str = Field(description="The claim; for an offer, a form of the claim that can be proved")
    reason: str


class ProveAnswer(BaseModel):
    """The claims in a document that have or could have a proof, in the order of the document.
    `left_out` counts the claims that are not listed."""

    proofs: list[AnsweredProof]
    left_out: int


class RecalledEvidence(BaseModel):
    """The evidence for a memory: a cited source with its verdict and quote."""

    kind: str
    target: str
    verdict: str
    quote: str


class RecalledMemory(BaseModel):
    """A passage that answers the question: approved claims, claims with right sources, or code;
    with `pending` also other claims."""

    id: str
    claim: str
    path: str
    line: int
    section: str
    memory_type: str
    when: str
    contradicted_by: list[str]
    evidence: list[RecalledEvidence]


class RecallAnswer(BaseModel):
    """The passages that answer the question, best first. If `answered` is false, there are none."""

    answered: bool
    reason: str
    tokens: int
    results: list[RecalledMemory]


class GivenMemory(BaseModel):
    """A memory that a text is verified against."""

    id: str | int
    text: str
    trust: float = Field(1.0, ge=0, le=1)
    timestamp: float | str | None = Field(None, description="Seconds since 1970, or ISO 8601")


class UngroundedDetail(BaseModel):
    """A span of the text that the memories do not support."""

    text: str
    start: int
    end: int
    reason: str
    expected: str
    memory_ids: list[str]


class UsedContradiction(BaseModel):
    """Memories that contradict each other about a value that the text uses."""

    slot: str
    subject: str
    values: list[str]
    memory_ids: list[str]
    places: list[str]
    disclosed: bool


class VerifyAnswer(BaseModel):
    """Whether memories support a text."""

    grounded: bool
    verdict: str
    hallucinations: list[UngroundedDetail]
    contradictions: list[UsedContradiction]
    requires_disclosure: bool
    expected_disclosure: str
    corrected: str
    confidence: float


class ClassState(BaseModel):
    """The number of documents and claims in a document class."""

    documents: int
    claims: int


class BaseState(BaseModel):
    """The base commit whose configuration and approvals apply. `reason` says how the commit was
    found, or why it is not known."""

    commit: str
    reason: str
    known: bool


class ConfigurationState(BaseModel):
    """The configuration file, or an empty string for the defaults, and the preset."""

    file: str
    preset: str


class HookState(BaseModel):
    """Whether a git commit hook checks the documents in this clone."""

    configured: list[str]
    installed: str = Field(description="Path of the installed hook; empty if it is not installed")


class KnownProblem(BaseModel):
    """A problem in the repository that is not about a single claim."""

    path: str
    line: int
    rule: str
    tier: Tier
    message: str


class StatusAnswer(BaseModel):
    """The state of all documents and claims in the repository."""

    base: BaseState
    configuration: ConfigurationState
    hook: HookState
    classes: dict[str, ClassState]
    claims: int
    references: ReferenceCounts
    tiers: dict[str, int]
    rules: dict[str, int]
    problems: list[KnownProblem]
    left_out: int = Field(description="Number of problems that are not listed")

"""Declares what the tools of the MCP server answer and take: the schemas that clients see.

Each model takes the fields it names from a wider result, the JSON of a command.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

Tier = Annotated[int, Field(description="1 approve, 2 review, 3 block, 0 is beside them")]


class FoundItem(BaseModel):
    """A finding to act on."""

    severity: str = Field(description="error: stops the commit; warning: somebody should look")
    path: str
    line: int
    end_line: int
    rule: str = Field(description="grounded://rule/{rule} says more, by its name without [kind]")
    id: str = Field(description="Of the claim, for `explain`; empty if it is no claim")
    claim: str
    message: str = Field(description="What is wrong, and the way out")


class ReferenceCounts(BaseModel):
    """References by the answer of the repository."""

    hold: int
    wrong: int
    unknown: int = Field(description="Could not be looked up")
    skipped: int = Field(description="Not meant as a reference to this repository")


class CheckAnswer(BaseModel):
    """A check of documents."""

    documents: int = Field(description="Judged; 0: nothing was, so silence says nothing")
    errors: int
    warnings: int
    references: ReferenceCounts
    findings: list[FoundItem] = Field(description="What to act on, errors first")
    left_out: int = Field(description="Findings beyond those listed: ask for fewer paths")
    notes: list[str]


class CitedSource(BaseModel):
    """A citation or reference of a claim, and what became of it."""

    kind: str
    target: str
    verdict: str
    reason: str
    judged: str = Field("", description="What the configured judge says of it")
    quote: str
    inherited: bool = Field(description="Cited by what frames the claim, not by itself")


class OtherClaim(BaseModel):
    """A claim that a finding compares with."""

    path: str
    line: int
    claim: str


class FindingDetail(BaseModel):
    """What a detector found in a claim."""

    rule: str
    message: str
    words: str
    other: OtherClaim | None = None


class RelatedClaim(OtherClaim):
    """A claim at the other end of a relation."""

    kind: str


class ExplainedDecision(BaseModel):
    """A claim with its decision and all that led to it."""

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
        {}, description="Lines of what is cited, by citation"
    )


class ExplainAnswer(BaseModel):
    """Why claims were decided as they were; without decisions, `note` says why there are none."""

    found_in: str
    note: str
    decisions: list[ExplainedDecision]


class RecalledEvidence(BaseModel):
    """What a memory rests on."""

    kind: str
    target: str
    verdict: str
    quote: str


class RecalledMemory(BaseModel):
    """A grounded claim."""

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
    """Grounded memories, the best first. Nothing answers the question where `answered` is false."""

    answered: bool
    reason: str
    tokens: int
    results: list[RecalledMemory]


class GivenMemory(BaseModel):
    """A memory to verify a text by."""

    id: str | int
    text: str
    trust: float = Field(1.0, ge=0, le=1)
    timestamp: float | str | None = Field(None, description="Seconds since 1970, or ISO 8601")


class UngroundedDetail(BaseModel):
    """A piece of the text that the memories do not license."""

    text: str
    start: int
    end: int
    reason: str
    expected: str
    memory_ids: list[str]


class UsedContradiction(BaseModel):
    """Memories that disagree on something the text uses."""

    slot: str
    subject: str
    values: list[str]
    memory_ids: list[str]
    places: list[str]
    disclosed: bool


class VerifyAnswer(BaseModel):
    """Whether memories say what a text says."""

    grounded: bool
    verdict: str
    hallucinations: list[UngroundedDetail]
    contradictions: list[UsedContradiction]
    requires_disclosure: bool
    expected_disclosure: str
    corrected: str
    confidence: float


class ClassState(BaseModel):
    """The documents of a class."""

    documents: int
    claims: int


class BaseState(BaseModel):
    """What judges."""

    commit: str
    reason: str
    known: bool


class ConfigurationState(BaseModel):
    """The configuration: its file, or the defaults."""

    file: str
    preset: str


class HookState(BaseModel):
    """Whether the commit is guarded here."""

    configured: list[str]
    installed: str = Field(description="Where; empty where it is not")


class KnownProblem(BaseModel):
    """Something said beside the decisions."""

    path: str
    line: int
    rule: str
    tier: Tier
    message: str


class StatusAnswer(BaseModel):
    """The knowledge base as it stands."""

    base: BaseState
    configuration: ConfigurationState
    hook: HookState
    classes: dict[str, ClassState]
    claims: int
    references: ReferenceCounts
    tiers: dict[str, int]
    rules: dict[str, int]
    problems: list[KnownProblem]
    left_out: int = Field(description="Problems beyond those listed")

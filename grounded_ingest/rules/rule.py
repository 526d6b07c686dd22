"""What a rule is made of: META says what it is, `applies` is asked of a case, EXAMPLES show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import (
    DocClass,
    Evidence,
    Finding,
    Kind,
    Place,
    Source,
    Tier,
    Verdict,
)

Severity = Literal["error", "warning", "note", "quiet"]
"""How much a finding matters to a reader: something is wrong; somebody should look; the run has
something to say about itself; or nothing to act on, shown only on request."""


class Rule(Struct, frozen=True):
    """`tier` is the default one, 0 for what is said and not counted. A `fixed` rule cannot be moved
    by a policy. `summary` says when it applies, `way_out` what to do, one sentence each. In a class
    of `yields_in` it decides only what would be approved otherwise, unless a policy names it."""

    id: str
    tier: int
    fixed: bool
    severity: Severity
    summary: str
    way_out: str
    yields_in: tuple[DocClass, ...] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """What a policy may make of it."""
        if self.fixed:
            return ()
        return ("block", "review") if self.tier == Tier.BLOCK else ("block", "review", "off")


class Case(Struct, frozen=True):
    """All that is known of a claim when it is decided.

    `configured` is the source that the configuration gives the document, `source` the one that is
    shown. `ignored` are the rules that ignores suspend for this claim, `failed` why a check could
    not run. `quoted` is true if the claim repeats a decided sentence of an ADR; `may_judge` if the
    judge's yes counts.
    """

    place: Place
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    review: Literal["", "approve", "reject"] = ""
    configured: Source = Source.UNKNOWN
    source: Source = Source.UNKNOWN
    trusted: tuple[Source, ...] = ()
    ignored: frozenset[str] = frozenset()
    failed: str = ""
    changed: bool = True
    quoted: bool = False
    may_judge: bool = False

    @property
    def own(self) -> tuple[Evidence, ...]:
        return tuple(e for e in self.evidence if e.own)

    @property
    def kind(self) -> Kind:
        return self.place.claim.kind

    def shows(self, rule: Rule) -> bool:
        """Whether a detector reported the rule."""
        return any(f.rule == rule.id for f in self.findings)

    def cites(self, verdict: Verdict) -> bool:
        """Whether something the claim itself cites has this verdict."""
        return any(e.verdict is verdict for e in self.own)


MEMORY = "CLAUDE.md"
"""The document of class memory that examples are added to."""


class Example(Struct, frozen=True):
    """A text that a change adds to a document of a small repository, in the place of `was`.

    On base stand the files of `base`, the decision `adr` as the accepted ADR-0001, `config`, and
    the `review` that a person recorded of what stood there; the message of base's last commit is
    `said`, and `{commit}` stands for its id. `change` are further files of the change; None removes
    one. `breaks` is a rule whose check fails while it runs, or `citations`.
    """

    text: str
    path: str = MEMORY
    was: str = ""
    base: Mapping[str, str | bytes] = {}
    change: Mapping[str, str | bytes | None] = {}
    adr: str = ""
    config: str = ""
    said: str = ""
    review: Literal["", "approve", "reject", "approve in the change"] = ""
    online: bool = False
    breaks: str = ""


class Examples(Struct, frozen=True):
    """What a rule, or a group of its words, flags and the lookalikes it passes."""

    flags: tuple[Example | str, ...]
    passes: tuple[Example | str, ...]
    group: str = ""

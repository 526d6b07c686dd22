"""The types that cross folders, all frozen: documents, claims, citations, evidence, decisions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Literal

from msgspec import Struct


class Tier(IntEnum):
    """What happens to a claim: it is accepted, waits for review, or stops the commit."""

    APPROVE = 1
    REVIEW = 2
    BLOCK = 3


class DocClass(StrEnum):
    """What a document is for. Only the references of `other` documents are read."""

    MEMORY = "memory"
    DOCS = "docs"
    DECISIONS = "decisions"
    OTHER = "other"


class CitationKind(StrEnum):
    """What a reference names, and so how it is looked up."""

    PATH = "path"
    ADR = "adr"
    COMMIT = "commit"
    URL = "url"
    ISSUE = "issue"
    SYMBOL = "symbol"
    COMMAND = "command"
    VARIABLE = "variable"
    FLAG = "flag"
    VERSION = "version"
    IMPORT = "import"
    ANCHOR = "anchor"
    PACKAGE = "package"
    COUNT = "count"


class Verdict(StrEnum):
    """The answer to a reference: right, wrong, undecidable, or not looked up."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    SKIPPED = "skipped"


class Source(StrEnum):
    """Where a claim comes from, as its record declares it or as its evidence shows."""

    USER = "user"
    DOCUMENTATION = "documentation"
    ADR = "adr"
    COMMIT = "commit"
    MANUAL = "manual"
    CONVERSATION = "conversation"
    CHAT = "chat"
    AI_SYNTHESIS = "ai_synthesis"
    UNKNOWN = "unknown"


class Kind(StrEnum):
    """What a claim expresses."""

    FACT = "fact"
    DECISION = "decision"
    PREFERENCE = "preference"


class MemoryType(StrEnum):
    """What a claim remembers: a fact, an event, or a way to do something."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Form(StrEnum):
    """The part of a document that holds a claim."""

    PROSE = "prose"
    ROW = "row"
    RECORD = "record"
    HEADING = "heading"
    HTML = "html"
    METADATA = "metadata"
    HIDDEN = "hidden"


Around = Literal["gone", "planned", "foreign", "example"]
"""What the surroundings of a reference suggest about it."""
Judged = Literal["", "supported", "contradicted"]
"""What the configured judge answers about a source and a claim; empty if none was asked."""
Cue = Literal["", "meant", "gone", "planned", "foreign", "unwanted", "conditional"]
"""What a sentence says about a reference of its own. `meant`: a hex number is called a commit.
`gone`: the file is missing or removed. `planned`: the file is to come. `foreign`: another
repository has it. `unwanted`: the file should not be there. `conditional`: the file exists in some
cases."""


class Citation(Struct, frozen=True, omit_defaults=True):
    """A reference in a claim, as written.

    `lines` is (first, last), 1-based. `own` is false for a reference that the claim inherits from
    its surroundings. `link` is true for the target of a Markdown link, `label` is its text, and
    `anchor` its section. `cue` is what the sentence says about the reference, `around` what its
    clause, lead-ins and headings suggest."""

    kind: CitationKind
    raw: str
    lines: tuple[int, int] | None = None
    own: bool = True
    link: bool = False
    cue: Cue = ""
    label: str = ""
    anchor: str = ""
    around: tuple[Around, ...] = ()


class Frame(Struct, frozen=True, array_like=True):
    """A text above claims that they are read with. `kind` is `lead-in`, `item` (a parent item),
    `header` (of a table), `paragraph` (around several claims), `footnote`, `check box` (its state),
    `fields` or `key` (of a record).

    `under` is the digest of the enclosing frame, `notes` are the digests of footnotes."""

    kind: str
    text: str
    under: str = ""
    notes: tuple[str, ...] = ()


def context_in(frames: Mapping[str, Frame], digest: str) -> tuple[tuple[str, str], ...]:
    """Returns a frame and its enclosing frames as (kind, text), the outermost first."""
    found: list[tuple[str, str]] = []
    while frame := frames.get(digest):
        noted = [frames[note] for note in frame.notes if note in frames]
        found += [(n.kind, n.text) for n in reversed(noted)]
        found += [(frame.kind, frame.text)] if frame.text else []
        digest = frame.under
    return tuple(reversed(found))


ClaimKey = tuple[str, str, int]
"""Identity of a claim inside a document: (section path, id, ordinal among equals)."""


class Claim(Struct, frozen=True, omit_defaults=True):
    """One statement of a document; a pure function of the document's bytes.

    `text` is inline Markdown without emphasis marks, in NFC, with white space collapsed. `masked`
    has the same length, with NUL in place of code, URLs, link targets and quotations.

    `line`, `column` and `end_line` are 1-based; columns count characters. `block` numbers the
    top-level blocks of the document, `table` its tables (0: none). `depth` counts the lists and
    items around the claim. `context` is the digest of its frame, empty without one.

    `cues` are the strongest reasons for `memory_type`, and `certainty` (0.5 to 1) is its
    probability. `split` is empty unless the claim mixes types: the kinds it mixes, then its parts.

    `doubt` is the label above the claim that marks it as open ("Open questions"), or ">" for a
    claim in a block quote. `nothing` says why there is nothing to check in the claim:
    `instruction`, `plan`, `history` or `label`. It is `reference` for a text that states nothing;
    only its references are looked up. `recorded`: the document says that it is kept as a record."""

    id: str
    text: str
    masked: str
    section: str
    ordinal: int
    line: int
    column: int
    end_line: int
    block: int
    form: Form = Form.PROSE
    table: int = 0
    depth: int = 0
    context: str = ""
    kind: Kind = Kind.FACT
    memory_type: MemoryType = MemoryType.SEMANTIC
    cues: tuple[str, ...] = ()
    certainty: float = 1.0
    split: tuple[str, ...] = ()
    doubt: str = ""
    nothing: str = ""
    recorded: bool = False
    citations: tuple[Citation, ...] = ()
    record_id: str = ""
    trust: float | None = None
    declared_source: Source = Source.UNKNOWN
    timestamp: str = ""
    valid_until: str = ""

    @property
    def only_refers(self) -> bool:
        """Whether the text states nothing, so that only its references are looked up."""
        return self.nothing == "reference"

    @property
    def key(self) -> ClaimKey:
        """The claim's identity inside its document."""
        return (self.section, self.id, self.ordinal)


class Skipped(Struct, frozen=True):
    """Lines without a claim, and the reason; shown by `explain PATH:LINE`."""

    line: int
    end_line: int
    reason: str


class Ignore(Struct, frozen=True):
    """A comment `<!-- grounded: ignore[rule] reason="…" -->`. Covers its line and the next one."""

    line: int
    rules: tuple[str, ...]
    reason: str


class Problem(Struct, frozen=True):
    """A message of a run that is no decision about a claim. `tier` 0: printed, not counted."""

    path: str
    line: int
    rule: str
    message: str
    tier: int = 0


class Extraction(Struct, frozen=True):
    """All that the text of a document yields.

    `imports` are the targets of `@path` lines, as written. `problems` have no path yet; the caller
    knows it. `links` are (from, to, type) of records that relate two entities. `frames` are keyed
    by their digests."""

    claims: tuple[Claim, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    imports: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    links: tuple[tuple[str, str, str], ...] = ()
    frames: dict[str, Frame] = {}

    def context(self, claim: Claim) -> tuple[tuple[str, str], ...]:
        """Returns the frames around a claim as (kind, text), the outermost first."""
        return context_in(self.frames, claim.context)


class Document(Struct, frozen=True):
    """A file whose claims or references are read. `blob` is its object id, empty if unreadable."""

    path: str
    doc_class: DocClass
    blob: str
    extraction: Extraction


class Place(Struct, frozen=True):
    """A claim with the path and class of its document."""

    path: str
    doc_class: DocClass
    claim: Claim


class Origin(Struct, frozen=True, omit_defaults=True):
    """Where the text behind a confirmed reference is, so that a judge can read it.

    `path` is relative to the repository root; for a `page` it is the URL, for an `issue` the
    target. `lines` are (first, last), 1-based; `anchor` is the section of Markdown that is meant.
    `commit` is the cited commit, or the one whose tree has the path. It is empty for the tree of
    the change or of base, whichever counts as a witness."""

    kind: Literal["file", "adr", "commit", "page", "issue"]
    path: str = ""
    lines: tuple[int, int] | None = None
    commit: str = ""
    anchor: str = ""


class Evidence(Struct, frozen=True, omit_defaults=True):
    """The answer to one reference of a claim.

    `target` is the normalised target (`src/x.py:12-14`, `ADR-0003`, a full commit id, a URL,
    `#12`), or the text of the reference if it did not resolve. `quote` is the text at the target,
    at most 300 characters; `fingerprint` is the digest of its lines (16 hex digits). `origins` are
    the texts that a judge reads.

    `own` is false for a reference that the claim inherits from its surroundings. `link` is true for
    the target of a Markdown link. `network`: a server gave the answer. `proves`: the claim says no
    more than that the reference holds. `judged` is the answer of the configured judge. `muted`: an
    ignore or a baseline accepts the answer. `old`: the reference was wrong before the change.
    `instead` is the right target, if there is exactly one (`check --fix` writes it). `note` is
    `not-staged` (the file lies on disk only) or `changed-line` (the cited lines have other text).

    Only reports fill `checked_at` (ISO 8601, UTC) and `line` (1-based line of the quote)."""

    kind: CitationKind
    target: str
    verdict: Verdict
    reason: str = ""
    fingerprint: str = ""
    quote: str = ""
    own: bool = True
    network: bool = False
    checked_at: str = ""
    line: int = 0
    origins: tuple[Origin, ...] = ()
    proves: bool = False
    judged: Judged = ""
    link: bool = False
    muted: bool = False
    instead: str = ""
    note: str = ""
    old: bool = False


class Finding(Struct, frozen=True):
    """What a detector found in a claim. `rule` is a row of the decision table, `words` are the ones
    that decided. `other` is the claim it was compared with, `similarity` their Jaccard index."""

    rule: str
    message: str
    words: str = ""
    other: Place | None = None
    similarity: float = 0.0


class Operation(Struct, frozen=True):
    """What a claim does to the memory. `of` is the older claim that it revises (`UPDATE`), or that
    already says it (`SKIP`)."""

    name: Literal["ADD", "UPDATE", "SKIP"] = "ADD"
    of: Place | None = None


class Decision(Struct, frozen=True):
    """The outcome for a claim: its tier, and the one rule that decided it.

    `changed`: the change adds or edits the claim. `muted`: a selection or a baseline hides the
    decision from reports and counts; its tier stays."""

    place: Place
    tier: Tier
    rule: str
    source: Source
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()
    changed: bool = True
    operation: Operation = Operation()
    muted: bool = False

    @property
    def counts(self) -> bool:
        """Whether reports show the decision and the exit code depends on it."""
        return self.changed and not self.muted

    @property
    def approved(self) -> bool:
        """Whether the claim is accepted (tier 1)."""
        return self.tier is Tier.APPROVE

    @property
    def wrong(self) -> tuple[Evidence, ...]:
        """The claim's own wrong references that nobody accepted."""
        return tuple(e for e in self.own_evidence if e.verdict is Verdict.REFUTED and not e.muted)

    @property
    def newly_wrong(self) -> tuple[Evidence, ...]:
        """The wrong references that were right before the change. Reports list them even if the
        change does not touch the claim."""
        return tuple(e for e in self.wrong if not e.old)

    @property
    def confidence(self) -> str:
        """The tier in words: `high`, `medium` or `low`."""
        return ("high", "medium", "low")[self.tier - 1]

    @property
    def deciding(self) -> Finding | None:
        """The finding that decided, if a finding did."""
        return next((f for f in self.findings if f.rule == self.rule), None)

    @property
    def own_evidence(self) -> tuple[Evidence, ...]:
        """The answers to the references in the claim's own sentence."""
        return tuple(e for e in self.evidence if e.own)

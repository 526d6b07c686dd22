"""The words of the product as types, all frozen."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Literal

from msgspec import Struct

from grounded_ingest.model.origin import Origin


class Tier(IntEnum):
    APPROVE = 1
    REVIEW = 2
    BLOCK = 3


class DocClass(StrEnum):
    """What a document is for; `other` is read for its references alone."""

    MEMORY = "memory"
    DOCS = "docs"
    DECISIONS = "decisions"
    OTHER = "other"


class CitationKind(StrEnum):
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
    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    SKIPPED = "skipped"


class Source(StrEnum):
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
    FACT = "fact"
    DECISION = "decision"
    PREFERENCE = "preference"


class MemoryType(StrEnum):
    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Form(StrEnum):
    """Where in its document a claim stands."""

    PROSE = "prose"
    ROW = "row"
    RECORD = "record"
    HEADING = "heading"
    HTML = "html"
    METADATA = "metadata"
    HIDDEN = "hidden"


Around = Literal["gone", "planned", "foreign", "example"]
Judged = Literal["", "supported", "contradicted"]
Cue = Literal["", "meant", "gone", "planned", "foreign", "unwanted", "conditional"]
"""What a sentence says of its own citation: meant as a commit, gone, planned, of elsewhere, not to
be there, there in some cases."""


class Citation(Struct, frozen=True, omit_defaults=True):
    """A reference in a claim, as written.

    `lines` is (first, last), 1-based. `cue` is what the sentence says of it: `meant` (a commit is
    named as one), `gone` (reported missing or removed), `planned`, `foreign` (another repository).
    `around` is what the rest of the sentence, lead-ins and headings suggest of an own citation.
    `link` is true for the target of a Markdown link, `label` its text, `anchor` its section."""

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
    """Text that frames claims: a `lead-in` or parent `item`, a table's `header`, the `paragraph` of
    more than one claim, a `footnote`, the state of a `check box`, a record's `field` or `key`.

    `under` is the digest of the next frame outside, `notes` are those of footnotes."""

    kind: str
    text: str
    under: str = ""
    notes: tuple[str, ...] = ()


def context_in(frames: Mapping[str, Frame], digest: str) -> tuple[tuple[str, str], ...]:
    """A frame and all it stands under, as (kind, text), the outermost first."""
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

    `text` is the claim's inline Markdown without emphasis marks, whitespace collapsed, NFC.
    `masked` has the same length; code, URLs, link targets and quotations are blanked by NUL.
    `line`, `column`, `end_line` are 1-based, columns count characters. `block` numbers the
    document's top-level blocks, `table` its tables (0: none), `depth` is how deep in lists it
    stands. `context` is the digest of the frame it stands in, empty without one. `cues` decided
    the memory type, with `certainty` 0.5 to 1; `split` is of a claim that mixes types: what is
    mixed, then its parts. `doubt` is the label over it that says that it is open ("Open
    questions"): heading, lead-in, run-in, table header; ">" in a block that quotes. `nothing` is
    why there is nothing to check in it: `instruction`, `plan`, `history`, `label`, or `reference`,
    which is no statement at all: only what it refers to counts; empty: there is. `recorded`: the
    head of its document says that it is kept as a record."""

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
        """Whether it is no statement and only what it refers to counts."""
        return self.nothing == "reference"

    @property
    def key(self) -> ClaimKey:
        """Identity inside a document."""
        return (self.section, self.id, self.ordinal)


class Skipped(Struct, frozen=True):
    """Text that is no claim, and why; for `explain PATH:LINE`."""

    line: int
    end_line: int
    reason: str


class Ignore(Struct, frozen=True):
    """`<!-- grounded: ignore[rule] reason="…" -->`; covers its own line and the next one."""

    line: int
    rules: tuple[str, ...]
    reason: str


class Problem(Struct, frozen=True):
    """What the run has to say beside its decisions. `tier` 0: said, not counted."""

    path: str
    line: int
    rule: str
    message: str
    tier: int = 0


class Extraction(Struct, frozen=True):
    """All that a document's text yields. `imports` are `@path` lines, as written.

    In `problems` the path is empty; whoever knows the document fills it in. `links` are (from, to,
    type) of relation records between entities. `frames` are known by their digests.
    """

    claims: tuple[Claim, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    imports: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    links: tuple[tuple[str, str, str], ...] = ()
    frames: dict[str, Frame] = {}

    def context(self, claim: Claim) -> tuple[tuple[str, str], ...]:
        """What a claim is read with, as (kind, text), the outermost first."""
        return context_in(self.frames, claim.context)


class Document(Struct, frozen=True):
    """A file of the knowledge base. `blob` is its object id, empty for unreadable files."""

    path: str
    doc_class: DocClass
    blob: str
    extraction: Extraction


class Place(Struct, frozen=True):
    """A claim and the document it stands in."""

    path: str
    doc_class: DocClass
    claim: Claim


class Evidence(Struct, frozen=True, omit_defaults=True):
    """The answer to one reference of a claim.

    `target` is the normalised target (`src/x.py:12-14`, `ADR-0003`, a full commit id, a URL,
    `#12`), or the text of the reference if it did not resolve. `quote` is what stands at the
    target, at most 300 characters, and `fingerprint` the digest of its lines (16 hex digits).
    `own` is false for a reference that the claim inherits from its surroundings. `network` is true
    for the answer of a server. Reports alone carry `checked_at` (ISO 8601, UTC) and `line` (1-based
    line of the quote). `origins` are the texts that a judge reads. `proves` is true if the claim
    says no more than that the reference holds. `judged` is what the configured judge answered.
    `link` is true for the target of a Markdown link, `muted` if an ignore or a baseline accepts the
    answer, `old` if the document had the same wrong reference before the change. `instead` is the
    target to write in its place, where there is one right answer (`check --fix`). `note` is
    `not-staged` (the path lies on disk alone) or `changed-line` (other text took the place of the
    cited lines).
    """

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
    """What a detector saw. `rule` is a row of the decision table; `words` are the words that
    decided; `other` is the place of the claim it was compared with, `similarity` its Jaccard."""

    rule: str
    message: str
    words: str = ""
    other: Place | None = None
    similarity: float = 0.0


class Operation(Struct, frozen=True):
    """What a claim does to the memory: `UPDATE` and `SKIP` name the claim it revises, or that
    covers it."""

    name: Literal["ADD", "UPDATE", "SKIP"] = "ADD"
    of: Place | None = None


class Decision(Struct, frozen=True):
    """The outcome for a claim: the tier and the one rule that decided it. The rest is derived.

    `muted`: by a selection or a baseline it is neither shown nor counted; it stays what it is."""

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
        """Whether a report shows it and an exit code heeds it."""
        return self.changed and not self.muted

    @property
    def approved(self) -> bool:
        return self.tier is Tier.APPROVE

    @property
    def wrong(self) -> tuple[Evidence, ...]:
        """The claim's own references that are wrong and not accepted."""
        return tuple(e for e in self.own_evidence if e.verdict is Verdict.REFUTED and not e.muted)

    @property
    def newly_wrong(self) -> tuple[Evidence, ...]:
        """The wrong references that were not wrong before the change. A report lists them also for
        a claim that the change leaves as it is."""
        return tuple(e for e in self.wrong if not e.old)

    @property
    def confidence(self) -> str:
        """`high`, `medium` or `low`."""
        return ("high", "medium", "low")[self.tier - 1]

    @property
    def deciding(self) -> Finding | None:
        """The finding that carries this decision's rule, if a finding decided it."""
        return next((f for f in self.findings if f.rule == self.rule), None)

    @property
    def own_evidence(self) -> tuple[Evidence, ...]:
        return tuple(e for e in self.evidence if e.own)

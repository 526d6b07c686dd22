"""Frozen types that all folders share: documents, claims, citations, evidence and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Literal

from msgspec import Struct


class Tier(IntEnum):
    """A `Tier` says what happens to a claim.

    `APPROVE` accepts the claim. `REVIEW` leaves it open until a person reviews it. `BLOCK` reports
    it as an error."""

    APPROVE = 1
    REVIEW = 2
    BLOCK = 3


class DocClass(StrEnum):
    """A `DocClass` is the purpose of a document.

    In documents of class `other`, only references are checked, not claims."""

    MEMORY = "memory"
    DOCS = "docs"
    DECISIONS = "decisions"
    OTHER = "other"


class CitationKind(StrEnum):
    """A `CitationKind` says what a reference names. The kind decides how to look it up."""

    PATH = "path"
    ADR = "adr"
    COMMIT = "commit"
    URL = "url"
    ISSUE = "issue"
    SYMBOL = "symbol"
    COMMAND = "command"
    FLAG = "flag"
    VERSION = "version"
    IMPORT = "import"
    ANCHOR = "anchor"
    COUNT = "count"
    PROOF = "proof"


class Verdict(StrEnum):
    """A `Verdict` is the result of looking up a reference.

    `CONFIRMED` means right, `REFUTED` means wrong. `UNKNOWN` means that the lookup could not
    decide. `SKIPPED` means that the reference was not looked up."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    SKIPPED = "skipped"


class Source(StrEnum):
    """A `Source` says where a claim comes from, for example from a user, a document or an AI."""

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
    """A `Kind` says whether a claim states a fact, a decision or a preference."""

    FACT = "fact"
    DECISION = "decision"
    PREFERENCE = "preference"


class MemoryType(StrEnum):
    """A `MemoryType` says what a claim remembers.

    `SEMANTIC` is a fact, `EPISODIC` is an event, `PROCEDURAL` is a way to do something. `UNKNOWN`
    means that neither the text nor a record shows the type."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"
    UNKNOWN = "unknown"


class Form(StrEnum):
    """A `Form` says where in a document a claim is: for example in prose, a table row, a heading or
    a hidden text."""

    PROSE = "prose"
    ROW = "row"
    RECORD = "record"
    HEADING = "heading"
    HTML = "html"
    METADATA = "metadata"
    HIDDEN = "hidden"


CHECKS = ("speculation", "technical-hedge", "duplicate", "conflicting-update", "refuted-citation")
"""The rules that look for something wrong in every claim."""
Around = Literal["gone", "planned", "foreign", "example", "dated"]
"""What the clause, the lead-ins or the headings around a reference suggest about its target: it is
gone, planned, in another repository (`foreign`) or an example, or a heading has a date."""
Judged = Literal["", "supported", "contradicted"]
"""The answer of the configured judge model: whether a cited text supports or contradicts a claim.

The answer is empty if no judge model was asked."""
Cue = Literal["", "meant", "gone", "planned", "foreign", "unwanted", "conditional"]
"""What the sentence around a reference says about the named file, commit or ADR.

- `meant`: the sentence calls a hex number a commit.
- `gone`: the sentence says that the file is missing or was removed.
- `planned`: the sentence says that the file does not exist yet, but somebody will create it.
- `foreign`: the sentence says that the file or commit belongs to another repository.
- `unwanted`: the sentence says that the file should not exist.
- `conditional`: the sentence says that the file exists only in some cases.

The cue is empty if the sentence says none of this."""


class Citation(Struct, frozen=True, omit_defaults=True):
    """A reference in a claim; `raw` is the text that the document writes.

    `lines` are the cited line numbers (first, last), 1-based. `own` is false if the reference is
    not in the claim's own sentence but near it. `link` is true if the reference is the target of a
    Markdown link. `label` is the text of the link, and `anchor` is the section after `#`. `cue`
    tells what the words right beside the reference say about its target, such as `gone` for "we
    removed `x.py`". `around` tells the same of the rest of the clause and of the headings and texts
    above."""

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
    """A text that a reader needs to understand the claims below or beside it, such as a table
    header. A document stores each frame once; claims refer to it by its digest.

    `kind` is one of these:

    - `lead-in`: a paragraph that introduces the text below.
    - `item`: the parent item in a list.
    - `header`: the header row of a table.
    - `paragraph`: a paragraph with several claims.
    - `footnote`: a footnote to the claim.
    - `check box`: the state of a check box, `done` or `open`.
    - `fields`, `key`: the short fields of a memory record, and a key above the record in its file.

    `under` is the digest of the next frame above, or empty. `notes` are the digests of the
    footnotes that the text refers to."""

    kind: str
    text: str
    under: str = ""
    notes: tuple[str, ...] = ()


def context_in(frames: Mapping[str, Frame], digest: str) -> tuple[tuple[str, str], ...]:
    """Returns the text (frame) with this digest and all texts above it in the document, such as the
    lead-in or the table header, as pairs (kind, text), the outermost first."""
    found: list[tuple[str, str]] = []
    while frame := frames.get(digest):
        noted = [frames[note] for note in frame.notes if note in frames]
        found += [(n.kind, n.text) for n in reversed(noted)]
        found += [(frame.kind, frame.text)] if frame.text else []
        digest = frame.under
    return tuple(reversed(found))


ClaimKey = tuple[str, str, int]
"""The identity of a claim in a document: (section path, claim id, number among equal claims)."""


class Claim(Struct, frozen=True, omit_defaults=True):
    """A statement in a document. Documents with equal bytes have equal claims.

    `text` is inline Markdown without emphasis marks, in NFC, with white space collapsed. `masked`
    has the same length as `text`, with NUL in place of code, URLs, link targets and quotations.

    `line`, `column` and `end_line` are 1-based, and a column counts characters. `block` is the
    number of the top-level block with the claim. `table` is the number of the table with the claim,
    or 0 outside of tables. `depth` counts the lists and items around the claim. `context` is the
    digest of the nearest text above that introduces the claim (`Frame`), or empty.

    `memory_type` is a fact, an event or a procedure; `cues` names the words or the place that
    decided it. If parts of the claim have several types, `split` lists the types and then the
    parts.

    `doubt` is the label above the claim, such as "Open questions", that marks the claim as not
    settled. In a block quote, `doubt` is ">". `nothing` says why the statement itself is
    not checked: `instruction`, `plan`, `history`, `label`, or `reference` (only its references are
    looked up). It is empty if the statement is checked. `recorded` is true if the document calls
    itself a historical record."""

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
    memory_type: MemoryType = MemoryType.UNKNOWN
    cues: tuple[str, ...] = ()
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
        """Returns whether the text states nothing, so that only its references are looked up."""
        return self.nothing == "reference"

    @property
    def key(self) -> ClaimKey:
        """Returns what identifies the claim in its document: section, id, and number among equal
        claims."""
        return (self.section, self.id, self.ordinal)


CODE_BLOCK = "a code block"
"""The reason why a code block has no claim."""


class Skipped(Struct, frozen=True):
    """A range of lines without a claim. The command `explain PATH:LINE` shows the `reason`."""

    line: int
    end_line: int
    reason: str


class Ignore(Struct, frozen=True):
    """A comment `<!-- grounded: ignore[rule] reason="…" -->` in a document.

    The comment hides findings on its own line. If `alone` is true, the line has no other text, and
    the comment also hides findings on the next line."""

    line: int
    rules: tuple[str, ...]
    reason: str
    alone: bool = True

    def covers(self, first: int, last: int) -> bool:
        """Returns whether the comment applies to a text on the lines `first` to `last`."""
        return first - self.alone <= self.line <= last


class Problem(Struct, frozen=True):
    """A message about a file or the run, such as an unreadable file or an unused ignore.

    A problem with `tier` 0 is printed, but does not change the exit code. `fix` has a text in the
    line and the text that `check --fix` writes instead; both are empty if there is no fix."""

    path: str
    line: int
    rule: str
    message: str
    tier: int = 0
    fix: tuple[str, str] = ("", "")


class Extraction(Struct, frozen=True):
    """Everything that is extracted from the text of a document: claims, problems and more.

    `imports` are the targets of `@path` lines, as the document writes them. `problems` do not have
    a path until the caller adds the path. `links` are relations in memory records: (`Anna`, `Rome`,
    `lives_in`) for "Anna lives in Rome". `frames` maps digests to the texts that introduce claims,
    such as table headers."""

    claims: tuple[Claim, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    imports: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    links: tuple[tuple[str, str, str], ...] = ()
    frames: dict[str, Frame] = {}

    def context(self, claim: Claim) -> tuple[tuple[str, str], ...]:
        """Returns the texts around a claim, such as lead-ins and parent items, as pairs (kind,
        text). The outermost comes first."""
        return context_in(self.frames, claim.context)


class Document(Struct, frozen=True):
    """A file whose claims or references are checked.

    `blob` is the git object id of the file. `blob` is empty if the file cannot be read."""

    path: str
    doc_class: DocClass
    blob: str
    extraction: Extraction


class Place(Struct, frozen=True):
    """A claim together with the path and the class of its document."""

    path: str
    doc_class: DocClass
    claim: Claim


class Origin(Struct, frozen=True, omit_defaults=True):
    """The location of the text to which a confirmed reference leads. A judge model reads this text.

    `path` is relative to the repository root. `lines` are the line numbers (first, last), 1-based.
    `anchor` is the cited Markdown section. `commit` is the cited commit, or a commit whose tree
    contains `path`. `commit` is empty if the text is in the checked tree or on the base branch."""

    kind: Literal["file", "adr", "commit"]
    path: str = ""
    lines: tuple[int, int] | None = None
    commit: str = ""
    anchor: str = ""


class Evidence(Struct, frozen=True, omit_defaults=True):
    """The result of looking up one reference in a claim.

    `target` is the normalised target: `src/x.py:12-14`, `ADR-0003`, a full commit id, a URL, `#12`.
    If the reference did not resolve, `target` is the text of the reference. `quote` is the text at
    the target, at most 300 characters. `fingerprint` is the digest of the cited lines (16 hex
    digits). `origins` locate the texts that a judge model reads.

    `own` is false if the reference is not in the claim's own sentence but near it. `link` is true
    if the reference is the target of a Markdown link. `network` is true if the result comes from a
    server. `proves` is true if the claim says nothing more than this reference proves. `judged` is
    the opinion of the configured judge model. `muted` is true if an ignore comment or a baseline
    accepts the result. `old` is true if the reference was already wrong before the change.
    `instead` is the right target if there is exactly one; `check --fix` writes `instead` into the
    document. `note` is `not-staged` if the file is on disk but not staged. `note` is `changed-line`
    if the text on the cited lines has changed. `note` is `not-landed` if the claim is proved by
    files of the checked change, but not yet by the base branch.

    `at` is the line of the document (1-based) with this reference, if the reference is wrong and
    the claim has several lines. In all other cases, `at` is 0.

    Only reports set `checked_at` (ISO 8601, UTC) and `line` (1-based line of the quote)."""

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
    at: int = 0


class Finding(Struct, frozen=True):
    """Something that a detector found in a claim.

    `rule` names a row of the decision table. `words` are the words in the claim that triggered the
    rule. `other` is the second claim if the detector compared two claims. `similarity` is the
    Jaccard index of the two claims (0 to 1)."""

    rule: str
    message: str
    words: str = ""
    other: Place | None = None
    similarity: float = 0.0


class Operation(Struct, frozen=True):
    """What a new claim does to the memories that an agent already has: `ADD`, `UPDATE` or `SKIP`.

    `of` is the older claim that an `UPDATE` revises or a `SKIP` repeats."""

    name: Literal["ADD", "UPDATE", "SKIP"] = "ADD"
    of: Place | None = None


class Decision(Struct, frozen=True):
    """The result for a claim: the tier, and the one rule that decided the tier.

    `changed` is true if the change adds or edits the claim. `muted` is true if a selection or a
    baseline hides the decision from reports and counts. A hidden decision keeps its tier."""

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
        """Returns whether reports show the decision and count it for the exit code."""
        return self.changed and not self.muted

    @property
    def approved(self) -> bool:
        """Returns whether the claim is accepted (tier 1)."""
        return self.tier is Tier.APPROVE

    @property
    def wrong(self) -> tuple[Evidence, ...]:
        """Returns the wrong references in the claim's own sentence, without muted references."""
        return tuple(e for e in self.own_evidence if e.verdict is Verdict.REFUTED and not e.muted)

    @property
    def newly_wrong(self) -> tuple[Evidence, ...]:
        """Returns the wrong references that were right before the change.

        Reports list these references even if the change does not touch the claim."""
        return tuple(e for e in self.wrong if not e.old)

    @property
    def confidence(self) -> str:
        """Returns the tier in words: `high` for approve, `medium` for review, `low` for block."""
        return ("high", "medium", "low")[self.tier - 1]

    @property
    def deciding(self) -> Finding | None:
        """Returns the finding whose rule decided the claim, or None if no finding decided it."""
        return next((f for f in self.findings if f.rule == self.rule), None)

    @property
    def own_evidence(self) -> tuple[Evidence, ...]:
        """Returns the evidence for the references in the claim's own sentence."""
        return tuple(e for e in self.evidence if e.own)

    @property
    def checks_failed(self) -> tuple[str, ...]:
        """Returns the rules that found something in the claim."""
        wrong = any(e.verdict is Verdict.REFUTED for e in self.own_evidence)
        found = [*(f.rule for f in self.findings), *(["refuted-citation"] if wrong else [])]
        return tuple(dict.fromkeys(found))

    @property
    def checks_passed(self) -> tuple[str, ...]:
        """Returns the rules among `CHECKS` that found nothing in the claim."""
        return tuple(c for c in CHECKS if c not in self.checks_failed)


class Validation(Decision, frozen=True):
    """The decision about a claim that another program passed in, for example through the Python
    API.

    `reason` says why the rule decided. `validity_horizon` is the date or the duration (such as
    `P90D`) until which the claim is valid; empty if there is no limit."""

    reason: str = ""
    validity_horizon: str = ""

    @property
    def id(self) -> str:
        """Returns the id of the claim: equal texts have equal ids."""
        return self.place.claim.id

    @property
    def capture_time(self) -> str:
        """Returns the time when the claim was recorded (ISO 8601)."""
        return self.place.claim.timestamp

"""Reads and writes evidence files, which are committed together with the documents
(docs/evidence.md).

An evidence file has a line for each claim with a proof, an approval or a finding, in the order of
the document. The content depends on the tree, the history of the base branch, the configuration,
and the results of servers and judge model. Line numbers, times and counters are left out, because
they would cause needless changes and merge conflicts."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import (
    Claim,
    ClaimKey,
    Decision,
    Kind,
    MemoryType,
    Source,
    Verdict,
)
from grounded_ingest.model.digests import NOT_JSON, sha256
from grounded_ingest.text.patterns import compiled

DIRECTORY = ".grounded/evidence"
_UNSAFE = compiled(r'[<>:"|?*\\%\x00-\x1f\x7f\udc80-\udcff]')
_SUFFIXED = compiled(r"(?i)\.(?=jsonl$)")
_RESERVED = compiled(r"(?i)^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))")
_MAX_NAME = 230
"""Maximum length of a file name in bytes. The rest of the 255 bytes is for a digest, the extension
and a temporary name."""
QUIET = ("ungrounded", "nothing-to-check", "cited", "check-failed", "repeat", "technical-hedge")
"""Tier 2 rules for which no evidence line is written: no evidence decided the claim, or the report
does not show the claim, or a check could not run."""
_BEFORE_PROOFS = ("repeat", "technical-hedge")
"""Rules of tier 2 that come before proofs in the decision table, so that they decide a claim even
if a server confirms its references."""
_FROM_SERVERS = ("proved", "quoted", "judged", "judge-denies", "refuted-citation")
"""Rules that can result from a server's response."""


class CitationLine(Struct, frozen=True, omit_defaults=True):
    """A citation as it is stored in an evidence file."""

    kind: str
    target: str
    verdict: Verdict
    reason: str = ""
    fingerprint: str = ""
    network: bool = False


class EvidenceLine(Struct, frozen=True, omit_defaults=True):
    """A line of an evidence file: the tier of a claim, the rule that decided it, and its
    references. The file leaves out fields with their default value."""

    id: str
    claim: str
    tier: Literal[1, 2, 3] = 2
    rule: str = "ungrounded"
    kind: Kind = Kind.FACT
    memory_type: MemoryType = MemoryType.SEMANTIC
    source: Source = Source.UNKNOWN
    validity_horizon: str = ""
    citations: tuple[CitationLine, ...] = ()
    similarity: float | None = None
    conflict: str = ""

    @property
    def is_quiet(self) -> bool:
        """Returns whether the file leaves the line out: the claim is only open (tier 2), and no
        evidence worth storing decided it."""
        return self.tier == 2 and self.rule in QUIET


def evidence_line(decision: Decision, configured: Source, horizon: str) -> EvidenceLine:
    """Returns the evidence line for a decision.

    `configured` is the source, such as `conversation`, that the configuration gives the document.
    Unlike a source from the environment, this source is the same on every machine. `horizon` is the
    duration or date until which the claim is valid, or empty."""
    claim = decision.place.claim
    finding = decision.deciding
    other = finding.other if finding else None
    return EvidenceLine(
        id=claim.id,
        claim=claim.text,
        tier=decision.tier.value,
        rule=decision.rule,
        kind=claim.kind,
        memory_type=claim.memory_type,
        source=configured,
        validity_horizon=horizon,
        citations=tuple(
            CitationLine(e.kind, e.target, e.verdict, e.reason, e.fingerprint, e.network)
            for e in decision.own_evidence
        ),
        similarity=(finding.similarity or None) if finding else None,
        conflict=f"{other.path}#{other.claim.id}" if other else "",
    )


def line_bytes(line: EvidenceLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def parse_lines(content: bytes) -> list[EvidenceLine] | None:
    """Returns the lines of an evidence file in any format version. Returns None if a line cannot be
    read, for example because it is a conflict marker."""
    try:
        decoder = msgspec.json.Decoder(EvidenceLine)
        return [decoder.decode(row) for row in content.splitlines() if row.strip()]
    except NOT_JSON:
        return None


def lines_by_claim(
    lines: Iterable[EvidenceLine], claims: Iterable[Claim]
) -> dict[ClaimKey, EvidenceLine]:
    """Matches evidence lines to the claims in a document: the n-th line with an id belongs to the
    n-th claim with this id."""
    left: dict[str, deque[EvidenceLine]] = {}
    for line in lines:
        left.setdefault(line.id, deque()).append(line)
    return {c.key: left[c.id].popleft() for c in claims if left.get(c.id)}


# Results from servers


def keep_network(line: EvidenceLine, before: EvidenceLine | None) -> EvidenceLine:
    """Returns the line to store for a claim. `before` is the line that is stored now.

    If `line` differs from `before` only because this run did not use the network, returns `before`,
    so that an offline hook does not delete the results of an online run."""
    if before is None or not line.is_quiet or before.rule not in _FROM_SERVERS:
        return line
    if before.tier == 1 and line.rule in _BEFORE_PROOFS:  # An online run would decide the same.
        return line
    decisive = Verdict.CONFIRMED if before.tier == 1 else Verdict.REFUTED
    unasked = _unasked(before.citations, line.citations)
    same = replace(before, tier=line.tier, rule=line.rule, citations=line.citations) == line
    return before if same and any(old.verdict is decisive for old in unasked) else line


def _unasked(before: tuple[CitationLine, ...], now: tuple[CitationLine, ...]) -> list[CitationLine]:
    """Returns the stored citations that only differ because this run did not check them online.
    Returns an empty list if any citation differs for another reason."""
    if len(before) != len(now):
        return []
    changed = [(old, new) for old, new in zip(before, now, strict=True) if old != new]
    for old, new in changed:
        asked = new.network and new.verdict in (Verdict.UNKNOWN, Verdict.SKIPPED) and old.network
        if not asked or (old.kind, old.target) != (new.kind, new.target):
            return []
    return [old for old, _ in changed]


def why_outdated(recorded: Sequence[EvidenceLine], fresh: Mapping[ClaimKey, EvidenceLine]) -> str:
    """Returns the reason why the recorded lines do not match the results of this run, or an empty
    string.

    A recorded line must belong to a claim in the document and must not have a better tier than the
    run finds. A worse tier is fine: an approval that was merged in the meantime must not make a
    pull request fail. Lines may be missing, because a commit records only the sentences that it
    edits. But if all lines are missing, no claim may be blocked or proved by its citations."""
    claims = Counter(line.id for line in fresh.values())
    for line in recorded:
        claims[line.id] -= 1
        if claims[line.id] < 0:
            return f"has a line for a claim that is not in the document: {line.claim[:60]!r}"
    for line in () if recorded else fresh.values():
        if line.tier == 3 or (line.tier == 1 and line.citations):
            now = f"that now has tier {line.tier} ({line.rule})"
            return f"has no line for a claim {now}: {line.claim[:60]!r}"
    return next((why for line in recorded if (why := _why_overstated(line, fresh))), "")


def _why_overstated(before: EvidenceLine, fresh: Mapping[ClaimKey, EvidenceLine]) -> str:
    """Returns the reason why a recorded line has a better tier than the run finds, or an empty
    string. If the document contains equal claims, the best of their tiers counts."""
    equal = [line for line in fresh.values() if line.id == before.id]
    best = min(equal, key=lambda line: line.tier)
    if before.tier >= best.tier or any(keep_network(x, before) is before for x in equal):
        return ""
    says = f"says tier {before.tier} ({before.rule})"
    return f"{says}, but the claim now has tier {best.tier} ({best.rule}): {before.claim[:60]!r}"


# Files


def evidence_path(document: str, others: Iterable[str] = ()) -> str:
    """Returns the path of a document's evidence file.

    The path is valid on Windows and on file systems that ignore case. `others` are the documents
    whose paths differ from this document's path only in case."""
    directory, _, name = document.rpartition("/")
    name = _safe_name(name)
    long = len(os.fsencode(name)) > _MAX_NAME
    if long or any(other != document and other < document for other in others):
        kept = os.fsencode(name)[:_MAX_NAME].decode(errors="ignore") if long else name
        name = f"{kept}~{sha256(os.fsencode(document)).hexdigest()[:8]}"
    return f"{_directory(directory)}/{name}.jsonl"


@lru_cache(maxsize=1024)
def _directory(directory: str) -> str:
    parts = [_safe_name(part) for part in directory.split("/")] if directory else []
    # A directory `notes.jsonl/` would collide with the evidence file for `notes`.
    return "/".join([DIRECTORY, *(_SUFFIXED.sub("%2E", d) for d in parts)])


def _safe_name(part: str) -> str:
    part = _UNSAFE.sub(lambda m: f"%{ord(m[0]):02X}", part)
    part = _RESERVED.sub(lambda m: f"%{ord(m[0][0]):02X}{m[0][1:]}", part)
    if part.endswith((".", " ")):
        part = f"{part[:-1]}%{ord(part[-1]):02X}"
    return part


class DocumentEvidence:
    """The evidence that is stored for a document in a tree. `path` is the path of the evidence
    file."""

    def __init__(self, tree: Tree, path: str) -> None:
        self._tree = tree
        self.path = path

    @property
    def exists(self) -> bool:
        return self._tree.has(self.path)

    @cached_property
    def content(self) -> bytes:
        """Returns the content of the file, or empty bytes if there is no file."""
        return (self._tree.read(self.path) or b"") if self.exists else b""

    @cached_property
    def lines(self) -> list[EvidenceLine] | None:
        """Returns the lines in order, or None if the file cannot be parsed."""
        return parse_lines(self.content)


class EvidenceTree:
    """All evidence files in a tree, by document. `orphans` are evidence files without a
    document."""

    def __init__(self, tree: Tree, documents: Iterable[str]) -> None:
        self._tree = tree
        twins: dict[str, list[str]] = {}
        for path in documents:
            twins.setdefault(path.lower(), []).append(path)
        self._twins = twins
        below = [p for p in tree.below(DIRECTORY) if p.endswith(".jsonl")]
        homes = {evidence_path(d, t) for t in twins.values() for d in t} if below else set()
        self.orphans = tuple(p for p in below if p not in homes)

    def of(self, document: str) -> DocumentEvidence:
        path = evidence_path(document, self._twins.get(document.lower(), ()))
        return DocumentEvidence(self._tree, path)

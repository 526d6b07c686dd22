"""The evidence file of a document, committed beside its text (docs/evidence.md).

One line for each claim that a proof, an approval or a finding decided, in document order. The
content depends on the tree, the history of base, the configuration, and the answers of network and
judge. It has no line numbers, times or counters, which would change and conflict without need.
"""

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
    Evidence,
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
_FILE_OF_ONE_CLAIM = compiled(r"/[0-9a-f]{16}(?:-[1-9]\d{0,6})?\.jsonl$")
_RESERVED = compiled(r"(?i)^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))")
_MAX_NAME = 230
"""Bytes of a file name; the rest of 255 is for a digest, the extension and a temporary name."""
QUIET = ("ungrounded", "nothing-to-check", "cited", "check-failed", "repeat", "technical-hedge")
"""Rows of tier 2 that leave no line: nothing decided the claim, nothing is printed about it, or a
check could not run."""
_BEFORE_PROOFS = ("repeat", "technical-hedge")
"""Rows of tier 2 that come before proofs in the table: they decide even if a server confirms."""
_FROM_SERVERS = ("proved", "quoted", "judged", "judge-denies", "refuted-citation")
"""Rows that a server's answer can lead to."""


class CitationLine(Struct, frozen=True, omit_defaults=True):
    """A citation as an evidence file has it."""

    kind: str
    target: str
    verdict: Verdict
    reason: str = ""
    fingerprint: str = ""
    network: bool = False


class EvidenceLine(Struct, frozen=True, omit_defaults=True):
    """The evidence of one claim. Fields at their default are left out of the file."""

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
        """Whether the line is left out of the file."""
        return self.tier == 2 and self.rule in QUIET


def evidence_line(decision: Decision, configured: Source, horizon: str) -> EvidenceLine:
    """Returns the line of a decision. `configured` is the source that the configuration names,
    which unlike the source of the environment is the same on every machine."""
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
        citations=tuple(_citation_line(e) for e in decision.own_evidence),
        similarity=(finding.similarity or None) if finding else None,
        conflict=f"{other.path}#{other.claim.id}" if other else "",
    )


def _citation_line(e: Evidence) -> CitationLine:
    return CitationLine(e.kind, e.target, e.verdict, e.reason, e.fingerprint, e.network)


def line_bytes(line: EvidenceLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def parse_lines(content: bytes) -> list[EvidenceLine] | None:
    """Returns the lines of an evidence file of any version; None if a line cannot be read, for
    example because it is a conflict marker."""
    try:
        decoder = msgspec.json.Decoder(EvidenceLine)
        return [decoder.decode(row) for row in content.splitlines() if row.strip()]
    except NOT_JSON:
        return None


def lines_by_claim(
    lines: Iterable[EvidenceLine], claims: Iterable[Claim]
) -> dict[ClaimKey, EvidenceLine]:
    """Pairs lines with the claims of a document: the n-th line of an id with its n-th claim."""
    left: dict[str, deque[EvidenceLine]] = {}
    for line in lines:
        left.setdefault(line.id, deque()).append(line)
    return {c.key: left[c.id].popleft() for c in claims if left.get(c.id)}


# Answers of servers


def keep_network(line: EvidenceLine, before: EvidenceLine | None) -> EvidenceLine:
    """Returns the former line if the only difference is that this run did not ask the network.

    An offline hook must not delete what an online run confirmed or refuted.
    """
    if before is None or not line.is_quiet or before.rule not in _FROM_SERVERS:
        return line
    if before.tier == 1 and line.rule in _BEFORE_PROOFS:  # online it would decide as well
        return line
    decisive = Verdict.CONFIRMED if before.tier == 1 else Verdict.REFUTED
    unasked = _unasked(before.citations, line.citations)
    same = replace(before, tier=line.tier, rule=line.rule, citations=line.citations) == line
    return before if same and any(old.verdict is decisive for old in unasked) else line


def _unasked(before: tuple[CitationLine, ...], now: tuple[CitationLine, ...]) -> list[CitationLine]:
    """Returns the former citations that this run did not ask about; none if any other citation
    differs too."""
    if len(before) != len(now):
        return []
    changed = [(old, new) for old, new in zip(before, now, strict=True) if old != new]
    return [old for old, _ in changed] if all(_is_unasked(*pair) for pair in changed) else []


def _is_unasked(old: CitationLine, new: CitationLine) -> bool:
    asked = new.network and new.verdict in (Verdict.UNKNOWN, Verdict.SKIPPED) and old.network
    return asked and (old.kind, old.target) == (new.kind, new.target)


def why_outdated(recorded: Sequence[EvidenceLine], fresh: Mapping[ClaimKey, EvidenceLine]) -> str:
    """Returns why the recorded lines do not match what this run finds; empty if they match.

    A recorded line must not be of another text or claim more than the run finds. A claim that is
    blocked, or approved by what it cites, needs a line. A verdict that became better since is no
    mismatch: an approval that lands must not fail a pull request.
    """
    claims = Counter(line.id for line in fresh.values())
    for line in recorded:
        claims[line.id] -= 1
        if claims[line.id] < 0:
            return f"is not of this text: {line.claim[:60]!r}"
    known = {line.id for line in recorded}
    for line in fresh.values():
        if line.id not in known and (line.tier == 3 or (line.tier == 1 and line.citations)):
            found = f"the check finds tier {line.tier} ({line.rule})"
            return f"says nothing where {found}: {line.claim[:60]!r}"
    return next((why for line in recorded if (why := _why_overstated(line, fresh))), "")


def _why_overstated(before: EvidenceLine, fresh: Mapping[ClaimKey, EvidenceLine]) -> str:
    """Returns how a recorded line claims more than the run finds; empty if it does not. Of equal
    claims the best tier counts."""
    equal = [line for line in fresh.values() if line.id == before.id]
    best = min(equal, key=lambda line: line.tier)
    if before.tier >= best.tier or any(keep_network(x, before) is before for x in equal):
        return ""
    says = f"says tier {before.tier} ({before.rule})"
    return f"{says} where the check finds {best.tier} ({best.rule}): {before.claim[:60]!r}"


# Files


def evidence_path(document: str, others: Iterable[str] = ()) -> str:
    """Returns the path of a document's evidence. It is valid on Windows and on file systems that
    fold case. `others` are the documents whose paths differ from this one in case alone."""
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
    # A directory `notes.jsonl/` would collide with the evidence file of `notes`.
    return "/".join([DIRECTORY, *(_SUFFIXED.sub("%2E", d) for d in parts)])


def _safe_name(part: str) -> str:
    part = _UNSAFE.sub(lambda m: f"%{ord(m[0]):02X}", part)
    part = _RESERVED.sub(lambda m: f"%{ord(m[0][0]):02X}{m[0][1:]}", part)
    if part.endswith((".", " ")):
        part = f"{part[:-1]}%{ord(part[-1]):02X}"
    return part


def is_file_of_one_claim(path: str) -> bool:
    """Whether a path is of the former layout `<document>/<id>.jsonl`, one file for each claim."""
    return bool(_FILE_OF_ONE_CLAIM.search(path))


class DocumentEvidence:
    """The evidence files of one document in a tree. `path` is the file that is written; `paths` are
    those that exist: that file, and files of the former layout."""

    def __init__(self, tree: Tree, path: str, paths: Iterable[str]) -> None:
        self._tree = tree
        self.path = path
        # By length first: the second of equal claims is `<id>-1.jsonl`, after `<id>.jsonl`.
        self.paths = sorted(paths, key=lambda p: (len(p), p))

    @cached_property
    def files(self) -> dict[str, bytes]:
        return {p: self._tree.read(p) or b"" for p in self.paths}

    @cached_property
    def lines(self) -> list[EvidenceLine] | None:
        """The lines in order; None if a file cannot be parsed. Files of the former layout count
        only if the document has no other file."""
        files = [self.files[self.path]] if self.path in self.files else self.files.values()
        parsed = [parse_lines(content) for content in files]
        return None if None in parsed else [line for lines in parsed for line in lines or ()]


class EvidenceTree:
    """The evidence files of a tree: those of its documents, and `orphans` of no document."""

    def __init__(self, tree: Tree, documents: Iterable[str]) -> None:
        self._tree = tree
        twins: dict[str, list[str]] = {}
        for path in documents:
            twins.setdefault(path.lower(), []).append(path)
        self._twins = twins
        below = [p for p in tree.below(DIRECTORY) if p.endswith(".jsonl")]
        homes = {evidence_path(d, t) for t in twins.values() for d in t} if below else set()
        self._files: dict[str, list[str]] = {}
        orphans = []
        for path in below:
            above = f"{path.rpartition('/')[0]}.jsonl"
            home = above if path not in homes and is_file_of_one_claim(path) else path
            if home in homes:
                self._files.setdefault(home, []).append(path)
            else:
                orphans.append(path)
        self.orphans = tuple(orphans)

    def of(self, document: str) -> DocumentEvidence:
        path = evidence_path(document, self._twins.get(document.lower(), ()))
        return DocumentEvidence(self._tree, path, self._files.get(path, ()))

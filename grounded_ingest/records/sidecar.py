"""The evidence file of a document, committed beside its text (docs/evidence.md).

One line for each claim that a proof, an approval or a finding decided, in document order. The
content depends on the tree, the history of base, the configuration, and what network and judge
answered: it has no line numbers, no clock and no counters.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.text.patterns import compiled

DIRECTORY = ".grounded/evidence"
_UNSAFE = compiled(r'[<>:"|?*\\%\x00-\x1f\x7f\udc80-\udcff]')
_SUFFIXED = compiled(r"(?i)\.(?=jsonl$)")
_FILE_OF_ONE_CLAIM = compiled(r"/[0-9a-f]{16}(?:-[1-9]\d{0,6})?\.jsonl$")
_RESERVED = compiled(r"(?i)^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))")
_LONGEST = 230
"""Bytes of a file name that leave room for a digest, the extension and a temporary name."""
QUIET = ("ungrounded", "nothing-to-check", "cited", "check-failed", "repeat", "technical-hedge")
"""Rows of tier 2 that leave no line: nothing decided the claim, nothing is printed of it, or a
check could not run."""
_BEFORE_PROOFS = ("repeat", "technical-hedge")
"""Rows of tier 2 that come before proofs in the table: they decide even if a server confirms."""
_FROM_SOURCES = ("proved", "quoted", "judged", "judge-denies", "refuted-citation")
"""Rows that an answer of a server can lead to."""


class CitationLine(Struct, frozen=True, omit_defaults=True):
    """A citation as evidence holds it."""

    kind: str
    target: str
    verdict: Verdict
    reason: str = ""
    fingerprint: str = ""
    network: bool = False


class Line(Struct, frozen=True, omit_defaults=True):
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
        """Whether nothing is recorded of the claim."""
        return self.tier == 2 and self.rule in QUIET


def by_claim(lines: Iterable[Line], claims: Iterable[Claim]) -> dict[ClaimKey, Line]:
    """Pairs lines with the claims of a document: the n-th line of an id with its n-th claim."""
    left: dict[str, deque[Line]] = {}
    for line in lines:
        left.setdefault(line.id, deque()).append(line)
    return {c.key: left[c.id].popleft() for c in claims if left.get(c.id)}


def is_file_of_one_claim(path: str) -> bool:
    """Whether a path is of the former form, `<document>/<id>.jsonl`, a file for each claim."""
    return bool(_FILE_OF_ONE_CLAIM.search(path))


def evidence_path(document: str, others: Iterable[str] = ()) -> str:
    """Returns the path of a document's evidence; its review log has the same below `reviews`. Safe
    on Windows and on file systems that fold case. `others`: documents whose paths differ from
    this one in case alone."""
    directory, _, name = document.rpartition("/")
    name = _safe(name)
    long = len(os.fsencode(name)) > _LONGEST
    if long or any(other != document and other < document for other in others):
        from grounded_ingest.model.digests import sha256

        kept = os.fsencode(name)[:_LONGEST].decode(errors="ignore") if long else name
        name = f"{kept}~{sha256(os.fsencode(document)).hexdigest()[:8]}"
    return f"{_directory(directory)}/{name}.jsonl"


@lru_cache(maxsize=1024)
def _directory(directory: str) -> str:
    """Returns where the evidence of a directory's documents lies."""
    parts = [_safe(part) for part in directory.split("/")] if directory else []
    # `notes.jsonl/` would take the place of the evidence of `notes`.
    return "/".join([DIRECTORY, *(_SUFFIXED.sub("%2E", d) for d in parts)])


def _safe(part: str) -> str:
    part = _UNSAFE.sub(lambda m: f"%{ord(m[0]):02X}", part)
    part = _RESERVED.sub(lambda m: f"%{ord(m[0][0]):02X}{m[0][1:]}", part)
    if part.endswith((".", " ")):
        part = f"{part[:-1]}%{ord(part[-1]):02X}"
    return part


def sidecar_line(decision: Decision, configured: Source, horizon: str) -> Line:
    """Returns the line of a decision; `configured` is the source that the configuration names,
    never one of the environment."""
    claim = decision.place.claim
    finding = decision.deciding
    other = finding.other if finding else None
    return Line(
        id=claim.id,
        claim=claim.text,
        tier=decision.tier.value,
        rule=decision.rule,
        kind=claim.kind,
        memory_type=claim.memory_type,
        source=configured,
        validity_horizon=horizon,
        citations=tuple(_citation(e) for e in decision.own_evidence),
        similarity=(finding.similarity or None) if finding else None,
        conflict=f"{other.path}#{other.claim.id}" if other else "",
    )


def _citation(e: Evidence) -> CitationLine:
    return CitationLine(e.kind, e.target, e.verdict, e.reason, e.fingerprint, e.network)


def keep_network(line: Line, before: Line | None) -> Line:
    """Returns the former line if the claim is quiet now for one reason: this run could not ask the
    network what an earlier run was told."""
    if before is None or not line.is_quiet or before.rule not in _FROM_SOURCES:
        return line
    if before.tier == 1 and line.rule in _BEFORE_PROOFS:
        return line
    told = Verdict.CONFIRMED if before.tier == 1 else Verdict.REFUTED
    unasked = _unasked(before.citations, line.citations)
    same = replace(before, tier=line.tier, rule=line.rule, citations=line.citations) == line
    return before if same and any(old.verdict is told for old in unasked) else line


def _unasked(before: tuple[CitationLine, ...], now: tuple[CitationLine, ...]) -> list[CitationLine]:
    """Returns the citations that only an earlier run could ask of; none if others differ too."""
    if len(before) != len(now):
        return []
    changed = [(old, new) for old, new in zip(before, now, strict=True) if old != new]
    return [old for old, _ in changed] if all(_is_unasked(*pair) for pair in changed) else []


def _is_unasked(old: CitationLine, new: CitationLine) -> bool:
    asked = new.network and new.verdict in (Verdict.UNKNOWN, Verdict.SKIPPED) and old.network
    return asked and (old.kind, old.target) == (new.kind, new.target)


def line_bytes(line: Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def parse_lines(content: bytes) -> list[Line] | None:
    """Returns the lines of an evidence file, of any form there has been; None if one is no line,
    as conflict markers are."""
    try:
        return [msgspec.json.decode(r, type=Line) for r in content.splitlines() if r.strip()]
    except NOT_JSON:
        return None


def why_behind(recorded: Sequence[Line], fresh: Mapping[ClaimKey, Line]) -> str:
    """Returns why recorded lines are not what this run finds of a document's claims; empty if they
    hold.

    No line may be of another text or say more than the run finds. A claim that is blocked, or
    approved by what it cites, has to have one. A verdict that became better since is not behind:
    an approval that lands must not fail a pull request."""
    claims = Counter(line.id for line in fresh.values())
    for line in recorded:
        claims[line.id] -= 1
        if claims[line.id] < 0:
            return f"is not of this text: {line.claim[:60]!r}"
    known = {line.id for line in recorded}
    for line in fresh.values():
        if line.id not in known and (line.tier == 3 or (line.tier == 1 and line.citations)):
            said = f"says nothing where the check finds tier {line.tier} ({line.rule})"
            return f"{said}: {line.claim[:60]!r}"
    return next((why for line in recorded if (why := _overstates(line, fresh))), "")


def _overstates(before: Line, fresh: Mapping[ClaimKey, Line]) -> str:
    """What a recorded line says above what the run finds of its claim, or of an equal one."""
    equal = [line for line in fresh.values() if line.id == before.id]
    best = min(equal, key=lambda line: line.tier)
    if before.tier >= best.tier or any(keep_network(x, before) is before for x in equal):
        return ""
    says = f"says tier {before.tier} ({before.rule})"
    return f"{says} where the check finds {best.tier} ({best.rule}): {before.claim[:60]!r}"

"""The evidence sidecar: one line per claim, committed beside the text (docs/adr/0005).

A pure function of tree, base history and policy: no line numbers, no clock. An empty line stands
between the document's top-level blocks, so that it conflicts in a merge only where the text does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import (
    Decision,
    Evidence,
    Kind,
    MemoryType,
    Source,
    Support,
    Verdict,
)

DIRECTORY = ".grounded/evidence"
_UNSAFE = compiled(r'[<>:"|?*\\%\x00-\x1f\x7f\udc80-\udcff]')
_SUFFIXED = compiled(r"(?i)\.(?=jsonl$)")
_RESERVED = compiled(r"(?i)^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)")
_LONGEST = 230
"""Bytes of a file name that leave room for a digest, the extension and a temporary name."""


class CitationLine(Struct, frozen=True, omit_defaults=True):
    """A citation as a sidecar holds it."""

    kind: str
    target: str
    verdict: Verdict
    reason: str = ""
    support: Support = Support.EXISTENCE_ONLY
    fingerprint: str = ""
    quote: str = ""
    network: bool = False
    strength: str = ""


class Line(Struct, frozen=True, omit_defaults=True):
    """A claim as a sidecar holds it. Defaults are left out."""

    id: str
    claim: str
    section: str = ""
    ordinal: int = 0
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
    def key(self) -> tuple[str, str, int]:
        return (self.section, self.id, self.ordinal)


def evidence_path(document: str, others: Iterable[str] = ()) -> str:
    """Where a document's sidecar lies; safe on Windows and on file systems that fold case.
    `others`: documents whose paths differ from this one in case alone."""
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
    """Where the sidecars of a directory's documents lie."""
    parts = [_safe(part) for part in directory.split("/")] if directory else []
    # `notes.jsonl/` would take the place of the sidecar of `notes`.
    return "/".join([DIRECTORY, *(_SUFFIXED.sub("%2E", d) for d in parts)])


def _safe(part: str) -> str:
    part = _UNSAFE.sub(lambda m: f"%{ord(m[0]):02X}", part)
    part = _RESERVED.sub(lambda m: f"%{ord(m[0][0]):02X}{m[0][1:]}", part)
    if part.endswith((".", " ")):
        part = f"{part[:-1]}%{ord(part[-1]):02X}"
    return part


def sidecar_line(decision: Decision, configured: Source, horizon: str) -> Line:
    """The sidecar line of a decision; `source` is the configured one, never the environment's."""
    claim = decision.place.claim
    finding = decision.deciding
    other = finding.other if finding else None
    return Line(
        id=claim.id,
        claim=claim.text,
        section=claim.section,
        ordinal=claim.ordinal,
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


def _citation(evidence: Evidence) -> CitationLine:
    return CitationLine(
        evidence.kind,
        evidence.target,
        evidence.verdict,
        evidence.reason,
        evidence.support,
        evidence.fingerprint,
        evidence.quote,
        evidence.network,
        evidence.strength or "",
    )


def keep_network(line: Line, former: Mapping[tuple[str, str, int], Line]) -> Line:
    """The former line where this run could not ask the network what an earlier one was told, and
    nothing else stands between them."""
    before = former.get(line.key)
    if before is None or not _waits_for_network(line) or before.claim != line.claim:
        return line
    if len(before.citations) != len(line.citations):
        return line
    told = all(
        old == new
        or (_unasked(new) and old.network and (old.kind, old.target) == (new.kind, new.target))
        for old, new in zip(before.citations, line.citations, strict=True)
    )
    led = next((r for said, r in _LED if any(said(c) for c in before.citations)), None)
    same = replace(before, tier=line.tier, rule=line.rule, citations=line.citations)
    return before if told and led == (before.rule, before.tier) and same == line else line


_LED: tuple[tuple[Callable[[CitationLine], bool], tuple[str, int]], ...] = (
    (lambda c: c.support is Support.CONTRADICTED, ("contradicted-by-source", 2)),
    (lambda c: c.verdict is Verdict.REFUTED, ("refuted-citation", 2)),
    (lambda c: c.support is Support.UNSUPPORTED, ("unsupported", 2)),
    (lambda c: c.verdict is Verdict.UNKNOWN, ("unverified-citation", 2)),
    (lambda c: c.verdict is Verdict.CONFIRMED, ("verified-citation", 1)),
)
"""What the worst answer of a server leads to."""


def _unasked(citation: CitationLine) -> bool:
    return citation.network and citation.verdict is Verdict.UNKNOWN


def _waits_for_network(line: Line) -> bool:
    """Whether nothing but an answer of a server keeps a claim from tier 1."""
    open_ones = [c for c in line.citations if c.verdict is not Verdict.CONFIRMED]
    return line.rule == "unverified-citation" and all(_unasked(c) for c in open_ones)


def sidecar_text(blocks: Iterable[tuple[int, Line]]) -> bytes:
    """The bytes of a sidecar; empty where the document has no claims."""
    rows: list[bytes] = []
    last: int | None = None
    for block, line in blocks:
        if last is not None and block != last:
            rows.append(b"")
        rows.append(msgspec.json.encode(line))
        last = block
    return b"\n".join(rows) + b"\n" if rows else b""


def parse_sidecar(content: bytes) -> dict[tuple[str, str, int], Line] | None:
    """The lines of a sidecar by claim; None where it is broken or holds conflict markers."""
    decoder = msgspec.json.Decoder(Line)
    try:
        lines = [decoder.decode(row) for row in content.splitlines() if row.strip()]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return {line.key: line for line in lines}


def why_behind(recorded: bytes, fresh: bytes) -> str:
    """Why a recorded sidecar is not what this run finds; empty where it holds.

    The claims must be the same, and none may be recorded as better grounded than
    it is. A verdict that has become better since is not behind: `audit` promotes it.
    """
    if recorded == fresh:
        return ""
    old, new = parse_sidecar(recorded), parse_sidecar(fresh)
    if old is None or new is None:
        return "cannot be parsed"
    if list(old) != list(new):
        return "is not of this text"
    for key, line in new.items():
        before = old[key]
        if before.claim != line.claim:
            return f"is not of this text: {line.claim[:60]!r}"
        if before.tier < line.tier and keep_network(line, {key: before}) is line:
            says = f"says tier {before.tier} ({before.rule})"
            return f"{says} where the check finds {line.tier} ({line.rule}): {line.claim[:60]!r}"
    return ""


def same_claims(recorded: bytes, keys: Sequence[tuple[str, str, int]]) -> bool:
    """Whether a sidecar is of exactly these claims; the cheap question of the hook."""
    parsed = parse_sidecar(recorded)
    return parsed is not None and list(parsed) == list(keys)

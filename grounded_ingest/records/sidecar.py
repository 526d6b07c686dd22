"""The evidence sidecar: a file for each claim of which there is something to say, committed beside
the text (docs/adr/0005, docs/adr/0052).

A pure function of tree, base history and policy: no line numbers, no clock. What stands in no file
shares no file, so branches that meet in no claim meet in no evidence.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    Decision,
    Evidence,
    Kind,
    MemoryType,
    Source,
    Verdict,
)
from grounded_ingest.model.foreign_json import NOT_JSON

DIRECTORY = ".grounded/evidence"
_UNSAFE = compiled(r'[<>:"|?*\\%\x00-\x1f\x7f\udc80-\udcff]')
_SUFFIXED = compiled(r"(?i)\.(?=jsonl$)")
_FILE = compiled(r"/([0-9a-f]{16})(?:-([1-9]\d{0,6}))?\.jsonl$")
_RESERVED = compiled(r"(?i)^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))")
_LONGEST = 230
"""Bytes of a file name that leave room for a digest, the extension and a temporary name."""
SILENT = ("ungrounded", "nothing-to-check", "cited")
"""Rows that say nothing of a claim: without a citation it has no evidence."""
_CITED = frozenset(kind.value for kind in (
    CitationKind.PATH, CitationKind.ADR, CitationKind.COMMIT, CitationKind.URL, CitationKind.ISSUE,
))  # fmt: skip
"""Kinds of evidence that a claim has by its text alone."""

_PIECE = 64  # bytes that git compares as one
EvidenceKey = tuple[str, int]
"""Identity of a claim's evidence inside a document: (id, ordinal among its equals)."""


class CitationLine(Struct, frozen=True, omit_defaults=True):
    """A citation as a sidecar holds it."""

    kind: str
    target: str
    verdict: Verdict
    reason: str = ""
    fingerprint: str = ""
    quote: str = ""
    network: bool = False


class Line(Struct, frozen=True, omit_defaults=True):
    """A claim as its file holds it. Defaults are left out.

    `document` stands first: git takes files for renamed where much of them is equal, and evidence
    of another document is none."""

    document: str
    id: str
    claim: str
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
    def key(self) -> EvidenceKey:
        return (self.id, self.ordinal)

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to say: no row but the last, no citation or reference."""
        return self.tier == 2 and self.rule in SILENT and not self.citations

    @property
    def waits(self) -> bool:
        """Whether somebody has to look at it."""
        return self.tier == 2 and self.rule != "nothing-to-check"


def evidence_keys(claims: Iterable[Claim]) -> list[EvidenceKey]:
    """The keys of a document's claims, in its order. Sections do not count: a heading that is
    renamed changes no evidence."""
    met: Counter[str] = Counter()
    keys = []
    for claim in claims:
        keys.append((claim.id, met[claim.id]))
        met[claim.id] += 1
    return keys


def evidence_directory(document: str, others: Iterable[str] = ()) -> str:
    """Where a document's evidence lies."""
    return evidence_path(document, others).removesuffix(".jsonl")


def evidence_file(directory: str, key: EvidenceKey) -> str:
    """The file of a claim."""
    name, ordinal = key
    return f"{directory}/{name}{f'-{ordinal}' if ordinal else ''}.jsonl"


def key_of_file(path: str) -> EvidenceKey | None:
    """The claim that a file is of, by its name; None where it is none of ours."""
    found = _FILE.search(path)
    return (found[1], int(found[2] or 0)) if found else None


def evidence_path(document: str, others: Iterable[str] = ()) -> str:
    """The path of a document's records as one file: its review log's below another directory, and
    its evidence as one file for all claims, which was its form before docs/adr/0052. Safe on
    Windows and on file systems that fold case. `others`: documents whose paths differ from this
    one in case alone."""
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


def sidecar_line(decision: Decision, ordinal: int, configured: Source, horizon: str) -> Line:
    """The line of a decision; `ordinal` counts the claim's equals in its document, `source` is the
    configured one, never the environment's."""
    claim = decision.place.claim
    finding = decision.deciding
    other = finding.other if finding else None
    return Line(
        document=os.fsencode(decision.place.path).decode(errors="replace"),
        id=claim.id,
        claim=claim.text,
        ordinal=ordinal,
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
        evidence.fingerprint,
        evidence.quote,
        evidence.network,
    )


def keep_network(line: Line, before: Line | None) -> Line:
    """The former line where this run could not ask the network what an earlier one was told, and
    nothing else stands between them."""
    if before is None or not waits_for_network(line) or not _cites_as_much(before, line):
        return line
    told = all(
        old == new
        or (_unasked(new) and old.network and (old.kind, old.target) == (new.kind, new.target))
        for old, new in zip(before.citations, line.citations, strict=True)
    )
    led = next((r for said, r in _LED if any(said(c) for c in before.citations)), None)
    same = replace(before, tier=line.tier, rule=line.rule, citations=line.citations)
    return before if told and led == (before.rule, before.tier) and same == line else line


def _cites_as_much(before: Line, line: Line) -> bool:
    same = (before.key, before.claim) == (line.key, line.claim)
    return same and len(before.citations) == len(line.citations)


_LED: tuple[tuple[Callable[[CitationLine], bool], tuple[str, int]], ...] = (
    (lambda c: c.verdict is Verdict.REFUTED, ("refuted-citation", 2)),
    (lambda c: c.verdict is Verdict.UNKNOWN, ("ungrounded", 2)),
    (lambda c: c.verdict is Verdict.CONFIRMED, ("cited", 2)),
)
"""What the worst answer of a server leads to."""


def _unasked(citation: CitationLine) -> bool:
    return citation.network and citation.verdict is Verdict.UNKNOWN


def waits_for_network(line: Line) -> bool:
    """Whether nothing but an answer of a server keeps a claim from tier 1."""
    open_ones = [c for c in line.citations if c.verdict is not Verdict.CONFIRMED]
    return line.rule in SILENT and all(_unasked(c) for c in open_ones)


def line_bytes(line: Line) -> bytes:
    """The content of a claim's file, set off by a width of the claim's own.

    Git finds renames by comparing a line in pieces of 64 bytes, from its start. Without the width,
    evidence of an edited claim counts as a rename of the former's, and a merge conflicts where the
    other side moved or edited the claim too (docs/adr/0059)."""
    document, sep, rest = msgspec.json.encode(line).partition(b',"id":')
    return document + sep + b" " * (int(line.id, 16) % _PIECE) + rest + b"\n"


def parse_line(content: bytes) -> Line | None:
    """The line of a claim's file; None where it is broken, holds conflict markers or two lines."""
    try:
        return msgspec.json.decode(content, type=Line)
    except NOT_JSON:
        return None


def parse_former(document: str, content: bytes) -> list[Line] | None:
    """The lines of evidence as one file, which had one for every claim in the order of the text;
    None where it is broken."""
    met: Counter[str] = Counter()
    found = []
    try:
        for row in content.splitlines():
            if row.strip():
                told = {**msgspec.json.decode(row, type=dict[str, object]), "document": document}
                told["ordinal"] = met[str(told.get("id"))]
                met[str(told.get("id"))] += 1
                found.append(msgspec.convert(told, Line))
    except NOT_JSON:
        return None
    return found


def why_behind(
    recorded: Mapping[EvidenceKey, Line],
    fresh: Mapping[EvidenceKey, Line],
    claims: Iterable[EvidenceKey],
) -> str:
    """Why recorded evidence is not what this run finds; empty where it holds.

    Every line must be of a claim, none may say more than the check finds, and what cites or is
    blocked must have one. No line says that nothing is known, so it is right where nothing is. A
    verdict that has become better since is not behind: `audit` promotes it.
    """
    there = set(claims)
    gone = (line for key, line in recorded.items() if key not in there)
    if line := next(gone, None):
        return f"is not of this text: {line.claim[:60]!r}"
    lacking = (w for key, line in fresh.items() if key not in recorded if (w := _lacks(line)))
    wrong = (w for key, line in recorded.items() if (w := _overstates(line, fresh.get(key))))
    return next(lacking, "") or next(wrong, "")


def _lacks(line: Line) -> str:
    if line.tier == 3:
        return f"says nothing where the check finds tier 3 ({line.rule}): {line.claim[:60]!r}"
    return f"does not know the claim: {line.claim[:60]!r}" if is_cited(line) else ""


def is_cited(line: Line) -> bool:
    return any(c.kind in _CITED for c in line.citations)


def _overstates(before: Line, line: Line | None) -> str:
    """What a recorded line says above what the check finds; no line is the last row."""
    if line is not None and before.claim != line.claim:
        return f"is not of this text: {line.claim[:60]!r}"
    tier, rule = (line.tier, line.rule) if line else (2, SILENT[0])
    if before.tier >= tier or (line is not None and keep_network(line, before) is before):
        return ""
    says = f"says tier {before.tier} ({before.rule})"
    return f"{says} where the check finds {tier} ({rule}): {before.claim[:60]!r}"


def lines_of(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Line | None]]:
    """Files of claims with their lines; None where one is broken or is named for another claim."""
    for path, content in files:
        line = parse_line(content)
        yield path, line if line is not None and line.key == key_of_file(path) else None

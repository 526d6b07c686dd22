"""Memory types that were given to claims of real repositories by a reader, and by the cues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.intervals import wilson
from benchmarks.quality.labels import clone_below, fingerprint, read_lines
from grounded_ingest.config.settings import Config, classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Claim, DocClass, MemoryType
from grounded_ingest.report.as_json import pretty

MIXED = "mixed"
NAMES = tuple(str(t) for t in MemoryType)


class Labelled(Struct, frozen=True, rename={"type": "label", "half": "set"}):
    """A claim with the type a reader gave it: `id` is the claim's, `sha256` of its first line with
    whitespace folded where that is known as well, `half` what the label is for."""

    id: str
    repo: str
    commit: str
    path: str
    line: int
    type: str
    sha256: str = ""
    half: str = ""


class Read(NamedTuple):
    """A labelled claim, and the claim found there."""

    labelled: Labelled
    claim: Claim

    @property
    def right(self) -> bool:
        """A claim that mixes types is right when its split is proposed."""
        if self.labelled.type == MIXED:
            return bool(self.claim.split)
        return self.claim.memory_type == self.labelled.type


class OfType(Struct, frozen=True):
    """How well one type is told. `confusion`: types given to claims of this label."""

    type: str
    labelled: int
    given: int
    precision: float
    recall: float
    f1: float
    confusion: dict[str, int]


class TypesRun(Struct, frozen=True):
    """A run, as JSON shows it. `baseline` is the accuracy of calling everything semantic;
    `split_proposed` counts the claims of mixed label, and of another, that would be split."""

    schema: str
    half: str
    claims: int
    accuracy: float
    interval: tuple[float, float]
    baseline: float
    types: tuple[OfType, ...]
    mixed: int
    split_proposed: tuple[int, int]
    left_out: tuple[str, ...] = ()


def measured(references: str, repos: str, half: str = "") -> TypesRun:
    """Compare the labels of a file with the types given now. Raises GroundedIngestError."""
    read, left_out = read_labelled(references, repos, half)
    return _figures(read, half, left_out)


def read_labelled(labels: str, repos: str, half: str = "") -> tuple[list[Read], list[str]]:
    """The labelled claims of a half in their clones, and what could not be read. Raises
    GroundedIngestError."""
    labelled = [r for r in read_lines(labels, Labelled) if half in ("", r.half)]
    if not any(clone_below(repos, r.repo) for r in labelled):
        raise GroundedIngestError(
            f"none of the repositories is below {repos}",
            "clone them there as owner+name or owner/name, with their history",
        )
    read, left_out = list[Read](), list[str]()
    for item in in_clones(labelled, repos):
        read.append(item) if isinstance(item, Read) else left_out.append(item)
    return read, left_out


def in_clones(labelled: Sequence[Labelled], repos: str) -> Iterator[Read | str]:
    """The claims in their clones; those that are not there as a text that says so."""
    ordered = sorted(labelled, key=lambda r: (r.repo, r.commit, r.path))
    for name, group in groupby(ordered, key=lambda r: r.repo):
        items = list(group)
        clone = clone_below(repos, name)
        if not clone:
            yield from (f"{name}: no clone: {r.path}:{r.line}" for r in items)
            continue
        with Repo(clone, own=False) as repo:
            for (commit, path), some in groupby(items, key=lambda r: (r.commit, r.path)):
                yield from _in_document(repo, commit, path, list(some))


def _in_document(
    repo: Repo, commit: str, path: str, labelled: Sequence[Labelled]
) -> Iterator[Read | str]:
    found = repo.objects.get(f"{commit}:{path}")
    content = repo.objects.read(found.oid) if found else None
    if content is None:
        yield from (f"{r.repo}: not at {commit[:12]}: {path}:{r.line}" for r in labelled)
        return
    lines = content.decode(errors="replace").split("\n")
    claims = extract(content, path, classify(Config(), path) or DocClass.DOCS).claims
    for r in labelled:
        stands = r.line <= len(lines) and r.sha256 in ("", fingerprint(lines[r.line - 1]))
        claim = next((c for c in claims if c.id == r.id and c.line == r.line), None)
        if stands and claim:
            yield Read(r, claim)
        else:
            yield f"{r.repo}: another claim now: {path}:{r.line}"


def _figures(read: Sequence[Read], half: str, left_out: Sequence[str]) -> TypesRun:
    right, total = sum(r.right for r in read), max(1, len(read))
    mixed = [r for r in read if r.labelled.type == MIXED]
    split = sum(bool(r.claim.split) for r in read)
    proposed = sum(r.right for r in mixed)
    low, high = wilson(right, len(read))
    pairs = Counter((r.labelled.type, str(r.claim.memory_type)) for r in read)
    return TypesRun(
        "grounded-ingest/bench-memory-types/1",
        half,
        len(read),
        round(right / total, 4),
        (round(low, 4), round(high, 4)),
        round(sum(r.labelled.type == MemoryType.SEMANTIC for r in read) / total, 4),
        tuple(_of_type(name, pairs) for name in NAMES),
        len(mixed),
        (proposed, split - proposed),
        tuple(left_out),
    )


def _of_type(name: str, pairs: Counter[tuple[str, str]]) -> OfType:
    """Figures of one type; claims labelled mixed are left aside."""
    confusion = {given: pairs[name, given] for given in NAMES}
    labelled = sum(confusion.values())
    given = sum(pairs[label, name] for label in NAMES)
    precision, recall = confusion[name] / max(1, given), confusion[name] / max(1, labelled)
    f1 = 2 * confusion[name] / max(1, given + labelled)
    return OfType(
        name, labelled, given, round(precision, 4), round(recall, 4), round(f1, 4), confusion
    )


def as_json(run: TypesRun) -> str:
    return pretty(msgspec.to_builtins(run))


def as_text(run: TypesRun) -> str:
    lines = [*_head(run), ""]
    lines += [
        f"{t.type:11} {t.labelled:4} labelled {t.given:4} given"
        f"  P {t.precision:.3f}  R {t.recall:.3f}  F1 {t.f1:.3f}"
        f"  ({', '.join(f'{n} {name}' for name, n in t.confusion.items())})"
        for t in run.types
    ]
    return "\n".join([*lines, *([""] if run.left_out else []), *run.left_out]) + "\n"


def as_markdown(run: TypesRun) -> str:
    rows = [
        f"| {t.type} | {t.labelled} | {t.given} | {t.precision:.3f} | {t.recall:.3f} "
        f"| {t.f1:.3f} | {' | '.join(str(n) for n in t.confusion.values())} |"
        for t in run.types
    ]
    columns = f"| type | labelled | given | P | R | F1 | {' | '.join(f'as {n}' for n in NAMES)} |"
    return "\n".join([*_head(run), "", columns, "|---|" + "--:|" * 8, *rows]) + "\n"


def _head(run: TypesRun) -> list[str]:
    (low, high), (proposed, other) = run.interval, run.split_proposed
    return [
        f"{run.half or 'all'}: {run.claims} claims, accuracy {run.accuracy:.3f} "
        f"({low:.3f} to {high:.3f}), always semantic {run.baseline:.3f}",
        f"mixed: a split is proposed for {proposed} of {run.mixed}, and for {other} of the others",
        *([f"{len(run.left_out)} claims left out"] if run.left_out else []),
    ]

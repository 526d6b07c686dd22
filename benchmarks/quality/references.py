"""Friction on real repositories: claims that were read beside their source and found true.

A reference names a line of a document at a revision. It is judged as its claim would have been when
it came in: the paragraph, list item or row of the line is taken out of the document, that is base,
and putting it back is the change.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from benchmarks.quality.friction import UNSEEN
from benchmarks.quality.rewrites import in_place, rewrite
from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.model.claims import Decision, Tier
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_json import decision_json as as_shown
from grounded_ingest.verify.tracker import host_and_path

_Line = TypeVar("_Line", bound=Struct)

Split = Literal["open", "held"]
"""Of the corpus: `held` was not read while a rule was written."""


class Reference(Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="citation"):
    """A claim that was read beside what it cites, not by this tool; true and truly cited if its
    label says nothing else.

    `line` is where `cites`, the citation as written, stands in `path` at `commit`; `sha256` is of
    that line with its whitespace folded. `why` says what in the source bears the claim out.
    """

    repo: str
    commit: str
    path: str
    line: int
    kind: str
    cites: str
    sha256: str
    label: Literal["true", "false", "unclear"] = "true"
    why: str = ""
    split: Split = "open"

    @property
    def place(self) -> str:
        return f"{self.repo}:{self.path}:{self.line}"


class Judged(NamedTuple):
    """A reference and what became of it; `tier` 0: no claim was judged there. `again` is what
    became of its one rewrite."""

    reference: Reference
    tier: int
    rule: str
    detail: str
    strength: str = ""
    text: str = ""
    again: Judged | None = None

    @property
    def approved(self) -> bool:
        return self.tier == Tier.APPROVE


class Outcome(NamedTuple):
    """What was judged, and what was left out, with the reason in words."""

    judged: list[Judged]
    left_out: list[str]


def read_references(path: str) -> list[Reference]:
    """References of a JSON Lines file. Raises GroundedIngestError for a line that is none."""
    return read_lines(path, Reference)


def read_lines(path: str, kind: type[_Line]) -> list[_Line]:
    """The lines of a JSON Lines file. Raises GroundedIngestError for one of another kind."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    found = [
        _decoded(path, number, line, kind) for number, line in enumerate(lines, 1) if line.strip()
    ]
    if not found:
        raise GroundedIngestError(f"{path} holds no labels")
    return found


def _decoded(path: str, number: int, line: bytes, kind: type[_Line]) -> _Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.MsgspecError as error:
        raise GroundedIngestError(f"{path}:{number}: {error}") from None


def judged(
    references: Sequence[Reference], repos: str, say: Callable[[float, str], None]
) -> Outcome:
    """Judge references in clones below a directory, each named `owner+name` or `owner/name`.

    Clones, revisions and lines that are not there are left out and said. Raises
    GroundedIngestError where there is no clone at all.
    """
    done, left_out = list[Judged](), list[str]()
    ordered = sorted(references, key=lambda r: (r.repo, r.commit, r.path))
    for name, group in groupby(ordered, key=lambda r: r.repo):
        cited = list(group)
        if clone := clone_below(repos, name):
            for outcome in _inclone_below(clone, cited):
                done += outcome.judged
                left_out += outcome.left_out
                say((len(done) + 1) / (len(references) + 1), f"{len(done)} claims, {name}")
        else:
            left_out.append(f"{name}: no clone below {repos}: {_so_many(cited)}")
    if not done and not any(clone_below(repos, r.repo) for r in references):
        raise GroundedIngestError(
            f"none of the repositories is below {repos}",
            "clone them there as owner+name or owner/name, with their history",
        )
    return Outcome(done, left_out)


def clone_below(repos: str, name: str) -> str:
    """The place of a repository's clone, empty where there is none. It may lie one level deeper."""
    for place in (f"{repos}/{name.replace('/', '+')}", f"{repos}/{name}"):
        for clone in (place, f"{place}/repo"):
            if any(os.path.exists(f"{clone}/{inside}") for inside in (".git", "HEAD")):
                return clone
    return ""


def _so_many(references: Sequence[Reference]) -> str:
    return f"{len(references)} reference{'s' * (len(references) > 1)} left out"


def _inclone_below(clone: str, references: Sequence[Reference]) -> Iterator[Outcome]:
    """One document at one revision after the other, as `references` are ordered."""
    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
        shop = Workshop(clone, directory)
        shop.git("remote", "set-url", "origin", _remote(clone, references[0].repo))
        for (commit, path), group in groupby(references, key=lambda r: (r.commit, r.path)):
            yield _in_document(shop, commit, path, list(group))


def _remote(clone: str, name: str) -> str:
    """Where the clone came from, GitHub where it does not say: what is the repository's own is told
    from what is others'. Nothing is fetched from there."""
    with Repo(clone, own=False) as repo:
        url = repo.remote_url()
    return url if host_and_path(url)[0] else f"https://github.com/{name}"


def _in_document(
    shop: Workshop, commit: str, path: str, references: Sequence[Reference]
) -> Outcome:
    text = _text(shop, commit, path)
    if text is None:
        where = f"{references[0].repo}: {path} is not there at {commit[:12]}"
        return Outcome([], [f"{where}: {_so_many(references)}"])
    lines = text.split("\n")
    stand = [r for r in references if _stands(r, lines)]
    gone = [_moved(r, lines) for r in references if r not in stand]
    if not stand:
        return Outcome([], gone)
    out = {n for r in stand for n in block_of(lines, r.line)}
    without = "\n".join(line for n, line in enumerate(lines, 1) if n not in out)
    decided = _decided(shop, commit, {path: without})
    found = [_judged(r, decided) for r in stand]
    return Outcome(_once_more(shop, without, lines, found), gone)


def _once_more(
    shop: Workshop, without: str, lines: list[str], first: Sequence[Judged]
) -> list[Judged]:
    """What became of the true claims of a document that wait, each rewritten once where its message
    offers it; of several in one block the last."""
    new, at, done = lines, dict[int, int](), set[range]()
    for judged in sorted(first, key=lambda j: -j.reference.line):
        reference, block = judged.reference, block_of(lines, judged.reference.line)
        told = judged.approved or reference.label != "true" or block in done
        text = "" if told else rewrite(judged.text, judged.detail, reference.cites)
        if text:
            before = len(new)
            new, line = in_place(new, block, text)
            at = {n: old + len(new) - before for n, old in at.items()} | {reference.line: line}
            done.add(block)
    if not at:
        return list(first)
    path, commit = first[0].reference.path, first[0].reference.commit
    decided = _decided(shop, commit, {path: without}, {path: "\n".join(new)})
    return [_with_again(j, at.get(j.reference.line), decided) for j in first]


def _with_again(first: Judged, line: int | None, decided: Sequence[Decision]) -> Judged:
    if line is None or first.approved or first.reference.label != "true":
        return first
    return first._replace(
        again=_judged(msgspec.structs.replace(first.reference, line=line), decided)
    )


def _text(shop: Workshop, commit: str, path: str) -> str | None:
    with Repo(shop.root, own=False) as repo:
        found = repo.objects.get(f"{commit}:{path}")
        content = CommitTree(repo, commit).read(path) if found else None
    return content.decode(errors="replace") if content is not None else None


def fingerprint(line: str) -> str:
    """SHA-256 of a line, its whitespace folded."""
    return sha256(" ".join(line.split()).encode()).hexdigest()


def _stands(reference: Reference, lines: Sequence[str]) -> bool:
    at = reference.line - 1
    return 0 <= at < len(lines) and fingerprint(lines[at]) == reference.sha256


def _moved(reference: Reference, lines: Sequence[str]) -> str:
    found = [n for n, line in enumerate(lines, 1) if fingerprint(line) == reference.sha256]
    where = f"it is line {found[0]} now" if found else "the line is another now"
    return f"{reference.place} at {reference.commit[:12]}: {where}: left out"


_STARTS = re.compile(r"\s*(?:[-*+]|\d+[.)])\s|\s*\||#")
_ENDS = re.compile(r"\s*(?:$|```|~~~)")


def block_of(lines: Sequence[str], line: int) -> range:
    """The lines of the paragraph, list item or table row that a line belongs to."""
    first = last = line - 1
    if not lines[first].lstrip().startswith("|"):
        while first and not _STARTS.match(lines[first]) and not _ENDS.match(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and not re.match(
            f"{_STARTS.pattern}|{_ENDS.pattern}", lines[last + 1]
        ):
            last += 1
    return range(first + 1, last + 2)


def _decided(
    shop: Workshop, commit: str, without: Mapping[str, str], changed: Mapping[str, str] = {}
) -> tuple[Decision, ...]:
    """What the hook decides of the change from documents without claims to those of a commit, or to
    other ones."""
    shop.git("read-tree", commit)
    shop.stage(without)
    base = shop.git("commit-tree", shop.git("write-tree"), "-p", commit, "-m", "Without claims")
    for ref in ("HEAD", "refs/remotes/origin/HEAD"):
        shop.git("update-ref", ref, base)
    shop.git("read-tree", commit)
    shop.stage(changed)
    with Repo(shop.root, own=False) as repo:
        result = run(repo, Asked("staged"), Options(online=False))
        result.kb.index.close()
        return result.report.counted


def _judged(reference: Reference, decided: Sequence[Decision]) -> Judged:
    at = [d for d in decided if _covers(d, reference)]
    found = next((d for d in at if reference.cites in d.place.claim.text), at[0] if at else None)
    if found is None:
        return Judged(reference, 0, UNSEEN, "no claim was judged there")
    strength, text = found.strength or "", found.place.claim.text
    return Judged(reference, int(found.tier), found.rule, as_shown(found)["reason"], strength, text)


def _covers(decision: Decision, reference: Reference) -> bool:
    claim = decision.place.claim
    return decision.place.path == reference.path and claim.line <= reference.line <= claim.end_line

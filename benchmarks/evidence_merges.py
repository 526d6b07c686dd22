"""What evidence weighs, and whether it conflicts in merges in which the text does not.

Merges are those of real histories that met in a document: base and parents as they were, evidence
of their texts beside them, merged anew by git. Evidence is derived of the text alone there, in two
sizes: `least` has a line for each claim with a hedge or a citation by name (`path::name`), `most`
one for each claim that cites or refers to anything, which is more than any run records.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import click
import msgspec
from msgspec import Struct

from grounded_ingest.config.settings import DEFAULTS, classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Claim
from grounded_ingest.pipeline import Options, run
from grounded_ingest.records.evidence import DIRECTORY, EvidenceLine, evidence_path, line_bytes
from grounded_ingest.references.registry import references_in
from grounded_ingest.report.evidence_files import plan_evidence
from grounded_ingest.repository.scope import Asked
from grounded_ingest.statements.hedges import find_hedges

LARGEST = 400_000
"""Bytes of the largest text that is merged."""
Files = dict[str, bytes]


class Weight(Struct, frozen=True):
    """The evidence of a repository."""

    repo: str
    documents: int
    claims: int
    files: int
    lines: int
    bytes: int


class Met(Struct, frozen=True):
    """A merge: documents that both sides changed, those whose text conflicts, and by form those
    whose evidence conflicts alone, or is left behind."""

    repo: str
    commit: str
    documents: int
    text: int
    conflicts: dict[str, int]
    behind: dict[str, int]


class EvidenceRun(Struct, frozen=True):
    weights: tuple[Weight, ...]
    merges: tuple[Met, ...]


def measured(clones: Iterable[str], most: int, *, weigh: bool) -> EvidenceRun:
    """Up to `most` merges of each clone, and the weight of its evidence where that is asked for."""
    weights, merges = list[Weight](), list[Met]()
    for clone in clones:
        name = _name(clone)
        with Repo(clone, own=False) as repo:
            weights += [_weight(repo, name)] if weigh else []
            if most:
                with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
                    merges += _merged(repo, name, most, directory)
    return EvidenceRun(tuple(weights), tuple(merges))


def _name(clone: str) -> str:
    """Of a clone: of its directory, or the one above where that is called `repo`."""
    path = os.path.realpath(clone)
    return os.path.basename(path.removesuffix("/repo"))


def _weight(repo: Repo, name: str) -> Weight:
    result = run(repo, Asked("all"), Options(online=False))
    written = [c for c in plan_evidence(result, heal=False).fresh.values() if c]
    result.kb.index.close()
    lines, size = sum(c.count(b"\n") for c in written), sum(map(len, written))
    documents, claims = len(result.documents), len(result.report.decisions)
    return Weight(name, documents, claims, len(written), lines, size)


class _Text(NamedTuple):
    path: str
    content: bytes


def _evidence(form: str, text: _Text) -> Files:
    doc_class = classify(DEFAULTS, text.path)
    claims = extract(text.content, text.path, doc_class).claims if doc_class else ()
    lines = [
        line_bytes(EvidenceLine(claim.id, claim.text, memory_type=claim.memory_type))
        for claim in claims
        if FORMS[form](text.path, claim)
    ]
    return {evidence_path(text.path): b"".join(lines)} if lines else {}


def _least(_path: str, claim: Claim) -> bool:
    return any("::" in c.raw for c in claim.citations if c.own) or any(find_hedges(claim))


def _most(path: str, claim: Claim) -> bool:
    return any(c.own for c in claim.citations) or bool(references_in(path, claim))


FORMS: Mapping[str, Callable[[str, Claim], bool]] = {"least": _least, "most": _most}
UNION = ", merge=union"
FIRST = ", base without evidence"


class _Merge(NamedTuple):
    commit: str
    sides: tuple[list[_Text], list[_Text], list[_Text]]
    """Base, ours, theirs."""


def _merged(repo: Repo, name: str, most: int, directory: str) -> Iterator[Met]:
    found = list(_merges(repo, most))
    git = ["git", "-C", directory]
    subprocess.run([*git, "init", "-q", "--bare"], check=True)
    command = [*git, "fast-import", "--quiet", "--force"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as importing:
        assert importing.stdin is not None
        for number, merge in enumerate(found):
            for form, bare in _cases():
                _write(importing.stdin.write, f"{number}/{_slug(form, bare)}", merge, form, bare)
    if importing.returncode:
        raise GroundedIngestError(f"git cannot import the merges of {name}")
    for number, merge in enumerate(found):
        yield _judged(git, name, number, merge)


def _cases() -> list[tuple[str, bool]]:
    return [(form, bare) for form in FORMS for bare in (False, True)]


def _slug(form: str, bare: bool) -> str:
    return f"{form.replace(' ', '-')}/{int(bare)}"


def _write(write: Callable[[bytes], int], ref: str, merge: _Merge, form: str, bare: bool) -> None:
    """Base and both sides as commits, evidence beside the texts."""
    for side, texts in zip(("base", "ours", "theirs"), merge.sides, strict=True):
        head = f"commit refs/heads/{ref}/{side}\ncommitter x <x> 0 +0000\ndata 0\n"
        write(head.encode())
        write(b"" if side == "base" else f"from refs/heads/{ref}/base\n".encode())
        write(b"deleteall\n")
        for text in texts:
            files = {} if bare and side == "base" else _evidence(form, text)
            for path, content in {text.path: text.content, **files}.items():
                write(b"M 100644 inline %s\ndata %d\n" % (os.fsencode(path), len(content)))
                write(content + b"\n")
        write(b"\n")


def _judged(git: list[str], name: str, number: int, merge: _Merge) -> Met:
    texts, conflicts, behind = 0, dict[str, int](), dict[str, int]()
    paths = {t.path for side in merge.sides for t in side}
    attributes = f"{git[-1]}/union"
    with open(attributes, "w", encoding="utf-8") as file:
        file.write(f"{DIRECTORY}/** merge=union\n")
    for form, bare in _cases():
        ref = f"{number}/{_slug(form, bare)}"
        for union in ("", UNION):
            asked = [*git, "-c", f"core.attributesFile={attributes if union else os.devnull}"]
            command = [*asked, "merge-tree", "--write-tree", "--name-only", "-z"]
            done = subprocess.run(
                [*command, f"{ref}/ours", f"{ref}/theirs"], capture_output=True, check=False
            )
            if done.returncode not in (0, 1):
                raise GroundedIngestError(
                    f"git cannot merge {merge.commit} of {name} (2.38 and later can): "
                    f"{os.fsdecode(done.stderr).strip()[:200]}"
                )
            tree, *names = os.fsdecode(done.stdout.split(b"\0\0")[0]).split("\0")
            broken = {n for n in names if n in paths}
            homes = {p for p in paths if evidence_path(p) in names}
            texts = len(broken)
            label = form + (FIRST if bare else "") + union
            conflicts[label] = len(homes - broken)
            clean = sorted(paths - broken - homes)
            behind[label] = sum(_is_behind(git, tree, form, p) for p in clean)
    return Met(name, merge.commit, len(merge.sides[0]), texts, conflicts, behind)


def _is_behind(git: list[str], tree: str, form: str, path: str) -> bool:
    """Whether the merged evidence of a merged text is not what is derived of it."""
    read = subprocess.run([*git, "cat-file", "blob", f"{tree}:{path}"], capture_output=True)
    if read.returncode:
        return False  # the other side's name of a renamed document
    command = [*git, "ls-tree", "-r", "-z", tree, "--", evidence_path(path)]
    listed = subprocess.run(command, capture_output=True, check=True)
    rows = (row.split(b"\t", 1) for row in listed.stdout.split(b"\0") if row)
    held = {os.fsdecode(name): meta.split()[2].decode() for meta, name in rows}
    return held != {p: _oid(c) for p, c in _evidence(form, _Text(path, read.stdout)).items()}


def _oid(content: bytes) -> str:
    import hashlib

    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _merges(repo: Repo, most: int) -> Iterator[_Merge]:
    """Merges whose sides both changed a document, the newest first."""
    found = 0
    for row in repo.run("log", "--merges", "--format=%H %P", "-n", "600").decode().split("\n"):
        if found == most:
            return
        commit, *parents = row.split() or [""]
        if len(parents) != 2:
            continue
        with suppress(GroundedIngestError):  # a partial clone does not hold every text
            if merge := _of(repo, commit, *parents):
                found += 1
                yield merge


def _of(repo: Repo, commit: str, ours: str, theirs: str) -> _Merge | None:
    base = repo.run("merge-base", ours, theirs, ok=(0, 1)).decode().split()
    if not base or base[0] in (ours, theirs):
        return None
    changed = [_changed(repo, base[0], side) for side in (ours, theirs)]
    both = [p for p in changed[0] if p in changed[1]]
    names = [{p: p for p in both}, *({p: side[p] for p in both} for side in changed)]
    sides: tuple[list[_Text], ...] = ([], [], [])
    for path in both:
        texts = [
            _Text(named[path], repo.objects.read(f"{at}:{named[path]}") or b"")
            for at, named in zip((base[0], ours, theirs), names, strict=True)
        ]
        if all(0 < len(t.content) <= LARGEST and t.path.isprintable() for t in texts):
            for side, text in zip(sides, texts, strict=True):
                side.append(text)
    return _Merge(commit, (sides[0], sides[1], sides[2])) if sides[0] else None


def _changed(repo: Repo, base: str, side: str) -> dict[str, str]:
    """Documents of base that a side changed, with their names there."""
    told = repo.run("diff", "--name-status", "-M", "-z", "--diff-filter=MR", base, side)
    fields = iter(os.fsdecode(told).split("\0"))
    found = {}
    for status in fields:
        if status:
            old = next(fields)
            new = next(fields) if status.startswith("R") else old
            if classify(DEFAULTS, old) and classify(DEFAULTS, new):
                found[old] = new
    return found


def as_text(measured: EvidenceRun) -> str:
    lines = [
        f"{w.repo}: {w.claims} claims in {w.documents} documents: {w.lines} lines ({w.bytes} bytes)"
        f" in {w.files} evidence files"
        for w in measured.weights
    ]
    met = measured.merges
    if met:
        repos, documents = len({m.repo for m in met}), sum(m.documents for m in met)
        text = sum(m.text for m in met)
        lines.append(f"{len(met)} merges of {repos} repositories, {documents} documents changed on"
                     f" both sides, {text} with a conflict in their text")  # fmt: skip
    for label in met[0].conflicts if met else ():
        of = [m.conflicts[label] for m in met]
        lines.append(
            f"  {label}: {sum(of)} conflict in evidence alone, in {sum(map(bool, of))} merges;"
            f" {sum(m.behind[label] for m in met)} merge clean and are behind"
        )
    return "".join(f"{line}\n" for line in lines)


def as_json(measured: EvidenceRun) -> str:
    return msgspec.json.encode(measured).decode() + "\n"


@click.command()
@click.argument("clones", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False))
@click.option("--merges", "most", default=0, help="Merges of each clone that met in a document.")
@click.option("--lines", is_flag=True, help="Check each clone, and count lines of evidence.")
def command(clones: tuple[str, ...], most: int, *, lines: bool) -> None:
    """Weigh evidence, and merge it again where real branches met. Clones are only read."""
    if not most and not lines:
        raise click.UsageError("nothing to measure: add --lines, --merges N or both")
    click.echo(as_text(measured(clones, most, weigh=lines)), nl=False)


if __name__ == "__main__":
    command()

"""True pairs of claim and source: `python benchmarks/support_pairs.py REFERENCES CLONES`.

Writes JSON Lines to stdout, one true claim with the source it cites and sources beside it that it
does not cite, for `python -m benchmarks.quality support --pairs`. References without a text
in the clone (pages, issues) are left out and counted on stderr.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from grounded_ingest.extract.markdown_document import extract_markdown
from grounded_ingest.model.claims import Citation, CitationKind, Claim, DocClass
from grounded_ingest.verify.admissibility import is_subject_matter

CLONES = ""


@cache
def git(repo: str, *args: str) -> str:
    place = f"{CLONES}/{repo.replace('/', '+')}"
    run = subprocess.run(["git", "-C", place, *args], capture_output=True, check=False)
    return run.stdout.decode(errors="replace") if run.returncode == 0 else ""


@cache
def tree(repo: str, commit: str) -> tuple[str, ...]:
    return tuple(git(repo, "ls-tree", "-r", "--name-only", commit).splitlines())


def text(repo: str, commit: str, path: str) -> str:
    return git(repo, "show", f"{commit}:{path}")


def claim_at(reference: dict[str, Any]) -> Claim | None:
    source = text(reference["repo"], reference["commit"], reference["path"])
    claims = extract_markdown(source.encode(), DocClass.DOCS).claims
    there = [c for c in claims if c.line <= reference["line"] <= c.end_line]
    return next((c for c in there if reference["cites"] in c.text), there[0] if there else None)


def resolved(repo: str, commit: str, cited: str, at: str) -> str:
    """The one file of the tree a path names, from the document's folder or the root."""
    files, plain = tree(repo, commit), cited.split("#")[0].lstrip("/")
    parts: list[str] = []
    for part in (PurePosixPath(at).parent / plain).parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    for path in ("/".join(parts), plain):
        if path in files:
            return path
    ends = [f for f in files if f.endswith(f"/{plain}")]
    return ends[0] if len(ends) == 1 else ""


def adr_files(repo: str, commit: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for path in tree(repo, commit):
        folder, _, name = path.lower().rpartition("/")
        number = re.match(r"(?:adr[-_])?0*(\d+).*\.md$", name)
        if number and re.search(r"adr|decision|architecture", folder):
            found.setdefault(int(number[1]), []).append(path)
    return found


def file_source(repo: str, commit: str, path: str, lines: tuple[int, int] | None) -> dict[str, Any]:
    return {
        "kind": "lines" if lines else "file",
        "path": path,
        "text": text(repo, commit, path),
        "lines": lines,
        "code": is_subject_matter(path),
    }


def adr_source(repo: str, commit: str, path: str) -> dict[str, Any]:
    return {"kind": "adr", "path": path, "text": text(repo, commit, path)}


def commit_source(repo: str, commit: str) -> dict[str, Any]:
    message = git(repo, "show", "-s", "--format=%B", commit)
    paths = git(repo, "show", "--format=", "--name-only", "-m", "--first-parent", commit).split()
    diff = git(repo, "show", "--format=", "-U2", "-m", "--first-parent", commit)
    dates = git(repo, "show", "-s", "--format=%aI %cI", commit).split()
    source = {"kind": "commit", "text": message, "paths": paths[:200], "diff": diff[:60000]}
    return {**source, "dates": dates}


def sources(
    reference: dict[str, Any], rng: random.Random
) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    repo, commit, cites = reference["repo"], reference["commit"], reference["cites"]
    kind = str(reference["kind"])
    match kind:
        case "adr":
            files = adr_files(repo, commit)
            number = re.search(r"\d+", cites)
            paths = files.get(int(number[0]), []) if number else []
            paths = [p for p in paths if p != reference["path"]] or paths
            if len(paths) > 1:
                paths = [p for p in paths if re.search(r"adr|decision", p.rpartition("/")[0])][:1]
            if not paths:
                return None
            others = [
                p
                for n, ps in files.items()
                for p in ps
                if p not in paths and p != reference["path"]
            ]
            return adr_source(repo, commit, paths[0]), [
                adr_source(repo, commit, p) for p in rng.sample(sorted(others), min(3, len(others)))
            ]
        case "commit":
            oid = re.search(r"[0-9a-f]{7,40}", cites)
            if oid is None or not git(repo, "show", "-s", "--format=%H", oid[0]):
                return None
            log = git(repo, "log", "--no-merges", "--format=%H", "-n", "400", oid[0]).split()[1:]
            return commit_source(repo, oid[0]), [
                commit_source(repo, o) for o in rng.sample(log, min(3, len(log)))
            ]
        case "path:line" | "path" | "link" | "url":
            if kind == "url":
                blob = re.search(rf"{re.escape(repo)}/blob/[^/]+/([^#\s)]+)", cites)
                if not blob:
                    return None
                cites = blob[1]
            found = re.match(r"([^:#]+)(?::|#L)(\d+)(?:-L?(\d+))?", cites)
            path = resolved(repo, commit, found[1] if found else cites, reference["path"])
            if not path:
                return None
            lines = (int(found[2]), int(found[3] or found[2])) if found else None
            return beside(repo, commit, path, lines, rng)
        case _:
            return None


def beside(
    repo: str, commit: str, path: str, lines: tuple[int, int] | None, rng: random.Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    true = file_source(repo, commit, path, lines)
    folder, _, name = path.rpartition("/")
    kin = [
        f
        for f in tree(repo, commit)
        if f.rpartition("/")[0] == folder
        and f != path
        and f.rpartition(".")[2] == name.rpartition(".")[2]
    ]
    kin = [f for f in rng.sample(kin, min(3, len(kin))) if text(repo, commit, f)]
    others = []
    if lines:
        size, count = lines[1] - lines[0], true["text"].count("\n")
        far = [n for n in range(1, max(2, count - size)) if abs(n - lines[0]) > size + 10]
        others = [{**true, "lines": (n, n + size)} for n in rng.sample(far, min(2, len(far)))]
        for f in kin:
            n = rng.randint(1, max(1, text(repo, commit, f).count("\n") - size))
            others.append(file_source(repo, commit, f, (n, n + size)))
    else:
        others = [file_source(repo, commit, f, None) for f in kin]
    return true, others


def cited_beside(reference: dict[str, Any], claim: Claim, true: dict[str, Any]) -> list[Any]:
    """What a claim cites beside the reference, as sources; what cannot be read is left out."""
    found: list[dict[str, Any]] = []
    for citation in claim.citations:
        other = cited(reference, citation)
        if other and other["text"].strip() and other != true and other not in found:
            found.append(other)
    return found


def cited(reference: dict[str, Any], citation: Citation) -> dict[str, Any] | None:
    repo, commit, raw = reference["repo"], reference["commit"], citation.raw
    match citation.kind:
        case CitationKind.ADR:
            number = re.search(r"\d+", raw)
            paths = adr_files(repo, commit).get(int(number[0]), []) if number else []
            paths = [p for p in paths if p != reference["path"]]
            return adr_source(repo, commit, paths[0]) if len(paths) == 1 else None
        case CitationKind.COMMIT:
            there = git(repo, "show", "-s", "--format=%H", raw)
            return commit_source(repo, raw) if there else None
        case CitationKind.PATH:
            path = resolved(repo, commit, raw, reference["path"])
            number = re.search(r"(?:^|/)(?:adr[-_])?0*(\d+)[^/]*\.md$", path.lower())
            if number and path in adr_files(repo, commit).get(int(number[1]), []):
                return adr_source(repo, commit, path)
            return file_source(repo, commit, path, citation.lines) if path else None
        case _:
            return None


def main(references: str, clones: str) -> None:
    global CLONES
    CLONES = clones
    left = Counter[str]()
    with open(references, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for number, reference in enumerate(rows):
        claim = claim_at(reference)
        rng = random.Random(number)
        made = sources(reference, rng) if claim else None
        if claim is None or made is None or not made[0]["text"].strip():
            left[reference["kind"]] += 1
            continue
        cited = [c.raw for c in claim.citations]
        print(
            json.dumps(
                {
                    "id": f"{reference['repo']}:{reference['path']}:{reference['line']}:{number}",
                    "claim": claim.text,
                    "cited": cited,
                    "section": claim.section,
                    "cites": reference["cites"],
                    "why": reference["why"],
                    "source": made[0],
                    "also": cited_beside(reference, claim, made[0]),
                    "others": made[1],
                }
            )
        )
    print(dict(left), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])

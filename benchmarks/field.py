"""`python -m benchmarks.field --clones DIR`: what agents' documents get wrong, by kind and share.

Counts the labels of wrong references (`benchmarks/corpus/references.jsonl`) in documents that are
written for agents, in the repositories of one set. The clones lie below DIR as `owner+name`. Every
label counts, also those of places that only a reader or another tool found, so the shares are lower
bounds of what is wrong.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import click

from benchmarks.labels import Label, clone_of, read_labels
from grounded_ingest.config.settings import DEFAULTS, classify
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import DocClass

FAMILIES = (
    ("skills", re.compile(r"(?:^|/)skills?/|(?:^|/)SKILL\.md$")),
    ("memory", re.compile(r"(?:^|/)memor(?:y|ies)|memory-bank/")),
    ("commands, agents, hooks", re.compile(r"(?:^|/)(?:commands|agents|hooks|prompts)/")),
    ("rules (AGENTS.md, CLAUDE.md, …)", re.compile("")),
)
"""Families of documents, each with the pattern of its paths. The first that matches counts."""


def family(path: str) -> str:
    return next(name for name, pattern in FAMILIES if pattern.search(path))


def documents_of(clone: str, commit: str) -> set[str]:
    """Returns the Markdown documents of the class `memory` in a commit of a clone."""
    with Repo(clone) as repo:
        files = CommitTree(repo, commit).files
        kept = (p for p in files if p.endswith((".md", ".mdc", ".mdx")))
        return {p for p in kept if classify(DEFAULTS, p) is DocClass.MEMORY}


def rows(labels: list[Label], clones: str) -> Iterator[str]:
    """Yields the lines of two Markdown tables: by family of documents, and by kind of reference."""
    wrong, kinds = defaultdict[str, set[str]](set), Counter[str]()
    documents, bad, agents = Counter[str](), Counter[str](), 0
    for repository, commit in sorted({(label.repo, label.commit) for label in labels}):
        found = documents_of(clone_of(repository, clones), commit)
        documents.update(map(family, found))
        agents += bool(found)
        for label in labels:
            if label.repo == repository and label.label == "refuted" and label.path in found:
                wrong[repository].add(label.path)
                kinds[label.kind] += 1
        bad.update(map(family, wrong[repository]))
    yield "| documents for agents | number | with a wrong reference |"
    yield "|---|--:|--:|"
    for name in (*(n for n, _ in FAMILIES), ""):
        read, some = (c[name] if name else c.total() for c in (documents, bad))
        yield f"| {name or 'all'} | {read} | {some} ({some / max(1, read):.0%}) |"
    hit = sum(map(bool, wrong.values()))
    yield f"\nOf {agents} repositories with files for agents, {hit} have a wrong reference there.\n"
    yield "| kind | wrong references | share |"
    yield "|---|--:|--:|"
    for kind, number in kinds.most_common():
        yield f"| {kind} | {number} | {number / kinds.total():.0%} |"


@click.command()
@click.option("--clones", required=True)
@click.option("--set", "of_set", default="field", show_default=True)
def main(clones: str, of_set: str) -> None:
    """Print what agents' documents get wrong in the labelled repositories of a set."""
    labels = [e for e in read_labels() if e.set == of_set]
    for line in rows(labels, clones):
        click.echo(line)


if __name__ == "__main__":
    main()

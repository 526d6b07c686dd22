"""`python -m benchmarks.memories`: memory types and operations beside labels.

The sentences and pairs in `data/` were invented by one reader: those of the set `seen` were read
while rules were written, those of the set `fresh` were not. Prints, for each kind of sentence, how
many types are decided and how many of these are right, and for each operation how many are right.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from benchmarks.workshop import run_git
from grounded_ingest.api import validate
from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass, MemoryType

DATA = Path(__file__).parent / "data"
PAGES = {
    "agents": ("CLAUDE.md", "# Notes"),
    "session": ("memory/2026-11-03.md", "# Session 2026-11-03"),
    "personal": ("MEMORY.md", "# Memories"),
}


def rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def type_of(kind: str, text: str) -> MemoryType:
    """Returns the type of a sentence as the only list item of a document."""
    path, heading = PAGES[kind]
    page = f"{heading}\n\n- {text}\n".encode()
    return extract(page, path, DocClass.MEMORY).claims[-1].memory_type


def operation_on(stored: list[str], text: str) -> str:
    """Returns the operation of a new memory on stored ones: `wrong` if it names another one than
    the first."""
    with tempfile.TemporaryDirectory() as directory:
        page = "# Memory\n\n" + "".join(f"- {one}\n" for one in stored)
        Path(directory, "MEMORY.md").write_text(page, encoding="utf-8")
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Memories"]):
            run_git(directory, *command)
        does = validate(text, repo=directory, online=False).operation
    right = does.of is None or does.of.claim.text == stored[0]
    return does.name if right else "wrong"


@click.command(help=__doc__)
def main() -> None:
    decided, right, all_ = Counter[str](), Counter[str](), Counter[str]()
    for row in rows("memory-types.jsonl"):
        key, read = f"{row['set']} {row['kind']}", type_of(row["kind"], row["text"])
        all_[key] += 1
        decided[key] += read is not MemoryType.UNKNOWN
        right[key] += read == row["label"]
    for key, number in all_.items():
        click.echo(f"{key}: {number} sentences, {decided[key]} decided, {right[key]} right")
    pairs: Counter[str] = Counter()
    for row in rows("memory-operations.jsonl"):
        found = operation_on(row["stored"], row["text"])
        pairs[f"{row['set']} {row['label']}: {found}"] += 1
    for key, number in sorted(pairs.items()):
        click.echo(f"{key} {number}")


if __name__ == "__main__":
    main()

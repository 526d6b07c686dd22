"""Adds true and false sentences to documents, and counts which of them the hook reports.

`python -m benchmarks.sentences CLONE... [--set fifth] [-v]` works in copies of clones whose names
are `owner+name`. `data/sentences.jsonl` has the sentences, each with the commit at which it is true
or false. All sentences about a document are added to its end and checked as staged. A sentence
counts as reported if a finding says that a reference in its line is wrong. `-v` prints the false
sentences that were not reported, and the true ones that were.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.clones import clone_arguments, copies

DATA = Path(__file__).parent / "data" / "sentences.jsonl"
CHECK = ("-m", "grounded_ingest", "check", "--staged", "--offline", "--output-format", "jsonl")


def reported(root: Path, document: str, sentences: list[str]) -> Iterator[str]:
    """Adds sentences to a document, and yields for each the first message about it, or ""."""
    file = root / document
    above = f"{file.read_text('utf-8').rstrip()}\n\nMore notes\n----------\n"
    file.write_text(above + "".join(f"\n{sentence}\n" for sentence in sentences), "utf-8")
    subprocess.run(("git", "add", "--all"), cwd=root, check=True)
    ran = subprocess.run((sys.executable, *CHECK), cwd=root, capture_output=True, check=False)
    found = (json.loads(row) for row in ran.stdout.splitlines())
    wrong = {
        row["line"]: row["message"]
        for row in found
        if row["type"] == "finding" and row["path"] == document and row["rule"][:7] == "refuted"
    }
    first = above.count("\n") + 2
    yield from (wrong.get(first + 2 * n, "") for n in range(len(sentences)))


def measure(root: Path, rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yields the sentences about one repository, each with the message about it."""
    for document, group in groupby(rows, lambda row: row["document"]):
        some = list(group)
        command = ("git", "checkout", "--quiet", "--force", some[0]["commit"])
        subprocess.run(command, cwd=root, check=True)
        yield from zip(some, reported(root, document, [r["sentence"] for r in some]), strict=True)


def main() -> None:
    parser = clone_arguments("sentences", __doc__)
    parser.add_argument("--set", default="", help="first to ninth; all sets by default")
    parser.add_argument("-v", "--verbose", action="store_true")
    given = parser.parse_args()
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    counts: Counter[tuple[str, bool, bool]] = Counter()
    for name, root in copies(given.clones):
        own = [r for r in rows if r["repo"] == name.replace("+", "/")]
        own = [r for r in own if given.set in ("", r["set"])]
        url = f"https://github.com/{name.replace('+', '/')}"  # it tells the repository's name
        subprocess.run(("git", "remote", "set-url", "origin", url), cwd=root, check=True)
        for row, message in measure(root, sorted(own, key=lambda r: str(r["document"]))):
            counts[row["kind"], row["true"], bool(message)] += 1
            if given.verbose and row["true"] == bool(message):
                print(f"{name} {row['document']}: {row['sentence']} {message or row['why']}")
    for kind in sorted({kind for kind, _, _ in counts}):
        told, silent, wrong, right = (
            counts[kind, holds, said] for holds in (False, True) for said in (True, False)
        )
        print(f"{kind}: {told} of {told + silent} false sentences reported,", end=" ")
        print(f"{wrong} of {wrong + right} true ones")


if __name__ == "__main__":
    main()

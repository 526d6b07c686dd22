"""Replays real edits of documents as a coding agent's edits, and prints what its hook prints.

`python -m benchmarks.edits CLONE... [--edits 100]` works in copies of clones. It goes back through
the commits that change documents, newest first. For each, HEAD is the commit before, all other
files are those of the commit, and each hunk of a document is one edit with the event that Claude
Code sends after it. A line of the output is a finding or an offer of a proof.
"""

from __future__ import annotations

import difflib
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clones import clone_arguments, copies
from benchmarks.proofs import hook
from grounded_ingest.agents.conversation import PROVABLE
from grounded_ingest.servers.model_text import NO_INSTRUCTIONS

DOCUMENTS = ("*.md", "*.mdx")
FRAME = ("grounded-ingest found", NO_INSTRUCTIONS, PROVABLE)
"""The beginnings of lines that stand above the findings of a reply."""


def git(root: Path, *args: str) -> str:
    command = ("git", "-c", "advice.detachedHead=false", *args)
    ran = subprocess.run(command, cwd=root, capture_output=True, check=True)
    return ran.stdout.decode(errors="replace")


def commits(root: Path) -> list[str]:
    """Returns the commits that change documents, newest first, without merges and first commits."""
    log = git(root, "log", "--no-merges", "--format=%H %P", "--", *DOCUMENTS)
    return [row.split()[0] for row in log.splitlines() if " " in row.strip()]


def documents(root: Path, commit: str) -> list[str]:
    """Returns the documents that a commit adds or changes."""
    options = ("-r", "-z", "--no-renames", "--no-commit-id", "--name-only", "--diff-filter=AM")
    return [p for p in git(root, "diff-tree", *options, commit, "--", *DOCUMENTS).split("\0") if p]


def edits(root: Path, commit: str) -> Iterator[tuple[str, str, str]]:
    """Writes each hunk of a commit's documents, and yields its (path, old text, new text)."""
    git(root, "checkout", "--quiet", "--force", f"{commit}^")
    git(root, "clean", "-fdxq")
    git(root, "checkout", commit, "--", ".")
    git(root, "reset", "--quiet")
    for path in documents(root, commit):
        new = (root / path).read_text("utf-8", "replace").splitlines(keepends=True)
        before = git(root, "ls-tree", "HEAD", "--", path) and git(root, "show", f"HEAD:{path}")
        old = before.splitlines(keepends=True)
        for group in difflib.SequenceMatcher(None, old, new, False).get_grouped_opcodes(1):
            (_, start, _, first, _), (_, _, end, _, last) = group[0], group[-1]
            (root / path).write_text("".join([*new[:last], *old[end:]]), "utf-8")
            yield path, "".join(old[start:end]), "".join(new[first:last])


def replay(root: Path, most: int) -> Counter[str]:
    """Prints the hook's lines for the last edits, and returns the counts."""
    said: Counter[str] = Counter()
    for commit in commits(root):
        for path, old, new in edits(root, commit):
            if said["edits"] == most:
                return said
            rows = [row for row in hook(root, path, new, old) if not row.startswith(FRAME)]
            said["edits"] += 1
            said["edits with lines"] += bool(rows)
            said["lines"] += len(rows)
            for row in rows:
                print(f"{commit[:10]} {path} {row}", flush=True)
    return said


def main() -> None:
    parser = clone_arguments("edits", __doc__)
    parser.add_argument("--edits", type=int, default=100, help="edits to replay in a clone")
    given = parser.parse_args()
    for name, root in copies(given.clones):
        print(name, dict(replay(root, given.edits)), flush=True)


if __name__ == "__main__":
    main()

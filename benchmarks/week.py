"""Lives through a maintainer's week: set up, then commit by commit with the hook, then CI.

`python -m benchmarks.week CLONE [--commits 30]` works in a copy, prints every line that the tool
prints, and ends with the counts. What is stopped is committed past the hook.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

OURS = (".grounded", ".grounded-ingest.yaml", ".gitattributes")
"""What the set-up adds; every commit keeps it beside the repository's own tree."""


class Ran(NamedTuple):
    """What a program answered."""

    code: int
    said: list[str]


class Copy(NamedTuple):
    """A copy of a clone, and the environment of its programs."""

    root: Path
    env: dict[str, str]

    def run(self, *argv: str, stdin: bytes = b"") -> Ran:
        ran = subprocess.run(
            argv, cwd=self.root, env=self.env, input=stdin, capture_output=True, check=False
        )
        said = (ran.stdout + ran.stderr).decode(errors="replace").splitlines()
        return Ran(ran.returncode, [line for line in said if line.strip()])

    def git(self, *args: str) -> str:
        ran = subprocess.run(
            ("git", *args), cwd=self.root, env=self.env, capture_output=True, check=True
        )
        return ran.stdout.decode(errors="replace")

    def tool(self, *args: str) -> Ran:
        return self.run(sys.executable, "-m", "grounded_ingest", *args)


def copied(clone: Path, below: str, commits: int) -> tuple[Copy, list[str]]:
    """A copy at the commit before the last ones, and these."""
    bin_ = Path(below, "bin")
    bin_.mkdir()
    script = bin_ / "grounded-ingest"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grounded_ingest "$@"\n')
    script.chmod(0o755)
    env = os.environ | {"PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "HOME": below}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "Ada", f"GIT_{role}_EMAIL": "ada@example.org"}
    copy = Copy(Path(below, "copy"), env)
    subprocess.run(
        ("git", "clone", "--quiet", "--shared", "--no-checkout", str(clone), str(copy.root)),
        check=True, env=env,
    )  # fmt: skip
    log = copy.git("log", "--first-parent", f"-{commits}", "--format=%H")
    new = log.split()[::-1]
    copy.git("checkout", "--quiet", "-B", "week", f"{new[0]}~1")
    return copy, new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--commits", type=int, default=30)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as below:
        copy, new = copied(given.clone, below, given.commits)
        options = ("--yes", "--offline", "--hook", "git", "--preset", "default", "--baseline")
        show("init", copy.tool("init", *options).said)
        copy.git("add", "--all")
        show("commit of the set-up", copy.run("git", "commit", "--quiet", "-m", "Set up").said)
        start, printed, stopped = copy.git("rev-parse", "HEAD").strip(), 0, 0
        for commit in new:
            copy.git("read-tree", "--reset", "-u", commit)
            kept = copy.git("ls-tree", "--name-only", "HEAD", "--", *OURS).split()
            copy.git("checkout", "HEAD", "--", *kept)
            ran = copy.run("git", "commit", "--quiet", "-m", "x", "--allow-empty")
            printed += len(ran.said)
            if ran.said:
                show(copy.git("log", "-1", "--format=%h %s", commit).strip(), ran.said)
            if ran.code:
                stopped += 1
                copy.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "x")
        show("pull request", copy.tool("check", "--offline", "--since", start).said)
        added = copy.git("diff", "--name-only", "--diff-filter=A", f"{start}~1", "HEAD").split("\n")
        ours = [path for path in added if path.startswith((".grounded", ".grounded-ingest"))]
        print(f"{len(new)} commits, {stopped} stopped, {printed} lines by the hook, "
              f"{len(ours)} files added: {', '.join(ours)}")  # fmt: skip


def show(what: str, lines: list[str]) -> None:
    """Print what the tool said, below what was done."""
    print(f"== {what}")
    for line in lines:
        print(f"   {line}")


if __name__ == "__main__":
    main()

"""Lives through a maintainer's week: set up, then commit by commit with the hook, then CI.

`python -m benchmarks.week CLONE... [--commits 30] [--rows FILE]` works in copies and prints every
line that the tool prints. Between the repository's own commits come those of `data/week.yaml`: true
and false sentences, code that makes a document wrong, a moved document, a merge, and `--no-verify`.
A sentence that the hook names is taken back; one that it does not name stays. `--rows` writes the
lines without text, to be judged; `--judged FILE` counts lines that are judged.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

PLAN = Path(__file__).parent / "data" / "week.yaml"
OURS = (".grounded", ".grounded-ingest.yaml", ".gitattributes")
"""What the set-up adds; every commit keeps it beside the repository's own tree."""
_LINE = re.compile(r"(?P<path>\S.*?):(?P<line>\d+)(?::\d+)?: (?P<rule>[\w-]+(?:\[[\w-]+\])?): ")


class Ran(NamedTuple):
    """What a program answered."""

    code: int
    said: list[str]


class Copy(NamedTuple):
    """A copy of a clone, and the environment of its programs."""

    root: Path
    env: dict[str, str]

    def run(self, *argv: str) -> Ran:
        ran = subprocess.run(argv, cwd=self.root, env=self.env, capture_output=True, check=False)
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


class Week:
    """The week of one repository. `rows` has a row for each printed line."""

    def __init__(self, copy: Copy, plan: dict[str, Any]) -> None:
        self.copy, self.plan = copy, plan
        self.rows: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self._kept: list[str] = []
        self._unnamed: dict[str, str] = {}
        self._upstream = ""

    def own_commit(self, commit: str) -> None:
        """Commits the tree of a commit of the repository, with the sentences that are left."""
        copy = self.copy
        copy.git("read-tree", "--reset", "-u", commit)
        kept = copy.git("ls-tree", "--name-only", "HEAD", "--", *OURS).split()
        copy.git("checkout", "HEAD", "--", *kept)
        document = copy.root / self.plan["document"] if self.plan else None
        self._upstream = document.read_text("utf-8") if document and document.exists() else ""
        self._write()
        self.commit(f"own {commit[:10]}")

    def commit(self, what: str, *options: str) -> Ran:
        """Commits everything, past the hook if the hook stops it. Records the lines."""
        self.copy.git("add", "--all")
        ran = self.copy.run("git", "commit", "--quiet", "--allow-empty", "-m", "x", *options)
        if ran.code:
            self.counts[f"stopped: {what.partition(' ')[0]}"] += 1
            self.copy.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "x")
        return self.record(what, ran)

    def record(self, what: str, ran: Ran) -> Ran:
        """Prints the lines below what was done, and keeps them as rows without text."""
        if ran.said:
            print(f"== {what}", *(f"\n   {line}" for line in ran.said), flush=True)
        for line in ran.said:
            row = {"repository": self.plan.get("repository", ""), "step": what}
            place = _LINE.match(line)
            self.rows.append(row | (place.groupdict() if place else {}))
        return ran

    def _write(self) -> int:
        """Writes the sentences behind the repository's own text. Returns the last line's number."""
        if not self._kept:
            return 0
        sentences = "".join(f"- {sentence}\n" for sentence in self._kept)
        text = f"{self._upstream.rstrip()}\n\n## Notes\n\n{sentences}"
        (self.copy.root / self.plan["document"]).write_text(text, "utf-8")
        return text.count("\n")

    def _is_named(self, ran: Ran, line: int) -> bool:
        start = f"{self.plan['document']}:{line}:"
        return any(row.startswith(start) for row in ran.said)

    def write_true(self, sentence: str) -> None:
        self._kept.append(sentence)
        self._write()
        self.commit(f"truth {len(self._kept)}")

    def write_false(self, kind: str, sentence: str, *options: str) -> None:
        """Commits a falsehood. Whoever is told of it takes it back; otherwise it stays."""
        self._kept.append(sentence)
        line = self._write()
        ran = self.commit(f"falsehood about a {kind}", *options)
        if self._is_named(ran, line):
            self.counts[f"falsehoods about a {kind}, named by the hook"] += 1
            self._kept.remove(sentence)
        else:
            self._unnamed[sentence] = kind

    def finish(self, start: str) -> None:
        """Checks the whole week as a pull request, which may name what the hook did not."""
        last = self._write()
        ran = self.record("ci", self.copy.tool("check", "--offline", "--since", start))
        for sentence, kind in self._unnamed.items():
            line = last - len(self._kept) + self._kept.index(sentence) + 1
            named = "named by CI" if self._is_named(ran, line) else "not named"
            self.counts[f"falsehoods about a {kind}, {named}"] += 1
            print(f"-- {named}: {sentence}")

    def change_code(self, change: dict[str, Any]) -> None:
        """Commits a change of code that makes a document wrong. It is told if a line names one."""
        root = self.copy.root
        if path := change.get("delete"):
            self.copy.git("rm", "--quiet", path)
        elif paths := change.get("move"):
            (root / paths[1]).parent.mkdir(parents=True, exist_ok=True)
            self.copy.git("mv", *paths)
        else:
            path, old, new = change["replace"]
            text = (root / path).read_text("utf-8")
            assert old in text, f"{path} has no {old}"
            (root / path).write_text(text.replace(old, new, 1), "utf-8")
        ran = self.commit(f"code {change['kind']}")
        told = any(".md:" in line for line in ran.said)
        self.counts[f"code, {change['kind']}, {'told' if told else 'not told'}"] += 1

    def move(self, old: str, new: str) -> None:
        """Moves a document that others link to."""
        (self.copy.root / new).parent.mkdir(parents=True, exist_ok=True)
        self.copy.git("mv", old, new)
        self.commit("move")

    def merge(self) -> None:
        """Merges a branch that adds a page."""
        copy = self.copy
        copy.git("checkout", "--quiet", "-b", "side", "HEAD~2")
        (copy.root / "docs").mkdir(exist_ok=True)
        (copy.root / "docs/side.md").write_text("# Side\n\nSee `README.md` for the overview.\n")
        self.commit("merge, side")
        copy.git("checkout", "--quiet", "week")
        ran = self.record(
            "merge", copy.run("git", "merge", "--quiet", "--no-ff", "-m", "x", "side")
        )
        if ran.code:
            self.commit("merge", "--no-verify")

    def planned(self) -> Iterator[Callable[[], object]]:
        """Yields what happens between the repository's own commits."""
        plan = self.plan
        if not plan:
            return
        for true, false in itertools.zip_longest(plan["truths"], plan["falsehoods"]):
            if true:
                yield partial(self.write_true, true)
            if false:
                yield partial(self.write_false, *false)
        yield self.merge
        yield partial(self.write_false, *plan["unseen"], "--no-verify")
        for change in plan["changes"]:
            yield partial(self.change_code, change)
        yield partial(self.move, *plan["moved"])


def live(clone: Path, commits: int, plan: dict[str, Any]) -> Week:
    """Lives through the week, and prints its counts."""
    with tempfile.TemporaryDirectory() as below:
        copy, new = copied(clone, below, commits)
        week = Week(copy, plan)
        options = ("--yes", "--offline", "--hook", "git", "--preset", "default", "--baseline")
        print("== init", *(f"\n   {line}" for line in copy.tool("init", *options).said))
        week.commit("set-up")
        start = copy.git("rev-parse", "HEAD").strip()
        copy.git("update-ref", copy.git("symbolic-ref", "refs/remotes/origin/HEAD").strip(), start)
        for commit, act in itertools.zip_longest(new, week.planned()):
            if commit:
                week.own_commit(commit)
            if act:
                act()
        week.finish(start)
        added = copy.git("diff", "--name-only", "--diff-filter=A", f"{start}~1", "HEAD").split("\n")
        ours = [path for path in added if path.startswith((".grounded", ".grounded-ingest"))]
        print(f"{clone.name}: {len(new)} commits, {len(week.rows)} lines, "
              f"{len(ours)} files added: {', '.join(ours)}")  # fmt: skip
        for what, number in sorted(week.counts.items()):
            print(f"   {number} {what}")
        return week


def count_judged(file: Path) -> None:
    """Prints how many lines of each repository are useful, neutral, noise and wrong."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for repository in dict.fromkeys(row["repository"] for row in rows):
        judged = Counter(r["judged"] for r in rows if r["repository"] == repository)
        print(repository, dict(judged.most_common()))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.week", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("clones", nargs="*", type=Path)
    parser.add_argument("--commits", type=int, default=30)
    parser.add_argument("--rows", type=Path, help="file to write, a line for each printed line")
    parser.add_argument("--judged", type=Path, help="count the lines of this file")
    given = parser.parse_args()
    if given.judged:
        count_judged(given.judged)
    plans = {plan["repository"]: plan for plan in yaml.safe_load(PLAN.read_text("utf-8"))}
    for clone in given.clones:
        week = live(clone, given.commits, plans.get(clone.name.replace("+", "/"), {}))
        if given.rows:
            with given.rows.open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(row)}\n" for row in week.rows)


if __name__ == "__main__":
    main()

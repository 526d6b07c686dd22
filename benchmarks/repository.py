"""Repositories to check: documents, decisions, commits and evidence, as a project keeps them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

from benchmarks.prose import Prose
from benchmarks.timing import Command, environment, take
from benchmarks.tools import ours

PER_DOCUMENT = 100
CITED = 5
CHANGED = ("memory-bank/active.md", "memory-bank/deploy.md", "memory-bank/storage.md")
CITING = (11, 13, 15, 17)
"""Claims of a page that cite: items of its first list, so that no other claim inherits it."""
REMOTE = "refs/remotes/origin/main"
_WHO = "Ada <ada@example.org> {} +0000"
_CLOCK = 1_760_000_000


def git(cwd: str, *args: str, stdin: str = "") -> str:
    """Run git as the benchmark's author."""
    who = {f"GIT_{r}_{k}": v for r in ("AUTHOR", "COMMITTER") for k, v in _AUTHOR.items()}
    done = subprocess.run(
        ["git", *args],
        cwd=cwd,
        env=environment() | who,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"git {args[0]}: {done.stderr.strip()[-500:]}")
    return done.stdout.strip()


_AUTHOR = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": f"{_CLOCK + 100_000} +0000"}


def check(root: str, name: str, *flags: str, program: tuple[str, ...] = ()) -> Command:
    """Our check in a repository, without the network; `program` is another version of it."""
    return Command(name, (*(program or ours()), "check", "--offline", *flags), root)


class Repository:
    """A knowledge base of `claims` claims, its evidence committed, everything pushed and packed.

    The documents of CHANGED, 50 claims each, are those that `stage` changes. `program` writes the
    evidence, ours where it is not given. The history adds `files` more source files, two in a
    commit.
    """

    def __init__(
        self, root: str, claims: int, prose: Prose, program: tuple[str, ...] = (), files: int = 0
    ) -> None:
        self.root, self.claims, self._prose, self._files = root, claims, prose, files
        os.makedirs(root)
        git(root, "init", "-q", "-b", "main", "--template=")
        self._import()
        self.commits = git(root, "log", "--format=%h", "--abbrev=10", "-5", "HEAD~1").split()
        flags = ("--all", "--write", "--fail-on", "never")  # words by chance may say anything
        take(check(root, "evidence of the base", *flags, program=program))
        git(root, "add", "-A")
        git(root, "commit", "-q", "--allow-empty", "-m", "Write down the evidence")
        git(root, "gc", "-q")
        git(root, "update-ref", REMOTE, "HEAD")
        git(root, "symbolic-ref", "refs/remotes/origin/HEAD", REMOTE)

    @property
    def cache(self) -> str:
        return f"{self.root}/.git/grounded-ingest"

    def stage(self, number: int, claims: int) -> list[str]:
        """Commit and push what is staged, as one would, and stage the changed documents with
        other claims. Returns their paths."""
        git(self.root, "commit", "-q", "--allow-empty", "-m", f"Round {number}")
        git(self.root, "update-ref", REMOTE, "HEAD")
        each = claims // len(CHANGED)
        cites = [f"({c})" for c in self.commits]
        cites += [f"(ADR-{n:04})" for n in range(1, CITED + 1)]
        for place, path in enumerate(CHANGED):
            mine = dict(zip(CITING, cites[place :: len(CHANGED)], strict=False))
            lines = [self._claim(mine.get(n)) for n in range(each)]
            with open(f"{self.root}/{path}", "w", encoding="utf-8") as file:
                file.write("".join(_page(f"Notes of round {number}", lines)))
        git(self.root, "add", *CHANGED)
        return [f"{self.root}/{path}" for path in CHANGED]

    def _claim(self, citation: str | None = None) -> str:
        text = self._prose.sentence()
        return f"{text[:-1]} {citation}." if citation else text

    def _import(self) -> None:
        """History in one stream: source and decisions in small commits, the documents in one."""
        with subprocess.Popen(
            ["git", "fast-import", "--quiet"],
            cwd=self.root,
            env=environment(),
            stdin=subprocess.PIPE,
        ) as process:
            assert process.stdin is not None
            for piece in self._stream():
                process.stdin.write(piece.encode())
            process.stdin.close()
        if process.returncode:
            raise RuntimeError("git fast-import failed")
        git(self.root, "reset", "-q", "--hard")

    def _stream(self) -> Iterator[str]:
        for number in range(1, CITED + 1):
            yield _commit(number, f"Add service {number}")
            yield _file(f"src/service_{number}.py", f"PORT = {8000 + number}\n")
            record = f"# {number}. {self._prose.sentence()[:-1]}\n\nStatus: accepted\n\n"
            name = f"docs/adr/{number:04}-decision.md"
            yield _file(name, record + "## Context\n\n" + self._prose.sentence() + "\n")
        for number in range(0, self._files, 2):
            yield _commit(CITED + 1, f"Add parts {number} and {number + 1}")
            for part in (number, number + 1):
                path = f"src/part_{part % 1000}/module_{part}.py"
                yield _file(path, f"def read_part_{part}():\n    return {part}\n")
        yield _commit(CITED + 1, "Write documents")
        yield from (_file(*page) for page in documents(self.claims, self._prose))


def documents(claims: int, prose: Prose) -> Iterator[tuple[str, str]]:
    """Paths and texts of the documents, memory and docs in turns."""
    left = claims - 50 * len(CHANGED)
    sizes = dict.fromkeys(CHANGED, 50)
    for number in range(max(0, -(-left // PER_DOCUMENT))):
        kind = "memory-bank" if number % 2 else "docs"
        path = f"{kind}/part-{number // 100:03}/page-{number:05}.md"
        sizes[path] = min(PER_DOCUMENT, left - number * PER_DOCUMENT)
    for path, size in sizes.items():
        yield path, "".join(_page(path, [prose.sentence() for _ in range(size)]))


def _page(title: str, claims: list[str]) -> Iterator[str]:
    """Sections of ten: paragraphs of two claims each in one, a list in the next."""
    yield f"# {title}\n"
    for start in range(0, len(claims), 10):
        yield f"\n## Part {start // 10 + 1}\n\n"
        some = claims[start : start + 10]
        if start // 10 % 2:
            yield from (f"- {claim}\n" for claim in some)
        else:
            yield "\n\n".join(" ".join(some[i : i + 2]) for i in range(0, len(some), 2)) + "\n"


def _commit(number: int, message: str) -> str:
    who = _WHO.format(_CLOCK + number)
    data = f"data {len(message)}\n{message}\n"
    return f"commit refs/heads/main\nauthor {who}\ncommitter {who}\n{data}"


def _file(path: str, text: str) -> str:
    return f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"

"""The hook of an agent over real documentation edits: is it silent where the check is, and how long
does it take beside `check --staged`?

An edit is one document of a commit as it was written, laid over the commit's parent in a clone that
is thrown away. Texts are not kept.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from benchmarks.tools import ours
from grounded_ingest.config.settings import classified
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.repository.judging_config import read_config

Progress = Callable[[float, str], None]


class ElbowEdit(Struct, frozen=True):
    """One edit. `found` is what `check --staged` lists of the document, `told` what the hook says;
    seconds are wall time."""

    repo: str
    commit: str
    path: str
    found: int
    told: str
    hook: float
    check: float


class ElbowRun(Struct, frozen=True):
    """All edits."""

    edits: tuple[ElbowEdit, ...]

    @property
    def silent(self) -> list[ElbowEdit]:
        return [e for e in self.edits if not e.found]

    @property
    def loud(self) -> list[ElbowEdit]:
        """Edits of which the check lists nothing, and the hook says something."""
        return [e for e in self.silent if e.told]

    @property
    def missed(self) -> list[ElbowEdit]:
        """Edits of which the check lists something, and the hook nothing."""
        return [e for e in self.edits if e.found and not e.told]

    @property
    def ratio(self) -> float:
        """The median time of the hook by that of the check."""
        hooks, checks = [e.hook for e in self.edits], [e.check for e in self.edits]
        return statistics.median(hooks) / statistics.median(checks) if checks else 0.0


def run_elbow(roots: Sequence[str], each: int, progress: Progress) -> ElbowRun:
    """The newest `each` edits of each clone."""
    found: list[ElbowEdit] = []
    for root in roots:
        with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as place:
            clone = str(Path(place) / "clone")
            _git(root, "clone", "-q", "--shared", "--no-checkout", ".", clone)
            for commit, parent, path in _edits(root, each):
                found.append(_run(clone, Path(root).name, commit, parent, path))
                progress(len(found) / (each * len(roots)), "edits")
    return ElbowRun(tuple(found))


def _edits(root: str, most: int) -> Iterator[tuple[str, str, str]]:
    """(commit, parent, document) of the newest commits that write a document, one of each."""
    with Repo(root, own=False) as repo:
        config = read_config(CommitTree(repo, repo.head()))
        count = 0
        for commit, parent, _, paths in repo.history():
            for path in paths:
                kind, excluded = classified(config, path)
                if kind is not None and not excluded and repo.objects.get(f"{commit}:{path}"):
                    yield commit, parent, path
                    count += 1
                    break
            if count == most:
                return


def _run(clone: str, name: str, commit: str, parent: str, path: str) -> ElbowEdit:
    _git(clone, "checkout", "-q", "-f", "--detach", parent)
    _git(clone, "clean", "-q", "-ffdx")
    text = _git(clone, "show", f"{commit}:{path}")
    there = Path(clone) / path
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_bytes(text)
    payload = {
        "hook_event_name": "PostToolUse", "cwd": clone, "tool_name": "Write",
        "tool_input": {"file_path": str(there), "content": text.decode(errors="replace")},
    }  # fmt: skip
    _ours(clone, "hook", stdin=json.dumps(payload).encode())  # what either keeps, both have
    begin = time.perf_counter()
    told = _ours(clone, "hook", stdin=json.dumps(payload).encode())
    hook = time.perf_counter() - begin
    _git(clone, "add", "--", path)
    begin = time.perf_counter()
    said = _ours(clone, "check", "--staged", "--offline", "--output-format", "sarif")
    check = time.perf_counter() - begin
    return ElbowEdit(name, commit[:12], path, _listed(json.loads(said)), told.decode(), hook, check)


def _listed(sarif: dict[str, Any]) -> int:
    """How many results somebody can act on."""
    return sum(r["level"] in ("warning", "error") for r in sarif["runs"][0]["results"])


def _ours(clone: str, *args: str, stdin: bytes = b"") -> bytes:
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    command = [*ours(), *args]
    return subprocess.run(
        command, cwd=clone, env=env, input=stdin, capture_output=True, check=False
    ).stdout


def _git(root: str, *args: str) -> bytes:
    return subprocess.run(["git", *args], cwd=root, capture_output=True, check=True).stdout


def as_text(run: ElbowRun) -> str:
    edits = run.edits
    wrong = len(edits) - len(run.silent)
    lines = [
        f"{len(edits)} edits of {len({e.repo for e in edits})} repositories;"
        f" the check lists nothing of {len(run.silent)}",
        f"of these the hook is silent on {len(run.silent) - len(run.loud)}",
        f"of the other {wrong} it tells {wrong - len(run.missed)}",
        f"median time of the hook: {run.ratio:.2f} of check --staged",
    ]
    lines += [f"  loud: {e.repo} {e.commit} {e.path}" for e in run.loud]
    lines += [f"  missed: {e.repo} {e.commit} {e.path}" for e in run.missed]
    return "\n".join(lines) + "\n"

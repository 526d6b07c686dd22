"""`python -m benchmarks.golden`: what the product says of pinned repositories, as digests.

A change that must not change decisions is run before and after. The repositories are given as
directories, nothing is fetched; `benchmarks/golden.json` names repository, commit and the digest of
every output. `--write` pins what it finds, `--keep DIR` keeps the outputs, to be compared by eye.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.repository import git
from benchmarks.timing import environment
from benchmarks.tools import PROJECT, ours

PINS = f"{PROJECT}/benchmarks/golden.json"
REPLAYED = 200
QUESTIONS = ("How do I run the tests?", "Which database is used?", "What was decided last?")
UNSTABLE = {"seconds", "checked_at", "elapsed_ms", "median_ms", "p95_ms", "index"}
"""Keys of the outputs that a clock fills, or the place and size of the local index."""

OUTPUTS: dict[str, tuple[str, ...]] = {
    "check": ("check", "--all", "--offline", "--isolated", "--output-format", "json"),
    "sarif": ("check", "--all", "--offline", "--isolated", "--output-format", "sarif"),
    "audit": ("audit", "--offline", "--isolated", "--output-format", "json"),
    "junit": ("check", "--all", "--offline", "--isolated", "--output-format", "junit"),
    "status": ("status", "--json"),
    "replay": ("bench", "replay", "--max", str(REPLAYED), "--output-format", "json"),
    **{
        f"recall-{n}": ("recall", "--pending", "--output-format", "json", question)
        for n, question in enumerate(QUESTIONS, 1)
    },
}
GROUNDING = (
    sys.executable, "-m", "benchmarks.quality", "groundingbench", "--output-format", "json",
)  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.golden", description=__doc__)
    parser.add_argument("repositories", nargs="*", help="directories of clones")
    parser.add_argument("--grounding", default="", help="directory of GroundingBench's files")
    parser.add_argument("--only", action="append", choices=OUTPUTS, help="may be repeated")
    parser.add_argument("--write", action="store_true", help="pin what is found")
    parser.add_argument("--keep", default="", help="directory to keep the outputs in")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def pinned(source: str, pins: dict[str, Any]) -> str:
    """The commit of a clone that is pinned; its HEAD where none is."""
    for commit in pins:
        asked = ["git", "-C", source, "cat-file", "-e", f"{commit}^{{commit}}"]
        if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return commit
    return git(source, "rev-parse", "HEAD")


def laid_out(source: str, commit: str, place: str) -> str:
    """A work tree of its own at a commit, without remotes, so that the commit is its own base."""
    root = os.path.join(place, commit)
    git(place, "clone", "-q", "--shared", "--no-checkout", source, root)
    git(root, "checkout", "-q", "-B", "main", commit)
    git(root, "remote", "remove", "origin")
    return root


def stable(value: Any) -> Any:
    """An output without what differs from run to run."""
    if isinstance(value, dict):
        return {k: stable(v) for k, v in value.items() if k not in UNSTABLE}
    return [stable(v) for v in value] if isinstance(value, list) else value


def said(root: str, command: Sequence[str]) -> str:
    """The output of a command in a directory, as JSON on sorted lines, and its exit code."""
    done = subprocess.run(command, cwd=root, env=environment(), capture_output=True, check=False)
    try:
        read = stable(json.loads(done.stdout))
    except ValueError:
        read = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} in {root} ends with {done.returncode}: {read}")
    return json.dumps([done.returncode, read], indent=1, sort_keys=True, ensure_ascii=False)


def of_repository(source: str, commit: str, names: list[str], keep: str) -> dict[str, str]:
    """The digest of each output."""
    with tempfile.TemporaryDirectory(prefix="golden-", ignore_cleanup_errors=True) as place:
        root = laid_out(source, commit, place)
        return {
            name: kept(said(root, (*ours(), *OUTPUTS[name])), f"{commit[:12]}-{name}", keep)
            for name in names
        }


def kept(output: str, name: str, keep: str) -> str:
    if keep:
        os.makedirs(keep, exist_ok=True)
        with open(os.path.join(keep, f"{name}.json"), "w", encoding="utf-8") as file:
            file.write(output)
    return hashlib.sha256(output.encode()).hexdigest()[:16]


def differing(pins: dict[str, Any], found: dict[str, dict[str, str]]) -> Iterator[str]:
    for commit, digests in found.items():
        for name, digest in digests.items():
            before = pins.get(commit, {}).get("outputs", {}).get(name, "")
            if before != digest:
                yield f"{commit[:12]} {name}: {before or 'not pinned'} -> {digest}"


def main() -> int:
    given = arguments()
    try:
        with open(PINS, encoding="utf-8") as file:
            pins: dict[str, Any] = json.load(file)
    except FileNotFoundError:
        pins = {}
    names = given.only or list(OUTPUTS)
    sources = {pinned(source, pins): os.path.abspath(source) for source in given.repositories}
    with ThreadPoolExecutor(given.jobs) as pool:
        asked = {c: pool.submit(of_repository, s, c, names, given.keep) for c, s in sources.items()}
        found = {commit: answer.result() for commit, answer in asked.items()}
    if given.grounding:
        output = said(PROJECT, (*GROUNDING, "--data", os.path.abspath(given.grounding)))
        found["groundingbench"] = {"native": kept(output, "groundingbench", given.keep)}
    lines = list(differing(pins, found))
    print("\n".join(lines) or f"{sum(map(len, found.values()))} outputs as pinned")
    if given.write:
        for commit, digests in found.items():
            known = pins.setdefault(commit, {})
            known["outputs"] = {**known.get("outputs", {}), **digests}
        with open(PINS, "w", encoding="utf-8") as file:
            file.write(json.dumps(pins, indent=1, sort_keys=True) + "\n")
    return 0 if given.write or not lines else 1


if __name__ == "__main__":
    sys.exit(main())

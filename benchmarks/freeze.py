"""`python -m benchmarks.freeze`: what the product says of twelve pinned repositories, as digests.

Run it before and after a change. The clones are given as directories and nothing is fetched.
`benchmarks/freeze.json` names each repository, its commit and the digest of every output; the
outputs themselves quote the repositories and are not kept in this project.

    python -m benchmarks.freeze CLONES/*/repo --labels DATA --keep AFTER
    python -m benchmarks.freeze --compare BEFORE AFTER

`--keep` writes the outputs to a directory; `--compare` lists, by rule, the findings and decisions
that two such directories do not share. To get BEFORE, run the script in a checkout of the older
commit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.repository import git
from benchmarks.timing import environment
from benchmarks.tools import PROJECT, ours

PINS = f"{PROJECT}/benchmarks/freeze.json"
UNSTABLE = {"seconds", "checked_at", "elapsed_ms", "median_ms", "p95_ms", "index", "version"}
"""Keys of the outputs that differ from run to run or from release to release."""
EVERY = 5
"""Of FM2 and ExpertQA every fifth row is verified: one process a row."""

OUTPUTS: dict[str, tuple[str, ...]] = {
    "check": ("check", "--all", "--offline", "--isolated", "--output-format", "json"),
    "replay": ("bench", "replay", "--max", "200", "--output-format", "json"),
    "audit": ("audit", "--offline", "--isolated", "--output-format", "json"),
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.freeze", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("repositories", nargs="*", help="directories of clones")
    parser.add_argument("--labels", default="", help="directory of groundingbench, fm2, expertqa")
    parser.add_argument("--only", action="append", choices=OUTPUTS, help="may be repeated")
    parser.add_argument("--write", action="store_true", help="pin what is found")
    parser.add_argument("--keep", default="", help="directory to write the outputs to")
    parser.add_argument("--compare", nargs=2, metavar="DIR", help="two directories of outputs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def pinned_commit(clone: str, pins: dict[str, Any]) -> str:
    """Returns the pinned commit that `clone` has, or its HEAD if it has none of them."""
    for commit in pins:
        command = ["git", "-C", clone, "cat-file", "-e", f"{commit}^{{commit}}"]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return commit
    return git(clone, "rev-parse", "HEAD")


def check_out(clone: str, commit: str, place: str) -> str:
    """Makes a work tree of `commit` without remotes, so that the commit is its own base."""
    root = os.path.join(place, commit)
    git(place, "clone", "-q", "--shared", "--no-checkout", clone, root)
    git(root, "checkout", "-q", "-B", "main", commit)
    git(root, "remote", "remove", "origin")
    return root


def without_unstable(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_unstable(v) for k, v in value.items() if k not in UNSTABLE}
    return [without_unstable(v) for v in value] if isinstance(value, list) else value


def run_json(root: str, arguments: Sequence[str], codes: Sequence[int] = (0, 1)) -> list[Any]:
    """Runs the product in `root`. Returns its exit code and its JSON output, unstable keys left
    out. Raises SystemExit if the exit code is not one of `codes`."""
    command = (*ours(), *arguments)
    done = subprocess.run(command, cwd=root, env=environment(), capture_output=True, check=False)
    if done.returncode not in codes:
        said = (done.stdout + done.stderr).decode(errors="replace")[-500:]
        raise SystemExit(f"{' '.join(command)} in {root} ends with {done.returncode}: {said}")
    return [done.returncode, without_unstable(json.loads(done.stdout))]


def digest(output: Any, name: str, keep: str) -> str:
    """Returns the digest of an output, and writes the output to the directory `keep` if given."""
    text = json.dumps(output, indent=1, sort_keys=True, ensure_ascii=False)
    if keep:
        os.makedirs(keep, exist_ok=True)
        with open(os.path.join(keep, f"{name}.json"), "w", encoding="utf-8") as file:
            file.write(text)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def freeze_repository(clone: str, commit: str, names: list[str], keep: str) -> dict[str, str]:
    """Returns the digest of each named output."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="freeze-", ignore_cleanup_errors=True) as place:
        root = check_out(clone, commit, place)
        for name in names:
            output = run_json(root, OUTPUTS[name])
            found[name] = digest(output, f"{commit[:12]}-{name}", keep)
    print(f"{commit[:12]} done", file=sys.stderr)
    return found


def labelled(directory: str) -> Iterator[tuple[str, str, str, list[Any]]]:
    """Yields (data set, text, option, rows): each text with the source or memories it is held
    against. FM2 and ExpertQA give a source, GroundingBench memories."""
    with open(f"{directory}/groundingbench/native100.jsonl", encoding="utf-8") as file:
        for row in map(json.loads, file):
            yield "groundingbench", row["generated_output"], "--memories", row["retrieved_context"]
    for name, path in (("fm2", "fm2/dev.jsonl"), ("expertqa", "expertqa/val.jsonl")):
        with open(f"{directory}/{path}", encoding="utf-8") as file:
            for row in list(map(json.loads, file))[::EVERY]:
                yield name, row["claim"], "--source", row["evidence"]


def verify(text: str, option: str, rows: list[Any]) -> list[Any]:
    """Runs `verify` on one text. Exit code 2 is an output too: some sources are empty."""
    with tempfile.TemporaryDirectory(prefix="freeze-") as place:
        path = os.path.join(place, "rows.json" if option == "--memories" else "source.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(rows) if option == "--memories" else "\n".join(rows))
        given = ("verify", "--text", text, option, os.path.basename(path))
        try:
            return run_json(place, (*given, "--output-format", "json"))
        except SystemExit as error:
            return [2, str(error).rpartition("ends with ")[2]]


def freeze_labels(directory: str, keep: str, pool: ThreadPoolExecutor) -> dict[str, str]:
    """Returns the digest of `verify` over each labelled data set."""
    rows = list(labelled(directory))
    results = list(pool.map(lambda row: verify(*row[1:]), rows))
    sets: dict[str, list[Any]] = {}
    for (name, text, _, _), result in zip(rows, results, strict=True):
        sets.setdefault(name, []).append([text, *result])
    return {name: digest(output, f"verify-{name}", keep) for name, output in sets.items()}


def findings(value: Any, commit: str = "") -> Iterator[tuple[str, str]]:
    """Yields (rule, line of text) for each decision, problem and finding in an output."""
    if isinstance(value, list):
        for item in value:
            yield from findings(item, commit)
    elif isinstance(value, dict):
        commit = value.get("commit", commit)
        rule = value.get("rule") or value.get("code")
        if rule and "path" in value:
            place = f"{commit[:12]} {value['path']}:{value.get('line', 0)}".strip()
            said = value.get("reason") or value.get("message") or ""
            told = "; ".join(
                f"{c['kind']} {c['target']} {c['verdict']}: {c['reason']}"
                for c in value.get("citations", ())
            )
            yield str(rule), f"{place} tier {value.get('tier', '-')}: {said} [{told}]"
        else:
            yield from findings([v for v in value.values() if isinstance(v, dict | list)], commit)


def compare(before: str, after: str) -> Iterator[str]:
    """Yields what two directories of outputs do not share, and a count for each rule."""
    for name in sorted({*os.listdir(before), *os.listdir(after)}):
        sides = []
        for directory in (before, after):
            path = os.path.join(directory, name)
            text = "null"
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            sides.append((text, Counter(findings(json.loads(text)))))
        (old_text, old), (new_text, new) = sides
        if old_text == new_text:
            continue
        gone, come = old - new, new - old
        yield f"== {name}: {old.total()} before, {new.total()} after"
        for rule in sorted({r for r, _ in (*gone, *come)}):
            lost = [f"- {rule}: {line}" for r, line in gone.elements() if r == rule]
            got = [f"+ {rule}: {line}" for r, line in come.elements() if r == rule]
            yield f"   {rule}: {len(lost)} gone, {len(got)} new"
            yield from sorted(lost + got, key=lambda line: line[2:])


def differing(pins: dict[str, Any], found: dict[str, dict[str, str]]) -> Iterator[str]:
    """Yields a line for each digest that is not the pinned one."""
    for commit, digests in found.items():
        for name, value in digests.items():
            before = pins.get(commit, {}).get("outputs", {}).get(name, "")
            if before != value:
                yield f"{commit[:12]} {name}: {before or 'not pinned'} -> {value}"


def read_pins() -> dict[str, Any]:
    try:
        with open(PINS, encoding="utf-8") as file:
            pins: dict[str, Any] = json.load(file)
            return pins
    except FileNotFoundError:
        return {}


def main() -> int:
    given = arguments()
    if given.compare:
        print("\n".join(compare(*given.compare)) or "the outputs are the same")
        return 0
    pins = read_pins()
    names = given.only or list(OUTPUTS)
    clones = {pinned_commit(c, pins): os.path.abspath(c) for c in given.repositories}
    with ThreadPoolExecutor(given.jobs) as pool:
        started = {
            commit: pool.submit(freeze_repository, clone, commit, names, given.keep)
            for commit, clone in clones.items()
        }
        found = {commit: future.result() for commit, future in started.items()}
        if given.labels:
            found["verify"] = freeze_labels(os.path.abspath(given.labels), given.keep, pool)
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

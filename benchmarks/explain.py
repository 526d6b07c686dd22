"""`--explain`: what a hook run imports, compiles, opens and starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

from benchmarks.repository import Repository
from benchmarks.setup import Setup
from benchmarks.timing import environment
from benchmarks.tools import PROJECT

PARTS = {
    "imports": "modules, by milliseconds of their own",
    "patterns": "regular expressions compiled, by milliseconds",
    "opens": "files opened beside modules",
    "processes": "processes started",
}


def explain(setup: Setup) -> str:
    """The lists, for a first check and for the same again."""
    repository = setup.repository(setup.reference)
    repository.stage(1, setup.claims)
    return "\n".join(_listed(name, _run(repository)) for name in ("first check", "again"))


def _run(repository: Repository) -> dict[str, list[list[object]]]:
    command = [sys.executable, "-m", "benchmarks.explain_process", "--staged", "--write"]
    path = os.pathsep.join((PROJECT, os.environ.get("PYTHONPATH", ""))).rstrip(os.pathsep)
    done = subprocess.run(
        command, cwd=repository.root, env=environment() | {"PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    _, mark, told = done.stderr.rpartition("explained: ")
    if not mark:
        raise RuntimeError(f"the hook said nothing of itself: {done.stderr[-500:]}")
    found: dict[str, list[list[object]]] = json.loads(told)
    return found


def _listed(name: str, found: dict[str, list[list[object]]]) -> str:
    lines = [f"{name}: what is listed costs more than it does in a run that is not watched"]
    for part, what in PARTS.items():
        rows = found[part]
        took = sum(float(str(r[0])) for r in rows)
        total = f", {took:.1f} ms" if part in ("imports", "patterns") else ""
        lines.append(f"  {len(rows)} {what}{total}")
        if part == "opens":
            rows = [[n, p] for p, n in Counter(str(r[1]) for r in rows).most_common()]
        lines += [f"    {row[0]:>8} {row[1]}" for row in rows]
    return "\n".join(lines) + "\n"

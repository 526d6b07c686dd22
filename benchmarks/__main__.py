"""Measures time and memory, prints a table and writes the table to docs/performance.md."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from benchmarks import full, growth, hook, recall, regression, scale, urls, verify
from benchmarks.explain import explain
from benchmarks.page import listed, notes, with_table
from benchmarks.rows import Budget, Row, as_json, markdown, text
from benchmarks.setup import Setup, full_size, small
from benchmarks.tools import PROJECT, compile_ours, find, versions

FAMILIES: dict[str, Callable[[Setup], Iterator[Row]]] = {
    "hook": hook.run,
    "full": full.run,
    "urls": urls.run,
    "growth": growth.run,
    "scale": scale.run,
    "recall": recall.run,
    "verify": verify.run,
}
NEVER = Budget(0)
"""No figure meets it, as there is none."""
LEAST = {"rounds": 5, "largest": 10_000}
"""What the page promises of its table."""
PAGE = f"{PROJECT}/docs/performance.md"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=FAMILIES, help="may be repeated")
    parser.add_argument(
        "--rounds",
        type=int,
        default=LEAST["rounds"],
        help="number of runs of each command (default: 5)",
    )
    parser.add_argument(
        "--largest",
        type=int,
        default=LEAST["largest"],
        help="maximum number of claims in a knowledge base (default: 10000)",
    )
    parser.add_argument("--tree", default="", help="directory of Markdown for the full check")
    parser.add_argument(
        "--quick", action="store_true", help="test that the benchmarks run; the times mean nothing"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="with --only hook: list what the hook imports, compiles, opens and starts",
    )
    parser.add_argument(
        "--regression",
        nargs="?",
        const="",
        metavar="BASE",
        help="only compare the CPU time of hook and check with this commit",
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds starts at 1")
    if given.explain and given.only != ["hook"]:
        parser.error("--explain is of --only hook")
    return given


def measure(given: argparse.Namespace, say: Callable[[str], None]) -> list[Row] | str:
    """The rows, or what `--explain` lists."""
    compile_ours()
    with tempfile.TemporaryDirectory(prefix="benchmarks-", ignore_cleanup_errors=True) as place:
        setup = (
            small(place, given.tree, say)
            if given.quick
            else full_size(place, given.rounds, given.largest, given.tree, say)
        )
        if given.explain:
            return explain(setup)
        return [row for name in given.only or FAMILIES for row in of_family(name, setup)]


def of_family(name: str, setup: Setup) -> Iterator[Row]:
    """The rows of a family; where it breaks, the others are measured all the same."""
    try:
        yield from FAMILIES[name](setup)
    except RuntimeError as error:
        setup.say(str(error))
        what = f"failed: {str(error).partition(chr(10))[0]}"
        yield Row(name, what, "", "", float("nan"), "", 0, NEVER)


def commit() -> str:
    """The commit of this checkout, with a word where it is not what stands there."""
    if not find("git"):
        return "unknown"
    command = ["git", "-C", PROJECT, "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def main() -> int:
    if not hasattr(os, "wait4"):
        sys.stderr.write("python -m benchmarks needs os.wait4, which this system lacks\n")
        return 2
    given = arguments()
    begin = time.monotonic()

    def say(what: str) -> None:
        sys.stderr.write(f"[{time.monotonic() - begin:5.0f} s] {what}\n")

    if given.regression is not None:
        return regression.run(given.regression, say)
    rows = measure(given, say)
    if isinstance(rows, str):
        sys.stdout.write(rows)
        return 0
    made = notes(versions(), commit())
    sys.stdout.write(
        as_json(rows, made) if given.output_format == "json" else f"{text(rows)}\n{listed(made)}\n"
    )
    whole = not (given.only or given.quick or given.tree)
    whole = whole and all(getattr(given, name) >= least for name, least in LEAST.items())
    if whole:
        with open(PAGE, encoding="utf-8") as file:
            page = with_table(file.read(), f"{markdown(rows)}\n{listed(made)}.")
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)
    say(f"{'written to docs/performance.md' if whole else 'the page is as it was: this is a part'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

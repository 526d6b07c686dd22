"""Proofs on real repositories: mutated values, and an agent that follows the offers.

`python -m benchmarks.proofs CLONE... [--values 80] [--edits 20]` works in copies of clones.

For the mutants, it takes assertions that hold in a clone, changes each value, and counts the
answers: a mutant that is proved is a defect. For the edits, a scripted agent adds one natural
sentence about a definition, a key or a command at a time, runs the agents' hook, and writes what
the hook offers where the hook says. The figures say how many sentences end proved, and how many
lines were printed.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.clones import clone_arguments, copies
from grounded_ingest.code.assigned_values import values_in
from grounded_ingest.code.grammars import language_of
from grounded_ingest.code.literals import Value
from grounded_ingest.code.manifest_entries import node_package
from grounded_ingest.extract.assertions import read_assertion
from grounded_ingest.model.claims import Verdict
from grounded_ingest.references.proofs.value import answer_assertion

SEED = 20261127
NOTES = "CLAUDE.md"


def tracked(root: Path) -> list[str]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    paths = done.stdout.decode(errors="replace").split("\0")
    return [p for p in paths if (root / p).is_file()]  # not submodules, and links to folders


def assertions(root: Path, most: int) -> Iterator[tuple[str, str, str, Value]]:
    """Yields (path, name, literal, value) for values that are proved, in a random order."""
    paths = [p for p in tracked(root) if language_of(p)]
    random.Random(SEED).shuffle(paths)
    found = 0
    for path in paths:
        text = (root / path).read_text("utf-8", "replace")
        plain = [v for v in values_in(path, text) or () if v.value and not (v.open or v.parameter)]
        for value in plain[:3]:
            name = ".".join((*value.owner, value.name))
            assertion = read_assertion(f"{path}::{name} = {value.written}")
            if assertion is None or value.value is None or "\n" in value.written:
                continue
            if answer_assertion(assertion, text).verdict is Verdict.CONFIRMED and found < most:
                found += 1
                yield path, name, value.written, value.value


def mutants(written: str, value: Value) -> Iterator[str]:
    """Yields literals that state another value than `written`."""
    match value[0]:
        case "int" | "float" if value[1].denominator == 1:
            yield from (str(int(value[1]) + 1), str(-int(value[1]) - 1), f"{int(value[1])}0")
        case "text":
            sign = written[:1] if written[:1] in "\"'" else '"'
            yield from (f"{sign}{value[1]}x{sign}", f"{sign}no{sign}")
        case "truth":
            yes = written[0].isupper()
            yield str(not value[1]) if yes else str(not value[1]).lower()
        case _:
            return


def mutate(root: Path, most: int) -> Counter[str]:
    said: Counter[str] = Counter()
    for path, name, written, value in assertions(root, most):
        text = (root / path).read_text("utf-8", "replace")
        for mutant in mutants(written, value):
            assertion = read_assertion(f"{path}::{name} = {mutant}")
            if assertion is not None:
                said[answer_assertion(assertion, text).verdict.value] += 1
    return said


def sentences(root: Path, most: int) -> list[str]:
    """Returns natural sentences that cite a definition, a script or a computed value, without a
    proof: what agents write."""
    paths = [p for p in tracked(root) if language_of(p) and "test" not in p.lower()]
    random.Random(SEED).shuffle(paths)
    found: list[str] = []
    for path in paths:
        values = values_in(path, (root / path).read_text("utf-8", "replace")) or ()
        named = [v for v in values if not v.owner and not v.parameter]
        if named and len(found) < most * 3 // 4:
            found.append(f"The behaviour here depends on `{named[0].name}` in `{path}`.")
    manifest = root / "package.json"
    if manifest.exists():
        scripts = node_package(manifest.read_text("utf-8")).scripts.entries
        found += [f"Before a release we call `npm run {n}`." for n in list(scripts)[: most // 4]]
    return found[:most]


def hook(root: Path, path: str, new: str, old: str = "") -> list[str]:
    """Returns the lines that the agents' hook prints after an edit of `old` to `new` in `path`."""
    payload = {
        "hook_event_name": "PostToolUse", "cwd": str(root), "tool_name": "Edit",
        "tool_input": {"file_path": str(root / path), "old_string": old, "new_string": new},
    }  # fmt: skip
    command = [sys.executable, "-m", "grounded_ingest", "hook", "--agent", "claude"]
    done = subprocess.run(
        command, cwd=root, input=json.dumps(payload).encode(), capture_output=True, check=False
    )
    text = done.stdout.decode(errors="replace")
    with suppress(ValueError, KeyError):  # otherwise the hook printed plain text
        text = json.loads(text)["hookSpecificOutput"]["additionalContext"] if text else ""
    return [row for row in text.splitlines() if row.strip()]


def edit(root: Path, most: int) -> Counter[str]:
    said: Counter[str] = Counter()
    offered = root / ".git" / "grounded-ingest" / "offered"
    for sentence in sentences(root, most):
        offered.unlink(missing_ok=True)  # each edit stands for a document of its own
        (root / NOTES).write_text(f"# Notes\n\n## Behaviour\n\n- {sentence}\n", "utf-8")
        rows = hook(root, NOTES, f"- {sentence}")
        said["edits"] += 1
        said["lines printed"] += len(rows)
        quoted = [row.partition(':5 "')[2] for row in rows if ':5 "' in row]
        if not quoted:
            continue
        said["offers"] += 1
        offer = json.loads(f'"{quoted[0]}')
        page = f"# Notes\n\n## Behaviour\n\n- {sentence}\n\n## Facts\n\n- {offer}\n"
        (root / NOTES).write_text(page, "utf-8")
        document = str((root / NOTES).resolve().relative_to(root.resolve()))  # may be a link
        command = [sys.executable, "-m", "grounded_ingest", "prove", document, "--json"]
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
        answers = [row["answer"] for row in json.loads(done.stdout)["proofs"] if row["line"] == 9]
        said["proved"] += answers == ["proved"]
    return said


def main() -> None:
    parser = clone_arguments("proofs", __doc__)
    parser.add_argument("--values", type=int, default=80, help="assertions to mutate in a clone")
    parser.add_argument("--edits", type=int, default=20, help="sentences to write in a clone")
    given = parser.parse_args()
    for name, root in copies(given.clones):
        print(name, "mutants", dict(mutate(root, given.values)))
        print(name, "edits", dict(edit(root, given.edits)), flush=True)


if __name__ == "__main__":
    main()

"""What other tools say of Markdown files, by line, without network: for docs/fixture.md."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from benchmarks.tools import find

Line = tuple[str, int]


class OtherTool(NamedTuple):
    """`calls` are its arguments, one call after the other; `whole`: it reads a directory by itself.
    `lines` reads what it printed."""

    looks_at: str
    calls: tuple[tuple[str, ...], ...]
    lines: Callable[[str], Iterator[Line]]
    whole: bool = False


_LINE = re.compile(r"(.+?):(\d+):")


def _of_rows(out: str) -> Iterator[Line]:
    for match in filter(None, map(_LINE.match, out.splitlines())):
        yield match[1], int(match[2])


def _of_lychee(out: str) -> Iterator[Line]:
    for path, errors in json.loads(out)["error_map"].items():
        for error in errors:
            yield path, error["span"]["line"]


def _of_agnix(out: str) -> Iterator[Line]:
    for found in json.loads(out)["diagnostics"]:
        yield found["file"], found["line"]


def _of_docs_drift(out: str) -> Iterator[Line]:
    for found in json.loads(out)["findings"]:
        if found["verdict"] not in ("ok", "unverifiable"):
            for place in found["claim"]["locations"]:
                yield found["claim"]["doc_path"], place["line"]


OTHERS = {
    "docs-drift": OtherTool(
        "paths, commands, symbols, versions in documents",
        (("--format", "json", "check"), ("--format", "json", "deps")),
        _of_docs_drift,
        whole=True,
    ),
    "agnix": OtherTool(
        "the form of agents' files", (("--format", "json", "."),), _of_agnix, whole=True
    ),
    "lychee": OtherTool(
        "links: files and headings",
        (("--offline", "--include-fragments", "--format", "json"),),
        _of_lychee,
    ),
    "typos": OtherTool("spelling", (("--format", "brief"),), _of_rows),
    "codespell": OtherTool("spelling", ((),), _of_rows),
    "proselint": OtherTool("style", (("check",),), _of_rows),
}


def lines_named(name: str, root: str, files: Sequence[str]) -> set[Line]:
    """The (path, line) that a tool names in files of a directory."""
    tool = OTHERS[name]
    found: set[Line] = set()
    for call in tool.calls:
        command = [find(name), *call, *(() if tool.whole else files)]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        found.update((os.path.normpath(path), line) for path, line in tool.lines(done.stdout))
    return found

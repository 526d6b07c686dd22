"""Runs the programs a release needs: git, build, twine and uv."""

from __future__ import annotations

import subprocess
from pathlib import Path

from release.places import ProjectError


def run(root: Path, *argv: str) -> str:
    """Returns what the program writes to stdout. Raises ProjectError with all its output if the
    program fails."""
    ran = subprocess.run(argv, cwd=root, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise ProjectError(f"{' '.join(argv)}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout

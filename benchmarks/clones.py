"""Gives a benchmark the clones that its command line names, each as a copy to work in."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


def clone_arguments(module: str, description: str | None) -> argparse.ArgumentParser:
    """Returns the parser of a command line that names clones."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{module}", description=description)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("clones", nargs="+", type=Path)
    return parser


def copies(clones: list[Path]) -> Iterator[tuple[str, Path]]:
    """Yields the name of each clone and a copy, which is deleted afterwards. The directory above
    the copy may be used, too."""
    for clone in clones:
        with tempfile.TemporaryDirectory() as place:
            root = Path(place, "repo")
            command = ["git", "clone", "--quiet", "--shared", str(clone), str(root)]
            subprocess.run(command, check=True)
            yield clone.name, root

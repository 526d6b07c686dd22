"""pre-commit, where it is on this machine: found, and told to install itself as git's hooks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from grounded_ingest.git.hooks import INSTALL

_RUNNER = "pre-commit"


def found_runner() -> str:
    """The full path of pre-commit: on PATH, else beside the interpreter that runs; else nothing.
    Places that depend on the current directory are passed over."""
    places = [p for p in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(p)]
    beside = os.path.dirname(os.path.abspath(sys.executable))
    return shutil.which(_RUNNER, path=os.pathsep.join([*places, beside])) or ""


def install_hooks(root: str, runner: str) -> str:
    """Let pre-commit install its scripts in a repository; why it did not, or nothing."""
    try:
        done = subprocess.run(
            [runner, *INSTALL], cwd=root, stdin=subprocess.DEVNULL, capture_output=True,
            check=False, timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{runner}: {error}"
    said = (done.stdout + done.stderr).decode(errors="replace").strip()
    return (said or f"exit code {done.returncode}") if done.returncode else ""

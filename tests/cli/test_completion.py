"""Completion in the shells themselves, where they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from terminal import Terminal

from grounded_ingest.cli.group import COMMANDS

SOURCED = 'eval "$(grounded-ingest completion {shell})"'
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
START = {
    "bash": SOURCED.format(shell="bash"),
    "zsh": "autoload -Uz compinit && compinit -D && " + SOURCED.format(shell="zsh"),
    "fish": "grounded-ingest completion fish | source",
}
TYPED = {
    "grounded-ingest stat": "status",
    "grounded-ingest check --output-fi": "--output-file",
    "grounded-ingest audit --fail-on rev": "review",
    "grounded-ingest rule refut": "refuted-citation",
    "grounded-ingest check memory-b": "memory-bank",
}
ENV = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


class Shell(Terminal):
    """A shell, as somebody types into it."""

    program = ()


class Home(NamedTuple):
    root: Path
    env: dict[str, str]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(shell: str, tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "memory-bank").mkdir()
    terminal = Shell(Home(tmp_path, ENV | {"HOME": str(tmp_path)}), *SHELLS[shell], TERM="dumb")
    terminal.press(f"{START[shell]}; echo rea''dy\r")
    terminal.until("ready")
    for typed, completed in TYPED.items():
        terminal.press(f"{typed}\t")
        terminal.until(completed)
        terminal.press("\x15")  # the line is taken back
    terminal.kill()


def asked(words: str, position: int) -> list[str]:
    env = {**ENV, "COMP_WORDS": words, "COMP_CWORD": str(position)}
    env["_GROUNDED_INGEST_COMPLETE"] = "bash_complete"
    done = subprocess.run(
        [Path(sys.executable).with_name("grounded-ingest")], env=env, capture_output=True, text=True
    )
    return done.stdout.split()


def test_commands_are_completed_without_importing_them() -> None:
    assert asked("grounded-ingest ", 1) == [f"plain,{name}" for name in COMMANDS]
    code = (
        "import json, sys; sys.argv = ['grounded-ingest']\n"
        "from grounded_ingest.cli.entry import run_command\n"
        "run_command()\n"
        "print(json.dumps(sorted(m for m in sys.modules if m.startswith('grounded_ingest.cli.'))))"
    )
    env = {**ENV, "COMP_WORDS": "grounded-ingest ", "COMP_CWORD": "1"}
    env["_GROUNDED_INGEST_COMPLETE"] = "bash_complete"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert json.loads(done.stdout.splitlines()[-1]) == [
        f"grounded_ingest.cli.{name}" for name in ("entry", "group", "terminal")
    ]

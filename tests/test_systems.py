"""docs/systems.md: every command prints what its row says, in the repository of the page."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from worktrees import PROJECT, environment

from tests.forked import run_command

PAGE = (PROJECT / "docs/systems.md").read_text("utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| [^|]+ \| `(.+?)`: `(.+)` \|$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("systems") / "example"
    subprocess.run(
        ["sh", PROJECT / "examples/systems.sh", root], env=environment(root.parent), check=True
    )
    return root


@cache
def printed(command: str, root: Path) -> str:
    words = shlex.split(command)
    if words[0] == "python":
        ran = subprocess.run(
            [sys.executable, *words[1:]],
            cwd=root,
            env=environment(root.parent),
            capture_output=True,
        )
        return (ran.stdout + ran.stderr).decode()
    _, out, err = run_command(tuple(words), root, environment(root.parent))
    return (out + err).decode()


def test_the_page_has_a_row_for_each_mechanism() -> None:
    table = PAGE.partition("## Mechanisms")[2].partition("\n## ")[0]
    assert len(ROWS) == table.count("\n| ") - 1 >= 50


@pytest.mark.parametrize(("mechanism", "command", "words"), ROWS, ids=[r[0] for r in ROWS])
def test_the_command_prints_it(mechanism: str, command: str, words: str, example: Path) -> None:
    assert words.replace(r"\|", "|") in printed(command, example), mechanism

"""A script that may also be a program's name is wrong once a commit removes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repos import NOTES, Repo, made_wrong

HATCH = '[tool.hatch.envs.default.scripts]\ntest = "pytest"\nlint = "ruff check ."\n'
TOX = "[tox]\nenv_list = py3{12,13}\n\n[testenv:lint]\ncommands = ruff check .\n"
YARN = '{"scripts": {"lint": "eslint .", "test": "jest"}}'


@pytest.mark.parametrize(
    ("files", "command", "left"),
    [
        ({"pyproject.toml": HATCH}, "hatch run lint", {"pyproject.toml": HATCH.partition("lint")[0]}),
        ({"tox.ini": TOX}, "tox run -e lint", {"tox.ini": TOX.replace(":lint", ":style")}),
        ({"package.json": YARN, "yarn.lock": ""}, "yarn lint", {"package.json": '{"scripts": {}}'}),
    ],
)  # fmt: skip
def test_the_commit_that_removes_a_script(
    tmp_path: Path, files: dict[str, str], command: str, left: dict[str, str]
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({**files, NOTES: f"# Notes\n\nRun `{command}` before a release.\n"})
    repo.stage({"a.txt": "x"})
    assert made_wrong(repo.check()) == []
    repo.stage(left)
    ((path, line, message),) = made_wrong(repo.check())
    assert (path, line) == (NOTES, 3)
    assert re.search("has no (?:script|environment) lint: removed by this change", message)
    repo.commit()
    repo.stage({"a.txt": "y"})
    assert made_wrong(repo.check()) == []


def test_a_name_that_tox_does_not_compose_of_factors(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"tox.ini": TOX, "README.md": "# A\n"})
    names = ("format", "lint", "py312", "py314", "py312-lint")
    judged = repo.judge_each(f"Run `tox -e {name}`." for name in names).values()
    told = [e.reason for found in judged for e in found.evidence if e.reason]
    assert told == ["tox.ini has no environment format"]


def test_a_commit_that_removed_only_a_use_of_a_task(tmp_path: Path) -> None:
    """The message names this change, which renames the task, and not the earlier commit."""
    repo = Repo(tmp_path / "repo")
    rules = "default: {}\nall:\n\ttrue\ncheck:\n\tpytest\n"
    repo.commit({"Makefile": rules.format("check"), NOTES: "# Notes\n\nRun `make check`.\n"})
    repo.commit({"Makefile": rules.format("all")})
    repo.stage({"Makefile": rules.format("all").replace("check", "verify")})
    ((_, _, message),) = made_wrong(repo.check())
    assert message == "Makefile has no target check: renamed to verify by this change"

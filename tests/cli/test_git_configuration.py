"""What a user's git configuration says about output changes nothing of ours."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from clirepo import BLOCKED, Repo, environment

SETTINGS = {
    "format.pretty": "nonsense", "log.date": "nonsense", "log.showSignature": "true",
    "log.mailmap": "true", "log.decorate": "full", "log.abbrevCommit": "true",
    "log.follow": "true", "log.showRoot": "false", "log.diffMerges": "combined",
    "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.renames": "false",
    "diff.external": "/bin/false", "diff.orderFile": "/nonexistent", "diff.context": "0",
    "diff.relative": "true", "diff.submodule": "log", "diff.suppressBlankEmpty": "true",
    "diff.algorithm": "histogram", "diff.wsErrorHighlight": "all",
    "core.quotePath": "true", "core.abbrev": "4", "core.commentChar": "auto",
    "core.pager": "/bin/false", "core.bigFileThreshold": "1", "core.editor": "/bin/false",
    "status.short": "true", "status.showUntrackedFiles": "no", "status.relativePaths": "true",
    "color.ui": "always", "color.grep": "always", "color.diff": "always", "column.ui": "always",
    "i18n.logOutputEncoding": "UTF-16", "grep.patternType": "perl", "grep.lineNumber": "true",
    "grep.column": "true", "grep.fullName": "true", "blame.date": "relative",
    "blame.showEmail": "true", "blame.blankBoundary": "true", "blame.coloring": "highlightRecent",
    "tag.sort": "nonsense", "branch.sort": "nonsense", "alias.log": "!false",
}  # fmt: skip
ASKED: dict[str, tuple[str, ...]] = {
    "check": ("check", "--offline", "--all", "--output-format", "json"),
    "check of a range": ("check", "--offline", "--since", "HEAD~3", "--output-format", "json"),
    "check of a change": ("check", "--offline", "--output-format", "json"),
    "audit": ("audit", "--offline", "--no-cache", "--output-format", "json"),
    "audit --fix": ("audit", "--offline", "--diff"),
    "status": ("status", "--json"),
}
PAGE = """# Notes

The port is 8443 (`src/app.py:1`).

It is read from `src/gone.py` and `src/café.py`.

The old one was `OLD_NAME`, see ADR-0001 and {commit}.
"""
SOURCE = "PORT = 8443\n\n\ndef start():\n    return OLD_NAME\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Renames, removals, a name that is not ASCII, and a claim of each kind that asks git."""
    (tmp_path / "work").mkdir()
    made = Repo(tmp_path / "work", environment(tmp_path))
    made.git("init", "--quiet", "--template=", "--initial-branch=main")
    made.write("src/café.py", "y = 2\n" * 20)
    made.write("src/gone.py", "x = 1\n" * 20)
    made.commit("src/app.py", SOURCE)
    made.git("add", "-A")
    made.git("commit", "-qm", "More — café")
    made.git("rm", "-q", "src/gone.py")
    (made.root / "lib").mkdir()
    made.git("mv", "src/café.py", "lib/café.py")
    made.commit("docs/adr/0001-port.md", "# 1. Port\n\nStatus: accepted\n")
    first = made.commit("src/app.py", f"# One line more\n{SOURCE.replace('OLD_NAME', '1')}")
    made.commit("memory-bank/notes.md", PAGE.format(commit=first[:12]))
    made.write("memory-bank/notes.md", f"{PAGE.format(commit=first[:12])}\n{BLOCKED}\n")
    return made


def answers(repo: Repo) -> dict[str, tuple[int, str, str]]:
    found = {}
    for name, asked in ASKED.items():
        ran = repo.ask(*asked)
        assert ran.code in (0, 1), (name, ran.err)
        found[name] = (ran.code, re.sub(r'"(checked_at|bytes)": .*', "", ran.out), ran.err)
    return found


def test_output_that_the_user_configured_is_not_ours(repo: Repo) -> None:
    plain = answers(repo)
    assert "moved to lib/café.py" in plain["check"][1]
    assert "deleted in " in plain["check"][1]
    for key, value in SETTINGS.items():
        repo.git("config", key, value)
    told = answers(repo)
    for name in ASKED:
        assert told[name] == plain[name], name


@pytest.mark.parametrize("key", ["gpg.format", "diff.statGraphWidth", "core.preloadIndex"])
def test_a_value_that_git_itself_refuses_is_said(repo: Repo, key: str) -> None:
    repo.run("git", "config", key, "nonsense")
    ran = repo.ask(*ASKED["check of a range"])
    assert ran.code == 2
    assert ran.err.startswith("grounded-ingest: git failed in ")
    assert key.lower() in ran.err.lower()
    assert json.loads(ran.out or "{}") == {}

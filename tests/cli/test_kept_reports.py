"""A check that finds all as it was says what it said, and one that does not checks again."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from clirepo import BLOCKED, DOCUMENT, GROUNDED, PAGE, SOURCE, Repo

from grounded_ingest.git import history
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.kept_report import may_keep
from grounded_ingest.repository.scope import Asked

FLAGS = ("check", "--all", "--offline")
JSON = ("--output-format", "json")
PROGRAM = """package main
import "github.com/spf13/cobra" // dry-run TOOL_DRY_HOME dryRun
var rootCmd = &cobra.Command{Use: "tool"}
func %(name)sRun() string { return os.Getenv("%(variable)s") }
func init() { rootCmd.Flags().Bool("%(name)s-run", false, "h") }
"""
PARSED = (
    "Run `tool --dry-run`.",
    "The environment variable is `TOOL_DRY_HOME`.",
    "`dryRun()` is defined in `cmd/tool/main.go`.",
    "```sh\ntool --fast-run\n```",
)
"""Sentences on what parsers find in PROGRAM, or do not."""


def program(name: str) -> str:
    return PROGRAM % {"name": name, "variable": f"TOOL_{name.upper()}_HOME"}


CACHE = ".git/grounded-ingest/cache.sqlite"


def rows(repo: Repo, sql: str) -> set[Any]:
    if not (repo.root / CACHE).is_file():
        return set()
    with closing(sqlite3.connect(repo.root / CACHE, isolation_level=None)) as db:
        return {value for (value,) in db.execute(sql).fetchall()}


def reports(repo: Repo) -> set[Any]:
    return rows(repo, "SELECT key FROM kept WHERE kind='report'")


def settled() -> None:
    """A file that was written a moment ago is not trusted: the next write may leave no trace."""
    time.sleep(0.03)


def kept(repo: Repo, *flags: str) -> bool:
    """Whether the same question again is answered from what is kept."""
    settled()
    repo.ask(*FLAGS, *flags)
    held = reports(repo)
    repo.ask(*FLAGS, *flags)
    return bool(held) and reports(repo) == held


def test_a_second_check_reads_no_document(repo: Repo) -> None:
    settled()
    first = repo.ask(*FLAGS, *JSON)
    rows(repo, "DELETE FROM blob")
    assert repo.ask(*FLAGS, *JSON) == first
    assert not rows(repo, "SELECT key FROM blob")


def test_every_format_is_made_of_one_kept_report(repo: Repo) -> None:
    cold = {f: repo.ask(*FLAGS, "--no-cache", "--output-format", f).out for f in ("text", "sarif")}
    settled()
    repo.ask(*FLAGS, *JSON)
    held = reports(repo)
    assert {f: repo.ask(*FLAGS, "--output-format", f).out for f in cold} == cold
    assert reports(repo) == held


def test_json_after_text_has_the_memory_operations(repo: Repo) -> None:
    """A text report leaves memory operations out. JSON must not reuse it."""
    repo.commit("memory-bank/a.md", "# A\n\nThe write timeout is 40 seconds.\n")
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.write("memory-bank/b.md", "# B\n\nThe write timeout is 40 seconds.\n")
    settled()
    repo.ask("check", "--offline", "memory-bank")
    assert '"operation": "SKIP"' in repo.ask("check", "--offline", "memory-bank", *JSON).out


def test_equal_cold_and_warm_over_random_edits(repo: Repo) -> None:
    """Whatever is edited, what is kept says what a check without it says."""
    dice = random.Random(20261123)
    sentences = [GROUNDED, BLOCKED, "The gateway listens on port 9000 (`src/app.py:2`).", ""]
    repo.write("go.mod", "module example.org/x\n")
    repo.write("memory-bank/tool.md", "# Tool\n\n" + "\n\n".join(PARSED) + "\n")
    edits: list[Callable[[], object]] = [
        lambda: repo.write(DOCUMENT, PAGE + dice.choice(sentences) + "\n"),
        lambda: repo.write("src/app.py", SOURCE.replace("8443", str(dice.choice((8443, 9000))))),
        lambda: repo.write(f"docs/{dice.randrange(3)}.md", f"# Page\n\n{dice.choice(sentences)}\n"),
        lambda: repo.write("README.md", "# Tool\n\nRuns `make check`.\n"),
        lambda: repo.write("cmd/tool/main.go", program("dry")),
        lambda: repo.write("cmd/tool/main.go", program("fast")),
        lambda: repo.git("commit", "--quiet", "--allow-empty", "-m", "nothing"),
        lambda: repo.git("add", "--all"),
    ]
    for edit in dice.sample(edits, k=len(edits)):
        edit()
        settled()
        cold = repo.ask(*FLAGS, "--no-cache", *JSON)
        assert repo.ask(*FLAGS, *JSON) == cold
        assert repo.ask(*FLAGS, *JSON) == cold


@pytest.mark.parametrize(
    ("change", "flags"),
    [
        (lambda r: r.write(DOCUMENT, PAGE.replace("8443", "9000")), ()),
        (lambda r: r.write("src/app.py", SOURCE.replace("8443", "9000")), ()),
        (lambda r: r.write("src/other.py", "A = 1\n"), ()),
        (lambda r: r.git("tag", "v1"), ()),
        (lambda r: r.write("../rules.toml", 'preset = "strict"\n'), ("--config", "../rules.toml")),
        (lambda r: os.utime(r.root / "src/app.py"), ()),
        (lambda r: r.write(".git/info/exclude", "build/\n"), ()),
        (lambda r: r.git("config", "core.ignorecase", "true"), ()),
    ],
    ids=[
        *("document", "source", "untracked", "tag", "config outside", "touched"),
        *("excluded", "settings"),
    ],
)
def test_what_it_rests_on_makes_it_anew(
    repo: Repo, change: Callable[[Repo], object], flags: tuple[str, ...]
) -> None:
    repo.write("../rules.toml", 'preset = "advisory"\n')
    assert kept(repo, *flags)
    held = reports(repo)
    change(repo)
    settled()
    repo.ask(*FLAGS, *flags)
    assert reports(repo) != held


def test_damage_and_a_place_that_takes_nothing_cost_a_check(repo: Repo) -> None:
    assert kept(repo)
    cold = repo.ask(*FLAGS, "--no-cache", *JSON)
    rows(repo, "UPDATE kept SET value=zeroblob(100) WHERE kind='report'")
    assert repo.ask(*FLAGS, *JSON) == cold
    (repo.root / CACHE).unlink()
    (repo.root / CACHE).mkdir()
    assert repo.ask(*FLAGS, *JSON) == cold


def test_what_the_network_may_have_said_is_not_kept(repo: Repo) -> None:
    repo.write(DOCUMENT, f"{PAGE}\nThe limit is 5 (https://no-such-host-4711.dev/limits).\n")
    settled()
    repo.ask("check", "--all", "--timeout", "1")
    assert reports(repo) == set()
    repo.ask(*FLAGS)
    assert len(reports(repo)) == 1


@pytest.mark.parametrize("flags", [("--no-cache",), ("--write",), ("--update-baseline",)])
def test_a_run_that_writes_or_keeps_nothing_leaves_none(repo: Repo, flags: tuple[str, ...]) -> None:
    settled()
    repo.ask(*FLAGS, *flags)
    assert reports(repo) == set()


def test_a_report_with_unread_history_is_not_kept(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "AT_ONCE", 0)
    repo.write(DOCUMENT, f"{PAGE}\n`gone_now` runs at start.\n")
    with Opened(str(repo.root), own=False) as opened:
        result = run(opened, Asked("all"), Options(online=False, patient=False))
        assert not may_keep(result)
        assert may_keep(run(opened, Asked("all"), Options(online=False)))
        result.kb.index.close()

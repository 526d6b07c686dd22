"""What history removed is read once per commit, and says so where it could not be read."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.git import commit_walk, history
from grounded_ingest.git.commit_walk import NameReader
from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Decision
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.findings import list_findings
from grounded_ingest.repository.scope import Asked
from tests.repos import NOTES, Repo

READER = NameReader("test 1", ("*.py",), lambda _, line: {w.decode() for w in line.split()})
GONE = "# Notes\n\n`gone_now` is called by the importer at start.\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/app.py": "def stays():\n    return 1\n", "docs/a.md": "# A\n\ntext\n" * 20})
    return repo


def files(repo: Repo, *paths: str, kept: str = "") -> dict[str, tuple[str, str]]:
    """The removing commit and the new path of each."""
    with Opened(str(repo.root), own=False) as opened:
        found = RemovalHistory(opened, kept).removed_files(opened.head(), paths)
        return {p: (r.commit, r.target) for p, r in found.items()}


def names(repo: Repo, *asked: str, kept: str = "", patient: bool = True) -> tuple[Any, str]:
    """Commits that removed each name, newest first; and what is said of the rest."""
    with Opened(str(repo.root), own=False) as opened:
        asking = RemovalHistory(opened, kept, patient=patient)
        found = asking.removed_names(opened.head(), asked, READER)
        asking.close()
        return {n: [r.commit for r in rows] for n, rows in found.items()}, "".join(
            asking.gaps.values()
        )


def test_the_newest_removal_of_a_file_counts_also_within_one_second(repo: Repo) -> None:
    """All commits of these tests have the same time, as those of a rebase often have."""
    repo.commit({"b.py": "x\n"})
    repo.commit({"b.py": None})
    repo.commit({"b.py": "y\n"})
    last = repo.commit({"b.py": None})
    assert files(repo, "b.py", "never.py") == {"b.py": (last, "")}


def test_a_rename_is_told_by_git_and_a_directory_by_what_was_below(repo: Repo) -> None:
    repo.git("mv", "docs/a.md", "docs/b.md")
    moved = repo.commit()
    assert files(repo, "docs/a.md") == {"docs/a.md": (moved, "docs/b.md")}
    with Opened(str(repo.root), own=False) as opened:
        below = RemovalHistory(opened).removed_below(opened.head(), ["docs", "doc", "src"])
    assert list(below) == ["docs"]


def test_another_branch_says_nothing(repo: Repo, tmp_path: Path) -> None:
    """Kept from one branch, asked on another: each knows its own past only, in either order."""
    kept = str(tmp_path / "kept")
    repo.git("checkout", "-q", "-b", "other")
    gone = repo.commit({"src/app.py": None})
    repo.git("checkout", "-q", "main")
    repo.commit({"c.py": "z\n"})
    for _ in range(2):
        assert files(repo, "src/app.py", kept=kept) == {}
        repo.git("checkout", "-q", "other")
        assert files(repo, "src/app.py", kept=kept) == {"src/app.py": (gone, "")}
        repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-m", "join", "other")
    assert files(repo, "src/app.py", kept=kept) == {"src/app.py": (gone, "")}


def test_a_later_run_reads_only_the_commits_that_came_since(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[str]] = []
    real = history.walk_names

    def counted(opened: Opened, commits: list[str], **how: Any) -> commit_walk.Walk:
        read.append(commits)
        return real(opened, commits, **how)

    monkeypatch.setattr(history, "walk_names", counted)
    kept = str(tmp_path / "kept")
    first = repo.commit({"src/app.py": "def other(): ...\n"})
    assert names(repo, "return", kept=kept)[0] == {"return": [first]}
    second = repo.commit({"src/app.py": "pass\n"})
    assert names(repo, "return", "other():", kept=kept)[0] == {
        "return": [first],
        "other():": [second],
    }
    assert names(repo, "other():", kept=kept) == names(repo, "other():")
    assert [len(some) for some in read[:2]] == [2, 1]
    assert len(read) == 3  # the last was asked without what was kept


def test_runs_on_two_branches_at_a_time_keep_both(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one run reads, another stores the history of its own branch; or begins anew."""
    kept = str(tmp_path / "kept")
    repo.git("checkout", "-q", "-b", "other")
    gone = repo.commit({"src/app.py": None})
    repo.git("checkout", "-q", "main")
    repo.commit({"c.py": "z\n"})
    real, meanwhile = history.walk_files, [True]

    def interrupted(opened: Opened, commits: list[str], progress: Any) -> commit_walk.Walk:
        if meanwhile.pop() if meanwhile else False:
            with Opened(str(repo.root), own=False) as also:
                there = RemovalHistory(also, kept).removed_files(
                    also.commit("other"), ["src/app.py"]
                )
                assert there["src/app.py"].commit == gone
        return real(opened, commits, progress)

    monkeypatch.setattr(history, "walk_files", interrupted)
    assert files(repo, "src/app.py", kept=kept) == {}
    assert files(repo, "src/app.py", kept=kept) == {}
    repo.commit({"d.py": "z\n"})
    with Opened(str(repo.root), own=False) as opened:
        late = RemovalHistory(opened, kept)

        def begun_anew(opened: Opened, commits: list[str], progress: Any) -> commit_walk.Walk:
            sqlite3.connect(f"{kept}/cache.sqlite").execute("DELETE FROM head").connection.commit()
            return real(opened, commits, progress)

        monkeypatch.setattr(history, "walk_files", begun_anew)
        assert (
            late.removed_files(opened.commit("other"), ["src/app.py"])["src/app.py"].commit == gone
        )
        assert late.removed_files(opened.head(), ["src/app.py"]) == {}
        monkeypatch.setattr(history, "walk_files", real)
    with Opened(str(repo.root), own=False) as opened:
        asking = RemovalHistory(opened, kept)
        assert asking.removed_files(opened.commit("other"), ["src/app.py"])
        sqlite3.connect(f"{kept}/cache.sqlite").executescript(
            "DELETE FROM head; DELETE FROM removed"
        )
        assert asking.removed_files(opened.commit("other"), ["src/app.py"])


def test_a_history_that_was_rewritten_is_read_anew(repo: Repo, tmp_path: Path) -> None:
    kept = str(tmp_path / "kept")
    repo.commit({"src/app.py": None})
    assert files(repo, "src/app.py", kept=kept)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert files(repo, "src/app.py", kept=kept) == {}


def lose(repo: Repo, revision: str) -> None:
    """Delete an object, as a partial clone lacks it."""
    oid = repo.git("rev-parse", revision)
    (repo.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()


def test_a_missing_object_costs_its_own_commits_only(repo: Repo, tmp_path: Path) -> None:
    """Read on both sides of it, named in one line, not taken for an answer, and read when it
    comes."""
    kept = str(tmp_path / "kept")
    oldest = repo.commit({"src/app.py": "one\n"})
    lost = repo.commit({"src/app.py": "two\n"})
    repo.commit({"src/app.py": "three\n"})
    newest = repo.commit({"src/app.py": "four\n"})
    oid = repo.git("rev-parse", f"{lost}:src/app.py")
    place = repo.root / ".git" / "objects" / oid[:2] / oid[2:]
    content = place.read_bytes()
    lose(repo, f"{lost}:src/app.py")
    for _ in range(2):
        found, gap = names(repo, "return", "three", "two", kept=kept)
        assert found == {"return": [oldest], "three": [newest]}
        assert gap.startswith("2 commits could not be read")
    place.write_bytes(content)
    found, gap = names(repo, "return", "three", "two", kept=kept)
    assert (sorted(found), gap) == (["return", "three", "two"], "")


def test_a_removed_file_is_named_where_its_content_is_missing(repo: Repo) -> None:
    """Git cannot look for renames there; that the file went it can say."""
    lose(repo, "HEAD:docs/a.md")
    repo.git("rm", "-q", "--cached", "docs/a.md")
    repo.git("commit", "-q", "-m", "gone")
    repo.write({"new.md": "other\n"})
    repo.git("add", "new.md")
    repo.git("commit", "-q", "--amend", "-m", "gone, and one came")
    assert list(files(repo, "docs/a.md")) == ["docs/a.md"]


def test_a_clone_without_contents_does_not_cost_a_process_for_each_commit(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(commit_walk.IN_A_ROW + 30):
        repo.commit({"src/app.py": f"line {n}\n"})
    for n in range(commit_walk.IN_A_ROW + 30):
        lose(repo, f"HEAD~{n}:src/app.py")
    ran: list[tuple[str, ...]] = []
    real = Opened.stream

    def counted(self: Opened, *args: str, **more: Any) -> Any:
        ran.append(args)
        return real(self, *args, **more)

    monkeypatch.setattr(Opened, "stream", counted)
    found, gap = names(repo, "line")
    assert found == {}
    assert gap.startswith(f"{commit_walk.IN_A_ROW + 31} commits could not be read")
    assert len(ran) <= 2 * commit_walk.IN_A_ROW + 2


@pytest.mark.parametrize("limit", [("COMMITS", history), ("BYTES", commit_walk)])
def test_what_was_cut_short_is_said_at_every_run(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: tuple[str, Any]
) -> None:
    repo.commit({"src/app.py": "other\n"})
    newest = repo.commit({"src/app.py": "last\n"})
    monkeypatch.setattr(limit[1], limit[0], 1 if limit[0] == "COMMITS" else 300)
    for _ in range(2):
        found, gap = names(repo, "other", "return", kept=str(tmp_path / "kept"))
        assert "history is too long" in gap
        assert found.get("other", [newest]) == [newest]
        assert "return" not in found


def test_limits_hold_repositories_of_fifty_thousand_commits() -> None:
    assert history.COMMITS >= 50_000
    assert commit_walk.BYTES >= 50_000 * 20_000  # of 9,182 commits of beads: 5 kB each


def damage(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


def lock(path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    lock.held = db  # type: ignore[attr-defined]


@pytest.mark.parametrize("harm", [damage, lock, lambda p: (p.unlink(), p.mkdir())])
def test_a_store_that_cannot_be_used_changes_no_answer(
    repo: Repo, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    kept = tmp_path / "kept"
    gone = repo.commit({"src/app.py": None})
    assert files(repo, "src/app.py", kept=str(kept)) == {"src/app.py": (gone, "")}
    harm(kept / "cache.sqlite")
    later = repo.commit({"docs/a.md": None})
    asked = files(repo, "src/app.py", "docs/a.md", kept=str(kept))
    assert asked == {"src/app.py": (gone, ""), "docs/a.md": (later, "")}


def test_a_name_is_read_in_paths_with_odd_names(repo: Repo) -> None:
    """Quoted by git, with a blank, or with a line that looks like a header of git's."""
    lines = "-- a/src/app.py\ndiff --git a/x b/x\n@@ x\n"
    repo.commit({"a b.py": "one\n", "ü.py": "two\n", "c.py": f"{lines}three\n"})
    last = repo.commit({"a b.py": "\n", "ü.py": "\n", "c.py": "\n"})
    assert names(repo, "one", "two", "three", "@@")[0] == {
        n: [last] for n in ("one", "two", "three", "@@")
    }


def test_a_path_that_is_no_text_is_read_and_kept(repo: Repo, tmp_path: Path) -> None:
    odd = os.fsdecode(b"src/\xff\n\x01.py")
    repo.commit({odd: "one\n"})
    last = repo.commit({odd: None})
    for _ in range(2):
        assert files(repo, odd, kept=str(tmp_path / "kept")) == {odd: (last, "")}
        found, gap = names(repo, "return", kept=str(tmp_path / "kept"))
        assert (found, gap) == ({}, "")


@pytest.mark.parametrize("init", [("--object-format=sha256",), ("--bare",)])
def test_other_forms_of_a_repository(tmp_path: Path, repo: Repo, init: tuple[str, ...]) -> None:
    gone = repo.commit({"src/app.py": None})
    other = Repo(tmp_path / "other")
    if "--bare" in init:
        repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
        other.root = tmp_path / "bare"
    else:
        other = Repo(tmp_path / "sha256", *init)
        other.commit({"src/app.py": "x\n"})
        gone = other.commit({"src/app.py": None})
    assert files(other, "src/app.py") == {"src/app.py": (gone, "")}


def test_an_unborn_branch_has_no_history(tmp_path: Path) -> None:
    assert files(Repo(tmp_path / "new"), "a.py") == {}


def test_attributes_of_the_repository_hide_nothing(repo: Repo) -> None:
    repo.commit({".gitattributes": "*.py -diff\n"})
    last = repo.commit({"src/app.py": "\n"})
    assert names(repo, "return")[0] == {"return": [last]}


def checked(repo: Repo, mode: str, *, patient: bool = True) -> Report:
    with Opened(str(repo.root), own=False) as opened:
        asked = Asked(mode)  # type: ignore[arg-type]
        result = run(opened, asked, Options(online=False, patient=patient))
        result.kb.index.close()
        return result.report


def of_gone(report: Report) -> Decision:
    return next(d for d in report.decisions if "gone_now" in d.place.claim.text)


def said(report: Report) -> list[str]:
    return [p.message for p in report.problems if p.rule == "scope"]


def test_what_nobody_can_change_is_not_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line `scope:` names a command. A history longer than what is ever read has none."""
    monkeypatch.setattr(history, "COMMITS", 1)
    repo.commit({"src/gone.py": "def gone_now():\n    return 2\n"})
    repo.commit({"src/gone.py": None})
    repo.commit({"src/more.py": "x = 1\n", NOTES: GONE})
    assert said(checked(repo, "all")) == []


def test_a_hook_does_not_wait_for_a_long_history_and_says_so(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unknown in the hook, with one line; wrong after one full check, in the hook as well."""
    monkeypatch.setattr(history, "AT_ONCE", 2)
    repo.commit({"src/gone.py": "def gone_now():\n    return 2\n"})
    repo.commit({"src/gone.py": None})
    repo.commit({"src/more.py": "x = 1\n"})
    repo.stage({NOTES: GONE})
    cold = checked(repo, "staged")
    assert of_gone(cold).rule == "ungrounded"
    told = list_findings(cold)
    assert [(e.rule, e.severity) for e in told] == [("scope", "note")]  # agents are told nothing
    assert "4 commits were not searched for removed names" in told[0].description
    assert of_gone(checked(repo, "worktree", patient=False)).rule == "ungrounded"
    assert of_gone(checked(repo, "all")).rule == "refuted-citation"
    warm = checked(repo, "staged")
    assert of_gone(warm).rule == "refuted-citation"
    assert not said(warm)


def test_three_runs_cold_and_warm_say_the_same(repo: Repo) -> None:
    repo.commit({"src/gone.py": "def gone_now():\n    return 2\n", NOTES: GONE})
    repo.commit({"src/gone.py": None})
    runs = [checked(repo, "all") for _ in range(2)]
    os.unlink(repo.root / ".git" / "grounded-ingest" / "cache.sqlite")
    runs.append(checked(repo, "all"))
    assert runs[0] == runs[1] == runs[2]
    assert of_gone(runs[0]).rule == "refuted-citation"

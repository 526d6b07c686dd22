"""What a run is judged against: base in every situation, and what counts as changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repos import NOTES, Repo, page

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Repo as Opened
from grounded_ingest.scope import Asked, Scoped, asked_of_environment, find_base, resolve


def scoped(repo: Repo, asked: Asked, base: str = "", **env: str) -> Scoped:
    with Opened(str(repo.root), own=False) as opened:
        found = resolve(opened, asked, base, env)
        _ = found.base.tree.files, found.tree.files
        return found


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A clone: `topic` one commit beyond main, which has moved on since."""
    origin = Repo(tmp_path / "origin")
    origin.commit({"a.md": "1\n"}, "fork")
    origin.git("branch", "develop")
    origin.git("clone", "-q", str(origin.root), str(tmp_path / "clone"))
    origin.commit({"b.md": "1\n"}, "moved on")
    clone = Repo(tmp_path / "clone")
    clone.git("fetch", "-q")
    clone.git("checkout", "-q", "-b", "topic", "HEAD")
    clone.commit({"c.md": "1\n"}, "topic")
    return clone


def test_without_a_commit_base_is_empty(tmp_path: Path) -> None:
    found = scoped(Repo(tmp_path), Asked("staged"))
    assert (found.base.commit, found.base.known) == ("", True)


def test_without_a_remote_base_is_head(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    head = repo.commit({"a.md": "1\n"})
    assert scoped(repo, Asked("staged")).base[:1] == (head,)


@pytest.mark.parametrize("mode", ["staged", "all", "worktree"])
def test_with_a_remote_base_is_where_the_branch_began(repo: Repo, mode: str) -> None:
    found = scoped(repo, Asked(mode))  # type: ignore[arg-type]
    assert found.base.commit == repo.git("rev-parse", "HEAD~1")
    assert found.base.reason == "merge base of HEAD and origin/HEAD"


@pytest.mark.parametrize(
    ("env", "configured", "reason"),
    [
        ({"GITHUB_BASE_REF": "develop"}, "", "merge base of HEAD and origin/develop"),
        ({"GITHUB_BASE_REF": "gone"}, "", "merge base of HEAD and origin/HEAD"),
        ({}, "develop", "merge base of HEAD and origin/develop"),
        ({}, "origin/develop", "merge base of HEAD and origin/develop"),
        ({"GITHUB_BASE_REF": "main"}, "develop", "merge base of HEAD and origin/develop"),
        ({}, "topic", "merge base of HEAD and topic"),
    ],
)
def test_names(repo: Repo, env: dict[str, str], configured: str, reason: str) -> None:
    assert scoped(repo, Asked("staged"), configured, **env).base.reason == reason


def test_an_unknown_default_branch_is_unknown(repo: Repo) -> None:
    for name in ("HEAD", "main"):
        repo.git("update-ref", "--no-deref", "-d", f"refs/remotes/origin/{name}")
    found = scoped(repo, Asked("staged"))
    assert (found.base.commit, found.base.known) == ("", False)
    assert "set `base`" in found.base.reason


def test_no_common_history(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.commit({"d.md": "1\n"})
    found = scoped(repo, Asked("staged"))
    assert (found.base.commit, found.base.known) == ("", True)
    ranged = scoped(repo, Asked("range", start="origin/main"))
    assert (ranged.base.commit, ranged.base.reason) == ("", "no common history")


def test_in_a_shallow_clone_no_common_history_is_unknown(repo: Repo, tmp_path: Path) -> None:
    there = tmp_path / "shallow"
    repo.git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repo.root}", str(there))
    shallow = Repo(there)
    found = scoped(shallow, Asked("range", start="origin/topic"))
    assert found.base.known
    shallow.git("checkout", "-q", "--orphan", "x")
    shallow.commit({"z.md": "1\n"})
    found = scoped(shallow, Asked("range", start="origin/topic"))
    assert (found.base.known, "shallow" in found.base.reason) == (False, True)


def test_a_range_starts_at_the_merge_base(repo: Repo) -> None:
    found = scoped(repo, Asked("range", start="origin/main"))
    assert found.base.commit == repo.git("rev-parse", "HEAD~1")
    assert [c.path for c in found.changes or ()] == ["c.md"]
    assert sorted(found.base.tree.files) == ["a.md"]


def test_a_range_from_nothing(repo: Repo) -> None:
    found = scoped(repo, Asked("range", start="0" * 40))
    assert (found.base.commit, found.base.known) == ("", True)
    assert sorted(c.path for c in found.changes or ()) == ["a.md", "c.md"]


@pytest.mark.parametrize("revision", ["nonsense", "--upload-pack=x", "HEAD:a.md"])
def test_unknown_revisions(repo: Repo, revision: str) -> None:
    with pytest.raises(GroundedIngestError):
        scoped(repo, Asked("range", start=revision))


def test_listing_base_by_what_is_staged(repo: Repo) -> None:
    repo.git("mv", "a.md", "moved.md")
    repo.stage({"e.md": "1\n", "c.md": None})
    assert sorted(scoped(repo, Asked("staged")).base.tree.files) == ["a.md"]


def test_a_merge_has_two_parents(repo: Repo) -> None:
    repo.git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    found = scoped(repo, Asked("staged"))
    assert found.parents == (repo.git("rev-parse", "HEAD"), repo.git("rev-parse", "origin/main"))


def test_of_a_merge_only_what_no_parent_has_is_new(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({NOTES: page("First statement of the file.")})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({NOTES: page("First statement of the file.", "Second statement, of theirs.")})
    repo.git("checkout", "-q", "main")
    repo.commit({NOTES: page("Another statement, of ours.", "First statement of the file.")})
    subprocess.run(["git", "merge", "-q", "other"], cwd=tmp_path, capture_output=True, check=False)
    claims = ("Another statement, of ours.", "First statement of the file.",
              "Second statement, of theirs.", "Third statement, of the merge.")  # fmt: skip
    repo.stage({NOTES: page(*claims)})
    assert [d.place.claim.text for d in repo.decisions()] == [claims[3]]


def test_nothing_staged_reads_the_whole_tree(repo: Repo) -> None:
    found = scoped(repo, Asked("staged"))
    assert (found.mode, found.changes) == ("all", None)
    assert found.notes


def test_environment_names_a_range() -> None:
    env = {"PRE_COMMIT_FROM_REF": "a", "PRE_COMMIT_TO_REF": "b"}
    assert asked_of_environment(Asked("staged"), env) == Asked("range", (), "a", "b")
    assert asked_of_environment(Asked("all"), env) == Asked("all")
    assert asked_of_environment(Asked("staged"), {"PRE_COMMIT_FROM_REF": "a"}) == Asked("staged")


def test_a_bare_repository(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    with Opened(str(tmp_path / "bare.git"), own=False) as opened:
        assert sorted(resolve(opened, Asked("all"), "", {}).tree.files) == ["a.md", "c.md"]
        with pytest.raises(GroundedIngestError, match="bare"):
            resolve(opened, Asked("staged"), "", {})


def test_a_tag_does_not_stand_in_for_the_remotes_branch(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    landed = repo.commit({"README.md": "# P\n"})
    repo.git("update-ref", "refs/remotes/origin/main", landed)
    repo.commit({NOTES: page("The ledger is kept in one table.")})
    repo.git("tag", "origin/main")
    with Opened(str(repo.root), own=False) as opened:
        scoped = resolve(opened, Asked("range", start="origin/main", end="HEAD"), "", {})
        assert scoped.base.commit == landed
        assert find_base(opened, opened.head(), "origin/main", {})[0] == landed

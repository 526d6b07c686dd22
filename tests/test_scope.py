"""What a run is judged against: base in every situation, and what counts as changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repos import NOTES, Repo, environment, page

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.repository.scope import (
    Asked,
    Scoped,
    asked_of_environment,
    base_of,
    resolve_scope,
)


def scoped(repo: Repo, asked: Asked, base: str = "", **env: str) -> Scoped:
    with Opened(str(repo.root), own=False) as opened:
        found = resolve_scope(opened, asked, base, env)
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


@pytest.mark.parametrize("mode", ["staged", "all", "worktree"])
def test_with_a_remote_base_is_where_the_branch_began(repo: Repo, mode: str) -> None:
    found = scoped(repo, Asked(mode))  # type: ignore[arg-type]
    assert found.base.commit == repo.git("rev-parse", "HEAD~1")
    assert found.base.reason == "merge base of HEAD and origin/HEAD"


@pytest.mark.parametrize(
    ("env", "configured", "reason"),
    [
        ({"GITHUB_BASE_REF": "develop"}, "", "merge base of HEAD and origin/HEAD"),
        ({"CI_DEFAULT_BRANCH": "develop"}, "", "merge base of HEAD and origin/develop"),
        (
            {"CI_DEFAULT_BRANCH": "gone"},
            "",
            "the default branch gone is not in this clone (run git fetch origin gone)",
        ),
        ({}, "develop", "merge base of HEAD and origin/develop"),
        ({}, "origin/develop", "merge base of HEAD and origin/develop"),
        ({"GITHUB_BASE_REF": "main"}, "develop", "merge base of HEAD and origin/develop"),
        ({}, "topic", "merge base of HEAD and topic"),
    ],
)
def test_names(repo: Repo, env: dict[str, str], configured: str, reason: str) -> None:
    assert scoped(repo, Asked("staged"), configured, **env).base.reason == reason


@pytest.mark.parametrize("pushed", ["develop", "topic"])
@pytest.mark.parametrize("name", ["main", "master"])
@pytest.mark.parametrize("mode", ["staged", "range", "all"])
def test_a_pushed_main_does_not_judge_where_another_branch_may_be_the_default(
    repo: Repo, mode: str, name: str, pushed: str
) -> None:
    """The default branch is `develop`, and nothing says so; anybody can push a `main`."""
    repo.git("update-ref", "--no-deref", "-d", "refs/remotes/origin/HEAD")
    repo.git("update-ref", "-d", "refs/remotes/origin/main")
    repo.git("update-ref", f"refs/remotes/origin/{name}", repo.git("rev-parse", "HEAD"))
    repo.git("update-ref", f"refs/remotes/origin/{pushed}", repo.git("rev-parse", "HEAD"))
    asked = Asked(mode, start="HEAD~1")  # type: ignore[arg-type]
    for env in ({}, {"GITHUB_BASE_REF": name}):
        found = scoped(repo, asked, "", **env)
        assert (found.base.commit, found.base.known) == ("", False)
        assert name in found.base.reason
        assert "develop" in found.base.reason
        assert "set `base`" in found.base.reason
    assert scoped(repo, asked, "develop").base.known
    assert scoped(repo, asked, "", CI_DEFAULT_BRANCH="develop").base.known


@pytest.mark.parametrize("name", ["main", "master"])
def test_the_only_branch_there_is_judges(repo: Repo, name: str) -> None:
    tip = repo.git("rev-parse", "HEAD~1")
    for ref in ("HEAD", "main", "develop"):
        repo.git("update-ref", "--no-deref", "-d", f"refs/remotes/origin/{ref}")
    repo.git("update-ref", f"refs/remotes/origin/{name}", tip)
    found = scoped(repo, Asked("staged"))
    assert (found.base.commit, found.base.reason) == (tip, f"merge base of HEAD and origin/{name}")


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
    assert found.base.commit == repo.git("rev-parse", "origin/main~1")
    assert sorted(c.path for c in found.changes or ()) == ["a.md", "c.md"]
    assert sorted(found.base.tree.files) == ["a.md"]


def test_a_range_lists_what_it_says_and_is_judged_by_what_landed(repo: Repo) -> None:
    """`c.md` was pushed to the topic before: it is not listed again, and is no part of base."""
    pushed = repo.commit({"c.md": "pushed before\n"})
    repo.git("mv", "a.md", "moved.md")
    repo.commit({"d.md": "new\n"})
    for asked in (Asked("range", start=pushed), Asked("range", start="origin/main")):
        found = scoped(repo, asked)
        assert found.base.commit == repo.git("rev-parse", "origin/main~1")
        assert found.base.reason == "merge base of HEAD and origin/HEAD"
        assert sorted(found.base.tree.files) == ["a.md"]
        assert found.renamed == {"moved.md": "a.md"}
        listed = sorted(c.path for c in found.changes or ())
        before = [] if asked.start == pushed else ["c.md"]
        assert listed == [*before, "d.md", "moved.md"]


def test_what_is_merged_in_had_landed(repo: Repo) -> None:
    pushed = repo.git("rev-parse", "HEAD")
    repo.git("merge", "-q", "--no-edit", "origin/main")
    found = scoped(repo, Asked("range", start=pushed))
    assert found.base.commit == repo.git("rev-parse", "origin/main")
    assert found.parents == (pushed, found.base.commit)


@pytest.mark.parametrize(
    ("start", "base", "reason"),
    [
        (
            "HEAD~1",
            "HEAD~1",
            "merge base of HEAD~1 and HEAD; HEAD is already on the default branch (origin/HEAD)",
        ),
        (
            "0" * 40,
            "",
            "there was no commit before HEAD; HEAD is already on the default branch (origin/HEAD)",
        ),
        (
            "topic",
            "HEAD~1",
            "merge base of topic and HEAD; HEAD is already on the default branch (origin/HEAD)",
        ),
    ],
    ids=["a push", "the first push", "a forced push"],
)
def test_what_has_landed_does_not_judge_itself(
    repo: Repo, start: str, base: str, reason: str
) -> None:
    repo.git("checkout", "-q", "--detach", "origin/main")
    for asked in (Asked("range", start=start), Asked("all", before=start)):
        found = scoped(repo, asked)
        assert found.base.commit == (base and repo.git("rev-parse", base))
        assert (found.base.known, found.base.reason) == (True, reason)


def test_without_a_range_what_has_landed_is_base(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach", "origin/main")
    assert scoped(repo, Asked("all")).base.commit == repo.git("rev-parse", "HEAD")


def test_whatever_a_range_lists_the_state_before_the_event_judges(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach", "origin/main")
    found = scoped(repo, Asked("range", start="HEAD", before="0" * 40))
    assert (found.base.commit, found.base.known, found.changes) == ("", True, ())


def test_without_a_remote_a_range_is_judged_by_our_own_default_branch(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    landed = repo.commit({"a.md": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    first = repo.commit({"b.md": "1\n"})
    repo.commit({"c.md": "1\n"})
    assert scoped(repo, Asked("range", start=first)).base.commit == landed
    repo.git("branch", "-m", "main", "else")
    assert scoped(repo, Asked("range", start=first)).base.commit == first


def test_a_server_is_judged_by_the_branch_its_head_names(repo: Repo, tmp_path: Path) -> None:
    """What a pre-receive hook asks: old and new tip of the branch that is pushed to."""
    repo.git("clone", "-q", "--bare", str(tmp_path / "origin"), str(tmp_path / "bare.git"))
    pushed = repo.git("rev-parse", "HEAD")
    second = repo.commit({"d.md": "1\n"})
    repo.git("push", "-q", str(tmp_path / "bare.git"), "topic")
    with Opened(str(tmp_path / "bare.git"), own=False) as opened:
        found = resolve_scope(opened, Asked("range", start=pushed, end=second), "", {})
        assert found.base.reason == f"merge base of {second} and HEAD"
        assert found.base.commit == repo.git("rev-parse", "origin/main~1")


@pytest.mark.parametrize(
    "event", ['{"repository": {"default_branch": "develop"}}', "[]", "{", '{"repository": []}']
)
def test_the_event_names_the_default_branch(repo: Repo, tmp_path: Path, event: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(event, encoding="utf-8")
    named = "develop" if "develop" in event else "HEAD"
    found = scoped(repo, Asked("staged"), GITHUB_EVENT_PATH=str(path), GITHUB_BASE_REF="topic")
    assert found.base.reason == f"merge base of HEAD and origin/{named}"


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
    merge = ["git", "merge", "-q", "other"]
    subprocess.run(merge, cwd=tmp_path, env=environment(), capture_output=True, check=False)
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
    assert asked_of_environment(Asked("staged"), env) == Asked("range", (), "a", "b", hook=True)
    assert asked_of_environment(Asked("all"), env) == Asked("all")
    assert asked_of_environment(Asked("staged"), {"PRE_COMMIT_FROM_REF": "a"}) == Asked("staged")


def test_a_tag_does_not_stand_in_for_the_remotes_branch(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    landed = repo.commit({"README.md": "# P\n"})
    repo.git("update-ref", "refs/remotes/origin/main", landed)
    repo.commit({NOTES: page("The ledger is kept in one table.")})
    repo.git("tag", "origin/main")
    with Opened(str(repo.root), own=False) as opened:
        scoped = resolve_scope(opened, Asked("range", start="origin/main", end="HEAD"), "", {})
        assert scoped.base.commit == landed
        assert base_of(opened, Asked("all"), "origin/main", {}).commit == landed

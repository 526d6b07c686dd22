"""Clones of every kind: base is found, and what git cannot answer is unknown, never refuted."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from clirepo import BLOCKED, DOCUMENT, GROUNDED, PAGE, SOURCE, Repo

ABSENT = "0123456789abcdef0123456789abcdef01234567"


def cites(commit: str) -> str:
    return f"The port was set in commit {commit[:12]}."


def page(*claims: str) -> str:
    return "\n\n".join(["# Progress", *claims]) + "\n"


def decided(repo: Repo, claim: str, *args: str, **env: str) -> Any:
    found = [d for d in repo.report(*args, **env)["decisions"] if d["claim"] == claim]
    assert len(found) == 1, claim
    return found[0]


def verdict(repo: Repo, claim: str, *args: str) -> tuple[str, str]:
    (citation,) = decided(repo, claim, *args)["citations"]
    return citation["verdict"], citation["reason"]


def base(repo: Repo, *args: str, **env: str) -> tuple[str, str]:
    scope = repo.report(*(args or ("--all",)), **env)["scope"]
    return scope["base"], scope["base_reason"]


@pytest.fixture
def history(repo: Repo) -> tuple[Repo, str]:
    """Three commits; the document cites the first one, and one that is nowhere."""
    first = repo.git("rev-list", "--max-parents=0", "HEAD").strip()
    repo.commit(DOCUMENT, page(cites(first), cites(ABSENT), GROUNDED))
    return repo, first


def cloned(repo: Repo, name: str, *args: str) -> Repo:
    """A clone over the file protocol, of which nothing can be fetched any more."""
    url = f"file://{repo.root}"
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "--quiet", *args, url, f"../{name}")
    clone = repo.beside(name)
    clone.git("remote", "set-url", "origin", f"file://{repo.root}-gone")
    return clone


def test_a_full_clone_tells_right_from_wrong(history: tuple[Repo, str]) -> None:
    repo, first = history
    clone = cloned(repo, "full")
    head = clone.git("rev-parse", "HEAD").strip()
    assert base(clone) == (head, "merge base of HEAD and origin/HEAD")
    assert verdict(clone, cites(first), "--all") == ("confirmed", "")
    assert verdict(clone, cites(ABSENT), "--all")[0] == "refuted"
    assert decided(clone, GROUNDED, "--all")["rule"] == "cited"


def test_a_shallow_clone_does_not_know(history: tuple[Repo, str]) -> None:
    repo, first = history
    clone = cloned(repo, "shallow", "--depth", "1")
    assert base(clone)[1] == "merge base of HEAD and origin/HEAD"
    for claim in (cites(first), cites(ABSENT)):
        found, reason = verdict(clone, claim, "--all")
        assert found == "unknown"
        assert "shallow" in reason
    assert decided(clone, GROUNDED, "--all")["rule"] == "cited"
    ran = clone.check("--since", "HEAD~1")
    assert ran.code == 2
    assert "this is a shallow clone: fetch more history" in ran.err


@pytest.mark.parametrize("wanted", ["blob:none", "tree:0"])
def test_a_partial_clone_does_not_fetch(history: tuple[Repo, str], wanted: str) -> None:
    repo, first = history
    clone = cloned(repo, "partial", "--filter", wanted)
    assert base(clone)[1] == "merge base of HEAD and origin/HEAD"
    assert verdict(clone, cites(first), "--all")[0] == "confirmed"
    found, reason = verdict(clone, cites(ABSENT), "--all")
    assert found == "unknown"
    assert "partial" in reason
    for args in (["--since", "HEAD~1"], ["--staged"], []):
        ran = clone.check(*args)
        assert ran.code in (0, 1, 2), ran.err
        assert "Traceback" not in ran.err


def test_a_bare_partial_clone_reads_what_it_can(history: tuple[Repo, str]) -> None:
    repo, _ = history
    clone = cloned(repo, "bare-partial.git", "--bare", "--filter", "blob:none")
    report = clone.report("--all")
    assert [(p["rule"], p["path"], p["tier"]) for p in report["problems"]] == [
        ("unreadable", DOCUMENT, 3)
    ]
    assert "not in this clone" in report["problems"][0]["message"]


def test_a_bare_repository(history: tuple[Repo, str]) -> None:
    repo, first = history
    clone = cloned(repo, "bare.git", "--bare")
    found = decided(clone, cites(first), "--range", "HEAD~1..HEAD")
    assert found["rule"] == "cited"
    assert base(clone, "--range", "HEAD~1..HEAD")[1].startswith("merge base of HEAD~1 and HEAD; ")
    assert clone.check("--all").code == 0
    ran = clone.check("--staged")
    assert ran.code == 2
    assert "this repository is bare" in ran.err


def test_git_dir_names_the_repository(repo: Repo) -> None:
    elsewhere = repo.beside("elsewhere")
    env = {"GIT_DIR": f"{repo.root}/.git", "GIT_WORK_TREE": str(repo.root)}
    assert decided(elsewhere, GROUNDED, "--all", **env)["rule"] == "cited"
    assert "claims" in elsewhere.ask("status", "--json", **env).json


def test_an_unborn_branch(unborn: Repo) -> None:
    unborn.write("src/app.py", SOURCE)
    unborn.write(DOCUMENT, PAGE)
    assert base(unborn) == ("", "no commit yet")
    assert decided(unborn, GROUNDED)["rule"] == "cited"
    unborn.git("add", ".")
    assert decided(unborn, GROUNDED, "--staged")["rule"] == "cited"
    ran = unborn.check("--since", "HEAD")
    assert (ran.code, ran.err) == (2, "grounded-ingest: unknown revision: HEAD\n")


def test_git_refuses_a_directory_of_somebody_else(repo: Repo) -> None:
    """As git itself simulates it: a repository whose owner is another user."""
    real = shutil.which("git")
    wrapper = repo.root.parent / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {real} "$@"\n')
    wrapper.chmod(0o755)
    for command in ("check", "status", "init"):
        ran = repo.ask(command, PATH=f"{wrapper.parent}:{repo.env['PATH']}")
        assert ran.code == 2
        assert "it belongs to another user" in ran.err
        assert f"git config --global --add safe.directory {repo.root}" in ran.err


def test_object_ids_of_sha_256(repo: Repo) -> None:
    other = repo.beside("sha256")
    if other.run(
        "git", "init", "--quiet", "--template=", "--object-format=sha256", "-b", "main"
    ).code:
        pytest.skip("this git has no SHA-256 repositories")
    first = other.commit("src/app.py", SOURCE)
    assert len(first) == 64
    other.commit(DOCUMENT, page(GROUNDED, cites(first), cites(ABSENT)))
    assert decided(other, GROUNDED, "--all")["rule"] == "cited"
    assert verdict(other, cites(first), "--all") == ("confirmed", "")
    assert verdict(other, cites(ABSENT), "--all")[0] == "refuted"
    other.write(DOCUMENT, page(GROUNDED, cites(first), BLOCKED))
    assert [d["claim"] for d in other.report()["decisions"]] == [BLOCKED]
    assert other.check("--all", "--write", "--fail-on", "never").code == 0


def test_without_a_remote_base_is_head(repo: Repo) -> None:
    assert base(repo) == (repo.git("rev-parse", "HEAD").strip(), "HEAD (no remote)")


def test_a_remote_without_a_default_branch_is_unknown(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD").strip()
    repo.git("remote", "add", "origin", "https://example.org/x.git")
    repo.git("update-ref", "refs/remotes/origin/topic", head)
    assert base(repo)[0] == ""
    assert base(repo)[1].startswith("the remote's default branch is unknown; its branches: topic")
    repo.commit(DOCUMENT, page(cites(head)))
    assert verdict(repo, cites(head), "--all")[0] == "unknown"
    repo.write(".grounded-ingest.yaml", "base: topic\n")
    repo.commit(".grounded-ingest.yaml", "base: topic\n")
    assert base(repo)[1] == "merge base of HEAD and origin/topic"
    assert verdict(repo, cites(head), "--all")[0] == "confirmed"


@pytest.mark.parametrize(
    ("refs", "env", "reason"),
    [
        (["main"], {}, "merge base of HEAD and origin/main"),
        (["master"], {}, "merge base of HEAD and origin/master"),
        (
            ["main", "release"],
            {"GITHUB_BASE_REF": "release"},  # who opens a pull request chooses it
            "the remote's default branch is unknown; its branches: main, release",
        ),
        (["release"], {"GITHUB_BASE_REF": "release"}, "merge base of HEAD and origin/release"),
        ([], {}, "HEAD (no remote)"),
    ],
)
def test_which_branch_is_base(
    repo: Repo, refs: list[str], env: dict[str, str], reason: str
) -> None:
    for name in refs:
        repo.git("update-ref", f"refs/remotes/origin/{name}", "HEAD~1")
    assert base(repo, "--all", **env)[1].partition(" (set")[0] == reason


def test_no_common_history_with_the_remote(repo: Repo) -> None:
    tree = repo.git("rev-parse", "HEAD^{tree}").strip()
    other = repo.git("commit-tree", tree, "-m", "Another beginning").strip()
    repo.git("update-ref", "refs/remotes/origin/main", other)
    assert base(repo) == ("", "no common history with origin/main")


def test_a_commit_of_this_branch_alone_is_unknown(repo: Repo) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    own = repo.git("rev-parse", "HEAD").strip()
    repo.write(DOCUMENT, page(cites(own)))
    assert verdict(repo, cites(own))[0] == "unknown"


def test_the_run_does_not_run_what_the_repository_brings(repo: Repo) -> None:
    marker = repo.root.parent / "ran"
    script = f"touch {marker}"
    for key in (
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
    ):
        repo.git("config", key, script)
    repo.git("config", "diff.x.textconv", script)
    repo.write(".gitattributes", "* filter=x diff=x\n")
    repo.write(DOCUMENT, PAGE + f"\n{BLOCKED}\n")
    for args in (
        ["check"],
        ["check", "--all"],
        ["check", "--staged"],
        ["status"],
        ["explain", "x"],
    ):
        repo.ask(*args, "--offline")
    assert not marker.exists()

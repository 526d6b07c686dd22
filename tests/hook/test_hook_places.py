"""Work trees and settings that git hooks are known to stumble over."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hookrepo import DOCUMENT, SENTENCES, Repo, Y, evidence_path, page
from repos import Repo as Checked

from grounded_ingest.model.claims import Verdict

A, B, C = SENTENCES[:3]
Commands = list[list[str]]

SETTINGS: list[tuple[str, Commands]] = [
    ("sparse-cone", [["sparse-checkout", "set", "--cone", "memory-bank", "src"]]),
    (
        "sparse-index",
        [["sparse-checkout", "set", "--cone", "--sparse-index", "memory-bank", "src"]],
    ),
    ("sparse-patterns", [["sparse-checkout", "set", "--no-cone", "/*", "!/.grounded/"]]),
    ("autocrlf", [["config", "core.autocrlf", "true"]]),
    ("split-index", [["config", "core.splitIndex", "true"]]),
    ("index-4", [["config", "index.version", "4"], ["config", "core.untrackedCache", "true"]]),
    (
        "diff-settings",
        [
            ["config", "diff.noprefix", "true"],
            ["config", "diff.mnemonicPrefix", "true"],
            ["config", "diff.external", "false"],
            ["config", "color.ui", "always"],
            ["config", "core.quotePath", "true"],
            ["config", "diff.renames", "copies"],
            ["config", "commit.status", "false"],
        ],
    ),
    (
        "quiet-status",
        [["config", "status.showUntrackedFiles", "no"], ["config", "core.safecrlf", "false"]],
    ),
]


@pytest.mark.parametrize("commands", [pytest.param(c, id=name) for name, c in SETTINGS])
def test_settings_of_the_repository(repo: Repo, commands: Commands) -> None:
    for command in commands:
        repo.git(*command)
    for sentences in ([A, B], [C, B]):
        repo.land(DOCUMENT, *sentences)
        assert repo.evidence() == sentences
        assert repo.changed() == {DOCUMENT, evidence_path(DOCUMENT)}
        assert repo.status() == []


@pytest.mark.parametrize("place", [".gitignore", ".git/info/exclude"])
def test_ignored_evidence_is_committed_all_the_same(repo: Repo, place: str) -> None:
    repo.write(place, ".grounded/\n")
    if place == ".gitignore":
        repo.bypass(place, ".grounded/\n")
    for sentences in ([A], [A, B]):
        repo.land(DOCUMENT, *sentences)
        assert repo.evidence() == repo.on_disk() == sentences
        assert repo.status() == []


def test_evidence_checked_out_with_other_line_ends_is_nobodys_edit(repo: Repo) -> None:
    repo.bypass(".gitattributes", ".grounded/** text eol=crlf\n")
    repo.given(DOCUMENT, A)
    path = repo.root / evidence_path(DOCUMENT)
    path.unlink()
    repo.git("checkout", "--", ".grounded")
    assert b"\r\n" in path.read_bytes()
    repo.land(DOCUMENT, A, B)
    assert repo.evidence() == [A, B]
    assert repo.status() == []


def test_a_commit_from_a_folder_below_the_root(repo: Repo) -> None:
    repo.stage(DOCUMENT, page(A))
    Repo(repo.root / "src", repo.env).expect_commit()
    assert repo.evidence() == repo.on_disk() == [A]
    assert repo.status() == []


@pytest.fixture
def superproject(repo: Repo, tmp_path: Path) -> Repo:
    """A repository with the submodule `lib`, whose own hooks are installed too."""
    library = tmp_path / "library"
    library.mkdir()
    origin = Repo(library, repo.env)
    origin.git("init", "--quiet")
    origin.write(".pre-commit-config.yaml", repo.read(".pre-commit-config.yaml"))
    origin.write("core.py", "LIMIT = 30\n")
    origin.write("src/app.py", "PORT = 1\n")
    origin.git("add", ".")
    origin.git("commit", "--quiet", "-m", "library")
    repo.git("submodule", "--quiet", "add", str(library), "lib")
    repo.git("commit", "--quiet", "--no-verify", "-m", "submodule")
    hooks = Repo(repo.root / "lib", repo.env).git("rev-parse", "--git-path", "hooks").strip()
    shutil.copytree(repo.root / ".git" / "hooks", repo.root / "lib" / hooks, dirs_exist_ok=True)
    return repo


def test_a_path_inside_a_submodule_is_not_called_missing(superproject: Repo) -> None:
    superproject.land(DOCUMENT, "The limit is set in `lib/core.py:1`.")
    (found,) = Checked(superproject.root).decisions("all")
    (cited,) = found.own_evidence
    assert (cited.target, cited.verdict) == ("lib/core.py:1", Verdict.UNKNOWN)
    assert superproject.status() == []


def test_a_removed_submodule_and_a_document_in_its_place(superproject: Repo) -> None:
    superproject.git("rm", "--quiet", "-f", "lib")
    superproject.land("lib/CLAUDE.md", Y)
    assert superproject.evidence("lib/CLAUDE.md") == [Y]
    assert superproject.status() == []

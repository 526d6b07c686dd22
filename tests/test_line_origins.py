"""Who wrote each line: the same as `git blame` from HEAD says, whatever way the text came."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.git.line_origins import origins
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.git.trees import CommitTree

ONE, TWO = "# One\n\nThe port is 8443.\n", "# Two\n\nThe host is db.\n"


def blamed(repo: Repo, path: str) -> list[str]:
    """The commit of each line, as git itself says."""
    said = repo.git("blame", "--porcelain", "-w", "--root", "HEAD", "--", path)
    rows = (row.split(" ") for row in said.splitlines())
    return [row[0] for row in rows if len(row[0]) == 40 and len(row) >= 3]


def agree(repo: Repo, *paths: str) -> int:
    """Whether origins are git's; how many processes they took."""
    with Opened(str(repo.root), own=False) as opened:
        head = opened.head()
        before = opened.processes
        found = origins(opened, head, paths, CommitTree(opened, head))
        for path in paths:
            lines = [found[path][n].commit for n in sorted(found[path])]
            assert lines == blamed(repo, path), path
            assert [*found[path]] == [*range(1, len(lines) + 1)]
        return opened.processes - before


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "work")
    made.commit({"docs/one.md": ONE, "docs/odd name.md": TWO})
    made.commit({"docs/two.md": TWO, "docs/empty.md": ""})
    made.commit({"docs/one.md": ONE + "\nA third line", "src/app.py": "PORT = 8443\n"})
    return made


def test_a_text_is_blamed_from_the_commit_that_last_wrote_it(repo: Repo) -> None:
    repo.commit({"src/app.py": "PORT = 9443\n"})
    agree(repo, "docs/one.md", "docs/two.md", "docs/odd name.md", "docs/empty.md")


def test_a_renamed_text_keeps_who_wrote_it(repo: Repo) -> None:
    repo.git("mv", "docs/two.md", "docs/three.md")
    repo.commit({})
    repo.commit({"docs/four.md": TWO, "docs/three.md": None})
    agree(repo, "docs/four.md")


@pytest.mark.parametrize("strategy", ["ort", "ours"])
def test_merges(repo: Repo, strategy: str) -> None:
    repo.git("checkout", "-qb", "side", "HEAD~1")
    repo.commit({"docs/two.md": TWO + "\nOn the side.\n", "docs/side.md": ONE})
    repo.git("checkout", "-q", "main")
    repo.commit({"docs/one.md": "# Changed\n" + ONE, "docs/both.md": ONE})
    repo.git("merge", "-q", "--no-edit", "-s", strategy, "side")
    paths = [
        "docs/one.md",
        "docs/two.md",
        "docs/both.md",
        *(["docs/side.md"] * (strategy == "ort")),
    ]
    agree(repo, *paths)
    repo.git("checkout", "-qb", "other", "HEAD~1")
    repo.commit({"docs/both.md": ONE + "\nOther.\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"docs/both.md": "# Both\n" + ONE})
    repo.git("merge", "-q", "--no-edit", "-X", "ours", "other")
    repo.commit({"docs/two.md": TWO})  # back to what it was
    agree(repo, *paths)


def test_a_shallow_clone_and_no_history(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.root}", str(tmp_path / "clone"))
    agree(Repo(tmp_path / "clone"), "docs/one.md", "docs/two.md", "docs/odd name.md")

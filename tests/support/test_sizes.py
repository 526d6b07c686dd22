"""The size of a commit: what a claim says of it git answers, exactly or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.support.commit_sizes import speaks_of_size, without_size

SIZE = (43, 1535, 20)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("It came with 43 files, 1,535 insertions.", "It came with ."),
        ("It came with 43 files changed, 1535 insertions(+), 20 deletions(-).", "It came with ."),
        ("It came with +1,535/-20 lines.", "It came with ."),
        ("It came with 1535 lines added and 20 lines removed.", "It came with ."),
        ("Files: 43; Insertions: 1,535; What: the queue", "; What: the queue"),
        ("The queue (43 files, +1535 / -20) is new.", "The queue () is new."),
        # One figure that is wrong leaves all of them to be looked for.
        ("It came with 42 files, 1,535 insertions.", None),
        ("It came with 43 files, 1,536 insertions.", None),
        ("It came with +1,535/-21 lines.", None),
        ("It came with 20 insertions and 1535 deletions.", None),
        # A number of files alone may be of something else.
        ("The service reads 43 files.", None),
        ("The queue holds 1535 jobs.", None),
    ],
)
def test_what_git_bears_out_is_taken_out(said: str, left: str | None) -> None:
    shown = without_size(said, [(1, 2, 3), SIZE]) if speaks_of_size(said) else said
    assert shown == (said if left is None else left)


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A commit too large for its diff to be read as a whole, with a file renamed in it."""
    repo = Repo(tmp_path_factory.mktemp("sizes") / "repo")
    old = "".join(f"old line {n} of it\n" for n in range(30))
    repo.commit({"src/old.py": old})
    repo.git("mv", "src/old.py", "src/new.py")
    many = {f"src/m{n}.py": "".join(f"x{n}_{k} = {k}\n" for k in range(30)) for n in range(50)}
    repo.commit(dict(many), "Bring in the courier modules")
    return repo


@pytest.mark.parametrize(
    ("stated", "approved"),
    [
        ("51 files changed, 1,500 insertions", True),  # as git shows it, with the rename found
        ("52 files changed, 1,530 insertions, 30 deletions", True),  # and without
        ("51 files changed, 1,501 insertions", False),
        ("52 files changed, 1,500 insertions", False),
        ("53 files changed, 1,500 insertions", False),
    ],
)
def test_the_size_of_a_cited_commit(repo: Repo, stated: str, approved: bool) -> None:
    oid = repo.git("rev-parse", "HEAD")[:10]
    decided = repo.judge(f"The courier modules were brought in by commit {oid} ({stated}).")
    assert decided.approved is approved, decided


def test_the_first_commit_has_a_size_too(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    oid = repo.commit({"a.py": "a = 1\nb = 2\n"}, "Start the courier")
    said = f"The courier was started in commit {oid[:10]}: 1 file changed, 2 insertions."
    assert repo.judge(said).approved

"""Text and its evidence are one commit, whichever way it is committed."""

from __future__ import annotations

import pytest
from hookrepo import (
    BLOCKED,
    DOCUMENT,
    SENTENCES,
    SOURCE,
    UNCITED,
    Repo,
    X,
    Y,
    evidence_path,
    page,
    with_pre_commit,
)

A, B, C, D = SENTENCES[:4]
OTHER = "memory/guide.md"


@with_pre_commit
def test_the_very_first_commit_of_a_repository(unborn: Repo) -> None:
    unborn.write("src/app.py", SOURCE)
    unborn.write(DOCUMENT, page(A, B))
    unborn.git("add", ".")
    unborn.expect_commit()
    assert unborn.evidence() == [A, B]
    assert unborn.on_disk() == [A, B]
    assert unborn.status() == []


@pytest.mark.parametrize(
    "document",
    [DOCUMENT, "CLAUDE.md", "docs/adr/0001-storage.md", "memory/über uns.md"],
)
def test_a_new_document_passes_at_the_first_try(repo: Repo, document: str) -> None:
    repo.land(document, A, B)
    assert repo.changed() == {document, evidence_path(document)}
    assert repo.evidence(document) == [A, B]
    assert repo.on_disk(document) == [A, B]
    assert repo.status() == []


def test_a_one_line_change_among_forty_documents_changes_at_most_one_evidence_file(
    repo: Repo,
) -> None:
    """And none where no claim of the document has a proof, an approval or a finding."""
    plain = [f"Step {n} reads table {n * 7} of the archive." for n in range(40)]
    for number, text in enumerate(plain):
        found = [f"See `memory-bank/part-{number - 1:02}.md`."] * (number % 2)
        repo.write(f"memory-bank/part-{number:02}.md", page(text, *found))
    repo.git("add", ".")
    repo.git("commit", "--quiet", "--no-verify", "-m", "forty documents past the hook")
    for number in (6, 7):
        path = f"memory-bank/part-{number:02}.md"
        repo.stage(path, repo.read(path).replace("archive", "store"))
        repo.expect_commit()
        assert repo.changed() == {path}
    path = "memory-bank/part-07.md"
    repo.stage(path, repo.read(path) + "\nSee `memory-bank/part-05.md`.\n")
    repo.expect_commit()
    assert repo.changed() == {path, evidence_path(path)}
    assert [p for p in repo.tree() if p.startswith(".grounded/")] == [evidence_path(path)]


def test_one_added_sentence_adds_at_most_one_line(repo: Repo) -> None:
    repo.given(DOCUMENT, A, UNCITED, C)
    for added, lines in (("Uploads are kept for a year.", 0), (D, 1), (X, 1)):
        sentences = [A, UNCITED, C, added]
        repo.land(DOCUMENT, *sentences)
        numbers = repo.git("diff", "--numstat", "HEAD~1", "--", ".grounded").split("\n")
        assert sum(int(row.split("\t")[0]) for row in numbers if row) == lines
        assert repo.evidence() == [s for s in sentences if "src/app.py" in s]


def test_equal_claims_have_a_line_each(repo: Repo) -> None:
    repo.stage(DOCUMENT, f"# One\n\n{A}\n\n# Two\n\n{A}\n\n{A}\n")
    repo.expect_commit()
    assert repo.evidence() == repo.on_disk() == [A, A, A]
    repo.stage(DOCUMENT, f"# Another heading\n\n{A}\n\n{A}\n")
    repo.expect_commit()
    assert repo.evidence() == repo.on_disk() == [A, A]


@with_pre_commit
@pytest.mark.parametrize(
    ("before", "arguments"),
    [
        pytest.param([["add", DOCUMENT]], [], id="add"),
        pytest.param([], ["-a"], id="all"),
        pytest.param([], ["--include", DOCUMENT], id="include"),
        pytest.param([["add", DOCUMENT]], ["--amend"], id="amend"),
        pytest.param([], ["--all", "--amend"], id="all-amend"),
        pytest.param([["add", DOCUMENT], ["pack-refs", "--all"]], [], id="packed"),
    ],
)
def test_an_edit_takes_its_evidence_along(
    repo: Repo, before: list[list[str]], arguments: list[str]
) -> None:
    repo.given(DOCUMENT, A, B)
    repo.write(DOCUMENT, page(A, C, B))
    for command in before:
        repo.git(*command)
    repo.expect_commit(*arguments)
    assert {DOCUMENT, evidence_path(DOCUMENT)} == repo.changed()
    assert repo.evidence() == repo.on_disk() == [A, C, B]
    assert repo.status() == []


@with_pre_commit
@pytest.mark.parametrize(
    ("leave", "status"),
    [
        pytest.param(page(A, B, C), [f" M {DOCUMENT}"], id="edited"),
        pytest.param(page(A), [f" M {DOCUMENT}"], id="reverted"),
        pytest.param(page(A, BLOCKED), [f" M {DOCUMENT}"], id="speculating"),
        pytest.param(None, [f" D {DOCUMENT}"], id="deleted"),
    ],
)
def test_what_is_not_staged_is_neither_judged_nor_lost(
    repo: Repo, leave: str | None, status: list[str]
) -> None:
    repo.given(DOCUMENT, A)
    repo.stage(DOCUMENT, page(A, B))
    if leave is None:
        (repo.root / DOCUMENT).unlink()
    else:
        repo.write(DOCUMENT, leave)
    repo.expect_commit()
    assert repo.evidence() == repo.evidence(where="") == repo.on_disk() == [A, B]
    assert repo.status() == status
    assert leave is None or repo.read(DOCUMENT) == leave


@with_pre_commit
@pytest.mark.parametrize("arguments", [[DOCUMENT], ["--only", "memory-bank"]])
def test_a_commit_of_named_paths_leaves_evidence_behind_and_the_next_heals(
    repo: Repo, arguments: list[str]
) -> None:
    repo.given(DOCUMENT, A)
    repo.stage(OTHER, page(X))
    repo.write(DOCUMENT, page(A, B))
    repo.expect_commit(*arguments)
    assert repo.changed() == {DOCUMENT}
    assert repo.evidence() == repo.evidence(where="") == repo.on_disk() == [A]
    assert repo.status() == [f"A  {OTHER}"]
    repo.expect_commit()
    assert repo.changed() == {OTHER, evidence_path(OTHER), evidence_path(DOCUMENT)}
    assert repo.evidence() == repo.on_disk() == [A, B]
    assert repo.status() == []


@with_pre_commit
def test_named_paths_then_partial_staging_do_not_crash(repo: Repo) -> None:
    repo.given(DOCUMENT, A)
    repo.write(DOCUMENT, page(A, B))
    repo.expect_commit(DOCUMENT)
    repo.stage(DOCUMENT, page(A, B, C))
    repo.write(DOCUMENT, page(A, B, C, D))
    repo.expect_commit()
    assert repo.evidence() == repo.on_disk() == [A, B, C]
    assert repo.read(DOCUMENT) == page(A, B, C, D)
    assert repo.status() == [f" M {DOCUMENT}"]


@pytest.mark.parametrize("arguments", [["--amend"], ["--allow-empty"]])
def test_nothing_staged_writes_nothing(repo: Repo, arguments: list[str]) -> None:
    repo.given(DOCUMENT, A)
    repo.bypass(OTHER, page(Y))
    tree = repo.git("rev-parse", "HEAD^{tree}")
    repo.expect_commit(*arguments)
    assert repo.git("rev-parse", "HEAD^{tree}") == tree
    assert repo.status() == []

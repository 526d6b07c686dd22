"""Merges, rebases and cherry-picks, with and without conflicts."""

from __future__ import annotations

import pytest
from hookrepo import BLOCKED, DOCUMENT, SENTENCES, Repo, X, Y, evidence_path, page, with_pre_commit

A, B, C, D = SENTENCES[:4]
Edits = dict[int, list[str]]


def edited(edits: Edits) -> list[str]:
    """The eight sentences, some of them replaced."""
    lists = (edits.get(place, [text]) for place, text in enumerate(SENTENCES))
    return [text for texts in lists for text in texts]


SLOW = pytest.mark.slow  # the same hook runs, in a merge of the same kind


def fork(repo: Repo, base: list[str], ours: list[str], theirs: list[str]) -> None:
    """Two branches, `main` (checked out) and `side`, that edited the same document."""
    repo.given(DOCUMENT, *base)
    repo.git("checkout", "--quiet", "-b", "side")
    repo.given(DOCUMENT, *theirs)
    repo.git("checkout", "--quiet", "main")
    repo.given(DOCUMENT, *ours)


def resolve(repo: Repo, *sentences: str) -> None:
    """What people do: mend the text, add everything, conflicted evidence included."""
    assert "UU" in {line[:2] for line in repo.status()}
    repo.write(DOCUMENT, page(*sentences))
    repo.git("add", "--all")


def intact(repo: Repo, sentences: list[str]) -> None:
    assert repo.evidence() == repo.evidence(where="") == repo.on_disk() == sentences
    assert repo.status() == []


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        pytest.param({1: [X]}, {6: [Y]}, id="far apart"),
        pytest.param({2: [X]}, {3: [Y]}, id="neighbours"),
        pytest.param({2: []}, {5: [Y]}, id="deleted and edited", marks=SLOW),
        pytest.param(
            {0: [X, SENTENCES[0]]}, {7: [SENTENCES[7], Y]}, id="inserted and appended", marks=SLOW
        ),
        pytest.param({0: [SENTENCES[0], X]}, {4: [], 5: []}, id="inserted and deleted"),
    ],
)
def test_edits_of_different_blocks_merge_without_conflict(
    repo: Repo, ours: Edits, theirs: Edits
) -> None:
    """Lines of evidence that are neighbours stand both; the next commit writes the file again."""
    repo.bypass(".gitattributes", ".grounded/evidence/** merge=union\n")
    fork(repo, list(SENTENCES), edited(ours), edited(theirs))
    repo.git("merge", "--no-ff", "--no-edit", "side")
    repo.stage("src/new.py", "NEW = 1\n")
    repo.expect_commit()
    intact(repo, edited(ours | theirs))


def test_a_clean_merge_that_brings_evidence_behind_stages_nothing(repo: Repo) -> None:
    """git commits the tree it had before the hook: what a hook stages in a merge is left over."""
    repo.given(DOCUMENT, A)
    repo.git("checkout", "--quiet", "-b", "side")
    repo.bypass(DOCUMENT, page(A, B))
    repo.git("checkout", "--quiet", "main")
    repo.bypass("src/new.py", "NEW = 1\n")
    repo.git("merge", "--no-ff", "--no-edit", "side")
    assert repo.status() == []
    repo.land("memory/guide.md", X)
    intact(repo, [A])  # B was committed past the hook


@with_pre_commit
@pytest.mark.parametrize(
    "command",
    [
        ["commit", "--no-edit"],
        pytest.param(["merge", "--continue"], marks=pytest.mark.slow),  # the same hook runs
    ],
)
@pytest.mark.parametrize(
    "resolution",
    [
        pytest.param([A, X, Y, C], id="both"),
        pytest.param([A, X, C], id="ours"),
        pytest.param([A, Y, C], id="theirs"),
    ],
)
def test_a_resolved_merge_has_evidence_without_markers(
    repo: Repo, resolution: list[str], command: list[str]
) -> None:
    fork(repo, [A, B, C], [A, X, C], [A, Y, C])
    assert repo.run("git", "merge", "side").code == 1
    resolve(repo, *resolution)
    repo.git(*command)
    assert len(repo.git("rev-parse", "HEAD^@").split()) == 2
    intact(repo, resolution)


@pytest.mark.parametrize("conflict", [False, True])
def test_what_a_parent_holds_is_not_new_in_a_merge(repo: Repo, conflict: bool) -> None:
    repo.given(DOCUMENT, A, B, C)
    repo.git("checkout", "--quiet", "-b", "side")
    repo.bypass(DOCUMENT, page(A, Y, C, BLOCKED))
    repo.git("checkout", "--quiet", "main")
    if conflict:
        repo.given(DOCUMENT, A, X, C)
        assert repo.run("git", "merge", "side").code == 1
        resolve(repo, A, X, Y, C, BLOCKED)
        repo.expect_commit()
        intact(repo, [A, X, C])  # the others were committed past the hook
    else:
        repo.given("memory/guide.md", X)
        repo.git("merge", "--no-ff", "--no-edit", "side")
        assert repo.status() == []


def test_what_no_parent_holds_is_new_in_a_merge(repo: Repo) -> None:
    fork(repo, [A, B, C], [A, X, C], [A, Y, C])
    assert repo.run("git", "merge", "side").code == 1
    resolve(repo, A, X, BLOCKED, C)
    before = repo.state()
    ran = repo.commit()
    assert ran.code == 1
    assert f"{DOCUMENT}:7" in ran.out
    assert repo.state() == before
    resolved = page(A, X, Y, C)
    repo.stage(DOCUMENT, resolved)
    repo.expect_commit()
    intact(repo, [A, X, Y, C])


@pytest.mark.parametrize(
    ("start", "finish", "hooked"),
    [
        pytest.param(["cherry-pick", "side"], [["cherry-pick", "--continue"]], True, id="pick"),
        pytest.param(
            ["cherry-pick", "side"], [["commit", "--no-edit"]], True, id="pick-commit", marks=SLOW
        ),
        pytest.param(["rebase", "side"], [["rebase", "--continue"]], False, id="rebase"),
        pytest.param(
            ["rebase", "side"],
            [["commit", "--no-edit"], ["rebase", "--continue"]],
            True,
            id="rebase-commit",
        ),
        pytest.param(["merge", "--squash", "side"], [["commit", "--no-edit"]], True, id="squash"),
        pytest.param(["revert", "HEAD~1"], [["revert", "--continue"]], True, id="revert"),
    ],
)
def test_a_conflict_on_the_way_is_resolved(
    repo: Repo, start: list[str], finish: list[list[str]], hooked: bool
) -> None:
    fork(repo, [A, B, C], [A, X, C], [A, Y, C])
    if start[0] == "revert":
        repo.given(DOCUMENT, A, SENTENCES[4], C)
    assert repo.run("git", *start).code == 1
    resolve(repo, A, D, Y, C)
    for command in finish:
        repo.git(*command)
    assert repo.status() == []
    if hooked:
        intact(repo, [A, D, Y, C])
    repo.land(DOCUMENT, A, D, Y, C, B)
    intact(repo, [A, D, Y, C, B])


@pytest.mark.parametrize("command", [["cherry-pick", "side"], ["rebase", "side"]])
def test_a_clean_replay_carries_its_evidence(repo: Repo, command: list[str]) -> None:
    fork(repo, list(SENTENCES), edited({1: [X]}), edited({6: [Y]}))
    repo.git(*command)
    intact(repo, edited({1: [X], 6: [Y]}))


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("<<<<<<< ours\n{{}}\n=======\n{}>>>>>>> theirs\n", id="markers"),
        pytest.param('{{"id": "00', id="truncated"),
        pytest.param("not evidence\n", id="prose"),
        pytest.param("", id="empty"),
        pytest.param("{}{}", id="doubled"),
    ],
)
def test_broken_evidence_heals_at_the_next_commit_of_its_document(repo: Repo, broken: str) -> None:
    repo.given(DOCUMENT, A, B)
    path = evidence_path(DOCUMENT)
    whole = repo.read(path)
    repo.bypass(path, broken.format(whole, whole))
    repo.stage(DOCUMENT, page(A, B, C))
    repo.expect_commit()
    intact(repo, [A, B, C])

"""Evidence in merges with `merge=union`: they go on, and the next write has the file right."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Problem
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.evidence_files import settle_evidence
from grounded_ingest.repository.scope import Asked

DOCUMENT = "memory-bank/progress.md"
PLACES = ("the gateway", "the queue", "the worker", "the cache", "the index", "the scheduler")
VERBS = ("writes", "reads", "drops", "signs", "copies", "counts", "splits")


def statement(n: int, *, found: bool) -> str:
    place, verb = PLACES[n % len(PLACES)], VERBS[n % len(VERBS)]
    if found:  # each of another line, so that no two are equal
        return f"See `src/app.py:{n}`."
    return f"{place.capitalize()} {verb} batch number {n} before the nightly run."


def written(slots: list[str]) -> str:
    """A page of which every second section is a list: there, nothing stands between two lines."""
    rows = ["# Progress"]
    for number, text in enumerate(slots):
        in_list = number // 6 % 2 == 1
        if number % 6 == 0:
            rows += ["", f"## Part {number // 6}", ""]
        elif not in_list:
            rows.append("")
        lines = text.split("\n") if text else []
        rows += [f"- {x}" for x in lines] if in_list else "\n\n".join(lines).split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)) + "\n"


def derive(repo: Repo, *, write: bool = True) -> list[Problem]:
    """Evidence of all documents as the tool makes it; what it says of what it found."""
    with Opened(str(repo.root), own=False) as opened:
        result = run(opened, Asked("all"), Options(online=False))
        told, _ = settle_evidence(opened, result, write=write, locked=not write, fail_on="never")
        result.kb.index.close()
    return [p for p in told.report.problems if p.rule == "stale-sidecar"]


def commit(repo: Repo, text: str, *, evidence: bool = True) -> None:
    repo.write({DOCUMENT: text})
    if evidence:
        derive(repo)
    repo.commit()


def is_derived(repo: Repo) -> bool:
    """Whether the evidence of the work tree is what the tool makes of it anew."""
    repo.git("add", "-A")
    staged = repo.git("write-tree")
    derive(repo)
    repo.git("add", "-A")
    return repo.git("write-tree") == staged


def start(tmp_path: Path, slots: list[str], *, evidence: bool = True) -> Repo:
    repo = Repo(tmp_path / "work")
    attributes = ".grounded/evidence/** linguist-generated=true merge=union\n"
    repo.write({"src/app.py": "A = 1\n" * 1000, ".gitattributes": attributes})
    commit(repo, written(slots), evidence=evidence)
    return repo


def branch(repo: Repo, name: str, slots: list[str]) -> None:
    repo.git("checkout", "-q", "-b", name, "main")
    commit(repo, written(slots))
    repo.git("checkout", "-q", "main")


def edited(rng: random.Random, slots: list[str], places: list[int], fresh: int) -> list[str]:
    """Sentences added, rewritten and taken away at places."""
    found = list(slots)
    for place in places:
        fresh += 1
        new = statement(fresh, found=rng.random() < 0.7)
        found[place] = rng.choice([f"{found[place]}\n{new}", f"{new}\n{found[place]}", new, ""])
    return found


def page(rng: random.Random) -> list[str]:
    return [statement(n, found=rng.random() < 0.25) for n in range(30)]


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param([["merge", "-q", "--no-edit", "one"]], id="merge"),
        pytest.param([["merge", "-q", "--no-edit", "-X", "ours", "one"]], id="ours"),
        pytest.param([["merge", "-q", "--no-edit", "-X", "theirs", "one"]], id="theirs"),
        pytest.param([["merge", "-q", "--squash", "one"], ["commit", "-q", "-m", "x"]], id="squash"),
        pytest.param([["merge", "-q", "--no-edit", "one", "two", "three"]], id="octopus"),
        pytest.param([["cherry-pick", "one"], ["cherry-pick", "two"]], id="cherry-pick"),
        pytest.param([["rebase", "-q", "one"], ["rebase", "-q", "two"]], id="rebase"),
    ],
)  # fmt: skip
def test_histories_that_are_joined_keep_their_evidence(
    tmp_path: Path, commands: list[list[str]]
) -> None:
    rng = random.Random(7)
    slots = page(rng)
    repo = start(tmp_path, slots)
    for number, name in enumerate(("one", "two", "three")):
        if name == "two" and commands[0][0] == "rebase":
            repo.git("checkout", "-q", "one")
            repo.git("branch", "-q", "-f", "main", "main")
        branch(repo, name, edited(rng, slots, [4 * number, 4 * number + 14], 100 * (number + 1)))
    commit(repo, written(edited(rng, slots, [28], 900)))
    for command in commands:
        repo.git(*command)
    assert repo.git("status", "--porcelain") == ""
    assert is_derived(repo)


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_a_text_conflict_settled_by_git_leaves_evidence_behind_until_it_is_written(
    tmp_path: Path, side: str
) -> None:
    """Of a sentence that both rewrote git takes one; with `merge=union` the lines of both stay."""
    slots = [statement(n, found=True) for n in range(6)]
    repo = start(tmp_path, slots)
    branch(repo, "side", [*slots[:3], statement(201, found=True), *slots[4:]])
    commit(repo, written([*slots[:3], statement(101, found=True), *slots[4:]]))
    repo.git("merge", "-q", "--no-edit", "-X", side, "side")
    lost = statement(201 if side == "ours" else 101, found=True)
    (problem,) = derive(repo, write=False)
    assert (problem.path, problem.tier) == (DOCUMENT, 3)
    assert (
        problem.message
        == f"its evidence has a line for a claim that is not in the document: {lost[:60]!r}"
    )
    assert derive(repo) == []
    assert derive(repo, write=False) == []


def test_both_sides_may_give_a_document_its_first_evidence(tmp_path: Path) -> None:
    """Each side makes the whole file, so that all of its lines stand twice after the merge."""
    slots = [statement(n, found=n % 4 == 0) for n in range(12)]
    repo = start(tmp_path, slots, evidence=False)
    branch(repo, "side", [*slots[:-1], "The last step is another one."])
    commit(repo, written(["The first step is another one.", *slots[1:]]))
    repo.git("merge", "-q", "--no-edit", "side")
    assert not is_derived(repo)
    assert derive(repo, write=False) == []


def test_a_renamed_document_takes_its_evidence_along(tmp_path: Path) -> None:
    slots = [statement(n, found=n % 4 == 0) for n in range(30)]
    repo = start(tmp_path, slots)
    branch(repo, "edits", [*slots[:9], statement(109, found=True), *slots[10:]])
    repo.git("checkout", "-q", "-b", "renamed", "main")
    repo.git("mv", DOCUMENT, "memory-bank/what-was-done-so-far.md")
    derive(repo)
    repo.commit()
    repo.git("merge", "-q", "--no-edit", "edits")
    derive(repo)
    assert derive(repo, write=False) == []
    assert not (repo.root / f".grounded/evidence/{DOCUMENT}.jsonl").exists()


def test_a_renamed_heading_changes_no_evidence(tmp_path: Path) -> None:
    slots = [statement(n, found=True) for n in range(12)]
    repo = start(tmp_path, slots)
    before = repo.git("rev-parse", "HEAD:.grounded")
    commit(repo, written(slots).replace("## Part", "## Chapter"))
    assert repo.git("rev-parse", "HEAD:.grounded") == before

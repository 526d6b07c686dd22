"""Evidence in real merges: it conflicts in none in which the text does not (docs/adr/0052)."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest
from repos import Repo, environment

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.model.claims import Problem
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.sidecar_writer import settle

DOCUMENT = "memory-bank/progress.md"
PLACES = ("the gateway", "the queue", "the worker", "the cache", "the index", "the scheduler")
VERBS = ("writes", "reads", "drops", "signs", "copies", "counts", "splits")


def statement(n: int, *, cited: bool) -> str:
    place, verb = PLACES[n % len(PLACES)], VERBS[n % len(VERBS)]
    said = f"{place.capitalize()} {verb} batch number {n} before the nightly run"
    return f"{said} (`src/app.py:{n % 4 + 1}`)." if cited else f"{said}."


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
        told, _ = settle(opened, result, write=write, locked=not write, fail_on="never")
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
    repo.write({"src/app.py": "A = 1\nB = 2\nC = 3\nD = 4\n", ".gitattributes": attributes})
    commit(repo, written(slots), evidence=evidence)
    return repo


def branch(repo: Repo, name: str, slots: list[str]) -> None:
    repo.git("checkout", "-q", "-b", name, "main")
    commit(repo, written(slots))
    repo.git("checkout", "-q", "main")


def forge(repo: Repo, one: str, other: str) -> subprocess.CompletedProcess[str]:
    """What a server makes of a pull request: no hook, no attributes, no drivers."""
    bare = repo.root.parent / "forge.git"
    repo.git("clone", "-q", "--bare", "--no-local", ".", str(bare))
    command = ["git", "merge-tree", "--write-tree", "--name-only", one, other]
    done = subprocess.run(
        command, cwd=bare, env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode == 129:
        pytest.skip("this git merges in no bare repository (2.38 is the first)")
    return done


def edited(rng: random.Random, slots: list[str], places: list[int], fresh: int) -> list[str]:
    """Sentences added, rewritten and taken away at places."""
    found = list(slots)
    for place in places:
        fresh += 1
        new = statement(fresh, cited=rng.random() < 0.7)
        found[place] = rng.choice([f"{found[place]}\n{new}", f"{new}\n{found[place]}", new, ""])
    return found


def page(rng: random.Random) -> list[str]:
    return [statement(n, cited=rng.random() < 0.25) for n in range(30)]


@pytest.mark.parametrize("evidence", [True, False], ids=["with evidence", "first evidence"])
@pytest.mark.parametrize("seed", range(4))
def test_edits_apart_never_conflict_on_a_forge(tmp_path: Path, seed: int, evidence: bool) -> None:
    """At random places with a line between them, without hook or attributes."""
    rng = random.Random(seed)
    slots = page(rng)
    repo = start(tmp_path, slots, evidence=evidence)
    places = [n for n in range(0, 30, 2) if rng.random() < 0.6]
    ours = [n for n in places if rng.random() < 0.5]
    branch(repo, "ours", edited(rng, slots, ours, 100))
    branch(repo, "theirs", edited(rng, slots, [n for n in places if n not in ours], 200))
    merged = forge(repo, "ours", "theirs")
    assert merged.returncode == 0, merged.stdout
    bare = str(repo.root.parent / "forge.git")
    tree = merged.stdout.split()[0]
    landed = repo.git("-C", bare, "commit-tree", tree, "-p", "ours", "-p", "theirs", "-m", "merge")
    repo.git("-C", bare, "branch", "merged", landed)
    repo.git("fetch", "-q", bare, "merged")
    repo.git("checkout", "-q", "FETCH_HEAD")
    if evidence:
        assert derive(repo, write=False) == []
        assert is_derived(repo)
    else:  # what one side wrote of a claim that the other took away has no place on base to leave
        assert {p.tier for p in derive(repo, write=False)} <= {3}
        derive(repo)
        assert derive(repo, write=False) == []


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
def test_a_text_conflict_settled_by_git_leaves_evidence_behind_and_healed(
    tmp_path: Path, side: str
) -> None:
    """Of a sentence that both rewrote, git takes one and the evidence of both."""
    slots = [statement(n, cited=True) for n in range(6)]
    repo = start(tmp_path, slots)
    branch(repo, "side", [*slots[:3], statement(201, cited=True), *slots[4:]])
    commit(repo, written([*slots[:3], statement(101, cited=True), *slots[4:]]))
    repo.git("merge", "-q", "--no-edit", "-X", side, "side")
    lost = statement(201 if side == "ours" else 101, cited=True)
    (problem,) = derive(repo, write=False)
    assert (problem.path, problem.tier) == (DOCUMENT, 3)
    assert problem.message == f"its evidence is not of this text: {lost[:60]!r}"
    assert derive(repo) == []
    assert derive(repo, write=False) == []


def test_a_source_that_both_sides_changed_is_joined_by_attributes(tmp_path: Path) -> None:
    """The lines of evidence that quote it stand both; the next run takes neither, and says so."""
    slots = [
        "The limits are A, B, C and D (`src/app.py:1-4`).",
        *(f"Step {n} runs." for n in "xyz"),
    ]
    repo = start(tmp_path, slots)
    repo.write({"src/app.py": "A = 1\nB = 2\nC = 3\nD = 4\nE = 5\nF = 6\nG = 7\nH = 8\n"})
    slots[0] = slots[0].replace("1-4", "1-8")
    commit(repo, written(slots))
    for name, at, place in (("one", "A = 1", 1), ("two", "H = 8", 3)):
        repo.git("checkout", "-q", "-b", name, "main")
        source = (repo.root / "src/app.py").read_text("utf-8")
        repo.write({"src/app.py": source.replace(at, f"{at}0")})
        commit(repo, written([*slots[:place], f"Step {name} runs.", *slots[place + 1 :]]))
    repo.git("merge", "-q", "--no-edit", "one")
    (problem,) = derive(repo, write=False)
    assert problem.message == "its evidence cannot be parsed"
    (healed,) = derive(repo)
    assert healed.message == "could not be parsed; it was derived anew"
    assert derive(repo, write=False) == []


def test_a_renamed_document_and_edits_of_it_are_joined(tmp_path: Path) -> None:
    rng = random.Random(3)
    slots = page(rng)
    repo = start(tmp_path, slots)
    branch(repo, "edits", edited(rng, slots, [2, 9, 17], 100))
    repo.git("checkout", "-q", "-b", "renamed", "main")
    repo.git("mv", DOCUMENT, "memory-bank/what-was-done-so-far.md")
    derive(repo)
    repo.commit()
    assert forge(repo, "renamed", "edits").returncode == 0
    repo.git("merge", "-q", "--no-edit", "edits")
    derive(repo)
    assert derive(repo, write=False) == []
    assert not (repo.root / ".grounded/evidence" / DOCUMENT).exists()


LONG = [f"step {n} of the release is `task {n}` and takes about {n} minutes," for n in range(2, 12)]


def long_claim(*, first: str = "", last: str = "") -> str:
    """A sentence over many lines, which two sides can edit without a conflict in the text."""
    lines = [*LONG]
    lines[0], lines[-1] = first or lines[0], last or lines[-1]
    return "# Release\n\n" + "\n".join(["As of `src/app.py:1`,", *lines]) + " as written.\n"


@pytest.mark.parametrize("moved", [False, True], ids=["both edit it", "one renames the document"])
def test_a_long_claim_that_is_edited_is_no_renamed_one(tmp_path: Path, moved: bool) -> None:
    repo = start(tmp_path, [])
    commit(repo, long_claim())
    for name, text in {
        "ours": long_claim(first="" if moved else "the first step is another one now,"),
        "theirs": long_claim(last="and the last step is another one now,"),
    }.items():
        repo.git("checkout", "-q", "-b", name, "main")
        repo.write({DOCUMENT: text})
        if moved and name == "ours":
            repo.git("mv", DOCUMENT, "memory-bank/what-was-done-so-far.md")
        derive(repo)
        repo.commit()
    merged = forge(repo, "ours", "theirs")
    assert merged.returncode == 0, merged.stdout


def test_a_renamed_heading_changes_no_evidence(tmp_path: Path) -> None:
    slots = [statement(n, cited=True) for n in range(12)]
    repo = start(tmp_path, slots)
    before = repo.git("rev-parse", "HEAD:.grounded")
    commit(repo, written(slots).replace("## Part", "## Chapter"))
    assert repo.git("rev-parse", "HEAD:.grounded") == before

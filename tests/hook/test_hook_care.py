"""What belongs to the user or to another run is never lost: edits of evidence, kills, races."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hookrepo import (
    COMMAND,
    CONFIG,
    DOCUMENT,
    SENTENCES,
    Repo,
    X,
    claims,
    evidence_path,
    page,
    with_pre_commit,
)

A, B, C = SENTENCES[:3]
OTHER = "memory/guide.md"
REVIEWS = f".grounded/reviews/{DOCUMENT}.jsonl"
REVIEW = json.dumps(
    {
        "id": "0123456789abcdef",
        "section": "Progress",
        "ordinal": 0,
        "claim": A,
        "action": "approve",
        "reviewer": "ada@example.org",
        "reviewed_at": "2026-01-05T12:00:00Z",
        "reason": "read the code",
    }
)
MANY = [f"memory/part-{number:02}.md" for number in range(12)]
STEPS = 8
only_bare = pytest.mark.parametrize("driver", ["bare"], indirect=True)


def unharmed(repo: Repo, path: str, text: str) -> None:
    """A staged edit of the document is committed although `path` has unstaged edits."""
    repo.write(path, text)
    repo.stage(DOCUMENT, page(A, B))
    out = repo.expect_commit()
    assert "Stashed changes conflicted" not in out
    assert repo.read(path) == text
    assert repo.git("show", f"HEAD:{DOCUMENT}") == page(A, B)


def heals(repo: Repo) -> None:
    """Once the unstaged edits are gone, the next commit has evidence and text agree."""
    repo.git("checkout", "--", ".grounded")
    repo.land(DOCUMENT, A, B, C)
    assert repo.evidence() == repo.on_disk() == [A, B, C]
    assert repo.status() == []


@with_pre_commit
@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param(evidence_path(DOCUMENT), "{old}" + '{{"note": "mine"}}\n', id="appended"),
        pytest.param(evidence_path(DOCUMENT), "scratch\n", id="rewritten"),
        pytest.param(evidence_path(OTHER), "{old}" + '{{"note": "mine"}}\n', id="other document"),
        pytest.param(
            REVIEWS, "{old}" + REVIEW.replace("{", "{{").replace("}", "}}") + "\n", id="review"
        ),
    ],
)
def test_unstaged_edits_of_evidence_survive(repo: Repo, path: str, text: str) -> None:
    repo.given(DOCUMENT, A)
    repo.given(OTHER, X)
    repo.bypass(REVIEWS, REVIEW + "\n")
    unharmed(repo, path, text.format(old=repo.read(path)))
    heals(repo)


@with_pre_commit
def test_deleted_evidence_that_is_not_staged(repo: Repo) -> None:
    repo.given(DOCUMENT, A)
    (repo.root / evidence_path(DOCUMENT)).unlink()
    repo.stage(DOCUMENT, page(A, B))
    out = repo.expect_commit()
    assert "Stashed changes conflicted" not in out
    heals(repo)


@with_pre_commit
def test_the_stash_is_found_from_behind_a_wrapper(repo: Repo) -> None:
    """`uv run`, `poetry run` and shells stand between pre-commit and the command."""
    entry = f"sh -c '{COMMAND}; exit $?'"
    repo.bypass(".pre-commit-config.yaml", CONFIG.format(entry=entry))
    repo.given(DOCUMENT, A)
    unharmed(repo, evidence_path(DOCUMENT), "scratch\n")
    heals(repo)


@with_pre_commit
def test_edits_beside_the_evidence_do_not_hold_it_back(repo: Repo) -> None:
    """Only unstaged edits of evidence keep the hook from writing."""
    repo.given(DOCUMENT, A)
    repo.write("src/app.py", f"# {evidence_path(DOCUMENT)}\nPORT = 1\n")
    repo.land(DOCUMENT, A, B)
    assert repo.evidence() == repo.on_disk() == [A, B]
    assert repo.status() == [" M src/app.py"]


def start(repo: Repo) -> subprocess.Popen[bytes]:
    options = ("check", "--staged", "--write", "--offline")
    return subprocess.Popen(
        [sys.executable, "-m", "grounded_ingest", *options],
        cwd=repo.root,
        env=repo.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def land_and_edit_many(repo: Repo) -> None:
    for document in MANY:
        repo.stage(document, page(A, B))
    repo.expect_commit()
    for document in MANY:
        repo.stage(document, page(A, B, C))


def recorded(root: Path) -> list[list[str]]:
    """The claims in the evidence of each document of `MANY` below a directory."""
    pairs = ((root / document, root / evidence_path(document)) for document in MANY)
    return [claims(text.read_text(), evidence.read_text()) for text, evidence in pairs]


def staged(repo: Repo) -> Path:
    """A directory with the files of the index, written by a single process."""
    place = repo.root.parent / "index"
    shutil.rmtree(place, ignore_errors=True)
    repo.git("checkout-index", "--all", f"--prefix={place}/")
    return place


def wait_for_children(repo: Repo) -> None:
    """git processes that outlive a killed parent end by themselves and drop their lock."""
    lock = repo.root / ".git" / "index.lock"
    until = time.monotonic() + 5
    while lock.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not lock.exists()


@only_bare
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_leaves_whole_files_and_a_readable_index(
    repo: Repo, how: signal.Signals
) -> None:
    land_and_edit_many(repo)
    began = time.monotonic()
    assert start(repo).wait() == 0
    whole = time.monotonic() - began
    assert recorded(staged(repo)) == [[A, B, C]] * len(MANY)
    for step in range(STEPS):
        repo.git("reset", "--quiet", "--", ".grounded")
        repo.git("checkout", "--", ".grounded")
        run = start(repo)
        # The writing is the last thing a run does: most of the kills fall into its second half.
        time.sleep(whole * (step + 1) / STEPS if step % 2 else whole * (0.5 + step / STEPS / 2))
        run.send_signal(how)
        run.wait()
        wait_for_children(repo)
        for there in (*recorded(repo.root), *recorded(staged(repo))):
            assert there in ([A, B], [A, B, C])
        assert {repo.read(document) for document in MANY} == {page(A, B, C)}
    repo.git("fsck", "--no-dangling")
    repo.expect_commit()
    assert recorded(staged(repo)) == [[A, B, C]] * len(MANY)
    assert repo.git("diff", "--cached", "--name-only") == ""
    assert [line for line in repo.status() if not line.startswith("??")] == []


@only_bare
def test_two_runs_at_once_do_not_mix_their_records(repo: Repo) -> None:
    land_and_edit_many(repo)
    for _ in range(3):
        repo.git("reset", "--quiet", "--", ".grounded")
        repo.git("checkout", "--", ".grounded")
        runs = [start(repo) for _ in range(3)]
        assert [run.wait() for run in runs] == [0, 0, 0]
        assert recorded(repo.root) == recorded(staged(repo)) == [[A, B, C]] * len(MANY)
    repo.git("fsck", "--no-dangling")
    repo.expect_commit()
    assert repo.status() == []

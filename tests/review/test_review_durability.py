"""Fifty at once, and a process that is killed at any moment: nothing lost, nothing half."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from reviewrepo import ANN, LOG, NOTES, Clone, page, start

CLAIMS = tuple(f"Service {n} writes its audit trail to partition {n * 7}." for n in range(8))
RECORD = f"""
import os, sys
from grounded_ingest.git.repository import Repo
from grounded_ingest.records import review_log as recording
from grounded_ingest.records.review_log import Review
where, reviewer, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
acts = [
    recording.ReviewEntry("{NOTES}", Review(f"{{n:016x}}", "Notes", "approve", "", ""))
    for n in range(first, last)
]
with Repo(where) as repo:
    print("ready", flush=True)
    sys.stdin.readline()
    for act in acts:
        recording.append_reviews(repo, [act], reviewer)
        print(act.line.id, flush=True)
"""


def started(
    repo: Clone, reviewer: str, first: int, last: int, code: str = RECORD
) -> subprocess.Popen[str]:
    args = [str(repo.root), reviewer, str(first), str(last)]
    return subprocess.Popen(
        [sys.executable, "-c", code, *args], cwd=repo.root, env=repo.env, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def whole(repo: Clone) -> list[dict[str, str]]:
    """The log's lines; every one of them has to be a line."""
    text = repo.read(LOG) if (repo.root / LOG).exists() else ""
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_fifty_processes_lose_no_approval(tmp_path: Path) -> None:
    repo = start(tmp_path / "work", ANN)
    running = [started(repo, f"r{n}@example.org", n, n + 1) for n in range(50)]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        go(process)
    assert [p.wait(60) for p in running] == [0] * 50
    for process in running:
        process.communicate()
    assert sorted(int(line["id"], 16) for line in whole(repo)) == list(range(50))


def test_fifty_processes_that_approve_the_same_are_one(tmp_path: Path) -> None:
    repo = start(tmp_path / "work", ANN)
    running = [started(repo, ANN, 0, 1) for _ in range(50)]
    for process in running:
        go(process)
    assert [p.wait(60) for p in running] == [0] * 50
    for process in running:
        process.communicate()
    assert len(whole(repo)) == 1


def test_commands_at_once(tmp_path: Path) -> None:
    """The command as people start it, every claim by another process."""
    repo = start(tmp_path / "work", ANN, *CLAIMS)
    command = [sys.executable, "-m", "grounded_ingest", "review", "approve", "--offline"]
    running = [
        subprocess.Popen(
            [*command, f"{NOTES}:{3 + 2 * n}"], cwd=repo.root, env=repo.env,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        for n in range(len(CLAIMS))
    ]  # fmt: skip
    for process in running:
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err.decode()
    assert sorted(line["claim"] for line in whole(repo)) == sorted(CLAIMS)


@pytest.mark.parametrize("moment", range(12))
def test_a_killed_process_leaves_whole_lines(tmp_path: Path, moment: int) -> None:
    """What it said was written is there; what is there is whole; the next one goes on."""
    repo = start(tmp_path / "work", ANN)
    process = started(repo, ANN, 0, 5000)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    go(process)
    time.sleep(0.004 * moment)
    os.kill(process.pid, signal.SIGKILL)
    said, _ = process.communicate()
    ids = [line["id"] for line in whole(repo)]
    assert ids == [f"{n:016x}" for n in range(len(ids))]
    assert len(said.splitlines()) <= len(ids) <= len(said.splitlines()) + 1
    after = started(repo, ANN, 5000, 5001)
    after.communicate("\n")
    assert [line["id"] for line in whole(repo)] == [*ids, f"{5000:016x}"]
    left = [e.name for e in (repo.root / LOG).parent.iterdir()]
    assert left == [Path(LOG).name]


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    repo = start(tmp_path / "work", ANN)
    repo.approve(f"{NOTES}:3")
    kept = repo.read(LOG)
    limit = f"ulimit -f 0; exec {sys.executable} -m grounded_ingest review approve --offline"
    ran = repo.run("bash", "-c", f"trap '' XFSZ; {limit} {NOTES}:5")
    assert ran.code != 0
    assert repo.read(LOG) == kept
    assert [e.name for e in (repo.root / LOG).parent.iterdir()] == [Path(LOG).name]


def test_sentences_that_are_long_and_strange_stay_one_line(tmp_path: Path) -> None:
    strange = 'He said "no\u2028yes" \u2014 and the worker writes 日本 to the table.'
    repo = start(tmp_path / "work", ANN, strange, page("x " * 3000))
    repo.approve("--path", NOTES)
    assert all(set(line) >= {"id", "claim", "action"} for line in whole(repo))
    assert repo.review("list").code == 0

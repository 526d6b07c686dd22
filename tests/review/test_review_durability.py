"""Review logs with many processes at once, and with one that is killed at any moment."""

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


@pytest.mark.parametrize("equal", [False, True])
def test_processes_at_once_lose_no_approval(tmp_path: Path, equal: bool) -> None:
    """The lock lets every process append its line, and equal lines only once."""
    repo = start(tmp_path / "work", ANN)
    running = [
        started(repo, ANN if equal else f"r{n}@example.org", n * (not equal), n * (not equal) + 1)
        for n in range(20)
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        go(process)
    for process in running:
        process.communicate(timeout=60)
        assert process.returncode == 0
    ids = sorted(int(line["id"], 16) for line in whole(repo))
    assert ids == ([0] if equal else [*range(20)])


@pytest.mark.parametrize("moment", range(0, 12, 3))
def test_a_killed_process_leaves_whole_lines(tmp_path: Path, moment: int) -> None:
    """What a process said it wrote is there, every line is whole, and the next process goes on."""
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


def test_sentences_that_are_long_and_strange_stay_one_line(tmp_path: Path) -> None:
    """No character of a claim can end a line of the log."""
    strange = 'He said "no\u2028yes" \u2014 and the worker writes 日本 to the table.'
    repo = start(tmp_path / "work", ANN, strange, page("x " * 3000))
    repo.approve("--path", NOTES)
    assert all(set(line) >= {"id", "claim", "action"} for line in whole(repo))
    assert repo.review("list").code == 0

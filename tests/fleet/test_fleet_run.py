"""Runs over a fleet: what is read again, what is not, and what becomes of what cannot be read."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet import run
from grounded_ingest.fleet.jobs import Checking, Job, run_job
from grounded_ingest.fleet.run import clones_in
from grounded_ingest.fleet.tables import TABLES, answer_query, list_runs
from tests.fleet.conftest import Fleet, cli, plant
from tests.repos import Repo, environment

pytestmark = pytest.mark.slow  # half a minute of whole runs over a fleet


@pytest.fixture
def own(tmp_path: Path) -> Fleet:
    made = Fleet(tmp_path)
    plant(made)
    return made


@pytest.fixture
def read(fleet: Fleet, tmp_path: Path) -> Fleet:
    """A fleet of its own that was read once: a copy, because reading takes seconds."""
    shutil.copytree(fleet.base.parent, tmp_path / "fleet")
    return Fleet(tmp_path / "fleet")


def table(out: Path, name: str) -> list[tuple[Any, ...]]:
    """The rows of the last run, without the columns that differ from run to run."""
    kept = answer_query(str(out), f'SELECT * FROM "{name}" LIMIT 0').columns
    columns = [c for c in kept if c not in ("run", "seconds", "peak_mb")]
    sql = ", ".join(f'"{c}"' for c in columns)
    return list(answer_query(str(out), f'SELECT {sql} FROM "{name}" ORDER BY ALL').rows)


def every_table(out: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {name: table(out, name) for name in TABLES}


def report_times(out: Path) -> dict[str, int]:
    return {p.name: p.stat().st_mtime_ns for p in out.glob("reports/*.jsonl")}


def test_only_changed_repositories_are_read_again(read: Fleet) -> None:
    before, written = len(table(read.out, "claims")), report_times(read.out)
    read.repository("ledger").commit({"docs/new.md": "# New\n\nThe ledger listens on port 7000.\n"})
    read.run()
    assert {s: t for s, t in report_times(read.out).items() if s in written} == written
    assert len(report_times(read.out)) == 4
    after = every_table(read.out)
    assert len(after["claims"]) == before + 1
    read.run(fresh=True)
    assert every_table(read.out) == after
    counted = answer_query(str(read.out), "SELECT sum(claims) FROM repositories").rows
    assert counted == ((len(after["claims"]),),)
    assert len(answer_query(str(read.out), "SELECT DISTINCT run FROM every_claims").rows) == 3


def test_a_run_that_is_killed_is_continued(own: Fleet) -> None:
    """The process ends by SIGKILL once two repositories are read: neither is read again."""
    args = ["--directory", str(own.base), "--out", str(own.out), "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "grounded_ingest", "fleet", *args], env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    end = time.monotonic() + 60
    while len(written := report_times(own.out)) < 2:
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list_runs(str(own.out)) == []
    (own.out / "reports/abandoned.new").touch()
    own.run()
    assert written.items() <= report_times(own.out).items()
    assert len(report_times(own.out)) == len([*(own.out / "reports").iterdir()]) == 3
    whole = every_table(own.out)
    own.run(fresh=True)
    assert every_table(own.out) == whole


def test_a_clock_that_is_set_back_makes_no_run_an_older_one(
    read: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    read.repository("ledger").commit({"docs/new.md": "# New\n\nThe ledger listens on port 7000.\n"})
    monkeypatch.setattr(run, "datetime", SimpleNamespace(now=lambda _: datetime(2001, 1, 1)))
    claims = len(table(read.out, "claims"))
    for _ in range(2):
        last = read.run()
        assert list_runs(str(read.out))[-1] == last.name
        assert len(table(read.out, "claims")) == claims + 1


def test_a_table_that_cannot_be_read_is_named(read: Fleet) -> None:
    (damaged,) = read.out.glob("runs/*/repositories.jsonl")
    damaged.write_bytes(damaged.read_bytes()[:9])
    ran = cli("query", "--out", str(read.out), "SELECT 1")
    assert ran.returncode == 2, ran.stderr
    assert str(damaged) in ran.stderr


def test_two_runs_do_not_write_the_same_tables(own: Fleet) -> None:
    own.out.mkdir()
    with open(own.out / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran = cli("--directory", str(own.base), "--out", str(own.out))
    assert ran.returncode == 2
    assert "another run is writing to this directory" in ran.stderr
    assert own.run().name


def test_what_cannot_be_read_is_a_row_and_the_rest_is_read(own: Fleet) -> None:
    Repo(own.base / "nothing")
    broken = own.repository("broken")
    broken.commit({"CLAUDE.md": "# Rules\n\nUse Node 16.\n"})
    blob = broken.git("rev-parse", "HEAD^{tree}")
    (broken.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    done = cli("--directory", str(own.base), "--out", str(own.out))
    assert done.returncode == 1
    assert done.stdout.startswith("broken: error: ")
    states = dict(answer_query(str(own.out), "SELECT repository, state FROM repositories").rows)
    assert states == {
        "broken": "error", "nothing": "empty", "gateway": "ok", "ledger": "ok", "mailer": "ok",
    }  # fmt: skip


def job_of(own: Fleet, tmp_path: Path, seconds: float = 600) -> Job:
    checking = Checking(seconds=seconds)
    return Job("gateway", str(own.base / "gateway"), str(tmp_path), "settings", checking)


def test_a_repository_that_takes_too_long_is_ended_with_all_it_started(
    own: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git that never answers, found first on the path."""
    monkeypatch.setenv("PATH", unanswering(tmp_path)["PATH"])
    answer = run_job(job_of(own, tmp_path, seconds=2))
    assert (answer.state, answer.reason) == ("time", "the job took more than 2 s")
    await_end((tmp_path / "pids").read_text().split(), time.monotonic() + 10)


def unanswering(tmp_path: Path) -> dict[str, str]:
    """An environment whose git never answers, and writes down its process and its parent's."""
    slow = tmp_path / "bin"
    slow.mkdir()
    (slow / "git").write_text(f"#!/bin/sh\necho $$ $PPID >> {tmp_path}/pids\nexec sleep 600\n")
    (slow / "git").chmod(0o755)
    return environment() | {"PATH": f"{slow}:{os.environ['PATH']}"}


def started_by(tmp_path: Path, end: float) -> list[str]:
    """Processes that have written themselves down."""
    while not (told := [*tmp_path.glob("pids")]) or not told[0].read_text().endswith("\n"):
        assert time.monotonic() < end
        time.sleep(0.01)
    return told[0].read_text().split()


def await_end(pids: list[str], end: float) -> None:
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat")
        while stat.exists() and ") Z " not in stat.read_text():
            assert time.monotonic() < end, "it runs on"


def test_what_a_lost_worker_had_started_ends_with_it(own: Fleet, tmp_path: Path) -> None:
    """Killed while a git of its repository's process never answers."""
    job = msgspec.json.encode(job_of(own, tmp_path)).decode()
    work = "import sys; import msgspec; from grounded_ingest.fleet.jobs import *; run_job(msgspec.json.decode(sys.argv[1], type=Job))"
    worker = subprocess.Popen([sys.executable, "-c", work, job], env=unanswering(tmp_path))
    end = time.monotonic() + 60
    pids = started_by(tmp_path, end)
    worker.kill()
    worker.wait()
    await_end(pids, end)


def test_an_interrupted_run_ends_at_once_with_all_it_started(own: Fleet, tmp_path: Path) -> None:
    """Ctrl-C reaches the command alone: what reads a repository is a session of its own."""
    run = subprocess.Popen(
        [sys.executable, "-m", "grounded_ingest", "fleet", "--directory", str(own.base),
         "--out", str(own.out), "--workers", "1"],
        env=unanswering(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    end = time.monotonic() + 60
    pids = started_by(tmp_path, end)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert run.returncode == 130, said
    await_end(pids, end)


def test_a_process_that_reads_is_told_no_secret(
    own: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git, found first on the path, writes down what it is told."""
    (tmp_path / "git").write_text(f"#!/bin/sh\nenv > {tmp_path}/told\nexit 1\n")
    (tmp_path / "git").chmod(0o755)
    hidden = ("FORGE_TOKEN", "GROUNDED_INGEST_GRANT", "SSH_AUTH_SOCK", "GIT_CONFIG_VALUE_0", "X")
    for name in hidden:
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("PATH", f"bin:.:{tmp_path}:{os.environ['PATH']}:")
    assert run_job(job_of(own, tmp_path)).state == "error"
    told = (tmp_path / "told").read_text()
    assert "hidden" not in told
    (path,) = re.findall(r"^PATH=(.*)", told, re.MULTILINE)
    assert all(map(os.path.isabs, path.split(":")))


def test_names_of_clones(tmp_path: Path) -> None:
    """A name is shown, but no file is called by it."""
    for name in ("b", "org/a b", "org/.hidden/x", "deep/er/c"):
        (tmp_path / name / ".git").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "b")
    assert list(clones_in(str(tmp_path))) == ["b", "org/a-b"]
    (tmp_path / "org/a!b/.git").mkdir(parents=True)
    with pytest.raises(GroundedIngestError, match="two repositories have the name org/a-b"):
        clones_in(str(tmp_path))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--out", "o"], "--directory is missing"),
        (["--directory", "nowhere", "--out", "o"], "is not a directory"),
        (["--directory", "d"], "--out is missing"),
        (["query", "--out", "nowhere", "SELECT 1"], "no finished run"),
    ],
)
def test_errors_say_what_to_do(args: list[str], said: str) -> None:
    done = cli(*args)
    assert done.returncode == 2
    assert said in done.stderr


EXAMPLES = (Path(__file__).parents[2] / "docs/fleet.md").read_text("utf-8")
QUERIES = re.findall(r"(?m)^SELECT .*(?:\n  .*)*", EXAMPLES)


def test_the_queries_of_the_page_are_answered(fleet: Fleet) -> None:
    failed, repeated, says, wrong = (answer_query(str(fleet.out), sql).rows for sql in QUERIES)
    assert (failed, repeated[0][0], says[0][:3]) == ((), 3, ("gateway", "AGENTS.md", 3))
    errors = "SELECT count(*) FROM findings WHERE severity = 'error'"
    assert answer_query(str(fleet.out), errors).rows == ((len(wrong),),)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("COPY claims TO 'x.csv'", "one SELECT"),
        ("SELECT 1; SELECT 2", "one SELECT"),
        ("CREATE TABLE x (a INTEGER)", "one SELECT"),
        ("SELECT * FROM read_text('/etc/hostname')", "disabled by configuration"),
        ("SELECT nonsense FROM claims", "nonsense"),
    ],
)
def test_a_query_reads_the_tables_and_nothing_else(fleet: Fleet, sql: str, said: str) -> None:
    with pytest.raises(GroundedIngestError, match=said):
        answer_query(str(fleet.out), sql)


def test_answers_as_text_and_json(fleet: Fleet) -> None:
    sql = "SELECT repository, 1 AS one FROM repositories ORDER BY ALL LIMIT 1"
    ask = ["query", sql, "--out", str(fleet.out), "--output-format"]
    assert cli(*ask, "text").stdout == "repository  one\ngateway     1\n"
    assert msgspec.json.decode(cli(*ask, "json").stdout) == [{"repository": "gateway", "one": 1}]


def test_the_missing_extra_is_named(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(GroundedIngestError, match="needs the package duckdb") as error:
        answer_query(str(fleet.out), "SELECT 1")
    assert "[fleet]" in str(error.value)


def test_a_text_in_several_repositories_is_one_row(fleet: Fleet) -> None:
    sql = "SELECT claim, claims, repositories, named FROM repetitions ORDER BY claim"
    found = answer_query(str(fleet.out), sql).rows
    everybody = ["gateway", "ledger", "mailer"]
    assert [(r[0].split()[0], *r[1:]) for r in found] == [
        ("Every", 3, 3, everybody), ("Never", 3, 3, everybody),
    ]  # fmt: skip

"""Runs over a fleet: what is read again, what is not, and what becomes of what cannot be read."""

from __future__ import annotations

import fcntl
import os
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
from grounded_ingest.fleet import daft_engine, isolation, run
from grounded_ingest.fleet.daft_engine import DaftEngine
from grounded_ingest.fleet.isolation import run_isolated
from grounded_ingest.fleet.job import (
    CloneJob,
    JobLimits,
    Judged,
    LookUpJob,
    RepositorySource,
    SurveyJob,
)
from grounded_ingest.fleet.manifest import FleetRepository, from_lines, from_manifest, name_of
from grounded_ingest.fleet.queries import answer_query, questions
from grounded_ingest.fleet.run_tables import WORK, partitions_of, runs_of
from grounded_ingest.fleet.tables import TABLES
from tests.fleet.conftest import Fleet, cli, plant
from tests.repos import Repo, environment


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
    """The rows of the last run, without what says when."""
    kept = answer_query(str(out), f'SELECT * FROM "{name}" LIMIT 0', {}).columns
    columns = [c for c in kept if c not in ("run", "surveyed_in", "seconds", "peak_mb")]
    sql = ", ".join(f'"{c}"' for c in columns)
    return list(answer_query(str(out), f'SELECT {sql} FROM "{name}" ORDER BY ALL', {}).rows)


def every_table(out: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {name: table(out, name) for name in TABLES}


def test_what_has_not_changed_is_not_read_again(read: Fleet) -> None:
    [first] = runs_of(str(read.out))
    before = len(table(read.out, "claims"))
    read.repository("ledger").commit({"docs/new.md": "# New\n\nThe ledger listens on port 7000.\n"})
    second = read.run()
    found = {r["repository"]: r["surveyed_in"] for r in second.repositories}
    assert found == {"gateway": first, "mailer": first, "ledger": second.tables.run}
    after = {t: table(read.out, t) for t in TABLES if t != "repositories"}
    assert len(after["claims"]) == before + 1
    read.run(fresh=True)
    assert {t: table(read.out, t) for t in TABLES if t != "repositories"} == after
    counted = answer_query(str(read.out), "SELECT sum(claims) FROM repositories", {}).rows
    assert counted == ((len(after["claims"]),),)
    assert os.listdir(read.out / WORK) == []


def test_a_run_that_is_killed_is_taken_up_where_it_was(own: Fleet) -> None:
    """The whole process group ends by SIGKILL once two repositories are read."""
    args = ["--directory", str(own.base), "--out", str(own.out), "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "grounded_ingest", "fleet", *args], env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    end = time.monotonic() + 60
    while len(answers := [*own.out.glob(f"{WORK}/*/*/answer.json")]) < 2:
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert runs_of(str(own.out)) == []
    written = {a: a.stat().st_mtime_ns for a in answers}
    begun = msgspec.json.decode((own.out / WORK / "run.json").read_bytes())["run"]
    seen: dict[Path, int] = {}
    original = isolation.run_isolated

    def watched(job: Any) -> Any:
        answer = original(job)
        seen.update({a: a.stat().st_mtime_ns for a in written if a.exists()})
        return answer

    isolation.run_isolated, kept = watched, original
    try:
        found = own.run()
    finally:
        isolation.run_isolated = kept
    assert found.tables.run == begun
    assert seen == written
    whole = every_table(own.out)
    own.run(fresh=True)
    assert every_table(own.out) == whole


def test_a_run_that_dies_as_it_ends_is_finished(
    own: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left is to take its notes away; the next run would else be the same one again."""
    remove = os.remove

    def dying(path: str) -> None:
        if path.endswith("run.json"):
            raise KeyboardInterrupt
        remove(path)

    monkeypatch.setattr(os, "remove", dying)
    with pytest.raises(KeyboardInterrupt):
        own.run()
    monkeypatch.undo()
    whole = every_table(own.out)
    assert len(whole["claims"]) > 0
    own.run()
    assert every_table(own.out) == whole
    assert len(runs_of(str(own.out))) == 2
    assert os.listdir(own.out / WORK) == []


def test_tables_of_a_run_that_nobody_finishes_are_removed(own: Fleet) -> None:
    for left in ("claims/run=20200101T000000Z", f"{WORK}/20200101T000000Z"):
        (own.out / left).mkdir(parents=True)
    found = own.run()
    assert partitions_of(str(own.out), "claims") == [found.tables.run]
    assert os.listdir(own.out / WORK) == []


def test_a_clock_that_is_set_back_makes_no_run_an_older_one(
    read: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    read.repository("ledger").commit({"docs/new.md": "# New\n\nThe ledger listens on port 7000.\n"})
    monkeypatch.setattr(run, "datetime", SimpleNamespace(now=lambda _: datetime(2001, 1, 1)))
    claims = len(table(read.out, "claims"))
    for _ in range(2):
        last = read.run()
        assert runs_of(str(read.out))[-1] == last.tables.run
        assert len(table(read.out, "claims")) == claims + 1


def test_a_table_that_cannot_be_read_is_named(read: Fleet) -> None:
    (damaged,) = read.out.glob("repositories/*/*.parquet")
    damaged.write_bytes(damaged.read_bytes()[:9])
    ran = cli("--directory", str(read.base), "--out", str(read.out))
    assert ran.returncode == 2, ran.stderr
    assert str(damaged) in ran.stderr


def test_two_runs_do_not_write_the_same_tables(own: Fleet) -> None:
    own.out.mkdir()
    with open(own.out / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran = cli("--directory", str(own.base), "--out", str(own.out))
    assert ran.returncode == 2
    assert "another run is writing these tables" in ran.stderr
    assert own.run().tables.run


def test_what_cannot_be_read_is_a_row_and_the_rest_is_read(own: Fleet) -> None:
    Repo(own.base / "nothing")
    broken = own.repository("broken")
    broken.commit({"CLAUDE.md": "# Rules\n\nUse Node 16.\n"})
    blob = broken.git("rev-parse", "HEAD^{tree}")
    (broken.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    done = cli("--directory", str(own.base), "--out", str(own.out))
    assert done.returncode == 1
    assert done.stdout.startswith("broken: error: ")
    states = dict(answer_query(str(own.out), "SELECT repository, state FROM repositories", {}).rows)
    assert states == {
        "broken": "error", "nothing": "empty", "gateway": "ok", "ledger": "ok", "mailer": "ok",
    }  # fmt: skip


def survey_job(own: Fleet, tmp_path: Path, limits: JobLimits) -> SurveyJob:
    source = RepositorySource(str(own.base / "gateway"))
    out = str(tmp_path / "survey")
    return SurveyJob("gateway", source, "20260101T000000Z", out, Judged(), limits)


def test_a_repository_that_takes_too_long_is_ended_with_all_it_started(
    own: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git that never answers, found first on the path."""
    slow = tmp_path / "bin"
    slow.mkdir()
    (slow / "git").write_text(f"#!/bin/sh\necho $$ >> {tmp_path}/pids\nexec sleep 600\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:{os.environ['PATH']}")
    answer = run_isolated(survey_job(own, tmp_path, JobLimits(seconds=2)))
    assert (answer.state, answer.reason) == ("time", "more than 2 s")
    for pid in (tmp_path / "pids").read_text().split():
        stat = Path(f"/proc/{pid}/stat")
        end = time.monotonic() + 10
        while stat.exists() and ") Z " not in stat.read_text():
            assert time.monotonic() < end, "it runs on"


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
    job = msgspec.json.encode(survey_job(own, tmp_path, JobLimits())).decode()
    work = "import sys; from grounded_ingest.fleet.isolation import in_own_process as w; w(sys.argv[1])"
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


def test_a_repository_that_takes_too_much_memory_is_ended(own: Fleet, tmp_path: Path) -> None:
    answer = run_isolated(survey_job(own, tmp_path, JobLimits(memory_mb=110)))
    assert answer.state in ("memory", "error")  # native code that gets none may crash
    assert answer.reason
    enough = run_isolated(survey_job(own, tmp_path, JobLimits()))
    assert enough.state == "ok"


def test_a_process_that_reads_is_told_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = ("FORGE_TOKEN", "GROUNDED_INGEST_GRANT", "SSH_AUTH_SOCK", "GIT_CONFIG_VALUE_0", "X")
    for name in hidden:
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("PATH", f"bin:.:{os.environ['PATH']}:")
    source = RepositorySource("d", "https://forge.example/a/b")
    told = isolation._environment(LookUpJob("b", source, (), JobLimits()))
    assert "hidden" not in told.values()
    assert all(map(os.path.isabs, told["PATH"].split(":")))
    cloning = isolation._environment(CloneJob(source, JobLimits()))
    assert all(cloning[name] == "hidden" for name in hidden)


def test_remote_repositories_are_cloned_once_and_kept_up_to_date(own: Fleet) -> None:
    origin = own.repository("gateway")
    listing = own.base.parent / "list"
    listing.write_text(f"# ours\nfile://{origin.root}\tteam-a\nfile:///nowhere/at-all\n")
    cache = own.base.parent / "cache"
    args = ("--list", str(listing), "--out", str(own.out), "--cache", str(cache))
    first = cli(*args)
    assert first.returncode == 1
    assert "nowhere/at-all: clone: git: " in first.stdout
    [clone] = cache.glob("*.git")
    assert not (clone / "CLAUDE.md").exists()
    origin.commit({"CLAUDE.md": "# Rules\n\nUse Node 18 to build it.\n"})
    assert cli(*args).returncode == 1
    found = answer_query(
        str(own.out), "SELECT owner, commit FROM repositories WHERE state = 'ok'", {}
    ).rows
    assert found == (("team-a", origin.git("rev-parse", "HEAD")),)
    assert [*cache.glob("*.git")] == [clone]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("repository = 1", "repository is no list"),
        ("[[repo]]\npath = 'a'", "unknown key repo"),
        ("[[repository]]\npath = 'a'\nurl = 'https://a/b'", "give path or url"),
        ("[[repository]]\nurl = 'no url'", "no URL that git knows"),
        ("[[repository]]\npath = 'a'\nteam = 'x'", "unknown key team"),
        ("[[repository]]\npath = 3", "not all texts"),
        ("[[repository]]\npath = 'a'\nname = '../x'", "a name has letters"),
        (
            "[[repository]]\npath = 'x/a'\n[[repository]]\npath = 'y/a'",
            "two repositories are called a",
        ),
        ("[[repository", "end of document"),
    ],
)
def test_a_manifest_that_is_wrong_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "repos.toml"
    path.write_text(text)
    with pytest.raises(GroundedIngestError, match=said) as error:
        from_manifest(str(path))
    assert str(path) in str(error.value) or "two repositories" in said


def test_a_manifest_names_places_and_owners(tmp_path: Path) -> None:
    path = tmp_path / "repos.toml"
    path.write_text(
        "[[repository]]\npath = 'clones/a'\nowner = 'team-a'\n"
        "[[repository]]\nurl = 'git@forge.example:org/b.git'\n"
    )
    assert from_manifest(str(path)) == [
        FleetRepository("a", f"{tmp_path}/clones/a", "team-a"),
        FleetRepository("org/b", "git@forge.example:org/b.git"),
    ]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("https://forge.example/group/sub/b.git", "sub/b"),
        ("/srv/git/b.git", "b"),
        ("/srv/work/b/.git", "b"),
    ],
)
def test_names_of_places(place: str, name: str) -> None:
    assert name_of(place) == name
    assert from_lines([place], "/") == [FleetRepository(name, place)]


@pytest.mark.parametrize("place", ["https://forge.example/../../etc", "/srv/.."])
def test_a_place_without_a_name_is_refused(place: str) -> None:
    """A file is called by it."""
    with pytest.raises(GroundedIngestError, match="a name has letters"):
        from_lines([place], "/")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--out", "o"], "which repositories?"),
        (["--directory", "nowhere", "--out", "o"], "is no directory"),
        (["--manifest", "m"], "--out is missing"),
        (["query", "--out", "nowhere", "most-repeated"], "no finished run"),
        (["query", "--out", "o", "nothing"], "no question nothing"),
        (["query", "--out", "o", "who-still-says"], "needs runtime"),
        (["query", "--out", "o", "most-repeated", "--set", "a"], "no NAME=VALUE"),
    ],
)
def test_errors_say_what_to_do(args: list[str], said: str) -> None:
    done = cli(*args)
    assert done.returncode == 2
    assert said in done.stderr


def test_every_question_is_answered(fleet: Fleet) -> None:
    values = {
        "runtime": "node",
        "version": "16",
        "standard": "gateway",
        "since": "20260101T000000Z",
    }
    asked = questions()
    assert len(asked) == 8
    given = {name: {p: values[p] for p in q.parameters} for name, q in asked.items()}
    found = {name: answer_query(str(fleet.out), q.sql, given[name]) for name, q in asked.items()}
    assert found["who-still-says"].rows == (("gateway", "AGENTS.md", 5, "16"),)
    [apart] = found["rules-that-contradict"].rows
    assert apart == ("mailer", "memory-bank/run.md", 3, "port", "auth gateway", "9443", "8443")
    assert [r[:2] for r in found["refuted-elsewhere"].rows] == [("mailer", "AGENTS.md")]
    assert [r[:3] for r in found["most-repeated"].rows] == [(3, 2, "gateway:CLAUDE.md")]
    assert {r[3] for r in found["drifted-files"].rows} == {"stayed", "moved"}
    assert len(found["disagreements"].rows) == 2
    assert found["what-failed"].rows == ()
    wrong = answer_query(
        str(fleet.out), "SELECT count(*) FROM findings WHERE severity = 'error'", {}
    )
    assert len(found["what-became-wrong"].rows) == wrong.rows[0][0]


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
        answer_query(str(fleet.out), sql, {})


def test_answers_as_text_csv_and_json(fleet: Fleet) -> None:
    sql = "SELECT repository, 1 AS one FROM repositories ORDER BY ALL LIMIT 1"
    ask = ["query", sql, "--out", str(fleet.out), "--output-format"]
    assert cli(*ask, "text").stdout == "repository  one\ngateway     1\n"
    assert cli(*ask, "csv").stdout == "repository,one\ngateway,1\n"
    assert msgspec.json.decode(cli(*ask, "json").stdout) == [{"repository": "gateway", "one": 1}]


def test_the_page_names_every_table_and_column() -> None:
    page = (Path(__file__).parents[2] / "docs/fleet.md").read_text(encoding="utf-8")
    for name, columns in TABLES.items():
        part = page.partition(f"### `{name}`\n")[2].partition("\n###")[0].partition("\n## ")[0]
        own = [c for c in columns if c.name not in ("schema", "run")]
        assert [f"| `{c.name}` | `{c.type}` | {c.holds} |" for c in own] == [
            line for line in part.splitlines() if line.startswith("| `")
        ], name
    for question in questions().values():
        assert f"`{question.name}`" in page


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "daft", None)
    with pytest.raises(GroundedIngestError, match="--engine daft needs daft") as error:
        DaftEngine(1, daft_engine.LOCAL, ()).__enter__()
    assert "grounded-ingest[fleet-ray]" in str(error.value)

"""Both engines write the same rows, whoever is lost on the way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("daft")
pytest.importorskip("ray")

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet import bucket_queries, daft_engine
from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.contradicting_facts import join_contradictions
from grounded_ingest.fleet.daft_engine import DaftEngine, Sign, check_worker
from grounded_ingest.fleet.drift import join_drift
from grounded_ingest.fleet.engine import FleetEngine, JobOutcome, Work
from grounded_ingest.fleet.job import JobLimits, Judged
from grounded_ingest.fleet.local_engine import LocalEngine
from grounded_ingest.fleet.manifest import from_directory
from grounded_ingest.fleet.repetitions import join_repetitions
from grounded_ingest.fleet.run import FleetSettings, run_fleet
from grounded_ingest.fleet.tables import JOINED, connected, parquet_rows
from grounded_ingest.version import __version__
from tests.fleet import lossy_work
from tests.fleet.conftest import Fleet
from tests.fleet.planted_tables import claim, fact, history, planted
from tests.fleet.test_fleet_run import every_table
from tests.repos import environment

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

# Start Ray, whose daemons take both cores, for an engine that is an extra.
pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head and another node, with a worker each."""
    place = tempfile.mkdtemp(prefix="ray-")
    with pytest.MonkeyPatch.context() as patch:
        told = {
            **daft_engine._OF_DRIVER, "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
            "RAY_AUTH_MODE": "disabled", "RAY_TMPDIR": place, "PYTHONPATH": str(PROJECT),
            "RAY_health_check_period_ms": "500", "RAY_health_check_failure_threshold": "3",
        }  # fmt: skip
        for name, value in told.items():
            patch.setenv(name, value)
        from ray.cluster_utils import Cluster

        made = Cluster(True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        made.add_node(num_cpus=1)
        yield made
        made.shutdown()
    shutil.rmtree(place)


@pytest.fixture(scope="module")
def daft(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaftEngine]:
    shared = tmp_path_factory.mktemp("shared")
    with DaftEngine(None, cluster.address, (str(shared),)) as engine:
        yield engine
    assert [*shared.iterdir()] == []


class Lossy:
    """An engine that loses a worker for each kind of work."""

    def __init__(self, engine: FleetEngine, marks: Path) -> None:
        self.engine, self.marks = engine, marks

    def map(self, work: Work, jobs: Sequence[str]) -> Iterator[JobOutcome]:
        told = {"module": work.__module__, "name": work.__name__}
        mark = str(self.marks / work.__name__)
        lossy = [json.dumps({**told, "mark": mark, "job": job}) for job in jobs]
        return self.engine.map(lossy_work.lost_once, lossy)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)


def test_a_cluster_of_its_own_writes_the_same_rows_and_leaves_nothing_behind(
    fleet: Fleet, tmp_path: Path
) -> None:
    """Started where a module stands that workers must not import."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here/msgspec.py").write_text("raise SystemExit('imported from here')\n")
    home = tmp_path / "home"
    home.mkdir()
    with tempfile.TemporaryDirectory(prefix="t-") as short:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "grounded_ingest", "fleet", "--engine", "daft",
             "--workers", "2", "--directory", str(fleet.base), "--out", str(tmp_path / "out")],
            cwd=tmp_path / "here", capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env=environment() | {"TMPDIR": short, "HOME": str(home)},
        )  # fmt: skip
        assert os.listdir(short) == []
        assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if short in _read(p)]
    assert done.stderr == ""
    assert done.stdout.startswith("3 repositories, 0 failed; ")
    assert done.stdout.count("\n") == 1
    assert done.returncode == 0
    assert not (home / ".ray").exists()
    assert every_table(tmp_path / "out") == every_table(fleet.out)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def test_workers_that_are_killed_lose_and_double_nothing(
    daft: DaftEngine, fleet: Fleet, tmp_path: Path
) -> None:
    settings = FleetSettings(str(tmp_path / "out"), str(tmp_path), Judged(), JobLimits())
    marks = tmp_path / "marks"
    marks.mkdir()
    found = run_fleet(Lossy(daft, marks), from_directory(str(fleet.base)), settings)
    assert found.failed == []
    lost = {"in_own_process", "write_query", "write_near", "write_components"}
    assert {m.name for m in marks.iterdir()} == lost | {"write_contradictions"}
    assert every_table(tmp_path / "out") == every_table(fleet.out)


def test_what_kills_its_worker_each_time_is_a_row_as_what_raises(daft: DaftEngine) -> None:
    jobs = ["one", "raise", "die", "two"]
    found = {o.number: o for o in daft.map(lossy_work.as_told, jobs)}
    assert len(found) == 4
    assert [found[n].answer for n in range(4)] == ["ONE", "", "", "TWO"]
    assert [found[n].error for n in (0, 1, 3)] == ["", "ValueError: as told", ""]
    assert found[2].error.startswith("lost with its worker 4 times, at last by WorkerCrashedError")


def rows_of_all(out: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Texts, facts and histories of forty repositories, some of which agree."""
    text = "always write the change number {} down in the log before a release is made and tell all people on call about it at once"
    names = [f"r{n}" for n in range(40)]
    yield "claims", [claim(r, text.format(n % 9)) for n, r in enumerate(names)]
    yield "references", [fact(r, "gateway", "port", str(8000 + n % 3)) for n, r in enumerate(names)]
    yield (
        "versions",
        [row for n, r in enumerate(names) for row in history(r, f"own {n}", f"standard {n % 7}")],
    )


def test_joins_of_planted_tables_are_the_same(
    daft: DaftEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of so many sets that each engine spreads them in its own way."""
    monkeypatch.setattr(bucket_queries, "BUCKET_ROWS", 10)

    def all_joins(joining: Joining) -> None:
        join_repetitions(joining)
        join_contradictions(joining, join_drift(joining))

    found = {}
    with LocalEngine(2) as local:
        for name, engine in {"local": local, "d%20 [a] ü": daft}.items():
            tables = planted(tmp_path / name, **dict(rows_of_all(tmp_path)))
            all_joins(Joining(engine, tables, {}, JobLimits()))
            with connected() as database:
                found[name] = {
                    t: database.execute(f"{tables.rows(t)} ORDER BY ALL").fetchall() for t in JOINED
                }
    one, other = found.values()
    assert one == other
    assert {t: len(rows) > 0 for t, rows in one.items()} == {
        t: t != "elsewhere_verdicts" for t in one
    }


@pytest.mark.parametrize(
    ("sign", "said"),
    [
        (Sign("0.0.1", ()), f"it has grounded-ingest {__version__}, not 0.0.1"),
        (Sign(__version__, ("/nowhere/mark",)), "it does not see /nowhere, which all machines"),
    ],
)
def test_a_worker_that_is_another_one_is_told_of(sign: Sign, said: str, daft: DaftEngine) -> None:
    with pytest.raises(GroundedIngestError, match=said):
        check_worker(sign)


def test_a_worker_that_does_not_see_what_is_shared_ends_the_run(
    cluster: Cluster, daft: DaftEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daft, "_sign", Sign(__version__, ("/nowhere/mark",)))
    with pytest.raises(
        GroundedIngestError, match=r"a worker cannot work: .* does not see /nowhere"
    ):
        list(daft.map(lossy_work.as_told, ["one"]))


def test_a_node_that_is_lost_in_the_middle(
    cluster: Cluster, daft: DaftEngine, tmp_path: Path
) -> None:
    """First of a map, then of a shuffle."""
    [lost] = cluster.worker_nodes
    mark = tmp_path / "mark"
    job = json.dumps({"stay": lost.node_id, "mark": str(mark)})
    ended = remove_when(cluster, lost, mark.exists)
    outcomes = [*daft.map(lossy_work.where, [job] * 8)]
    ended.join()
    assert sorted(o.number for o in outcomes) == [*range(8)]
    assert {o.error for o in outcomes} == {""}
    assert lost.node_id not in {o.answer for o in outcomes}

    lost = cluster.add_node(num_cpus=1)
    files = [str(tmp_path / f"{n}.parquet") for n in range(8)]
    with connected() as database:
        for n, file in enumerate(files):
            database.execute(
                f"COPY (SELECT (hash(i)::HUGEINT - (1::HUGEINT << 63))::BIGINT AS k, i AS v, md5(i::VARCHAR) AS t"
                f" FROM range({n * 50_000}, {n * 50_000 + 50_000}) r(i)) TO '{file}'"
            )
    out = tmp_path / "out"
    ended = remove_when(cluster, lost, lambda: any(out.glob("*/*")))
    sets = daft.shuffle(files, "k", 8, str(out))
    ended.join()
    with connected() as database:
        every = parquet_rows([f for s in sets for f in s])
        counted = database.execute(f"SELECT count(*), count(DISTINCT v) FROM {every}").fetchall()
        assert counted == [(400_000, 400_000)]
        for files in sets:
            of_one = database.execute(
                f"SELECT DISTINCT ((k % 8) + 8) % 8 FROM {parquet_rows(files)}"
            ).fetchall()
            assert len(of_one) == 1


def remove_when(cluster: Cluster, node: Any, seen: Callable[[], bool]) -> Thread:
    """Kill a node's processes as soon as something is seen."""

    def remove() -> None:
        end = time.monotonic() + 120
        while not seen() and time.monotonic() < end:
            time.sleep(0.002)
        cluster.remove_node(node, allow_graceful=False)

    started = Thread(target=remove)
    started.start()
    return started


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--ray-address", "localhost:6379"], "--ray-address is for --engine daft"),
        (["--engine", "daft", "--ray-address", "ray://h:10001"], "give HOST:PORT"),
        (["--engine", "daft", "--ray-address", "h:0x1"], "give HOST:PORT"),
        (["--engine", "daft", "--ray-address", "127.0.0.1:1"], "no Ray cluster at 127.0.0.1:1: "),
    ],
)
def test_errors_say_what_to_do(args: list[str], said: str, fleet: Fleet, tmp_path: Path) -> None:
    given = ["fleet", *args, "--directory", str(fleet.base), "--out", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "grounded_ingest", *given], env=environment(), text=True,
        capture_output=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 2
    assert said in done.stderr

"""The tables of a fleet as Delta tables: the same rows over the same files, whatever went before."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet import delta_log
from grounded_ingest.fleet.delta_log import log_runs, require_delta
from grounded_ingest.fleet.run_tables import runs_of
from grounded_ingest.fleet.tables import TABLES, connected
from tests.fleet.conftest import Example

deltalake = pytest.importorskip("deltalake")


@pytest.fixture
def out(example: Example, tmp_path: Path) -> Path:
    """A copy to spoil, moved to another place: the log holds no absolute path."""
    return shutil.copytree(example.out, tmp_path / "moved elsewhere")


def by_delta(out: Path, table: str, where: str = "true") -> list[tuple[Any, ...]]:
    opened = deltalake.DeltaTable(str(out / table))
    found = (
        deltalake.QueryBuilder()
        .register("t", opened)
        .execute(f"SELECT * FROM t WHERE {where}")
        .read_all()
    )
    assert found.column_names == [c.name for c in TABLES[table]]
    with connected() as database:
        return database.execute("SELECT * FROM found ORDER BY ALL").fetchall()


def by_parquet(out: Path, table: str, run: str = "*") -> list[tuple[Any, ...]]:
    files = f"{out / table}/run={run}/*.parquet"
    with connected() as database:
        return database.execute(
            f"SELECT * FROM read_parquet('{files}', hive_partitioning = false) ORDER BY ALL"
        ).fetchall()


def version(out: Path, table: str) -> int:
    return int(deltalake.DeltaTable(str(out / table)).version())


def test_both_ways_of_reading_give_the_same_rows(out: Path) -> None:
    """The second run was made without a log: the next call appends it, and no call appends twice."""
    first, second = runs_of(str(out))
    for table in TABLES:
        assert by_delta(out, table) == by_parquet(out, table, first)
    for _ in range(2):
        log_runs(str(out))
        assert {t: version(out, t) for t in TABLES} == dict.fromkeys(TABLES, 1)
    for table in TABLES:
        assert by_delta(out, table) == by_parquet(out, table), table
        assert by_delta(out, table, f"run = '{second}'") == by_parquet(out, table, second)
    assert len(by_delta(out, "repositories")) == 14


def test_a_crash_between_tables_and_log_is_mended(out: Path) -> None:
    """The log of one table was made, of one begun, of the others not; and a run is not finished."""
    log_runs(str(out))
    (out / "claims/_delta_log/00000000000000000001.json").unlink()
    shutil.rmtree(out / "evidence/_delta_log")
    last = runs_of(str(out))[-1]
    shutil.copytree(out / f"findings/run={last}", out / "findings/run=29990101T000000Z")
    log_runs(str(out))
    assert {t: version(out, t) for t in TABLES} == {**dict.fromkeys(TABLES, 1), "evidence": 0}
    shutil.rmtree(out / "findings/run=29990101T000000Z")
    for table in TABLES:
        assert by_delta(out, table) == by_parquet(out, table), table


def test_a_run_that_somebody_removed_leaves_the_log(out: Path) -> None:
    first, second = runs_of(str(out))
    for table in TABLES:
        shutil.rmtree(out / table / f"run={first}")
    log_runs(str(out))
    assert by_delta(out, "claims") == by_parquet(out, "claims", second)


def test_a_log_that_cannot_be_read_is_named(out: Path) -> None:
    (out / "claims/_delta_log/00000000000000000000.json").write_text("{broken\n")
    with pytest.raises(GroundedIngestError, match="claims/_delta_log: "):
        log_runs(str(out))
    shutil.rmtree(out / "claims/_delta_log")
    log_runs(str(out))
    assert by_delta(out, "claims") == by_parquet(out, "claims")


def test_a_column_that_a_later_version_adds_is_added(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_runs(str(out))
    shutil.rmtree(out / "drift/_delta_log")
    monkeypatch.setattr(delta_log, "TABLES", {"drift": TABLES["drift"][:-1]})
    log_runs(str(out))
    monkeypatch.setattr(delta_log, "TABLES", TABLES)
    log_runs(str(out))
    assert by_delta(out, "drift") == by_parquet(out, "drift")


def test_without_deltalake_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deltalake", None)
    with pytest.raises(GroundedIngestError, match="--delta needs deltalake"):
        require_delta()

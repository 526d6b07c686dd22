"""The cache gives back what was kept or nothing, takes bounded room, and never ends a run."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest

from grounded_ingest.git import cache as module
from grounded_ingest.git.cache import FILE, Cache

TABLES = "CREATE TABLE IF NOT EXISTS part (x);\n"


def put(directory: Path, kind: str = "a", /, **rows: bytes) -> None:
    cache = Cache(str(directory))
    cache.put(kind, {k.encode(): v for k, v in rows.items()})
    cache.close()


def got(directory: Path, keys: str, kind: str = "a") -> str:
    """The keys under which something is kept."""
    cache = Cache(str(directory))
    found = cache.get(kind, [k.encode() for k in keys])
    cache.close()
    return "".join(sorted(k.decode() for k in found))


def change(directory: Path, *statements: str) -> None:
    with closing(sqlite3.connect(directory / FILE, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def test_a_row_is_found_under_its_kind_and_key_alone(tmp_path: Path) -> None:
    put(tmp_path, a=b"1", b=b"")
    assert Cache(str(tmp_path)).get("a", [b"a", b"b", b"c"]) == {b"a": b"1", b"b": b""}
    assert got(tmp_path, "ab", kind="b") == ""
    many = {str(n).encode(): b"" for n in range(1200)}
    Cache(str(tmp_path)).put("many", many)
    assert Cache(str(tmp_path)).get("many", many) == many


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no database": lambda d: (d / FILE).write_bytes(b"this is no database at all" * 100),
    "empty": lambda d: (d / FILE).write_bytes(b""),
    "half": lambda d: (d / FILE).write_bytes((d / FILE).read_bytes()[:4096] + b"\xff" * 9000),
    "tables of others": lambda d: change(d, "DROP TABLE kept", "CREATE TABLE kept (x)"),
    "a table less": lambda d: change(d, "DROP TABLE room"),
    "another format": lambda d: change(d, "PRAGMA user_version=7", "DROP TABLE room"),
    "a changed value": lambda d: change(d, "UPDATE kept SET value=x'0000000031'"),
    "the value of another key": lambda d: change(d, "UPDATE kept SET key=x'61' WHERE key=x'62'"),
    "values of other types": lambda d: change(d, "UPDATE kept SET value='x'"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_gives_nothing_and_is_made_anew(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    put(tmp_path, b=b"2" * 9000)
    damage(tmp_path)
    assert got(tmp_path, "a") == ""
    put(tmp_path, a=b"1")
    assert got(tmp_path, "a") == "a"


def test_what_was_kept_survives_a_part_that_is_new(tmp_path: Path) -> None:
    put(tmp_path, a=b"1")
    with_part = Cache(str(tmp_path), TABLES)
    with_part.use(lambda db: db.execute("INSERT INTO part VALUES (1)"))
    with_part.close()
    assert got(tmp_path, "a") == "a"


def test_a_file_that_fails_in_the_middle_lets_its_user_fill_memory(tmp_path: Path) -> None:
    asked: list[str] = []

    def refill() -> None:
        cache.connection().execute("INSERT INTO part VALUES (5)")
        asked.append(cache.path)

    cache = Cache(str(tmp_path), TABLES, refill)
    cache.use(lambda db: db.execute("INSERT INTO part VALUES (5)"))
    change(tmp_path, "DROP TABLE part")
    assert cache.use(lambda db: db.execute("SELECT x FROM part").fetchall()) == [(5,)]
    assert asked == [module.MEMORY]
    assert not (tmp_path / FILE).exists()  # thrown away: the next run makes it anew


def test_a_place_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    put(tmp_path / "file" / "below", a=b"1")
    assert got(tmp_path / "file" / "below", "a") == ""


def test_a_locked_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 0.05)
    put(tmp_path, a=b"1")
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("BEGIN EXCLUSIVE")
        put(tmp_path, b=b"2")
        assert got(tmp_path, "a") == ""
    assert got(tmp_path, "ab") == "a"


def _write(directory: Path, part: int) -> None:
    module._PATIENCE_S = 60.0  # of a process of its own: a busy disk loses no row
    for n in range(20):
        put(directory, "many", **{f"{part}-{n}": b"x"})


def test_processes_write_side_by_side(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(_write, [tmp_path] * 4, range(4)))
    keys = [f"{part}-{n}".encode() for part in range(4) for n in range(20)]
    assert len(Cache(str(tmp_path)).get("many", keys)) == 80


def test_the_oldest_rows_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOM", 16_000)
    for key in "abcdefg":
        put(tmp_path, **{key: b"x" * 1000})
    put(tmp_path, h=b"x" * 1000)
    assert got(tmp_path, "abcdefgh") == "defgh"
    put(tmp_path, i=b"x" * 5000)  # too large to be kept: it would push out all others
    assert got(tmp_path, "defghi") == "defgh"


def test_rows_that_are_written_again_take_no_more_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROOM", 16_000)
    put(tmp_path, b=b"x")
    for _ in range(50):
        put(tmp_path, a=b"x" * 1000)
    assert got(tmp_path, "ab") == "ab"


def test_a_kind_may_keep_its_newest_rows_alone(tmp_path: Path) -> None:
    put(tmp_path, "b", a=b"1")
    cache = Cache(str(tmp_path))
    for key in (b"a", b"b", b"c"):
        cache.put("a", {key: b"1"}, most=2)
    assert got(tmp_path, "abc") == "bc"
    assert got(tmp_path, "a", kind="b") == "a"

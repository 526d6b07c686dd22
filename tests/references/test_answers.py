from __future__ import annotations

import sqlite3
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest

from grounded_ingest.references import response_cache
from grounded_ingest.references.response_cache import FILE, Answers, CachedText, ConfirmedAnswer

HELD = ConfirmedAnswer(1000.0, "issue, open", "Title – é", grounds=False)


def at(directory: Path, now: float = 1000.0, ttl: int = 60) -> Answers:
    return Answers(str(directory), ttl, clock=lambda: now)


@pytest.mark.parametrize(
    ("now", "ttl", "kept"),
    [
        (1000.0, 60, True),
        (1060.0, 60, True),
        (1061.0, 60, False),
        (999.0, 60, False),
        (1000.0, 0, False),
    ],
)
def test_answers_are_good_for_their_time(tmp_path: Path, now: float, ttl: int, kept: bool) -> None:
    at(tmp_path / "new").put({"a": HELD})
    expected = {"a": HELD} if kept else {}
    assert at(tmp_path / "new", now, ttl).get(["a", "b"]) == expected


def test_old_answers_are_dropped_when_others_come(tmp_path: Path) -> None:
    at(tmp_path).put({"a": HELD})
    at(tmp_path, 2000.0).put({"b": ConfirmedAnswer(2000.0)})
    assert set(at(tmp_path, 1000.0, 5000).get("ab")) == set()
    assert set(at(tmp_path, 2000.0, 5000).get("ab")) == {"b"}


def test_more_keys_than_one_question_takes(tmp_path: Path) -> None:
    many = {str(n): HELD for n in range(1200)}
    at(tmp_path).put(many)
    assert at(tmp_path).get(many) == many


def _foreign_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("create table answers (x)")
    db.close()


def _half_a_file(path: Path) -> None:
    at(path.parent).put({str(n): HELD for n in range(500)})
    raw = path.read_bytes()
    path.write_bytes(raw[:4096] + b"\xff" * (len(raw) - 4096))


@pytest.mark.parametrize(
    "broken",
    [
        lambda path: path.write_bytes(b"this is no database at all" * 100),
        lambda path: path.write_bytes(b""),
        _foreign_table,
        _half_a_file,
    ],
)
def test_a_broken_file_is_made_anew(tmp_path: Path, broken: object) -> None:
    assert callable(broken)
    broken(tmp_path / FILE)
    assert at(tmp_path).get(["a"]) == {}
    at(tmp_path).put({"a": HELD})
    assert at(tmp_path).get(["a"]) == {"a": HELD}


def test_a_place_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answers = at(tmp_path / "file" / "below")
    answers.put({"a": HELD})
    assert answers.get(["a"]) == {}


def test_a_locked_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grounded_ingest.references.response_cache._PATIENCE_S", 0.05)
    at(tmp_path).put({"a": HELD})
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("begin exclusive")
    at(tmp_path).put({"b": HELD})
    assert at(tmp_path).get(["a"]) == {}
    db.close()
    assert at(tmp_path).get(["a", "b"]) == {"a": HELD}


def test_a_text_sqlite_does_not_take_is_no_failure(tmp_path: Path) -> None:
    at(tmp_path).put({"\udc80": HELD})
    assert at(tmp_path).get(["\udc80"]) == {}


def _write(directory: Path, part: int) -> None:
    response_cache._PATIENCE_S = 60.0  # of a process of its own: a busy disk loses no answer
    for n in range(20):
        at(directory).put({f"{part}-{n}": HELD})


def test_processes_write_side_by_side(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(_write, [tmp_path] * 4, range(4)))
    keys = [f"{part}-{n}" for part in range(4) for n in range(20)]
    assert len(at(tmp_path).get(keys)) == 80


def text(at: float, size: int) -> CachedText:
    return CachedText(at, b"x" * size)


def test_texts_are_good_for_their_time(tmp_path: Path) -> None:
    at(tmp_path).put_texts({"a": text(1000.0, 3)})
    assert at(tmp_path, 1060.0).texts(["a", "b"]) == {"a": text(1000.0, 3)}
    assert at(tmp_path, 1061.0).texts(["a"]) == {}
    assert at(tmp_path, 1000.0).get(["a"]) == {}


def test_the_oldest_texts_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grounded_ingest.references.response_cache.TEXTS_LIMIT", 100)
    at(tmp_path).put_texts({"old": text(990.0, 60), "new": text(1000.0, 40)})
    assert set(at(tmp_path).texts(["old", "new"])) == {"old", "new"}
    at(tmp_path).put_texts({"newest": text(1000.0, 50)})
    assert set(at(tmp_path).texts(["old", "new", "newest"])) == {"new", "newest"}


def test_without_a_time_texts_are_held_in_memory_alone(tmp_path: Path) -> None:
    answers = at(tmp_path, ttl=0)
    answers.put_texts({"a": text(1000.0, 3)})
    assert set(answers.texts(["a"])) == {"a"}
    assert at(tmp_path, ttl=0).texts(["a"]) == {}

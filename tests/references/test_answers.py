"""Answers of servers are good for the time that the configuration says, and no longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from grounded_ingest.references.page_text import PageText
from grounded_ingest.references.response_cache import Answers, ConfirmedAnswer

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


def test_more_keys_than_one_question_takes(tmp_path: Path) -> None:
    many = {str(n): HELD for n in range(1200)}
    at(tmp_path).put(many)
    assert at(tmp_path).get(many) == many


def test_an_answer_that_is_no_unicode_is_not_kept(tmp_path: Path) -> None:
    at(tmp_path).put({"\udc80": HELD, "a": ConfirmedAnswer(1000.0, "\udc80")})
    assert at(tmp_path).get(["\udc80", "a"]) == {"\udc80": HELD}


def text(at: float, size: int) -> PageText:
    return PageText("x" * size, at=at)


def test_texts_are_good_for_their_time(tmp_path: Path) -> None:
    at(tmp_path).put_texts("page", {"a": text(1000.0, 3)})
    assert at(tmp_path, 1060.0).texts("page", ["a", "b"], PageText) == {"a": text(1000.0, 3)}
    assert at(tmp_path, 1061.0).texts("page", ["a"], PageText) == {}
    assert at(tmp_path, 1000.0).get(["a"]) == {}


def test_without_a_time_texts_are_held_in_memory_alone(tmp_path: Path) -> None:
    answers = at(tmp_path, ttl=0)
    answers.put_texts("page", {"a": text(1000.0, 3)})
    assert set(answers.texts("page", ["a"], PageText)) == {"a"}
    assert at(tmp_path, ttl=0).texts("page", ["a"], PageText) == {}

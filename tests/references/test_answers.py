"""Answers of servers are good for the time that the configuration says, and no longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from grounded_ingest.references.response_cache import Answers, ConfirmedAnswer

HELD = ConfirmedAnswer(1000.0, "issue, open", "Title – é")


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

"""Relative times as the days they mean."""

from __future__ import annotations

import json
from datetime import date

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Decision, DocClass, Place, Source, Tier
from grounded_ingest.report.as_json import decision_json
from grounded_ingest.statements.relative_dates import resolved

THURSDAY = date(2026, 1, 1)
LEAP = date(2028, 3, 31)

TIMES = [
    ("We saw it yesterday.", THURSDAY, [("yesterday", "2025-12-31", "2025-12-31")]),
    ("Today the import ran.", THURSDAY, [("Today", "2026-01-01", "2026-01-01")]),
    (
        "the day before yesterday",
        THURSDAY,
        [("the day before yesterday", "2025-12-30", "2025-12-30")],
    ),
    ("two days ago", THURSDAY, [("two days ago", "2025-12-30", "2025-12-30")]),
    ("30 days ago", LEAP, [("30 days ago", "2028-03-01", "2028-03-01")]),
    ("this morning", THURSDAY, [("this morning", "2026-01-01", "2026-01-01")]),
    ("last night", THURSDAY, [("last night", "2025-12-31", "2025-12-31")]),
    ("last week", THURSDAY, [("last week", "2025-12-22", "2025-12-28")]),
    ("this week", THURSDAY, [("this week", "2025-12-29", "2026-01-04")]),
    ("next week", THURSDAY, [("next week", "2026-01-05", "2026-01-11")]),
    ("last weekend", THURSDAY, [("last weekend", "2025-12-27", "2025-12-28")]),
    ("last month", THURSDAY, [("last month", "2025-12-01", "2025-12-31")]),
    ("last month", LEAP, [("last month", "2028-02-01", "2028-02-29")]),
    ("next month", date(2026, 12, 5), [("next month", "2027-01-01", "2027-01-31")]),
    ("three months ago", THURSDAY, [("three months ago", "2025-10-01", "2025-10-31")]),
    ("last quarter", THURSDAY, [("last quarter", "2025-10-01", "2025-12-31")]),
    ("last year", LEAP, [("last year", "2027-01-01", "2027-12-31")]),
    ("next Monday", THURSDAY, [("next Monday", "2026-01-05", "2026-01-05")]),
    ("last Thursday", THURSDAY, [("last Thursday", "2025-12-25", "2025-12-25")]),
    ("next Thursday", THURSDAY, [("next Thursday", "2026-01-08", "2026-01-08")]),
    ("this Friday", THURSDAY, [("this Friday", "2026-01-02", "2026-01-02")]),
    ("two weeks from now", THURSDAY, [("two weeks from now", "2026-01-12", "2026-01-18")]),
    (
        "It broke last week and was mended yesterday.",
        THURSDAY,
        [("last week", "2025-12-22", "2025-12-28"), ("yesterday", "2025-12-31", "2025-12-31")],
    ),
]


@pytest.mark.parametrize(("text", "on", "expected"), TIMES)
def test_resolved(text: str, on: date, expected: list[tuple[str, str, str]]) -> None:
    assert [tuple(r) for r in resolved(text, on)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The last line holds the sum.",
        "It runs on Mondays.",
        "Two weeks of work.",
        "The last weekly report.",
        "todays",
        "It waits for this monthly run.",
        "On 2026-03-04 it broke.",
    ],
)
def test_nothing_relative(text: str) -> None:
    assert resolved(text, THURSDAY) == ()


def test_a_time_before_all_dates_is_left_out() -> None:
    assert resolved("999 years ago", date(900, 1, 1)) == ()
    assert resolved("three years ago", date(2, 1, 1)) == ()


@pytest.mark.parametrize(
    ("record", "times"),
    [
        (
            {"text": "The import failed yesterday.", "timestamp": "2026-01-01T10:00:00Z"},
            [{"words": "yesterday", "first": "2025-12-31", "last": "2025-12-31"}],
        ),
        ({"text": "The import failed yesterday."}, None),
        ({"text": "The import failed yesterday.", "timestamp": "in winter"}, None),
        ({"text": "The import failed.", "timestamp": "2026-01-01"}, None),
        (
            {"text": "Yesterday is a song.", "memory_type": "semantic", "timestamp": "2026-01-01"},
            None,
        ),
    ],
)
def test_the_report_resolves_times_of_events_whose_day_is_known(
    record: dict[str, str], times: list[dict[str, str]] | None
) -> None:
    text = json.dumps(record) + "\n"
    (claim,) = extract(text.encode(), "memory/a.jsonl", DocClass.MEMORY).claims
    place = Place("memory/a.jsonl", DocClass.MEMORY, claim)
    shown = decision_json(Decision(place, Tier.REVIEW, "ungrounded", Source.UNKNOWN))
    assert shown.get("times") == times

"""Dates: absolute and relative ones, and until when a sentence says that it holds."""

from __future__ import annotations

import json
from datetime import date as day

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Decision, DocClass, Place, Source, Tier
from grounded_ingest.report.as_json import decision_json
from grounded_ingest.text.dates import Date, date, dates_in, resolved, stated_end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("since 2026-05-25/26", [Date(2026, 5, 25)]),
        ("at 2026-06-19T01:56:05Z", [Date(2026, 6, 19)]),
        ("in 2025-07", [Date(2025, 7, 0)]),
        ("on 12.03.2024", [Date(2024, 3, 12)]),
        ("born 3 May 1815", [Date(1815, 5, 3)]),
        ("on 3/4/24", [Date(0, 3, 4)]),
        ("in Q3 2025", [Date(2025, 300, 0)]),
        ("version 3.10.99 of 2024", []),
        ("scored 7.2/10, lines 23/24/26", []),
    ],
)
def test_dates_of_a_sentence(text: str, expected: list[Date]) -> None:
    assert [when for _, _, when in dates_in(text)] == expected


def test_a_date_found_in_a_text_is_one_by_itself() -> None:
    for text in ("2026-05-25", "May 3, 1815", "3/4/24", "Q3 2025", "the 3rd of May"):
        assert date(text) is not None


BOUNDED = (
    ("Deploys are frozen until 2024-01-31.", "2024-01-31"),
    ("Do not merge into main until February 1, 2024.", "2024-02-01"),
    ("The freeze ends on 2024-01-31.", "2024-01-31"),
    ("Support for the old API ends in 2023-09.", "2023-09-30"),
    ("The exemption is valid until March 2023.", "2023-03-31"),
    ("The contract with Acme runs through 2024-06-30.", "2024-06-30"),
    ("The license expires on 2024-06-30.", "2024-06-30"),
    ("Expiry date: 2025-01-31", "2025-01-31"),
    ("All services must move to the new API by Q1 2024.", "2024-03-31"),
    ("The old endpoint will be removed by the end of 2024.", "2024-12-31"),
    ("The waiver is valid until 2024-02.", "2024-02-29"),
)
UNBOUNDED = (
    "As of March 2023 the team runs 12 services.",
    "We used Redis until 2024-01-31.",
    "The API was supported until 2024-06-30.",
    "The server ran on Ubuntu until March 2023.",
    "This page said otherwise until 2024-01-31.",
    "We migrated every service by 2024-03-01.",
    "The token expires after 30 days.",
    "Deploys are frozen until the review is done.",
    "If the pilot is valid until 2024-01-31, renew it.",
    "The release of 2024-01-31 introduced the cache.",
    "Wait until 5pm; the port is 2024.",
    "The pilot, for example, is funded until 2024-01-31.",
)


@pytest.mark.parametrize(("text", "end"), BOUNDED)
def test_a_sentence_is_bounded_by_its_date(text: str, end: str) -> None:
    assert stated_end(text) == end


@pytest.mark.parametrize("text", UNBOUNDED)
def test_dates_that_bound_nothing(text: str) -> None:
    assert stated_end(text) == ""


def test_the_date_is_in_the_claim_but_not_where_code_says_it() -> None:
    page = b"# Notes\n\nDeploys are frozen until 2024-01-31.\n\nThe form says `valid until 2024-01-31` below.\n"
    claims = extract(page, "CLAUDE.md", DocClass.MEMORY).claims
    assert [c.valid_until for c in claims] == ["2024-01-31", ""]


THURSDAY = day(2026, 1, 1)
LEAP = day(2028, 3, 31)

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
    ("next month", day(2026, 12, 5), [("next month", "2027-01-01", "2027-01-31")]),
    ("three months ago", THURSDAY, [("three months ago", "2025-10-01", "2025-10-31")]),
    ("last quarter", THURSDAY, [("last quarter", "2025-10-01", "2025-12-31")]),
    ("last year", LEAP, [("last year", "2027-01-01", "2027-12-31")]),
    ("next Monday", THURSDAY, [("next Monday", "2026-01-05", "2026-01-05")]),
    ("last Thursday", THURSDAY, [("last Thursday", "2025-12-25", "2025-12-25")]),
    ("next Thursday", THURSDAY, [("next Thursday", "2026-01-08", "2026-01-08")]),
    ("this Friday", THURSDAY, [("this Friday", "2026-01-02", "2026-01-02")]),
    ("two weeks from now", THURSDAY, [("two weeks from now", "2026-01-12", "2026-01-18")]),
    (
        "John has been playing drums for a month.",
        day(2022, 3, 27),
        [("for a month", "2022-02-01", "2022-02-28")],
    ),
    (
        "It broke last week and was mended yesterday.",
        THURSDAY,
        [("last week", "2025-12-22", "2025-12-28"), ("yesterday", "2025-12-31", "2025-12-31")],
    ),
]


@pytest.mark.parametrize(("text", "on", "expected"), TIMES)
def test_resolved(text: str, on: day, expected: list[tuple[str, str, str]]) -> None:
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
    assert resolved("999 years ago", day(900, 1, 1)) == ()
    assert resolved("three years ago", day(2, 1, 1)) == ()


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

"""Until when a sentence says that it holds."""

import pytest

from grounded_ingest.text.validity import stated_end

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
    from grounded_ingest.extract.documents import extract
    from grounded_ingest.model.claims import DocClass

    page = b"# Notes\n\nDeploys are frozen until 2024-01-31.\n\nThe form says `valid until 2024-01-31` below.\n"
    claims = extract(page, "CLAUDE.md", DocClass.MEMORY).claims
    assert [c.valid_until for c in claims] == ["2024-01-31", ""]

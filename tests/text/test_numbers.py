"""What a number is, and how it is read, wherever a text is read."""

import pytest

from grounded_ingest.text.dates import Date, date, dates_in
from grounded_ingest.text.number_words import number
from grounded_ingest.text.quantities import quantity


@pytest.mark.parametrize(
    ("written", "value"),
    [("86,400", 86400), ("86_400", 86400), ("1.5", 1.5), ("10k", 10000), ("3,12", None), ("1.2.3", None)],
)  # fmt: skip
def test_a_number_has_one_value(written: str, value: float | None) -> None:
    found = quantity([written])
    assert number(written) == value
    assert (found and found[0].amount) == value


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

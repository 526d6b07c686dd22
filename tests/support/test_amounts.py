"""Numbers are read with their units, in prose and in code, and compared as what they count."""

from __future__ import annotations

import pytest

from grounded_ingest.language.amount_match import bears_out_amount
from grounded_ingest.language.amounts import amounts


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("The service listens on port 8443.", False, [(8443, "")]),
        ("REQUEST_TIMEOUT_SECONDS = 30", True, [(30, "time")]),
        ("timeout_minutes: 2", True, [(120, "time")]),
        ('"timeoutMs": 5000,', True, [(5, "time")]),
        ("timeout: Duration::from_secs(30)", True, [(30, "time")]),
        ("ttl := 5 * time.Minute", True, [(300, "time")]),
        ("memory_limit: 512Mi", True, [(512 * 1024**2, "size")]),
        ("MAX_BODY_BYTES = 1_048_576", True, [(1048576, "size")]),
        ("within thirty (30) days of receipt", False, [(2592000, "time")]),
        ("a late fee of 1.5% per month", False, [(1.5, "percent")]),
        ("It earned $19.5 million.", False, [(19500000, "dollar")]),
        ("It runs for 1,000 users.", False, [(1000, "")]),
        ("It has four children.", False, [(4, "")]),
        ("his only award", False, [(1, "")]),
        ("in the 19th century", False, [(1801, "era")]),
        ("in the 1960s", False, [(1960, "era")]),
        ("the twelfth president", False, [(12, "ordinal")]),
        ("OAuth2 and SHA-256 are used", False, []),
        ("one of them", False, []),
    ],
)
def test_read(text: str, code: bool, expected: list[tuple[float, str]]) -> None:
    assert [(a.low, a.unit) for a in amounts(text, code)] == expected


@pytest.mark.parametrize(
    ("said", "known", "same"),
    [
        ("30 seconds", "30 seconds", True),
        ("1 minute", "60 seconds", True),
        ("30 seconds", "30 minutes", False),
        ("1.5%", "5%", False),
        ("2024", "on 2024-05-01", True),
        ("on 2024-05-01", "2024", False),
        ("in the 1960s", "in 1963", True),
        ("in the 1940s", "in 1934", False),
        ("over 250 languages", "300 languages", True),
        ("over 250 languages", "240 languages", False),
        ("at least 5 times", "at most 5 times", False),
        ("version 3.11", "version 3.11.4", True),
        ("version 3.11", "version 3.12", False),
        ("the 6th novel", "the fifth novel", False),
        ("512 MiB", "512Mi", True),
    ],
)
def test_match(said: str, known: str, same: bool) -> None:
    (one,), (other,) = amounts(said), amounts(known)
    assert bears_out_amount(one, other) is same

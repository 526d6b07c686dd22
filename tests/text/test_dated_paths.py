"""Sections that tell of a day."""

from __future__ import annotations

import pytest

from grounded_ingest.text.dated_paths import is_dated_section


@pytest.mark.parametrize(
    ("section", "dated"),
    [
        ("Progress > 2026-03-01", True),
        ("Progress > March 1, 2026: the gateway", True),
        ("Notes > Session log", True),
        ("CLAUDE.md > Recent changes", True),
        ("Notes > Sprint 12", True),
        ("Notes > Architecture", False),
        ("Notes > Session handling", False),
        ("Notes > Changing the port", False),
    ],
)
def test_a_heading_names_a_day_or_does_not(section: str, dated: bool) -> None:
    assert is_dated_section(section) is dated

"""Sections, paths and documents that tell of a day."""

from __future__ import annotations

import pytest

from grounded_ingest.text.dated_paths import (
    has_date_at_top,
    is_dated_row,
    is_dated_section,
    is_kept_as_record,
)


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


def test_an_audit_tells_of_one_day() -> None:
    head = "> Read-only UX audit. No file was changed. Date: 2026-06-17."
    assert has_date_at_top(f"# Shop\n\n{head}\n")
    assert is_kept_as_record([head])
    assert not is_kept_as_record(["> A read-only copy of the audit is in `a.md`."])
    assert not is_kept_as_record(["Read-only review tools are in `a.md`."])
    assert is_dated_row("Date: 2026-03-01; Change: `x` removed")
    assert not is_dated_row("Verified: 2026-03-01; Setting: `npm run x`")

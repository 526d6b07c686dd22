"""What is left of a text without its citations, as a table: its words are those of its text."""

from __future__ import annotations

import pytest

from grounded_ingest.text.reading import Reading


@pytest.mark.parametrize(
    ("text", "cited", "left"),
    [
        ("Users must log in.", [], "Users must log in."),
        ("The port is 80 (`src/a.py:12-14`).", ["src/a.py:12-14"], "The port is 80."),
        ("In ADR-3 we chose it.", ["3"], "we chose it."),
        ("Kept for 14 days (ADR-0006/0007).", ["0006", "0007"], "Kept for 14 days."),
        ("Rule: Per ADR-016, it is a ceiling.", ["016"], "Rule: it is a ceiling."),
        ("See ADR-040 for timeouts.", ["040"], "See for timeouts."),
        ("It is JSON (UTF-8) (see `a/b.py` and #12).", ["a/b.py"], "It is JSON (UTF-8)."),
        ("The port (default 80, see `a/b.py`) is open.", ["a/b.py"], "The port (default 80) is open."),
        ("File: `a/b.py`; Use: the port", ["a/b.py"], "File: ; Use: the port"),
        ("See [the guide](docs/g.md) for ports.", ["docs/g.md"], "See the guide for ports."),
        ("Done. See `a/b.py`.", ["a/b.py"], "Done."),
        ("Call `run()` once.", [], "Call `run()` once."),
        ("Copy `docs/ADR-000-form.md`.", ["docs/ADR-000-form.md"], "Copy."),
    ],
)  # fmt: skip
def test_what_is_left(text: str, cited: list[str], left: str) -> None:
    reading = Reading(text, cited=tuple(cited))
    assert reading.uncited.text == left
    assert set(reading.uncited_words) <= set(left.split())

"""Hostile HTML: it may cost its own page, and no other one."""

from __future__ import annotations

import sys
import time

import pytest

from grounded_ingest.net import html_worker as reading
from grounded_ingest.net.html_worker import HtmlPage, HtmlReading, read_html_pages

GOOD = HtmlPage("<title>T</title><h1>A</h1><p>One.</p><h1 id=b>B</h1><p>Two.</p>", ("", "b", "c"))
HOSTILE = {
    "nesting": "<div>" * 100_000 + "x",
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x",
    "angle brackets": "<" * 1_000_000,
    "comments": "<!--" * 250_000,
    "tables": "<table>" * 30_000 + "x",
    "formatting": "<a><p>" * 30_000,
    "rules": "<style>" + "{" * 900_000 + "</style>x",
    "style": f"<p style='{'clip:rect(0,' * 80_000}'>x",
}


def is_good(read: HtmlReading | str) -> bool:
    whole = "# A\n\nOne.\n\n# B\n\nTwo."
    return isinstance(read, HtmlReading) and read.parts == (whole, "# B\n\nTwo.", whole)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_ends_in_time_and_alone(name: str) -> None:
    begun = time.monotonic()
    first, _, last = read_html_pages([GOOD, HtmlPage(HOSTILE[name], ("",)), GOOD], total_s=30.0)
    assert is_good(first)
    assert is_good(last)
    assert time.monotonic() - begun < reading.PAGE_S + 12.0


def test_what_a_parser_cannot_finish_is_said() -> None:
    (read,) = read_html_pages([HtmlPage(HOSTILE["nesting"], ("",))])
    assert read == "the page's HTML could not be parsed"


def test_no_time_is_said() -> None:
    assert (
        read_html_pages([GOOD, GOOD], total_s=0.0)
        == ["the time limit for parsing HTML was reached"] * 2
    )
    assert read_html_pages([]) == []


def test_without_an_interpreter_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    assert read_html_pages([GOOD]) == ["the page's HTML could not be parsed"]


def test_the_parser_is_imported_by_nobody_else() -> None:
    import subprocess

    code = (
        "import sys, grounded_ingest.references.page_text, grounded_ingest.net.html_worker\n"
        "import grounded_ingest.net.body_text\n"
        "print([m for m in sys.modules if m.startswith('selectolax')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

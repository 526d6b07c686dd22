"""The HTML report as people use it: in Debian's Chromium, which is skipped where it is not."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browserpage import AXE, CHROMIUM, Shown
from htmlpages import ATTACKS, hostile, many, small

from grounded_ingest.model.report import Report, Scope
from grounded_ingest.report.as_html import render

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
PAGES: dict[str, Callable[[], str]] = {
    "small": lambda: render(small()),
    "clean": lambda: render(Report(Scope("all"), documents=2)),
    "hostile": lambda: render(hostile()),
    "many": lambda: render(many()),
}
LOAD, FILTER = 10.0, 2.0
"""Seconds that 10,000 claims may take on a busy machine; measured: 0.6 and 0.03."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("html")
    for name, page in PAGES.items():
        (directory / f"{name}.html").write_text(page(), "utf-8")
    return {name: directory / f"{name}.html" for name in PAGES}


@pytest.fixture
def show(browser: Any, files: dict[str, Path]) -> Iterator[Callable[..., Shown]]:
    contexts = []

    def opened(name: str = "small", width: int = 1280, anchor: str = "", **how: Any) -> Shown:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **how))
        shown = Shown(contexts[-1].new_page())
        shown.goto(files[name].as_uri() + anchor)
        return shown

    yield opened
    for context in contexts:
        context.close()


def test_it_loads_quietly_and_asks_nobody(show: Any, files: dict[str, Path]) -> None:
    page = show()
    page.wait_for_timeout(200)
    assert (page.complaints, page.requests) == ([], [files["small"].as_uri()])


def test_the_counts_and_the_findings_come_first(show: Any) -> None:
    """Errors before warnings before notes, each with what is wrong and what to do."""
    page = show()
    found = "Found 3 problems (1 other, 1 wrong reference, 1 conflicting update)"
    assert page.text("h1") == f"{found} in 2 documents; 1 reference holds, 1 unknown"
    assert page.text("#scope") == "every document at aaaaaaaaaa, offline"
    headings = ["Wrong", "About this run", "Documents", "Not checked"]
    assert page.locator("h2:visible").all_inner_texts() == headings
    assert "%" not in page.text("body")
    wrong = page.text("#findings li:has-text('refuted-citation')")
    assert wrong.startswith(
        "refuted-citation[line] memory-bank/tech.md:7 src/limits.py:40: src/limits.py has 20 lines"
    )
    assert "Cite lines that the file has" in wrong
    assert "The pool keeps 40 connections" in wrong


def test_a_document_shows_only_what_belongs_to_it(show: Any) -> None:
    page = show()
    rows = [" ".join(row.split()) for row in page.locator("#documents li").all_inner_texts()]
    assert rows == [
        "memory-bank/tech.md 2 errors 1 reference holds, 1 unknown",
        "memory-bank/latin.md 1 error 0 references hold",
        "docs/notes.md 0 references hold",
    ]
    page.click("#documents button >> text=notes.md")
    assert page.text("#shown") == "1 of 5 findings"
    assert page.locator("#findings .path").all_inner_texts() == ["docs/notes.md:9"]


def test_what_was_not_checked_is_folded_by_reason(show: Any) -> None:
    page = show()
    assert page.text("#skipped summary") == "no server was asked: 1"
    assert not page.is_visible("#skipped li")
    page.click("#skipped summary")
    page.wait_for_selector("#skipped li")  # `toggle` comes later
    row = "memory-bank/tech.md:9 https://example.org/pool"
    assert page.text("#skipped li") == row


def test_one_filter_narrows_the_findings_and_what_was_not_checked(show: Any) -> None:
    page = show()
    assert page.text("#shown") == "5 of 5 findings"
    page.select_option("#rule", "conflicting-update")
    assert page.text("#shown") == "1 of 5 findings"
    assert page.locator("#skipped summary").count() == 0
    page.press("Escape")
    page.select_option("#document", label="docs/notes.md")
    assert page.text("#shown") == "1 of 5 findings"
    page.click("#reset")
    page.press("/")
    page.page.keyboard.type("POOL limits.py:40")
    assert page.text("#shown") == "1 of 5 findings"
    page.fill("#search", "nowhere")
    assert "No finding matches" in page.text("#findings")
    page.press("Escape")
    assert page.text("#shown") == "5 of 5 findings"
    assert page.locator("#skipped summary").count() == 1


def test_a_report_without_findings_says_so(show: Any) -> None:
    assert show("clean").text("#findings") == "There are no findings."


def test_a_narrow_window_needs_no_sideways_scrolling(show: Any) -> None:
    page = show(width=390)
    page.click("#skipped summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_light_and_dark_by_preference_and_by_choice(show: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = show().evaluate(ground), show(color_scheme="dark").evaluate(ground)
    assert light != dark
    page = show()
    page.click("#theme")
    assert (page.evaluate(ground), page.text("#theme")) == (dark, "Light")
    page.reload()
    assert page.evaluate(ground) == dark


def test_hostile_texts_are_shown_and_do_nothing(show: Any, files: dict[str, Path]) -> None:
    page = show("hostile")
    for row in page.locator("#skipped summary").all():
        row.click()
    page.wait_for_selector("#skipped li")
    claims = page.locator("#findings .claim").all_inner_texts()
    assert {ATTACKS[0], ATTACKS[3]} <= set(claims)
    assert page.evaluate("window.harmed") is None
    made = "script, img, svg, style, base, iframe, meta, a, link"
    assert page.evaluate(f"document.querySelectorAll('main :is({made})').length") == 0
    assert page.requests == [files["hostile"].as_uri()]
    assert page.complaints == []
    shown = page.locator("#findings .claim", has_text="txt.exe").first.inner_text()
    assert "safe\\u202etxt.exe" in shown  # the list of findings is printable already
    shown = page.locator("#skipped code", has_text="txt.exe").last.inner_text()
    assert shown.startswith("safeU+202Etxt.exeU+2066 aU+200Bb")
    assert shown.endswith("U+0000 U+001B[31m U+D83D")
    options = page.locator("#document option").all_inner_texts()
    assert any("⟨U+202E⟩" in label for label in options)


@pytest.mark.parametrize(
    "attack",
    [
        "document.body.append(Object.assign(document.createElement('script'), {text: 'harmed = 1'}))",
        "document.body.innerHTML = '<b>markup</b>'",
        "document.body.setAttribute('onclick', 'harmed = 1'); document.body.click()",
        "document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:PORT/x'}))",
        "fetch('http://127.0.0.1:PORT/x')",
        "document.body.append(Object.assign(document.createElement('style'), {textContent: '*{}'}))",
    ],
)
def test_the_policy_holds_where_the_script_would_not(show: Any, attack: str) -> None:
    """Were there a hole, the browser would still refuse."""
    page = show()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        refused = page.evaluate(
            """() => new Promise((done) => {
                document.addEventListener("securitypolicyviolation", () => done(true));
                try { ATTACK } catch { done(true) }
                setTimeout(() => done(false), 2000);
            })""".replace("ATTACK", attack.replace("PORT", str(server.getsockname()[1])))
        )
        with pytest.raises(BlockingIOError):
            server.accept()
    assert refused
    assert page.evaluate("window.harmed") is None


def test_ten_thousand_claims_load_and_filter_at_once(show: Any, record_property: Any) -> None:
    page = show("many")
    timing = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
    took = page.evaluate(
        """() => {
            const start = performance.now();
            ask({ words: "component 77 seconds" });
            document.body.offsetHeight;
            return (performance.now() - start) / 1000;
        }"""
    )
    record_property("load", timing)
    record_property("filter", took)
    assert timing < LOAD
    assert took < FILTER
    page.click("#reset")
    assert page.locator("#findings li").count() == 100
    page.click("#findings .more")
    assert page.locator("#findings li").count() == 200


@pytest.mark.skipif(not os.path.exists(AXE), reason="axe-core is not installed (AXE_CORE)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["small", "hostile"])
def test_axe_finds_nothing(show: Any, name: str, width: int, scheme: str) -> None:
    page = show(name, width, color_scheme=scheme, bypass_csp=True)
    page.evaluate(Path(AXE).read_text("utf-8"))
    page.locator("#skipped summary").first.click()
    found = page.evaluate("axe.run().then((r) => r.violations)")
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []

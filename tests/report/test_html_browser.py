"""The HTML report as people use it: in Debian's Chromium, which is skipped where it is not."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browserpage import AXE, CHROMIUM, Shown
from htmlpages import ATTACKS, SERIES, hostile, many, small

from grounded_ingest.report.as_html import render

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
PAGES: dict[str, Callable[[], str]] = {
    "small": lambda: render(small(), SERIES),
    "hostile": lambda: render(hostile(), [{**SERIES[0], "date": ATTACKS[2]}, SERIES[1]]),
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


def test_the_figures_come_first(show: Any) -> None:
    page = show()
    assert page.text("#title") == "5 claims in 2 documents"
    assert page.text(".lead").startswith(
        "20% grounded: 1 of 5 3 wait for review 1 blocked, and 1 problem"
    )
    assert page.text("#history figcaption") == "0% 2026-01-05, 12 claims 60% 2026-04-05, 12 claims"
    assert "unreadable memory-bank/latin.md:1 not UTF-8: byte 4" in page.text("#problems")
    first = page.text("#documents tbody tr:first-child")
    assert first == "memory-bank/tech.md 25% 2 1 4"
    assert page.text("#rules li:first-child") == "contradicted-by-source 1"
    assert page.text("#scope") == "whole knowledge base at aaaaaaaaaa, offline"


def test_without_history_there_is_no_chart(show: Any) -> None:
    assert not show("many").is_visible("#history")


def test_a_document_opens_into_its_sections_and_leads_to_its_claims(show: Any) -> None:
    page = show()
    page.click("#documents .twist >> nth=0")
    assert page.locator("tr.section").count() == 2
    page.click("tr.section .name >> text=Tech > Uploads")
    assert page.text("#shown") == "1 of 5 claims, in “Tech > Uploads”"
    page.click("#documents .twist >> nth=0")
    assert page.locator("tr.section").count() == 0


def test_the_queue_is_filtered_by_tier_rule_document_and_words(show: Any) -> None:
    page = show()
    assert page.text("#shown") == "4 of 5 claims"
    assert "40 connections" in page.text(".option >> nth=0")
    page.click(".tier.grounded")
    assert page.text("#shown") == "5 of 5 claims"
    page.select_option("#rule", "ungrounded")
    assert page.text("#shown") == "2 of 5 claims"
    page.select_option("#document", label="docs/notes.md")
    assert page.text("#shown") == "1 of 5 claims"
    page.click("#reset")
    page.fill("#search", "POOL_SIZE src/limits")
    assert page.text("#shown") == "1 of 5 claims"
    page.fill("#search", "nowhere")
    assert "No claim matches" in page.text("#detail")
    page.click("#rules .name >> text=verified-citation")
    assert page.text("#shown") == "1 of 5 claims"


def test_memory_types_are_counted_and_lead_to_their_claims(show: Any) -> None:
    page = show()
    assert page.text("#types li >> nth=0") == "semantic 4"
    assert page.text("#types li >> nth=1") == "episodic 1"
    page.click("#types .name >> text=episodic")
    assert page.text("#shown") == "1 of 5 claims"
    assert "Type by past tense, log (80% certain)" in page.text("#detail .context")
    page.select_option("#memory", "semantic")
    assert page.text("#shown") == "4 of 5 claims"


def test_how_tier_1_was_reached_is_counted_said_and_leads_to_its_claims(show: Any) -> None:
    page = show()
    assert page.locator("#strengths li").all_inner_texts() == ["quote\n1"]
    page.click("#strengths .name >> text=quote")
    assert page.text("#shown") == "1 of 5 claims, by quote"
    assert (
        page.text("#detail .verdict")
        == "grounded verified-citation by quote: in the source's own words"
    )
    assert "it says this, by quote" in page.text("#detail .citation")
    page.click("#reset")
    assert page.text("#shown") == "4 of 5 claims"


def test_without_a_grounded_claim_no_strength_is_counted(show: Any) -> None:
    assert not show("hostile").is_visible("#strengths")


def test_what_a_claim_revises_is_named(show: Any) -> None:
    page = show()
    page.click(".option >> text=50 MB")
    assert "Does revises docs/notes.md:3" in page.text("#detail .context")


def test_a_claim_stands_beside_its_source_with_the_difference_marked(show: Any) -> None:
    page = show()
    assert page.text("#detail blockquote") == "The pool keeps 40 connections (src/limits.py:4)."
    sides = page.locator("#detail .side")
    assert sides.count() == 2
    assert "40" in page.text(".side >> nth=0 >> mark >> nth=0")
    assert page.text(".side >> nth=1").startswith("The source, line 4 pool_size = 20")
    assert "memory-bank/tech.md:7:1" in page.text("#detail .context")
    page.click(".option >> text=rounded once")
    assert page.text(".citation") == (
        "confirmed adr ADR-003 inherited it exists; what it says was not compared"
    )
    page.click(".option >> text=50 MB")
    assert (
        page.text(".side >> nth=1") == "Compared with docs/notes.md:3 Uploads are limited to 20 MB."
    )
    assert page.locator(".side mark").all_inner_texts() == ["50", "20"]


def test_the_keyboard_reaches_everything(show: Any) -> None:
    page = show()
    active = "document.activeElement.id"
    chosen = "document.querySelector('[aria-selected=true]').id"
    page.press("j", "j", "k")
    assert page.evaluate(chosen) == "option-1"
    page.press("/")
    assert page.evaluate(active) == "search"
    page.page.keyboard.type("jk 40")
    assert page.text("#shown") == "0 of 5 claims"
    page.press("Escape")
    assert page.text("#shown") == "4 of 5 claims"
    page.press("End")
    assert page.evaluate(chosen) == "option-3"
    page.press("Home", "Enter")
    assert page.evaluate(active) == "detail"
    page.press("Escape")
    assert page.evaluate(active) == "list"
    page.press("?")
    assert page.is_visible("#help")
    page.press("Escape")
    assert not page.is_visible("#help")
    page.press("1")
    assert page.text("#shown") == "5 of 5 claims"


def test_a_narrow_window_shows_the_list_or_the_claim(show: Any) -> None:
    page = show(width=390)
    assert not page.is_visible("#detail")
    page.click(".option >> nth=1")
    assert (page.is_visible("#detail"), page.is_visible("#list")) == (True, False)
    page.click(".back")
    assert (page.is_visible("#detail"), page.is_visible("#list")) == (False, True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_claim_has_an_address(show: Any) -> None:
    page = show()
    page.click(".option >> text=50 MB")
    anchor = page.evaluate("location.hash")
    assert anchor.startswith("#claim=memory-bank%2Ftech.md:")
    assert "50 MB" in show(anchor=anchor).text("#detail blockquote")


def test_light_and_dark_by_preference_and_by_choice(show: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = show().evaluate(ground), show(color_scheme="dark").evaluate(ground)
    assert light != dark
    page = show()
    page.click("#theme")
    assert (page.evaluate(ground), page.text("#theme")) == (dark, "Light")
    page.reload()
    assert page.evaluate(ground) == dark


def test_on_paper_the_claims_shown_stand_in_full(show: Any) -> None:
    page = show(color_scheme="dark")
    page.press("?")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print article").count() == 4
    assert "pool_size = 20" in page.text("#print")
    assert not page.is_visible("#panes")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf().startswith(b"%PDF")
    assert page.locator("#print article").count() == 0


def test_hostile_texts_are_shown_and_do_nothing(show: Any, files: dict[str, Path]) -> None:
    page = show("hostile")
    for number in range(len(ATTACKS) * 2):
        assert (
            page.evaluate("document.querySelector('[aria-selected=true]').id") == f"option-{number}"
        )
        page.press("j")
    page.click("#documents .more")
    for twist in page.locator("#documents .twist").all():
        twist.click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print blockquote").first.inner_text() == ATTACKS[0]
    assert page.evaluate("window.harmed") is None
    made = "script, img, svg, style, base, iframe, meta, a, link"
    assert page.evaluate(f"document.querySelectorAll('main :is({made})').length") == 1  # the chart
    assert page.requests == [files["hostile"].as_uri()]
    assert page.complaints == []
    shown = page.locator("#print blockquote", has_text="txt.exe").first.inner_text()
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
            queue.ask({ words: "component 77 seconds" });
            document.body.offsetHeight;
            return (performance.now() - start) / 1000;
        }"""
    )
    record_property("load", timing)
    record_property("filter", took)
    assert timing < LOAD
    assert took < FILTER
    page.press("Escape")
    page.click("#reset")
    page.focus("#list")
    page.press("End")
    assert page.text("[aria-selected=true] .meta").endswith("docs/part-98.md:102")
    assert page.locator(".option").count() < 60


@pytest.mark.skipif(not os.path.exists(AXE), reason="axe-core is not installed (AXE_CORE)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["small", "hostile"])
def test_axe_finds_nothing(show: Any, name: str, width: int, scheme: str) -> None:
    page = show(name, width, color_scheme=scheme, bypass_csp=True)
    page.evaluate(Path(AXE).read_text("utf-8"))
    page.click("#documents .twist >> nth=0")
    for keys in ([], ["Enter"], ["?"]):
        page.press(*keys)
        found = page.evaluate("axe.run().then((r) => r.violations)")
        assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []

"""The report over a fleet: as bytes, and as people use it in Debian's Chromium."""

from __future__ import annotations

import json
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.fleet import html_report
from grounded_ingest.fleet.html_report import fleet_page
from grounded_ingest.fleet.tables import list_runs
from tests.browserpage import AXE, CHROMIUM, Shown
from tests.fleet.conftest import Example, cli
from tests.fleet.fleetpages import HOSTILE, LONG, hostile, many
from tests.report.htmlpages import HIDING

WRITE, LOAD, FILTER = 60.0, 10.0, 2.0
"""Seconds for a thousand repositories on a busy machine; measured: docs/fleet.md."""


@pytest.fixture(scope="module")
def pages(example: Example, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The example fleet by the command, and what is planted."""
    home = tmp_path_factory.mktemp("pages")
    small = home / "small.html"
    done = cli("report", "--out", str(example.out), "--output-file", str(small))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    found = {"small": small}
    for name, made in (("hostile", hostile(home / "h")), ("many", many(home / "m"))):
        began = time.monotonic()
        found[name] = home / f"{name}.html"
        found[name].write_text(fleet_page(str(made)), "utf-8")
        took = time.monotonic() - began
        print(f"{name}: written in {took:.2f} s")
        assert took < WRITE
    return found


def data(page: Path) -> Any:
    text = page.read_text("utf-8")
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found)


@pytest.mark.parametrize("name", ["small", "hostile", "many"])
def test_the_policy_allows_this_style_and_this_script_and_nothing_else(
    pages: dict[str, Path], name: str
) -> None:
    page = pages[name].read_text("utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert page.count("<script") == page.count("</script") == 2


def test_no_text_of_a_repository_is_markup_or_hides_in_an_editor(pages: dict[str, Path]) -> None:
    page = pages["hostile"].read_text("utf-8")
    (embedded,) = re.findall(r'id="data">(.*)</script>\n<script>', page, re.S)
    assert not re.search("[<>&\u2028\u2029]", embedded)
    assert not HIDING.search(page.replace("\n", ""))
    assert {r["repository"] for r in data(pages["hostile"])["repositories"]} >= {
        HOSTILE[0],
        HOSTILE[2],
    }


def test_what_the_example_fleet_shows(pages: dict[str, Path]) -> None:
    found = data(pages["small"])
    series = [(p["repositories"], p["failed"], p["claims"], p["wrong"]) for p in found["series"]]
    assert series == [(7, 1, 34, 1), (7, 1, 36, 4)]
    rows = {r["repository"]: (r["owner"], r["wrong"], r["change"]) for r in found["repositories"]}
    assert rows["gateway"] == ("platform", 2, 2)
    assert rows["ledger"] == ("payments", 1, 0)
    assert rows["archive"] == ("web", 0, None)
    assert [(f["repository"], f["fresh"]) for f in found["findings"]].count(("gateway", True)) == 2
    assert ("ledger", False) in [(f["repository"], f["fresh"]) for f in found["findings"]]
    assert found["totals"] == {
        "repositories": 7, "findings": 4, "contradictions": 2, "drift": 1, "repetitions": 3,
        "elsewhere": 2,
    }  # fmt: skip


def test_a_run_is_shown_beside_the_one_before_it(example: Example) -> None:
    first, second = list_runs(str(example.out))
    for run, before in ((first, ""), (second, first)):
        page = fleet_page(str(example.out), run)
        assert f'"run":"{run}","before":"{before}"' in page
    done = cli("report", "--out", str(example.out), "--run", first)
    assert done.stdout == fleet_page(str(example.out), first)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--out", "nowhere"], "no finished run"),
        (["--out", "OUT", "--run", "20200101T000000Z"], "no run 20200101T000000Z"),
        (
            ["--out", "OUT", "--output-file", "no/where.html"],
            "no/where.html cannot be written: No such file",
        ),
    ],
)
def test_report_errors_say_what_to_do(example: Example, args: list[str], said: str) -> None:
    done = cli("report", *(a.replace("OUT", str(example.out)) for a in args))
    assert done.returncode == 2
    assert said in done.stderr


def test_ten_thousand_findings_stay_a_small_file_that_says_what_it_leaves_out(
    pages: dict[str, Path],
) -> None:
    found = data(pages["many"])
    assert pages["many"].stat().st_size < 1_500_000
    listed = {f["repository"] for f in found["findings"]}
    assert (len(found["findings"]), len(listed)) == (html_report.FINDINGS, 1_000)
    assert (found["totals"]["findings"], found["mended"]) == (10_000, 1_000)
    assert sum(f["fresh"] for f in found["findings"]) == 1_000
    assert (found["totals"]["repetitions"], len(found["repetitions"])) == (
        1_000,
        html_report.GROUPS,
    )


in_chromium = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")


@pytest.fixture
def show(browser: Any, pages: dict[str, Path]) -> Iterator[Callable[..., Shown]]:
    contexts = []

    def opened(name: str = "small", width: int = 1280, **how: Any) -> Shown:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **how))
        shown = Shown(contexts[-1].new_page())
        shown.goto(pages[name].as_uri())
        return shown

    yield opened
    for context in contexts:
        context.close()


@in_chromium
def test_it_opens_quietly_with_the_figures_first(show: Any, pages: dict[str, Path]) -> None:
    page = show()
    assert page.text("#title") == "7 repositories of 3 owners, 36 claims"
    assert page.text(".lead").startswith(
        "4 wrong: 3 new, 0 mended 1 could not be read Wrong, 2 runs"
    )
    assert page.locator("#runs svg").count() == 1
    assert page.text("#failures li").startswith("error archive web git failed in ")
    assert page.text("#owners tbody tr:first-child") == "platform 2 2 +2"
    assert page.text("#rules li >> nth=0") == "refuted-citation[line] 2"
    assert page.text("#repositories tbody tr:first-child") == "gateway platform 2 +2 0 6"
    assert page.text("#findings li >> nth=0") == (
        "new gateway docs/run.md:3 src/settings.py:1: moved to src/config.py"
    )
    assert "9443 in 1 repository: invoices AGENTS.md:5" in page.text("#contradictions")
    assert "moved on: shop CLAUDE.md (2026-11-09)" in page.text("#drift")
    assert (page.complaints, page.requests) == ([], [pages["small"].as_uri()])


@in_chromium
def test_it_is_filtered_by_words_owner_rule_repository_and_what_is_new(show: Any) -> None:
    page = show()
    for act, rows, found in (
        (lambda: page.fill("#search", "docs/run"), 0, 2),
        (lambda: page.fill("#search", "NODE 22"), 0, 1),
        (lambda: page.press("Escape"), 7, 4),
        (lambda: page.select_option("#owner", "payments"), 2, 1),
        (lambda: page.click("#reset"), 7, 4),
        (lambda: page.click("#fresh"), 7, 3),
        (lambda: page.click("#reset"), 7, 4),
        (lambda: page.click("#owners .name >> text=web"), 3, 1),
        (lambda: page.click("#reset"), 7, 4),
        (lambda: page.click("#repositories .name >> text=gateway"), 1, 2),
    ):
        act()
        shown = page.text("#shown")
        assert shown.startswith(f"{rows} of 7 repositories, {found} of 4 findings"), shown
    assert "of gateway alone" in page.text("#shown")
    assert page.text("#elsewhere li").startswith("invoices docs/links.md:3 cites")
    assert page.text("#contradictions .hint") == "No row matches the filter."


@in_chromium
def test_heads_sort_and_the_keyboard_reaches_them(show: Any) -> None:
    page = show()
    first = "#repositories tbody tr:first-child .name"
    page.focus("#repositories th:nth-child(6) button")
    page.press("Enter")
    assert page.text(first) == "ledger"
    assert page.get_attribute("#repositories th:nth-child(6)", "aria-sort") == "descending"
    page.click("#repositories th:first-child button")
    assert page.text(first) == "archive"
    page.fill("#search", "payments")
    assert page.text(first) == "invoices"  # the order stays
    page.focus("#theme")
    page.press("/")
    assert page.evaluate("document.activeElement.id") == "search"


@in_chromium
@pytest.mark.parametrize("name", ["small", "hostile", "many"])
def test_a_phone_has_no_sideways_scroll(show: Any, name: str) -> None:
    page = show(name, width=390)
    for more in page.locator(".more").all():
        if more.is_visible():
            more.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.is_visible("#repositories tbody .owner >> nth=0")


@in_chromium
def test_light_dark_and_paper(show: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    assert show().evaluate(ground) != show(color_scheme="dark").evaluate(ground)
    page = show(color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert not page.is_visible(".bar")
    assert page.is_visible("#findings")
    assert page.pdf().startswith(b"%PDF")


@in_chromium
def test_hostile_texts_of_a_fleet_do_nothing(show: Any, pages: dict[str, Path]) -> None:
    page = show("hostile")
    for more in page.locator(".more").all():
        more.click()
    for name in range(page.locator("#owner option").count()):
        page.select_option("#owner", index=name)
    page.fill("#search", HOSTILE[2])
    page.click("#reset")
    assert page.evaluate("window.harmed") is None
    made = "script, img, svg, style, base, iframe, meta, a, link"
    assert page.evaluate(f"document.querySelectorAll('main :is({made})').length") == 1  # the curve
    assert (page.complaints, page.requests) == ([], [pages["hostile"].as_uri()])
    shown = page.locator("#findings li", has_text="txt.exe").first.inner_text()
    assert "safeU+202Etxt.exeU+2066" in shown
    assert LONG[:100] in page.text("#findings")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@in_chromium
def test_a_thousand_repositories_open_and_filter_at_once(show: Any) -> None:
    page = show("many")
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
    took = page.evaluate(
        """() => {
            const start = performance.now();
            ask({ words: "service-0777" });
            document.body.offsetHeight;
            return (performance.now() - start) / 1000;
        }"""
    )
    assert page.text("#shown") == "1 of 1,000 repositories, 2 of 10,000 findings"
    page.click("#reset")
    assert page.locator("#repositories tbody tr").count() == 25
    assert "8,000 more are in the tables" in page.text("#findings")
    assert loaded < LOAD
    assert took < FILTER
    print(f"size {Path(page.url[7:]).stat().st_size}, open {loaded:.2f} s, filter {took:.3f} s")


@in_chromium
@pytest.mark.skipif(not Path(AXE).exists(), reason="axe-core is not installed (AXE_CORE)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_the_fleet(show: Any, width: int, scheme: str) -> None:
    page = show("small", width, color_scheme=scheme, bypass_csp=True)
    page.evaluate(Path(AXE).read_text("utf-8"))
    found = page.evaluate("axe.run().then((r) => r.violations)")
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []

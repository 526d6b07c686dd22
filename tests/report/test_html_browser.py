"""The HTML report as people use it: in Debian's Chromium, which is skipped where it is not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browserpage import AXE, CHROMIUM, Shown
from htmlpages import hostile, many, small

from grounded_ingest.report.as_html import render

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
REPORTS = {"small": small, "hostile": hostile, "many": many}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("html")
    for name, report in REPORTS.items():
        (directory / f"{name}.html").write_text(render(report()), "utf-8")
    return {name: directory / f"{name}.html" for name in REPORTS}


@pytest.fixture
def show(browser: Any, files: dict[str, Path]) -> Iterator[Callable[..., Shown]]:
    contexts = []

    def opened(name: str = "small", width: int = 1280, **how: Any) -> Shown:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **how))
        shown = Shown(contexts[-1].new_page())
        shown.goto(files[name].as_uri())
        return shown

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", REPORTS)
def test_it_loads_quietly_asks_nobody_and_needs_no_script(
    show: Any, files: dict[str, Path], name: str
) -> None:
    page = show(name, java_script_enabled=False)
    assert page.locator("li >> visible=true").count() > 3
    assert (page.complaints, page.requests) == ([], [files[name].as_uri()])


def test_hostile_texts_do_nothing(show: Any, files: dict[str, Path]) -> None:
    page = show("hostile")
    assert page.evaluate("window.harmed") is None
    made = "script, img, svg, style, base, iframe, meta, a, link"
    assert page.evaluate(f"document.querySelectorAll('main :is({made})').length") == 0
    assert page.requests == [files["hostile"].as_uri()]


def test_a_narrow_window_needs_no_sideways_scrolling(show: Any) -> None:
    assert show(width=390).evaluate("document.documentElement.scrollWidth") <= 390


def test_light_and_dark_by_preference(show: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    assert show().evaluate(ground) != show(color_scheme="dark").evaluate(ground)


@pytest.mark.skipif(not os.path.exists(AXE), reason="axe-core is not installed (AXE_CORE)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["small", "hostile"])
def test_axe_finds_nothing(show: Any, name: str, width: int, scheme: str) -> None:
    page = show(name, width, color_scheme=scheme, bypass_csp=True)
    page.evaluate(Path(AXE).read_text("utf-8"))
    found = page.evaluate("axe.run().then((r) => r.violations)")
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []

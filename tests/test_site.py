"""The documentation site as it is published: built strictly, versioned, read in Debian's Chromium."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

import pyromark
import pytest
import yaml
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.browserpage import CHROMIUM, Shown

# Builds the site twice, of which the product has no part; links and commands of the pages are
# checked in test_docs.py on each commit.
pytestmark = pytest.mark.slow
# Without the extra, `mike` is not on PATH and the fixture fails with exit code 127.
pytest.importorskip("mike", reason="needs the extra site")
pytest.importorskip("material", reason="needs the extra site")

PROJECT = Path(__file__).parents[1]
CONFIG = PROJECT / "mkdocs.yml"
in_a_browser = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
PLACES = {
    "README.md": "",
    "docs/README.md": "pages/",
    "CONTRIBUTING.md": "contributing/",
    "CHANGELOG.md": "changelog/",
}
PAGES = {
    path: PLACES.get(path, re.sub(r"^docs/|README\.md$", "", path).replace(".md", "/"))
    for path in (*PLACES, *(str(p.relative_to(PROJECT)) for p in PROJECT.glob("docs/**/*.md")))
}
"""The address of every page by its path."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Published(NamedTuple):
    files: Path
    address: str


def run(cwd: Path, *argv: str, **env: str) -> subprocess.CompletedProcess[str]:
    told = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, **env}
    told["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for role in ("AUTHOR", "COMMITTER"):
        told |= {f"GIT_{role}_NAME": "Ada", f"GIT_{role}_EMAIL": "ada@example.org"}
    return subprocess.run(argv, cwd=cwd, env=told, capture_output=True, text=True, timeout=300)


def publishing() -> str:
    """Returns the workflow's script without its first line, which names GitHub."""
    workflow = yaml.safe_load((PROJECT / ".github/workflows/site.yml").read_text("utf-8"))
    first, _, script = workflow["jobs"]["publish"]["steps"][-1]["run"].partition("\n")
    assert first.startswith("git remote set-url origin ")
    return re.sub(r"^mike ([\w-]+)", rf"mike \1 -F {CONFIG}", script, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    """Two tags, published as the workflow does, and served as files."""
    home = tmp_path_factory.mktemp("site")
    files, origin, clone = home / "files", home / "origin", home / "clone"
    run(home, "git", "init", "--quiet", "--bare", "--template=", str(origin))
    run(home, "git", "clone", "--quiet", str(origin), str(clone))
    run(clone, "git", "commit", "--quiet", "--allow-empty", "-m", "Start")
    files.mkdir()
    handler = partial(Quiet, directory=str(files))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        env = {"SITE_DIR": str(home / "out"), "SITE_URL": address}
        for tag in ("v0.1", "v0.2"):
            done = run(clone, "bash", "-euc", publishing(), GITHUB_REF_NAME=tag, **env)
            assert done.returncode == 0, done.stderr
        run(home, "git", "clone", "--quiet", "--branch", "gh-pages", str(origin), str(files))
        Thread(target=server.serve_forever, daemon=True).start()
        yield Published(files, address)
        server.shutdown()


def parsed(path: Path) -> LexborHTMLParser:
    return LexborHTMLParser(path.read_text("utf-8"))


SHAPES = (
    "h1",
    "h2",
    "h3",
    "h4",
    "li",
    "tr",
    "td",
    "pre",
    "blockquote",
    "em",
    "strong",
    "img",
    "code",
    "a",
)


def read(html: LexborNode | None) -> tuple[str, list[int]]:
    """Returns the words of a page and the number of each kind of element."""
    assert html is not None
    for added in html.css("a.headerlink, nav, footer, pre a"):
        added.decompose()
    return re.sub(r"\s", "", html.text()), [len(html.css(shape)) for shape in SHAPES]


def test_pages_read_as_on_a_forge(published: Published) -> None:
    """Python-Markdown is no CommonMark: words, tables, lists and code have to come out the same."""
    for path, address in PAGES.items():
        site = parsed(published.files / "0.2" / address / "index.html").css_first("article")
        text = (PROJECT / path).read_text("utf-8")
        forge = pyromark.html(text, options=pyromark.Options.ENABLE_TABLES)
        assert read(site) == read(LexborHTMLParser(f"<main>{forge}</main>").css_first("main")), path


def test_links_lead_somewhere_and_every_page_is_reached(published: Published) -> None:
    home = published.files / "0.2"
    pages = {p: parsed(p) for p in home.rglob("*.html")}
    ids = {p: {n.attributes["id"] for n in page.css("[id]")} for p, page in pages.items()}
    reached, waiting = {home / "index.html"}, [home / "index.html"]
    while waiting:
        page = waiting.pop()
        for target in targets(pages[page]):
            there = Path(unquote(urlsplit(urljoin(f"file://{page}", target)).path))
            there = there / "index.html" if there.is_dir() else there
            assert there.is_file(), (page, target)
            anchor = unquote(urlsplit(target).fragment)
            assert not anchor or anchor in ids[there], (page, target)
            if there in pages and there not in reached:
                reached.add(there)
                waiting.append(there)
    assert set(pages) - reached == {home / "404.html"}


def targets(page: LexborHTMLParser) -> set[str]:
    """Returns what a page links to and loads from the site; fails if it loads from elsewhere."""
    found = set()
    for node in page.css("[href], [src]"):
        target = node.attributes.get("href") or node.attributes.get("src") or ""
        elsewhere = bool(urlsplit(target).scheme)
        canonical = node.attributes.get("rel") == "canonical"
        assert node.tag == "a" or canonical or not elsewhere, target
        found |= set() if elsewhere else {target}
    return found


def test_what_would_be_broken_fails_the_build(tmp_path: Path) -> None:
    for part in ("docs", "site"):
        shutil.copytree(PROJECT / part, tmp_path / part)
    for part in ("mkdocs.yml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(PROJECT / part, tmp_path)
    with (tmp_path / "docs/action.md").open("a", encoding="utf-8") as page:
        page.write(
            "\n[a](gone.md) [b](judge.md#gone) [c](../gone.py) [d](../CONTRIBUTING.md#gone)\n"
        )
    (tmp_path / "docs/lost.md").write_text("# Lost\n", "utf-8")
    done = run(tmp_path, "mkdocs", "build")
    assert done.returncode == 1
    for said in (
        "'gone.md'",
        "'judge.md#gone'",
        "'../gone.py'",
        "'../CONTRIBUTING.md#gone'",
        "- docs/lost.md",
    ):
        assert said in done.stderr


@pytest.fixture
def show(browser: Any, published: Published) -> Iterator[Callable[..., Shown]]:
    opened: list[tuple[Any, Shown]] = []

    def shown(page: str, width: int = 1280, scheme: str = "light") -> Shown:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        opened.append((context, Shown(context.new_page())))
        opened[-1][1].goto(published.address + page, wait_until="networkidle")
        return opened[-1][1]

    yield shown
    for context, page in opened:
        assert page.complaints == []
        assert [r for r in page.requests if not r.startswith(published.address)] == []
        context.close()


# The words of a page whose contrast is below what WCAG 2.2 (1.4.3) asks, each with its ratio.
FAINT = """() => {
  const known = {};
  const channels = colour => [...(known[colour] ??= painted(colour))];
  const painted = colour => {
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext("2d", {willReadFrequently: true});
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3]));
  const light = colour => {
    const [r, g, b] = colour.map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const background = node => {
    if (!node) return [255, 255, 255];
    const own = channels(getComputedStyle(node).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, background(node.parentElement));
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), node = walker.currentNode.parentElement;
    if (!text || !node.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (node.closest("script, style, .headerlink")) continue;  // shown where the pointer is
    const style = getComputedStyle(node), under = background(node);
    let ink = channels(style.color);
    for (let n = node; n; n = n.parentElement) ink[3] *= +getComputedStyle(n).opacity;
    const [a, b] = [light(over(ink, under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(`${ratio.toFixed(1)} ${text.slice(0, 40)}`);
  }
  return [walker.root.innerText.length, found];
}"""

READ = ["", "rules/speculation/", "commands/", "configuration/", "performance/"]


@in_a_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", READ)
def test_it_is_read_on_a_telephone_and_a_screen(show: Any, page: str, scheme: str) -> None:
    for width in (390, 1280):
        shown = show(f"latest/{page}", width, scheme)
        assert shown.evaluate("document.documentElement.scrollWidth") == width
        length, faint = shown.evaluate(FAINT)
        assert length > 500
        assert faint == []
        dark = (
            shown.evaluate("getComputedStyle(document.body).backgroundColor")
            != "rgb(255, 255, 255)"
        )
        assert dark == (scheme == "dark")


@in_a_browser
def test_a_wide_table_scrolls_in_its_box(show: Any) -> None:
    shown = show("latest/configuration/", 390)
    widths = "boxes => boxes.map(box => [box.scrollWidth, box.clientWidth])"
    boxes = shown.eval_on_selector_all(".md-typeset__scrollwrap", widths)
    assert any(inside > box for inside, box in boxes)
    assert all(box <= 390 for _, box in boxes)


@in_a_browser
def test_search_leads_to_the_page(show: Any) -> None:
    shown = show("latest/")
    query = "[data-md-component=search-query]"
    shown.focus(query)  # its index is loaded then; what is typed before is not asked
    shown.wait_for_selector("text='Type to start searching'", state="attached")
    shown.type(query, "speculation")  # key by key: it listens to these
    shown.click(".md-search-result__link >> nth=0")
    shown.wait_for_url("**/latest/rules/speculation/**")
    assert shown.inner_text("article h1").startswith("speculation")


@in_a_browser
def test_versions_are_chosen_and_the_older_one_says_so(show: Any, published: Published) -> None:
    shown = show("")  # the root leads to the newest
    shown.wait_for_url("**/latest/")
    shown.wait_for_selector(".md-version__current")
    assert shown.is_hidden("[data-md-component=outdated]")
    shown.hover(".md-version")
    shown.click(".md-version__link >> text='0.1'")
    shown.wait_for_url("**/0.1/")
    shown.click("[data-md-component=outdated] a")
    shown.wait_for_url("**/latest/")

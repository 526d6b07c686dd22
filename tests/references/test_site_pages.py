"""Links to pages and assets of web sites: each generator's folders and addresses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, ask_each, path

from grounded_ingest.model.claims import Verdict

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
MINT = '{"navigation": ["start", "guides/set-up"], "redirects": [{"source": "/old/:slug*"}]}'

GENERATORS: dict[str, tuple[Files, str, str]] = {
    "astro": ({"site/astro.config.mjs": ""}, "site/src/content/docs", "site/public"),
    "docusaurus": ({"docusaurus.config.ts": ""}, "docs", "static"),
    "vitepress": ({"docs/.vitepress/config.mts": ""}, "docs", "docs/public"),
    "next": ({"next.config.js": ""}, "content", "public"),
    "hugo": ({"hugo.toml": ""}, "content", "static"),
    "old hugo": ({"config.toml": "baseURL = '/'\n"}, "content", "static"),
    "jekyll": ({"_config.yml": ""}, ".", "assets"),
    "mkdocs": ({"mkdocs.yml": "docs_dir: pages\n"}, "pages", "pages"),
    "mdbook": ({"book/book.toml": ""}, "book/src", "book/src"),
    "mintlify": ({"docs.json": MINT}, ".", "images"),
    "lume": ({"_config.ts": 'import lume from "lume/mod.ts";'}, ".", "assets"),
    "sphinx": ({"doc/conf.py": "extensions = []\n"}, "doc", "doc"),
}


def verdict(repo: Repo, link: str, document: str = NOTES) -> Verdict | None:
    return verdicts(repo, [link], document)[link]


def verdicts(repo: Repo, links: Iterable[str], document: str = NOTES) -> dict[str, Verdict | None]:
    """What becomes of links in a document."""
    links = [*links]
    found = ask_each(repo, (path(link, link=True) for link in links), document=document)
    return {link: e and e.verdict for link, e in zip(links, found, strict=True)}


def test_a_page_that_only_another_language_has(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    pages = {f"docs/{lang}/a/news.md": "# News\n" for lang in ("de", "en", "pt-br")}
    repo.commit(pages)
    repo.commit({"docs/de/a/news.md": None})
    assert verdict(repo, "news.md", "docs/de/a/help.md") is R, "no site shows another page"
    repo.commit({"docs/en/mkdocs.yml": "docs_dir: a\n"})
    assert verdict(repo, "news.md", "docs/de/a/help.md") is U, "a site shows `docs/en/a/news.md`"
    repo.commit({"docs/.vitepress/config.ts": ""})
    assert verdict(repo, "news.md", "docs/de/a/help.md") is R, "VitePress does not"


@pytest.mark.parametrize("generator", GENERATORS)
def test_pages_and_assets_of_each_generator(tmp_path: Path, generator: str) -> None:
    config, pages, assets = GENERATORS[generator]
    repo = Repo(tmp_path)
    files = {"start.md", "guides/set-up.md", "guides/index.md", "guides/dropped.md"}
    repo.commit(config | {f"{pages}/{name}": "# Title\n" for name in files})
    repo.commit({f"{assets}/logo.svg": "<svg/>", f"{pages}/guides/dropped.md": None})
    document = f"{pages}/guides/set-up.md".removeprefix("./")
    asset = "/logo.svg" if assets.endswith(("public", "static", pages)) else f"/{assets}/logo.svg"

    expected = dict.fromkeys(
        ("/start", "/start/", "/guides/", "/guides/Set-up", "../start", asset), C
    )
    expected |= {"/guides/dropped": R, "/old/never": U, "./never.md": R}
    expected["/guides/never"] = R if generator == "mintlify" else U
    assert verdicts(repo, expected, document) == expected


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("public/_redirects", "/guides/dropped /start\n"),
        ("astro.config.mjs", "redirects: { '/guides/[...slug]': '/start' }"),
        ("src/content/docs/start.md", "---\nredirect_from: /guides/dropped\n---\n"),
        ("server/routes.js", "app.get('/guides/dropped', send)"),
    ],
)
def test_a_redirect_makes_a_removed_page_unknown(tmp_path: Path, file: str, text: str) -> None:
    repo, pages = Repo(tmp_path), "src/content/docs"
    repo.commit({f"{pages}/guides/dropped.md": "# x\n", f"{pages}/start.md": "# y\n"})
    repo.commit({f"{pages}/guides/dropped.md": None, "astro.config.mjs": ""})
    link, document = "/guides/dropped", f"{pages}/start.md"
    assert verdict(repo, link, document) is R
    repo.commit({file: text})
    assert verdict(repo, link, document) is U


def test_a_collection_of_jekyll(tmp_path: Path) -> None:
    repo, document = Repo(tmp_path), "site/_docs/a.md"
    repo.commit({"site/_config.yml": "", document: "# a\n", "site/_docs/b.md": "# b\n"})
    expected = {"/docs/b/": C, "/docs/never/": U}
    assert verdicts(repo, expected, document) == expected


def test_a_redirect_makes_a_removed_folder_unknown(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"old/a.mdx": "# a\n", "gone/b.mdx": "# b\n", "start.mdx": "# x\n"})
    repo.commit({"old/a.mdx": None, "gone/b.mdx": None, "docs.json": MINT})
    assert verdicts(repo, ["/old", "/gone"], "start.mdx") == {"/old": U, "/gone": R}


@pytest.mark.parametrize("said", ["openapi", "$ref"])
def test_mintlify_pages_that_the_configuration_does_not_list(tmp_path: Path, said: str) -> None:
    repo, document = Repo(tmp_path), "start.mdx"
    repo.commit({"docs.json": MINT, document: "# x\n"})
    expected = {"/api/users": R, "/old/page": U, "/mcp": U, "/llms.txt": U}
    assert verdicts(repo, expected, document) == expected
    repo.commit({"docs.json": MINT.replace('"redirects"', f'"{said}": "api.json", "redirects"')})
    assert verdict(repo, "/api/users", document) is U


def test_a_site_in_a_folder_that_is_served_below_its_name(tmp_path: Path) -> None:
    repo, document = Repo(tmp_path), "docs/start.mdx"
    repo.commit({"docs/mint.json": MINT, document: "# x\n", "docs/core/devices.mdx": "# x\n"})
    expected = {"/docs/core/devices": C, "/core/devices": C, "/docs/core/gone": R}
    assert verdicts(repo, expected, document) == expected


def test_a_link_from_the_root_without_a_site(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"docs/guide.md": "# x\n", "www/static/docs/a.svg": "<svg/>"})
    expected = {"/docs/guide.md": C, "/docs/gone.md": R, "/docs/gone/": U, "/other/gone.md": U}
    expected |= {"/docs/a.svg": U, "/docs/b.svg": R}
    assert verdicts(repo, expected) == expected


def test_a_heading_on_a_page_of_a_site(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    config, pages = "docs/.vitepress/config.ts", {"docs/a.md": "# A\n\n## Run it\n"}
    links = "[one](/a#run-it) and [two](/a#walk-it) are linked from here.\n"
    repo.commit({config: "", **pages, "docs/b.md": f"# B\n\n{links}"})

    def wrong() -> list[str]:
        return [e.target for d in repo.decisions("all") for e in d.evidence if e.verdict is R]

    assert wrong() == ["docs/a.md#walk-it"]
    repo.commit({config: "markdown: { anchor: { slugify } }"})
    assert wrong() == []


def test_gitbook_makes_anchors_of_its_own(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    page = "# A\n\nSee [push](#push) and [pull](#pull).\n\n## `--push`\n"
    repo.commit({".gitbook.yaml": "root: ./site/\n", "site/a.md": page})
    wrong = [e.target for d in repo.decisions("all") for e in d.evidence if e.verdict is R]
    assert wrong == ["site/a.md#pull"]


def test_a_route_that_only_one_page_can_have(tmp_path: Path) -> None:
    """The site is elsewhere: its folders are unknown, and numbers order the pages."""
    repo = Repo(tmp_path)
    page = "# Send\n\n## Parcels\n"
    repo.commit({"content/api/01-core/02-send.mdx": page, "content/v1/core/a.md": page})
    repo.commit({"content/v2/core/a.md": page})
    expected = {"/api/core/send": C, "/core/send/": C, "/v2/core/a": C, "/core/a": U, "/core/b": U}
    assert verdicts(repo, expected, "content/v2/core/a.md") == expected
    repo.stage({"notes.md": "# N\n\nSee [one](/core/send#parcels), [two](/core/send#letters).\n"})
    wrong = [e.target for d in repo.decisions() for e in d.evidence if e.verdict is R]
    assert wrong == ["content/api/01-core/02-send.mdx#letters"]


def test_a_page_about_a_file_has_the_address_of_the_file(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/root.tsx.md": "# Root\n"})
    repo.stage({"docs/a.md": "# A\n\nSee [it](./root.tsx) and [that](./other.tsx).\n"})
    (found,) = [d for d in repo.decisions() if d.place.path == "docs/a.md"]
    assert [e.verdict for e in found.own_evidence] == ["confirmed", "refuted"]


def test_links_to_source_files(tmp_path: Path) -> None:
    sources = {
        ("docusaurus.config.ts", "docs"): {"api/store.md": C, "./api/store.md": R, "api/tools.md": R},
        ("astro.config.mjs", "src/content/docs"): {
            "../api/store.md": C, "../api/tools.md": C, "../api/index.md": R,
        },
        ("mkdocs.yml", "docs"): {"../api/tools.md": R, "../book/index.md": R},
        ("book.toml", "src"): {"../book/index.md": C, "../api/index.md": R},
    }  # fmt: skip
    files = ("book/README.md", "api/store.md", "api/tools.mdx", "guides/set-up.md")
    for (config, pages), expected in sources.items():
        repo = Repo(tmp_path / config)
        repo.commit({config: "", **{f"{pages}/{name}": "# Title\n" for name in files}})
        assert verdicts(repo, expected, f"{pages}/guides/set-up.md") == expected


def test_an_image_is_found_from_the_address_of_the_page(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"mkdocs.yml": "", "docs/assets/a.png": "x", "docs/guides/b.png": "x"})
    expected = {"../../assets/a.png": C, "../b.png": C, "../../assets/b.png": R}
    assert verdicts(repo, expected, "docs/guides/start.md") == expected


def test_hugo_serves_the_assets_of_its_theme(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({
        "site/config.yaml": 'baseURL: "https://shop.test/"\ntheme: "plain"\n',
        "site/themes/plain/static/img/a.png": "x", "site/content/docs/img/b.png": "x",
        "site/content/docs/start.md": "# Start\n",
    })  # fmt: skip
    expected = {"../../img/a.png": C, "../img/b.png": C, "../img/a.png": R, "/img/a.png": C}
    assert verdicts(repo, expected, "site/content/docs/start.md") == expected


def test_a_target_of_myst_may_be_anywhere_in_the_project(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    text = "# Title\n\nSee [](#howto:api) and [x](other.md#gone).\n"
    files = {"docs/page.md": text, "docs/other.md": "# Other\n"}
    repo.commit({"docs/conf.py": 'extensions = ["myst_parser"]\n'})
    repo.stage(files)
    facts = [e.target for d in repo.decisions() for e in d.evidence if e.verdict is R]
    assert facts == ["docs/other.md#gone"]


def test_an_absolute_link_to_an_asset_means_the_static_folder(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({
        "docusaurus.config.js": "", "docs/a.md": "# A\n", "static/img/logo.png": b"x",
        "vercel.json": '{"redirects": [{"source": "/img/old.png"}]}', ".gitignore": "made.png\n",
    })  # fmt: skip
    expected = {f"/img/{k}.png": v for k, v in {"logo": C, "gone": U, "old": U, "made": U}.items()}
    expected |= {"/pictures/gone.png": U, "/img/gone.json": U}  # no such folder; perhaps a route
    assert verdicts(repo, expected, "docs/a.md") == expected


@pytest.mark.parametrize("generator", ["astro", "docusaurus", "vitepress", "mintlify"])
def test_a_removed_asset_and_a_removed_page_by_its_html(tmp_path: Path, generator: str) -> None:
    config, pages, assets = GENERATORS[generator]
    if generator == "mintlify":
        config, pages, assets = {"site/docs.json": MINT}, "site", "site"
    repo = Repo(tmp_path)
    files = (f"{assets}/gone.png", f"{assets}/logo.png", f"{pages}/gone.md", f"{pages}/new.md")
    repo.commit(config | dict.fromkeys(files, "x\n"))
    repo.commit({f"{assets}/gone.png": None, f"{pages}/gone.md": None})
    document = f"{pages}/new.md"
    expected = {"/gone.png": R, "/logo.png": C, "/never.png": U}
    expected |= {"./gone.html": R, "./new.html": C, "./never.html": U, "/gone.html": R}
    assert verdicts(repo, expected, document) == expected


SNIPPETS = """\
import Old from "/snippets/old.mdx"
import New from '/snippets/new.mdx';
import { Card } from "/snippets/card.jsx"

<Snippet file="never.mdx" /> and <Snippet file="new.mdx" />

`<Snippet file="x.mdx" />` includes a file.

```mdx
<Snippet file="y.mdx" />
```
"""


@pytest.mark.parametrize("config", ["site/docs.json", "site/other.json"])
def test_snippets_of_mintlify(tmp_path: Path, config: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({config: MINT, "site/snippets/old.mdx": "x\n", "site/snippets/new.mdx": "x\n"})
    repo.commit({"site/snippets/old.mdx": None, "site/guides/a.mdx": SNIPPETS})
    problems = repo.check("all").report.problems
    wrong = {(p.line, p.message.partition(":")[0]) for p in problems if "citation" in p.rule}
    is_mintlify = config == "site/docs.json"
    found = {(1, "../snippets/old.mdx"), (5, "../snippets/never.mdx")}
    assert wrong == (found if is_mintlify else set())


def test_eleventy_resolves_links_from_its_input_folder(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"eleventy.config.js": "dir: {input: 'src'}", "src/blog/a.md": "", "src/b.md": ""})
    expected = {"./blog/a.md": C, "b.md": C, "./blog/b.md": R}
    assert verdicts(repo, expected, "src/blog/c.md") == expected


def test_ex_doc_finds_pages_by_name(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"mix.exs": "", "pages/names.md": "# N\n", "images/a.png": "", "guides/a.md": ""})
    expected = {"names.md": C, "`Agent`": None, "assets/a.png": C, "missing.md": R}
    assert verdicts(repo, expected, "guides/a.md") == expected


def test_a_translated_page_may_link_to_pages_of_the_original(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    files = ("docs/en/docs/use/a.md", "docs/es/docs/use/a.md", "docs/en/docs/news.md")
    repo.commit({**dict.fromkeys(files, "# A\n"), "docs/es/docs/use/own.md": "# B\n"})
    expected = {"../news.md": U, "../missing.md": R}
    assert verdicts(repo, expected, "docs/es/docs/use/a.md") == expected
    # the original may have become `own/index.md`
    assert verdicts(repo, expected, "docs/es/docs/use/own.md") == expected


def test_a_site_falls_back_to_the_original_of_a_translated_page(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    pages = ("docs/use/a.md", "docs/ja/use/a.md", "i18n/de/pages/use/a.md", "docs/news.md")
    repo.commit({"mkdocs.yml": "site_name: x\n", **dict.fromkeys(pages, "[it](../api.md)\n")})
    expected = {"../news.md": U, "../api.md": U, "../missing.md": R}
    for page in pages[1:3]:
        assert verdicts(repo, expected, page) == expected
    assert verdicts(repo, {"../api.md": R}, "docs/use/a.md") == {"../api.md": R}


def test_paths_of_a_project_that_a_tutorial_draws(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"lib/app/routers/users_view.py": "A = 1\n"})
    drawn = "# A\n\n```\n.\n├── app\n│   └── main.py\n```\n"
    repo.commit({"lib/app/routers/users_view.py": None, "docs/a.md": drawn, "docs/b.md": ""})
    for page, verdict in (("docs/a.md", U), ("docs/b.md", R)):
        (found,) = ask_each(repo, [path("app/routers/users_view.py")], document=page)
        assert found
        assert found.verdict is verdict


def test_links_of_a_text_that_a_program_puts_into_a_page(tmp_path: Path) -> None:
    repo, text = Repo(tmp_path), "See [options](#options) and [files](files.md).\n"
    repo.commit({"cmd/mount.md": text, "cmd/mount.go": "package cmd\n"})
    assert [e.verdict for d in repo.decisions("all") for e in d.evidence] == [R, R]
    repo.commit({"cmd/mount.go": "package cmd\n\n//go:embed mount.md\nvar help string\n"})
    assert R not in [e.verdict for d in repo.decisions("all") for e in d.evidence]


def test_the_security_policy_is_also_shown_at_the_root(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({".github/THREATS.md": "# Threats\n"})
    links = {".github/THREATS.md": C, "THREATS.md": C, "docs/THREATS.md": R}
    assert verdicts(repo, links, ".github/SECURITY.md") == links
    assert verdict(repo, ".github/THREATS.md", ".github/CONTRIBUTING.md") is R

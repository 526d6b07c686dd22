"""Links to headings: every forge's rule of slugs is right, and none makes a false refutation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.extract.heading_anchors import anchors_of
from grounded_ingest.model.claims import CitationKind, Decision

CONFIRMED, UNTOLD, REFUTED = "confirmed", "", "refuted"


SLUGS = [
    ("## Getting started", "getting-started", CONFIRMED),
    ("## A & B", "a--b", CONFIRMED),
    ("## A & B", "a-b", CONFIRMED),
    ("## `npm run` it", "npm-run-it", CONFIRMED),
    ("## The [guide](x.md) of it", "the-guide-of-it", CONFIRMED),
    ("## *Much* **too** ~~old~~", "much-too-old", CONFIRMED),
    ("## 1.2.3 (2024-01-01)", "123-2024-01-01", CONFIRMED),
    ("## snake_case & Ünïcode", "snake_case--ünïcode", CONFIRMED),
    ("## snake_case & Ünïcode", "snake-case-unicode", UNTOLD),
    ("## 🚀 Start", "-start", CONFIRMED),
    ("## 🚀 Start", "start", UNTOLD),
    ("## :rocket: Start", "rocket-start", CONFIRMED),
    ("## :rocket: Start", "start", UNTOLD),
    ("## ⚙️ Settings", "️-settings", CONFIRMED),
    ("## ⚙️ Settings", "-settings", CONFIRMED),  # as Hugo makes it
    ("## 中文 标题", "中文-标题", CONFIRMED),
    ("Setext\n======", "setext", CONFIRMED),
    ("## Same\n\n## Same", "same-1", CONFIRMED),
    ("## Same\n\n## Same", "same_1", UNTOLD),
    ("## Closed ##", "closed", CONFIRMED),
    ("## Own {#given}", "given", CONFIRMED),
    ("## Own {#given}", "own", CONFIRMED),
    ("#### GET /api/rows/{row_id}", "get-apirowsrow_id", CONFIRMED),
    ("(label)=\n## Other", "label", CONFIRMED),
    ("<h2 align='center'>In HTML</h2>", "in-html", CONFIRMED),
    ('<h2><img src="a.svg">&nbsp;&nbsp;In a row</h2>', "in-a-row", CONFIRMED),
    ('<a name="mark"></a>\n\nText.', "mark", CONFIRMED),
    ("<div id='box'>x</div>", "box", CONFIRMED),
    ("## ![logo](x.png) Tool", "tool", UNTOLD),
    ("## Camel Case", "Camel-Case", REFUTED),
    ("## Camel Case", "user-content-camel-case", CONFIRMED),
    ("## What's new?", "whats-new", CONFIRMED),
    ("## [`Name`][package.Name] is new", "name-is-new", CONFIRMED),
    ("## C++ / C#", "c--c", CONFIRMED),
    ("```\n## In code\n```", "in-code", REFUTED),
    ("## Here", "there", REFUTED),
    ("## Here", "here-and-there", REFUTED),
    ("## Use it\n\n### On: start", "use-it-on:start", UNTOLD),
    ("## Use it\n\n## On start", "use-it-on-start", REFUTED),
    ("## EmailTemplate", "email-template", REFUTED),  # no rule puts a hyphen there
    ("## Email_Template", "email-template", UNTOLD),
    ("```js\nexport const a = 1\n```", "there", REFUTED),
    ("{% include 'x.md' %}", "there", UNTOLD),
    ("{{ toc }}", "there", UNTOLD),
    ("::: package.module", "there", UNTOLD),
    ("::: tip\nText.\n:::", "there", REFUTED),
    ("import Tabs from '@theme/Tabs'", "there", REFUTED),
    ("import Part from './_part.mdx'", "there", UNTOLD),
    ("--8<-- 'x.md'", "there", UNTOLD),
    ("<!--@include: ./gen/x.md-->", "there", UNTOLD),
    ("<!-- a comment -->", "there", REFUTED),
    ("<Options of='x' />", "there", UNTOLD),
    ("<br />", "there", REFUTED),
    ("{{% note %}}", "there", REFUTED),
    ("{{% rows %}}", "there", UNTOLD),
    ("## `open(a[, b][, c])`", "opena-b-c", CONFIRMED),
    ("`There`\n: A term of a list.", "there", UNTOLD),
    ("Not `there`\n: A term of a list.", "there", REFUTED),
]


@pytest.fixture(scope="module")
def cited(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Decision, str]]:
    """The decision about each heading that is linked, and the text with the heading."""
    repo = Repo(tmp_path_factory.mktemp("slugs"))
    guides = [f"# Guide\n\n{heading}\n\nText.\n" for heading, _, _ in SLUGS]
    repo.commit(
        {f"docs/guide_{n}.md": guide for n, guide in enumerate(guides)}
        | {"mkdocs.yml": "site_name: x\n"}
    )
    claims = [
        f"All of it is told in [the guide](../docs/guide_{n}.md#{anchor})."
        for n, (_, anchor, _) in enumerate(SLUGS)
    ]
    found = repo.judge_each(claims)
    return [(found[claim], guide) for claim, guide in zip(claims, guides, strict=True)]


@pytest.mark.parametrize("row", range(len(SLUGS)), ids=[f"{h}#{anchor}" for h, anchor, _ in SLUGS])
def test_slugs(cited: list[tuple[Decision, str]], row: int) -> None:
    (found, guide), (_, anchor, verdict) = cited[row], SLUGS[row]
    told = [e.verdict for e in found.evidence if e.kind is CitationKind.ANCHOR]
    if verdict == REFUTED:
        assert told == [REFUTED]
        assert found.rule == "refuted-citation"
        return
    assert told in ([], [CONFIRMED])
    assert (anchor.lower().removeprefix("user-content-") in anchors_of(guide).exact) is bool(
        verdict
    )


def test_a_forge_has_one_anchor_for_a_heading(tmp_path: Path) -> None:
    """`#run` and `#email-template` lead nowhere on a forge; only generators of sites make them."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/guide.md": "# Guide\n\n## 🚀 Run\n\n## Email_Template\n\nText.\n"})
    for anchor in ("run", "email-template"):
        found = repo.judge(f"All of it is told in [the guide](../docs/guide.md#{anchor}).")
        assert [e.verdict for e in found.evidence if e.kind is CitationKind.ANCHOR] == [REFUTED]


def test_a_page_with_front_matter_may_be_on_a_site(tmp_path: Path) -> None:
    """Lume makes `#deno.cwd` from “Deno.cwd”. The configuration of a site may be elsewhere."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/guide.md": "---\ntitle: Guide\n---\n\n## Deno.cwd\n\nText.\n"})
    for anchor, verdicts in (("deno.cwd", []), ("deno.pwd", [REFUTED])):
        found = repo.judge(f"All of it is told in [the guide](../docs/guide.md#{anchor}).")
        assert [e.verdict for e in found.evidence if e.kind is CitationKind.ANCHOR] == verdicts


LINKS = [
    ("[x](#notes)", False),
    ("[x](#here)", False),
    ("[x](#nowhere)", True),
    ("[![x](https://example.org/x.svg)](#nowhere)", False),
    ('<a href="#nowhere"><img src="https://example.org/x.svg"></a>', False),
    ("[nowhere](#nowhere)", True),
    ("[x](#top)", False),
    ('[x](## "tip")', False),
    ("[x](#L12)", False),
    ("[x](../docs/guide.md#L12)", False),
    ("[x](../docs/guide.md#:~:text=x)", False),
    ("[x](../docs/guide#nowhere)", True),
    ("[x](../docs/gone.md#nowhere)", False),
    ("[x](https://example.org/a.md#nowhere)", False),
    ("[x](mailto:a@example.org#nowhere)", False),
    ("[x](../docs/page.html#nowhere)", False),
    ("[x](../docs/guide.md#nowhere 'title')", True),
    ("`[x](#nowhere)`", False),
    ('[x]({{< relref "../docs/guide#nowhere" >}})', True),
    ('[x]({{% ref "../docs/guide.md#guide" %}})', False),
    ('[x]({{< relref "../docs/gone#nowhere" >}})', False),
]


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> list[list[Decision]]:
    repo = Repo(tmp_path_factory.mktemp("links"))
    repo.commit({"docs/guide.md": "# Guide\n", "docs/page.html": "<p>x</p>\n"})
    texts = [
        f"# Notes\n\n## Here\n\nAll of this is told in {link} by somebody.\n" for link, _ in LINKS
    ]
    return [
        *repo.decide({f"memory-bank/notes_{n}.md": text for n, text in enumerate(texts)}).values()
    ]


@pytest.mark.parametrize(("row", "refuted"), [(n, wrong) for n, (_, wrong) in enumerate(LINKS)])
def test_links(linked: list[list[Decision]], row: int, refuted: bool) -> None:
    found = (e for decision in linked[row] for e in decision.evidence)
    verdicts = [e.verdict for e in found if e.kind is CitationKind.ANCHOR]
    assert (REFUTED in verdicts) is refuted, LINKS[row]


def test_the_nearest_heading_is_said(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/guide.md": "# Guide\n\n## Installing it\n"})
    found = repo.judge("All of it is told in [the guide](../docs/guide.md#instaling-it).")
    (reason,) = [e.reason for e in found.evidence if e.kind is CitationKind.ANCHOR]
    assert reason == "docs/guide.md has no heading #instaling-it; perhaps #installing-it"


PAGE = "# Guide\n\n## Set up\n\nRun it.\nThen wait.\n\n## Use\n\nUse it.\n\n## Client instances\n\nOne.\n"


@pytest.mark.parametrize("put", [Repo.commit, Repo.stage])
@pytest.mark.parametrize(
    ("now", "anchor", "said"),
    [
        (PAGE.replace("Set up", "Install"), "set-up", ": the heading is now #install"),
        # The section went, and another stands in its place.
        (PAGE.replace("Set up\n\nRun it.\nThen wait.", "Bugs\n\nNone."), "set-up", ""),
        (PAGE.replace("Set up", "How to set up"), "set-up", ": the heading is now #how-to-set-up"),
        (PAGE.replace("Client", "Request"), "client-requests", ""),
        (PAGE, "client-instance", "; perhaps #client-instances"),
        (PAGE, "request-instances", ""),
        (PAGE, "all-client-instances", "; perhaps #client-instances"),
        (PAGE, "instances", ""),
        (PAGE, "outlet-7", None),
        (PAGE, "nix-opt-rows.age", None),
        (PAGE + '<a id="outlet-x"></a>\n', "outlet-x", None),
    ],
)
def test_what_a_heading_is_called_now(
    tmp_path: Path, now: str, anchor: str, said: str | None, put: Callable[[Repo, Files], None]
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/guide.md": PAGE})
    put(repo, {"docs/guide.md": now, "x": "x"})
    found = repo.judge(f"All of it is told in [the guide](../docs/guide.md#{anchor}).")
    wrong = [e.reason for e in found.evidence if e.verdict == REFUTED]
    assert wrong == ([] if said is None else [f"docs/guide.md has no heading #{anchor}{said}"])


def test_links_that_a_program_wrote_are_left_alone(tmp_path: Path) -> None:
    """all-contributors writes anchors that only carry a title."""
    repo = Repo(tmp_path / "repo")
    written = '<!-- ALL-CONTRIBUTORS-LIST:START -->\n<a href="#code-ann">x</a>\n<!-- ALL-CONTRIBUTORS-LIST:END -->'
    repo.commit({"README.md": f"# A\n\n{written}\n\nSee [b](#gone).\n"})
    result = repo.check("all")
    wrong = [e.target for d in result.report.decisions for e in d.wrong]
    assert wrong == ["README.md#gone"]


@pytest.mark.parametrize(
    ("path", "text", "refuted"),
    [
        ("docs/a.mdx", "# Title\n\n[x](#gone)\n", True),
        ("a.md", "# T\n\n[x](#gone)\n\n<!-- AUTOGENERATED OPTIONS -->\n\n## U\n", False),
        ("a.md", "# T\n\n[x](#gone)\n\n<!-- AUTOGENERATED OPTIONS -->\n\nThe rows.\n", True),
        ("a.md", "# T\n\n[x](#gone)\n\n<!-- END doctoc generated TOC -->\n\n## U\n", True),
        ("docs/a.mdx", "# Title\n\n```jsx\n<Step />\n```\n\n[x](#gone)\n", True),
        ("docs/a.mdx", "# Title\n\n<Step title='Gone'>\n\n[x](#gone)\n", False),
        ("docs/a.mdx", "# Title\n\n<Step title={gone}>\n\n[x](#gone)\n", False),
        ("docs/a.mdx", "# Title\n\n<Step>\n    ### Gone\n</Step>\n\n[x](#gone)\n", False),
        ("docs/a.mdx", "---\nopenapi: post /x\n---\n\n[x](#gone)\n", False),
        ("docs/a.md", "# T\n\n<Api path='/gone' method='get'>\n\n[x](#get-gone)\n", False),
        ("docs/a.mdx", "# Title\n\n<Note type='x'>\n\nIt <Is /> so: [x](#gone)\n", True),
        ("docs/a.mdx", "[x](#b)\n\n<Tab>\n```js\nf()\n\ng()\n```\n</Tab>\n\n## B\n", False),
        ("docs/a.md", "[x](#b)\n\n## Sharing (B)#b\n", False),
        ("docs/a.md", "[x](#get-b)\n\n## Sharing [get-b]\n", False),
        ("docs/a.md", "[x](#_b_2)\n\n## Sharing [_b_2]\n", False),
        ("docs/a.mdx", "# Title\n\n```mdx-code-block\n<Api />\n```\n\n[x](#gone)\n", False),
    ],
)
def test_anchors_of_a_site(tmp_path: Path, path: str, text: str, refuted: bool) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/docusaurus.config.js": "", path: text})
    problems = [d for d in repo.decisions("all") if d.rule.startswith("refuted")]
    assert bool(problems) is refuted


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("nav:\n  - Mystery: a.md\n", True),
        ("markdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify {}\n", True),
        ("markdown_extensions:\n  - toc:\n      slugify: !!python/name:shop.slug\n", False),
        ("plugins: [myst_nb]\n", False),
    ],
)  # fmt: skip
def test_only_a_rule_of_its_own_hides_a_missing_anchor(
    tmp_path: Path, config: str, told: bool
) -> None:
    repo = Repo(tmp_path / "repo")
    text = "# T\n\n[x](#gone) [y](#set_up)\n\n{% raw %}\n\n## Set up\n\n{% endraw %}\n"
    repo.commit({"mkdocs.yml": f"site_name: x\n{config}", "docs/a.md": text})
    wrong = [e.target for d in repo.decisions("all") for e in d.wrong]
    assert wrong == ["docs/a.md#gone"] * told


FORGE = "https://github.com/shop/courier/blob/main"
SITE = "https://docs.courier.io/manual"


@pytest.mark.parametrize(
    ("link", "refuted"),
    [
        (f"{FORGE}/docs/guide.md#set-up", False),
        (f"{FORGE}/docs/guide.md#gone", True),
        ("https://github.com/other/courier/blob/main/docs/guide.md#gone", False),
        (f"{SITE}/guide/#set-up", False),
        (f"{SITE}/guide/#gone", True),
        (f"{SITE}/other/#gone", False),
        ("https://docs.other.io/guide/#gone", False),
    ],
)
def test_the_url_of_an_own_page(tmp_path: Path, link: str, refuted: bool) -> None:
    repo = Repo(tmp_path / "repo")
    repo.git("remote", "add", "origin", "https://github.com/shop/courier.git")
    repo.commit({
        "mkdocs.yml": f"site_url: {SITE}/\n", "docs/guide.md": "# Guide\n\n## Set up\n",
    })  # fmt: skip
    repo.stage({"notes.md": f"# Notes\n\nAll of it is in [x]({link}).\n"})
    wrong = [e.target for d in repo.decisions() for e in d.evidence if e.verdict == REFUTED]
    assert bool(wrong) is refuted, wrong

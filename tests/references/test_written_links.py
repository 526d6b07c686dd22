"""Links that Markdown itself does not have: of wikis, front matter, MyST, Hugo and MDX."""

from __future__ import annotations

import pytest
from repos import Files, Repo

PAGE = "# A\n\n## Steps\n\nText.\n"
TREE: Files = {
    **{f"notes/{name}.md": f"# {name}\n\nSee [[Home]].\n" for name in ("Home", "Queue", "Set-up")},
    "notes/map.md": "---\naliases: [Plan of roads]\n---\n\n[[Queue#Home]] [[set up]] [[HOME]]\n",
    "notes/Depot.md": PAGE, "src/send.py": "A = 1\n", "src/queue.py": "B = 1\n",
    "src/legacy/a.py": "C = 1\n", "site/conf.py": "extensions = []\n", "site/install.md": PAGE,
    "site/queues.md": PAGE, "site/x/b.py": "D = 1\n", "hugo/hugo.toml": "baseURL = '/'\n",
    "hugo/content/docs/set-up.md": PAGE, "hugo/content/docs/queues.md": PAGE,
    "hugo/content/docs/area/_index.md": PAGE, "hugo/content/area/docs.md": PAGE,
    "web/docusaurus.config.js": "", "web/src/Old.tsx": "E", "web/src/Chart.ts": "F",
    "web/src/menu/index.js": "G", "web/docs/b.mdx": PAGE,
}  # fmt: skip
GONE = (
    "notes/Depot.md", "src/queue.py", "src/legacy/a.py", "site/queues.md", "site/x/b.py",
    "hugo/content/docs/queues.md", "hugo/content/docs/area/_index.md", "web/src/Old.tsx",
)  # fmt: skip
NOTE, SITE, HUGO, MDX = "notes/a.md", "site/guides/a.md", "hugo/content/docs/a.md", "web/docs/a.mdx"
ROWS = [
    (NOTE, "See [[Queue]], [[home|the start]], [[notes/Set up]], [[Plan of roads]].", ""),
    (NOTE, "See [[Depot]].", "link"),
    (NOTE, "| [[Depot\\|the depot]] |", "link"),
    (NOTE, "See `[[Depot]]` and ![[Depot]].", ""),
    (NOTE, "```\n[[Depot]]\n```", ""),
    (NOTE, "<!-- See\n[[Depot]] -->", ""),
    (NOTE, "See [[Trucks]].", ""),  # an old text may name a note that nobody has written
    (NOTE, "See [[Queue#Queue]], [[Queue#^a1]].", ""),
    (NOTE, "See [[Queue#Steps]].", "anchor"),
    ("src/a.md", "See [[Depot]].", ""),  # no wiki
    (NOTE, "---\nfiles:\n  - src/send.py\n  - src/queue.py\n---", "path"),
    (NOTE, "---\nsource: 'src/queue.py'\n---", "path"),
    (NOTE, "---\nsource: ../src/never.py\nfiles: [src/send.py, src/none.py]\n---", ""),
    (NOTE, "---\nreplaces: src/queue.py\ntitle: How src/queue.py works\n---", ""),
    (".claude/rules/a.md", '---\npaths:\n  - "src/legacy/**"\n---', "path"),
    (".claude/rules/a.md", '---\nglobs: src/**/*.py,lib/**/*.py\n---', ""),
    (SITE, "See {doc}`/install`, {doc}`x <../install>`, {doc}`x:y`.", ""),
    (SITE, "See {doc}`/queues`.", "link"),
    (SITE, "See {doc}`the queues <../queues>`.", "link"),
    (SITE, "See ``{doc}`/queues` ``.", ""),
    (SITE, "```{include} ../install.md\n```", ""),
    (SITE, "```{literalinclude} ../x/b.py\n```", "link"),
    (SITE, ":::{literalinclude} /x/b.py\n:::", "link"),
    ("src/a.md", "```{literalinclude} ../site/x/b.py\n```", ""),  # no site
    (HUGO, 'A [x]({{< relref "set-up.md" >}}) {{% ref "/docs/set-up#steps" %}}', ""),
    (HUGO, 'A [x]({{< relref "queues.md" >}})', "link"),
    (HUGO, 'A [x]({{< ref "/docs/queues" >}})', "link"),
    (HUGO, 'A [x]({{< relref "area" >}})', ""),  # another folder of this name
    (HUGO, 'A [x]({{< ref "never.md" >}})', ""),
    (HUGO, 'A [x]({{% relref "set-up#stages" %}})', "anchor"),
    (MDX, "import Chart from '../src/Chart'", ""),
    (MDX, "import { Old } from '../src/Old'", "link"),
    (MDX, 'import Old from "@site/src/Old";', "link"),
    (MDX, 'import Menu from "@site/src/menu";\nimport Never from "../src/Never"', ""),
]  # fmt: skip


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("links"))
    repo.commit(TREE)
    repo.commit(dict.fromkeys(GONE))
    pages = {
        _place(n): text if text[:3] == "---" else f"# A\n\n{text}"
        for n, (_, text, _) in enumerate(ROWS)
    }
    repo.commit({path: f"{text}\n" for path, text in pages.items()})
    return repo


def _place(number: int) -> str:
    folder, _, name = ROWS[number][0].rpartition("/")
    return f"{folder}/row{number}.{name.rpartition('.')[2]}"


@pytest.fixture(scope="module")
def rules(repo: Repo) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in repo.check("all").report.problems:
        found.setdefault(problem.path, []).append(problem.rule)
    return found


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_links_that_markdown_does_not_have(rules: dict[str, list[str]], number: int) -> None:
    _, _, kind = ROWS[number]
    assert rules.get(_place(number), []) == ([f"refuted-citation[{kind}]"] if kind else [])

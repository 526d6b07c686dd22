"""References that a reader must not take for this tree's: of another project, of an older version,
of a test, or not written yet. Each case has a twin that is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.report.findings import list_findings

DOCUMENT = "docs/guide.md"
FILES: Files = {
    "package.json": '{"name": "shop-api", "scripts": {"build": "tsc"}}',
    "Makefile": "check:\n\ttrue\n",
    "web/app.ts": "export const a = 1;\n",
    "src/old.py": "def parse_order():\n    return 1\n",
    "tests/api.py": "def recorded_reply():\n    return 1\n",
    "test/roles/tasks/main.yml": "- name: x\n",
    "testdata/go/Makefile": "manifests:\n\ttrue\n",
}  # fmt: skip


COMMITS = (FILES, dict.fromkeys(("src/old.py", "tests/api.py", "test/roles/tasks/main.yml")))


def wrong_lines(repo: Repo, files: Files) -> list[tuple[str, int]]:
    repo.git("read-tree", "--reset", "-u", "HEAD")
    repo.stage(files)
    return sorted({(f.path, f.line) for f in list_findings(repo.check().report)})


def wrong_in_tree(root: Path, files: Files) -> list[tuple[str, int]]:
    """The wrong lines of a whole check. In a change, base has to have the notice too."""
    repo = Repo(root / "repo")
    repo.commit({**FILES, **files})
    return sorted({(f.path, f.line) for f in list_findings(repo.check("all").report)})


def lines(repo: Repo, text: str, document: str = DOCUMENT) -> list[int]:
    return lines_of_each(repo, [text], document)[0]


def lines_of_each(
    repo: Repo, texts: Iterable[str], path: str = "docs/guide{}.md"
) -> list[list[int]]:
    """The wrong lines of texts, each in a document of its own."""
    documents = {path.format(n): f"# Guide\n\n{text}\n" for n, text in enumerate(texts)}
    wrong = wrong_lines(repo, {**documents})
    return [[line for where, line in wrong if where == path] for path in documents]


MADE = "```sh\nmkdir shop && cd shop\n```\n\n"


ENTERING = (
    (f"{MADE}Then `make deploy`.", []),
    (f"{MADE}```sh\nmake deploy\n```", []),
    (f"{MADE}Edit `web/page.ts`.", []),
    (f"{MADE}## Later\n\nThen `make deploy`.", []),
    (f"{MADE}See [the page](page.md).", [7]),
    (f"Then `make deploy`.\n\n{MADE}", [3]),
    ("```sh\ngit clone git@host:x/shop-api.git\ncd shop-api\n```\n\n`make deploy`", [8]),
    ("```sh\ngit clone git@host:x/other.git; cd other\n```\n\n`make deploy`", []),
    ("```sh\ngit clone git@host:x/shop-api.git\ncd shop-api\nmake deploy\n```", [6]),
    ("```sh\ngit clone git@host:x/other.git\ncd other\nmake deploy\n```", []),
    ("```sh\ngit clone git@host:x/shop-api.git web\ncd web\nmake deploy\n```", [6]),
    ("```sh\ncd web\n```\n\n`make deploy`", [7]),
    ("```sh\nmkdir build && cd build\n```\n\n`make deploy`", [7]),
    ("```sh\ncd your-repo\n```\n\n`make deploy`", [7]),
)
ENTERING_ELSEWHERE = (
    ("README.md", f"{MADE}## Later\n\nThen `make deploy`.", [9]),
    ("README.md", f"{MADE}### Below\n\nThen `make deploy`.", []),
    ("docs/a.md", "* Clone it: `git clone -b v1 https://h.io/x/other`\n* Run `make deploy`", []),
    ("docs/a.md", "* Clone it: `git clone git@host:x/shop-api`\n* Run `make deploy`", [4]),
    ("docs/a.md", "Clone `git clone git@h:x/other`.\n\n## Build\n\nRun `make deploy`", [7]),
    ("docs/development.md", "```sh\ngit clone git@host:x/go.git\n```\n\n`make deploy`", []),
)


def test_a_page_that_enters_another_project(repo: Repo) -> None:
    assert lines_of_each(repo, (text for text, _ in ENTERING)) == [found for _, found in ENTERING]
    for document, text, found in ENTERING_ELSEWHERE:
        assert lines(repo, text, document) == found


MEANINGS = (
    ("- `web/page.ts` - Deletes completed orders", [3]),
    ("- `web/page.ts`: Removes old rows", [3]),
    ("- **`web/page.ts`** — Generates the report", [3]),
    ("- `web/page.ts` — removed in 2.0", []),
    ("- `web/page.ts` - was removed", []),
    ("Open your `web/page.ts` first.", []),
    ("Open `web/page.ts` first.", [3]),
    ("```sh\nsort web/a > web/page.ts\n```\n\nThe rows are in `web/page.ts`.", []),
    ("```sh\nopenssl genrsa -out web/page.ts 2048\n```\n\nKeep `web/page.ts`.", []),
    ("```sh\nsort web/page.ts > rows\n```\n\nThe rows are in `web/page.ts`.", [7]),
    ("- TODO: [Messages](messages.md): about SMS", []),
    ("- [Messages](messages.md) (coming soon)", []),
    ("- [TODO](messages.md): about SMS", [3]),
    ("`parse_order()` reads a row.", [3]),
    ("`recorded_reply()` reads a row.", []),
    ("The tests use `recorded_reply()` in `tests/api.py`.", [3]),
    ("Run `make manifests`.", []),
    ("```sh\nmake manifests or\nmake manifest\n```", [5]),
    ("Run `make manifest`.", [3]),
    ("Change `roles/tasks/main.yml`.", []),
    ("Change `test/roles/tasks/main.yml`.", [3]),
    ("```json\n{\"scripts\": {\"start:worker\": \"x\"}}\n```\n\n```sh\nnpm run start:worker\n```", []),
    ("```json\n{\"start:worker\": \"x\"}\n```\n\n```sh\nnpm run start:worker\n```", [8]),
)  # fmt: skip


def test_what_a_text_means(repo: Repo) -> None:
    assert lines_of_each(repo, (text for text, _ in MEANINGS)) == [found for _, found in MEANINGS]


def test_docs_of_older_versions_and_generated_clients_are_not_read(repo: Repo) -> None:
    broken = "# Page\n\nSee [x](gone.md).\n"
    pages: Files = {
        "site/docs/v2/page.md": broken,
        "site/docs/v10/page.md": broken,
        "guide/docs/v1/page.md": broken,
        "www/docs/1.20/page.md": broken,
        "www/docs/v1.19/page.md": broken,
        "www/docs/main/page.md": broken,
        "sdk/README.md": broken,
        "sdk/NOTES.md": broken,
        "sdk/.openapi-generator/FILES": "README.md\nsrc/a.rb\n",
    }
    found = {path for path, _ in wrong_lines(repo, pages)}
    read = ("site/docs/v10/page.md", "guide/docs/v1/page.md", "www/docs/main/page.md")
    assert found == {*read, "sdk/NOTES.md"}


LOOKING_WRONG: tuple[tuple[str, str, Files], ...] = (
    ("ci/README.md", "- **a.sh/b.sh**: run tests.\n- **c.sh**: x.\n- **d.sh**: x.\n",
     {f"ci/{n}.sh": "true\n" for n in "abcd"}),
    ("ev/shop/README.md", "```sh\npython -m shop.harness.run\n```\n", {"ev/shop/__init__.py": ""}),
    ("ci/ENV.md", "Name | Default | For\n---|---|---\n`P_BIN` | `python${P}` | tests\n",
     {"ci/env.sh": 'export P_BIN="${P_BIN:-python3}"\n'}),
)  # fmt: skip


def test_texts_that_name_something_else(repo: Repo) -> None:
    for path, text, files in LOOKING_WRONG:
        assert wrong_lines(repo, {path: f"# Guide\n\n{text}", **files}) == [], path


def test_links_in_proposals_to_files_of_their_day(repo: Repo) -> None:
    text = "# Plan\n\nSee [x](../src/old.py) and [y](../src/never.py).\n"
    assert wrong_lines(repo, {"proposals/plan.md": text}) == [("proposals/plan.md", 3)]
    messages = [f.fact for f in list_findings(repo.check().report)]
    assert messages == ["../src/never.py: no such file"]


def test_front_matter_that_nothing_reads(repo: Repo) -> None:
    text = "---\nname: :bug: a: b\n---\n\n# Title\n"
    found = wrong_lines(repo, {".github/TEMPLATE/bug.md": text, "memory-bank/bug.md": text})
    assert [path for path, _ in found] == ["memory-bank/bug.md"]


def test_a_wrong_reference_is_reported_on_its_own_line(repo: Repo) -> None:
    text = "One line says much,\nthe next [a](none.md) and\nthe third `npm run\nnope` and `npm run build`."
    assert lines(repo, text) == [4, 5]


def test_a_part_of_a_file_is_named_but_not_written_by_a_fix(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    rows = [f"export const name{n} = {n};\n" for n in range(20)]
    other = "".join(f"export function call{n}() {{}}\n" for n in range(20))
    repo.commit({"src/client.ts": "".join(rows), "src/other.ts": other})
    repo.write({"src/client.ts": None, "src/other.ts": None})
    changed = "".join((*rows[:14], *(f"let value{n}\n" for n in range(6))))
    repo.commit({"lib/part.ts": changed, "lib/same.ts": other})
    repo.stage({DOCUMENT: "# Guide\n\nSee `src/client.ts`.\n\nSee `src/other.ts`.\n"})
    found = list_findings(repo.check().report)
    assert {(f.fact.partition(" in ")[0], f.instead) for f in found} == {
        ("src/client.ts: moved to lib/part.ts", ""),
        ("src/other.ts: moved to lib/same.ts", "lib/same.ts"),
    }


def test_names_that_one_commit_took_away_together(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    few, many = ([f"{word}_order{n}" for n in range(9)] for word in ("parse", "send"))
    code = {"src/few.py": few, "src/many.py": many}
    repo.commit({path: "".join(f"def {n}(): ...\n" for n in names) for path, names in code.items()})
    repo.commit({"src/many.py": None})
    repo.commit({"src/few.py": None})
    text = [f"`{name}()` reads a row." for name in (*few[:8], *many)]
    repo.stage({DOCUMENT: "\n\n".join(("# Guide", *text))})
    found = [f.fact for f in list_findings(repo.check().report)]
    assert len(found) == 8
    assert all("src/few.py" in fact for fact in found)


def test_a_page_about_the_current_code_after_a_mass_removal(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    gone, kept = ([f"{word}_order{n}" for n in range(9)] for word in ("parse", "send"))
    repo.commit(
        {
            "src/gone.py": "".join(f"def {n}(): ...\n" for n in gone),
            "src/kept.py": "".join(f"def {n}(): ...\n" for n in kept),
        }
    )
    repo.commit({"src/gone.py": None})
    pages = {"docs/live.md": (gone[0], *kept[:2]), "docs/old.md": (*gone, *kept[:2])}
    found = wrong_lines(
        repo,
        {
            path: "\n\n".join(("# Guide", *(f"`{name}()` reads a row." for name in names)))
            for path, names in pages.items()
        },
    )
    assert found == [("docs/live.md", 3)]


def test_a_removed_name_in_a_file_that_does_not_exist(repo: Repo) -> None:
    repo.stage({DOCUMENT: "# Guide\n\n`parse_order()` in `none/none.py` reads a row.\n"})
    assert any("parse_order" in f.fact for f in list_findings(repo.check().report))


def test_an_include_of_a_file_that_git_ignores(repo: Repo) -> None:
    text = "# Guide\n\n{{#include ../docs/made.md:2:}}\n"
    assert wrong_lines(repo, {DOCUMENT: text, ".gitignore": "docs/made.md\n"}) == []
    assert wrong_lines(repo, {DOCUMENT: text}) == [(DOCUMENT, 3)]


def test_a_link_definition_is_reported_where_it_is_used(repo: Repo) -> None:
    text = "One line,\nthe [next][a] and\nthe [third][b].\n\n[a]: none.md\n[b]: page.md#none"
    files = {DOCUMENT: f"# Guide\n\n{text}\n", "docs/page.md": "# Page\n"}
    assert wrong_lines(repo, files) == [(DOCUMENT, 4), (DOCUMENT, 5)]


def test_a_member_that_a_class_never_had(repo: Repo) -> None:
    code = "class Store:\n    def load(self): ...\n\n\nclass Cart(Base):\n    def add(self): ...\n"
    text = "`Store.load` reads.\n\n`Store.fetch_all` reads.\n\n`Cart.fetch_all` reads."
    code += "\n\nclass Shop(Store):\n    pass\n"
    text += "\n\n`Shop.load` reads.\n\n`Shop.fetch_all` reads."
    script = "export class Page implements Sheet {\n  open() {}\n}\n"
    text += "\n\n`Page.open` reads.\n\n`Page.fetch_all` reads."
    files = {"src/store.py": code, "src/page.ts": script, DOCUMENT: f"# Guide\n\n{text}\n"}
    assert wrong_lines(repo, files) == [(DOCUMENT, n) for n in (5, 11, 15)]


def test_names_and_folders_that_never_existed(repo: Repo) -> None:
    texts = {
        "`make_row()` is defined in `web/app.ts`.": [3],
        "Add `make_row()` in `web/app.ts`.": [],
        "The folder `web/codes/` has the rows.": [3],
        "The folder `web/dist/` has the rows.": [],
        "The folder `codes/` has the rows.": [],
    }
    assert lines_of_each(repo, texts) == [*texts.values()]


@pytest.mark.parametrize(("kept", "found"), [({}, [5]), ({"go.mod": "module x\n"}, [3, 5])])
def test_a_page_of_a_repository_that_contains_only_a_web_site(
    repo: Repo, kept: Files, found: list[int]
) -> None:
    text = "# Guide\n\nThen `npm run deploy` in `web/deploy.ts`.\n\nSee [the page](page.md).\n"
    files: Files = {"docusaurus.config.ts": "export default {};", "Makefile": None}
    pages = ("docs/a.md", "docs/development.md")
    wrong = wrong_lines(repo, {**files, **kept, **dict.fromkeys((*pages, "README.md"), text)})
    assert [(p, n) for p, n in wrong if p in pages] == [(p, n) for p in pages for n in found]
    assert [line for path, line in wrong if path == "README.md"] == [3, 5]


def test_an_index_of_invented_files_is_no_copy(repo: Repo) -> None:
    links = "\n".join(f"- [{n}](cmd/{n}.go)" for n in range(6))
    assert wrong_lines(repo, {DOCUMENT: f"# Index\n\n{links}\n"}) == [
        (DOCUMENT, line) for line in range(3, 9)
    ]


TEMPLATES = (
    ("{%- set code %}", "{%- endset %}", [9]),
    ("{% highlight html %}", "{% endhighlight %}", [9]),
    ("{% set code = 1 %}", "{% endset %}", [5, 9]),
    ("{% raw %}", "{% endraw %}", [5, 9]),  # a page that shows `{{` has text in such a block
    ("{% capture x %}", "{% endset %}", [5, 9]),
)


def test_code_that_a_template_stores_or_highlights(repo: Repo) -> None:
    page = "{}\n\n[Home](never.md)\n\n{}\n\n[Page](page.md)"
    texts = (page.format(block, end) for block, end, _ in TEMPLATES)
    assert lines_of_each(repo, texts) == [found for *_, found in TEMPLATES]


@pytest.mark.parametrize(("page", "found"), [("site/docs/a.md", [5]), ("docs/a.md", [3, 5])])
def test_a_script_that_a_page_of_a_web_site_names(
    tmp_path: Path, page: str, found: list[int]
) -> None:
    """The readers of a site run scripts of their own package.json, but a removed script was ours."""
    repo = Repo(tmp_path)
    scripts = {"build": "x", "dev": "y --watch"}
    files: Files = {"site/docusaurus.config.ts": "", "src/app.ts": "export {};\n"}
    repo.commit({**files, "package.json": json.dumps({"scripts": scripts})})
    text = "# A\n\nThen `npm run serve`.\n\nThen `npm run dev`.\n"
    repo.commit({"package.json": json.dumps({"scripts": {"build": "x"}}), page: text})
    assert [f.line for f in list_findings(repo.check("all").report)] == found
    repo.stage(
        {"package.json": json.dumps({"scripts": {}}), page: f"{text}\nThen `npm run build`.\n"}
    )
    assert 7 in [f.line for f in list_findings(repo.check().report)]

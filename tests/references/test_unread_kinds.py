"""Kinds of references and documents that two unread sets of repositories showed in November 2026."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.report.findings import list_findings

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n[project.optional-dependencies]\n'
    'http2 = ["h2>=3,<5"]\n',
    "Dockerfile": 'ARG KUBECTL_VERSION="v1.35.3"\n',
    "go.mod": "module example.org/shop\n\ngo 1.23.0\n",
    "web/app.js": "app.set('query parser', 'simple');\napp.set('offset', 2);\n",
    "shop/limits.py": "class Limits:\n    def __init__(self, idle_time=5.0): ...\n",
    "shop/__init__.py": "from shop.rows import keep_rows\n",
    "shop/rows.py": "def keep_rows(): ...\nSUFFIX = '.jinja'\nLIMIT = 40\nDEEP_LIMIT = 10\nNO_LIMIT = 0\n",
    "shop/cmd/cmd.py": "A = 1\n",
    "pkg/store/store.go": 'package store\nvar D = Options{Strict: false}\nfunc OpenRows() {}\n',
    "pkg/other/other.go": "package other\nfunc ShutRows() {}\n",
    "scripts/tools.sh": "curl -sSf https://x.org/gosec/4a5b6c/install.sh | sh -s v2.22.11\n"
    "go install x.org/swag@v1.16.6\ngo install x.org/lint@v1.1.0\ngo install x.org/lint@v1.2.0\n",
    "lib/base.rb": "module Shop\n  module Guard\n    class Base\n      def deny; end\n"
    "      define_method(:allow) { true }\n    end\n    class Open\n      include Rows\n    end\n"
    "  end\nend\n",
    "lib/cart.rb": "class Cart\n  def reject; end\nend\n",
    "web/all.ts": "export * from './lights';\n",
    "web/Card.vue": "withDefaults(defineProps(), { castShadow: true })\n",
    "web/lights.ts": "export const defaults = { castShadow: false, hasFog: false };\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("kinds") / "repo")
    repo.commit(FILES)
    return repo


CLAIMS = (
    # A path needs no backticks.
    ("The rows are kept in shop/store.py.", "shop/store.py: no such file"),
    ("The rows are kept in shop/rows.py.", ""),
    ("The rows are kept in the directory shop/rows/old.", ""),  # perhaps a program makes it
    ("Read input/output or https://x.org/shop/store.py, or any/thing.", ""),
    # The file is one folder higher, or in the folder of its own name.
    ("The rows are in `shop/rows/rows.py`.", "no such file; there is shop/rows.py"),
    ("The command is in shop/cmd/cmd/cmd.py.", "no such file; there is shop/cmd/cmd.py"),
    # "Add a test to" needs the file, "add the test" makes it, and "old" means something else.
    ("Add a test to `shop/test_rows.py` when you change rows.", "no such file"),
    ("Add the test `shop/test_rows.py` when you change rows.", ""),
    ("The templates of the rows are in `shop/shapes.py`.", "no such file"),
    ("Helpers such as `keep_rows` are in `shop/help.py`.", "shop/help.py: no such file"),
    ("Helpers are in files such as `shop/help.py`.", "no such file"),
    ("Helpers are in files, for example `shop/help.py`.", ""),
    # Versions beside a file that is no manifest.
    ("`scripts/tools.sh` installs gosec v2.21.4.", "scripts/tools.sh has gosec 2.22.11, not 2.21.4"),
    ("`scripts/tools.sh` installs gosec v2.22.11.", ""),
    ("`scripts/tools.sh` installs swag@v1.16.4.", "scripts/tools.sh has swag 1.16.6, not 1.16.4"),
    ("`scripts/tools.sh` installs lint v1.0.0.", ""),  # the file has two versions
    ("`scripts/tools.sh` installs ruff v1.0.0.", ""),
    ("`scripts/tools.sh` installs gosec v2.21.", ""),
    # Members of the project's own packages and of classes with a namespace.
    ("`shop.drop_rows()` drops the rows.", "shop has no drop_rows"),
    ("`shop.keep_rows()` keeps the rows.", ""),
    ("`shop.drop()` may be any object.", ""),
    ("`shop.entryPoint` is the setting of an editor.", ""),
    ("`cart.drop_rows()` drops the rows of a `Cart`.", "lib/cart.rb has no Cart.drop_rows"),
    ("`cart.drop_rows` may be a key, and `cat.drop_rows()` any object.", ""),
    ("`store.CloseRows` closes the rows.", "pkg/store has no CloseRows"),
    ("`store.OpenRows` opens the rows, and `store.closeRows` may be any object.", ""),
    ("`http.CloseRows` is of Go's own package.", ""),
    ("`store.Open` may be a method of any object.", ""),
    ("`other.ShutRows` shuts the rows, and so does `http.ShutRows`.", ""),
    ("Rows that are missing are found by `find_rows` in `shop/rows.py`.", "has no find_rows"),
    ("`Shop::Guard::Base#reject` denies.", "lib/base.rb has no Shop::Guard::Base.reject"),
    ("`Shop::Guard::Base#deny` denies, and `Shop::Guard::Base#allow` allows.", ""),
    ("`Shop::Guard::Base#inspect` is of every object.", ""),
    ("`Shop::Guard::Open#reject` may come from a module.", ""),
    # Values.
    ("It is strict: `Strict` in `pkg/store/store.go` is true.", "is false, not true"),
    ("It is not strict: `Strict` in `pkg/store/store.go` is false.", ""),
    ("`castShadow` (default: `true`) gives a shadow.", ""),  # a component has it, too
    ("`hasFog` (default: `true`) gives fog.", "hasFog in web/lights.ts is false, not true"),
    ("By default, `query parser` is `extended` (`main` in `web/app.js`).", "is simple, not"),
    ("If asked, `query parser` is `extended` (`main` in `web/app.js`).", ""),
    ("`offset` is 3 by default (`web/app.js`).", "offset in web/app.js is 2, not 3"),
    ("`offset` is 2 by default (`web/app.js`).", ""),
    ("Rows stay for 30 seconds (`idle_time` of `Limits` in `shop/limits.py`).", "is 5.0, not 30"),
    ("It stops at a `DEEP_LIMIT` of 20.", "DEEP_LIMIT in shop/rows.py is 10, not 20"),
    ("It stops at a `DEEP_LIMIT` of 10.", ""),
    ("At most 20 rows of all kinds that we know of are kept (`DEEP_LIMIT`).", "is 10, not 20"),
    ("It keeps 4 rows unless you change `DEEP_LIMIT`.", "is 10, not 4"),
    ("Below 15% the build fails, see `DEEP_LIMIT` in `shop/rows.py`.", "is 10, not 15"),
    ("It has 4 rows, and you can change `DEEP_LIMIT`.", ""),
    ("`NO_LIMIT` is 5.", "is 0, not 5"),
    ("`NO_LIMIT` is 1.", ""),
    # Versions beside a Dockerfile, and versions that a named manifest asks for.
    ("The image of our Dockerfile has kubectl v1.32.2.", "Dockerfile has kubectl 1.35.3, not 1.32.2"),
    ("The image of our Dockerfile has kubectl v1.35.3.", ""),
    ("go.mod still declares Go 1.20, so Go 1.21 is too new.", "requires go 1.23.0 or newer, not 1.20"),
    ("go.mod declares Go 1.23, which Go 1.24 can build.", ""),
    ("The docs need Go 1.25 and the modules in `go.mod`.", ""),
    ("Go 1.29 does not work, because `go.mod` requires old modules.", ""),
    ("HTTP/2 needs h2 4.1 or newer, which `pyproject.toml` lists.", ""),
    ("`http2` in `pyproject.toml` requires h2 4.1 or newer.", "pyproject.toml has h2 >=3,<5"),
    ("`http2` in `pyproject.toml` requires h2 3.0 or newer.", ""),
    # Names that link to a file of code.
    ("See [`KeepRows`](../pkg/store/store.go) in Go.", "pkg/store/store.go has no KeepRows"),
    ("See [`OpenRows`](../pkg/store/store.go) in Go.", ""),
    ("See [keep_rows](../shop/limits.py).", "has no keep_rows; shop/rows.py defines it"),
    ("See [`Basket`](../shop/rows.py).", "shop/rows.py has no Basket"),
    ("See [Basket](../shop/rows.py) or [OpenAI](../shop/rows.py).", ""),  # topics
    ("See [`keepRows`](../web/all.ts).", ""),  # it exports the names of another file
    ("See [keep_rows](https://example.org/shop/limits.py).", ""),
    ("See [`Cart#reject`](../shop/rows.py), which another file has.", ""),
    ("See [`Cart#refuse`](../shop/rows.py).", "shop/rows.py has no Cart#refuse"),
)  # fmt: skip


def test_claims(repo: Repo) -> None:
    judged = repo.judge_each(claim for claim, _ in CLAIMS)
    for claim, why in CLAIMS:
        wrong = [e.reason for e in judged[claim].own_evidence if e.verdict == "refuted"]
        assert len(wrong) == bool(why), (claim, wrong)
        assert not why or why in f"{judged[claim].own_evidence[0].target}: {wrong[0]}", wrong


def wrong_lines(repo: Repo, path: str, text: str) -> list[int]:
    """The lines of a document that a check of the whole tree reports, after it is committed."""
    repo.commit({path: text})
    found = list_findings(repo.check("all").report)
    repo.commit({path: None})
    return [e.line for e in found if e.path == path and e.rule.startswith("refuted")]


RECORDS = (
    (".planning/milestones/v1/STATE.md", 0),
    (".planning/phases/01-rows/01-SUMMARY.md", 0),
    (".planning/codebase/STRUCTURE.md", 1),
    ("docs/historical/rows.md", 0),
    ("docs/brainstorming/rows.md", 0),
    ("docs/audits/2026-01-18/rows.md", 0),
    ("docs/audits/rows.md", 1),
    ("docs/rows.md", 1),
)


@pytest.mark.parametrize(("path", "told"), RECORDS)
def test_links_of_records(repo: Repo, path: str, told: int) -> None:
    assert len(wrong_lines(repo, path, "# Rows\n\nSee [the rows](gone/rows.md).\n")) == told


def test_a_removed_file_that_a_configuration_still_names(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"site_hooks.py": "A = 1\n", "mkdocs.yml": "hooks: [site_hooks.py]\n"})
    repo.commit({"CONTRIBUTING.md": "# C\n\nThe links are corrected by `site_hooks.py`.\n"})
    repo.stage({"site_hooks.py": None})
    affected = [e.line for e in list_findings(repo.check("staged").report)]
    assert affected == [3]


def test_pages_of_nuxt_with_numbers_and_several_sites(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    page = "# Use\n\nSee [rows](./rows.md), [more](./more.md) and [set up](/start/install#nuxt).\n"
    repo.commit({
        "apps/docs/nuxt.config.ts": "", "apps/docs/content/1.api/2.rows.md": "# Rows\n",
        "apps/docs/content/1.start/1.install.md": "# Install\n\n## Nuxt\n",
        "apps/other-docs/nuxt.config.ts": "", "apps/other-docs/content/1.start/1.install.md": "# I\n",
        "apps/docs/content/1.api/1.use.md": page,
    })  # fmt: skip
    found = list_findings(repo.check("all").report)
    assert [e.fact for e in found if e.rule.startswith("refuted")] == ["./more.md: no such file"]


@pytest.mark.parametrize(
    ("path", "told"), [("web/CLAUDE.md", 1), ("web/README.md", 1), ("web/docs/page.md", 0)]
)
def test_commands_of_the_site_itself(tmp_path: Path, path: str, told: int) -> None:
    repo = Repo(tmp_path)
    site = {"web/next.config.ts": "", "web/package.json": '{"scripts": {"build": "next build"}}'}
    repo.commit({**site, "web/docs/a.md": "# A\n"})
    assert len(wrong_lines(repo, path, "# W\n\nRun `npm run type-check` here.\n")) == told


def test_a_module_of_an_installed_package(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    cli = "import click\n@click.group()\ndef main(): ...\n@main.command()\ndef run(): ...\n"
    repo.commit({
        "python/evals/pyproject.toml": '[project]\nname = "evals"\n',
        "python/evals/src/evals/__init__.py": "", "python/evals/src/evals/cli.py": cli,
        "python/evals/src/evals/__main__.py": "from evals.cli import main\nmain()\n",
    })  # fmt: skip
    for command, told in {"python -m evals replay": 1, "python -m evals run": 0}.items():
        assert len(wrong_lines(repo, "evals/CLAUDE.md", f"# E\n\nUse `{command}` here.\n")) == told


@pytest.mark.parametrize(
    ("more", "told"), [("", 1), ("Ruby 2.5, Ruby 2.6 and Ruby 3.1 have it.", 0)]
)
def test_a_page_about_versions_of_a_runtime(tmp_path: Path, more: str, told: int) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {"shop.gemspec": "Gem::Specification.new { |s| s.required_ruby_version = '>= 2.7' }\n"}
    )
    text = f"# Cops\n\nRequires Ruby version 2.3.\n\n{more}\n"
    assert len(wrong_lines(repo, "docs/cops.md", text)) == told


FOLDERS = (
    ({"app/src/lib/rows/a.ts": "", "app/src/lib/rows/b.ts": ""}, "lib/rows/gone.ts", 1),
    ({"app/src/lib/rows/a.ts": "", "app/src/lib/rows/b.ts": ""}, "lib/rows/a.ts", 0),
    ({"app/src/lib/rows/a.ts": "", "web/lib/rows/b.ts": ""}, "lib/rows/gone.ts", 0),
    ({"tests/src/lib/rows/a.ts": ""}, "lib/rows/gone.ts", 0),
    ({"app/src/rows/a.ts": ""}, "rows/gone.ts", 0),
)


@pytest.mark.parametrize(("files", "path", "told"), FOLDERS)
def test_a_path_below_the_only_folder_with_its_end(
    tmp_path: Path, files: dict[str, str], path: str, told: int
) -> None:
    repo = Repo(tmp_path)
    repo.commit({**files})
    assert (
        len(
            wrong_lines(
                repo,
                "docs/testing.md",
                f"# T\n\nUse `{path.rpartition('/')[0]}/a.ts`.\n\nUse `{path}`.\n",
            )
        )
        == told
    )
    assert wrong_lines(repo, "docs/other.md", f"# T\n\nUse `{path}`.\n") == []  # of any project


NAMES = (
    ("The page `ThemeForm.svelte` has the colors.", 1),
    ("The file `gone.rs` keeps rows.", 0),  # the page names no file of Rust
    ("Tests end in `_test.svelte`.", 0),
    ("A page such as `new_rows.svelte` is enough.", 0),
    ("The page `gone.svelte` has a name that is any word.", 0),
    ("The page `App.svelte` comes first.", 0),
    ("- `Gone.svelte` - an item of a list, whose folder no text names", 0),
)


@pytest.mark.parametrize(("text", "told"), NAMES)
def test_a_name_among_names_of_existing_files(tmp_path: Path, text: str, told: int) -> None:
    repo = Repo(tmp_path)
    repo.commit({f"src/{name}.svelte": "" for name in ("App", "Rows", "Cart")})
    page = f"# Pages\n\nThe app shows `App.svelte`, `Rows.svelte` and `Cart.svelte`.\n\n{text}\n"
    assert len(wrong_lines(repo, "docs/pages.md", page)) == told
    assert wrong_lines(repo, "web/README.md", page) == []  # it may tell readers to write the file


def test_a_name_imported_from_a_file(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({
        "src/sdk/chain.ts": "export function checkChain() {}\n", "src/sdk/all.ts": "export * from 'x';\n",
        "src/web/your-rows.ts": "", "page-types.ts": "export type Row = 1;\n",
    })  # fmt: skip
    rows = (
        "import { checkChain, hashChain } from './src/sdk/chain.js';",
        "import { hashChain } from './src/sdk/all.js';",
        "import { hashChain } from './web/your-rows';",
        "import { hashChain } from './gone/chain.js';",
        "import { Page } from './page-types';",
        "import { ownChain } from './src/sdk/chain.js';",
        "export function ownChain() {}",
    )
    text = "\n".join(("# Chain", "", "```ts", *rows, "```", ""))
    assert wrong_lines(repo, "docs/chain.md", text) == [4]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Set the environment variable `SHOP_COLOUR` to red.", 1),
        ("Set the environment variable SHOP_COLOUR to red.", 1),
        ("Export `SHOP_COLOUR=red` first.", 1),
        ("The colour is in `SHOP_COLOUR`.", 0),  # perhaps a name of a document
        ("Set the environment variable `PAINT_COLOUR` to red.", 0),
        ("Set the environment variable `SHOP_PORT` to 1.", 0),
        ("Set `SHOP_COLOUR`.\n\n    key = os.environ['SHOP_COLOUR']", 0),
    ],
)
def test_an_environment_variable(tmp_path: Path, text: str, told: int) -> None:
    repo = Repo(tmp_path)
    repo.commit({"package.json": '{"name": "shop"}', "a.js": "x = env.SHOP_PORT;\n"})
    repo.stage({"README.md": f"# Shop\n\n{text}\n"})
    assert len(list_findings(repo.check("staged").report)) == told
    repo.commit()
    assert list_findings(repo.check("all").report) == [], "in old text, a program may build names"


@pytest.mark.parametrize(
    ("path", "files", "told"),
    [
        ("README.md", {}, 1),
        ("docs/use.md", {}, 0),
        ("README.md", {"configure.ac": ""}, 0),
        ("README.md", {"tools/rules.mk": ""}, 0),
    ],
)
def test_make_without_a_makefile(tmp_path: Path, path: str, files: Files, told: int) -> None:
    repo = Repo(tmp_path)
    ports = "# A\n\n```sh\ncd /usr/ports/shop && make install clean\n```\n"
    assert wrong_lines(repo, path, ports) == []
    repo.commit({"a.go": "package a\n", **files})
    assert len(wrong_lines(repo, path, "# A\n\nRun `make generate` first.\n")) == told


def test_a_title_with_a_logo_is_no_other_project(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"shop/rows.py": ""})
    title = "# ![Shop](https://github.com/acme/shop/raw/main/logo.png)"
    assert wrong_lines(repo, "README.md", f"{title}\n\nRows are in `shop/store.py`.\n") == [3]


def test_a_page_on_the_forge_has_no_directives(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    text = "# Use\n\n[Cache](#cache)\n\n## Clear the cache\n\n  {{files}} are cleared.\n"
    assert wrong_lines(repo, "README.md", text) == [3]
    repo.commit({"mkdocs.yml": "site_name: Use\n"})
    assert wrong_lines(repo, "docs/use.md", text) == []


def test_a_family_of_files(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(dict.fromkeys(("term_check_bsd.go", "term_check_unix.go", "a_b.go"), "package a\n"))
    text = "# A\n\nIt is in `term_check_darwin.go`.\n\nIt is in `a_c.go`.\n"
    assert wrong_lines(repo, "README.md", text) == [3]


def test_a_sentence_above_a_list_is_no_label(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/rows.py": ""})
    text = "# R\n\n{}\n\n- Rows are read in `src/gone.py` now.\n"
    assert wrong_lines(repo, "README.md", text.format("Releases are planned with a tool.")) == [5]
    assert wrong_lines(repo, "README.md", text.format("Planned files:")) == []


def test_output_behind_arrows(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/rows/mod.rs": ""})
    repo.commit({"src/rows/mod.rs": None, "src/main.rs": ""})
    block = "# A\n\n```bash\n{}find mod\nsrc/rows/mod.rs\n```\n"
    assert wrong_lines(repo, "README.md", block.format("> ")) == []
    assert wrong_lines(repo, "README.md", block.format("")) == [5]


@pytest.mark.parametrize(("config", "told"), [("export default {};\n", 1), ("withNextra()\n", 0)])
def test_the_docs_of_a_next_application(tmp_path: Path, config: str, told: int) -> None:
    repo = Repo(tmp_path)
    repo.commit({"next.config.ts": config, "package.json": '{"scripts": {"build": "next build"}}'})
    page = "# D\n\n```sh\nnpm run build\nnpm run type-check\n```\n"
    assert len(wrong_lines(repo, "docs/brief.md", page)) == told
    page = "# D\n\n[Start](#quick-start)\n\n## 🚀 Quick start\n\n"  # GitHub: #-quick-start
    assert len(wrong_lines(repo, "docs/brief.md", page)) == told


def test_programs_without_an_ending(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.stage(
        {"scripts/lint": "", "scripts/test": "", "notes/a": "", "examples/auth/index.js": ""}
    )
    repo.git("update-index", "--chmod=+x", "scripts/lint", "scripts/test")
    repo.git("commit", "-q", "-m", "x")
    repo.git("reset", "-q", "--hard")
    text = "# R\n\nRun `scripts/format`.\n\nRun `scripts/lint`.\n\nSee `notes/b`.\n\n"
    text += "Start `node examples/upload`.\n\nStart `node examples/auth`.\n"
    assert wrong_lines(repo, "README.md", text) == [3, 9]


def test_a_change_removes_a_file_without_a_folder(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {"typos.toml": "[default]\n", "BUILD.md": "# B\n\nSee the words in `typos.toml`.\n"}
    )
    repo.stage({"typos.toml": None})
    assert [e.line for e in list_findings(repo.check("staged").report)] == [3]


@pytest.mark.parametrize(("files", "told"), [({}, 1), ({"site/sitemap.xml": "<x/>"}, 0)])
def test_pages_of_a_built_site(tmp_path: Path, files: dict[str, str], told: int) -> None:
    repo = Repo(tmp_path)
    page = "# A\n\nSee [more](#gone).\n"
    repo.commit({"site/404.html": "", "site/index.html": "", "site/a/index.md": page, **files})
    found = list_findings(repo.check("all").report)
    assert len([e for e in found if e.rule.startswith("refuted")]) == told


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("docs/pages/a.md", "See [it](../start/old-rows/) here.", 0),  # an alias of a page
        ("docs/pages/a.md", "See [it](../start/gone-rows/) here.", 1),
        ("docs/pages/b.md", "See [it](../../../docs/rows.md) here.", 1),
        ("docs/includes/b.md", "See [it](../../../docs/rows.md) here.", 0),
        ("docs/c.md", "See [it](gone.md) here.", 1),
        ("docs/py/PY_THIRD_PARTY_LICENSES.md", "See [it](gone.md) here.", 0),
        ("docs/third-party-plugins.md", "See [it](gone.md) here.", 1),
    ],
)
def test_links_that_another_page_or_program_explains(
    tmp_path: Path, path: str, text: str, told: int
) -> None:
    repo = Repo(tmp_path)
    aliases = "---\naliases:\n  - ./start/old-rows/ # its former name\n---\n\n# Rows\n"
    repo.commit({"docs/rows.md": aliases, path: f"# A\n\n{text}\n"})
    found = list_findings(repo.check("all").report)
    assert len([e for e in found if e.rule.startswith("refuted")]) == told

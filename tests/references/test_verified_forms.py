"""Forms of references that a verifier, who wrote sixty small repositories, found missed or wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo

CONF = {"mkdocs.yml": "site_name: x\n", "docs/index.md": "# Home\n"}
TABLES = {f"tables/{n}.toml": f"name = '{n}'\n" for n in ("order", "route")}
CRATES = {
    "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
    "a/src/lib.rs": "// line\n" * 90,
    "b/src/lib.rs": "pub fn pack_parcel() {}\n// line\n",
}
SPHINX = {"docs/conf.py": "", "docs/user/use/b.rst": "B\n=\n"}
ASTRO = {"astro.config.mjs": "", "src/pages/us.astro": "x", "src/pages/team.astro": "y"}
EXDOC = {"mix.exs": "docs: [assets: 1]\n", "guides/assets/i/c.png": "x"}
TESTED = {"tests/test_a.py": "def test_rows(): ...\n"}


@pytest.mark.parametrize(
    ("files", "removed", "document", "text", "told"),
    [
        # A page without front matter redirects nothing, even if it contains the address.
        (CONF | {"docs/old.md": "# Old\n"}, ["docs/old.md"], "docs/a.md", "See [it](../old/).", 1),
        (
            CONF | {"docs/old.md": "# Old\n", "docs/n.md": "---\nredirect: old\n---\n# N\n"},
            ["docs/old.md"], "docs/a.md", "See [it](../old/).", 0,
        ),
        (ASTRO, ["src/pages/team.astro"], "src/pages/a.md", "See [it](/team).", 1),
        (ASTRO, ["src/pages/team.astro"], "src/pages/a.md", "See [it](/us).", 0),
        # After all tables became YAML, a name in the former form is not the reader's.
        (TABLES | {"tables/order.yaml": "a: 1\n"}, [*TABLES], "docs/a.md", "See `order.toml`.", 1),
        (TABLES, ["tables/order.toml"], "docs/a.md", "See `order.toml`.", 0),
        (CRATES, [], "CLAUDE.md", "The limit (`lib.rs:86`) is high.", 0),
        ({"shop/a.py": "A = 1\n"}, [], "docs/templates.md", "See `shop/a.py:9`.", 1),
        ({"shop/a.py": "A = 1\n"}, [], "docs/template.md", "See `shop/a.py:9`.", 0),
        (EXDOC, [], "guides/a/b.md", "![x](assets/i/c.png)", 0),
        (EXDOC, [], "guides/a/b.md", "![x](assets/i/d.png)", 1),
        (CONF, [], "docs/a.md", "See <gh-issue:639> and [it](gh-issue:639).", 0),
        (TESTED, [], "CLAUDE.md", "Run `pytest tests/test_a.py::test_function_name`.", 0),
        (TESTED, [], "CLAUDE.md", "Run `pytest tests/test_a.py::test_late_rows`.", 1),
        # One conf.py may build several sites, each from a folder of its own.
        (SPHINX, [], "docs/user/a.rst", "See :doc:`/use/b`.", 0),
        (SPHINX, [], "docs/user/a.rst", "See :doc:`/user/use/c`.", 1),
        ({"docs/b.md": "# B\n\n## Rows\n"}, [], "docs/a.md", "See [it](b.md#shop.Rows).", 1),
        ({"docs/b.md": "# B\n\n[[autodoc]] Rows\n"}, [], "docs/a.md", "[It](b.md#shop.Rows).", 0),
    ],
)  # fmt: skip
def test_forms(
    tmp_path: Path, files: Files, removed: list[str], document: str, text: str, told: int
) -> None:
    repo = Repo(tmp_path)
    repo.commit(files)
    if removed:
        repo.commit(dict.fromkeys(removed))
    repo.commit({document: f"# Page\n\n{text}\n"})
    report = repo.check("all").report
    wrong = [e for d in report.decisions if d.place.path == document for e in d.wrong]
    assert len(wrong) + len(report.problems) == told, (wrong, report.problems)

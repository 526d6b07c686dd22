"""Lines with one wrong reference beside lines with a right one, in a tree with many kinds of files."""

from __future__ import annotations

import pytest
from repos import Files, Repo

from grounded_ingest.report.findings import list_findings

SCRIPT = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --fast) FAST=1 ;;
    -v|--verbose) V=1 ;;
    *) echo "unknown"; exit 1 ;;
  esac
  shift
done
"""
CLI = """import click
from importlib import import_module


@click.group()
def cli(): ...


def register(module, name):
    cli.add_command(getattr(import_module(module), name))


register("shop.stock", "stock")
"""
STOCK = """import click


@click.group()
def stock(): ...


@stock.group()
def row(): ...


@row.command("add-many")
def add_many(): ...


@stock.command("custom-tool")
def custom_tool(name): ...
"""
FILES: Files = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\nrequires-python = ">=3.11"\n'
    '[project.scripts]\nshop = "shop.main:cli"\n',
    "shop.gemspec": 's.required_ruby_version = Gem::Requirement.new(">= 3.1")\n',
    ".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n      - with:\n          python-version: '3.12'\n"
    "      - uses: x/y@9a1b2c3\n",
    "shop/__init__.py": "",
    "shop/main.py": CLI,
    "shop/stock.py": STOCK,
    "shop/other.py": "import click\n\n\n@click.group('custom_tool')\ndef custom_tool(): ...\n",
    "shop/options.py": 'OPTIONS = {"row-timeout": 60.0, "true": 1}\nclass event: ...\n',
    "scripts/run_rows.sh": SCRIPT,
    "scripts/pass_rows.sh": SCRIPT.replace("exit 1", 'exec make "$@"'),
    "scripts/keep_rows.sh": SCRIPT.replace('echo "unknown"; exit 1', 'ROWS="$ROWS $1"'),
    "ext/http/parser.rl": "x\n",
    "tests/stream/rows/test_main.py": "def test_a(): ...\n",
    "tests/conftest.py": "",
    "app/build.gradle": "x\n",
    "deploy/docker/shop.Dockerfile": "FROM scratch\n",
    "web/api/rows.ts": "export const rows = 1;\n",
    "boards/STM32ROW/a.c": "int a;\n",
    "site/docusaurus.config.ts": "export default {}\n",
    "site/guide.md": "# Guide\n\n## baseBranch\n\n## 2. shop.toml\n\n## Own {#givenId}\n",
}
COMMITS = (FILES,)


def said(repo: Repo, text: str, path: str) -> list[str]:
    repo.git("reset", "-q", "--hard")
    repo.stage({path: f"# Notes\n\n{text}\n"})
    return [f.message for f in list_findings(repo.check().report) if f.path == path]


ROWS = [
    # options of shell scripts
    ("`./scripts/run_rows.sh --fast` is quick.", ""),
    ("`bash scripts/run_rows.sh --slow` is slow.", "run_rows.sh has no option --slow"),
    ("`run_rows.sh --slow` is slow.", "run_rows.sh has no option --slow"),
    ("`./scripts/pass_rows.sh --slow` is slow.", ""),
    ("`./scripts/keep_rows.sh --slow` is slow.", ""),
    # groups of commands that are added by computed names
    ("`shop stock row add-many` adds.", ""),
    ("`shop stock add-many` adds.", "there is shop stock row add-many"),
    ("`shop other add-many` adds.", ""),
    ('`shop stock custom-tool "bake"` bakes.', ""),
    # paths
    ("The parser is `ext/http/parser.java.rl`.", "ext/http/parser.java.rl: no such file"),
    ("The parser is `ext/other/parser.java.rl`.", ""),
    ("See `tests/streams/rows/test_main.py`.", "there is tests/stream/rows/test_main.py"),
    ("See `tests/nothing/rows/test_main.py`.", "test_main.py: no such file"),
    ("See `tests/nothing/rows/main.rb`.", ""),  # the folder has no such files
    ("See `other/nothing/rows/test_main.py`.", ""),
    ("The route is in `/web/api/lines.ts`.", "/web/api/lines.ts: no such file"),
    ("The log is in `/srv/api/lines.ts`.", ""),
    # commands that certainly read a file
    ("Run `./gradlew build` first.", "gradlew: no such file"),
    ("Run `./mvnw install` first.", ""),
    ("`docker build -f deploy/docker/web.Dockerfile .` builds.", "web.Dockerfile: no such file"),
    ("`docker build -f deploy/docker/shop.Dockerfile .` builds.", ""),
    ("```sh\ncd deploy/services/shop\n```", "deploy/services/shop: no such file"),
    ("```sh\ncd shop/deploy\n```", ""),  # after a clone
    ("```sh\ncd parser.cpp/build\n```", ""),  # of another repository
    ("```sh\nmkdir -p deploy/new/rows\ncd deploy/new/rows\n```", ""),
    # versions
    ("Shop must run on Python 3.9.", "requires python 3.11 or newer, not 3.9"),
    ("Shop supports Ruby 2.7 and newer.", "shop.gemspec requires ruby 3.1 or newer, not 2.7"),
    ("Storybook supports Ruby 2.7 and newer.", ""),
    # values and names
    ("It waits 30 seconds (`row-timeout` in `shop/options.py`).", "row-timeout in shop/options.py is 60"),
    ("It waits 60 seconds (`row-timeout` in `shop/options.py`).", ""),
    ("Set it to `true` in `shop/main.py` first.", ""),
    ("It is counted with `event.Sent` in `shop/options.py`.", "shop/options.py has no event.Sent"),
    # anchors of a site
    ("See [it](site/guide.md#baseBranch).", "site/guide.md has no heading #baseBranch; perhaps #basebranch"),
    ("See [it](site/guide.md#basebranch).", ""),
    ("See [it](site/guide.md#givenId).", ""),
    ("See [it](site/guide.md#_2-shop-toml).", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wrong"), ROWS)
def test_a_line_of_a_guide(repo: Repo, text: str, wrong: str) -> None:
    found = said(repo, text, "CONTRIBUTING.md")
    assert len(found) == bool(wrong), found
    assert all(wrong in message for message in found)


def test_a_version_in_a_document_without_a_class(repo: Repo) -> None:
    [message] = said(repo, "## Requirements\n\n- Python 3.9 or later", "shop/notes/README.md")
    assert "requires python 3.11 or newer, not 3.9" in message


@pytest.mark.parametrize(
    "head",
    [
        "> **Note:** This is an implementation plan document.",
        "**Date**: January 2026\n**Status**: Analysis Complete",
    ],
)
def test_blocks_of_a_plan(repo: Repo, head: str) -> None:
    block = "## Rows\n\n```sh\n./scripts/run_rows.sh --slow\n```"
    assert said(repo, f"{head}\n\n{block}", "docs/rows.md") == []
    assert said(repo, f"This is a sketch plugin for rows.\n\n{block}", "docs/rows.md")


def test_a_count_of_lines_with_blank_ones(repo: Repo) -> None:
    [message] = said(repo, "The start is `shop/main.py` (2 lines).", "CONTRIBUTING.md")
    lines = len(CLI.splitlines())
    assert f"shop/main.py has {lines} lines, not 2" in message


def test_a_list_in_the_guide_of_a_folder(repo: Repo) -> None:
    rows = "- `main.py` starts\n- `stock.py` keeps\n- `options.py` sets\n- `{}` reads"
    assert said(repo, rows.format("other.py"), "shop/README.md") == []
    [message] = said(repo, rows.format("prices.py"), "shop/README.md")
    assert "shop/prices.py: no such file" in message


def test_a_distinct_name_that_a_commit_removed(repo: Repo) -> None:
    repo.commit({"scripts/row-prices.sh": "x\n"})
    repo.commit({"scripts/row-prices.sh": None}, "Drop the prices")
    for text in ("- **row-prices.sh**: reads", "It reads `row-prices.sh`."):
        [message] = said(repo, text, "shop/rows.md")
        assert "row-prices.sh: deleted in" in message


def test_a_removed_name_that_a_folder_has(repo: Repo) -> None:
    repo.commit({"boards/a.c": "#define STM32ROW 1\nint b;\n"})
    repo.commit({"boards/a.c": "int b;\n"}, "Drop a board")
    assert said(repo, "```sh\nmake BOARD=STM32ROW\n```", "CONTRIBUTING.md") == []

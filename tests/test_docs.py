"""The pages say what is true: commands parse, links lead somewhere, the example is real."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
import yaml
from worktrees import PROJECT, WorkTree, environment

from grounded_ingest.cli.group import cli
from grounded_ingest.config.files import parse_toml, parse_yaml
from grounded_ingest.config.validators import READERS

README = PROJECT / "README.md"
ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
PAGES = [*(PROJECT / p for p in ROOT_PAGES), *sorted((PROJECT / "docs").rglob("*.md"))]
NAMES = [str(p.relative_to(PROJECT)) for p in PAGES]
CALL = re.compile(r"(?:^|[\s`$/(])grounded-ingest((?: [^\s`|&;#)<>]+)+)")
PLACEHOLDER = re.compile(r"[\[\]|…]|^[A-Z]+$|\.\.\.")


class Block(NamedTuple):
    """A fenced or indented block of code."""

    page: str
    line: int
    language: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    text = (PROJECT / page).read_text("utf-8")
    for m in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Block(page, text[: m.start()].count("\n") + 1, m[1], m[2])
    for m in re.finditer(r"(?<=\n\n)(?: {4}.*\n|\n(?= {4}))+", _unfenced(text)):
        yield Block(page, 0, "", re.sub(r"^ {4}", "", m[0], flags=re.MULTILINE))


def _unfenced(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


ALL_BLOCKS = [block for page in NAMES for block in blocks(page)]


def calls() -> Iterator[tuple[str, str]]:
    """Yields page and arguments of every command line of ours that a page shows."""
    for page in NAMES:
        text = (PROJECT / page).read_text("utf-8")
        spans = [*re.findall(r"`([^`\n]+)`", _unfenced(text)), *(b.text for b in blocks(page))]
        for line in (line for span in spans for line in span.splitlines()):
            yield from ((page, found.strip()) for found in CALL.findall(line))


def anchors(path: Path) -> set[str]:
    text = path.read_text("utf-8")
    titles = re.findall(r"^#+ (.+)$", _unfenced(text), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles]
    return {*plain, *re.findall(r'<a id="([^"]+)"', text)}


def code(page: str, language: str, number: int = 0) -> str:
    return [b.text for b in blocks(page) if b.language == language][number]


def test_the_readme_is_short_enough_to_be_read() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 110


def test_the_second_command_is_what_ci_runs() -> None:
    install, test = code("README.md", "sh").strip(), code("README.md", "sh", 1).strip()
    script = (PROJECT / ".ci/run").read_text("utf-8").splitlines()
    assert test in script
    assert ".venv/bin/pytest" in test
    assert install.endswith(script[-1])


@pytest.mark.parametrize("failing", ["python3", "pytest"])
def test_a_failing_step_fails_ci(tmp_path: Path, failing: str) -> None:
    """Protects against `set -e` ignoring a step that fails inside an && list."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci/run").write_text((PROJECT / ".ci/run").read_text("utf-8"), "utf-8")
    tools = ("python3", "pip", "ruff", "mypy", "pytest", "grounded-ingest")
    for place in (tmp_path / "bin", tmp_path / ".venv/bin"):
        place.mkdir(parents=True)
        for tool in tools:
            (place / tool).write_text(f"#!/bin/sh\nexit {int(tool == failing)}\n", "utf-8")
            (place / tool).chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", str(tmp_path / ".ci/run")], env=env, check=False)
    assert done.returncode == 1


@pytest.mark.parametrize("page", NAMES)
def test_links_lead_somewhere(page: str) -> None:
    path = PROJECT / page
    text = re.sub(r"^ {4}.*$", "", _unfenced(path.read_text("utf-8")), flags=re.MULTILINE)
    prose = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        assert PROJECT in there.parents, target
        assert not anchor or anchor in anchors(there), target


def test_command_lines_are_found() -> None:
    assert len(list(calls())) > 30


@pytest.mark.parametrize(("page", "arguments"), sorted(set(calls())))
def test_command_lines_parse(page: str, arguments: str) -> None:
    words = shlex.split(arguments.replace("\\|", "|"))
    group = click.Context(cli, info_name="grounded-ingest")
    if words[0].startswith("-"):
        known = {name for p in cli.get_params(group) for name in p.opts}
        assert words[0] in known
        return
    command = cli.get_command(group, words[0])
    while isinstance(command, click.Group) and words[1:] and words[1] in command.commands:
        command, words = command.commands[words[1]], words[1:]
    if command is None:
        pytest.fail(f"{page}: there is no command {words[0]}")
    known = {o for p in command.get_params(group) for o in (*p.opts, *p.secondary_opts)}
    assert {w.split("=")[0] for w in words if w.startswith("-")} <= known
    if not any(PLACEHOLDER.search(w) for w in words) and words[1:]:
        command.make_context(words[0], words[1:], parent=group)


BENCHMARK = re.compile(r"python -m benchmarks\.(\w+)((?: [^`\n|]+)?)")


def test_benchmarks_that_are_named_exist_with_their_options() -> None:
    """A figure that nobody can repeat is worth little: its command has to run as written."""
    named = [m for page in NAMES for m in BENCHMARK.findall((PROJECT / page).read_text("utf-8"))]
    assert named
    for name, arguments in named:
        source = (PROJECT / f"benchmarks/{name}.py").read_text("utf-8")
        for option in re.findall(r"(?<= )--[a-z-]+", arguments):
            assert f'"{option}"' in source, (name, option)


@pytest.mark.parametrize("page", NAMES)
def test_files_of_the_project_that_are_named_exist(page: str) -> None:
    prose = _unfenced((PROJECT / page).read_text("utf-8"))
    named = re.findall(r"`((?:grounded_ingest|benchmarks|tests)/[\w./-]+)`", prose)
    assert [path for path in named if not (PROJECT / path).exists()] == []
    for name, path in re.findall(r"`(\w+)` in\s+`(grounded_ingest/[\w/]+\.py)`", prose):
        assert re.search(
            rf"^(?:class |def )?{name}\b", (PROJECT / path).read_text("utf-8"), re.M
        ), name


def test_every_decision_page_is_dated_and_listed() -> None:
    """A page without date, or one that the index leaves out, is found by nobody."""
    home = PROJECT / "docs/decisions"
    listed = re.findall(
        r"^\| \[[\w ]+\]\(([\w-]+\.md)\) \|", (home / "README.md").read_text("utf-8"), re.M
    )
    pages = {p.name: p.read_text("utf-8") for p in home.glob("*.md") if p.name != "README.md"}
    assert sorted(listed) == sorted(pages)
    for name, text in pages.items():
        assert re.search(r"^Date: \d{4}-\d\d-\d\d$", text, re.MULTILINE), name


@pytest.mark.parametrize("block", [b for b in ALL_BLOCKS if b.language in ("yaml", "toml", "")])
def test_configuration_parses(block: Block) -> None:
    if block.language == "toml":
        assert parse_toml(block.text, block.page).origin
        return
    known = {line.split(":")[0] for line in block.text.splitlines()} & set(READERS)
    if block.language == "yaml" and block.text.startswith("repos:"):
        offered = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
        (repo,) = yaml.safe_load(block.text)["repos"]
        ours = {hook["id"] for hook in offered}
        assert {hook["id"] for hook in repo["hooks"]} <= ours
    elif block.language == "yaml" and block.text.startswith("include:"):
        (component,) = yaml.safe_load(block.text)["include"]
        head, _ = yaml.safe_load_all((PROJECT / "templates/check.yml").read_text("utf-8"))
        assert set(component["inputs"]) <= set(head["spec"]["inputs"])
    elif block.language == "yaml" and "steps:\n" in block.text:
        inputs = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))["inputs"]
        steps = yaml.safe_load(block.text)["steps"]
        ours = [s for s in steps if "/grounded-ingest" in s["uses"]]
        assert ours
        assert {name for step in ours for name in step.get("with", {})} <= set(inputs)
    elif block.language == "yaml" or (known and not block.text.startswith("$ ")):
        assert known
        parse_yaml(block.text, block.page)


@pytest.mark.parametrize(
    "section",
    ["What the author of a change cannot do", "What the tool does on your machine", "Threats"],
)
def test_every_promise_has_its_test(section: str) -> None:
    """A promise of docs/security.md without a test is a hope: each row names tests that exist."""
    text = (PROJECT / "docs/security.md").read_text("utf-8").partition(f"\n## {section}\n\n")[2]
    head, _, *lines = text.partition("\n\n")[0].partition("\n## ")[0].splitlines()
    assert text.partition("\n\n")[2].startswith("## ")
    rows = [line.strip("|").split(" | ") for line in lines]
    assert len(rows) > 10
    for row in rows:
        assert len(row) == head.count(" | ") + 1, row
        named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row[-1])
        assert named, row
        assert re.sub(r"`[^`]*`|[, ]", "", row[-1]) == "", row
        for path, name in named:
            source = (PROJECT / path).read_text("utf-8")
            assert re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE), (path, name)


SETTINGS = 'HOST = "127.0.0.1"\nGATEWAY_PORT = 8443\nUPLOAD_LIMIT_MB = 20\n'
ADR = "# 3. Keep the ledger in PostgreSQL\n\nStatus: accepted\n\nIt needs transactions.\n"


@pytest.fixture
def example(tmp_path: Path) -> WorkTree:
    """The repository of the example in docs/commands.md."""
    example = WorkTree(tmp_path / "work", environment(tmp_path))
    example.root.mkdir()
    example.write("src/settings.py", SETTINGS)
    example.write("docs/adr/0003-ledger.md", ADR)
    example.git("init", "--quiet", "--template=", "--initial-branch=main")
    example.git("add", "--all")
    example.git("commit", "--quiet", "-m", "Start")
    example.write("memory-bank/progress.md", code("docs/commands.md", "markdown"))
    example.git("add", "--all")
    return example


def test_the_example_says_what_the_page_shows(example: WorkTree) -> None:
    ran = example.ask("check", "--staged", "--offline")
    assert ran.code == 1, ran.err
    shown = re.sub(r"(?<=^Why: )\S+", "grounded-ingest", ran.out, flags=re.MULTILINE)
    assert shown == code("docs/commands.md", "text", 1)


def test_the_python_example_runs(example: WorkTree) -> None:
    ran = example.run(sys.executable, "-c", code("docs/python.md", "python"))
    assert ran.code == 0, ran.err
    shown = ran.out.splitlines()
    for line in (
        "memory-bank/progress.md 7 3 speculation",
        "path src/settings.py:2 confirmed",
        "('speculation', 'technical-hedge', 'duplicate', 'conflicting-update', 'refuted-citation') ()",
        "False Ericsson You work at Nokia.",
        "False 0.2 the source says 1.5%, the claim 5%",
        "memory-bank/progress.md:4 The gateway listens on port 8443 (`src/settings.py:2`).",
    ):
        assert line in shown, ran.out
    assert "speculation blocks the claim: " in ran.out
    assert any(line.endswith(" 2030-06-30 ai_synthesis") for line in shown)
    record = (example.root / "memory/queue/ada.jsonl").read_text("utf-8")
    assert record.count("\n") == 1
    assert "Backups run every night." in record

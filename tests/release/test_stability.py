"""docs/stability.md: each promise has its test, each schema its promise; and the forms of issues."""

from __future__ import annotations

import importlib.resources
import inspect
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import click
import pytest
import yaml
from jsonschema.validators import validator_for
from publishedrepo import PROJECT

import grounded_ingest
from grounded_ingest.cli.group import cli
from grounded_ingest.config.validators import READERS
from grounded_ingest.fleet.tables import REPOSITORIES, TABLES
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.servers.mcp_server import mcp_server
from grounded_ingest.servers.session import Session

TABLE = (PROJECT / "docs/stability.md").read_text("utf-8").partition("\n## Deprecation")[0]
ROWS = [row.strip("|").split(" | ") for row in TABLE.splitlines() if row.startswith("| ")][1:]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_every_promise_has_its_test(row: list[str]) -> None:
    assert len(row) == 3
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row[2])
    assert named
    for path, name in named:
        source = (PROJECT / path).read_text("utf-8")
        assert re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE), (path, name)


def test_every_schema_has_its_promise() -> None:
    code = "\n".join(p.read_text("utf-8") for p in PROJECT.glob("grounded_ingest/**/*.py"))
    written = set(re.findall(r'"(grounded-ingest/[\w-]+/\d+)"', code))
    assert len(written) >= 10
    assert set(re.findall(r"`(grounded-ingest/[\w-]+/\d+)`", TABLE)) == written


SCHEMAS = {
    "github-issue-forms": (".github/ISSUE_TEMPLATE/[!c]*.yml",),
    "github-issue-config": (".github/ISSUE_TEMPLATE/config.yml",),
    "github-workflows": (".github/workflows/*.yml", "examples/github-*.yml"),
    "github-actions": ("action.yml",),
    "gitlab-ci": ("examples/gitlab-ci.yml", "templates/check.yml"),
}


class Plain(yaml.SafeLoader):
    """`on:` is a word in workflows."""

    yaml_implicit_resolvers = {
        first: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:bool" or first not in "oO"]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }  # fmt: skip


@pytest.mark.slow  # the schemas are in a package of 12 MB
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_forge_reads_it(name: str) -> None:
    """By the schemas that check-jsonschema ships."""
    shipped = importlib.resources.files("check_jsonschema.builtin_schemas.vendor")
    schema = json.loads((shipped / f"{name}.json").read_text("utf-8"))
    validator = validator_for(schema)(schema)
    for file in (p for pattern in SCHEMAS[name] for p in PROJECT.glob(pattern)):
        for document in yaml.load_all(file.read_text("utf-8"), Plain):
            assert [e.message for e in validator.iter_errors(document)] == [], file


def test_a_wrong_finding_is_told_with_what_explain_says() -> None:
    form = yaml.safe_load((PROJECT / ".github/ISSUE_TEMPLATE/wrong-finding.yml").read_text("utf-8"))
    asked = {field["id"]: field for field in form["body"]}
    assert "grounded-ingest explain PATH:LINE" in asked["explain"]["attributes"]["description"]
    assert asked["explain"]["validations"]["required"]


PROMISED = Path(__file__).parent / "promised.json"


def promises() -> dict[str, list[str]]:
    """What there is to rely on, by name."""
    told = {"rules": [*EVERY_RULE], "keys": [*READERS], "commands": [*_options(cli, "")]}
    action = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))
    told["action"] = [f"{part} {name}" for part in ("inputs", "outputs") for name in action[part]]
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    told["hooks"] = [hook["id"] for hook in hooks]
    told["fleet"] = [*TABLES, *(f"repositories.{c} {kind}" for c, kind in REPOSITORIES.items())]
    offered = {name: getattr(grounded_ingest, name) for name in grounded_ingest.__all__}
    queue = vars(grounded_ingest.ReviewQueue)
    offered |= {f"ReviewQueue.{name}": queue[name] for name in queue if name[0] != "_"}
    tools = anyio.run(mcp_server(Session("."), "grounded-ingest").list_tools)
    told["mcp"] = [tool.name for tool in tools]
    for tool in tools:
        told["mcp"] += _fields(tool.input_schema, f"{tool.name} takes ")
        told["mcp"] += _fields(tool.output_schema, f"{tool.name} gives ")
    told["python"] = [
        f"{name}({argument})"
        for name, function in offered.items() if callable(function)
        for argument in inspect.signature(function).parameters
    ]  # fmt: skip
    for path in sorted((PROJECT / "docs").glob("*.schema.json")):
        told[path.name] = sorted(set(_fields(json.loads(path.read_text("utf-8")), "")))
    return {name: sorted(names) for name, names in told.items()}


def _options(command: click.Command, name: str) -> Iterator[str]:
    for option in command.params:
        yield from (f"{name} {spelt}".strip() for spelt in (*option.opts, *option.secondary_opts))
    if isinstance(command, click.Group):
        for below in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), below)
            assert found is not None
            yield f"{name} {below}".strip()
            yield from _options(found, f"{name} {below}".strip())


def _fields(schema: Any, at: str) -> Iterator[str]:
    """Each field of a JSON Schema with its type."""
    if isinstance(schema, list):
        for part in schema:
            yield from _fields(part, at)
    if not isinstance(schema, dict):
        return
    for keyword, below in schema.items():
        if keyword in ("properties", "$defs"):
            for name, part in below.items():
                kind = part.get("type", part.get("$ref", "")) if isinstance(part, dict) else ""
                yield f"{at}/{name} {kind}".strip()
                yield from _fields(part, f"{at}/{name}")
        else:
            yield from _fields(below, at)


@pytest.mark.parametrize("what", promises())
def test_nothing_promised_goes(what: str) -> None:
    """What is new is promised too: GROUNDED_INGEST_WRITE=1 adds it. Taking a line out of the file
    is for the end of a deprecation (docs/stability.md)."""
    kept = json.loads(PROMISED.read_text("utf-8")) if PROMISED.exists() else {}
    now = promises()
    if os.environ.get("GROUNDED_INGEST_WRITE"):
        grown = {name: sorted({*kept.get(name, []), *now[name]}) for name in now}
        PROMISED.write_text(json.dumps(grown, indent=1) + "\n", "utf-8")
        kept = grown
    assert kept[what] == now[what]

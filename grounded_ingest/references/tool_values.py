"""Checks `count` references: the value that a guide states for a setting of a tool: the length of
lines, the coverage that CI demands, the days until an issue is stale, or Dependabot's interval.

A value is wrong if files in the tree set it, and none of them sets this value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import is_own_guide
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.COUNT
FORM = "setting "
"""The beginning of `Reference.of`. The name of the setting follows."""


class _Setting(NamedTuple):
    """A setting that several tools have. `about` matches a sentence about it, `other` one about
    something else, and `stated` the value. `given` matches the value in one of the `files`, paths
    from the root, and `hidden` a value there that cannot be read."""

    about: re.Pattern[str]
    other: re.Pattern[str]
    stated: re.Pattern[str]
    given: re.Pattern[str]
    files: tuple[str, ...]
    hidden: re.Pattern[str] = compiled(r"(?!)")


_SHARED = ("pyproject.toml", "setup.cfg", "tox.ini", "package.json")
_SETTINGS = {
    "line length": _Setting(
        compiled(
            r"(?i)\bline[- ](?:length|width|limit)|\bprint ?width", needs=("line", "width")
        ),
        compiled(
            r"(?i)\b(?:commit|subject|message|bod(?:y|ies)|docstring|comment|markdown|docs|sql|yaml"
            r"|default|not?\b|don['’]t|unlike|except|instead)"
        ),
        compiled(
            r"(?i)\b(?:line[- ](?:length|width|limit)|print ?width)\b"
            r"[^.;|\d]{0,20}(?<![\w.])(\d{2,3})\b"
            r"|(?<![\w.-])(\d{2,3})[- ]char(?:acter)?s?[- ]line[- ](?:length|width|limit)"
        ),
        compiled(
            r"(?i)(?<![\w-])(?:max[-_])?(?:line[-_]?length|line[-_]?width|print_?width|max_width)"
            r"[\"']?\s*(?:[:=]|:\s*\n(?:[ ]+\w+:.*\n)*?[ ]+Max:)\s*(\d{2,3})\b"
        ),
        (
            *_SHARED, "*ruff.toml", ".flake8", ".prettierrc*", "prettier.config.*",
            "*rustfmt.toml", ".rubocop.yml", "biome.json*",
        ),
    ),
    "required coverage": _Setting(
        compiled(
            r"(?i)\bcover(?:age|ed)\b.*\b(?:at least|minimum|below|under|threshold|requires?"
            r"|required|fails?|enforc\w+|wants?|expects?|demands?|must)\b"
            r"|\b(?:at least|minimum|fails?|requires?|wants?|expects?|must)\b.*\bcover(?:age|ed)\b",
            needs=("cover",),
        ),
        compiled(
            r"(?i)\b(?:new|patch|diff|module|package|class|(?:front|back)end|types?|docstring"
            r"|annotation|drop by|for (?:the|each|every)|on the)"
        ),
        compiled(r"(?<![\w.])(\d{2,3}) ?(?:%|percent)"),
        compiled(
            r"(?i)(?<![\w-])(?:(?:--)?(?:cov-)?fail[-_]under|[\"']?(?:branches|lines|functions"
            r"|statements|target)[\"']?[ \t]*(?=:)|--(?:branches|lines|functions|statements)\b)"
            r"[\"']?[ \t]*[:= ][ \t]*[\"']?(\d{2,3})(?![\d.-])"
        ),
        (
            *_SHARED, ".coveragerc", ".nycrc*", ".c8rc*", "*codecov.y*ml", "jest.config.*",
            "vitest.config.*",
        ),
    ),
    "number of days": _Setting(
        compiled(
            r"(?i)\b(?:issues?|PRs?|pull requests?)\b.*\b(?:stale|inactiv\w*|without activity)\b",
            needs=("stale", "activ"),
        ),
        compiled(r"(?i)\b(?:label\w*|needs?[- ]info|maintainers?)\b"),
        compiled(r"(?<![\w.])(\d{1,3})[- ]days?\b"),
        compiled(r"(?i)(?<![\w-])[a-z-]*days[a-z-]*[\"']?\s*:\s*[\"']?(\d{1,3})\b"),
        (".github/workflows/*.y*ml", ".github/stale.yml"),
        compiled(r"(?i)\bdays[\w-]*[\"']?\s*:\s*[\"']?\$"),
    ),
    "interval": _Setting(
        compiled(
            r"(?i)\bdependabot (?:checks|runs|opens|looks|updates|creates|scans|proposes|sends)\b",
            needs=("dependabot",),
        ),
        compiled(r"(?i)\b(?:alerts?|security|merge[ds]?)\b"),
        compiled(
            r"(?i)\b(?:(daily|weekly|monthly)|(?:every|each|once a|once per) (day|week|month))\b"
        ),
        compiled(r"(?m)^\s*interval:\s*[\"']?(\w+)\b"),
        (".github/dependabot.y*ml",),
        compiled(r"(?m)^\s*interval:[ \t]*+[\"']?+(?!daily|weekly|monthly)"),
    ),
}  # fmt: skip
_DEVELOPING = compiled(r"(?i)(?:^|/)[\w-]*develop[\w-]*\.\w+$")
"""Matches pages for developers, such as `docs/development.md`."""
_ADVERBS = {"day": "daily", "week": "weekly", "month": "monthly"}
_TOOL = compiled(r"(?i)\b(black|ruff|flake8|prettier|rustfmt|rubocop|biome)\b")


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the values of settings in a claim, with the tool that it names in `Reference.of`."""
    return [*_mentions(path, claim)]


def _mentions(path: str, claim: Claim) -> Iterator[Reference]:
    for name, setting in _SETTINGS.items():
        about = setting.about.search(claim.text)
        if about is None or setting.other.search(f"{claim.section} {claim.text}"):
            continue
        stated = [*setting.stated.finditer(claim.text)]
        if len(stated) == 1:  # one of several is often of something else: "90%, and now it is 97%"
            value = next(filter(None, stated[0].groups())).lower()
            tool = _TOOL.search(claim.text)
            of = f"{FORM}{name}/{tool[1].lower() if tool else ''}"
            yield Reference(KIND, path, _ADVERBS.get(value, value), *stated[0].span(), of)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Compares the values with the configuration of the tree. Returns a result for each value in a
    guide, if the tree has such a setting."""
    own = (r for r in asked if r.of.startswith(FORM))
    guides = (r for r in own if is_own_guide(r.path, context) or _DEVELOPING.search(r.path))
    found = {r: _answer(r, context.tree) for r in guides}
    return {r: answer for r, answer in found.items() if answer}


def _answer(asked: Reference, tree: Tree) -> TreeAnswer | None:
    name, _, tool = asked.of.removeprefix(FORM).partition("/")
    given = [
        (path, value) for path, value, tools in _given(name, tree) if not tool or tool in tools
    ]
    paths = {value: path for path, value in given}
    if asked.name in paths:
        return TreeAnswer(Verdict.CONFIRMED, paths[asked.name], loose=True)
    if not given or "" in paths:
        return None
    path = given[0][0]
    values = ", ".join(dict.fromkeys(value for where, value in given if where == path))
    return TreeAnswer(Verdict.REFUTED, path, f"the {name} is {values}, not {asked.name}")


@lru_cache(maxsize=16)
def _given(name: str, tree: Tree) -> list[tuple[str, str, str]]:
    """Returns the values of a setting in the tree, those at the root first. Each comes with its
    file and the text that names its tool: the path and the lines with brackets. A value that cannot
    be read is empty."""
    setting = _SETTINGS[name]
    paths = [p for p in tree.files if any(fnmatchcase(p, glob) for glob in setting.files)]
    paths += [p for glob in setting.files if "*" not in glob for p in tree.ending_with(glob)]
    found = []
    for path in dict.fromkeys(sorted(paths, key=lambda p: p.count("/"))):
        text = (text_of(tree, path) if tree.size(path) <= LARGEST else None) or ""
        tools = " ".join(
            (path, *(row for row in text.split("\n") if row[:1] in ("[", '"')))
        ).lower()
        found += [(path, m[1], tools) for m in setting.given.finditer(text)]
        found += [(path, "", tools)] if setting.hidden.search(text) else []
    return found

"""Checks `count` references: a number that a guide gives a setting of a tool: the length of lines,
the coverage that CI asks for, the days until an issue is stale, or Dependabot's interval.

A number is wrong if configuration in the tree has such a setting, and none of them this number.
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
    """A setting that several tools have. `about` matches a sentence about it, `stated` its value
    there, `given` its value in configuration, and `files` are the paths of the configuration."""

    about: re.Pattern[str]
    stated: re.Pattern[str]
    given: re.Pattern[str]
    files: tuple[str, ...]


_SHARED = ("pyproject.toml", "setup.cfg", "tox.ini", "package.json")
_SETTINGS = {
    "line length": _Setting(
        compiled(
            r"(?i)\bline[- ](?:length|width|limit)|\bprint ?width", needs=("line", "width")
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
            *_SHARED, "*ruff.toml", ".flake8", ".prettierrc*", "prettier.config.*", ".editorconfig",
            "*rustfmt.toml", ".rubocop.yml", "biome.json*",
        ),
    ),
    "coverage": _Setting(
        compiled(r"(?is)^(?!.*\bdocstring).*\bcover(?:age|ed)\b", needs=("cover",)),
        compiled(r"(?<![\w.])(\d{2,3}) ?(?:%|percent)"),
        compiled(
            r"(?i)(?<![\w-])(?:--)?(?:cov-)?(?:fail[-_]under|branches|lines|functions|statements"
            r"|target)[\"']?[ \t]*[:= ][ \t]*[\"']?(\d{2,3})(?![\d.-])"
        ),
        (
            *_SHARED, ".coveragerc", ".nycrc*", ".c8rc*", "*codecov.y*ml", "jest.config.*",
            "vitest.config.*", ".github/workflows/*.y*ml",
        ),
    ),
    "number of days": _Setting(
        compiled(r"(?i)\b(?:stale|inactiv\w*|without activity)\b", needs=("stale", "activ")),
        compiled(r"(?<![\w.])(\d{1,3})[- ]days?\b"),
        compiled(r"(?i)(?<![\w-])[a-z-]*days[a-z-]*[\"']?\s*:\s*[\"']?(\d{1,3})\b"),
        (".github/workflows/*.y*ml", ".github/stale.yml", ".github/lock.yml"),
    ),
    "interval": _Setting(
        compiled(r"(?i)\bdependabot\b", needs=("dependabot",)),
        compiled(
            r"(?i)\b(?:(daily|weekly|monthly)|(?:every|each|once a|once per) (day|week|month))\b"
        ),
        compiled(r"(?m)^\s*interval:\s*[\"']?(daily|weekly|monthly)\b"),
        (".github/dependabot.y*ml",),
    ),
}  # fmt: skip
_DEMANDS = compiled(
    r"(?i)\b(?:at least|minimum|below|under|threshold|requir\w+|fails?|enforc\w+|wants?|expects?"
    r"|demands?|must)\b"
)
"""Matches words for the coverage that CI asks for, and not for the coverage that there is."""
_DEVELOPING = compiled(r"(?i)(?:^|/)[\w-]*develop[\w-]*\.\w+$")
_ADVERBS = {"day": "daily", "week": "weekly", "month": "monthly"}


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the values of settings in a claim."""
    return [*_mentions(path, claim)]


def _mentions(path: str, claim: Claim) -> Iterator[Reference]:
    for name, setting in _SETTINGS.items():
        about = setting.about.search(claim.text)
        stated = [*setting.stated.finditer(claim.text)] if about else []
        # Of several numbers, some may be of something else: "at least 90%, and now it is 97%".
        if len(stated) == 1 and (name != "coverage" or _DEMANDS.search(claim.text)):
            value = next(filter(None, stated[0].groups())).lower()
            of = f"{FORM}{name}"
            yield Reference(KIND, path, _ADVERBS.get(value, value), *stated[0].span(), of)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Compares the values with the configuration of the tree. Returns a result for each value in a
    guide, if the tree has such a setting."""
    own = (r for r in asked if r.of.startswith(FORM))
    guides = (r for r in own if is_own_guide(r.path, context) or _DEVELOPING.search(r.path))
    found = {r: _answer(r, context.tree) for r in guides}
    return {r: answer for r, answer in found.items() if answer}


def _answer(asked: Reference, tree: Tree) -> TreeAnswer | None:
    given = _given(asked.of.removeprefix(FORM), tree)
    paths = {value: path for path, value in given}
    if asked.name in paths:
        return TreeAnswer(Verdict.CONFIRMED, paths[asked.name], loose=True)
    if not given:
        return None
    path = given[0][0]
    values = ", ".join(dict.fromkeys(value for where, value in given if where == path))
    reason = f"the {asked.of.removeprefix(FORM)} is {values}, not {asked.name}"
    return TreeAnswer(Verdict.REFUTED, path, reason)


@lru_cache(maxsize=16)
def _given(name: str, tree: Tree) -> list[tuple[str, str]]:
    """Returns the values of a setting in the tree, each with its file, those at the root first."""
    setting = _SETTINGS[name]
    paths = [p for p in tree.files if any(fnmatchcase(p, glob) for glob in setting.files)]
    paths += [p for glob in setting.files if "*" not in glob for p in tree.ending_with(glob)]
    found = []
    for path in dict.fromkeys(sorted(paths, key=lambda p: p.count("/"))):
        text = text_of(tree, path) if tree.size(path) <= LARGEST else None
        found += [(path, m[1]) for m in setting.given.finditer(text or "")]
    return found

"""CODEOWNERS as GitHub and GitLab read it: the last match wins, in GitLab within each section.

https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
https://docs.gitlab.com/user/project/codeowners/reference/
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.text.patterns import compiled

LOCATIONS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""In the order they are looked for; the first one there is counts."""
LARGEST = 3_000_000
"""Bytes from which on GitHub reads none of it."""
_LONGEST, _STARS = 500, 8

_SECTION = compiled(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>(?:\s+\S+)*)\s*")
_EMAIL = compiled(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_NAME = compiled(r"@[A-Za-z0-9][\w.-]*")
_TEAM = compiled(r"@[A-Za-z0-9][\w.-]*/[\w./-]+|@@\w+")


class Owned(NamedTuple):
    """A line: its pattern, its owners as written, its section (GitLab's), its number."""

    pattern: re.Pattern[str]
    owners: tuple[str, ...]
    section: str
    line: int


class CodeOwners:
    """One file. `gitlab` None: it is read as GitLab does if it has sections or lies where only
    GitLab looks."""

    def __init__(self, text: str, path: str, *, gitlab: bool | None = None) -> None:
        self.path = path
        rows = list(enumerate(text.splitlines(), 1))
        sections = any(_SECTION.fullmatch(_bare(row)) for _, row in rows)
        shown = sections or path.startswith(".gitlab/")
        self.gitlab = shown if gitlab is None else gitlab
        self.lines: list[Owned] = []
        section, default = "", ()  # type: tuple[str, tuple[str, ...]]
        for number, row in rows:
            bare = _bare(row)
            heading = _SECTION.fullmatch(bare) if self.gitlab else None
            if heading is not None:
                section, default = heading["name"].casefold(), tuple(heading["owners"].split())
            elif bare:
                self._add(bare, section, default, number)

    def _add(self, row: str, section: str, default: tuple[str, ...], number: int) -> None:
        glob, *words = _words(row)
        owners = tuple(words) or default
        # Negation and character ranges are not part of the syntax: such a line is passed over,
        # as is one that names what can be no owner.
        pattern = None if glob.startswith("!") else owned_paths(glob, gitlab=self.gitlab)
        if pattern is not None and all(is_owner(owner) for owner in owners):
            self.lines.append(Owned(pattern, owners, section, number))

    def owners(self, path: str) -> tuple[tuple[str, ...], int]:
        """Owners of a path from the root as written, and the line that says so (0: none does)."""
        last: dict[str, Owned] = {}
        for owned in self.lines:
            if owned.pattern.fullmatch(path):
                last[owned.section] = owned
        found = dict.fromkeys(owner for owned in last.values() for owner in owned.owners)
        return tuple(found), max((owned.line for owned in last.values()), default=0)


def is_owner(word: str) -> bool:
    return any(p.fullmatch(word) for p in (_EMAIL, _NAME, _TEAM))


def is_team(owner: str) -> bool:
    """Whether an owner stands for people this file does not name: a team, a group or a role."""
    return _TEAM.fullmatch(owner) is not None


def _bare(row: str) -> str:
    """A line without its comment; an escaped number sign begins none."""
    comment = re.search(r"(?:^|(?<=\s))#", row)
    return (row[: comment.start()] if comment else row).strip()


def _words(row: str) -> list[str]:
    """The pattern, its escapes kept, and the owners."""
    pattern = re.match(r"(?:\\.|\S)+", row)
    assert pattern is not None
    return [pattern[0], *row[pattern.end() :].split()]


@lru_cache(maxsize=4096)
def owned_paths(glob: str, *, gitlab: bool = False) -> re.Pattern[str] | None:
    """The paths a pattern owns; None for one that owns nothing."""
    if len(glob) > _LONGEST or glob.count("*") > _STARS or glob == "/":
        return None
    segments = _segments(glob, gitlab=gitlab)
    if any(not s or "***" in s for s in segments):
        return None
    return re.compile(_path(segments), re.DOTALL)


def _segments(glob: str, *, gitlab: bool) -> list[str]:
    """The parts of a pattern between slashes, from the root; `**` once where it is repeated."""
    segments = glob.split("/")
    if segments[0] == "":
        segments = segments[1:]
    elif gitlab or len(segments) == 1 or (len(segments) == 2 and not segments[1]):
        segments = ["**", *segments]  # without a slash inside (GitLab: before it): at any depth
    if segments[-1] == "":
        segments[-1] = "**"
    return [s for at, s in enumerate(segments) if s != "**" or segments[at - 1 : at] != ["**"]]


def _path(segments: list[str]) -> str:
    out, last, slash = "", len(segments) - 1, False
    for at, segment in enumerate(segments):
        match segment:
            case "**" if at == last:
                out += "/.+" if at else ".+"
            case "**" if at == 0:
                out, slash = "(?:.+/)?", False
            case "**":
                out, slash = f"{out}(?:/.+)?", True
            case "*":  # of a directory only what lies directly in it
                out, slash = f"{out}{'/' if slash else ''}[^/]+", True
            case _:
                below = "(?:/.*)?" if at == last else ""
                out, slash = f"{out}{'/' if slash else ''}{_segment(segment)}{below}", True
    return out


def _segment(text: str) -> str:
    out, at = "", 0
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            out += re.escape(text[at])
        else:
            out += {"*": "[^/]*", "?": "[^/]"}.get(char) or re.escape(char)
        at += 1
    return out

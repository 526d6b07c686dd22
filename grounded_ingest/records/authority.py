"""Decides who may review claims, from the owners of the document, the authors of the claim, and
whether the reviewer is an agent.

The owners come from the setting `reviewers`, or else from CODEOWNERS. The module reads CODEOWNERS
as GitHub and GitLab do: the last matching line counts, in GitLab the last one of each section.
https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
https://docs.gitlab.com/user/project/codeowners/reference/"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from grounded_ingest.config.globs import glob_pattern, matches
from grounded_ingest.config.settings import Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import Claim, ClaimKey
from grounded_ingest.references.tracker import tracker_from
from grounded_ingest.text.lexicon.agents import AUTHORS, BODY, BOTS, ENVIRONMENT, TRAILERS
from grounded_ingest.text.patterns import compiled

OWNER_FILES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""The possible paths of the CODEOWNERS file. The first existing file counts."""
MAX_OWNER_FILE = 3_000_000
"""Maximum size in bytes of a CODEOWNERS file. GitHub ignores a larger one."""

_SECTION = compiled(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>(?:\s+\S+)*)\s*")
_EMAIL = compiled(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_LOGIN = compiled(r"@[A-Za-z0-9][\w.-]*")
_TEAM = compiled(r"@[A-Za-z0-9][\w.-]*/[\w./-]+|@@\w+")
_NO_REPLY = compiled(r"(?:\d+\+)?(?P<login>[^@+\s]+)@users\.noreply\.[\w.-]+")
_BLAMED = compiled(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")
_CO_AUTHOR = compiled(r"(?im)^co-authored-by:[^\n<]*<([^>\n]+)>")


# CODEOWNERS


class OwnerRule(NamedTuple):
    """A line in CODEOWNERS that gives owners to paths.

    `pattern` matches the paths. `owners` are the owners as written. `section` is the GitLab
    section, and `line` is the line number."""

    pattern: re.Pattern[str]
    owners: tuple[str, ...]
    section: str
    line: int


class CodeOwners:
    """A CODEOWNERS file.

    If `gitlab` is None, the file is read as GitLab does if it has sections or is in `.gitlab/`."""

    def __init__(self, text: str, path: str, *, gitlab: bool | None = None) -> None:
        self.path = path
        rows = list(enumerate(map(_without_comment, text.splitlines()), 1))
        if gitlab is None:
            gitlab = path.startswith(".gitlab/") or any(_SECTION.fullmatch(row) for _, row in rows)
        self.gitlab = gitlab
        self.rules: list[OwnerRule] = []
        section, default = "", ()  # type: tuple[str, tuple[str, ...]]
        for number, row in rows:
            heading = _SECTION.fullmatch(row) if gitlab else None
            if heading is not None:
                section, default = heading["name"].casefold(), tuple(heading["owners"].split())
            elif row:
                self._add(row, section, default, number)

    def _add(self, row: str, section: str, default: tuple[str, ...], number: int) -> None:
        glob = re.match(r"(?:\\.|\S)+", row)
        assert glob is not None
        owners = tuple(row[glob.end() :].split()) or default
        # The forges ignore a line with a negation, and a line with a word that cannot be an owner.
        pattern = None if glob[0][0] == "!" else owned_paths(glob[0], gitlab=self.gitlab)
        named = all(any(p.fullmatch(o) for p in (_EMAIL, _LOGIN, _TEAM)) for o in owners)
        if pattern is not None and named:
            self.rules.append(OwnerRule(pattern, owners, section, number))

    def owners(self, path: str) -> tuple[tuple[str, ...], int]:
        """Returns the owners of a path as written, and the number of the line that names them. The
        line number is 0 if no line names an owner."""
        last: dict[str, OwnerRule] = {}
        for rule in self.rules:
            if rule.pattern.match(path):
                last[rule.section] = rule
        found = dict.fromkeys(owner for rule in last.values() for owner in rule.owners)
        return tuple(found), max((rule.line for rule in last.values()), default=0)


def _is_team(owner: str) -> bool:
    """Returns whether an owner is a team, group or role. CODEOWNERS does not list the members of
    teams."""
    return _TEAM.fullmatch(owner) is not None


def _without_comment(row: str) -> str:
    return re.sub(r"(?:^|(?<=\s))#.*", "", row).strip()


@lru_cache(maxsize=4096)
def owned_paths(glob: str, *, gitlab: bool = False) -> re.Pattern[str] | None:
    """Returns a pattern that matches the beginning of the paths that a CODEOWNERS glob owns, or
    None if the glob owns nothing."""
    segments = _segments(glob, gitlab=gitlab)
    # A glob with an empty part, such as `docs//a`: GitHub ignores it.
    if glob == "/" or any(not s or "***" in s for s in segments):
        return None
    # Unlike in .gitignore, `docs/*` does not own files in subdirectories of docs.
    end = r"\Z" if segments[-1] == "*" else r"(?:\Z|/)"
    try:
        return re.compile(glob_pattern("/".join(map(_plain, segments)), end))
    except GroundedIngestError:  # an untrusted person may have written the glob
        return None


def _plain(segment: str) -> str:
    """Returns a part of a CODEOWNERS glob, in which brackets and braces are plain characters, as a
    glob of the configuration."""
    return re.sub(
        r"\\(.)|[\[{]", lambda m: f"[{c}]" if (c := m[1] or m[0]) in "*?[{" else c, segment
    )


def _segments(glob: str, *, gitlab: bool) -> list[str]:
    """Returns the parts of a glob between slashes. A glob that matches at any depth begins with
    `**`. Keeps only one of several adjacent `**`."""
    segments = glob.split("/")
    if segments[0] == "":
        segments = segments[1:]
    elif gitlab or len(segments) == 1 or (len(segments) == 2 and not segments[1]):
        # A glob without a slash inside (GitLab: without a slash before its end) matches at any
        # depth.
        segments = ["**", *segments]
    if segments[-1] == "":
        segments[-1] = "**"
    return [s for at, s in enumerate(segments) if s != "**" or segments[at - 1 : at] != ["**"]]


# People and owners


class Person(NamedTuple):
    """The e-mail address in a person's commits, and the person's login names on the forge."""

    address: str
    handles: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """Returns all lower-case spellings with which CODEOWNERS or the configuration may name this
        person."""
        found = _NO_REPLY.fullmatch(self.address.casefold())
        own = {found["login"]} if found else set()
        logins = {h.casefold().lstrip("@") for h in self.handles} | own
        return frozenset({self.address.casefold(), *(f"@{login}" for login in logins)} - {""})


def forge_names(addresses: Iterable[str]) -> frozenset[str]:
    """Returns the addresses together with the login names that no-reply addresses contain."""
    return frozenset(name for address in addresses for name in Person(address).names)


class Owners(NamedTuple):
    """The owners of a path as written, and the place that names them. `names` and `named_in` are
    empty if the path has no owner."""

    names: tuple[str, ...] = ()
    named_in: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(n for n in self.names if not _is_team(n))

    @property
    def has_teams(self) -> bool:
        return any(map(_is_team, self.names))


class Authority:
    """Knows the owners of each path, from the setting `reviewers` and from CODEOWNERS in a tree,
    normally that of the base branch. `read` returns the content of a file, or None."""

    def __init__(
        self, config: Config, read: Callable[[str], bytes | None], *, gitlab: bool | None = None
    ) -> None:
        self.config = config
        found = ((p, content) for p in OWNER_FILES if (content := read(p)) is not None)
        path, content = next(found, ("", b""))
        self._code_owners = None
        if path and len(content) <= MAX_OWNER_FILE:
            self._code_owners = CodeOwners(content.decode(errors="replace"), path, gitlab=gitlab)
        self.owners = cache(self._find)

    def _find(self, path: str) -> Owners:
        for glob, names in self.config.reviewers:
            if matches((glob,), path):
                return Owners(names, f"reviewers[{glob}]")
        if self._code_owners is None:
            return Owners()
        names, line = self._code_owners.owners(path)
        return Owners(names, f"{self._code_owners.path}:{line}" if line else "")

    def belongs_to_others(self, path: str, person: Person) -> bool:
        """Returns whether only other people own a path. Only the forge knows the members of a team,
        and asks them for a review, so a team's path belongs to everybody here."""
        owners, names = self.owners(path), person.names
        mine = any(_owner_name(name) in names for name in owners.people)
        return bool(owners.names) and not mine and not owners.has_teams

    def may_review(self, path: str, person: Person) -> bool:
        return not self.belongs_to_others(path, person) and not self.is_agent(person.address)

    def owner_name(self, path: str, person: Person) -> str:
        """Returns the login name by which a person owns a path. Returns an empty string if the
        e-mail address already shows that the person is an owner."""
        plain, names = Person(person.address).names, person.names
        own = [n for n in self.owners(path).people if _owner_name(n) in names]
        return "" if any(_owner_name(n) in plain for n in own) else next(iter(own), "")

    def has_other_owners(self, path: str, person: Person) -> bool:
        """Returns whether the path has a named owner other than this person."""
        owners, names = self.owners(path), person.names
        return owners.has_teams or any(_owner_name(n) not in names for n in owners.people)

    def is_agent(self, address: str, name: str = "") -> bool:
        """Returns whether an address or name belongs to a known agent. An agent that is not known
        looks like a person."""
        return is_agent(address, name, self.config.agents)


def _owner_name(name: str) -> str:
    """Returns an owner in the same spelling as `Person.names`. The setting `reviewers` may contain
    no-reply addresses."""
    folded = name.casefold()
    found = _NO_REPLY.fullmatch(folded)
    return f"@{found['login']}" if found else folded


def authority_on(tree: Tree, config: Config) -> Authority:
    """Returns an `Authority` with the owners in a tree and in the configuration. Reads CODEOWNERS
    as the repository's forge does."""
    tracker = tracker_from(config.tracker, tree.repo.remote_url(), {})
    gitlab = None if tracker is None else tracker.kind == "gitlab"
    return Authority(config, lambda p: tree.read(p) if tree.has(p) else None, gitlab=gitlab)


# Authors and agents


class ClaimAuthors(NamedTuple):
    """The authors of a claim.

    `addresses` begins with the latest author and ends with co-authors. `name` is the latest
    author's name. `at` is the time of the latest commit, in seconds since 1970. All fields are
    empty if no commit contains the claim yet."""

    addresses: tuple[str, ...] = ()
    name: str = ""
    at: float = 0.0


class Authorship:
    """Finds the authors of claims in documents at a commit, by `git blame`."""

    def __init__(self, repo: Repo, commit: str) -> None:
        self.repo, self.commit = repo, commit
        self._lines = cache(self._blame)
        self._authors = cache(self._read_authors)

    def of(self, path: str, key: ClaimKey, claims: Iterable[Claim]) -> ClaimAuthors:
        """Returns the authors of the claim with this key. `claims` are the document's claims in the
        commit whose lines are blamed. Returns empty authors if that commit does not have the claim.
        """
        claim = next((c for c in claims if c.key == key), None)
        if claim is None or not self.commit:
            return ClaimAuthors()
        lines = self._lines(path)
        commits = {lines[n] for n in range(claim.line, claim.end_line + 1) if n in lines}
        authors = sorted((self._authors(c) for c in commits), key=lambda a: -a.at)
        if not authors:
            return ClaimAuthors()
        addresses = dict.fromkeys(address for a in authors for address in a.addresses)
        return ClaimAuthors(tuple(addresses), authors[0].name, authors[0].at)

    def _blame(self, path: str) -> dict[int, str]:
        out = self.repo.run(
            "-c", "blame.ignoreRevsFile=", "blame", "--no-textconv", "--porcelain",
            self.commit, "--", path,
        )  # fmt: skip
        rows = (_BLAMED.match(row) for row in os.fsdecode(out).split("\n"))
        return {int(row[2]): row[1] for row in rows if row}

    def _read_authors(self, oid: str) -> ClaimAuthors:
        head, message = self.repo.objects.commit(oid)
        found = re.search(r"(?m)^author (.*?) ?<([^>\n]*)> (\d+)", head)
        name, address, at = found.groups() if found else ("", "", "0")
        others = _CO_AUTHOR.findall(message)
        addresses = tuple(a.casefold() for a in (address, *others) if a)
        return ClaimAuthors(addresses, name, float(at))


@lru_cache(maxsize=1024)
def is_agent(address: str, name: str = "", more: tuple[str, ...] = ()) -> bool:
    """Returns whether an address or name belongs to an agent or to a forge's bot. `more` contains
    the names from the configuration."""
    written = f"{name} <{address}>".casefold()
    signs = (*AUTHORS, *(m.casefold() for m in more if m))
    return any(sign in written for sign in signs) or any(bot in written for bot in BOTS)


def agent_signs(message: str, more: tuple[str, ...] = ()) -> str:
    """Returns the trailer or line in a commit message that identifies an agent, or an empty string.
    `more` are further texts that identify an agent."""
    written = f"\n{message.casefold()}"
    signs = (*AUTHORS, *BODY, *(m.casefold() for m in more if m))
    found = next((s for s in signs if s in written), "")
    return found or next((t for t in TRAILERS if f"\n{t}" in written), "")


def agent_in(environ: Mapping[str, str]) -> str:
    """Returns the environment variable that shows that an agent is at work, or an empty string."""
    return next((name for name in ENVIRONMENT if environ.get(name)), "")

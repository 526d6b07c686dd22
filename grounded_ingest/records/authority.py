"""Who may decide about claims: owners by path, and people as far as agents can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.config.globs import matches
from grounded_ingest.config.settings import Config
from grounded_ingest.git.trees import Tree
from grounded_ingest.records.codeowners import LARGEST, LOCATIONS, CodeOwners, is_team
from grounded_ingest.text.lexicon.agents import AUTHORS, BODY, BOTS, ENVIRONMENT, TRAILERS
from grounded_ingest.text.patterns import compiled

_NO_REPLY = compiled(r"(?:\d+\+)?(?P<login>[^@+\s]+)@users\.noreply\.[\w.-]+")


class Ownership(StrEnum):
    """What a person is to a path. `OPEN`: it has no owner that anyone named. `TEAM`: teams own it,
    and who belongs to them is the forge's knowledge (its branch protection asks them)."""

    OWNER = "owner"
    OPEN = "open"
    TEAM = "team"
    OTHER = "other"


class Person(NamedTuple):
    """Who acts: the address commits bear, and names on the forge. Empty where unknown."""

    address: str
    handles: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """Every spelling an owner may be named by, folded."""
        found = _NO_REPLY.fullmatch(self.address.casefold())
        own = {found["login"]} if found else set()
        logins = {h.casefold().lstrip("@") for h in self.handles} | own
        return frozenset({self.address.casefold(), *(f"@{login}" for login in logins)} - {""})


class Owners(NamedTuple):
    """Owners of a path as written, and where that is said; empty where nobody is named."""

    names: tuple[str, ...] = ()
    said: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(n for n in self.names if not is_team(n))

    @property
    def teams(self) -> tuple[str, ...]:
        return tuple(n for n in self.names if is_team(n))


class Authority:
    """Owners as base names them: its configuration's `reviewers` first, else its CODEOWNERS."""

    def __init__(
        self,
        config: Config,
        read: Callable[[str], bytes | None],
        *,
        gitlab: Callable[[], bool | None] = lambda: None,
    ) -> None:
        self.config = config
        self._code_owners = _read_code_owners(read, gitlab)
        self._owners: dict[str, Owners] = {}

    def owners(self, path: str) -> Owners:
        if path not in self._owners:
            self._owners[path] = self._find(path)
        return self._owners[path]

    def _find(self, path: str) -> Owners:
        for glob, names in self.config.reviewers:
            if matches((glob,), path):
                return Owners(names, f"reviewers[{glob}]")
        if self._code_owners is None:
            return Owners()
        names, line = self._code_owners.owners(path)
        return Owners(names, f"{self._code_owners.path}:{line}" if line else "")

    def standing(self, path: str, person: Person) -> Ownership:
        owners = self.owners(path)
        if not owners.names:
            return Ownership.OPEN
        known = person.names
        if any(_folded(name) in known for name in owners.people):
            return Ownership.OWNER
        return Ownership.TEAM if owners.teams else Ownership.OTHER

    def may(self, path: str, person: Person) -> bool:
        """Whether a person may decide about claims of a document, as far as is known here."""
        return self.standing(path, person) is not Ownership.OTHER and not self.is_agent(
            person.address
        )

    def name_of(self, path: str, person: Person) -> str:
        """The name on the forge by which a person owns a path; empty where the address tells."""
        plain, known = Person(person.address).names, person.names
        names = [n for n in self.owners(path).people if _folded(n) in known]
        return "" if any(_folded(n) in plain for n in names) else next(iter(names), "")

    def others(self, path: str, person: Person) -> bool:
        """Whether somebody else is named who may."""
        owners, known = self.owners(path), person.names
        return bool(owners.teams) or any(_folded(n) not in known for n in owners.people)

    def is_agent(self, address: str, name: str = "") -> bool:
        """Whether an identity is that of a known agent. False means unknown, not a person."""
        return is_agent(address, name, self.config.agents)


def _folded(name: str) -> str:
    """An owner as `Person.names` spells it; `reviewers` may hold plain no-reply addresses."""
    folded = name.casefold()
    found = _NO_REPLY.fullmatch(folded)
    return f"@{found['login']}" if found else folded


def authority_on(tree: Tree, config: Config) -> Authority:
    """Owners by the files of a tree (base's), read as the forge of the repository reads them."""

    def gitlab() -> bool | None:
        from grounded_ingest.references.tracker import tracker_from

        tracker = tracker_from(config.tracker, tree.repo.remote_url(), {})
        return None if tracker is None else tracker.kind == "gitlab"

    return Authority(config, lambda p: tree.read(p) if tree.has(p) else None, gitlab=gitlab)


def _read_code_owners(
    read: Callable[[str], bytes | None], gitlab: Callable[[], bool | None]
) -> CodeOwners | None:
    for path in LOCATIONS:
        content = read(path)
        if content is not None:
            if len(content) > LARGEST:
                return None
            return CodeOwners(content.decode(errors="replace"), path, gitlab=gitlab())
    return None


@lru_cache(maxsize=1024)
def is_agent(address: str, name: str = "", more: tuple[str, ...] = ()) -> bool:
    """Whether an address or name is an agent's, or a machine's of a forge."""
    written = f"{name} <{address}>".casefold()
    signs = (*AUTHORS, *(m.casefold() for m in more if m))
    return any(sign in written for sign in signs) or any(bot in written for bot in BOTS)


def agent_signs(message: str, more: tuple[str, ...] = ()) -> str:
    """The trailer or line by which a commit message shows an agent; empty where none does."""
    written = f"\n{message.casefold()}"
    signs = (*AUTHORS, *BODY, *(m.casefold() for m in more if m))
    found = next((s for s in signs if s in written), "")
    return found or next((t for t in TRAILERS if f"\n{t}" in written), "")


def agent_in(environ: Mapping[str, str]) -> str:
    """The variable by which the environment shows an agent at work; empty where none does."""
    return next((name for name in ENVIRONMENT if environ.get(name)), "")

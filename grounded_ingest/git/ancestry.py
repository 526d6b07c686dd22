"""Finds out which commits the base branch contains. Also finds the commit on the base branch that
replaced another commit, for example after a rebase or squash."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.cache import Cache, remember
from grounded_ingest.git.repository import Repo
from grounded_ingest.text.patterns import compiled


def unreachable(repo: Repo, oids: Iterable[str], base: str) -> set[str]:
    """Returns the commits that are not ancestors of `base`. Asks git at most once."""
    asked = set(oids) - {base}
    if not asked or not base:
        return asked
    stdin = "\n".join([*sorted(asked), f"^{base}"]) + "\n"
    listed = repo.run("rev-list", "--stdin", stdin=stdin.encode()).decode().split()
    return asked.intersection(listed)


def shallow_ends(repo: Repo) -> frozenset[str]:
    """Returns the commits at which a shallow clone ends."""
    if not repo.shallow:
        return frozenset()
    try:
        with open(f"{repo.common_dir}/shallow", encoding="ascii") as file:
            return frozenset(file.read().split())
    except OSError:
        return frozenset()


_NUMBERED = compiled(r"^(?P<subject>.+?) \((?:#|!)(?P<number>\d+)\)$")
_COMMITS = 5000
"""Maximum number of commits with the same paths whose patches are compared."""


class Landing(Struct, frozen=True):
    """A commit on the base branch that replaced another commit, for example after a squash or a
    rebase. `how` says how it was found, such as "same subject". `certain` is true if it is the only
    commit with the same patch."""

    commit: str
    how: str
    certain: bool = False


class Landings:
    """Finds the commits in the history of `base` that replaced other commits. Runs each git query
    only once, when its result is first needed."""

    def __init__(self, repo: Repo, base: str, cache: Cache) -> None:
        self.repo, self.base, self._cache = repo, base, cache
        self._by_paths: dict[bytes, list[str]] | None = None
        self._patch_ids: dict[str, str] = {}
        self._known: dict[str, Landing | None] = {}

    def of(self, commit: str, head: str) -> Landing | None:
        """Returns the commit on the base branch that replaced `commit`, which must be in this
        clone. Returns None if there is none.

        Also returns None if `commit` is in the history of `head`: the base branch may still merge
        `commit` unchanged."""
        if commit not in self._known:

            def find() -> list[Landing]:
                if head and self.repo.merge_base(commit, head) == commit:
                    return []
                found = self._same_patch(commit) or self.by_subject(self._subject(commit))
                return [found] if found else []

            # In a partial clone, a result depends on the objects that are present, so it is not
            # cached.
            try:
                if self.repo.partial:
                    found = find()
                else:
                    key = commit, self.base, head, self._refs
                    found = remember(self._cache, "landing", key, list[Landing], find)
            except GroundedIngestError:  # Objects are missing in a partial clone.
                found = []
            self._known[commit] = found[0] if found else None
        return self._known[commit]

    @cached_property
    def _refs(self) -> bytes:
        return self.repo.run("for-each-ref", "--format=%(objectname) %(refname)")

    def by_subject(self, subject: str) -> Landing | None:
        """Returns the commit on the base branch with this subject, if there is only one. Three
        forms are tried in this order: the same subject, the subject followed by `(#N)`, and the
        subject in the list that a squashed pull request has in its message."""
        if not subject:
            return None
        same = [commit for commit, other, _ in self._messages if other == subject]
        if len(same) == 1:
            return Landing(same[0], "same subject")
        with_number = [
            (commit, found["number"])
            for commit, other, _ in self._messages
            if (found := _NUMBERED.match(other)) and found["subject"] == subject
        ]
        if len(with_number) == 1:
            return Landing(with_number[0][0], f"same subject, (#{with_number[0][1]})")
        line = f"\n* {subject}\n"
        listed = [commit for commit, _, body in self._messages if line in f"\n{body}\n"]
        how = "the message of that commit contains the first line of this commit's message"
        return Landing(listed[0], how) if len(listed) == 1 else None

    def _same_patch(self, commit: str) -> Landing | None:
        patch = self._patches([commit]).get(commit, "")
        if not patch:
            return None
        names = self.repo.run("diff-tree", "-r", "--name-only", "-z", "--no-commit-id", commit)
        touched = self._touching().get(names, [])[:_COMMITS]
        patches = self._patches(touched)
        same = [c for c in touched if patches.get(c) == patch]
        if len(same) == 1:
            return Landing(same[0], "same patch", certain=True)
        return Landing(same[0], f"{len(same)} commits have the same patch") if same else None

    def _patches(self, commits: list[str]) -> dict[str, str]:
        """Maps commits to their patch ids (git-patch-id). The id is empty if the patch changes no
        text."""
        if new := [c for c in commits if c not in self._patch_ids]:
            raw = self.repo.run(
                "diff-tree", "--stdin", "--root", "-r", "-p", "--no-ext-diff", "--no-textconv",
                stdin="".join(f"{c}\n" for c in new).encode()
            )  # fmt: skip
            out = self.repo.run("patch-id", "--stable", stdin=raw).decode()
            rows = (line.split() for line in out.splitlines())
            self._patch_ids |= dict.fromkeys(new, "") | {r[1]: r[0] for r in rows if len(r) == 2}
        return {c: self._patch_ids[c] for c in commits}

    def _touching(self) -> dict[bytes, list[str]]:
        """Maps each list of touched paths to the commits on the base branch with this list. Equal
        patches touch equal paths, so only these commits are compared."""
        if self._by_paths is None:
            # The result stays empty if git fails, for example in a partial clone.
            self._by_paths = {}
            out = self.repo.run(
                "log", "--no-merges", "--name-only", "--no-renames",
                "-z", "--format=%x01%H", self.base
            )  # fmt: skip
            for part in out.split(b"\x01")[1:]:
                commit, _, names = part.partition(b"\0")
                listed = names.lstrip(b"\n").rstrip(b"\0") + b"\0"
                self._by_paths.setdefault(listed, []).append(commit.decode())
        return self._by_paths

    def _subject(self, commit: str) -> str:
        _, message = self.repo.objects.commit(commit)
        return message.strip().partition("\n")[0]

    @cached_property
    def _messages(self) -> list[list[str]]:
        """The id, the subject and the body of each commit."""
        out = self.repo.run("log", "--no-merges", "--format=%x01%H%x02%s%x02%b", self.base)
        rows = (part.split("\x02") for part in out.decode(errors="replace").split("\x01")[1:])
        return [row for row in rows if len(row) == 3]


landings_of = lru_cache(maxsize=2)(Landings)
"""Returns the search for commits that replaced others in the history of a base commit. All callers
share one search, so the history is read only once."""

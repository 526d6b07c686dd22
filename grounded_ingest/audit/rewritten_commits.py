"""Commits that base does not reach, and the ones that brought their changes there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.language.patterns import compiled

_NUMBERED = compiled(r"^(?P<subject>.+?) \((?:#|!)(?P<number>\d+)\)$")
_PULL = compiled(
    r"(?m)^[^\t]*\trefs/(?:remotes/[^/]+/)?(?:pull|merge-requests)/(?P<number>\d+)(?:/head)?$"
)
_COMMITS = "5000"
_SECONDS = 60.0


class Landed(NamedTuple):
    """The commit on base, and how it is known; `certain` where their patches are the same and no
    other commit has that patch."""

    commit: str
    how: str
    certain: bool = False


class _CommitMessage(NamedTuple):
    commit: str
    subject: str
    body: str


class Landings:
    """Answers for one base. What is asked of git is asked once, and only where it is needed."""

    def __init__(self, repo: Repo, base: str) -> None:
        self.repo, self.base = repo, base
        self._messages: list[_CommitMessage] | None = None

    def of(self, commit: str) -> Landed | None:
        """What landed in place of a commit that this clone still has."""
        try:
            return self._same_patch(commit) or self.by_subject(self._subject(commit), commit)
        except GroundedIngestError:  # more history than there is time for
            return None

    def by_subject(self, subject: str, commit: str = "") -> Landed | None:
        """What landed under a commit's subject, alone or with `(#N)`, or lists it in its body."""
        if not subject:
            return None
        known = self._known()
        same = [m for m in known if m.subject == subject]
        if len(same) == 1:
            return Landed(same[0].commit, "same subject")
        with_number = [
            (m, found["number"])
            for m in known
            if (found := _NUMBERED.match(m.subject)) and found["subject"] == subject
        ]
        if len(with_number) == 1:
            return Landed(with_number[0][0].commit, f"same subject, (#{with_number[0][1]})")
        listed = [m for m in known if f"\n* {subject}\n" in f"\n{m.body}\n"]
        if len(listed) == 1:
            return Landed(listed[0].commit, "squashed: its message lists the subject")
        return self._by_pull_request(commit) if commit else None

    def by_quote(self, quote: str) -> Landed | None:
        """What landed with words that a sidecar quotes of a commit: its subject, or a passage of
        its message."""
        said = " ".join(quote.split())
        if not said:
            return None
        same = [m for m in self._known() if said in " ".join(f"{m.subject} {m.body}".split())]
        if found := self.by_subject(quote):
            return found
        return Landed(same[0].commit, "same words") if len(same) == 1 else None

    def _by_pull_request(self, commit: str) -> Landed | None:
        refs = self.repo.run(
            "for-each-ref", "--format=%(objectname)%09%(refname)", "--contains", commit
        ).decode(errors="replace")
        numbers = {f["number"] for f in _PULL.finditer(refs)}
        found = [
            m for m in self._known() if (n := _NUMBERED.match(m.subject)) and n["number"] in numbers
        ]
        if len(numbers) == 1 and len(found) == 1:
            return Landed(found[0].commit, f"(#{numbers.pop()})")
        return None

    def _same_patch(self, commit: str) -> Landed | None:
        patch, paths = self._patch(commit)
        if not patch:
            return None
        same = [c for c, p in self._patches_of(paths) if p == patch]
        if len(same) == 1:
            return Landed(same[0], "same patch", certain=True)
        return Landed(same[0], f"same patch as {len(same)} commits") if same else None

    def _patch(self, commit: str) -> tuple[str, list[str]]:
        raw = self.repo.run("diff-tree", "-r", "-p", "--no-ext-diff", "--no-textconv", commit)
        names = self.repo.run("diff-tree", "-r", "--name-only", "-z", "--no-commit-id", commit)
        out = self.repo.run("patch-id", "--stable", stdin=raw).decode()
        return (out.split() or [""])[0], names.decode(errors="surrogateescape").split("\0")[:-1]

    def _patches_of(self, paths: list[str]) -> Iterable[tuple[str, str]]:
        """(commit, patch id) of base's commits that touch a path; their whole patches."""
        raw = self.repo.run(
            "--literal-pathspecs", "log", "-p", "--full-diff", "--no-merges", "--no-ext-diff",
            "--no-textconv", f"--max-count={_COMMITS}", "--format=commit %H", self.base, "--",
            *paths[:100], timeout=_SECONDS,
        )  # fmt: skip
        out = self.repo.run("patch-id", "--stable", stdin=raw).decode()
        rows = (line.split() for line in out.splitlines())
        return [(r[1], r[0]) for r in rows if len(r) == 2]

    def _subject(self, commit: str) -> str:
        raw = (self.repo.objects.read(commit) or b"").decode(errors="replace")
        return raw.partition("\n\n")[2].strip().partition("\n")[0]

    def _known(self) -> list[_CommitMessage]:
        if self._messages is None:
            out = self.repo.run(
                "log", "--no-merges", "--format=%x01%H%x02%s%x02%b", self.base, timeout=_SECONDS
            ).decode(errors="replace")
            rows = (part.split("\x02") for part in out.split("\x01")[1:])
            self._messages = [_CommitMessage(r[0], r[1], r[2]) for r in rows if len(r) == 3]
        return self._messages

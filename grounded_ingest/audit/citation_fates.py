"""Citations of ADRs, commits, pages and issues: what became of them."""

from __future__ import annotations

from typing import NamedTuple

from grounded_ingest.audit.citation_inventory import (
    CitationFate,
    InventoryItem,
    by_verdict,
    superseding,
)
from grounded_ingest.audit.file_history import Fates
from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.config.settings import Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import CitationKind, Verdict
from grounded_ingest.verify.adr import adr_files

_SHORT = 12


class Adrs:
    """ADRs by number: superseded (by which), gone with their file, or never there."""

    def __init__(self, repo: Repo, tree: Tree, config: Config, fates: Fates) -> None:
        self.repo, self.tree, self.config, self.fates = repo, tree, config, fates
        self._then: dict[InventoryItem, str] = {}

    def look_up(self, asked: list[InventoryItem]) -> None:
        lost = [a for a in asked if a.evidence.verdict is Verdict.REFUTED and self._number(a) >= 0]
        trees: dict[str, CommitTree] = {}
        for one in lost:
            origin, number = one.origin, self._number(one)
            if origin is None or origin.cut or adr_files(number, self.tree, self.config):
                continue
            tree = trees.setdefault(origin.commit, CommitTree(self.repo, origin.commit))
            files = adr_files(number, tree, self.config)
            if len(files) == 1:
                self._then[one] = files[0]
        self.fates.look_up(self._then.values())

    def judge(self, asked: InventoryItem) -> CitationFate:
        evidence = asked.evidence
        if evidence.verdict is not Verdict.REFUTED:
            return by_verdict(asked)
        number = self._number(asked)
        files = adr_files(number, self.tree, self.config)
        if files or self._is_whole(asked):
            return superseding(asked, files[0] if files else "")
        path = self._then.get(asked, "")
        fate = self.fates.of(path) if path else None
        if fate is not None and fate.to:
            reason = f"{path} was renamed in {fate.commit[:_SHORT]}"
            return CitationFate(EvidenceState.MOVED, reason, path, fate.to, fate.commit)
        if fate is not None:
            reason = f"{path} was removed in {fate.commit[:_SHORT]}"
            return CitationFate(EvidenceState.GONE, reason, path, "", fate.commit, fate.candidates)
        if self.repo.shallow:
            return CitationFate(EvidenceState.UNKNOWN, f"{evidence.reason}; this clone is shallow")
        return CitationFate(EvidenceState.MISSING, evidence.reason)

    def _is_whole(self, asked: InventoryItem) -> bool:
        """Whether a range or a lettered ADR has all its files: then one of them no longer holds."""
        first, _, last = asked.citation.raw.partition("-")
        if not (first.isdigit() and last.isdigit()):
            return not first.isdigit()
        members = range(int(first), int(last) + 1)
        return all(adr_files(n, self.tree, self.config) for n in members)

    def _number(self, asked: InventoryItem) -> int:
        """The one number a citation names; -1 for ranges and lettered ones."""
        raw = asked.citation.raw
        return int(raw) if asked.citation.kind is CitationKind.ADR and raw.isdigit() else -1


class Commits:
    """Commits: on base, or what landed in their place."""

    def __init__(self, repo: Repo, head: str, base: str, *, known: bool) -> None:
        self.repo, self.head, self.base, self.known = repo, head, base, known
        self._landings = Landings(repo, base) if base else None

    def judge(self, asked: InventoryItem) -> CitationFate:
        evidence = asked.evidence
        if evidence.verdict is Verdict.CONFIRMED:
            return CitationFate(EvidenceState.OK, evidence.reason)
        cited = self.repo.objects.get(f"{evidence.target}^{{commit}}")
        found = cited.oid if cited and cited.oid.startswith(evidence.target) else ""
        if self._landings is None or not self.known or (self.repo.shallow and not found):
            return CitationFate(EvidenceState.UNKNOWN, evidence.reason)
        if not found:
            return self._absent(asked)
        if self._is_ahead(found):
            return CitationFate(EvidenceState.UNKNOWN, "not on base yet")
        landed = self._landings.of(found)
        if landed is None:
            if self.repo.shallow:
                return CitationFate(EvidenceState.UNKNOWN, evidence.reason)
            return CitationFate(EvidenceState.UNREACHABLE, "no longer reachable from base", found)
        return CitationFate(
            EvidenceState.UNREACHABLE,
            f"not reachable from base; landed as {landed.commit[:_SHORT]} ({landed.how})",
            found,
            landed.commit,
            certain=landed.certain,
        )

    def _absent(self, asked: InventoryItem) -> CitationFate:
        """Decides a commit that is not in this clone, by what evidence recorded of it."""
        if asked.evidence.verdict is not Verdict.REFUTED or self._landings is None:
            return CitationFate(EvidenceState.UNKNOWN, asked.evidence.reason)
        held = asked.line_recorded.citations if asked.line_recorded else ()
        known = [c for c in held if c.target.startswith(asked.evidence.target)]
        if known and known[0].verdict is Verdict.CONFIRMED:
            return CitationFate(
                EvidenceState.UNREACHABLE, "no such commit any more", known[0].target
            )
        return CitationFate(EvidenceState.MISSING, asked.evidence.reason)

    def _is_ahead(self, oid: str) -> bool:
        """Whether HEAD reaches it: a commit of the branch at hand, which may still land."""
        return bool(self.head) and self.repo.merge_base(oid, self.head) == oid


_NUMBERED = compiled(r"^(?P<subject>.+?) \((?:#|!)(?P<number>\d+)\)$")
_PULL = compiled(
    r"(?m)^[^\t\n]*\trefs/(?:remotes/[^/]+/)?(?:pull|merge-requests)/(?P<number>\d+)(?:/head)?$"
)
_COMMITS = 5000
"""Commits of the same paths whose patches are compared."""


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
        self._by_paths: dict[bytes, list[str]] | None = None
        self._patch_ids: dict[str, str] = {}

    def of(self, commit: str) -> Landed | None:
        """What landed in place of a commit that this clone still has."""
        try:
            return self._same_patch(commit) or self.by_subject(self._subject(commit), commit)
        except GroundedIngestError:  # more history than there is time for
            return None

    def by_subject(self, subject: str, commit: str) -> Landed | None:
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
        return self._by_pull_request(commit)

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
        patch = self._patches([commit]).get(commit, "")
        if not patch:
            return None
        names = self.repo.run("diff-tree", "-r", "--name-only", "-z", "--no-commit-id", commit)
        touched = self._touching().get(names, [])[:_COMMITS]
        patches = self._patches(touched)
        same = [c for c in touched if patches.get(c) == patch]
        if len(same) == 1:
            return Landed(same[0], "same patch", certain=True)
        return Landed(same[0], f"same patch as {len(same)} commits") if same else None

    def _patches(self, commits: list[str]) -> dict[str, str]:
        """Patch ids by commit, of those whose patch changes a text."""
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
        """Base's commits by the paths they touch, as git lists them, from one walk: a patch is the
        same only where its paths are."""
        if self._by_paths is None:
            self._by_paths = {}  # and so it stays if git fails: a partial clone
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
        raw = (self.repo.objects.read(commit) or b"").decode(errors="replace")
        return raw.partition("\n\n")[2].strip().partition("\n")[0]

    def _known(self) -> list[_CommitMessage]:
        if self._messages is None:
            out = self.repo.run(
                "log", "--no-merges", "--format=%x01%H%x02%s%x02%b", self.base
            ).decode(errors="replace")
            rows = (part.split("\x02") for part in out.split("\x01")[1:])
            self._messages = [_CommitMessage(r[0], r[1], r[2]) for r in rows if len(r) == 3]
        return self._messages

"""Citations of ADRs, commits, pages and issues: what became of them."""

from __future__ import annotations

from grounded_ingest.audit.citation_inventory import InventoryItem
from grounded_ingest.audit.file_history import Fates
from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.audit.outcome import CitationFate, by_verdict, superseding
from grounded_ingest.audit.rewritten_commits import Landings
from grounded_ingest.config.settings import Config
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
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
        """No object here. What a sidecar quotes of it may stand on base."""
        if asked.evidence.verdict is not Verdict.REFUTED or self._landings is None:
            return CitationFate(EvidenceState.UNKNOWN, asked.evidence.reason)
        held = asked.line_recorded.citations if asked.line_recorded else ()
        known = [c for c in held if c.target.startswith(asked.evidence.target)]
        landed = self._landings.by_quote(known[0].quote) if known else None
        if landed is not None:
            reason = f"no such commit any more; {landed.commit[:_SHORT]} has its words"
            return CitationFate(EvidenceState.UNREACHABLE, reason, known[0].target, landed.commit)
        if known and known[0].verdict is Verdict.CONFIRMED:
            return CitationFate(
                EvidenceState.UNREACHABLE, "no such commit any more", known[0].target
            )
        return CitationFate(EvidenceState.MISSING, asked.evidence.reason)

    def _is_ahead(self, oid: str) -> bool:
        """Whether HEAD reaches it: a commit of the branch at hand, which may still land."""
        return bool(self.head) and self.repo.merge_base(oid, self.head) == oid

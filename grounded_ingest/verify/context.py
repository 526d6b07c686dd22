"""What verifiers may look at: the repository, the tree after the change, and base."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from grounded_ingest.config.settings import Config
from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.landings import Landings, landings_of
from grounded_ingest.git.line_origins import Origins, origins_of
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.knowledge.scope import Base
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Evidence, Verdict

if TYPE_CHECKING:
    from grounded_ingest.knowledge.ledger import Ledger
    from grounded_ingest.net.client import Web
    from grounded_ingest.verify.response_cache import Answers


BROKEN = "could not be checked"
"""Begins the reason of an answer whose check raised an error."""


class Request(NamedTuple):
    """A citation and the document it stands in. `said`: its claim, where that tells which of
    several files is meant."""

    path: str
    citation: Citation
    said: str = ""


def requests_of(path: str, claim: Claim) -> tuple[Request, ...]:
    """What has to be verified for a claim of a document."""
    return tuple(Request(path, c, claim.text if _needs_text(c) else "") for c in claim.citations)


def _needs_text(citation: Citation) -> bool:
    """Whether its sentence says which file is meant, of several that end as a cited path does, or
    names the successor of a decision, or what a commit became."""
    if citation.kind in (CitationKind.ADR, CitationKind.COMMIT):
        return True
    return citation.kind is CitationKind.PATH and bool(citation.lines) and not citation.link


class Context(NamedTuple):
    """Everything a verifier may look at.

    `web` is None offline. `document` tells whether a path is a document. `gone` maps the paths that
    this change removes to their new paths, or to "". `ledger` keeps the results of word searches;
    None keeps nothing. `staged` is true if `tree` is git's index, which a commit takes; `brief` if
    only verdicts count, so that no history is read for what became of missing things; `blames` if
    the history of lines may be read, which judges no change.
    """

    repo: Repo
    config: Config
    tree: Tree
    base: Base
    web: Web | None
    answers: Answers | None
    document: Callable[[str], bool] = bool
    gone: Mapping[str, str] = MappingProxyType({})
    ledger: Ledger | None = None
    history: RemovalHistory | None = None
    staged: bool = False
    brief: bool = False
    blames: bool = False

    def origins(self, paths: Iterable[str]) -> Mapping[str, Origins]:
        """Returns what wrote each line of documents, by path; nothing if the run does not blame."""
        if self.brief or not self.blames:
            return {}
        return origins_of(self.repo, self.start, paths, self.tree)

    @property
    def removals(self) -> RemovalHistory:
        """What history removed; read anew where the run keeps no history."""
        return self.history or RemovalHistory(self.repo)

    @property
    def landings(self) -> Landings:
        """What landed on base in place of other commits."""
        return landings_of(self.repo, self.base.commit)

    @property
    def start(self) -> str:
        """The commit whose history the tree has: its own, or HEAD; empty on an unborn branch."""
        return self.tree.commit if isinstance(self.tree, CommitTree) else self.repo.head()


def evidence(request: Request, verdict: Verdict, reason: str = "", *, target: str = "") -> Evidence:
    """Evidence for a request; `target` defaults to the citation as written."""
    citation = request.citation
    return Evidence(
        citation.kind,
        target or as_cited(citation),
        verdict,
        reason,
        own=citation.own,
        link=citation.link,
    )


def as_cited(citation: Citation) -> str:
    if citation.lines is None:
        return citation.raw
    first, last = citation.lines
    return f"{citation.raw}:{first}" + (f"-{last}" if last != first else "")


def fingerprint(text: str) -> str:
    """16 hex digits of SHA-256 over the text, line ends and outer space of lines left aside."""
    from grounded_ingest.model.digests import sha256

    lines = "\n".join(line.strip() for line in text.split("\n"))
    return sha256(lines.encode()).hexdigest()[:16]

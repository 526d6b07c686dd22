"""Defines what every kind of reference may look at: the repository, the tree after the change,
base."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from grounded_ingest.config.settings import Config
from grounded_ingest.git.ancestry import Landings, landings_of
from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.line_origins import Origins, origins_of
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Evidence, Verdict
from grounded_ingest.model.digests import sha256
from grounded_ingest.repository.scope import Base

if TYPE_CHECKING:
    from grounded_ingest.git.cache import Cache
    from grounded_ingest.net.client import Web
    from grounded_ingest.references.response_cache import Answers


BROKEN = "could not be checked"
"""Begins the reason of an answer whose check raised an error."""


class Request(NamedTuple):
    """A citation and the document that it stands in. `sentence` is the text of its claim, if that
    text helps to decide what is meant."""

    path: str
    citation: Citation
    sentence: str = ""


def requests_of(path: str, claim: Claim) -> tuple[Request, ...]:
    """Returns the citations of a claim as requests."""
    return tuple(Request(path, c, claim.text if _needs_text(c) else "") for c in claim.citations)


def _needs_text(citation: Citation) -> bool:
    """Whether the sentence says which of several files is meant, or names the successor of a
    decision or commit."""
    if citation.kind in (CitationKind.ADR, CitationKind.COMMIT):
        return True
    return citation.kind is CitationKind.PATH and bool(citation.lines) and not citation.link


class Context(NamedTuple):
    """What a run may look at to answer references.

    `web` is None offline. `document` says whether a path is a document. `gone` maps the paths that
    this change removes to their new paths, or to "". `cache` keeps results between runs; None keeps
    nothing. `staged` is true if `tree` is git's index. `brief` is true if only verdicts count, so
    that no history is read for what became of missing things. `blames` is true if the history of
    lines may be read; a check of a change does not read it.
    """

    repo: Repo
    config: Config
    tree: Tree
    base: Base
    web: Web | None
    answers: Answers | None
    document: Callable[[str], bool] = bool
    gone: Mapping[str, str] = MappingProxyType({})
    cache: Cache | None = None
    history: RemovalHistory | None = None
    staged: bool = False
    brief: bool = False
    blames: bool = False

    def origins(self, paths: Iterable[str]) -> Mapping[str, Origins]:
        """Returns the commits that wrote each line of documents, by path; nothing if the run does
        not blame."""
        return (
            origins_of(self.repo, self.start, paths, self.tree)
            if self.blames and not self.brief
            else {}
        )

    @property
    def removals(self) -> RemovalHistory:
        """What history removed; read again if the run keeps no history."""
        return self.history or RemovalHistory(self.repo)

    @property
    def landings(self) -> Landings:
        """Commits that landed on base in place of others, as squashed and rebased ones."""
        return landings_of(self.repo, self.base.commit)

    @property
    def start(self) -> str:
        """The commit at which history begins: the tree's own, or HEAD; empty on an unborn
        branch."""
        return self.tree.commit if isinstance(self.tree, CommitTree) else self.repo.head()


def evidence(request: Request, verdict: Verdict, reason: str = "", *, target: str = "") -> Evidence:
    """Returns evidence for a request; `target` defaults to the citation as written."""
    citation = request.citation
    return Evidence(
        citation.kind,
        target or as_cited(citation),
        verdict,
        reason,
        own=citation.own,
        link=citation.link,
    )


def with_own(found: Evidence | None, request: Request) -> Evidence | None:
    """Returns a server's answer as the evidence of one of the requests that asked for it."""
    return None if found is None else replace(found, own=request.citation.own)


def as_cited(citation: Citation) -> str:
    """Returns a citation as it is written, `path:first-last`."""
    if citation.lines is None:
        return citation.raw
    first, last = citation.lines
    return f"{citation.raw}:{first}" + (f"-{last}" if last != first else "")


def fingerprint(text: str) -> str:
    """Returns 16 hex digits of the SHA-256 of a text, without line ends and the outer space of
    lines."""
    lines = "\n".join(line.strip() for line in text.split("\n"))
    return sha256(lines.encode()).hexdigest()[:16]

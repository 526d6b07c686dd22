"""Defines the data that every check of a reference may read: the repository, the changed tree and
the base branch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from posixpath import dirname
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from grounded_ingest.config.settings import Config
from grounded_ingest.extract.citations import RESOURCE
from grounded_ingest.git.history import RemovalHistory
from grounded_ingest.git.line_origins import origins_of
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Evidence, Verdict
from grounded_ingest.model.digests import sha256
from grounded_ingest.repository.scope import Base

if TYPE_CHECKING:
    from grounded_ingest.git.cache import Cache
    from grounded_ingest.git.line_origins import Origins
    from grounded_ingest.net.client import Web
    from grounded_ingest.references.response_cache import Answers


BROKEN = "could not be checked"
"""The start of the reason for a reference whose check raised an error."""


class Request(NamedTuple):
    """A citation and the path of the document that contains the citation. `sentence` is the text of
    the claim, if that text helps to decide which file or commit is meant."""

    path: str
    citation: Citation
    sentence: str = ""


def requests_of(path: str, claim: Claim) -> tuple[Request, ...]:
    """Returns a request for each citation in a claim."""
    return tuple(Request(path, c, claim.text if _needs_text(c) else "") for c in claim.citations)


def _needs_text(citation: Citation) -> bool:
    """Returns whether the check of a citation needs the text of its claim. The text may show which
    of several files is meant, whether a folder is there or emphasis has replaced the signs in
    `__init__.py`, whether a file is in the root, or the successor of a decision."""
    if citation.kind in (CitationKind.ADR, CitationKind.COMMIT):
        return True
    folder = "/" in citation.raw and "." not in citation.raw
    folder = folder or citation.raw.endswith(("/init.py", "/main.py"))
    named = citation.kind is CitationKind.PATH and not citation.link
    return named and (folder or "/" not in citation.raw or bool(citation.lines))


class Context(NamedTuple):
    """The data that a run may use to look up references.

    `web` sends requests; it is None in an offline run. `answers` has the cached responses of
    servers. `document` returns whether a path is a document. `gone` maps each path that the change
    removes to its new path, or to "" if the file was deleted. `cache` stores results between runs,
    or during this run if it is in memory.

    `staged` is true if `tree` is git's index. `brief` is true if only verdicts are needed, so that
    missing names are not searched in history. `blames` is true if `git blame` may be used; a hook
    and a check of a commit range do not use it. `whole` is true if whole documents are checked, and
    not only what a change writes.
    """

    repo: Repo
    config: Config
    tree: Tree
    base: Base
    web: Web | None
    answers: Answers | None
    cache: Cache
    document: Callable[[str], bool] = bool
    gone: Mapping[str, str] = MappingProxyType({})
    history: RemovalHistory | None = None
    staged: bool = False
    brief: bool = False
    blames: bool = False
    whole: bool = False

    def origins(self, paths: Iterable[str]) -> Mapping[str, Origins]:
        """Returns for each document the commits that last wrote its lines. Returns an empty mapping
        if this run may not use `git blame`."""
        if not self.blames or self.brief:
            return {}
        return origins_of(self.repo, self.start, paths, self.tree)

    def is_page_noticed(self, path: str, has_notice: Callable[[str, Tree], bool]) -> bool:
        """Returns whether a page has a notice that exempts the whole page, such as "generated, do
        not edit".

        In the check of a change, base has to have the notice too: on this page or, if the page is
        new, on a page in the same folder. Otherwise the change could silence its own check.
        """
        if not has_notice(path, self.tree):
            return False
        if self.whole:
            return True
        base, pages = self.base.tree, [path]
        if base.entry(path) is None:
            folder = dirname(path)
            pages += (p for p in base.files if dirname(p) == folder)
        return any(has_notice(p, base) for p in pages)

    @property
    def removals(self) -> RemovalHistory:
        """The index of the names and files that commits removed. A new index is built if the
        context has none."""
        return self.history or RemovalHistory(self.repo)

    @property
    def start(self) -> str:
        """The id of the commit from which history is read: the commit of `tree`, or HEAD. The id is
        empty on a branch without a commit."""
        return self.tree.commit if isinstance(self.tree, CommitTree) else self.repo.head()


def evidence(request: Request, verdict: Verdict, reason: str = "", *, target: str = "") -> Evidence:
    """Returns evidence for a request. `target` defaults to the citation as written."""
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
    """Copies to the evidence whether the citation is in the claim's own sentence (`own`) or only
    near it. Returns None if `found` is None."""
    return None if found is None else replace(found, own=request.citation.own)


def as_cited(citation: Citation) -> str:
    """Returns a citation as `path`, `path:line` or `path:first-last`."""
    role = RESOURCE.fullmatch(citation.raw)  # `doc:set-up` stands for a role with `set-up`
    raw = role["target"] if role else citation.raw
    if citation.lines is None:
        return raw
    first, last = citation.lines
    return f"{raw}:{first}" + (f"-{last}" if last != first else "")


def fingerprint(text: str) -> str:
    """Returns the first 16 hex digits of the SHA-256 of a text. The spaces around each line are
    ignored."""
    lines = "\n".join(line.strip() for line in text.split("\n"))
    return sha256(lines.encode()).hexdigest()[:16]

"""Finds citations of other repositories in claims, and looks them up in the cited repository.

A citation names a file, symbol, decision record (ADR) or commit. Three forms are recognised:
`https://host/owner/name/blob/main/src/x.py#L3`, `owner/name:src/x.py:3`, and citations in a claim
that says they are in another repository. Such a claim must name exactly one other repository as
`owner/name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from grounded_ingest.config.settings import Config
from grounded_ingest.extract.citations import line_number
from grounded_ingest.fleet.jobs import Found, Question
from grounded_ingest.git.commit_walk import Removal
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import Citation, CitationKind, Evidence, Place, Verdict
from grounded_ingest.references.context import Context, Request, evidence
from grounded_ingest.references.exemptions import is_template_path
from grounded_ingest.references.path import ABSENT
from grounded_ingest.references.registry import verify_citations
from grounded_ingest.repository.scope import Base
from grounded_ingest.text.patterns import compiled

_LINES = compiled(r"L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?|lines-(\d+)(?::(\d+))?")
_NAMED = compiled(r"(?<![\w./:@-])([A-Za-z0-9][\w-]*/[A-Za-z0-9][\w.-]*)(?:@[\w.-]+)?")
_PLACE = compiled(
    r"(?<![\w./:@-])([A-Za-z0-9][\w-]*/[\w.-]*\w):([\w.-]+(?:/[\w.@-]+)*\.\w+)(?:::(\w+)|:(\d+)(?:-(\d+))?)?(?!\w)"
)
_COMMIT = compiled(r"[0-9a-f]{7,64}")
_PAGES = ("blob", "tree", "raw", "blame", "src")
_KINDS = {"path": CitationKind.PATH, "adr": CitationKind.ADR, "commit": CitationKind.COMMIT}


class CitedElsewhere(NamedTuple):
    """A citation that refers to another repository.

    `origin` is this repository as `host/owner/name`. `cited` is the text of the citation. `kind`
    and `target` say what is cited. `first` and `last` are the cited lines. `at` is the cited branch
    or commit.
    """

    origin: str
    cited: str
    kind: str
    target: str
    first: int = 0
    last: int = 0
    at: str = ""


def cited_elsewhere(place: Place, own: str) -> Iterator[CitedElsewhere]:
    """Yields each citation in a claim that refers to a repository other than `own`, once.

    `own` has the form `host/owner/name`. A repository name without a host means a repository on the
    host in `own`.
    """
    claim, host = place.claim, own.partition("/")[0]
    found = [*_cited_urls(claim.citations), *_cited_places(claim.text, host)]
    if not found and host:
        found += _cited_of_one_name(place, host)
    yield from dict.fromkeys(f for f in found if f.origin != own)


def _cited_urls(citations: Sequence[Citation]) -> Iterator[CitedElsewhere]:
    for citation in citations:
        if citation.kind is CitationKind.URL and (page := cited_on_page(citation.raw)):
            yield page


def cited_on_page(url: str) -> CitedElsewhere | None:
    """Returns the citation in the URL of a file or commit page on a forge such as GitHub.

    Returns None for any other URL.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    steps = [unquote(s) for s in parts.path.split("/") if s]
    if host == "raw.githubusercontent.com" and len(steps) > 3:
        host, steps = "github.com", [*steps[:2], "raw", *steps[2:]]
    return _cite_page(url, host, steps, _line_range(_LINES.fullmatch(parts.fragment)))


def _cite_page(
    url: str, host: str, steps: list[str], lines: tuple[int, int]
) -> CitedElsewhere | None:
    at = next((n for n, s in enumerate(steps) if n >= 2 and s in (*_PAGES, "commit")), 0)
    if not at or len(steps) < at + 2:
        return None
    owner = [s for s in steps[:at] if s != "-"]
    origin = "/".join([host, *owner]).removesuffix(".git").lower()
    if steps[at] == "commit":
        commit = steps[at + 1].lower()
        return CitedElsewhere(origin, url, "commit", commit) if _COMMIT.fullmatch(commit) else None
    path = "/".join(steps[at + 2 :])
    if not path:
        return None
    return CitedElsewhere(origin, url, "path", path, *lines, steps[at + 1])


def _line_range(found: re.Match[str] | None) -> tuple[int, int]:
    numbers = [line_number(g) for g in found.groups() if g] if found else []
    return (numbers[0], numbers[-1]) if numbers else (0, 0)


def _cited_places(text: str, host: str) -> Iterator[CitedElsewhere]:
    """Yields citations like `owner/name:path/file.py:3` and `owner/name:path/file.py::symbol`."""
    for found in _PLACE.finditer(text) if host else ():
        origin = f"{host}/{found[1]}".lower()
        if found[3]:
            yield CitedElsewhere(origin, found[0], "symbol", f"{found[2]}::{found[3]}")
        else:
            first = line_number(found[4]) if found[4] else 0
            last = line_number(found[5]) if found[5] else first
            yield CitedElsewhere(origin, found[0], "path", found[2], first, last)


def _cited_of_one_name(place: Place, host: str) -> Iterator[CitedElsewhere]:
    """Yields the citations that a claim says are in another repository, if the claim names exactly
    one other repository.
    """
    claim = place.claim
    foreign = [c for c in claim.citations if c.cue == "foreign" or "foreign" in c.around]
    cited = {c.raw for c in claim.citations}
    names = {m[1].lower() for m in _NAMED.finditer(claim.text) if m[1] not in cited}
    if len(names) != 1 or not foreign:
        return
    origin = f"{host}/{names.pop()}"
    for citation in foreign:
        first, last = citation.lines or (0, 0)
        if citation.kind is CitationKind.SYMBOL:
            yield CitedElsewhere(origin, citation.raw, "symbol", citation.raw)
        elif citation.kind in _KINDS.values():
            yield CitedElsewhere(
                origin, citation.raw, citation.kind.value, citation.raw, first, last
            )


def answer_questions(repo: Repo, questions: Sequence[Question]) -> list[Found]:
    """Looks up cited targets at HEAD of a repository, with the default configuration.

    A citation of a commit is looked up in that commit. A citation of a branch that is not the
    branch of HEAD has the verdict `unknown`.
    """
    head = repo.head()
    tree = CommitTree(repo, head)
    base = Base(head, tree, known=True, reason="its head")
    context = Context(repo, Config(), tree, base, None, None)
    branch = repo.run("symbolic-ref", "-q", "--short", "HEAD", ok=(0, 1)).decode().strip()
    found = [_evidence(q, {"", "HEAD", branch}, context) for q in questions]
    absent = [q.target for q, e in zip(questions, found, strict=True) if e.reason == ABSENT]
    removals = context.removals.removed_below(context.start, absent)
    removals |= context.removals.removed_files(context.start, absent)
    return [_with_removal(q, e, removals) for q, e in zip(questions, found, strict=True)]


def _with_removal(question: Question, found: Evidence, removals: Mapping[str, Removal]) -> Found:
    removal = removals.get(question.target)
    if found.reason == ABSENT and removal:
        return Found(found.verdict, f"deleted in {removal.commit[:12]}")
    return Found(found.verdict, found.reason)


def _evidence(question: Question, branches: set[str], context: Context) -> Evidence:
    request = Request("", _citation(question))
    at = question.at
    if at not in branches:
        commit = context.repo.objects.get(f"{at}^{{commit}}") if _COMMIT.fullmatch(at) else None
        if commit is None:
            return evidence(
                request,
                Verdict.UNKNOWN,
                f"the citation names {at}, which is not the branch of HEAD",
            )
        context = context._replace(tree=CommitTree(context.repo, commit.oid))
    if at and not _exists(question.target, context):
        return evidence(request, Verdict.REFUTED, ABSENT)
    found = verify_citations([request], context)[request]
    return found or evidence(request, Verdict.UNKNOWN, "this kind of citation cannot be looked up")


def _exists(target: str, context: Context) -> bool:
    """Returns whether the exact path exists. The URL of a forge contains the full path, so no other
    directories are searched."""
    return context.tree.has(target) or context.tree.is_dir(target) or is_template_path(target)


def _citation(question: Question) -> Citation:
    lines = (question.first, question.last) if question.first else None
    kind = _KINDS.get(question.kind, CitationKind.PATH)
    return Citation(
        kind, question.target, lines, cue="meant" if kind is CitationKind.COMMIT else ""
    )

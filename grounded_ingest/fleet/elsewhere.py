"""Claims that cite a file, symbol, decision or commit of another repository, and what is there.

`https://host/owner/name/blob/main/src/x.py#L3`, `owner/name:src/x.py:3` and, in a claim that names
one other repository as `owner/name`, what it cites as that one's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from grounded_ingest.config.settings import Config
from grounded_ingest.extract.citations import line_number
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
    """A row of the table `elsewhere`, without where it stands."""

    origin: str
    cited: str
    kind: str
    target: str
    first: int = 0
    last: int = 0
    at: str = ""


def cited_elsewhere(place: Place, own: str) -> Iterator[CitedElsewhere]:
    """What a claim cites of repositories other than its own (`host/owner/name`). Names without a
    host are taken for repositories of the own host."""
    claim, host = place.claim, own.partition("/")[0]
    found = [*_linked(claim.citations), *_placed(claim.text, host)]
    if not found and host:
        found += _of_one_named(place, host)
    yield from dict.fromkeys(f for f in found if f.origin != own)


def _linked(citations: Sequence[Citation]) -> Iterator[CitedElsewhere]:
    for citation in citations:
        if citation.kind is CitationKind.URL and (page := cited_on_page(citation.raw)):
            yield page


def cited_on_page(url: str) -> CitedElsewhere | None:
    """What a page of a forge shows of a repository; None for other pages."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    steps = [unquote(s) for s in parts.path.split("/") if s]
    if host == "raw.githubusercontent.com" and len(steps) > 3:
        host, steps = "github.com", [*steps[:2], "raw", *steps[2:]]
    return _shown(url, host, steps, _span(_LINES.fullmatch(parts.fragment)))


def _shown(url: str, host: str, steps: list[str], lines: tuple[int, int]) -> CitedElsewhere | None:
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


def _span(found: re.Match[str] | None) -> tuple[int, int]:
    numbers = [line_number(g) for g in found.groups() if g] if found else []
    return (numbers[0], numbers[-1]) if numbers else (0, 0)


def _placed(text: str, host: str) -> Iterator[CitedElsewhere]:
    """`owner/name:path/of/file.py:3`, or `…::symbol`."""
    for found in _PLACE.finditer(text) if host else ():
        origin = f"{host}/{found[1]}".lower()
        if found[3]:
            yield CitedElsewhere(origin, found[0], "symbol", f"{found[2]}::{found[3]}")
        else:
            first = line_number(found[4]) if found[4] else 0
            last = line_number(found[5]) if found[5] else first
            yield CitedElsewhere(origin, found[0], "path", found[2], first, last)


def _of_one_named(place: Place, host: str) -> Iterator[CitedElsewhere]:
    """What a claim says is another repository's, where it names just one."""
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


def found_there(asked: Sequence[CitedElsewhere], context: Context) -> list[Evidence]:
    """Evidence for each in the repository that it is said to be of. `context` is the tree of its
    head, which is also its base: what names another branch is `unknown`."""
    branch = context.repo.run("symbolic-ref", "-q", "--short", "HEAD", ok=(0, 1)).decode().strip()
    found = [_found(a, {"", "HEAD", branch}, context) for a in asked]
    absent = [a.target for a, e in zip(asked, found, strict=True) if e.reason == ABSENT]
    files = context.removals.removed_files(context.start, absent)
    below = context.removals.removed_below(context.start, absent)
    deleted = {name: removal.commit[:12] for name, removal in (below | files).items()}
    return [_fate(a.target, e, deleted) for a, e in zip(asked, found, strict=True)]


def _fate(target: str, found: Evidence, deleted: dict[str, str]) -> Evidence:
    """Adds to evidence of an absent file or directory the commit that deleted it."""
    if found.reason != ABSENT or target not in deleted:
        return found
    return replace(found, reason=f"deleted in {deleted[target]}")


def _found(asked: CitedElsewhere, branches: set[str], context: Context) -> Evidence:
    request = Request("", _citation(asked))
    at = asked.at
    if at not in branches:
        held = context.repo.objects.get(f"{at}^{{commit}}") if _COMMIT.fullmatch(at) else None
        if held is None:
            return evidence(
                request, Verdict.UNKNOWN, f"cites {at}, which is not what stands there now"
            )
        context = context._replace(tree=CommitTree(context.repo, held.oid))
    if asked.at and not _is_there(asked.target, context):
        return evidence(request, Verdict.REFUTED, ABSENT)
    found = verify_citations([request], context)[request]
    return found or evidence(request, Verdict.UNKNOWN, "says nothing that can be looked up")


def _is_there(target: str, context: Context) -> bool:
    """A page of a forge is at its very path, or nowhere."""
    return context.tree.has(target) or context.tree.is_dir(target) or is_template_path(target)


def _citation(asked: CitedElsewhere) -> Citation:
    lines = (asked.first, asked.last) if asked.first else None
    kind = _KINDS.get(asked.kind, CitationKind.PATH)
    return Citation(kind, asked.target, lines, cue="meant" if kind is CitationKind.COMMIT else "")


def head_context(repo: Repo) -> Context:
    """A repository as its head has it, judged by that and by the defaults, asking nobody."""
    head = repo.head()
    tree = CommitTree(repo, head)
    return Context(
        repo, Config(), tree, Base(head, tree, known=True, reason="its head"), None, None
    )

"""Pages of the repository's own forge (`…/blob/main/src/x.py#L3`): the clone has what they show.

Whatever is not surely of this repository, at base's branch or at a commit, stays a URL.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Citation, CitationKind, Evidence, Verdict
from grounded_ingest.verify.adr import is_decision, judge_adr_file
from grounded_ingest.verify.commit import verify_commits
from grounded_ingest.verify.context import Context, Request, evidence
from grounded_ingest.verify.forge_urls import Page, page_of
from grounded_ingest.verify.path import verify_paths

EvidenceByRequest = dict[Request, Evidence | None]


def in_clone(requests: Sequence[Request], context: Context) -> EvidenceByRequest:
    """Evidence for those URLs that show what the clone has; the others are left out."""
    pages = {r: page for r in requests if (page := page_of(r.citation.raw, context)) is not None}
    commits = {r: _commit_of(r, page) for r, page in pages.items() if page.commit}
    judged = verify_commits(list(commits.values()), context) if commits else {}
    found: EvidenceByRequest = {}
    for request, page in pages.items():
        at = judged[commits[request]] if page.commit else None
        if not page.commit:
            found[request] = _on_branch(request, page, context)
        elif at is None or (at.verdict is Verdict.REFUTED and not page.sure):
            continue
        elif at.verdict is not Verdict.CONFIRMED or page.path is None:
            found[request] = at
        else:
            found[request] = _at_commit(request, page, at.target, context)
    return found


def _commit_of(request: Request, page: Page) -> Request:
    own = request.citation.own
    return Request(request.path, Citation(CitationKind.COMMIT, page.commit, own=own, cue="meant"))


def _on_branch(request: Request, page: Page, context: Context) -> Evidence | None:
    asked = _local(request, page, context.tree)
    if asked is None:
        return _absent(request, page, context.tree, context)
    return verify_paths([asked], context)[asked]


def _at_commit(request: Request, page: Page, commit: str, context: Context) -> Evidence | None:
    """What a file was at a commit of base. Its words bear witness as far as base still has them;
    a document's never, and an ADR's as far as it stands today."""
    tree = _tree(context.repo, commit)
    asked = _local(request, page, tree)
    if asked is None:
        return _absent(request, page, tree, context)
    path = asked.citation.raw
    if is_decision(context.config, path, tree) and tree.mode(path):
        today = _decision(asked, path, context)
        if page.lines is None or today.verdict is not Verdict.CONFIRMED:
            return today
    there = context._replace(tree=tree, witness=_never)
    judged = verify_paths([asked], there)[asked]
    if judged is None:
        return None
    # What a commit of base has was on base once.
    reason = judged.reason.replace("not on base yet", "these words are not on base today")
    origins = tuple(replace(o, commit=commit) for o in judged.origins)
    target = f"{commit[:12]}:{judged.target}"
    return replace(judged, target=target, reason=reason, origins=origins)


def _never(_path: str, _lines: tuple[int, int]) -> bool:
    return False


def _decision(asked: Request, path: str, context: Context) -> Evidence:
    """A link to how it once was does not revive what was superseded since."""
    if not (context.tree.has(path) and context.base.tree.has(path)):
        judged = evidence(asked, Verdict.UNKNOWN, "an ADR that is no longer there", target=path)
    else:
        judged = judge_adr_file(asked, path, context)
    return replace(judged, kind=CitationKind.ADR)


@lru_cache(maxsize=16)
def _tree(repo: Repo, commit: str) -> CommitTree:
    return CommitTree(repo, commit)


def _local(request: Request, page: Page, tree: Tree) -> Request | None:
    """The page as a path from the root, None where the tree has none: the end of a path names
    nothing in a URL."""
    from unicodedata import normalize

    path = page.path or "."
    forms = dict.fromkeys((path, normalize("NFC", path), normalize("NFD", path)))
    there = (p for p in forms if p == "." or tree.has(p) or tree.is_dir(p))
    if not (exact := next(there, "")):
        return None
    own, cue = request.citation.own, request.citation.cue
    cited = Citation(CitationKind.PATH, exact, page.lines, own=own, cue=cue)
    return Request(request.path, cited)


def _absent(request: Request, page: Page, tree: Tree, context: Context) -> Evidence | None:
    if request.citation.cue in ("gone", "planned"):
        return None
    path = page.path or "."
    cited = Citation(CitationKind.PATH, path, page.lines, own=request.citation.own)
    asked, verdict, reason = Request(request.path, cited), Verdict.UNKNOWN, ""
    if above := tree.submodule_above(path):
        reason = f"inside the submodule {above}"
    elif above := tree.link_above(path):
        reason = f"behind the symbolic link {above}"
    elif page.commit and context.repo.partial:
        reason = "not in this partial clone"
    else:
        verdict, reason = Verdict.REFUTED, _missing(page, path, context)
    judged = evidence(asked, verdict, reason)
    return replace(judged, target=f"{page.commit[:12]}:{judged.target}") if page.commit else judged


def _missing(page: Page, path: str, context: Context) -> str:
    if page.commit:
        return f"no such file at {page.commit[:12]}"
    if path in context.gone:
        to = context.gone[path]
        return f"moved to {to}" if to else "removed by this change"
    return "no such file"

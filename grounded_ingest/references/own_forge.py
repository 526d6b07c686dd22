"""Looks up pages of the repository's own forge (its hosting service) in the clone:
`…/blob/main/src/x.py#L3`.

`forge_pages` splits the URL of a page. URLs of which it is not certain are checked on the web.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from unicodedata import normalize

from msgspec.structs import replace

from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Citation, CitationKind, Evidence, Verdict
from grounded_ingest.references.adr import is_decision, judge_adr_file
from grounded_ingest.references.commit import verify_commits
from grounded_ingest.references.context import Context, Request, evidence
from grounded_ingest.references.forge_pages import Page, page_of
from grounded_ingest.references.path import verify_paths
from grounded_ingest.references.receipts import fate_of_path, hint_for_path, removals_of
from grounded_ingest.text.dated_paths import is_about_one_day

EvidenceByRequest = dict[Request, Evidence | None]


def verify_own_pages(requests: Sequence[Request], context: Context) -> EvidenceByRequest:
    """Returns the evidence for the URLs whose content is in the clone. Other URLs get no
    evidence."""
    pages = {r: page for r in requests if (page := page_of(r.citation.raw, context)) is not None}
    found = {r: _judge_file(r, page, "", context) for r, page in pages.items() if not page.commit}
    commits = {r: _commit_request(r, page) for r, page in pages.items() if page.commit}
    judged = verify_commits(list(commits.values()), context) if commits else {}
    for request, asked in commits.items():
        page, at = pages[request], judged[asked]
        if at is None or (at.verdict is Verdict.REFUTED and not page.sure):
            continue
        is_file = at.verdict is Verdict.CONFIRMED and page.path is not None
        found[request] = _judge_file(request, page, at.target, context) if is_file else at
    return found


def _commit_request(request: Request, page: Page) -> Request:
    own = request.citation.own
    return Request(request.path, Citation(CitationKind.COMMIT, page.commit, own=own, cue="meant"))


def _judge_file(request: Request, page: Page, commit: str, context: Context) -> Evidence | None:
    """Returns the evidence for a file at a commit on the base branch. If `commit` is empty, the
    current tree is used. A decision record (ADR) is judged by its current status, even if the link
    is to an older commit."""
    tree = _tree(context.repo, commit) if commit else context.tree
    path = _exact_path(page.path or ".", tree)
    if not path:
        return _judge_absent(request, page, tree, context)
    own, cue = request.citation.own, request.citation.cue
    cited = Citation(CitationKind.PATH, path, page.lines, own=own, cue=cue)
    asked = Request(request.path, cited)
    if not commit:
        return verify_paths([asked], context)[asked]
    if is_decision(context.config, path, tree) and tree.mode(path):
        today = _judge_decision(asked, path, context)
        if page.lines is None or today.verdict is not Verdict.CONFIRMED:
            return today
    judged = verify_paths([asked], context._replace(tree=tree))[asked]
    if judged is None:
        return None
    origins = tuple(replace(o, commit=commit) for o in judged.origins)
    return replace(judged, target=f"{commit[:12]}:{judged.target}", origins=origins)


def _judge_decision(asked: Request, path: str, context: Context) -> Evidence:
    if not (context.tree.has(path) and context.base.tree.has(path)):
        judged = evidence(asked, Verdict.UNKNOWN, "the ADR file no longer exists", target=path)
    else:
        judged = judge_adr_file(asked, path, context)
    return replace(judged, kind=CitationKind.ADR)


_tree = lru_cache(maxsize=16)(CommitTree)


def _exact_path(path: str, tree: Tree) -> str:
    """Returns a path with the accents encoded as in the tree. Returns an empty string if the tree
    does not have the path. Unlike other citations, a URL always contains the full path."""
    forms = dict.fromkeys((path, normalize("NFC", path), normalize("NFD", path)))
    return next((p for p in forms if p == "." or tree.has(p) or tree.is_dir(p)), "")


def _judge_absent(request: Request, page: Page, tree: Tree, context: Context) -> Evidence | None:
    if request.citation.cue in ("gone", "planned"):
        return None
    path, verdict = page.path or ".", Verdict.UNKNOWN
    if above := tree.submodule_above(path):
        reason = f"the path is inside the submodule {above}"
    elif above := tree.link_above(path):
        reason = f"the path leads through the symbolic link {above}"
    elif page.commit and context.repo.partial:
        reason = "the file is not in this partial clone"
    elif page.commit:
        verdict, reason = Verdict.REFUTED, f"commit {page.commit[:12]} has no such file"
    else:
        fate = fate_of_path(path, removals_of([path], context), context)
        hint = hint_for_path(path, context.tree)
        dated = is_about_one_day(request.path)
        reason = fate.words or f"no such file{hint.words}"
        verdict = Verdict.UNKNOWN if dated else Verdict.REFUTED
    cited = Citation(CitationKind.PATH, path, page.lines, own=request.citation.own)
    judged = evidence(Request(request.path, cited), verdict, reason)
    return replace(judged, target=f"{page.commit[:12]}:{judged.target}") if page.commit else judged

"""Pages of the repository's own forge (`…/blob/main/src/x.py#L3`), read as branch or commit, path
and lines: the clone has what they show.

Whatever is not surely of this repository, at base's branch or at a commit, stays a URL.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec.structs import replace

from grounded_ingest.config.settings import TrackerSettings
from grounded_ingest.extract.citations import line_number
from grounded_ingest.git import ancestry
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Citation, CitationKind, Evidence, Verdict
from grounded_ingest.references.adr import is_decision, judge_adr_file
from grounded_ingest.references.commit import verify_commits
from grounded_ingest.references.context import Context, Request, evidence
from grounded_ingest.references.path import verify_paths
from grounded_ingest.references.receipts import fate_of_path, hint_for_path, removals_of
from grounded_ingest.references.tracker import host_and_path, tracker_from
from grounded_ingest.repository.scope import Base
from grounded_ingest.text.patterns import compiled

EvidenceByRequest = dict[Request, Evidence | None]


def in_clone(requests: Sequence[Request], context: Context) -> EvidenceByRequest:
    """Evidence for those URLs that show what the clone has; the others are left out."""
    pages = {r: page for r in requests if (page := _page_of(r.citation.raw, context)) is not None}
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
    """Returns the evidence for a file at a commit of base; an ADR is judged as it stands today."""
    tree = _tree(context.repo, commit)
    asked = _local(request, page, tree)
    if asked is None:
        return _absent(request, page, tree, context)
    path = asked.citation.raw
    if is_decision(context.config, path, tree) and tree.mode(path):
        today = _decision(asked, path, context)
        if page.lines is None or today.verdict is not Verdict.CONFIRMED:
            return today
    judged = verify_paths([asked], context._replace(tree=tree))[asked]
    if judged is None:
        return None
    origins = tuple(replace(o, commit=commit) for o in judged.origins)
    target = f"{commit[:12]}:{judged.target}"
    return replace(judged, target=target, origins=origins)


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
    fate = fate_of_path(path, removals_of([path], context), context)
    return fate.said or f"no such file{hint_for_path(path, context.tree).said}"


_RAW_HOST = "raw.githubusercontent.com"
_SHOWING = ("blob", "tree", "raw", "blame")
_QUERY = compiled(r"(?:(?:plain|raw|display|inline|diff|w)=\w*|ref_type=heads|&)*")
_LINES = compiled(
    r"L(?P<a>\d+)(?:C\d+)?(?:-L?(?P<b>\d+)(?:C\d+)?)?|lines-(?P<c>\d+)(?::(?P<d>\d+))?"
)
_COMMIT = compiled(r"[0-9a-f]{7,40}|[0-9a-f]{64}")
_FOUND = compiled(r"merge base of (?:HEAD and )?(?P<name>\S+)(?: and \S+)?")
_REVISION = compiled(r"[\s~^:?*@{\[\\]")


class Own(NamedTuple):
    """Where the repository's pages are: (host, port other than the scheme's), and below which
    path."""

    servers: frozenset[tuple[str, int | None]]
    path: str


class Page(NamedTuple):
    """What a page shows. `commit` is empty for the tree after the change; `path` is None for a
    commit itself. `sure`: a clone that lacks the commit refutes it."""

    commit: str = ""
    path: str | None = None
    lines: tuple[int, int] | None = None
    sure: bool = True


def _page_of(url: str, context: Context) -> Page | None:
    """What an own page shows; None for other pages, and for what no clone can tell."""
    parts = _split(url)
    if parts is None:
        return None
    own = _own(context.repo, context.config.tracker)
    steps = _below(parts, own)
    if not steps:
        return None
    what, *rest = steps
    if len(rest) == 1 and (what == "commit" or (what == "commits" and _is_bitbucket(context))):
        return _commit_page(rest[0], context)
    if what in ("pull", "pulls") and len(rest) == 3 and rest[1] in ("commits", "changes"):
        # A clone has what was merged; what a pull request once held is the forge's to tell.
        return _commit_page(rest[2], context, sure=False)
    found = _LINES.fullmatch(parts.fragment)
    lines = _span(found) if found else None
    if what in _SHOWING or what == "src":
        return _showing(what, rest, lines, context)
    return None


def _span(found: re.Match[str]) -> tuple[int, int]:
    first = found["a"] or found["c"]
    return line_number(first), line_number(found["b"] or found["d"] or first)


def _split(url: str) -> SplitResult | None:
    """The parts of a URL that everybody reads alike, None for any other."""
    if any(c < " " for c in url):
        return None
    try:
        parts = urlsplit(url)
        plain = "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return None
    return parts if plain and parts.hostname and _QUERY.fullmatch(parts.query) else None


def _below(parts: SplitResult, own: Own) -> list[str]:
    """The steps of a URL's path below the repository's, empty for other repositories."""
    server = (parts.hostname or "", _port(parts))
    github = server == (_RAW_HOST, None) and ("github.com", None) in own.servers
    if not own.path or not (server in own.servers or github):
        return []
    # Bytes that are no UTF-8 stand in paths as git's stand in ours.
    steps = unquote(parts.path, errors="surrogateescape").removeprefix("/").split("/")
    steps = steps[:-1] if steps[-1] == "" else steps
    if any(s in ("", ".", "..") or "\\" in s or any(c < " " for c in s) for s in steps):
        return []
    size = own.path.count("/") + 1
    if not _same("/".join(steps[:size]), own.path):
        return []
    rest = steps[size:]
    if github:
        return ["raw", *rest]
    return rest[1:] if rest[:1] == ["-"] else rest


def _same(one: str, other: str) -> bool:
    return one == other or (one.isascii() and one.lower() == other.lower())


def _port(parts: SplitResult) -> int | None:
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return None if parts.port == usual else parts.port


@lru_cache(maxsize=4)
def _own(repo: Repo, settings: TrackerSettings) -> Own:
    """The remote's server, and the tracker's where it is one of the same repository; without a
    remote on a server what a manifest at the root of HEAD says."""
    remote = repo.remote_url().strip()
    host, path = host_and_path(remote)
    if not host:
        stated = _stated(repo)
        return Own(frozenset({(stated[0], None)} if stated[0] else ()), stated[1])
    of_web = remote.lower().startswith(("http://", "https://"))
    servers = {(host, _port(urlsplit(remote)) if of_web else None)}
    tracker = tracker_from(settings, remote, {})
    if tracker is not None and _same(tracker.repository, path):
        api = urlsplit(tracker.api)
        name = "github.com" if api.hostname == "api.github.com" else api.hostname or host
        servers.add((name, _port(api)))
    return Own(frozenset(servers), path)


_MANIFESTS = {
    "package.json": r'"repository"\s*:\s*(?:"|\{[^{}]*"url"\s*:\s*")(?:git\+)?',
    "pyproject.toml": r"(?im)^[\"']?(?:repository|source(?:[ -]code)?|github)[\"']?\s*=\s*[\"']",
    "Cargo.toml": r"(?m)^repository\s*=\s*[\"']",
    "go.mod": r"(?m)^module\s+(?=github\.com/)",
}
"""What stands before the address of the repository, by manifest."""
_ADDRESS = r"(?:https?://)?(?P<host>github\.com|gitlab\.com|codeberg\.org)/(?P<path>[\w.-]+/[\w.-]+?)(?:\.git)?(?=[/\"'#\s])"


def _stated(repo: Repo) -> tuple[str, str]:
    """Returns the server and path of the repository as the first manifest has them, or nothing."""
    for name, before in _MANIFESTS.items():
        known = repo.objects.get(f"HEAD:{name}")
        text = (repo.objects.read(known.oid) or b"").decode(errors="replace") if known else ""
        if found := re.search(before + _ADDRESS, text):
            return found["host"], found["path"]
    return "", ""


def _commit_page(cited: str, context: Context, *, sure: bool = True) -> Page | None:
    commit = cited.lower().removesuffix(".patch").removesuffix(".diff")
    return Page(commit, sure=sure) if _is_commit(commit, context) else None


def _is_commit(cited: str, context: Context) -> bool:
    """Whether a name can only be a commit: no branch or tag that we know of is called so."""
    names = (f"refs/{kind}/{cited}" for kind in ("tags", "heads", "remotes/origin"))
    return bool(_COMMIT.fullmatch(cited)) and not any(context.repo.objects.get(n) for n in names)


_KINDS = {"heads": "branch", "tags": "tag"}


def _showing(
    what: str, rest: list[str], lines: tuple[int, int] | None, context: Context
) -> Page | None:
    """A file or directory at a branch or commit."""
    kind = ""
    if what != "blob" and rest[:1] in (["branch"], ["commit"], ["tag"]):  # as Gitea has it
        kind, *rest = rest
    elif what == "src" and not _is_bitbucket(context):
        return None
    if rest[:1] == ["refs"] and rest[1:2] in (["heads"], ["tags"]):
        kind, rest = _KINDS[rest[1]], rest[2:]
    if not rest:
        return None
    whole = "/".join(rest)
    for branch in _branches(context) if kind in ("", "branch") else ():
        if f"{whole}/".startswith(f"{branch}/"):
            return Page(path=whole[len(branch) + 1 :], lines=lines)
    tagged = _at_tag(rest, lines, context) if kind in ("", "tag") else None
    return tagged or (_at_id(rest, lines, context) if kind in ("", "commit") else None)


def _at_id(rest: list[str], lines: tuple[int, int] | None, context: Context) -> Page | None:
    """A file or directory at a commit."""
    commit = rest[0].lower()
    if not _is_commit(commit, context):
        return None
    # Digits alone may be a tag's date, which this clone did not fetch.
    return Page(commit, "/".join(rest[1:]), lines, sure=len(commit) >= 40 or not commit.isdigit())


def _at_tag(rest: list[str], lines: tuple[int, int] | None, context: Context) -> Page | None:
    """A file or directory as a tag of this clone has it; None without the tag, or where a branch
    is called so too."""
    objects, name = context.repo.objects, rest[0]
    tagged = objects.get(f"refs/tags/{name}^{{commit}}")
    branch = objects.get(f"refs/heads/{name}") or objects.get(f"refs/remotes/origin/{name}")
    return None if tagged is None or branch else Page(tagged.oid, "/".join(rest[1:]), lines)


def _is_bitbucket(context: Context) -> bool:
    return ("bitbucket.org", None) in _own(context.repo, context.config.tracker).servers


def _branches(context: Context) -> tuple[str, ...]:
    """The names base's own branch has in URLs."""
    event = os.environ.get("GITHUB_BASE_REF", "")
    return _named(context.repo, context.base, event or context.config.base)


@lru_cache(maxsize=4)
def _named(repo: Repo, base: Base, wanted: str) -> tuple[str, ...]:
    if not base.commit:
        return ()
    if base.reason == "HEAD (no remote)":
        current = _symbolic(repo, "HEAD", "refs/heads/")
        return (current,) if current else ()
    found = _FOUND.fullmatch(base.reason)
    default = _symbolic(repo, "refs/remotes/origin/HEAD", "refs/remotes/origin/")
    name = _branch(repo, base, found["name"], wanted, default) if found else ""
    return () if not name else (name, "HEAD") if name == default else (name,)


def _branch(repo: Repo, base: Base, start: str, wanted: str, default: str) -> str:
    """The branch that base was found from, empty where that is none of the forge's."""
    if start == "origin/HEAD":
        return default
    plain = not _REVISION.search(start)
    if plain and start.startswith("origin/"):
        return start.removeprefix("origin/") if repo.objects.get(f"refs/remotes/{start}") else ""
    if plain and repo.objects.get(f"refs/heads/{start}"):
        return "" if repo.objects.get(f"refs/tags/{start}") else start
    # The start of a range is given as a commit: base has to be one of the branch that is meant.
    name = wanted.removeprefix("origin/") or default
    tip = None if _REVISION.search(name) else repo.objects.get(f"refs/remotes/origin/{name}")
    landed = tip is not None and not ancestry.unreachable(repo, {base.commit}, tip.oid)
    return name if name and landed else ""


def _symbolic(repo: Repo, ref: str, below: str) -> str:
    out = repo.run("symbolic-ref", "-q", ref, ok=(0, 1, 128)).decode(errors="replace").strip()
    return out.removeprefix(below) if out.startswith(below) else ""

"""Reads the addresses of pages on the repository's own forge (its hosting service):
`…/blob/main/src/x.py#L3`.

A page URL is split into branch or commit, path and lines if the URL certainly belongs to this
repository, and names the base branch, a tag or a commit.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from grounded_ingest.config.settings import TrackerSettings
from grounded_ingest.extract.citations import line_number
from grounded_ingest.git import ancestry
from grounded_ingest.git.repository import Repo
from grounded_ingest.references.context import Context
from grounded_ingest.references.tracker import host_and_path, tracker_from
from grounded_ingest.repository.scope import Base
from grounded_ingest.text.patterns import compiled

_PAGE_STEPS = ("/blob/", "/tree/", "/raw/", "/blame/", "/commit/", "//raw.", "/actions/workflow")
"""Parts of the URLs of files and commits. URLs without one of these parts are not parsed."""


class Page(Struct, frozen=True):
    """The file or commit that a page of the forge shows.

    `commit` is empty for the base branch. `path` is None for the page of a commit. If `sure` is
    true and the clone does not have the commit, the citation is wrong."""

    commit: str = ""
    path: str | None = None
    lines: tuple[int, int] | None = None
    sure: bool = True


def page_of(url: str, context: Context) -> Page | None:
    """Returns the page that a URL shows, or None if it does not show a page of this repository."""
    parts = _split_url(url) if any(step in url for step in _PAGE_STEPS) else None
    if parts is None:
        return None
    site = _site(context.repo, context.config.tracker)
    steps = _steps_of_badge(parts, site) or _steps_below(parts, site)
    if not steps:
        return None
    what, *rest = steps
    if what == "actions" and len(rest) > 1 and rest[1].endswith((".yml", ".yaml")):
        return Page(path=f".github/workflows/{rest[1]}")  # the runs of a workflow, or its badge
    if len(rest) == 1 and what == "commit":
        commit = rest[0].lower().removesuffix(".patch").removesuffix(".diff")
        return Page(commit) if _is_commit(commit, context) else None
    found = _LINES.fullmatch(parts.fragment)
    lines = (line_number(found[1]), line_number(found[2] or found[1])) if found else None
    return _file_page(rest, lines, context) if what in _FILE_STEPS else None


def own_file(url: str, context: Context) -> str:
    """Returns the path of the file on the base branch that a URL of the forge shows, or ""."""
    page = page_of(url, context)
    return page.path or "" if page and not page.commit else ""


_RAW_HOST = "raw.githubusercontent.com"
_FILE_STEPS = ("blob", "tree", "raw", "blame")
_QUERY = compiled(
    r"(?:(?:plain|raw|display|inline|diff|w|event)=\w*|branch=[\w./%-]*|ref_type=heads|&)*"
)
_BADGE = compiled(r"/github/actions/workflow/status/(?P<repo>[^/]+/[^/]+)/(?P<file>[^/]+)")
"""Matches the address of a badge on img.shields.io that shows the state of a workflow."""
_LINES = compiled(r"L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?")
_COMMIT = compiled(r"[0-9a-f]{7,40}|[0-9a-f]{64}")
_MERGE_BASE = compiled(r"merge base of (?:HEAD and )?(?P<name>\S+)(?: and \S+)?")
_REVISION = compiled(r"[\s~^:?*@{\[\\]")


class Site(Struct, frozen=True):
    """The address of the repository's web pages. `path` is the repository's path. `servers` are
    (host, port) pairs, and the port is None for the default port."""

    servers: frozenset[tuple[str, int | None]]
    path: str


def _split_url(url: str) -> SplitResult | None:
    """Returns the parts of a URL. Returns None if its query may change what the page shows, or if
    two URL parsers could understand it differently."""
    if any(c < " " for c in url):
        return None
    try:
        parts = urlsplit(url)
        plain = "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return None
    return parts if plain and parts.hostname and _QUERY.fullmatch(parts.query) else None


def _steps_of_badge(parts: SplitResult, site: Site) -> list[str]:
    """Returns the steps of the page of the workflow whose state a badge of shields.io shows."""
    badge = _BADGE.fullmatch(parts.path) if parts.hostname == "img.shields.io" else None
    own = badge and ("github.com", None) in site.servers and _is_same(badge["repo"], site.path)
    return ["actions", "workflows", badge["file"]] if badge and own else []


def _steps_below(parts: SplitResult, site: Site) -> list[str]:
    server = (parts.hostname or "", _port(parts))
    github = server == (_RAW_HOST, None) and ("github.com", None) in site.servers
    if not site.path or not (server in site.servers or github):
        return []
    # Invalid UTF-8 bytes are escaped as in the paths that git returns.
    steps = unquote(parts.path, errors="surrogateescape").removeprefix("/").split("/")
    steps = steps[:-1] if steps[-1] == "" else steps
    if any(s in ("", ".", "..") or "\\" in s or any(c < " " for c in s) for s in steps):
        return []
    size = site.path.count("/") + 1
    if not _is_same("/".join(steps[:size]), site.path):
        return []
    rest = steps[size:]
    if github:
        return ["raw", *rest]
    return rest[1:] if rest[:1] == ["-"] else rest


def _is_same(one: str, other: str) -> bool:
    return one == other or (one.isascii() and one.lower() == other.lower())


def _port(parts: SplitResult) -> int | None:
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return None if parts.port == usual else parts.port


@lru_cache(maxsize=4)
def _site(repo: Repo, settings: TrackerSettings) -> Site:
    """Returns the repository's address: the remote's server and path, and the tracker's server if
    it has the same repository. Without a remote server, a manifest at the root has the address."""
    remote = repo.remote_url().strip()
    host, path = host_and_path(remote)
    if not host:
        stated = _stated_address(repo)
        return Site(frozenset({(stated[0], None)} if stated[0] else ()), stated[1])
    of_web = remote.lower().startswith(("http://", "https://"))
    servers = {(host, _port(urlsplit(remote)) if of_web else None)}
    tracker = tracker_from(settings, remote, {})
    if tracker is not None and _is_same(tracker.repository, path):
        api = urlsplit(tracker.api)
        name = "github.com" if api.hostname == "api.github.com" else api.hostname or host
        servers.add((name, _port(api)))
    return Site(frozenset(servers), path)


_MANIFESTS = {
    "package.json": r'"repository"\s*:\s*(?:"|\{[^{}]*"url"\s*:\s*")(?:git\+)?',
    "pyproject.toml": r"(?im)^[\"']?(?:repository|source(?:[ -]code)?|github)[\"']?\s*=\s*[\"']",
    "Cargo.toml": r"(?m)^repository\s*=\s*[\"']",
    "go.mod": r"(?m)^module\s+(?=github\.com/)",
}
"""Maps a manifest to the pattern for the text before the repository's address in this manifest."""
_ADDRESS = r"(?:https?://)?(?P<host>github\.com|gitlab\.com|codeberg\.org)/(?P<path>[\w.-]+/[\w.-]+?)(?:\.git)?(?=[/\"'#\s])"


def _stated_address(repo: Repo) -> tuple[str, str]:
    for name, before in _MANIFESTS.items():
        known = repo.objects.get(f"HEAD:{name}")
        text = (repo.objects.read(known.oid) or b"").decode(errors="replace") if known else ""
        if found := re.search(before + _ADDRESS, text):
            return found["host"], found["path"]
    return "", ""


def _is_commit(cited: str, context: Context) -> bool:
    """Returns whether a name can only be a commit id. The clone must not have a branch or tag with
    the same name."""
    names = (f"refs/{kind}/{cited}" for kind in ("tags", "heads", "remotes/origin"))
    return bool(_COMMIT.fullmatch(cited)) and not any(context.repo.objects.get(n) for n in names)


def _file_page(rest: list[str], lines: tuple[int, int] | None, context: Context) -> Page | None:
    kind = ""
    if rest[:2] in (["refs", "heads"], ["refs", "tags"]):
        kind, rest = rest[1], rest[2:]
    if not rest:
        return None
    if kind != "tags" and (page := _at_branch("/".join(rest), lines, context)):
        return page
    tagged = _at_tag(rest, lines, context) if kind != "heads" else None
    return tagged or (None if kind else _at_id(rest, lines, context))


def _at_branch(steps: str, lines: tuple[int, int] | None, context: Context) -> Page | None:
    for branch in _branches(context):
        if f"{steps}/".startswith(f"{branch}/"):
            return Page(path=steps[len(branch) + 1 :], lines=lines)
    return None


def _at_id(rest: list[str], lines: tuple[int, int] | None, context: Context) -> Page | None:
    commit = rest[0].lower()
    if not _is_commit(commit, context):
        return None
    # A name with digits only may be a tag with a date that this clone does not have.
    return Page(commit, "/".join(rest[1:]), lines, sure=len(commit) >= 40 or not commit.isdigit())


def _at_tag(rest: list[str], lines: tuple[int, int] | None, context: Context) -> Page | None:
    objects, name = context.repo.objects, rest[0]
    tagged = objects.get(f"refs/tags/{name}^{{commit}}")
    branch = objects.get(f"refs/heads/{name}") or objects.get(f"refs/remotes/origin/{name}")
    return None if tagged is None or branch else Page(tagged.oid, "/".join(rest[1:]), lines)


def _branches(context: Context) -> tuple[str, ...]:
    """Returns the names by which URLs refer to the base branch, such as `main` and `HEAD`."""
    event = os.environ.get("GITHUB_BASE_REF", "")
    return _branch_names(context.repo, context.base, event or context.config.base)


@lru_cache(maxsize=4)
def _branch_names(repo: Repo, base: Base, wanted: str) -> tuple[str, ...]:
    if not base.commit:
        return ()
    if base.reason == "HEAD (no remote)":
        current = _symbolic_ref(repo, "HEAD", "refs/heads/")
        return (current,) if current else ()
    found = _MERGE_BASE.fullmatch(base.reason)
    default = _symbolic_ref(repo, "refs/remotes/origin/HEAD", "refs/remotes/origin/")
    name = _branch(repo, base, found["name"], wanted, default) if found else ""
    return () if not name else (name, "HEAD") if name == default else (name,)


def _branch(repo: Repo, base: Base, start: str, wanted: str, default: str) -> str:
    """Returns the name of the base branch on the forge. Returns an empty string if the forge does
    not have the branch."""
    if start == "origin/HEAD":
        return default
    plain = not _REVISION.search(start)
    if plain and start.startswith("origin/"):
        return start.removeprefix("origin/") if repo.objects.get(f"refs/remotes/{start}") else ""
    if plain and repo.objects.get(f"refs/heads/{start}"):
        return "" if repo.objects.get(f"refs/tags/{start}") else start
    # The range begins with a commit, so the branch has to contain the base commit.
    name = wanted.removeprefix("origin/") or default
    tip = None if _REVISION.search(name) else repo.objects.get(f"refs/remotes/origin/{name}")
    landed = tip is not None and not ancestry.unreachable(repo, {base.commit}, tip.oid)
    return name if name and landed else ""


def _symbolic_ref(repo: Repo, ref: str, below: str) -> str:
    out = repo.run("symbolic-ref", "-q", ref, ok=(0, 1, 128)).decode(errors="replace").strip()
    return out.removeprefix(below) if out.startswith(below) else ""

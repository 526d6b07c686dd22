"""Finds the repository's own issue tracker: its API, its token, and the issues that its pages
show."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urlsplit

from msgspec import Struct

from grounded_ingest.net.messages import Ask
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.config.settings import TrackerSettings

TrackerKind = Literal["github", "gitlab"]

BODY_LIMIT = 1_000_000
_HOSTS: dict[str, TrackerKind] = {"github.com": "github", "gitlab.com": "gitlab"}
_TOKENS: dict[TrackerKind, str] = {"github": "GITHUB_TOKEN", "gitlab": "GITLAB_TOKEN"}
_API: dict[str, str] = {
    "github.com": "https://api.github.com",
    "api.github.com": "https://api.github.com",
    "gitlab.com": "https://gitlab.com/api/v4",
}
_PATHS: dict[TrackerKind, str] = {"github": "/api/v3", "gitlab": "/api/v4"}
_ACCEPT: dict[TrackerKind, tuple[tuple[str, str], ...]] = {
    "github": (("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28")),
    "gitlab": (("Accept", "application/json"),),
}
CI: dict[TrackerKind, tuple[str, str]] = {
    "github": ("GITHUB_SERVER_URL", "GITHUB_API_URL"),
    "gitlab": ("CI_SERVER_URL", "CI_API_V4_URL"),
}
"""(server, API) as the CI systems of the two name their own installation."""

_JOBS: dict[TrackerKind, str] = {"github": "GITHUB_REPOSITORY", "gitlab": "CI_PROJECT_PATH"}
_SCP = compiled(r"(?:[^@/\s]+@)?([^:/\s]+):(?!//)(.+)")


class Tracker(Struct, frozen=True):
    """An issue tracker. `api` is its base URL without a slash, `repository` the path of its own
    repository.

    `token` is sent to `api` only; empty without one. If `only` is given, the token speaks for that
    one repository: a text may cite any other that its reader may read, and would then quote it.
    """

    kind: TrackerKind
    api: str
    repository: str
    token: str = ""
    only: str = ""

    def __repr__(self) -> str:
        return f"Tracker({self.kind} {self.api} {self.repository})"

    def ask(self, path: str) -> Ask:
        """Returns a GET of `path` below the API, with the token if it speaks for that repository.
        Redirects are not followed."""
        url, own = f"{self.api}{path}", f"{self.project(self.only)}/".lower()
        token = self.token if not self.only or f"{path}/".lower().startswith(own) else ""
        return Ask("GET", url, _ACCEPT[self.kind], token, limit=BODY_LIMIT, follow=False)

    def knows(self, repository: str) -> bool:
        """Whether the token speaks for a repository."""
        return bool(self.token) and self.only.lower() in ("", repository.lower())

    def project(self, repository: str) -> str:
        """Returns the API's path of a repository."""
        match self.kind:
            case "github":
                return f"/repos/{quote(repository)}"
            case "gitlab":
                return f"/projects/{quote(repository, safe='')}"


def tracker_from(
    settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]
) -> Tracker | None:
    """Returns the tracker that settings name, or that the remote's URL and the CI system show.

    None if `kind` is `none` or nothing shows a tracker. Settings of a file have to be granted
    before (grants.py): their variable is read for the address that they lead to.
    """
    repository = settings.repository.strip("/") or host_and_path(remote_url)[1]
    kind, api = _kind_and_api(settings, remote_url, environ)
    if not (kind and api and repository):
        return None
    only = ""
    if not settings.token_env:
        only = _own_repository(kind, api, remote_url, environ)
    token = _token(environ.get(variable_of(settings, remote_url, environ), ""))
    return Tracker(kind, api, repository, token, only if token else "")


def variable_of(settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]) -> str:
    """Returns the name of the variable with the tracker's token; empty for none. The usual variable
    is sent only where it was made for, and only for this clone's repository."""
    kind, api = _kind_and_api(settings, remote_url, environ)
    if settings.token_env or not kind or api != _home_of_token(kind, environ):
        return settings.token_env
    return _TOKENS[kind] if _own_repository(kind, api, remote_url, environ) else ""


def api_of(settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]) -> str:
    """Returns the base URL of the API that settings lead to; empty if nothing shows one."""
    return _kind_and_api(settings, remote_url, environ)[1]


def is_known(url: str, remote_url: str, environ: Mapping[str, str]) -> bool:
    """Whether a tracker's URL leads where this clone and its machine lead anyway: to a public
    service, the CI system's own server, or the server of the remote."""
    place = _origin(url)
    hosts = {*_API, host_and_path(remote_url)[0]} - {""}
    servers = (_origin(environ.get(name, "")) for names in CI.values() for name in names)
    return place in {("https", host, None) for host in hosts} or (bool(place) and place in servers)


def _kind_and_api(
    settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]
) -> tuple[TrackerKind | None, str]:
    if settings.kind == "none":
        return None, ""
    host = host_and_path(remote_url)[0]
    kind = settings.kind or _HOSTS.get(_host(settings.url) or host) or _ci_kind(host, environ)
    return (kind, _api_base(kind, settings.url, host, environ)) if kind else (None, "")


def host_and_path(remote_url: str) -> tuple[str, str]:
    """Returns the host and the repository path of a git remote; empty for local ones."""
    text = remote_url.strip()
    if "://" in text:
        try:
            parts = urlsplit(text)
            host, path = parts.hostname or "", parts.path
        except ValueError:
            return "", ""
        if parts.scheme == "file":
            return "", ""
    elif found := _SCP.fullmatch(text):
        host, path = found[1].lower(), found[2]
    else:
        return "", ""
    path = path.strip("/").removesuffix(".git").rstrip("/")
    host = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com"}.get(host, host)
    return host.removeprefix("www."), path


def _host(url: str) -> str:
    try:
        host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("api.") if host == "api.github.com" else host


def _origin(url: str) -> tuple[str, str, int | None] | None:
    """Returns scheme, host, and the port if it is not the scheme's; None if two readers could take
    the URL differently."""
    if any(c <= " " or c in "\\@" for c in url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    return (parts.scheme, host, None if port == usual else port) if usual and host else None


def _ci_kind(host: str, environ: Mapping[str, str]) -> TrackerKind | None:
    names = CI.items()
    return next(
        (k for k, (server, _) in names if host and _host(environ.get(server, "")) == host), None
    )


def _api_base(kind: TrackerKind, url: str, host: str, environ: Mapping[str, str]) -> str:
    if url:
        url = (url if "://" in url else f"https://{url}").rstrip("/")
        known = _API.get(_host(url))
        return known or (url if urlsplit(url).path else url + _PATHS[kind])
    if known := _API.get(host):
        return known
    server, api = (environ.get(name, "") for name in CI[kind])
    if host and _host(server) == host and api:
        return api.rstrip("/")
    return f"https://{host}{_PATHS[kind]}" if host else ""


def _home_of_token(kind: TrackerKind, environ: Mapping[str, str]) -> str:
    """Returns the API that the usual variable holds a token of: the CI system's own, else the
    public one, never the server of `origin`."""
    return environ.get(CI[kind][1], "").rstrip("/") or _API[f"{kind}.com"]


def _own_repository(
    kind: TrackerKind, api: str, remote_url: str, environ: Mapping[str, str]
) -> str:
    """Returns this clone's repository at this API; empty if only a file says so."""
    host, path = host_and_path(remote_url)
    if path and _api_base(kind, "", host, environ) == api:
        return path
    return environ.get(_JOBS[kind], "") if environ.get(CI[kind][1]) else ""


def _token(value: str) -> str:
    token = value.strip()
    return token if token.isascii() and token.isprintable() else ""


Server = tuple[str, int | None]
"""A host, and its port where that is not the scheme's."""

_PAGE = compiled(
    r"/(?P<repository>[\w.-]+(?:/[\w.-]+)+?)/(?:-/)?"
    r"(?P<what>issues|pull|merge_requests)/(?P<number>[0-9]{1,10})/?"
)
_SITES = {"api.github.com": "github.com"}


def target_of(url: str, tracker: Tracker | None, remote_url: str) -> str:
    """Returns `owner/repo#12` or `group/project!12`; empty for a page that is none of this
    tracker's."""
    server = _server(url)
    if tracker is None or server is None or server not in _servers(tracker, remote_url):
        return ""
    page = _PAGE.fullmatch(urlsplit(url).path)
    if page is None:
        return ""
    mark = "!" if page["what"] == "merge_requests" else "#"
    return f"{page['repository']}{mark}{page['number']}"


def _servers(tracker: Tracker, remote_url: str) -> set[Server]:
    """Returns the servers of a tracker's pages: beside its API, as the CI system says, and the
    remote's."""
    api = _server(tracker.api)
    servers = {(_SITES.get(api[0], api[0]), api[1])} if api else set()
    site, programs = CI[tracker.kind]
    if os.environ.get(programs, "").rstrip("/") == tracker.api:
        servers |= {server for server in (_server(os.environ.get(site, "")),) if server}
    host, path = host_and_path(remote_url)
    if host and path.lower() == tracker.repository.lower():
        servers.add((host, None))
    return servers


def _server(url: str) -> Server | None:
    """Returns the server that a URL leads to; None if two readers could take it differently."""
    place = _origin(url)
    return place[1:] if place else None

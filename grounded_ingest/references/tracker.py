"""Finds the repository's own issue tracker: its API, its token, and the addresses of its issue
pages."""

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
"""The environment variables that a CI system sets, by kind of tracker: one with the address of the
server, and one with the address of the API."""

_JOBS: dict[TrackerKind, str] = {"github": "GITHUB_REPOSITORY", "gitlab": "CI_PROJECT_PATH"}
_SCP = compiled(r"(?:[^@/\s]+@)?([^:/\s]+):(?!//)(.+)")


class Tracker(Struct, frozen=True):
    """An issue tracker. `api` is the base URL of the tracker's API without a slash at the end.
    `repository` is the path of the project's repository.

    `token` is sent only to `api`, and may be empty. If `only` is given, the token is sent only for
    that repository. Without `only`, a text could cite an issue in a private repository of the
    reader and reveal the issue's title."""

    kind: TrackerKind
    api: str
    repository: str
    token: str = ""
    only: str = ""

    def __repr__(self) -> str:
        return f"Tracker({self.kind} {self.api} {self.repository})"

    def ask(self, path: str) -> Ask:
        """Returns a GET request for `path` below the API. The request has the token if the token
        may be used for that repository. Redirects are not followed."""
        url, own = f"{self.api}{path}", f"{self.project(self.only)}/".lower()
        token = self.token if not self.only or f"{path}/".lower().startswith(own) else ""
        return Ask("GET", url, _ACCEPT[self.kind], token, limit=BODY_LIMIT, follow=False)

    def knows(self, repository: str) -> bool:
        """Returns whether the token may be used for a repository."""
        return bool(self.token) and self.only.lower() in ("", repository.lower())

    def project(self, repository: str) -> str:
        """Returns the path of a repository in the API."""
        match self.kind:
            case "github":
                return f"/repos/{quote(repository)}"
            case "gitlab":
                return f"/projects/{quote(repository, safe='')}"


def tracker_from(
    settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]
) -> Tracker | None:
    """Returns the tracker from the settings, or from the remote's URL and the CI system.

    Returns None if `kind` is `none` or no tracker is found. The caller has to remove settings that
    the user did not grant (grants.py), because the token is sent to the configured address.
    """
    repository = settings.repository.strip("/") or host_and_path(remote_url)[1]
    kind, api = kind_and_api(settings, remote_url, environ)
    if not (kind and api and repository):
        return None
    only = ""
    if not settings.token_env:
        only = _own_repository(kind, api, remote_url, environ)
    token = _token(environ.get(variable_of(settings, remote_url, environ), ""))
    return Tracker(kind, api, repository, token, only if token else "")


def variable_of(settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]) -> str:
    """Returns the name of the environment variable with the tracker's token, or an empty string.
    The default is `GITHUB_TOKEN` or `GITLAB_TOKEN`. A default token is used only for the server
    that issued the token, and for this clone's repository."""
    kind, api = kind_and_api(settings, remote_url, environ)
    if settings.token_env or not kind or api != _home_of_token(kind, environ):
        return settings.token_env
    return _TOKENS[kind] if _own_repository(kind, api, remote_url, environ) else ""


def is_known(url: str, remote_url: str, environ: Mapping[str, str]) -> bool:
    """Returns whether a tracker's URL needs no grant. Known servers are the public services, the CI
    system's own server, and the server of the git remote."""
    place = _origin(url)
    hosts = {*_API, host_and_path(remote_url)[0]} - {""}
    servers = (_origin(environ.get(name, "")) for names in CI.values() for name in names)
    return place in {("https", host, None) for host in hosts} or (bool(place) and place in servers)


def kind_and_api(
    settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]
) -> tuple[TrackerKind | None, str]:
    if settings.kind == "none":
        return None, ""
    host = host_and_path(remote_url)[0]
    kind = settings.kind or _HOSTS.get(_host(settings.url) or host) or _ci_kind(host, environ)
    return (kind, _api_base(kind, settings.url, host, environ)) if kind else (None, "")


def host_and_path(remote_url: str) -> tuple[str, str]:
    """Returns the host and the repository path of a git remote. Both texts are empty for a local
    remote."""
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
    """Returns the scheme, the host and the port of a URL. The port is None for the default port.
    Returns None if two URL parsers could understand the URL differently."""
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
    """Returns the API that issued the token in the default variable: the CI system's API, else the
    public API. The server of `origin` is never used."""
    return environ.get(CI[kind][1], "").rstrip("/") or _API[f"{kind}.com"]


def _own_repository(
    kind: TrackerKind, api: str, remote_url: str, environ: Mapping[str, str]
) -> str:
    """Returns the path of this clone's repository at this API. Returns an empty string if only a
    configuration file names the API."""
    host, path = host_and_path(remote_url)
    if path and _api_base(kind, "", host, environ) == api:
        return path
    return environ.get(_JOBS[kind], "") if environ.get(CI[kind][1]) else ""


def _token(value: str) -> str:
    token = value.strip()
    return token if token.isascii() and token.isprintable() else ""


Server = tuple[str, int | None]
"""A host and its port. The port is None if it is the default port of the scheme."""

_PAGE = compiled(
    r"/(?P<repository>[\w.-]+(?:/[\w.-]+)+?)/(?:-/)?"
    r"(?P<what>issues|pull|merge_requests)/(?P<number>[0-9]{1,10})/?"
)
_SITES = {"api.github.com": "github.com"}


def target_of(url: str, tracker: Tracker | None, remote_url: str) -> str:
    """Returns the issue target for a URL, as `owner/repo#12` or `group/project!12`. Returns an
    empty string if the page is not an issue of this tracker."""
    place = _origin(url)
    if tracker is None or place is None or place[1:] not in _servers(tracker, remote_url):
        return ""
    page = _PAGE.fullmatch(urlsplit(url).path)
    if page is None:
        return ""
    mark = "!" if page["what"] == "merge_requests" else "#"
    return f"{page['repository']}{mark}{page['number']}"


def _servers(tracker: Tracker, remote_url: str) -> set[Server]:
    """Returns the servers of a tracker's web pages. The servers are derived from the API, from the
    CI system and from the git remote."""
    places = [_origin(tracker.api)]
    site, programs = CI[tracker.kind]
    if os.environ.get(programs, "").rstrip("/") == tracker.api:
        places.append(_origin(os.environ.get(site, "")))
    servers = {(_SITES.get(place[1], place[1]), place[2]) for place in places if place}
    host, path = host_and_path(remote_url)
    if host and path.lower() == tracker.repository.lower():
        servers.add((host, None))
    return servers

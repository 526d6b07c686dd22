"""Which issue tracker is the repository's own, where its API is, and who may be asked with what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urlsplit

from msgspec import Struct

from grounded_ingest.patterns import compiled

from ..conversation import Ask

if TYPE_CHECKING:
    from ..config import TrackerSettings

Kind = Literal["github", "gitlab"]

BODY_LIMIT = 1_000_000
_HOSTS: dict[str, Kind] = {"github.com": "github", "gitlab.com": "gitlab"}
_TOKENS: dict[Kind, str] = {"github": "GITHUB_TOKEN", "gitlab": "GITLAB_TOKEN"}
_API: dict[str, str] = {
    "github.com": "https://api.github.com",
    "api.github.com": "https://api.github.com",
    "gitlab.com": "https://gitlab.com/api/v4",
}
_PATHS: dict[Kind, str] = {"github": "/api/v3", "gitlab": "/api/v4"}
_ACCEPT: dict[Kind, tuple[tuple[str, str], ...]] = {
    "github": (("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28")),
    "gitlab": (("Accept", "application/json"),),
}
CI: dict[Kind, tuple[str, str]] = {
    "github": ("GITHUB_SERVER_URL", "GITHUB_API_URL"),
    "gitlab": ("CI_SERVER_URL", "CI_API_V4_URL"),
}
"""(server, API) as the CI systems of the two name their own installation."""

_SCP = compiled(r"(?:[^@/\s]+@)?([^:/\s]+):(?!//)(.+)")


class Tracker(Struct, frozen=True):
    """An issue tracker: `api` is its base URL without a slash, `repository` the path of its own.

    `token` goes to `api` and to nowhere else; empty without one.
    """

    kind: Kind
    api: str
    repository: str
    token: str = ""

    def __repr__(self) -> str:
        return f"Tracker({self.kind} {self.api} {self.repository})"

    def ask(self, path: str) -> Ask:
        """A GET of `path` below the API, with the token; redirects are not followed."""
        url = f"{self.api}{path}"
        return Ask("GET", url, _ACCEPT[self.kind], self.token, limit=BODY_LIMIT, follow=False)

    def project(self, repository: str) -> str:
        """The API's path of a repository."""
        match self.kind:
            case "github":
                return f"/repos/{quote(repository)}"
            case "gitlab":
                return f"/projects/{quote(repository, safe='')}"


def tracker_from(
    settings: TrackerSettings, remote_url: str, environ: Mapping[str, str]
) -> Tracker | None:
    """The tracker that settings name, or that the remote's URL and the CI system show.

    None where `kind` is `none` or nothing shows one.
    """
    if settings.kind == "none":
        return None
    host, path = host_and_path(remote_url)
    repository = settings.repository.strip("/") or path
    kind = settings.kind or _HOSTS.get(_host(settings.url) or host) or _ci_kind(host, environ)
    api = _api_base(kind, settings.url, host, environ) if kind else ""
    if not (kind and api and repository):
        return None
    return Tracker(kind, api, repository, _token(kind, api, settings, environ))


def host_and_path(remote_url: str) -> tuple[str, str]:
    """The host and the repository path of a git remote; empty for local ones."""
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


def _ci_kind(host: str, environ: Mapping[str, str]) -> Kind | None:
    names = CI.items()
    return next(
        (k for k, (server, _) in names if host and _host(environ.get(server, "")) == host), None
    )


def _api_base(kind: Kind, url: str, host: str, environ: Mapping[str, str]) -> str:
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


def _token(kind: Kind, api: str, settings: TrackerSettings, environ: Mapping[str, str]) -> str:
    """A token nobody named for this host goes only where it was made for: to the public service,
    to the CI system's own, or to the URL that settings name, not to whatever `origin` points at."""
    meant = settings.token_env or settings.url or api in (*_API.values(), environ.get(CI[kind][1]))
    token = environ.get(settings.token_env or _TOKENS[kind], "").strip() if meant else ""
    return token if token.isascii() and token.isprintable() else ""

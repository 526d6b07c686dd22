"""Which issue a URL shows: of the tracker's own pages alone. Another host's pages are its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from grounded_ingest.language.patterns import compiled
from grounded_ingest.verify.tracker import CI, host_and_path

if TYPE_CHECKING:
    from grounded_ingest.verify.tracker import Tracker

Server = tuple[str, int | None]
"""A host, and its port where that is not the scheme's."""

_PAGE = compiled(
    r"/(?P<repository>[\w.-]+(?:/[\w.-]+)+?)/(?:-/)?"
    r"(?P<what>issues|pull|merge_requests)/(?P<number>[0-9]{1,10})/?"
)
_SITES = {"api.github.com": "github.com"}


def target_of(url: str, tracker: Tracker | None, remote_url: str) -> str:
    """`owner/repo#12` or `group/project!12`; `` for a page that is none of this tracker."""
    server = _server(url)
    if tracker is None or server is None or server not in _servers(tracker, remote_url):
        return ""
    page = _PAGE.fullmatch(urlsplit(url).path)
    if page is None:
        return ""
    mark = "!" if page["what"] == "merge_requests" else "#"
    return f"{page['repository']}{mark}{page['number']}"


def _servers(tracker: Tracker, remote_url: str) -> set[Server]:
    """Where its pages are: beside its API, where the CI system says, where the repository is."""
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
    """Where a URL leads, None where readers of it could differ."""
    if any(c <= " " or c == "\\" for c in url):
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if not host or "@" in parts.netloc or parts.scheme not in ("http", "https"):
        return None
    usual = 80 if parts.scheme == "http" else 443
    return host.rstrip(".").removeprefix("www."), None if port in (None, usual) else port

"""URLs that cite nothing: local services, reserved names, templates."""

from __future__ import annotations

from collections.abc import Sequence

from grounded_ingest.patterns import compiled

_HOST = compiled(r"(?i)^https?://(?:[^/@]*@)?(?P<host>\[[^\]]*\]|[^/:?#]*)(?::(?P<port>\d+))?")
_LOCAL = compiled(
    r"(?i)^(?:localhost|.*\.(?:localhost|local|internal|lan|home|test|example|invalid|svc|cluster\.local)|"
    r"(?:.*\.)?example\.(?:com|org|net)|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|"
    r"172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|\[.*\]|[^.]*|host\.docker\.internal)$"
)
_TEMPLATE = compiled(
    r"(?i)[<>{}$*]|\.\.\.|…|//[^/]*(?:your|example|placeholder)[-_.]|"
    r"/(?:your|my)[-_]?(?:org|repo|project|user|name|username|domain|app|company|token|api)\b"
)


def is_citable(url: str, allowed: Sequence[str]) -> bool:
    """Whether a URL can be a citation; `allowed` hosts (`host` or `host:port`) always can."""
    if url.startswith("【"):  # an artefact of a chat: a citation that resolves nowhere
        return True
    found = _HOST.match(url)
    if not found:
        return False
    host = found["host"].lower()
    if host in allowed or f"{host}:{found['port']}" in allowed:
        return True
    return bool(host) and not _LOCAL.match(host) and not _TEMPLATE.search(url)

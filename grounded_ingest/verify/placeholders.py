"""URLs that cite nothing: local services, reserved names, templates."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Compiled by `re` when a URL is first met: most runs meet none.
_HOST = r"(?i)^https?://(?:[^/@]*@)?(?P<host>\[[^\]]*\]|[^/:?#]*)(?::(?P<port>\d+))?"
_LOCAL = (
    r"(?i)^(?:localhost|.*\.(?:localhost|local|internal|lan|home|test|example|invalid|svc|cluster\.local)|"
    r"(?:.*\.)?example\.(?:com|org|net)|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|"
    r"172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|\[.*\]|[^.]*|host\.docker\.internal)$"
)
_TEMPLATE = (
    r"(?i)[<>{}$*]|\.\.\.|…|//[^/]*(?:your|example|placeholder)[-_.]|"
    r"/(?:your|my)[-_]?(?:org|repo|project|user|name|username|domain|app|company|token|api)\b"
)


def is_citable(url: str, allowed: Sequence[str]) -> bool:
    """Whether a URL can be a citation; `allowed` hosts (`host` or `host:port`) always can."""
    if url.startswith("【"):  # an artefact of a chat: a citation that resolves nowhere
        return True
    found = re.match(_HOST, url)
    if not found:
        return False
    host = found["host"].lower()
    if host in allowed or f"{host}:{found['port']}" in allowed:
        return True
    return bool(host) and not re.match(_LOCAL, host) and not re.search(_TEMPLATE, url)

"""What cites nothing: URLs of local services and reserved names, templates, names of examples."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.lexicon import paths
from grounded_ingest.text.patterns import compiled

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
# `{name}.md`, `<name>.md`, `ADR-NNN-title.md`, `2026-MM-DD-x.md`, `YYYYMMDD.md`, `cycle-N.md`,
# `path/to/x.py`
_TEMPLATE_PATH = compiled(
    r"[{}<>…*$%]|\.\.\.|[-_][NX](?=[/_.-]|$)|"
    r"(?:^|[/_.-])(?:N{2,}|X{2,}|(?:Y{2,4}|MM|DD|HH)+|x{3,}|n{3,})(?=[/_.-]|$)|"
    r"(?:^|/)path/to(?:/|$)"
)
_WORD = compiled(r"[A-Za-z]+")


def has_blanks(path: str) -> bool:
    """Whether a path has places that somebody fills in."""
    return _TEMPLATE_PATH.search(path) is not None


def is_prop(path: str, *, loosely: bool = False) -> bool:
    """Whether a path is named as examples name files, `src/foo.py` or `test_example.py`;
    `loosely`: its first word is enough."""
    name = path.rstrip("/").rpartition("/")[2]
    if loosely:
        return re.split(r"[._-]", name.lower())[0] in (*paths.PROPS.split(), *citing.PROPS.split())
    words = [w.lower() for w in _WORD.findall(name.partition(".")[0])]
    props, joined = citing.PROPS.split(), citing.JOINED.split()
    return any(w in props for w in words) and all(w in props or w in joined for w in words)


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

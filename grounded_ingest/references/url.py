"""Checks URLs by requests to their servers.

The first request is HEAD. If HEAD fails, a GET request decides. A page counts as missing only if
two requests do not find it. URLs of local services, reserved names and templates are not citations.
Pages of the repository's own forge (its hosting service) are looked up in the clone.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.net.messages import Ask, Failure, Response, Talk
from grounded_ingest.references.context import Context, Request, with_own
from grounded_ingest.references.own_forge import verify_own_pages
from grounded_ingest.references.response_cache import ServerAnswer, answers_to
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.net.client import Web
    from grounded_ingest.references.response_cache import Answers

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

AGAIN_AFTER_S = 0.5
"""Seconds between two requests for a page. A page counts as gone only if neither request finds
it."""
_LONGEST = 200
# Failures of HEAD after which a GET on a new connection may succeed.
_HEAD_ONLY = (None, Failure.TIMEOUT, Failure.UNREACHABLE)


def verify_url_citations(
    requests: Sequence[Request], context: Context
) -> Mapping[Request, Evidence | None]:
    """Returns the evidence for each URL. The value is None for a URL that cannot be a citation.

    A URL on a local host is a citation only if the configuration allows the host, even if the user
    has not granted the host.
    """
    network, wished = context.config.network, context.config.wishes.allow
    real = [r for r in requests if is_citable(r.citation.raw, (*network.allow, *wished))]
    in_clone = verify_own_pages(real, context)
    rest = [r for r in real if r not in in_clone]
    found = verify_urls(
        [r.citation.raw for r in rest],
        context.web if rest else None,
        context.answers,
    )
    asked = {r: with_own(found.get(r.citation.raw), r) for r in requests}
    return {**asked, **in_clone}


def is_citable(url: str, allowed: Sequence[str]) -> bool:
    """Returns whether a URL can be a citation. URLs on `allowed` hosts (`host` or `host:port`)
    always can."""
    if url.startswith("【"):  # chat models leave such citation marks, which lead nowhere
        return True
    found = _HOST.match(url)
    if not found:
        return False
    host = found["host"].lower()
    if host in allowed or f"{host}:{found['port']}" in allowed:
        return True
    return bool(host) and not _LOCAL.match(host) and not _TEMPLATE.search(url)


def verify_urls(
    urls: Sequence[str], web: Web | None, answers: Answers | None
) -> dict[str, Evidence]:
    """Returns the evidence for each URL. `web` is None in an offline run, where only cached results
    are used."""
    found = answers_to({url: partial(ask_url, url) for url in urls}, web, answers)
    return {url: answer.as_evidence(CitationKind.URL, url) for url, answer in found.items()}


def ask_url(url: str) -> Talk[ServerAnswer]:
    """Asks a server whether a page exists. Yields the HTTP requests, receives their responses, and
    returns the verdict on the URL."""
    answer = yield Ask("HEAD", url)
    if not _ok(answer) and answer.status != 410 and answer.failure in _HEAD_ONLY:
        answer = yield Ask("GET", url)
    if _gone(answer):
        again = yield Ask("GET", url, after=AGAIN_AFTER_S)
        if _gone(again):
            return _answer(Verdict.REFUTED, again.reason)
        answer = again
    if not _ok(answer):
        return _answer(Verdict.UNKNOWN, answer.reason)
    end = answer.trail[-1]
    moved = end.partition("#")[0].rstrip("/") != url.partition("#")[0].rstrip("/")
    return _answer(Verdict.CONFIRMED, f"redirects to {end[:_LONGEST]}" if moved else "")


def _ok(answer: Response) -> bool:
    return 200 <= answer.status < 300


def _gone(answer: Response) -> bool:
    return answer.status in (404, 410) or answer.failure is Failure.NO_SUCH_NAME


def _answer(verdict: Verdict, reason: str) -> ServerAnswer:
    return ServerAnswer(verdict, reason, at=time.time())

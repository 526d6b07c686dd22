"""Does the page answer? HEAD first, GET decides, a refusal counts when it is seen twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from grounded_ingest.model.claims import CitationKind, Evidence, Origin, Verdict
from grounded_ingest.net.address_policy import under
from grounded_ingest.net.messages import Ask, Failure, Response, Talk, iso_time
from grounded_ingest.references.response_cache import ConfirmedAnswer
from grounded_ingest.text.lexicon.open_hosts import OPEN_DOMAINS, OPEN_HOSTS

if TYPE_CHECKING:
    from grounded_ingest.net.client import Web
    from grounded_ingest.references.response_cache import Answers

AGAIN_AFTER_S = 0.5
_LONGEST = 200
_KINDS = "text/html, application/xhtml+xml, text/plain, text/markdown, application/json;q=0.9"
_ACCEPT = (("Accept", f"{_KINDS}, */*;q=0.1"),)
# The two ways a first request goes wrong that a GET of its own connection may not.
_HEAD_ONLY = (None, Failure.TIMEOUT, Failure.UNREACHABLE)


class UrlLookup(Struct, frozen=True):
    """What became of a URL; `trail` are the URLs asked on the way, `at` when (epoch seconds)."""

    verdict: Verdict
    reason: str = ""
    trail: tuple[str, ...] = ()
    at: float = 0.0


def verify_urls(
    urls: Sequence[str],
    web: Web | None,
    answers: Answers | None,
    *,
    witness_hosts: Sequence[str] = (),
    only_witness_hosts: bool = False,
) -> dict[str, Evidence]:
    """Evidence for each URL; `web` None is offline, where only answers kept from before count.

    `witness_hosts` (`host`, or `host/path` for what lies below) vouch for their pages; with
    `only_witness_hosts` a judge reads no other page.
    """
    looks = _held(urls, answers)
    asked = [url for url in dict.fromkeys(urls) if url not in looks]
    if web is None:
        looks |= {url: UrlLookup(Verdict.SKIPPED, "offline") for url in asked}
    else:
        fresh = web.converse({url: ask_url(url) for url in asked})
        looks |= fresh
        _keep(fresh, answers)
    vouched = tuple(witness_hosts)
    return {url: _evidence(url, looks[url], vouched, only_witness_hosts) for url in urls}


def page_ask(url: str) -> Ask:
    """What is asked for the text of a page, the same for all its anchors."""
    from grounded_ingest.net.body_text import LIMIT

    return Ask("GET", url.partition("#")[0], _ACCEPT, limit=LIMIT)


def ask_url(url: str) -> Talk[UrlLookup]:
    """Yields the requests that decide whether a URL is there."""
    answer = yield Ask("HEAD", url)
    if not _ok(answer) and answer.status != 410 and answer.failure in _HEAD_ONLY:
        answer = yield Ask("GET", url)
    if _gone(answer):
        again = yield Ask("GET", url, after=AGAIN_AFTER_S)
        if _gone(again):
            return _look(Verdict.REFUTED, again.reason, answer)
        answer = again
    if not _ok(answer):
        return _look(Verdict.UNKNOWN, answer.reason, answer)
    end = answer.trail[-1]
    moved = end.partition("#")[0].rstrip("/") != url.partition("#")[0].rstrip("/")
    return _look(Verdict.CONFIRMED, f"redirects to {end[:_LONGEST]}" if moved else "", answer)


def is_open(url: str, witness_hosts: Sequence[str] = ()) -> bool:
    """Whether anyone could have published this page."""
    host = _host(url)
    known = host.removeprefix("www.") in OPEN_HOSTS or under(host, OPEN_DOMAINS)
    return bool(known) and not is_vouched(url, witness_hosts)


def is_vouched(url: str, witness_hosts: Sequence[str]) -> bool:
    """Whether one of the witness hosts has this page."""
    host, path = _host(url), urlsplit(url).path.lower()
    steps = path.replace("%2e", ".").replace("\\", "/").replace("%2f", "/").split("/")
    for entry in witness_hosts:
        name, _, below = entry.lower().strip("/").partition("/")
        if not below and under(host, (name,)):
            return True
        inside = path == f"/{below}" or path.startswith(f"/{below}/")
        if below and host == name and inside and ".." not in steps:
            return True
    return False


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _ok(answer: Response) -> bool:
    return 200 <= answer.status < 300


def _gone(answer: Response) -> bool:
    return answer.status in (404, 410) or answer.failure is Failure.NO_SUCH_NAME


def _look(verdict: Verdict, reason: str, answer: Response) -> UrlLookup:
    import time

    return UrlLookup(verdict, reason, answer.trail, time.time())


def _held(urls: Sequence[str], answers: Answers | None) -> dict[str, UrlLookup]:
    held = answers.get(urls) if answers else {}
    return {
        url: UrlLookup(Verdict.CONFIRMED, h.reason, tuple(h.quote.split()), h.at)
        for url, h in held.items()
    }


def _keep(looks: dict[str, UrlLookup], answers: Answers | None) -> None:
    if answers:
        sure = {url: found for url, found in looks.items() if found.verdict is Verdict.CONFIRMED}
        answers.put(
            {u: ConfirmedAnswer(f.at, f.reason, " ".join(f.trail)) for u, f in sure.items()}
        )


def _evidence(url: str, found: UrlLookup, vouched: tuple[str, ...], only_vouched: bool) -> Evidence:
    verdict, reason = found.verdict, found.reason
    origins = (Origin("page", url),) if verdict is Verdict.CONFIRMED else ()
    trail = (url, *found.trail)
    if verdict is Verdict.CONFIRMED:
        if any(is_open(hop, vouched) for hop in trail):
            verdict, reason, origins = Verdict.UNKNOWN, "anyone can publish there", ()
        elif only_vouched and not all(is_vouched(hop, vouched) for hop in trail):
            reason, origins = "not a witness host", ()
    return Evidence(
        kind=CitationKind.URL,
        target=url,
        verdict=verdict,
        reason=reason,
        origins=origins,
        network=True,
        checked_at=iso_time(found.at) if found.at else "",
    )

"""Does the page answer? HEAD first, GET decides, a refusal counts when it is seen twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from ..address import under
from ..conversation import Answer, Ask, Failure, Talk
from ..lexicon.open_hosts import OPEN_DOMAINS, OPEN_HOSTS
from ..model import CitationKind, Evidence, Verdict
from .answers import Held

if TYPE_CHECKING:
    from ..web import Web
    from .answers import Answers

# Nothing a GET could add: the host itself did not answer, or is not asked.
_SAME_FOR_GET = frozenset(Failure) - {Failure.TIMEOUT, Failure.UNREACHABLE}


class Look(Struct, frozen=True):
    """What became of a URL; `trail` are the URLs that were asked on the way."""

    verdict: Verdict
    reason: str
    trail: tuple[str, ...] = ()


def verify_urls(
    urls: Sequence[str],
    web: Web | None,
    answers: Answers | None,
    *,
    witness_hosts: Sequence[str] = (),
    only_witness_hosts: bool = False,
) -> dict[str, Evidence]:
    """Evidence for each URL. `witness_hosts` (`host` or `host/path`) vouch for their pages;
    with `only_witness_hosts` no other page grounds a claim. `web` None: offline."""
    wanted = list(dict.fromkeys(urls))
    held = answers.get(wanted) if answers else {}
    asked = [url for url in wanted if url not in held]
    looks = web.converse({url: look(url) for url in asked}) if web else {}
    judged = {url: _judged(found, witness_hosts) for url, found in looks.items()}
    now = _now()
    if answers:
        answers.put({u: Held(now, j.reason) for u, j in judged.items() if _confirmed(j)})
    found = {}
    for url in wanted:
        if url in held:
            evidence = _evidence(url, Look(Verdict.CONFIRMED, held[url].reason), held[url].at)
        else:
            evidence = _evidence(url, judged.get(url, _OFFLINE), now if web else None)
        found[url] = _bearing(evidence, witness_hosts) if only_witness_hosts else evidence
    return found

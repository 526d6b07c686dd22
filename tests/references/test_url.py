"""URLs: what servers have to answer for a verdict, and within which time and bounds."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import Server, liar, to

from grounded_ingest.config.settings import Network
from grounded_ingest.model.claims import CitationKind, Verdict
from grounded_ingest.net.addresses import CANARY
from grounded_ingest.net.client import Web
from grounded_ingest.references.response_cache import Answers
from grounded_ingest.references.url import verify_urls

CONFIRMED, REFUTED, UNKNOWN = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
PLAIN = "docs.test"


def names(host: str, port: int) -> list[str]:
    """Any host is this one, but for `nowhere.test` and `later.test`."""
    if host == "nowhere.test":
        raise socket.gaierror(socket.EAI_NONAME, "no")
    if host == "later.test":
        raise socket.gaierror(socket.EAI_AGAIN, "later")
    return ["10.0.0.1"] if host == CANARY else ["127.0.0.1"]


def web(budget: float = 5.0, timeout: float = 3.0) -> Web:
    network = Network(timeout=timeout, allow=("127.0.0.1", PLAIN), deny=("denied.test",))
    return Web(network, budget, names)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grounded_ingest.references.url.AGAIN_AFTER_S", 0.05)


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(liar) as server:
        yield server


@pytest.mark.parametrize(
    ("path", "verdict", "reason"),
    [
        ("/ok", CONFIRMED, ""),
        ("/ok#part", CONFIRMED, ""),
        ("/head/404/200", CONFIRMED, ""),
        ("/head/500/200", CONFIRMED, ""),
        ("/head/403/200", CONFIRMED, ""),
        ("/head/405/206", CONFIRMED, ""),
        ("/head-hangs", CONFIRMED, ""),
        ("/head-drops", CONFIRMED, ""),
        ("/endless", CONFIRMED, ""),
        ("/hops/2", CONFIRMED, "redirects to http://127.0.0.1"),
        ("/wait/0", CONFIRMED, ""),
        ("/then/404/200", CONFIRMED, ""),
        ("/never", REFUTED, "404"),
        ("/head/410/410", REFUTED, "410"),
        ("/head/410/404", REFUTED, "404"),
        ("/head/500/404", REFUTED, "404"),
        ("/then/404/410", REFUTED, "410"),
        (to("/never/at/all"), REFUTED, "404"),
        ("/then/404/503", UNKNOWN, "503"),
        ("/then/410/403", UNKNOWN, "403"),
        ("/head/410/200", CONFIRMED, ""),
        ("/head/404/401", UNKNOWN, "401"),
        ("/head/404/403", UNKNOWN, "403"),
        ("/status/401", UNKNOWN, "401"),
        ("/status/403", UNKNOWN, "403"),
        ("/status/429", UNKNOWN, "429"),
        ("/status/500", UNKNOWN, "500"),
        ("/status/503", UNKNOWN, "503"),
        ("/status/304", UNKNOWN, "304"),
        ("/no-location", UNKNOWN, "302"),
        ("/loop", UNKNOWN, "too many redirects"),
        ("/reset", UNKNOWN, "no connection to the host"),
        ("/nonsense", UNKNOWN, "no connection to the host"),
        ("/silent", UNKNOWN, "timeout"),
        ("/drip", UNKNOWN, "timeout"),
        (to("http://192.168.0.1/"), UNKNOWN, "the address is refused"),
        (to("http://denied.test/"), UNKNOWN, "network.deny"),
        (to("http://nowhere.test/"), REFUTED, "the host name does not exist"),
        ("http://nowhere.test/x", REFUTED, "the host name does not exist"),
        ("http://later.test/x", UNKNOWN, "looked up"),
        ("http://private.test/x", UNKNOWN, "the address is refused (loopback address)"),
        ("http://denied.test/x", UNKNOWN, "network.deny"),
        ("https://127.0.0.1:{port}/ok", UNKNOWN, "TLS"),
        (f"http://{PLAIN}:{{port}}/ok", CONFIRMED, ""),
    ],
)
def test_what_becomes_of_a_url(site: Server, path: str, verdict: Verdict, reason: str) -> None:
    site.seen.clear()
    url = path.format(port=site.port) if "://" in path else site.url + path
    slow = path in ("/silent", "/drip", "/head-hangs")
    asking = web(timeout=0.4 if slow else 3.0)
    found = verify_urls([url], asking, None)[url]
    assert (found.verdict, found.kind, found.target) == (verdict, CitationKind.URL, url)
    assert found.reason.startswith(reason) if not reason else reason in found.reason
    assert bool(found.reason) == bool(reason)
    assert found.network
    assert found.checked_at.endswith("Z")


def test_one_slow_server_holds_up_nobody_else(site: Server) -> None:
    urls = [f"{site.url}/silent", *(f"{site.url}/status/20{n}" for n in range(5))]
    started = time.monotonic()
    found = verify_urls(urls, web(1.0), None)
    assert time.monotonic() - started < 2.8
    assert [found[url].verdict for url in urls] == [UNKNOWN, *[CONFIRMED] * 5]


@pytest.mark.parametrize("budget", [0.0, 0.3])
def test_what_the_budget_does_not_reach_is_unknown(site: Server, budget: float) -> None:
    found = verify_urls([f"{site.url}/silent"], web(budget), None)
    assert found[f"{site.url}/silent"].reason == "the time limit for network requests has passed"
    assert found[f"{site.url}/silent"].verdict is UNKNOWN


def test_offline_nothing_is_asked() -> None:
    found = verify_urls(["https://docs.test/x"], None, None)["https://docs.test/x"]
    assert (found.verdict, found.reason) == (Verdict.SKIPPED, "offline")


def test_confirmed_answers_are_kept_and_no_others(site: Server, tmp_path: Path) -> None:
    paths = ("/ok", "/hops/1", "/never", "/status/503")
    urls = [site.url + path for path in paths]
    answers = Answers(str(tmp_path), 60)
    first = verify_urls(urls, web(), answers)
    site.seen.clear()
    again = verify_urls(urls, web(), answers)
    assert [again[u].verdict for u in urls] == [first[u].verdict for u in urls]
    assert [again[u].reason for u in urls] == [first[u].reason for u in urls]
    assert again[urls[0]] == first[urls[0]]
    assert not [seen for seen in site.seen if seen.path in ("/ok", "/hops/1")]
    assert {"/never", "/status/503"} <= {seen.path for seen in site.seen}
    offline = verify_urls(urls, None, answers)
    reasons = [
        "",
        first[urls[1]].reason,
        "offline",
        "offline",
    ]
    assert [offline[u].reason for u in urls] == reasons

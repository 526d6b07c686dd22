"""Pages fetched from real servers, and what becomes of those that cannot be."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import Handler, Server, to

from grounded_ingest.config.settings import Config, Network
from grounded_ingest.net.addresses import CANARY
from grounded_ingest.net.client import Web
from grounded_ingest.references.context import Context
from grounded_ingest.references.page_text import PageText, Unread, pages_of
from grounded_ingest.references.response_cache import Answers

OPEN, PLAIN = "gist.github.com", "docs.test"
PAGE = b"""<title>Ports</title><nav>Menu</nav><h1>Ports</h1><p>The port is 8443.</p>
<h2 id="old">Old</h2><p>It was <b>80</b>.</p><p hidden>It is 99.</p>"""


def names(host: str, port: int) -> list[str]:
    if host == "nowhere.test":
        raise socket.gaierror(socket.EAI_NONAME, "no")
    if host[0].isdigit():
        return [host]
    return ["10.0.0.1"] if host == CANARY else ["127.0.0.1"]


def site_answers(handler: Handler) -> None:
    head = handler.command == "HEAD"
    match handler.path.strip("/").split("/"):
        case ["page"]:
            handler.say(200, PAGE, Content_Type="text/html; charset=utf-8")
        case ["page", _]:
            handler.say(200, PAGE, Content_Type="text/html")
        case ["nest"]:
            handler.say(200, b"<div>" * 100_000, Content_Type="text/html")
        case ["plain"]:
            handler.say(200, b"caf\xe9\r\nopen", Content_Type="text/plain")
        case ["settings.toml"]:
            handler.say(200, b"port = 8443\n", Content_Type="text/plain")
        case ["json"]:
            handler.say(200, b'{"port":8443}', Content_Type="application/json")
        case ["pdf"]:
            handler.say(200, b"%PDF", Content_Type="application/pdf")
        case ["blank"]:
            handler.say(200, b"<p hidden>x</p>", Content_Type="text/html")
        case ["bomb"]:
            body = gzip.compress(b"a line of it\n" * 4_000_000)
            handler.say(200, body, Content_Type="text/plain", Content_Encoding="gzip")
        case ["broken"]:
            handler.say(200, b"\xfa\xff\xfa ok", Content_Type="text/plain; charset=utf-8")
        case ["gone-between"]:
            handler.say(200 if head else 404)
        case ["drip"]:
            handler.send_response(200)
            handler.send_header("Content-Type", "text/plain")
            handler.end_headers()
            handler.close_connection = True
            while not head and not handler.server.stopping.wait(0.02):
                handler.wfile.write(b"x")
        case ["endless"]:
            handler.send_response(200)
            handler.send_header("Content-Type", "text/plain")
            handler.end_headers()
            handler.close_connection = True
            while not head and not handler.server.stopping.is_set():
                handler.wfile.write(b"0123456789 line\n" * 4096)
        case ["dropped"]:
            handler.close_connection = True
            if handler.times() > 1:
                handler.say(200, b"second", Content_Type="text/plain")
        case ["to", target]:
            handler.say(302, Location=bytes.fromhex(target).decode())
        case _:
            handler.say(404)


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(site_answers) as server:
        yield server


def context(
    answers: Answers | None = None,
    *,
    online: bool = True,
    budget: float = 10.0,
    timeout: float = 3.0,
    config: Config | None = None,
) -> Context:
    """Of a repository nobody asks: pages are not looked up in it."""
    network = Network(timeout=timeout, allow=("127.0.0.1", OPEN, PLAIN), deny=("denied.test",))
    web = Web(network, budget, names) if online else None
    nobody: list[None] = [None] * 3
    return Context(nobody[0], config or Config(), nobody[1], nobody[2], web, answers, bool)  # type: ignore[arg-type]


def only(url: str, there: Context) -> PageText | Unread:
    return pages_of([url], there)[url]


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("/page", "# Ports\n\nThe port is 8443.\n\n## Old\n\nIt was 80.", "Ports"),
        ("/page#old", "## Old\n\nIt was 80.", "Ports"),
        ("/page#%6Fld", "## Old\n\nIt was 80.", "Ports"),
        (to("/page") + "#old", "## Old\n\nIt was 80.", "Ports"),
        (
            "/page#:~:text=port",
            "# Ports\n\nThe port is 8443.\n\n## Old\n\nIt was 80.",
            "Ports",
        ),
        ("/plain", "café\nopen", ""),
        ("/settings.toml", "port = 8443", ""),
        ("/json", '{\n  "port": 8443\n}', ""),
        ("/broken", "\ufffd\ufffd\ufffd ok", ""),
        ("/dropped", "second", ""),
    ],
)
def test_what_a_page_says(site: Server, path: str, text: str, title: str) -> None:
    url = site.url + path
    site.seen.clear()
    found = only(url, context())
    assert isinstance(found, PageText), found
    assert (found.text, found.title) == (text, title)
    assert abs(found.at - time.time()) < 60
    assert {seen.method for seen in site.seen} == {"GET"}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("{site}/gone-between", "not read: the server responded with status 404"),
        ("{site}/pdf", "not read: the content type application/pdf is not supported"),
        ("{site}/blank", "not read: the page has no text"),
        ("{site}/nest", "not read: the page's HTML could not be parsed"),
        ("{site}/drip", "not read: timeout"),
        ("{site}" + to("http://192.168.0.1/"), "not read: the address is refused (private address)"),
        ("{site}" + to("http://denied.test/"), "not read: the host is in network.deny"),
        ("{site}" + to("file:///etc/passwd"), "not read: not a URL that can be requested (only http and https URLs are requested)"),
        ("{open}", "not read: anyone can publish on this host, so the page proves nothing"),
        ("http://private.test:{port}/plain", "not read: the address is refused (loopback address)"),
        ("http://nowhere.test/plain", "not read: the host name does not exist"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(site: Server, url: str, reason: str) -> None:
    opened = site.url + to(f"http://{OPEN}:{site.port}/plain")
    url = url.format(site=site.url, port=site.port, open=opened)
    timeout = 0.5 if url.endswith("drip") else 3.0
    assert only(url, context(timeout=timeout)) == Unread(reason)


def test_a_redirect_to_a_host_that_vouches_for_nothing_is_not_read_in_strict(site: Server) -> None:
    network = Network(witness_hosts=(PLAIN,))
    strict = Config(network=network, preset="strict")
    good, bad = f"http://{PLAIN}:{site.port}/plain", f"{site.url}/plain"
    assert isinstance(only(good, context(config=strict)), PageText)
    assert only(bad, context(config=strict)) == Unread(
        "not read: the host is not in network.witness_hosts, so the page proves nothing"
    )


@pytest.mark.parametrize("path", ["/bomb", "/endless"])
def test_big_bodies_are_cut(site: Server, path: str) -> None:
    found = only(site.url + path, context())
    assert isinstance(found, PageText)
    assert 200_000 < len(found.text) <= 262_144


def test_one_request_serves_all_anchors_and_every_repetition(site: Server) -> None:
    site.seen.clear()
    urls = [f"{site.url}/page{anchor}" for anchor in ("", "#old", "#nowhere", "", "#old")]
    found = pages_of(urls, context())
    assert list(found) == urls[:3]
    assert len(site.seen) == 1
    texts = [page.text for page in found.values() if isinstance(page, PageText)]
    assert texts[0] == texts[2] != texts[1]


def test_budget_and_offline_are_said(site: Server) -> None:
    url = f"{site.url}/page"
    assert only(url, context(budget=0.0)) == Unread("not read: the network budget is spent")
    assert only(url, context(online=False)) == Unread("not read: offline")
    assert pages_of([], context()) == {}


def test_a_host_is_not_asked_more_at_once_for_texts(site: Server) -> None:
    with Server(site_answers) as server:
        urls = [f"{server.url}/page/{n}" for n in range(40)]
        found = pages_of(urls, context())
        assert all(isinstance(page, PageText) for page in found.values())
        assert server.busiest <= Network().per_host
        assert len(server.seen) == 40


@pytest.mark.parametrize("ttl", [60, 0])
def test_texts_are_kept(site: Server, tmp_path: Path, ttl: int) -> None:
    urls = [f"{site.url}/page#old", f"{site.url}/plain", f"{site.url}/gone-between"]
    answers = Answers(str(tmp_path), ttl)
    first = pages_of(urls, context(answers))
    site.seen.clear()
    again = pages_of(urls, context(answers))
    assert again == first
    assert {seen.path for seen in site.seen} == {"/gone-between"}
    later = pages_of(urls, context(Answers(str(tmp_path), ttl), online=False))
    kept = [isinstance(page, PageText) for page in later.values()]
    assert kept == [bool(ttl), bool(ttl), False]

"""Servers that fail, stall, flood, redirect or may not be asked: unknown, in bounded time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from modelserver import KEY, ModelServer, Poster, client, completion, opinion, pair, reply, saying
from servers import Server, liar

from grounded_ingest.config.settings import JudgeSettings as Settings
from grounded_ingest.config.settings import Network
from grounded_ingest.judge.endpoint import EndpointJudge
from grounded_ingest.judge.exchange import Opinion
from grounded_ingest.net import addresses as dial


def _page(handler: Poster) -> None:
    reply(handler, b"<html>supported</html>", kind="text/html; charset=utf-8")


def _right_but_plain(handler: Poster) -> None:
    reply(handler, completion(opinion()), kind="text/plain")


def _endless(handler: Poster) -> None:
    handler.close_connection = True
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    for _ in range(1600):  # 100 MB
        if handler.server.stopping.is_set():
            return
        handler.wfile.write(b" " * 65_536)


def _slowly(handler: Poster) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.stopping.wait(0.05):
        handler.wfile.write(b" ")


def _silent(handler: Poster) -> None:
    handler.server.stopping.wait(5)
    handler.close_connection = True


def _nonsense(handler: Poster) -> None:
    handler.wfile.write(b"\x00 not http\r\n\r\n")
    handler.close_connection = True


@pytest.mark.parametrize(
    ("answers", "reason", "requests"),
    [
        (_page, "no JSON", 1),
        (_right_but_plain, "no JSON", 1),
        (_endless, "too long", 1),
        (_slowly, "timeout", 1),
        (_silent, "timeout", 1),
        (_nonsense, "no connection", 3),
        (lambda h: reply(h, completion(opinion()), 400), "server answers 400", 1),
        (lambda h: reply(h, completion(opinion()), 401), "server answers 401", 1),
        (lambda h: reply(h, completion(opinion()), 201), "server answers 201", 1),
        (lambda h: reply(h, completion(opinion()), 500), "server answers 500", 3),
        (lambda h: h.say(429, Retry_After="3600"), "asks to wait", 1),
    ],
)
def test_servers_that_fail_are_unknown_in_bounded_time(
    answers: Callable[[Poster], None], reason: str, requests: int
) -> None:
    started = time.monotonic()
    with ModelServer(answers) as server:
        (told,) = client(server, timeout=0.5, budget=10.0).judge([pair()])
    assert told.verdict == ""
    assert reason in told.reason
    assert len(server.posted) == requests
    assert time.monotonic() - started < 6.0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_the_key_stays(status: int) -> None:
    with Server(liar) as other:

        def away(handler: Poster) -> None:
            handler.say(status, Location=f"{other.url}/v1/chat/completions")

        with ModelServer(away) as server:
            settings = Settings("openai", f"{server.url}/v1", "small", "A_JUDGE_KEY")
            allowed = Network(allow=(server.host, other.host))
            (told,) = EndpointJudge(settings, allowed, KEY).judge([pair()])
    assert told == Opinion("", reason=f"judge: server answers {status}")
    assert len(server.seen) == 1
    assert other.seen == []


def test_an_address_that_is_not_allowed_is_not_asked() -> None:
    with ModelServer(saying(opinion())) as server:
        settings = Settings("openai", f"{server.url}/v1", "small")
        refused = EndpointJudge(settings, Network(), KEY).judge([pair()])
        network = Network(allow=(server.host,), deny=("127.0.0.1",))
        denied = EndpointJudge(settings, network, KEY).judge([pair()])
    assert "refused address" in refused[0].reason
    assert "network.deny" in denied[0].reason
    assert server.seen == []


@pytest.mark.parametrize("named", [True, False])
def test_the_key_goes_in_the_clear_only_to_a_host_that_is_named(
    monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    """A name of the Internet, played by a server of ours."""
    monkeypatch.setattr(dial, "refusal", lambda *_: "")
    with ModelServer(saying(opinion())) as server:
        host = f"model.test:{server.port}"
        settings = Settings("openai", f"http://{host}/v1", "small", "A_JUDGE_KEY")
        network = Network(allow=(host,) if named else ())
        EndpointJudge(settings, network, KEY, resolver=lambda *_: ["127.0.0.1"]).judge([pair()])
    assert ("authorization" in server.seen[0].headers) is named

"""Which connections are used again, and which names are looked up again."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from servers import TLS_CERTIFICATE, Handler, Server

from grounded_ingest.config.settings import Network
from grounded_ingest.net import conversations
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Failure, Response, Talk

HOSTS = ("a.test", "b.test", "c.test", "pinned.test")


def here(*_: object) -> list[str]:
    return ["127.0.0.1"]


def web(resolver: Callable[[str, int], Sequence[str]] = here, per_host: int = 10) -> Web:
    return Web(Network(timeout=2.0, allow=HOSTS, per_host=per_host), 10.0, resolver)


def in_turn(asks: Sequence[Ask]) -> Talk[list[Response]]:
    answers = []
    for ask in asks:
        answers.append((yield ask))  # noqa: PERF401  no comprehension may yield
    return answers


def one_by_one(web: Web, *asks: Ask) -> list[Response]:
    return web.converse({"": in_turn(asks)})[""]


class Doors:
    """Answers in one way; remembers through how many connections it was asked."""

    def __init__(self, answers: Callable[[Handler], None]) -> None:
        self.answers = answers
        self.ports: set[int] = set()

    def __call__(self, handler: Handler) -> None:
        self.ports.add(handler.client_address[1])
        self.answers(handler)


def fine(handler: Handler) -> None:
    handler.say(200, b"fine")


def unannounced(handler: Handler) -> None:
    """Closes a connection that it led its client to believe would stay."""
    handler.say(200)
    handler.close_connection = True


def with_a_farewell(handler: Handler) -> None:
    handler.say(200)
    time.sleep(0.05)
    handler.wfile.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


def announced(handler: Handler) -> None:
    handler.say(200, Connection="close")
    handler.close_connection = True


@pytest.mark.parametrize(
    ("answers", "method", "limit", "opened"),
    [
        (fine, "HEAD", 0, 1),
        (fine, "GET", 100, 1),
        (fine, "GET", 0, 4),
        (fine, "GET", 2, 4),
        (unannounced, "HEAD", 0, 4),
        (announced, "HEAD", 0, 4),
        (with_a_farewell, "HEAD", 0, 4),
    ],
)
def test_a_connection_whose_answer_was_read_is_used_again(
    answers: Callable[[Handler], None], method: str, limit: int, opened: int
) -> None:
    doors = Doors(answers)
    with Server(doors) as server:
        url = f"http://a.test:{server.port}/"
        asks = [Ask(method, f"{url}{n}", limit=limit, after=n and 0.1) for n in range(4)]
        assert [a.status for a in one_by_one(web(), *asks)] == [200] * 4
    assert len(doors.ports) == opened


def test_tls_connections_are_used_again(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    trusted = tmp_path / "trusted.pem"
    trusted.write_text(TLS_CERTIFICATE)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    doors = Doors(fine)
    with Server(doors, tmp_path) as server:
        asks = [Ask("GET", f"https://pinned.test:{server.port}/{n}", limit=9) for n in range(4)]
        assert [a.body for a in one_by_one(web(), *asks)] == [b"fine"] * 4
    assert len(doors.ports) == 1


@pytest.mark.parametrize(
    ("hosts", "opened"), [("abab", 2), ("abcc", 3), ("abcb", 3), ("abca", 4), ("abbac", 3)]
)
def test_the_oldest_of_too_many_idle_connections_goes(
    hosts: str, opened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversations, "KEEP", 2)
    doors = Doors(fine)
    with Server(doors) as server:
        asks = [Ask("HEAD", f"http://{host}.test:{server.port}/") for host in hosts]
        assert {a.status for a in one_by_one(web(), *asks)} == {200}
    assert len(doors.ports) == opened


def test_the_oldest_goes_among_those_of_one_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "KEEP", 2)

    def answers(handler: Handler) -> None:
        time.sleep(0.1 if handler.path == "/0" else 0.0)
        handler.say(200)

    doors = Doors(answers)
    with Server(doors) as server:
        url = f"http://a.test:{server.port}/"
        later = [Ask("HEAD", f"http://b.test:{server.port}/", after=0.2), Ask("HEAD", url)]
        talks = {"0": in_turn([Ask("HEAD", f"{url}0")]), "1": in_turn([Ask("HEAD", url), *later])}
        ends = web().converse(talks)
    assert [a.status for end in ends.values() for a in end] == [200] * 4
    assert len(doors.ports) == 3


def test_a_get_that_decides_has_a_connection_of_its_own() -> None:
    doors = Doors(fine)
    with Server(doors) as server:
        url = f"http://a.test:{server.port}/"
        asks = [Ask("HEAD", url), Ask("GET", url)]
        assert [a.status for a in one_by_one(web(), *asks)] == [200] * 2
    assert len(doors.ports) == 2


def test_an_idle_connection_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "KEEP_S", 0.05)
    doors = Doors(fine)
    with Server(doors) as server:
        url = f"http://a.test:{server.port}/"
        one_by_one(web(), Ask("HEAD", url), Ask("HEAD", url, after=0.2))
    assert len(doors.ports) == 2


def test_hosts_do_not_share_connections() -> None:
    """A name that is allowed opens no door for another, though both are one address."""
    hosts: list[str] = []

    def answers(handler: Handler) -> None:
        hosts.append(handler.headers["Host"])
        handler.say(200)

    doors = Doors(answers)
    with Server(doors) as server:
        urls = [f"http://{host}.test:{server.port}/" for host in "aba"]
        denied = Ask("HEAD", f"http://other.test:{server.port}/")
        said = one_by_one(web(), *(Ask("HEAD", url) for url in urls), denied)
    assert [a.status or a.failure for a in said] == [200] * 3 + [Failure.REFUSED_ADDRESS]
    assert hosts == [f"{host}.test:{server.port}" for host in "aba"]
    assert len(doors.ports) == 2


def test_what_nobody_asked_for_is_not_taken_in() -> None:
    poured = 0

    def pouring(handler: Handler) -> None:
        nonlocal poured
        handler.say(200)
        if handler.path == "/pour":
            handler.connection.settimeout(0.5)
            while not handler.server.stopping.is_set():
                poured += handler.connection.send(b"x" * 65_536)

    doors = Doors(pouring)
    with Server(doors) as server:
        url = f"http://a.test:{server.port}"
        asks = Ask("HEAD", f"{url}/pour"), Ask("HEAD", f"{url}/ok", after=0.4)
        assert [a.status for a in one_by_one(web(), *asks)] == [200, 200]
    assert len(doors.ports) == 2
    assert 0 < poured < 30_000_000


@pytest.mark.parametrize("per_host", [1, 5])
def test_a_name_is_looked_up_once(per_host: int) -> None:
    looked_up: list[str] = []

    def resolver(host: str, port: int) -> list[str]:
        looked_up.append(host)
        return here()

    with Server(fine) as server:
        talks = {
            f"{host}{n}": in_turn([Ask("GET", f"http://{host}:{server.port}/{n}")])
            for n in range(5)
            for host in ("a.test", "b.test")
        }
        ends = web(resolver, per_host).converse(talks)
    assert {a.status for end in ends.values() for a in end} == {200}
    assert sorted(looked_up) == ["a.test", "b.test"]


@pytest.mark.parametrize(
    ("first", "failure"),
    [
        (socket.gaierror(socket.EAI_AGAIN, "later"), Failure.NO_LOOKUP),
        (["10.0.0.1"], Failure.REFUSED_ADDRESS),
    ],
)
def test_a_name_that_failed_is_looked_up_again(
    first: list[str] | socket.gaierror, failure: Failure
) -> None:
    times = 0

    def resolver(host: str, port: int) -> list[str]:
        nonlocal times
        times += 1
        if times > 1:
            return ["10.0.0.2"]
        if isinstance(first, socket.gaierror):
            raise first
        return first

    ask = Ask("GET", "http://public.test/")
    assert [a.failure for a in one_by_one(web(resolver), ask, ask)] == [
        failure,
        Failure.REFUSED_ADDRESS,
    ]
    assert times == 2

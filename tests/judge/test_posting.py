"""POST through `web`: sent as it is, once for every ask, and never again unasked."""

from __future__ import annotations

from modelserver import ModelServer, Poster, reply

from grounded_ingest.config.settings import Network
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Failure, Response, Talk


def say(ask: Ask) -> Talk[Response]:
    return (yield ask)


def post(server: ModelServer, *bodies: bytes) -> list[Response]:
    asks = [Ask("POST", f"{server.url}/x", limit=100, follow=False, body=b) for b in bodies]
    web = Web(Network(allow=(server.host,)), 5.0)
    return list(web.converse({str(n): say(a) for n, a in enumerate(asks)}).values())


def test_equal_posts_are_sent_each() -> None:
    with ModelServer(lambda h: reply(h, h.asked)) as server:
        answers = post(server, b'{"a": 1}', b'{"a": 1}', b'"\\u00e9"')
    assert [a.body for a in answers] == [b'{"a": 1}', b'{"a": 1}', b'"\\u00e9"']
    assert len(server.posted) == 3


def test_whoever_posts_decides_whether_to_again_and_the_hosts_wish_holds() -> None:
    def busy(handler: Poster) -> None:
        handler.say(429, Retry_After="3600")

    with ModelServer(busy) as server:
        web = Web(Network(allow=(server.host,)), 5.0)

        def twice() -> Talk[list[Response]]:
            ask = Ask("POST", f"{server.url}/x", limit=100, body=b"1")
            first = yield ask
            return [first, (yield ask)]

        first, second = web.converse({"x": twice()})["x"]
    assert (first.status, second.failure) == (429, Failure.ASKED_TO_WAIT)
    assert len(server.posted) == 1


def test_a_server_that_hangs_up_before_the_end_of_a_body_is_an_answer_or_a_failure() -> None:
    def early(handler: Poster) -> None:
        handler.say(413)
        handler.close_connection = True

    with ModelServer(early) as server:
        (answer,) = post(server, b'"' + b"x" * 500_000 + b'"')
    assert answer.status == 413 or answer.failure is Failure.UNREACHABLE


def test_a_wish_that_fits_the_budget_is_the_askers_to_follow_too() -> None:
    with ModelServer(lambda h: h.say(429, Retry_After="0")) as server:
        (answer,) = post(server, b"1")
    assert answer.status == 429
    assert len(server.posted) == 1

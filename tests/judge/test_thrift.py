"""Budgets, retries, what is asked together, and what is remembered."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from modelserver import (
    CLAIM,
    KEY,
    QUOTE,
    TERMS,
    ModelServer,
    Poster,
    client,
    completion,
    opinion,
    pair,
    reply,
    saying,
)

from grounded_ingest.config.settings import JudgeSettings as Settings
from grounded_ingest.config.settings import Network
from grounded_ingest.git.cache import FILE
from grounded_ingest.judge.endpoint import EndpointJudge
from grounded_ingest.references.response_cache import Answers, ConfirmedAnswer
from grounded_ingest.references.sources import SourceText


def answers_at(directory: Path, ttl: int = 60) -> Answers:
    return Answers(str(directory), ttl)


def many(count: int) -> list[Any]:
    return [pair(f"{CLAIM} It is clause {n}.") for n in range(count)]


@pytest.mark.parametrize("headers", [{"Retry_After": "1"}, {}])
def test_a_server_that_is_busy_is_asked_again(headers: dict[str, str]) -> None:
    def busy_once(handler: Poster) -> None:
        if handler.times() == 1:
            handler.say(429, **headers)
        else:
            reply(handler, completion(opinion()))

    started = time.monotonic()
    with ModelServer(busy_once) as server:
        (told,) = client(server).judge([pair()])
    assert told.verdict == "supported"
    assert len(server.posted) == 2
    assert time.monotonic() - started >= (1.0 if headers else 0.5)


def test_no_more_requests_than_allowed_retries_included() -> None:
    with ModelServer(lambda h: h.say(503)) as server:
        told = client(server, max_requests=2).judge([pair()])
        assert "server answers 503" in told[0].reason
        assert len(server.posted) == 2
    with ModelServer(saying(opinion())) as server:
        judge = client(server, max_requests=3)
        told = [*judge.judge(many(2)), *judge.judge(many(5)[2:])]
    assert [t.verdict for t in told] == ["supported"] * 3 + [""] * 2
    assert {t.reason for t in told[3:]} == {"judge: judge.max_requests spent"}
    assert len(server.posted) == 3


def test_the_budget_ends_it() -> None:
    def slow(handler: Poster) -> None:
        handler.server.stopping.wait(0.3)
        reply(handler, completion(opinion()))

    started = time.monotonic()
    with ModelServer(slow) as server:
        judge = client(server, budget=0.8)
        told = judge.judge(many(40))
        assert time.monotonic() - started < 4.0
        assert told[0].verdict == "supported"
        assert told[-1].reason == "judge: judge.budget spent"
        sent = len(server.posted)
        assert sent <= 12
        assert judge.judge([pair()])[0].reason == "judge: judge.budget spent"
        assert len(server.posted) == sent


def test_a_few_at_a_time() -> None:
    def slow(handler: Poster) -> None:
        handler.server.stopping.wait(0.05)
        reply(handler, completion(opinion()))

    with ModelServer(slow) as server:
        settings = Settings("openai", server.url, "small")
        network = Network(allow=(server.host,), per_host=2)
        told = EndpointJudge(settings, network).judge(many(8))
    assert [t.verdict for t in told] == ["supported"] * 8
    assert server.busiest == 2


def test_a_server_that_refuses_everybody_is_left_alone() -> None:
    with ModelServer(lambda h: h.say(401)) as server:
        told = client(server).judge(many(60))
    assert {t.reason for t in told} == {"judge: server answers 401"}
    assert len(server.posted) <= 16


def test_each_claim_gets_its_own_answer() -> None:
    def by_claim(handler: Poster) -> None:
        odd = "clause 1." in handler.asked["messages"][1]["content"]
        said = opinion("unsupported", "", "no clause") if odd else opinion()
        reply(handler, completion(said))

    with ModelServer(by_claim) as server:
        told = client(server).judge([*many(3), *many(3)])
    S, U = "supported", "unsupported"  # noqa: N806
    assert [t.verdict for t in told] == [S, U, S, S, U, S]
    assert len(server.posted) == 3


def test_an_opinion_is_remembered(tmp_path: Path) -> None:
    with ModelServer(saying(opinion())) as server:
        first = client(server, kept=answers_at(tmp_path)).judge([pair()])
        second = client(server, kept=answers_at(tmp_path)).judge([pair()])
        assert first == second
        assert len(server.posted) == 1
        client(server, kept=answers_at(tmp_path), key="another").judge([pair()])
        assert len(server.posted) == 1
        for other in (
            client(server, kept=answers_at(tmp_path), model="large"),
            client(server, kept=answers_at(tmp_path), base_url=f"{server.url}/v2"),
            client(server, kept=answers_at(tmp_path / "elsewhere")),
        ):
            sent = len(server.posted)
            other.judge([pair()])
            assert len(server.posted) == sent + 1
        sent = len(server.posted)
        changed = SourceText("text", f"{TERMS.text}\nAnd more.")
        client(server, kept=answers_at(tmp_path)).judge([pair(CLAIM, changed), pair("Another.")])
        assert len(server.posted) == sent + 2


@pytest.mark.parametrize(
    "content", [opinion(quote="invented, all of it"), "prose", opinion("contradicted", QUOTE)]
)
def test_what_is_unknown_is_asked_again(tmp_path: Path, content: str) -> None:
    with ModelServer(saying(content)) as server:
        for _ in range(2):
            (told,) = client(server, kept=answers_at(tmp_path)).judge([pair()])
            assert told.verdict == ""
    assert len(server.posted) == 2
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert list(db.execute("select * from kept")) == []


@pytest.mark.parametrize(
    "kept", ["", "no json", opinion(quote="not in this source at all"), '{"verdict": "supported"}']
)
def test_what_is_kept_is_read_as_critically_as_what_comes(tmp_path: Path, kept: str) -> None:
    with ModelServer(saying(opinion("unsupported", "", "it is not"))) as server:
        judge = client(server, kept=answers_at(tmp_path))
        name = judge._name(_body(judge))
        answers_at(tmp_path).put({name: ConfirmedAnswer(time.time(), kept)})
        assert judge.judge([pair()])[0].verdict == "unsupported"
    assert len(server.posted) == 1


def _body(judge: EndpointJudge) -> bytes:
    from grounded_ingest.judge.exchange import question_data

    return judge._question(question_data(pair()) or {})


def test_the_key_is_kept_nowhere(tmp_path: Path) -> None:
    with ModelServer(saying(opinion())) as server:
        judge = client(server, kept=answers_at(tmp_path))
        told = judge.judge([pair()])
    held = (tmp_path / FILE).read_bytes()
    assert b"verdict" in held
    assert KEY.encode() not in held
    assert KEY not in repr(told)
    assert KEY not in repr(judge._request(b"x", 0.0))


def _judged(port: int, host: str, directory: Path, part: int) -> list[str]:
    settings = Settings("openai", f"http://{host}/v1", "small")
    judge = EndpointJudge(settings, Network(allow=(host,)), "", answers_at(directory))
    return [t.verdict for t in judge.judge(many(12)[part * 4 :])]


def test_processes_share_what_they_remember(tmp_path: Path) -> None:
    with ModelServer(saying(opinion())) as server:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            told = list(
                pool.map(_judged, [server.port] * 2, [server.host] * 2, [tmp_path] * 2, range(2))
            )
        sent = len(server.posted)
        again = _judged(server.port, server.host, tmp_path, 0)
    assert told == [["supported"] * 12, ["supported"] * 8]
    assert again == ["supported"] * 12
    assert len(server.posted) == sent

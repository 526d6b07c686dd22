"""Asks a judge model at an OpenAI-compatible endpoint: POST {base_url}/chat/completions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.settings import JudgeSettings, Network
from grounded_ingest.judge.exchange import (
    BUDGET_SPENT,
    MAX_ANSWER,
    REQUESTS_SPENT,
    AskedJudge,
    JudgeAnswer,
    Unusable,
    chat_request,
    parse_answer,
)
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.net.addresses import Resolver, look_up
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Failure, Response, Talk
from grounded_ingest.references.response_cache import Answers

ATTEMPTS = 3
PAUSE_S = 0.5

_HEADERS = (("Accept", "application/json"), ("Content-Type", "application/json"))
_TRANSIENT = (429, 500, 502, 503, 504)
# Statuses that concern the key or the address and not the question: every question would fail.
_FINAL = (301, 302, 303, 307, 308, 401, 402, 403, 404, 405)
_UNFINISHED = {"length": "the answer is cut off", "content_filter": "a filter cut off the answer"}


class EndpointJudge(AskedJudge):
    """Asks a judge model at an OpenAI-compatible endpoint.

    The class sends at most `max_requests` requests in a run, and at most `network.per_host` at the
    same time. It sends no request later than `budget` seconds after the first request. It sends
    none if `failure` says why the endpoint cannot be asked."""

    def __init__(
        self,
        settings: JudgeSettings,
        network: Network,
        key: str = "",
        kept: Answers | None = None,
        resolver: Resolver = look_up,
        failure: str = "",
    ) -> None:
        self._url = f"{settings.base_url.rstrip('/')}/chat/completions"
        super().__init__(self._url.encode(), kept)
        self._model = settings.model
        self._key = key
        self._web = Web(replace(network, timeout=settings.timeout), settings.budget, resolver)
        self._left = settings.max_requests
        self._final_reason = failure

    def _question(self, data: dict[str, Any]) -> bytes:
        return chat_request(data, self._model)

    def _answers(self, questions: Mapping[str, bytes]) -> Mapping[str, JudgeAnswer | str]:
        return self._web.converse({name: self._talk(body) for name, body in questions.items()})

    def _talk(self, body: bytes) -> Talk[JudgeAnswer | str]:
        reason = ""
        for attempt in range(ATTEMPTS):
            if self._final_reason or self._left <= 0:
                return reason or self._final_reason or REQUESTS_SPENT
            self._left -= 1
            response = yield self._request(body, PAUSE_S * (2**attempt - 1))
            self._note_final(response)
            try:
                return answer_in(response, self._key)
            except Unusable as unusable:
                reason = str(unusable)
            if response.status not in _TRANSIENT and response.failure is not Failure.UNREACHABLE:
                return reason
        return reason

    def _request(self, body: bytes, after: float) -> Ask:
        key = self._key
        # follow=False: a redirect would send the API key to another server.
        return Ask("POST", self._url, _HEADERS, key, MAX_ANSWER, after, follow=False, body=body)

    def _note_final(self, response: Response) -> None:
        transient = (None, Failure.TIMEOUT, Failure.UNREACHABLE)
        if response.failure not in transient or response.status in _FINAL:
            self._final_reason = self._final_reason or _failure(response)


class _ChatMessage(Struct, frozen=True):
    role: Literal["assistant"]
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[Any] | None = None
    function_call: Any = None


class _Choice(Struct, frozen=True):
    message: _ChatMessage
    finish_reason: str | None = None


class _Completion(Struct, frozen=True):
    choices: list[_Choice]


def _failure(response: Response) -> str:
    return BUDGET_SPENT if response.failure is Failure.BUDGET else response.reason


def answer_in(response: Response, key: str) -> JudgeAnswer:
    """Returns the answer of the model in a server's response. Raises Unusable if the response has
    no valid answer, or if the answer repeats the API key."""
    if response.failure or response.status != 200:
        raise Unusable(_failure(response))
    content_type = response.headers.get("content-type", "").partition(";")[0]
    if content_type.strip().lower() != "application/json":
        raise Unusable("the response is not JSON")
    if len(response.body) >= MAX_ANSWER:
        raise Unusable(f"the answer is longer than {MAX_ANSWER:,} bytes")
    try:
        completion = msgspec.json.decode(response.body, type=_Completion)
    except NOT_JSON:
        raise Unusable("the response is not a chat completion") from None
    if len(completion.choices) != 1:
        raise Unusable("the response does not have exactly one choice")
    message, finished = completion.choices[0].message, completion.choices[0].finish_reason
    if message.refusal:
        raise Unusable("the model refused to answer")
    if finished != "stop":
        raise Unusable(_UNFINISHED.get(finished or "", "the answer is not finished"))
    if message.tool_calls or message.function_call or not message.content:
        raise Unusable("the answer has no text")
    if key and key in message.content:
        raise Unusable("the answer repeats the API key")
    return parse_answer(message.content)

"""A model behind an OpenAI-compatible endpoint: POST {base_url}/chat/completions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.judge.answer import MAX_ANSWER, Said, Unusable, parsed
from grounded_ingest.judge.asked_judge import AskedJudge
from grounded_ingest.judge.question import chat
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Failure, Response, Talk
from grounded_ingest.net.resolver import Resolver, look_up

if TYPE_CHECKING:
    from grounded_ingest.config.settings import JudgeSettings as Settings
    from grounded_ingest.config.settings import Network
    from grounded_ingest.references.response_cache import Answers

ATTEMPTS = 3
PAUSE_S = 0.5

HEADERS = (("Accept", "application/json"), ("Content-Type", "application/json"))
_PASSING = (429, 500, 502, 503, 504)
# What the endpoint says of whoever asks, not of what is asked: nothing else will be answered.
_FINAL = (301, 302, 303, 307, 308, 401, 402, 403, 404, 405)


class OpenAIJudge(AskedJudge):
    """Asks at most `max_requests` times within `budget` seconds, counted from the first request;
    `network.per_host` requests at a time."""

    def __init__(
        self,
        settings: Settings,
        network: Network,
        key: str = "",
        kept: Answers | None = None,
        resolver: Resolver = look_up,
    ) -> None:
        self._url = f"{settings.base_url.rstrip('/')}/chat/completions"
        super().__init__(self._url.encode(), kept)
        self._model = settings.model
        self._key = key
        self._web = Web(replace(network, timeout=settings.timeout), settings.budget, resolver)
        self._left = settings.max_requests
        self._stopped = ""

    def _question(self, asked: dict[str, Any]) -> bytes:
        return chat(asked, self._model)

    def _answers(self, questions: Mapping[str, bytes]) -> Mapping[str, Said | str]:
        return self._web.converse({name: self._talk(body) for name, body in questions.items()})

    def _talk(self, body: bytes) -> Talk[Said | str]:
        """What the model says, or why nothing came of it."""
        reason = ""
        for attempt in range(ATTEMPTS):
            if self._stopped or self._left <= 0:
                return reason or self._stopped or "judge.max_requests spent"
            self._left -= 1
            answer = yield self._post(body, PAUSE_S * (2**attempt - 1))
            self._note(answer)
            try:
                return said(answer, self._key)
            except Unusable as unusable:
                reason = str(unusable)
            if answer.status not in _PASSING and answer.failure is not Failure.UNREACHABLE:
                return reason
        return reason

    def _post(self, body: bytes, after: float) -> Ask:
        key, limit = self._key, MAX_ANSWER
        return Ask("POST", self._url, HEADERS, key, limit, after, follow=False, body=body)

    def _note(self, answer: Response) -> None:
        passing = (None, Failure.TIMEOUT, Failure.UNREACHABLE)
        if answer.failure not in passing or answer.status in _FINAL:
            self._stopped = self._stopped or why(answer)


_UNFINISHED = {"length": "cut off", "content_filter": "filtered"}


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


def why(answer: Response) -> str:
    """Why there is no answer, or none to a question."""
    return "judge.budget spent" if answer.failure is Failure.BUDGET else answer.reason


def said(answer: Response, key: str) -> Said:
    """What the model said. Raises Unusable with the reason."""
    if answer.failure or answer.status != 200:
        raise Unusable(why(answer))
    content_type = answer.headers.get("content-type", "").partition(";")[0]
    if content_type.strip().lower() != "application/json":
        raise Unusable("the answer is no JSON")
    if len(answer.body) >= MAX_ANSWER:
        raise Unusable("the answer is too long")
    try:
        completion = msgspec.json.decode(answer.body, type=_Completion)
    except NOT_JSON:
        raise Unusable("the answer is no chat completion") from None
    return _content(completion, key)


def _content(completion: _Completion, key: str) -> Said:
    if len(completion.choices) != 1:
        raise Unusable("the answer has not one choice")
    message, finished = completion.choices[0].message, completion.choices[0].finish_reason
    if message.refusal:
        raise Unusable("refused")
    if finished != "stop":
        raise Unusable(_UNFINISHED.get(finished or "", "not finished"))
    if message.tool_calls or message.function_call or not message.content:
        raise Unusable("the answer is no opinion")
    if key and key in message.content:
        raise Unusable("the answer repeats the key")
    return parsed(message.content)

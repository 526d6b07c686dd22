"""A real server on 127.0.0.1 that answers POSTs as an OpenAI-compatible endpoint does, or should not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from servers import Handler, Server

from grounded_ingest.config.settings import JudgeSettings as Settings
from grounded_ingest.config.settings import Network
from grounded_ingest.decide.model_client import OpenAIJudge
from grounded_ingest.decide.model_opinion import ComparedPair
from grounded_ingest.language.lexicon.judge_prompt import DENIAL
from grounded_ingest.support.source import SourceText
from grounded_ingest.support.verdict import judge
from grounded_ingest.verify.response_cache import Answers

TERMS = SourceText(
    "text", "Payment shall be made within 30 days of receipt.\nThe fee is 1.5% per month."
)
QUOTE = "Payment shall be made within 30 days of receipt."
CLAIM = "Payment is due within 30 days of receipt."
KEY = "sk-test-5f2c9d"


class Poster(Handler):
    """Remembers what was posted, in `server.posted`."""

    server: ModelServer
    asked: Any

    def do_POST(self) -> None:  # noqa: N802
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked = json.loads(body)
        self.server.posted.append(self.asked)
        self.do_GET()


class ModelServer(Server):
    def __init__(self, answers: Callable[[Poster], None]) -> None:
        super().__init__(answers)  # type: ignore[arg-type]
        self.RequestHandlerClass = Poster
        self.posted: list[Any] = []


def opinion(verdict: str = "supported", quote: str = QUOTE, *missing: str) -> str:
    return json.dumps({"quote": quote, "verdict": verdict, "missing": [*missing]})


def completion(content: Any, finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion", "choices": [choice], "usage": {}}


def reply(handler: Poster, said: Any, status: int = 200, kind: str = "application/json") -> None:
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    handler.say(status, body, Content_Type=kind)


def sound(content: str) -> Callable[[Poster], None]:
    """The same to every claim, and `unsupported` to the denial of one."""

    def answers(handler: Poster) -> None:
        denied = DENIAL in handler.asked["messages"][1]["content"]
        reply(handler, completion(opinion("unsupported", "", "not true") if denied else content))

    return answers


def saying(content: Any) -> Callable[[Poster], None]:
    """Always the same content."""
    return lambda handler: reply(handler, completion(content))


def pair(claim: str = CLAIM, source: SourceText = TERMS) -> ComparedPair:
    return ComparedPair(claim, source, judge(claim, source))


def client(server: Server, key: str = KEY, kept: Answers | None = None, **more: Any) -> OpenAIJudge:
    """A judge that asks this server, which it may."""
    given = {"base_url": f"{server.url}/v1", "model": "small", "timeout": 5.0, **more}
    settings = Settings("openai", key_env="A_JUDGE_KEY", **given)
    return OpenAIJudge(settings, Network(allow=(server.host,)), key, kept)

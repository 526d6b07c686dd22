"""A real server on 127.0.0.1 that answers POSTs as an OpenAI-compatible endpoint does, or should not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from servers import Handler, Server

from grounded_ingest.config.settings import JudgeSettings as Settings
from grounded_ingest.config.settings import Network
from grounded_ingest.judge.endpoint import EndpointJudge
from grounded_ingest.judge.exchange import ComparedPair
from grounded_ingest.references.response_cache import Answers
from grounded_ingest.references.sources import SourceText

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


def scripted(script: dict[str, str]) -> Callable[[Poster], None]:
    """Answers by the claim, to the letter; `unsupported` to every other one, denials included."""

    def answers(handler: Poster) -> None:
        asked = json.loads(handler.asked["messages"][1]["content"])["untrusted"]
        other = opinion("unsupported", "", "not in it")
        reply(handler, completion(script.get(asked["claim"], other)))

    return answers


def saying(content: Any) -> Callable[[Poster], None]:
    """Always the same content."""
    return lambda handler: reply(handler, completion(content))


def pair(claim: str = CLAIM, source: SourceText = TERMS) -> ComparedPair:
    return ComparedPair(claim, source)


def asked_of(server: ModelServer) -> list[str]:
    """Returns the claims that were asked about, in order of the alphabet."""
    bodies = (json.loads(p["messages"][1]["content"])["untrusted"] for p in server.posted)
    return sorted(body["claim"] for body in bodies)


def client(
    server: Server, key: str = KEY, kept: Answers | None = None, **more: Any
) -> EndpointJudge:
    """A judge that asks this server, which it may."""
    given = {"base_url": f"{server.url}/v1", "model": "small", "timeout": 5.0, **more}
    settings = Settings("openai", key_env="A_JUDGE_KEY", **given)
    return EndpointJudge(settings, Network(allow=(server.host,)), key, kept)

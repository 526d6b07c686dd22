"""A forge with a repository, and its API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from forgerepo import Forge


class Api(ThreadingHTTPServer):
    """Comments and uploads; `refuses` answers every request with that status."""

    daemon_threads = True
    refuses = 0

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.comments: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str]] = []
        self.uploads: list[dict[str, Any]] = []
        self.authorized: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Api

    def do_GET(self) -> None:
        api, path = self.server, self.path.partition("?")[0]
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        told = json.loads(body) if body else {}
        api.asked.append((self.command, path))
        api.authorized.add(self.headers.get("Authorization", ""))
        if api.refuses:
            return self.say(api.refuses, {"message": "Resource not accessible by integration"})
        match self.command, path.removeprefix("/repos/ada/notes").split("/")[1:]:
            case "GET", ["issues", "7", "comments"]:
                page = int(self.path.rpartition("page=")[2])
                return self.say(200, api.comments[(page - 1) * 100 : page * 100])
            case "POST", ["issues", "7", "comments"]:
                api.comments.append({"id": len(api.comments) + 1, "user": {"type": "Bot"}, **told})
                return self.say(201, api.comments[-1])
            case "PATCH", ["issues", "comments", number]:
                api.comments[int(number) - 1] |= told
                return self.say(200, {})
            case "POST", ["code-scanning", "sarifs"]:
                api.uploads.append(told)
                return self.say(202, {"id": "1"})
        return self.say(404, {})

    do_POST = do_PATCH = do_GET  # noqa: N815

    def say(self, status: int, told: Any) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    return Forge(tmp_path)


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()

"""A forge with a repository, and its API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from forgerepo import Forge
from servers import Handler, Server


class Api(Server):
    """Comments and uploads; `refuses` answers every request with that status."""

    refuses = 0

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.comments: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str]] = []
        self.uploads: list[dict[str, Any]] = []
        self.authorized: set[str] = set()

    def _answer(self, handler: Handler) -> None:
        command, path = handler.command, handler.path.partition("?")[0]
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        self.asked.append((command, path))
        self.authorized.add(handler.headers.get("Authorization", ""))
        status, said = self._act(command, handler.path, json.loads(body) if body else {})
        handler.say(status, json.dumps(said).encode())

    def _act(self, command: str, path: str, told: dict[str, Any]) -> tuple[int, Any]:
        if self.refuses:
            return self.refuses, {"message": "Resource not accessible by integration"}
        place, _, query = path.partition("?")
        match command, place.removeprefix("/repos/ada/notes").split("/")[1:]:
            case "GET", ["issues", "7", "comments"]:
                page = int(query.rpartition("page=")[2])
                return 200, self.comments[(page - 1) * 100 : page * 100]
            case "POST", ["issues", "7", "comments"]:
                comment = {"id": len(self.comments) + 1, "user": {"type": "Bot"}, **told}
                self.comments.append(comment)
                return 201, comment
            case "PATCH", ["issues", "comments", number]:
                self.comments[int(number) - 1] |= told
                return 200, {}
            case "POST", ["code-scanning", "sarifs"]:
                self.uploads.append(told)
                return 202, {"id": "1"}
        return 404, {}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Forge:
    return Forge(tmp_path_factory.mktemp("forge"))


@pytest.fixture
def forge(template: Forge, tmp_path: Path) -> Forge:
    return template.copy(tmp_path)


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        yield server

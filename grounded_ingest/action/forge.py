"""GitHub's API: the comment and the upload. What fails is said, never raised."""

from __future__ import annotations

import base64
import gzip
import json
import os
from typing import Any
from urllib.parse import urlsplit

from grounded_ingest.config.settings import Network
from grounded_ingest.net.messages import Ask, Response, Talk

MARK = "<!-- grounded-ingest: report -->"
PAGES = 30
"""Pages of 100 comments that are looked through for ours."""
_BUDGET_S = 60.0
_LIMIT = 8_000_000
_HEADERS = (
    ("Accept", "application/vnd.github+json"),
    ("X-GitHub-Api-Version", "2022-11-28"),
    ("Content-Type", "application/json"),
)
# Whose comment may be taken for ours: anyone can write our mark.
_TRUSTED = ("OWNER", "MEMBER", "COLLABORATOR")
_HINTS = {
    401: "the token is not valid",
    403: "the token may not do that (a fork's token only reads; permissions: docs/action.md)",
    404: "the token does not reach that",
}


class Forge:
    """The repository of a job at its API. Methods return why nothing came of it, or ``."""

    def __init__(self, api: str, repository: str, token: str) -> None:
        self._url = f"{api.rstrip('/')}/repos/{repository}"
        self._token = token

    @classmethod
    def of_environment(cls, token: str) -> Forge:
        api = os.environ.get("GITHUB_API_URL", "https://api.github.com")
        return cls(api, os.environ.get("GITHUB_REPOSITORY", ""), token)

    def comment(self, number: int, text: str) -> str:
        """Write or update the one comment of a pull request."""
        return self._run(self._comment(number, json.dumps({"body": f"{MARK}\n{text}"}).encode()))

    def upload(self, sarif: bytes, commit: str, ref: str) -> str:
        """Hand a SARIF file to code scanning."""
        packed = base64.b64encode(gzip.compress(sarif, mtime=0)).decode()
        body = {"commit_sha": commit, "ref": ref, "sarif": packed, "tool_name": "grounded-ingest"}
        return self._run(self._upload(json.dumps(body).encode()))

    def _run(self, talk: Talk[str]) -> str:
        from grounded_ingest.net.client import Web

        if not self._token:
            return "there is no token"
        host = urlsplit(self._url).netloc
        network = Network(timeout=30.0, allow=(host,))  # the runner names it: it may be at home
        return Web(network, _BUDGET_S).converse({"": talk})[""]

    def _ask(self, method: str, path: str, body: bytes = b"") -> Ask:
        url = f"{self._url}{path}"
        return Ask(method, url, _HEADERS, self._token, _LIMIT, follow=False, body=body)

    def _comment(self, number: int, body: bytes) -> Talk[str]:
        page, ours = 1, 0
        while not ours and page <= PAGES:
            answer = yield self._ask("GET", f"/issues/{number}/comments?per_page=100&page={page}")
            if answer.status != 200:
                return _why(answer)
            found = _rows(answer)
            ours = next((c["id"] for c in found if _is_ours(c)), 0)
            page = page + 1 if len(found) == 100 else PAGES + 1
        if ours:
            answer = yield self._ask("PATCH", f"/issues/comments/{ours}", body)
        else:
            answer = yield self._ask("POST", f"/issues/{number}/comments", body)
        return "" if answer.status in (200, 201) else _why(answer)

    def _upload(self, body: bytes) -> Talk[str]:
        answer = yield self._ask("POST", "/code-scanning/sarifs", body)
        return "" if answer.status in (200, 202) else _why(answer)


def _rows(answer: Response) -> list[dict[str, Any]]:
    try:
        told = json.loads(answer.body)
    except ValueError:
        return []
    return [c for c in told if isinstance(c, dict)] if isinstance(told, list) else []


def _is_ours(comment: dict[str, Any]) -> bool:
    user = comment.get("user") or {}
    trusted = user.get("type") == "Bot" or comment.get("author_association") in _TRUSTED
    marked = str(comment.get("body", "")).startswith(MARK)
    return trusted and marked and isinstance(comment.get("id"), int)


def _why(answer: Response) -> str:
    hint = _HINTS.get(answer.status, "") if answer.failure is None else ""
    return f"{answer.reason}: {hint}" if hint else answer.reason

"""A page server on this machine: pages that are there, pages that are gone, issues of any topic."""

from __future__ import annotations

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from msgspec.structs import replace

from grounded_ingest.config.settings import Config, TrackerSettings

REPOSITORY = "bench/courier"
_TITLES = (
    "Fix a typo in the contributing guide",
    "Bump the linter in CI",
    "Add a logo to the front page",
    "Translate the welcome message",
)


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        issue = re.fullmatch(rf"/api/v3/repos/{REPOSITORY}/issues/(\d+)", self.path)
        body = json.dumps(_issue(int(issue[1]))).encode() if issue else b""
        self.send_response(404 if self.path.startswith("/gone/") else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


def _issue(number: int) -> dict[str, object]:
    title = _TITLES[number % len(_TITLES)]
    return {"number": number, "title": title, "state": "closed", "author_association": "MEMBER"}


class Pages:
    """The server while its `with` lasts; `url` is its base."""

    def __enter__(self) -> Pages:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http://{self.host}"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def known_to(self, config: Config) -> Config:
        """A configuration that may ask this server, and has its issues here."""
        network = replace(
            config.network, allow=(*config.network.allow, self.host), timeout=2.0, budget=5.0
        )
        tracker = TrackerSettings("github", self.url, REPOSITORY, "GROUNDED_INGEST_BENCH_TOKEN")
        return replace(config, network=network, tracker=tracker)

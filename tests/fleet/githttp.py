"""A forge on 127.0.0.1 that serves repositories by `git http-backend` to those who have the token."""

from __future__ import annotations

import os
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

TOKEN = "ghs_reads-the-organisation"


@contextmanager
def git_forge(root: Path) -> Iterator[str]:
    """The address of a server of the repositories below a directory."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.root = root  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        expected = b64encode(f"x-access-token:{TOKEN}".encode()).decode()
        if self.headers.get("Authorization") != f"Basic {expected}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="forge"')
            self.end_headers()
            return
        head, _, body = self._asked().partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815

    def _asked(self) -> bytes:
        path, _, query = self.path.partition("?")
        told = {
            "GIT_PROJECT_ROOT": str(self.server.root),  # type: ignore[attr-defined]
            "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path, "QUERY_STRING": query,
            "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "PATH": os.environ["PATH"],
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "uploadpack.allowFilter",
            "GIT_CONFIG_VALUE_0": "true",
        }  # fmt: skip
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        done = subprocess.run(["git", "http-backend"], env=told, input=body, capture_output=True)
        return done.stdout

    def log_message(self, *_: Any) -> None:
        pass

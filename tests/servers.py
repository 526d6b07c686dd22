"""Real servers on 127.0.0.1, for tests: one that lies, and two that answer like issue trackers."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

# Made for these tests, for the host `pinned.test`, valid from 2020 to 2120; protects nothing.
TLS_KEY = """\
-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIPWNprcf6FRFrT2fApBIW7/u48FgA9XGKCpuI1L176U6oAoGCCqGSM49
AwEHoUQDQgAECYXDXUpFw1JwP4fAURfIMZoUYGmH8znIheITkehlMVzBSkiVYk1/
mW/SWSb5bWcYyl1/DuCJKQ18K5Hx2TQr2w==
-----END EC PRIVATE KEY-----
"""
TLS_CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtwaW5uZWQu
dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLcGlubmVkLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJhcNdSkXD
UnA/h8BRF8gxmhRgaYfzOciF4hOR6GUxXMFKSJViTX+Zb9JZJvltZxjKXX8O4Ikp
DXwrkfHZNCvbo0owSDAWBgNVHREEDzANggtwaW5uZWQudGVzdDAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBTPnAiqbr49h9TDMlvkpbFaYsQavTAKBggqhkjOPQQD
AgNIADBFAiBbMO8+o4lP74YjZXIzvuMv6uNJ4O6JikOlOiHsL9h5/gIhAORIkLjL
fViPsfMN3dLM5upLxp2gCGhsqH+2PtIQs3n+
-----END CERTIFICATE-----
"""


class Seen(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]


class Handler(BaseHTTPRequestHandler):
    """Answers by `server.answers`; remembers what it was asked."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server
    counted: Server._Counting

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.counted = self.server.counting()
        self.counted.enter()
        self.server.seen.append(Seen(self.command, self.path, headers))
        try:
            self.server.answers(self)
        except OSError:
            self.close_connection = True
        finally:
            self.counted.leave()

    do_HEAD = do_POST = do_PATCH = do_GET  # noqa: N815

    def say(self, status: int, body: bytes = b"", **headers: str) -> None:
        """One whole answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.counted.leave()  # whoever has the answer may ask again before this thread goes on
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def times(self) -> int:
        """How often this path was asked with this method, this time included."""
        return sum(s[:2] == (self.command, self.path) for s in self.server.seen)

    def log_message(self, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A server while its `with` lasts. `busiest` is the highest number of requests at once."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, answers: Callable[[Handler], None], tls_directory: Any = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.seen: list[Seen] = []
        self.stopping = Event()
        self.busiest = self._busy = 0
        self._lock = Lock()
        self.port = self.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        if tls_directory is not None:
            self._speak_tls(tls_directory)

    def _speak_tls(self, directory: Any) -> None:
        pem = directory / "server.pem"
        pem.write_text(TLS_KEY + TLS_CERTIFICATE)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )

    def counting(self) -> Server._Counting:
        return Server._Counting(self)

    class _Counting:
        def __init__(self, server: Server) -> None:
            self.server, self._inside = server, False

        def enter(self) -> None:
            with self.server._lock:
                self._inside = True
                self.server._busy += 1
                self.server.busiest = max(self.server.busiest, self.server._busy)

        def leave(self) -> None:
            with self.server._lock:
                self.server._busy -= self._inside
                self._inside = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass

    def __enter__(self) -> Server:
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.shutdown()
        self.server_close()


def liar(handler: Handler) -> None:
    """`/head/404/200`: HEAD gets 404, GET 200. `/then/404/200`: the second GET gets 200."""
    head = handler.command == "HEAD"
    match handler.path.strip("/").split("/"):
        case ["ok"]:
            handler.say(200, b"fine", Set_Cookie="a=b")
        case ["head", first, second]:
            handler.say(int(first if head else second))
        case ["then", first, second]:
            handler.say(405 if head else int(first if handler.times() == 1 else second))
        case ["status", status]:
            handler.say(int(status))
        case ["wait", seconds]:
            again = handler.times() > 1
            handler.say(200) if again else handler.say(429, Retry_After=seconds)
        case ["always-wait", seconds]:
            handler.say(429, Retry_After=seconds)
        case ["slow"]:
            time.sleep(0.1)
            handler.say(200)
        case ["hops", count]:
            handler.say(302, Location=f"/hops/{int(count) - 1}") if count != "0" else handler.say(
                200
            )
        case ["loop"]:
            handler.say(301, Location="/loop")
        case ["no-location"]:
            handler.say(302)
        case ["to", *target]:
            handler.say(302, Location=bytes.fromhex(target[0]).decode())
        case ["head-drops"]:
            handler.say(405 if head else 200)
            handler.close_connection = True
        case ["reset"]:
            handler.close_connection = True
        case ["nonsense"]:
            handler.wfile.write(b"\x00\xff not http at all\r\n\r\n")
            handler.close_connection = True
        case ["head-hangs"]:
            handler.server.stopping.wait(5) if head else handler.say(200)
        case ["silent"]:
            handler.server.stopping.wait(5)
            handler.close_connection = True
        case ["drip"]:
            _drip(handler, b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 10_000, 0.02)
        case ["endless"]:
            _endless(handler)
        case _:
            handler.say(404)


def _drip(handler: Handler, text: bytes, pause: float) -> None:
    handler.close_connection = True
    for byte in text:
        if handler.server.stopping.wait(pause):
            return
        handler.wfile.write(bytes([byte]))


def _endless(handler: Handler) -> None:
    handler.close_connection = True
    if handler.command == "HEAD":
        handler.say(405)
        return
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.stopping.is_set():
        handler.wfile.write(b"x" * 65_536)


def to(target: str) -> str:
    """The path at which the liar redirects to `target`."""
    return f"/to/{target.encode().hex()}"


Reply = tuple[int, Any] | tuple[int, Any, dict[str, str]]


def tracker(replies: dict[str, Reply], token: str = "") -> Callable[[Handler], None]:
    """Answers GETs of these paths with JSON, where `token` is sent (or none is wanted); others
    get 404, which is what both services say of what one may not see."""

    def answers(handler: Handler) -> None:
        allowed = not token or handler.headers["Authorization"] == f"Bearer {token}"
        status, said, *more = replies.get(handler.path, (404, {"message": "Not Found"}))
        if not allowed:
            status, said, more = 404, {"message": "Not Found"}, []
        body = said if isinstance(said, bytes) else json.dumps(said).encode()
        headers = {
            name.replace("-", "_"): value for name, value in (more[0] if more else {}).items()
        }
        handler.say(status, body, Content_Type="application/json", **headers)

    return answers

"""Runs conversations with servers concurrently and within limits. Only checked addresses are
contacted, over connections that are reused.

This module imports asyncio and httpx, so it is imported only in runs that contact a server."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import lru_cache
from threading import Thread
from typing import TypeVar

import httpcore
import httpx
from msgspec.structs import replace

from grounded_ingest.config.settings import Network
from grounded_ingest.net.addresses import CANARY, Resolver, find_domain, names_host, refusal
from grounded_ingest.net.messages import LOST, UNSENT, Ask, Failure, Response, Talk

MAX_REDIRECTS = 10
MAX_AT_ONCE = 64
BEGUN_TOGETHER = 16
"""Number of conversations that are started before the event loop runs. Without this limit, the
first conversation would wait until the URLs of all other conversations are parsed."""
USER_AGENT = "grounded-ingest"
ENOUGH = 8
"""Number of failed requests after which no other request is sent, if every host that was asked
failed. Without a network, 181 URLs would wait for 181 timeouts."""

T = TypeVar("T")


def drive(
    network: Network, deadline: float, resolver: Resolver, talks: Mapping[str, Talk[T]]
) -> dict[str, T]:
    """Runs conversations (see `messages.py`) in an event loop and returns their results by key.
    `deadline` is a `time.monotonic` value in seconds."""

    async def all_of_them() -> dict[str, T]:
        run = _Run(network, deadline, resolver)
        async with run.connections:
            begun = []
            for talk in talks.values():
                begun.append(asyncio.create_task(run.talk(talk)))
                if len(begun) % BEGUN_TOGETHER == 0:
                    await asyncio.sleep(0)
            ends = await asyncio.gather(*begun)
        return dict(zip(talks, ends, strict=True))

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(all_of_them())
    with ThreadPoolExecutor(1) as elsewhere:  # the caller already runs in an event loop
        return elsewhere.submit(asyncio.run, all_of_them()).result()


class _Run:
    """The state of one event loop: its connections, its limits, and the times at which hosts may be
    contacted again."""

    def __init__(self, network: Network, deadline: float, resolver: Resolver) -> None:
        self.network, self.deadline = network, deadline
        self.connections = Connections(Directory(network, resolver), _trust)
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._all = asyncio.Semaphore(MAX_AT_ONCE)
        self._quiet_until: dict[str, float] = {}
        self._asked: dict[Ask, asyncio.Task[Response]] = {}
        self._lost: dict[str, int] = {}
        self._reached = False

    async def talk(self, talk: Talk[T]) -> T:
        try:
            ask = next(talk)
            while True:
                ask = talk.send(await self._answer(ask))
        except StopIteration as stop:
            result: T = stop.value
            return result

    async def _answer(self, ask: Ask) -> Response:
        if ask.body or not ask.limit:
            return await self._in_budget(ask)
        if ask not in self._asked:
            self._asked[ask] = asyncio.create_task(self._in_budget(ask))
        return await self._asked[ask]

    async def _in_budget(self, ask: Ask) -> Response:
        try:
            async with asyncio.timeout_at(self.deadline):
                if ask.after:
                    await asyncio.sleep(ask.after)
                answer = await self._follow(ask)
                if self._note_wait(answer) and not ask.body:
                    answer = await self._follow(ask)
                    self._note_wait(answer)
                return answer
        except TimeoutError:
            return Response(failure=Failure.BUDGET)
        except Unanswered as unanswered:
            return unanswered.answer

    def _note_wait(self, answer: Response) -> bool:
        """Stores how long a host asks not to be contacted. Returns whether the same request can be
        sent again after the pause, within the time limit."""
        wait = answer.wait
        if wait is None:
            return False
        host = _parse_url(answer.trail[-1])[1]
        self._quiet_until[host] = time.monotonic() + wait
        return self._quiet_until[host] < self.deadline

    async def _follow(self, ask: Ask) -> Response:
        trail: list[str] = []
        while len(trail) <= MAX_REDIRECTS:
            answer = await self._hop(ask)
            trail.append(ask.url)
            target = answer.headers.get("location", "")
            if not (ask.follow and target and answer.status in (301, 302, 303, 307, 308)):
                return replace(answer, trail=tuple(trail))
            ask = _follow_redirect(ask, target)
        return Response(failure=Failure.REDIRECTS, trail=tuple(trail))

    async def _hop(self, ask: Ask) -> Response:
        url, host, port = _parse_url(ask.url)
        deny = self.network.deny
        if names_host(host, port, deny) or find_domain(host, deny):
            return Response(failure=Failure.DENIED)
        slot = self._slots.setdefault(host, asyncio.Semaphore(self.network.per_host))
        async with slot:
            quiet = self._quiet_until.get(host, 0.0) - time.monotonic()
            if quiet > self.deadline - time.monotonic():
                return Response(failure=Failure.ASKED_TO_WAIT)
            if quiet > 0.0:
                await asyncio.sleep(quiet)
            async with self._all:
                if self._has_no_network(host) and not ask.body:
                    return Response(failure=Failure.NO_NETWORK)
                secret = url.scheme == "https" or names_host(host, port, self.network.allow)
                self._lost.setdefault(host, 0)
                answer = await self._attempt(ask, url, secret)
                if answer.failure in UNSENT:
                    self._lost.pop(host, None)
                elif answer.failure in LOST:
                    self._lost[host] = self._lost.get(host, 0) + 1
                else:
                    self._reached = True
                return answer

    def _has_no_network(self, host: str) -> bool:
        """Returns whether ENOUGH requests have failed and no host has answered. Returns false for
        the second request to `host`, which may answer a GET although it did not answer a HEAD."""
        lost = self._lost
        failed = sum(lost.values()) >= ENOUGH and all(lost.values())
        return failed and not self._reached and lost.get(host, ENOUGH) > 1

    async def _attempt(self, ask: Ask, url: httpx.URL, secret: bool) -> Response:
        request = _request(ask, url, secret)
        # The deciding GET uses a new connection, because servers may close one after a HEAD.
        fresh = not ask.limit and ask.method != "HEAD"
        try:
            async with asyncio.timeout(self.network.timeout):
                return await _exchange(self.connections, request, ask.limit, fresh)
        except (TimeoutError, httpcore.TimeoutException):
            return Response(failure=Failure.TIMEOUT)
        except Unanswered as unanswered:
            return unanswered.answer
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
            return Response(failure=Failure.TLS if _is_tls(error) else Failure.UNREACHABLE)


def _parse_url(text: str) -> tuple[httpx.URL, str, int]:
    """Returns the URL, the host and the port. Raises Unanswered if the URL must not be
    requested."""
    try:
        url = httpx.URL(text)
        host = url.raw_host.decode("ascii").lower().rstrip(".")
    except (httpx.InvalidURL, ValueError):
        raise Unanswered(Failure.INVALID) from None
    if url.scheme not in ("http", "https") or not host:
        raise Unanswered(Failure.INVALID, "only http and https URLs are requested")
    if url.userinfo:
        raise Unanswered(Failure.INVALID, "the URL contains credentials")
    port = (443 if url.scheme == "https" else 80) if url.port is None else url.port
    if not 0 < port < 65_536:
        raise Unanswered(Failure.INVALID, "port")
    return url, host, port


def _follow_redirect(ask: Ask, target: str) -> Ask:
    url, *origin = _parse_url(ask.url)
    try:
        joined = str(url.join(target))
    except (httpx.InvalidURL, ValueError):
        raise Unanswered(Failure.INVALID, "redirect") from None
    new, *new_origin = _parse_url(joined)
    same = new_origin == origin and new.scheme == url.scheme
    return replace(ask, url=joined, secret=ask.secret if same else "")


def _request(ask: Ask, url: httpx.URL, secret: bool) -> httpcore.Request:
    # `identity`: an uncompressed body cannot grow beyond its limit.
    headers = [("Host", url.netloc.decode("ascii")), ("User-Agent", USER_AGENT)]
    headers += [("Accept-Encoding", "identity"), *(ask.headers or (("Accept", "*/*"),))]
    if ask.secret and secret:
        headers.append(("Authorization", f"Bearer {ask.secret}"))
    if ask.body:
        headers.append(("Content-Length", str(len(ask.body))))
    target = httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )
    return httpcore.Request(ask.method, target, headers=headers, content=ask.body or None)


async def _exchange(
    connections: Connections, request: httpcore.Request, limit: int, fresh: bool
) -> Response:
    body = bytearray()
    async with connections.to(request.url.origin, fresh=fresh) as connection:
        response = await connection.handle_async_request(request)
        try:
            if limit or request.method == b"HEAD":  # a fully read connection can be reused
                async for part in response.aiter_stream():
                    body += part
                    if len(body) >= limit:
                        break
        finally:
            await response.aclose()
    headers = {k.decode().lower(): v.decode(errors="replace") for k, v in response.headers}
    return Response(status=response.status, headers=headers, body=bytes(body[:limit]))


def _is_tls(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _trust() -> ssl.SSLContext:
    return _authorities(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(maxsize=4)
def _authorities(*_: str | None) -> ssl.SSLContext:
    """Returns the trusted certificate authorities. The result is cached, because reading the
    authorities takes longer than a request. The arguments are the environment's paths to the
    authorities."""
    trust = httpx.create_ssl_context(trust_env=False)
    trust.load_default_certs()  # adds an organisation's own authority to the public ones
    trust.set_alpn_protocols(["http/1.1"])
    return trust


# Connections
#
# This pool replaces httpcore's own pool, which scans all connections for every request: 500
# requests, 64 at a time, took 4 s of processor time. This pool uses httpcore's connections and
# streams, and takes the connection that became idle last.

PoolKey = tuple[bytes, bytes, int]
PooledConnection = httpcore.AsyncHTTP11Connection

KEEP = 64
KEEP_S = 5.0


class Unanswered(Exception):  # noqa: N818 - carries a Response and is not an error
    """Carries the failure of a request that was not sent. The failure is in `answer`."""

    def __init__(self, failure: Failure, detail: str = "") -> None:
        super().__init__(failure)
        self.answer = Response(failure=failure, detail=detail)


class Directory:
    """Looks up the IP addresses of hosts and checks that they may be contacted, for one event
    loop."""

    def __init__(self, network: Network, resolver: Resolver) -> None:
        self.network = network
        self.resolver = resolver
        self._canary: asyncio.Task[bool] | None = None
        self._known: dict[tuple[str, int], asyncio.Task[list[str]]] = {}

    async def addresses(self, host: str, port: int) -> list[str]:
        """Returns the checked addresses of a host, IPv4 first. Connections are made only to these
        addresses.

        Caches a successful lookup, and repeats a failed one. Raises Unanswered if the lookup fails
        or an address is refused."""
        key = (host, port)
        if key not in self._known:
            self._known[key] = asyncio.create_task(self._checked(host, port))
            self._known[key].add_done_callback(lambda task: self._forget(key, task))
        return await asyncio.shield(self._known[key])

    def _forget(self, key: tuple[str, int], task: asyncio.Task[list[str]]) -> None:
        if task.cancelled() or task.exception():
            del self._known[key]

    async def _checked(self, host: str, port: int) -> list[str]:
        found = await self._resolved(host, port)
        if not names_host(host.lower().rstrip("."), port, self.network.allow):
            for address in found:
                if why := refusal(address):
                    raise Unanswered(Failure.REFUSED_ADDRESS, why)
        return sorted(found, key=lambda address: ":" in address)[:4]

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        try:
            return await _in_daemon(self.resolver, host, port)
        except socket.gaierror as error:
            if error.errno != socket.EAI_NONAME:
                raise Unanswered(Failure.NO_LOOKUP) from None
        except UnicodeError:
            raise Unanswered(Failure.INVALID) from None
        if self._canary is None:
            self._canary = asyncio.create_task(self._knows_names())
        known = await asyncio.shield(self._canary)
        raise Unanswered(Failure.NO_SUCH_NAME if known else Failure.NO_LOOKUP)

    async def _knows_names(self) -> bool:
        """Returns whether the resolver knows a name that always exists. Offline or behind a proxy,
        a resolver may deny all names."""
        try:
            return bool(await _in_daemon(self.resolver, CANARY, 443))
        except OSError:
            return False


async def _in_daemon(resolver: Resolver, host: str, port: int) -> Sequence[str]:
    """Looks up a name in a daemon thread, because a resolver may block for minutes."""
    answer: Future[Sequence[str]] = Future()
    answer.set_running_or_notify_cancel()  # the thread goes on if nobody waits for it any more

    def look() -> None:
        try:
            answer.set_result(resolver(host, port))
        except (OSError, UnicodeError) as error:
            answer.set_exception(error)

    Thread(target=look, daemon=True).start()
    return await asyncio.wrap_future(answer)


class Connections:
    """The connections of one event loop, which are closed at the end of `async with`.

    Addresses are checked when a socket is opened, so that no second lookup can change the address
    (DNS rebinding). A reused connection was checked when it was opened. TLS verifies the host name.
    """

    def __init__(self, directory: Directory, trust: Callable[[], ssl.SSLContext]) -> None:
        self._directory = directory
        self._trust = trust
        self._idle: dict[PoolKey, deque[PooledConnection]] = {}
        self._by_age: dict[PooledConnection, PoolKey] = {}

    async def __aenter__(self) -> Connections:
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._by_age:
            await self._drop_oldest()

    @asynccontextmanager
    async def to(self, origin: httpcore.Origin, *, fresh: bool) -> AsyncIterator[PooledConnection]:
        """Yields a connection for one request and response. If `fresh` is true, a new connection is
        opened."""
        key = (origin.scheme, origin.host, origin.port)
        connection = None if fresh else await self._waiting(key)
        connection = connection or await self._made(origin)
        try:
            yield connection
        finally:
            if not connection.is_idle():
                await connection.aclose()
            else:
                self._idle.setdefault(key, deque()).append(connection)
                self._by_age[connection] = key
                if len(self._by_age) > KEEP:
                    await self._drop_oldest()

    async def _waiting(self, key: PoolKey) -> PooledConnection | None:
        waiting = self._idle.get(key)
        while waiting:
            connection = waiting.pop()
            del self._by_age[connection]
            if not connection.has_expired():
                return connection
            await connection.aclose()
        return None

    async def _drop_oldest(self) -> None:
        connection = next(iter(self._by_age))
        self._idle[self._by_age.pop(connection)].popleft()
        await connection.aclose()

    async def _made(self, origin: httpcore.Origin) -> PooledConnection:
        host = origin.host.decode("ascii")
        stream = await self._dialled(host, origin.port)
        if origin.scheme == b"https":
            try:
                stream = await stream.start_tls(self._trust(), host)
            except httpcore.ConnectError as error:
                raise ssl.SSLError(str(error)) from error
        return PooledConnection(origin, stream, KEEP_S)

    async def _dialled(self, host: str, port: int) -> httpcore.AsyncNetworkStream:
        failed: Exception = httpcore.ConnectError("no address")
        addresses = await self._directory.addresses(host, port)
        patience = self._directory.network.timeout / max(1, len(addresses))
        for address in addresses:
            try:
                return await httpcore.AnyIOBackend().connect_tcp(address, port, timeout=patience)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

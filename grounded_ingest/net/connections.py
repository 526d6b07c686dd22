"""Opens connections to checked addresses and reuses them. Imports asyncio and httpcore.

This pool replaces httpcore's own pool, which scans all connections for every request: 500 requests,
64 at a time, took 4 s of processor time. This pool uses httpcore's connections and streams, and
takes the connection that became idle last."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from threading import Thread

import httpcore

from grounded_ingest.config.settings import Network
from grounded_ingest.net.addresses import CANARY, Resolver, names_host, refusal
from grounded_ingest.net.messages import Failure, Response

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

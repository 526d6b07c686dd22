"""Makes connections to checked addresses and uses them again. Imports asyncio and httpcore.

httpcore's own pool looks at every connection for every request, and its locks and streams ask anew
which event loop they run in: 500 requests at 64 at a time took 4 s of processor time. This pool
speaks HTTP with httpcore's connections and takes the one that became idle last.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpcore

from grounded_ingest.net.addresses import Directory

PoolKey = tuple[bytes, bytes, int]
PooledConnection = httpcore.AsyncHTTP11Connection

KEEP = 64
KEEP_S = 5.0
_MOST_UNREAD = 262_144


class Connections:
    """The connections of one event loop; closed at the end of `async with`.

    Addresses are checked where sockets are made, so that no second lookup can come between
    (rebinding). A connection that is used again was checked when it was made. TLS verifies the
    name.
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
        """Returns a connection for one exchange. `fresh` asks for a new one."""
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
        wire = await self._dialled(host, origin.port)
        if origin.scheme == b"https":
            await _start_tls(wire, self._trust(), host)
        return PooledConnection(origin, Stream(wire), KEEP_S)

    async def _dialled(self, host: str, port: int) -> Wire:
        failed: Exception = httpcore.ConnectError("no address")
        addresses = await self._directory.addresses(host, port)
        patience = self._directory.network.timeout / max(1, len(addresses))
        loop = asyncio.get_running_loop()
        for address in addresses:
            try:
                async with asyncio.timeout(patience):
                    return (await loop.create_connection(Wire, address, port))[1]
            except TimeoutError as error:
                failed = httpcore.ConnectTimeout(str(error))
            except OSError as error:
                failed = error
        raise failed


async def _start_tls(wire: Wire, trust: ssl.SSLContext, host: str) -> None:
    """Speaks TLS on a wire from now on. Raises ssl.SSLError."""
    loop = asyncio.get_running_loop()
    try:
        secure = await loop.start_tls(wire.transport, wire, trust, server_hostname=host)
    except ssl.SSLError:
        raise
    except OSError as error:  # the other side hangs up on our greeting
        raise ssl.SSLError(str(error)) from error
    assert secure is not None
    wire.transport = secure


class Wire(asyncio.Protocol):
    """The bytes of a socket that nobody has read yet."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.unread = bytearray()
        self.ended = False
        self.error: Exception | None = None
        self._reader: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.unread += data
        if len(self.unread) >= _MOST_UNREAD:
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self.ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended, self.error = True, exc
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def read(self, most: int) -> bytes:
        """Returns the next bytes, nothing at the end. Raises the error that ended the
        connection."""
        if not self.unread and not self.ended:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        if self.error is not None and not self.unread:
            raise self.error
        came = bytes(self.unread[:most])
        del self.unread[:most]
        if not self.ended and len(self.unread) < _MOST_UNREAD:
            self.transport.resume_reading()
        return came


class Stream(httpcore.AsyncNetworkStream):
    """A wire as httpcore's connections want it; their caller bounds the time."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        try:
            return await self._wire.read(max_bytes)
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        if self._wire.ended:
            raise httpcore.WriteError("closed")
        self._wire.transport.write(buffer)

    async def aclose(self) -> None:
        self._wire.transport.abort()

    def get_extra_info(self, info: str) -> Any:
        """Returns whether the server has ended the connection: anything to read between two answers
        is its end."""
        return bool(self._wire.unread) or self._wire.ended if info == "is_readable" else None

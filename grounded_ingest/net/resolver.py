"""Names looked up, addresses checked: what lies under `connections`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from grounded_ingest.net.address_policy import names_host, refusal
from grounded_ingest.net.messages import Failure, Response

if TYPE_CHECKING:
    import asyncio

    from grounded_ingest.config.settings import Network

# RFC 2606 keeps this name alive: a resolver that does not know it knows no name of the Internet.
CANARY = "example.com"

Resolver = Callable[[str, int], Sequence[str]]


def look_up(host: str, port: int) -> list[str]:
    """The IP addresses of a name. Raises socket.gaierror."""
    import socket

    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Unanswered(Exception):  # noqa: N818 - no error, but an Answer on its way
    def __init__(self, failure: Failure, detail: str = "") -> None:
        super().__init__(failure)
        self.answer = Response(failure=failure, detail=detail)


class Directory:
    """Checked addresses of hosts, for one event loop."""

    def __init__(self, network: Network, resolver: Resolver) -> None:
        self.network = network
        self.resolver = resolver
        self._canary: asyncio.Task[bool] | None = None
        self._known: dict[tuple[str, int], asyncio.Task[list[str]]] = {}

    async def addresses(self, host: str, port: int) -> list[str]:
        """The checked addresses of a host, IPv4 first; connections are made to these alone.

        A name is looked up once, and again after it failed. Raises Unanswered.
        """
        import asyncio

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
        import asyncio
        import socket

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
        """Offline, or behind a proxy, some resolvers deny every name there is."""
        try:
            return bool(await _in_daemon(self.resolver, CANARY, 443))
        except OSError:
            return False


async def _in_daemon(resolver: Resolver, host: str, port: int) -> Sequence[str]:
    """Looks a name up in a thread that nobody waits for: a resolver may hang for minutes."""
    import asyncio
    from contextlib import suppress
    from threading import Thread

    loop = asyncio.get_running_loop()
    future: asyncio.Future[Sequence[str]] = loop.create_future()

    def settle(found: Sequence[str], error: Exception | None) -> None:
        if not future.done():
            future.set_exception(error) if error else future.set_result(found)

    def look() -> None:
        found: Sequence[str] = ()
        failed: Exception | None = None
        try:
            found = resolver(host, port)
        except (OSError, UnicodeError) as error:
            failed = error
        with suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            loop.call_soon_threadsafe(settle, found, failed)

    Thread(target=look, daemon=True).start()
    return await future

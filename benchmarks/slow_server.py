"""A server on the loopback address that answers every request after a while.

`python -m benchmarks.slow_server SECONDS` prints its port and ends when its input does. `/asked`
answers at once with the number of requests so far.
"""

from __future__ import annotations

import asyncio
import sys

_LINES = ("HTTP/1.1 200 OK", "Content-Type: text/plain", "Content-Length: {}", "", "")


class Slow:
    def __init__(self, delay: float) -> None:
        self.delay, self.asked = delay, 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept open as long as the client asks."""
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                await self._answer(request, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        method, path, _ = request.split(b" ", 2)
        body = str(self.asked).encode()
        if path != b"/asked":
            self.asked += 1
            body = b"found\n"
            await asyncio.sleep(self.delay)
        head = "\r\n".join(_LINES).format(len(body)).encode()
        writer.write(head if method == b"HEAD" else head + body)
        await writer.drain()


async def serve(delay: float) -> None:
    server = await asyncio.start_server(Slow(delay).talk, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))

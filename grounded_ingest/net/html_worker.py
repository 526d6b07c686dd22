"""Parses HTML in a process of its own: a page may crash its parser or keep it busy for minutes.

The parent sends each page as a line of JSON and its bytes, and reads a line of JSON back.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

PAGE_S = 2.0
"""Seconds a page may keep the parser."""

TOTAL_S = 10.0
"""Seconds from which on no further page is begun."""

MEMORY = 1 << 30
_START = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from grounded_ingest.net.html_worker import serve; serve()"
)
_STARTING_S = 5.0


class HtmlPage(NamedTuple):
    """A page and the anchors that are wanted of it; an empty anchor means all of it."""

    text: str
    anchors: tuple[str, ...]


class HtmlReading(Struct, frozen=True):
    """The text of a page. `parts` are the texts of its anchors, in order."""

    title: str
    parts: tuple[str, ...]


class _Header(Struct, frozen=True):
    size: int
    anchors: tuple[str, ...]


def read_html_pages(pages: Sequence[HtmlPage], total_s: float = TOTAL_S) -> list[HtmlReading | str]:
    """Returns the text of each page, or why it could not be read."""
    found: list[HtmlReading | str] = []
    stop = time.monotonic() + total_s
    while len(found) < len(pages):
        if time.monotonic() >= stop:
            return found + ["time for reading spent"] * (len(pages) - len(found))
        read = _run(pages[len(found) :], stop - time.monotonic())
        found += read
        if len(found) < len(pages) and time.monotonic() < stop:
            found.append("its HTML could not be read")
    return found


def _run(pages: Sequence[HtmlPage], rest_s: float) -> list[HtmlReading]:
    """Returns what one process reads; fewer than all if a page ends it."""
    sent = bytearray()
    for page in pages:
        body = page.text.encode("utf-8", "replace")
        sent += msgspec.json.encode(_Header(len(body), page.anchors)) + b"\n" + body
    command = [sys.executable, "-P", "-c", _START, *filter(None, sys.path)]
    try:
        done = subprocess.run(
            command,
            input=bytes(sent),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=rest_s + _STARTING_S,
            check=False,
        )
        output = done.stdout
    except subprocess.TimeoutExpired as expired:
        output = expired.output or b""
    except OSError:
        return []
    found = []
    for line in output.split(b"\n")[: len(pages)]:
        try:
            found.append(msgspec.json.decode(line, type=HtmlReading))
        except msgspec.DecodeError:
            break
    return found


def serve() -> None:
    """Runs in the child: reads pages from the input until it ends."""
    import faulthandler
    import os

    from grounded_ingest.net.html_text import read_html

    _bound()
    give, take = sys.stdout.buffer, sys.stdin.buffer
    with open(os.devnull, "w") as nowhere:
        while line := take.readline():
            header = msgspec.json.decode(line, type=_Header)
            html = take.read(header.size).decode()
            # A watch that needs no lock of the interpreter, so that it also ends a parser in C.
            faulthandler.dump_traceback_later(PAGE_S, exit=True, file=nowhere)
            title, sections = read_html(html, header.anchors)
            faulthandler.cancel_dump_traceback_later()
            parts = tuple(s.text for s in sections)
            give.write(msgspec.json.encode(HtmlReading(title, parts)) + b"\n")
            give.flush()


def _bound() -> None:
    """Bounds memory and leaves no core behind, where the system can."""
    from contextlib import suppress

    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

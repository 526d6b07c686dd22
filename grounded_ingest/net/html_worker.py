"""Parses HTML in a separate process, because a page may crash the parser or block it for minutes.

The parent process sends each page as a line of JSON, followed by the page's bytes. The child
process writes one line of JSON for each page.
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
"""Maximum time in seconds for parsing one page."""

TOTAL_S = 10.0
"""Maximum time in seconds for all pages. No further page is started after this time."""

MEMORY = 1 << 30
_START = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from grounded_ingest.net.html_worker import serve; serve()"
)
_STARTING_S = 5.0


class HtmlPage(NamedTuple):
    """A page to parse and the anchors of the wanted sections. An empty anchor means the whole
    page."""

    text: str
    anchors: tuple[str, ...]


class HtmlReading(Struct, frozen=True):
    """The parsed text of a page. `parts` has the text of each wanted section, in order."""

    title: str
    parts: tuple[str, ...]


class _Header(Struct, frozen=True):
    size: int
    anchors: tuple[str, ...]


def read_html_pages(pages: Sequence[HtmlPage], total_s: float = TOTAL_S) -> list[HtmlReading | str]:
    """Returns the text of each page, or the reason as a string if the page could not be read."""
    found: list[HtmlReading | str] = []
    stop = time.monotonic() + total_s
    while len(found) < len(pages):
        if time.monotonic() >= stop:
            return found + ["the time limit for parsing HTML was reached"] * (
                len(pages) - len(found)
            )
        read = _run(pages[len(found) :], stop - time.monotonic())
        found += read
        if len(found) < len(pages) and time.monotonic() < stop:
            found.append("the page's HTML could not be parsed")
    return found


def _run(pages: Sequence[HtmlPage], rest_s: float) -> list[HtmlReading]:
    """Returns the pages that one child process read. The list is shorter than `pages` if a page
    ended the process."""
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
    """Runs in the child process. Reads pages from standard input until the input ends."""
    # Imported late for a fast start: only the child process needs these modules.
    import faulthandler
    import os

    from grounded_ingest.net.html_text import read_html

    _bound()
    give, take = sys.stdout.buffer, sys.stdin.buffer
    with open(os.devnull, "w") as nowhere:
        while line := take.readline():
            header = msgspec.json.decode(line, type=_Header)
            html = take.read(header.size).decode()
            # faulthandler does not need the interpreter lock, so it also stops a parser in C.
            faulthandler.dump_traceback_later(PAGE_S, exit=True, file=nowhere)
            title, sections = read_html(html, header.anchors)
            faulthandler.cancel_dump_traceback_later()
            parts = tuple(s.text for s in sections)
            give.write(msgspec.json.encode(HtmlReading(title, parts)) + b"\n")
            give.flush()


def _bound() -> None:
    """Limits the memory of the process and disables core dumps, if the system supports this."""
    from contextlib import suppress

    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

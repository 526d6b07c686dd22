"""Writes text and progress to the terminal. Handles colours, encodings and closed pipes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TextIO

from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import inert_text

When = Literal["auto", "always", "never"]

# ASCII replacements for characters in our messages that some terminals cannot show.
_ASCII = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "–": "-", "—": "-", "→": "->"}
)


def coloured(when: When) -> bool:
    """Returns whether text on stdout is coloured (no-color.org, force-color.org)."""
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def emit(text: str, *, exact: bool = False) -> None:
    """Writes text to stdout. A closed pipe is not an error. Escapes CI commands such as `::error`
    in the text. `exact` writes UTF-8 even if the terminal has another encoding, because formats for
    machines need UTF-8."""
    text = inert_text(text)
    try:
        if exact:
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode())
        else:
            sys.stdout.write(_fit(text, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:  # https://docs.python.org/3/library/signal.html#note-on-sigpipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: str) -> None:
    """Writes a line to stderr, for people to read."""
    sys.stderr.write(_fit(f"{text}\n", sys.stderr))


def _fit(text: str, stream: TextIO) -> str:
    """Escapes CI commands such as `::error`, and characters that the stream cannot encode."""
    text = inert_text(text)
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_ASCII)
    return text


_STEPS = (
    "reading documents", "looking up", "looking up removed files", "looking up names",
    "looking up removed names", "deciding claims",
)  # fmt: skip
"""The beginnings of the messages of a check, in their order."""
_COUNT = compiled(r" (\d+) of ([1-9]\d*)$", needs=(" of ",))
"""Matches the end of a message that `counted` makes, without commas."""
_CELLS = 4
"""Length of the bar for each step."""


def progress(*, quiet: bool = False) -> Callable[[str], Any]:
    """Returns a function that shows a message about a run, with a bar if it is one of `_STEPS`. A
    message that ends like `20 of 900` moves the bar within the step. Prints nothing if stderr is
    not a terminal."""
    if quiet or not sys.stderr.isatty() or os.environ.get("PRE_COMMIT"):
        return lambda _: None
    full = -1

    def show(text: str) -> None:
        nonlocal full
        step = max((n for n, begin in enumerate(_STEPS) if text.startswith(begin)), default=-1)
        count = _COUNT.search(text.replace(",", ""))
        share = int(count[1]) / int(count[2]) if count else 0
        full = max(full, int(_CELLS * (step + share)))
        left = _CELLS * len(_STEPS) - full - 1
        bar = f"{'█' * full}▒{'░' * left} " if full >= 0 else ""
        sys.stderr.write(_fit(f"\r\033[K{bar}{text} …\r", sys.stderr))

    return show


def done() -> None:
    """Clears the progress line on the terminal."""
    if sys.stderr.isatty() and not os.environ.get("PRE_COMMIT"):
        sys.stderr.write("\r\033[K")


@contextmanager
def progress_line() -> Iterator[Callable[[float, str], None]]:
    """Yields a function that shows progress with the time left, if stderr is a terminal. The
    function takes the finished share (0 to 1) and a text."""
    began = time.monotonic()

    def show(share: float, what: str) -> None:
        if sys.stderr.isatty():
            seconds = round((time.monotonic() - began) * (1 - share) / share)
            minutes, hours = seconds // 60 % 60, seconds // 3600
            left = f"{hours}:{minutes:02}:{seconds % 60:02}"
            sys.stderr.write(f"\r\033[K{what}, {100 * share:.0f}%, {left} left\r")

    try:
        yield show
    finally:
        done()

"""What reaches the terminal: colour where it is wanted, text no encoding or pipe can break."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TextIO

from grounded_ingest.text.printable import inert_text

When = Literal["auto", "always", "never"]

# What our own words use, for terminals that cannot show it.
_ASCII = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "–": "-", "—": "-", "→": "->"}
)


def coloured(when: When, stream: TextIO | None = None) -> bool:
    """Whether text on a stream is coloured (no-color.org, force-color.org)."""
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return (stream or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


def emit(text: str, *, exact: bool = False) -> None:
    """Writes text to stdout, without commands to a CI log. `exact`: as UTF-8 whatever the
    terminal's encoding, as formats for machines need it. A closed pipe is no error."""
    text = inert_text(text)
    try:
        if exact:
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode())
        else:
            sys.stdout.write(_fitting(text, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:  # https://docs.python.org/3/library/signal.html#note-on-sigpipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: str) -> None:
    """A line to stderr, for people."""
    sys.stderr.write(_fitting(f"{text}\n", sys.stderr))


def _fitting(text: str, stream: TextIO) -> str:
    """Returns text that the stream can show and no CI service takes for a command."""
    text = inert_text(text)
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_ASCII)
    return text


def progress(*, quiet: bool = False, steps: int = 0) -> Callable[[str], Any]:
    """Says what a long run does, on a terminal alone; with a bar where its steps are known."""
    if quiet or not sys.stderr.isatty() or os.environ.get("PRE_COMMIT"):
        return lambda _: None
    return StepBar(steps)


class StepBar:
    """A line that says what is done, behind a bar of the steps so far. A step is what begins with
    the same word."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self._begun: dict[str, None] = {}

    def __call__(self, text: str) -> None:
        self._begun[text.partition(" ")[0]] = None
        done = min(len(self._begun), self.steps) - 1
        bar = f"{'█' * done}▒{'░' * (self.steps - done - 1)} " if self.steps else ""
        sys.stderr.write(_fitting(f"\r\033[K{bar}{text} …\r", sys.stderr))


def done() -> None:
    """Clears the last line of progress."""
    if sys.stderr.isatty() and not os.environ.get("PRE_COMMIT"):
        sys.stderr.write("\r\033[K")


class ProgressLine:
    """A line on stderr that says how far it is and how long it takes, on a terminal alone."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def __call__(self, share: float, what: str) -> None:
        if sys.stderr.isatty():
            left = (time.monotonic() - self.began) * (1 - share) / share
            sys.stderr.write(f"\r\033[K{what}, {100 * share:.0f}%, {_clock(left)} left\r")


def _clock(seconds: float) -> str:
    """As hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


@contextmanager
def progress_line() -> Iterator[ProgressLine]:
    try:
        yield ProgressLine()
    finally:
        done()

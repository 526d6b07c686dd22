"""The error type whose message is shown to the user, and the exit codes for all commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of all commands. The codes are part of the public contract."""

    OK = 0
    FOUND = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


class GroundedIngestError(Exception):
    """An error in the usage, the configuration or the environment. The message says what is wrong,
    and `hint` says how to fix the cause.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}\n  {self.hint}" if self.hint else message


@contextmanager
def os_errors_as(message: str, hint: str = "") -> Iterator[None]:
    """Turns an OSError into a GroundedIngestError: `message`, then what the system says."""
    try:
        yield
    except OSError as error:
        raise GroundedIngestError(f"{message}: {error.strerror}", hint) from None


def expect_one_of(name: str, value: str, choices: Iterable[str]) -> None:
    """Raises GroundedIngestError, with all choices in the message, if the value of the argument
    `name` is none of them.
    """
    known = [str(choice) for choice in choices]
    if value not in known:
        raise GroundedIngestError(
            f"{name}: {str(value)!r} is unknown", f"choose one of {', '.join(known)}"
        )

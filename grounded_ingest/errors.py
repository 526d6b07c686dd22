"""The error type whose message is shown to the user, and the exit codes for all commands."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of all commands. They are part of the public contract."""

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

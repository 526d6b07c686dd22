"""The one error that is shown to people, and the exit codes of every command."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes; the contract of every command."""

    OK = 0
    FOUND = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


class GroundedIngestError(Exception):
    """Bad setup: usage, configuration or environment. `hint` says the way out."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}\n  {self.hint}" if self.hint else message

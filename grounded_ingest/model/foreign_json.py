"""JSON that somebody else wrote."""

from __future__ import annotations

from msgspec import MsgspecError

NOT_JSON = (MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding may raise: of other bytes than UTF-8 msgspec raises Python's own error."""

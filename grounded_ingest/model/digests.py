"""Digests and decoding errors that all stored data shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import MsgspecError

# `hashlib` loads OpenSSL, which takes as long as starting git. The standard library's `random`
# imports its hash the same way.
if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        from _blake2 import blake2b

        try:
            from _sha2 import sha256
        except ImportError:  # before Python 3.12
            from _sha256 import sha256
    except ImportError:  # an interpreter that is built otherwise
        from hashlib import blake2b, sha256

__all__ = ["NOT_JSON", "blake2b", "sha256"]

NOT_JSON = (MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for text that is no valid JSON, or no UTF-8."""

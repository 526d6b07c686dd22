"""Digest functions and decoding errors that all code for stored data uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import MsgspecError

# `hashlib` loads OpenSSL, which takes as long as starting git. `_blake2` and `_sha2` do not load
# OpenSSL. The standard library's module `random` avoids `hashlib` in the same way.
if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        from _blake2 import blake2b

        try:
            from _sha2 import sha256
        except ImportError:  # before Python 3.12, the module is called `_sha256`
            from _sha256 import sha256
    except ImportError:  # this interpreter was built without the private modules
        from hashlib import blake2b, sha256

__all__ = ["NOT_JSON", "blake2b", "sha256"]

NOT_JSON = (MsgspecError, UnicodeDecodeError, RecursionError)
"""The exceptions that msgspec raises for a text that is not valid JSON or not valid UTF-8."""

"""Digests, without OpenSSL: `hashlib` loads it to offer more than we use, which takes as long as a
git process. The standard library's `random` imports its hash the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

__all__ = ["blake2b", "sha256"]

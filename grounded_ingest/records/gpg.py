"""The only user of gpg beside git: a keyring of exactly the keys it is given, and their owners."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_ADDRESS = re.compile(r"<([^<>\s]+)>|^([^<>\s]+@[^<>\s]+)$")


@contextmanager
def keyring(armored: bytes, env: Mapping[str, str]) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """A GNUPGHOME for the time being, and the addresses of each key by its fingerprint.

    Empty without keys, and where gpg is not installed or reads none of them.
    """
    with tempfile.TemporaryDirectory(prefix="grounded-") as home:
        os.chmod(home, 0o700)
        # From 2.4 on a new home starts a key daemon unless it says otherwise.
        with open(f"{home}/common.conf", "xb"):
            pass
        if armored:
            _gpg(home, env, "--import", stdin=armored)
        listed = _gpg(home, env, "--list-keys", "--with-colons") if armored else ""
        yield home, _addresses(listed)


def _gpg(home: str, env: Mapping[str, str], *args: str, stdin: bytes = b"") -> str:
    try:
        done = subprocess.run(
            ["gpg", "--homedir", home, "--batch", "--no-tty", "--no-autostart", *args],
            env={**env, "GNUPGHOME": home}, input=stdin, capture_output=True, check=False,
            timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace")


def _addresses(listing: str) -> dict[str, set[str]]:
    """Rows of colons: `pub`, its `fpr`, its `uid`s. Revoked and expired identities are left out."""
    found: dict[str, set[str]] = {}
    key, primary = "", False
    for row in listing.splitlines():
        fields = row.split(":")
        match fields[0]:
            case "pub":
                primary = True
            case "sub":
                primary = False
            case "fpr" if primary:
                key, primary = fields[9], False
                found[key] = set()
            case "uid" if key and fields[1] not in ("r", "e"):
                at = _ADDRESS.search(fields[9])
                if at:
                    found[key].add((at[1] or at[2]).casefold())
    return found

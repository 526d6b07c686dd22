"""Where the daemon of this user and this installation listens, and who may be there."""

from __future__ import annotations

import os
import stat
import sys
from zlib import crc32

OFF = "GROUNDED_INGEST_DAEMON"
"""The environment variable that, set to 0, keeps a command from asking a daemon."""
LONGEST = 100
"""Bytes of a path a socket may have, everywhere: 104 with its end on macOS, 108 on Linux."""
INSTALLATION = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def daemon_address() -> str:
    """The path of the socket; empty where there is no private place for it, or no such sockets.

    Whoever may read or write there could answer in the daemon's place: the directory has to be a
    real one, this user's, and closed to everybody else. It is made by `make_directory` alone."""
    if not hasattr(os, "fork"):
        return ""
    directory = _directory()
    try:
        found = os.lstat(directory)
    except OSError:
        return ""
    path = _socket_path(directory)
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    mine = private and found.st_uid == os.geteuid()
    return path if mine and len(os.fsencode(path)) <= LONGEST else ""


def make_directory() -> str:
    """Make the private directory, where it can be one. Returns the path of the socket or nothing.
    Raises OSError."""
    directory = _directory()
    if directory:
        os.makedirs(directory, mode=0o700, exist_ok=True)
    return daemon_address()


def _socket_path(directory: str) -> str:
    """One path for an installation and its interpreter; they are compared in full when asked."""
    tag = crc32(f"{INSTALLATION}\0{sys.executable}\0{sys.hexversion:x}".encode())
    return os.path.join(directory, f"{tag:08x}.sock")


def _directory() -> str:
    place = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(place):
        home = os.path.expanduser("~")
        place = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return place and os.path.join(place, "grounded-ingest", "daemon")

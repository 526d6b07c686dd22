"""What a command does first: ask the daemon, if one is there, to do it.

Little is imported: this is part of every start, with a daemon and without.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from grounded_ingest.errors import Exit
from grounded_ingest.servers.daemon_address import INSTALLATION, OFF, daemon_address

if TYPE_CHECKING:
    from socket import socket

SERVED = frozenset({"check", "hook", "verify", "recall"})
"""Commands that ask nothing of a terminal, and are run often."""
RUN, STATUS, STOP = b"R", b"S", b"Q"
"""What is asked; a command to run comes with its three streams, and then as `request_of` writes it.
The answer is a process's number in a line, and for a command its exit code in another."""
PATIENCE = 2.0
"""Seconds in which a daemon has to take a request."""


def served(arguments: Sequence[str]) -> int | None:
    """The exit code of a command that the daemon ran, with this process's files, directory and
    environment; None where it did not take it, so that it is still to be run."""
    if not arguments or arguments[0] not in SERVED or os.environ.get(OFF) == "0":
        return None
    address = daemon_address()
    if not address or not os.path.exists(address):
        return None
    import socket

    with socket.socket(socket.AF_UNIX) as daemon:
        try:
            daemon.settimeout(PATIENCE)
            daemon.connect(address)
            socket.send_fds(daemon, [RUN], [0, 1, 2])
            daemon.sendall(request_of(sys.argv))
            child = answer(daemon)
        except KeyboardInterrupt:  # what it may have begun ends with the connection
            return Exit.INTERRUPTED
        except OSError:  # none behind it, one that hangs, or a closed stream of ours
            return None
        if not child.isdigit():  # empty: it saw that its code is no longer what is installed
            return None
        daemon.settimeout(None)
        return _exit_code(daemon, int(child))


def ask_daemon(question: bytes) -> int | None:
    """The daemon's process, asked for its state or to end; None where there is none."""
    address = daemon_address()
    if not address or not os.path.exists(address):
        return None
    import socket

    with socket.socket(socket.AF_UNIX) as daemon, suppress(OSError):
        daemon.settimeout(PATIENCE)
        daemon.connect(address)
        daemon.sendall(question)
        told = answer(daemon)
        return int(told) if told.isdigit() else None
    return None


def request_of(argv: Sequence[str]) -> bytes:
    """All that a process is started with, by NUL: who, where, mask, streams, words, variables."""
    mask = os.umask(0o077)
    os.umask(mask)
    streams = (sys.stdin, sys.stdout, sys.stderr)
    encodings = ",".join(getattr(s, "encoding", None) or "utf-8" for s in streams)
    fields = [INSTALLATION, sys.executable, os.getcwd(), f"{mask}", encodings, f"{len(argv)}"]
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    told = os.fsencode("\0".join((*fields, *argv, *variables)))
    return b"%d\n" % len(told) + told


def answer(connection: socket) -> str:
    """The next line; empty where the other side is gone, or breaks off."""
    line = b""
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            return ""
        line += byte
    return line.decode().strip()


def _exit_code(daemon: socket, child: int) -> int:
    while True:
        try:
            code = answer(daemon)
            break
        except KeyboardInterrupt:  # the terminal tells this process; the child runs elsewhere
            with suppress(OSError):
                os.kill(child, 2)
        except OSError:
            code = ""
            break
    if code.isdigit():
        return int(code)
    sys.stderr.write(
        "grounded-ingest: the daemon's process ended before it was done\n"
        f"  run again; without a daemon: {OFF}=0\n"
    )
    return Exit.BUG

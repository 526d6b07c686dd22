"""`grounded-ingest daemon`: a started interpreter that stays until nobody needs it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import click

from grounded_ingest.cli.terminal import emit
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.servers.daemon_address import make_directory
from grounded_ingest.servers.daemon_client import STATUS, STOP, ask_daemon

if TYPE_CHECKING:
    import socket

LONGEST = 30.0
"""Seconds to wait for one that starts, or ends."""


@click.group()
def command() -> None:
    """Keep an interpreter ready, so that check, verify and recall answer sooner.

    Nothing is started unless you ask. A command hands its work over where a daemon of yours runs
    the same installation, and does it itself otherwise.
    """


@command.command()
@click.option(
    "--idle",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    metavar="MINUTES",
    help="End when nothing was asked for so long. Default: 30.",
)
def start(*, idle: float) -> None:
    """Start the daemon of this installation."""
    try:
        there = make_directory()
    except OSError as error:
        raise GroundedIngestError(f"{error.filename}: {error.strerror}") from None
    if not there:
        raise GroundedIngestError(
            "no daemon here: it needs fork, and a private directory with a short path",
            "the directory grounded-ingest/daemon in XDG_RUNTIME_DIR or ~/.cache has to be yours,"
            " closed to others (mode 700), with a path of 80 characters at most",
        )
    number = ask_daemon(STATUS)
    if number is not None:
        emit(f"the daemon runs already (process {number})\n")
        return
    from grounded_ingest.servers.daemon_server import listen

    try:
        listening = listen()
    except OSError as error:
        raise GroundedIngestError(f"{there}: {error.strerror or error}") from None
    if listening is not None:
        _detach(listening, idle * 60)
    _wait(there=True)
    emit(f"the daemon runs (process {ask_daemon(STATUS)}), and ends after {idle:g} idle minutes\n")


@command.command()
def stop() -> None:
    """Have it end, once what it does is done."""
    number = ask_daemon(STOP)
    if number is None:
        emit("no daemon runs\n")
        return
    _wait(there=False)
    emit(f"the daemon ended (process {number})\n")


@command.command("status")
@click.pass_context
def say_status(ctx: click.Context) -> None:
    """Say whether it runs; exit code 1 where it does not."""
    number = ask_daemon(STATUS)
    emit(f"the daemon runs (process {number})\n" if number is not None else "no daemon runs\n")
    ctx.exit(Exit.OK if number is not None else Exit.FOUND)


def _wait(*, there: bool) -> None:
    end = time.monotonic() + LONGEST
    while (ask_daemon(STATUS) is not None) != there:
        if time.monotonic() > end:
            raise GroundedIngestError(f"the daemon does not {'answer' if there else 'end'}")
        time.sleep(0.02)


def _detach(listening: socket.socket, idle: float) -> None:
    """Serve in a process of its own: not this terminal's, in no directory anybody may remove."""
    if os.fork():
        listening.close()
        return
    os.setsid()
    if os.fork():
        os._exit(Exit.OK)
    os.chdir("/")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nowhere, fd)
    from grounded_ingest.cli.entry import run_command
    from grounded_ingest.servers.daemon_server import serve_commands

    code = Exit.BUG
    try:
        serve_commands(listening, run_command, os._exit, idle)
        code = Exit.OK
    finally:
        os._exit(code)

"""The daemon: an interpreter with everything imported, which forks for every command.

The child does what a process of its own would do, from the beginning: nothing of one command is
known to the next. What is ready is code, compiled patterns and tables that are made of words alone.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fcntl import F_GETFL, F_SETFL, F_SETOWN, fcntl
from functools import partial
from importlib import import_module
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, NoReturn, TextIO

import msgspec

from grounded_ingest.config.settings import Config, classified
from grounded_ingest.errors import Exit
from grounded_ingest.language.patterns import compile_all
from grounded_ingest.servers.daemon_address import INSTALLATION, daemon_address
from grounded_ingest.servers.daemon_client import PATIENCE, RUN, STATUS, STOP, answer

Run = Callable[[], int]
"""Runs the command of `sys.argv` with all it prints flushed; returns the exit code."""
Leave = Callable[[int], NoReturn]
"""Ends this process at once, without what is done at exit: that is the daemon's to do."""

WORDS: Final = (
    "language", "code", "extract", "facts", "rules", "memory", "references",
)  # fmt: skip
"""Folders whose tables are made of words alone, not of a repository, an environment or a time."""
SELDOM: Final = (
    "__main__", "action", "bench", "audit", "cli", "review", "net.client", "net.connections",
    "net.html_text", "net.html_worker", "retrieval.embeddings", "retrieval.hybrid",
    "servers.mcp_answers", "servers.mcp_server",
    "servers.editor_document", "servers.latest_work", "servers.lsp_server", "servers.quick_fixes",
    "servers.text_positions",
)  # fmt: skip
"""What the commands that are served need on some days, or never: imported by the child, if so."""
ALWAYS: Final = ("cli.check_run", "cli.hook", "cli.output", "cli.recall", "cli.verify")
OTHERS: Final = ("pyromark", "shlex", "tomllib", "urllib.parse", "yaml")
"""What our modules import inside of functions."""
VARIADIC: Final = CO_VARARGS | CO_VARKEYWORDS
LARGEST: Final = 8_000_000
"""Bytes of a request: an environment and a command line are smaller."""


class ClientRequest(NamedTuple):
    """What a command was started with."""

    directory: str
    mask: int
    encodings: tuple[str, ...]
    argv: list[str]
    environment: dict[str, str]


def warm() -> None:
    """Import what commands need, compile the patterns, make the tables."""
    package = os.path.basename(INSTALLATION)
    names = [*ALWAYS, *(n for n in _modules() if not f"{n}.".startswith(_below(SELDOM)))]
    for name in (*(f"{package}.{n}" for n in names), *OTHERS):
        import_module(name)
    words = _below(f"{package}.{w}" for w in WORDS)
    for table in [t for n in sys.modules if n.startswith(words) for t in _tables(sys.modules[n])]:
        table()
    compile_all()
    for path in ("docs/adr/0001.md", "docs/page.md", "page.rst"):  # the globs of each class
        classified(Config(), path)


def _below(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{name}." for name in names)


def _modules() -> Iterator[str]:
    """The modules of this package, by their names in it."""
    for directory, _, files in os.walk(INSTALLATION):
        for file in (f for f in files if f.endswith(".py") and f != "__init__.py"):
            path = os.path.relpath(os.path.join(directory, file), INSTALLATION)
            yield path.removesuffix(".py").replace(os.sep, ".")


def _tables(module: ModuleType) -> Iterator[Callable[[], Any]]:
    """The kept answers of functions that are asked nothing, or one yes or no by name."""
    for kept in vars(module).values():
        function = getattr(kept, "__wrapped__", None)
        if not hasattr(kept, "cache_info") or not isinstance(function, FunctionType):
            continue
        code, choices = function.__code__, function.__kwdefaults__ or {}
        if code.co_argcount or code.co_flags & VARIADIC or len(choices) != code.co_kwonlyargcount:
            continue
        if not choices:
            yield kept
        elif [type(c) for c in choices.values()] == [bool]:
            yield from (partial(kept, **dict.fromkeys(choices, said)) for said in (False, True))


def _unchanged(paths: Sequence[str]) -> Callable[[], bool]:
    """A function that says whether these files and directories are still as they are now."""

    def state() -> list[tuple[int, int]]:
        return [(s.st_mtime_ns, s.st_size) for s in map(os.stat, paths)]

    first = state()

    def same() -> bool:
        try:
            return state() == first
        except OSError:
            return False

    return same


def _own_code() -> list[str]:
    """Every file of this package, but what Python itself writes beside them."""
    found = (os.path.join(d, f) for d, _, files in os.walk(INSTALLATION) for f in files)
    return [path for path in found if "__pycache__" not in path]


class _ToldToEndError(Exception):
    """Somebody asked the daemon to end."""


def serve_commands(listening: socket.socket, run: Run, leave: Leave, idle: float) -> None:
    """Answer until nobody asked for `idle` seconds, until told to end, or until the code is no
    longer what was imported."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children answer their clients themselves
    signal.signal(signal.SIGTERM, _told_to_end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ours = _unchanged(_own_code())
    warm()
    beside = _unchanged([os.path.dirname(os.path.dirname(msgspec.__file__))])
    gc.collect()
    gc.freeze()
    listening.settimeout(idle)
    with suppress(TimeoutError, _ToldToEndError):
        while True:
            connection, _ = listening.accept()
            with connection, suppress(OSError, ValueError):
                if not (ours() and beside()):
                    break
                _hand_over(connection, listening, run, leave)
    with suppress(OSError):
        os.unlink(listening.getsockname())


def _told_to_end(*_: object) -> None:
    raise _ToldToEndError


def _hand_over(connection: socket.socket, listening: socket.socket, run: Run, leave: Leave) -> None:
    connection.settimeout(PATIENCE)
    asked, fds, _, _ = socket.recv_fds(connection, 1, 3)
    try:
        if asked in (STATUS, STOP):
            connection.sendall(b"%d\n" % os.getpid())
            if asked == STOP:
                raise _ToldToEndError
            return
        if asked != RUN or len(fds) != 3:
            return
        if not os.fork():  # the request is the child's to read: no secret of it is ever here
            listening.close()
            _become(connection, fds, run, leave)
    finally:
        for fd in fds:
            os.close(fd)


def received(connection: socket.socket) -> ClientRequest:
    """The request of a client of this installation. Raises ValueError, OSError."""
    size = int(answer(connection))
    if not 0 < size <= LARGEST:
        raise ValueError("too large")
    told = b""
    while len(told) < size:
        piece = connection.recv(size - len(told))
        if not piece:
            raise ValueError("cut off")
        told += piece
    installation, executable, directory, mask, encodings, count, *rest = os.fsdecode(told).split(
        "\0"
    )
    if (installation, executable) != (INSTALLATION, sys.executable):
        raise ValueError("another installation")
    words, variables = rest[: int(count)], rest[int(count) :]
    environment = {name: value for name, _, value in (v.partition("=") for v in variables)}
    return ClientRequest(directory, int(mask), tuple(encodings.split(",")), words, environment)


def _become(connection: socket.socket, fds: list[int], run: Run, leave: Leave) -> NoReturn:
    """Be the client's process, up to its exit code; ended with it. One that cannot be understood
    gets no answer, and does its work itself."""
    code = int(Exit.BUG)
    try:
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        request = received(connection)
        connection.sendall(b"%d\n" % os.getpid())
    except BaseException:  # noqa: BLE001
        leave(code)
    try:
        _end_with(connection)
        for fd, given in enumerate(fds):
            os.dup2(given, fd)
            os.close(given)
        os.environ.clear()
        os.environ.update(request.environment)
        time.tzset()
        os.umask(request.mask)
        os.chdir(request.directory)
        sys.argv = request.argv
        sys.stdin, sys.stdout, sys.stderr = map(_stream, range(3), request.encodings)
        code = run()
    finally:
        connection.settimeout(None)
        with suppress(OSError):
            connection.sendall(b"%d\n" % code)
        leave(code)


def _stream(fd: int, encoding: str) -> TextIO:
    """As the interpreter opens it at its start."""
    buffering = 1 if fd == 2 or os.isatty(fd) else -1
    return open(fd, "w" if fd else "r", buffering, encoding, closefd=False)


def _end_with(connection: socket.socket) -> None:
    """Have SIGIO, whose default is to end a process, sent when the client is gone."""
    fcntl(connection, F_SETOWN, os.getpid())
    fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | os.O_ASYNC)


def listen() -> socket.socket | None:
    """A socket at the address of this installation; None where a daemon answers there, or none
    can be. Raises OSError."""
    address = daemon_address()
    if not address:
        return None
    listening = socket.socket(socket.AF_UNIX)
    try:
        if answers(address):
            listening.close()
            return None
        with suppress(FileNotFoundError):
            os.unlink(address)
        listening.bind(address)
        listening.listen(64)
    except OSError:
        listening.close()
        raise
    return listening


def answers(address: str) -> bool:
    """Whether something listens there."""
    with socket.socket(socket.AF_UNIX) as asked, suppress(OSError):
        asked.settimeout(PATIENCE)
        asked.connect(address)
        return True
    return False

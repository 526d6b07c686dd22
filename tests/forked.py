"""Runs commands of grounded-ingest in processes that already have its modules imported.

A test starts the command about two thousand times, and two thirds of a short run are imports. One
server per test worker imports the package once and forks a process for each command: a process of its
own, with its own directory, environment and files, so that tests see what a user sees. Tests of start-up,
signals and terminals start the real interpreter."""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

PROJECT = Path(__file__).parents[1]


def run_command(
    argv: tuple[str, ...],
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    timeout: float = 120,
) -> tuple[int, bytes, bytes]:
    """Runs `grounded-ingest` with these arguments. Returns exit code, output and error output. A
    command that was killed has the negative number of the signal as exit code."""
    asked = json.dumps({"argv": argv, "cwd": str(cwd), "env": dict(env)}).encode()
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        answer = _ask(asked, (given, out, err), timeout)
        out.seek(0)
        err.seek(0)
        return answer, out.read(), err.read()


def _ask(asked: bytes, files: tuple[IO[bytes], ...], timeout: float) -> int:
    server = _server(os.getpid())
    server.settimeout(timeout)
    socket.send_fds(server, [len(asked).to_bytes(4, "big")], [f.fileno() for f in files])
    server.sendall(asked)
    return int.from_bytes(_read(server, 4), "big", signed=True)


@functools.cache
def _server(_worker: int) -> socket.socket:
    """The socket of this worker's server, which ends when the socket is closed."""
    mine, theirs = socket.socketpair()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PYTEST", "COV"))}
    process = subprocess.Popen(
        [sys.executable, __file__, str(theirs.fileno())],
        pass_fds=[theirs.fileno()], cwd=PROJECT, env=env | {"PYTHONPATH": str(PROJECT)},
    )  # fmt: skip
    theirs.close()

    def end() -> None:
        mine.close()
        process.wait(30)

    atexit.register(end)
    return mine


def _read(source: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = source.recv(size - len(found))
        assert part, "the server of the tests has ended"
        found += part
    return found


def serve(source: socket.socket) -> None:
    """Answers one request after another until the other side closes the socket."""
    while True:
        size, files, _, _ = socket.recv_fds(source, 4, 3)
        if not size:
            return
        asked = json.loads(_read(source, int.from_bytes(size, "big")))
        child = os.fork()
        if not child:
            source.close()
            _become(asked, files)
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        source.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


def _become(asked: Any, files: list[int]) -> NoReturn:
    """Makes this process what `python -m grounded_ingest` would be, and runs the command."""
    from grounded_ingest import __main__ as program

    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv = [program.__file__, *asked["argv"]]
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", errors=errors)  # noqa: SIM115  it lasts as long as the process
        for number, mode, errors in (
            (0, "r", "surrogateescape"),
            (1, "w", "surrogateescape"),
            (2, "w", "backslashreplace"),
        )
    )
    try:
        program.main()
    except BaseException:  # noqa: BLE001  Python would print any
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(1)


def _import_everything() -> None:
    import importlib
    import pkgutil

    import grounded_ingest

    for module in pkgutil.walk_packages(grounded_ingest.__path__, "grounded_ingest."):
        if not module.name.endswith("__main__") and "servers" not in module.name:
            importlib.import_module(module.name)


def _check_once() -> None:
    """Checks a document in this process. What a first check compiles and reads takes half of a
    short run; every fork inherits it."""
    from tests.repos import Repo

    with tempfile.TemporaryDirectory() as place:
        repo = Repo(Path(place, "work"))
        repo.commit({"src/app.py": "def start(port=8443): ...\n", "Makefile": "check:\n\ttrue\n"})
        claims = (
            "`start()` is in `src/app.py:1`.",
            "I think Redis 7 is used.",
            "Run `make check`.",
        )
        repo.stage({"memory-bank/notes.md": "\n\n".join(("# Notes", *claims)) + "\n"})
        repo.check()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _import_everything()
    _check_once()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))

"""Runs commands of grounded-ingest in processes that already have its modules imported.

A test starts the command about two thousand times, and two thirds of a short run are imports. One
server per test worker imports the package once and forks a process for each command: a process of its
own, with its own directory, environment and files, so that tests see what a user sees. Hooks and jobs
start `python_client` in place of Python. Tests of start-up, signals and terminals start the real
interpreter."""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

PROJECT = Path(__file__).parents[1]
CLIENT = """#!{python} -SE
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({door!r})
dash, module, *argv = sys.argv[1:]
assert dash == "-m"
asked = {{"module": module, "argv": argv, "cwd": os.getcwd(), "env": dict(os.environ)}}
asked = json.dumps(asked).encode()
socket.send_fds(server, [len(asked).to_bytes(4, "big")], [0, 1, 2])
server.sendall(asked)
answer = server.recv(4)
os._exit(int.from_bytes(answer, "big", signed=True) % 256 if answer else 255)
"""


class Server(NamedTuple):
    """The server of a test worker: its end of a socket, and the address for other processes."""

    socket: socket.socket
    door: str


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


def python_client(place: Path) -> Path:
    """Writes a program that runs `-m MODULE ARGUMENTS…` as Python does, but in a fork of this
    worker's server. The command's parent is the server."""
    place.write_text(CLIENT.format(python=sys.executable, door=_server(os.getpid()).door))
    place.chmod(0o755)
    return place


def _ask(asked: bytes, files: tuple[IO[bytes], ...], timeout: float) -> int:
    server = _server(os.getpid()).socket
    server.settimeout(timeout)
    socket.send_fds(server, [len(asked).to_bytes(4, "big")], [f.fileno() for f in files])
    server.sendall(asked)
    return int.from_bytes(_read(server, 4), "big", signed=True)


@functools.cache
def _server(_worker: int) -> Server:
    """This worker's server, which ends when its socket is closed."""
    mine, theirs = socket.socketpair()
    place = tempfile.mkdtemp()
    door = f"{place}/door"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PYTEST", "COV"))}
    process = subprocess.Popen(
        [sys.executable, __file__, str(theirs.fileno()), door],
        pass_fds=[theirs.fileno()], cwd=PROJECT, env=env | {"PYTHONPATH": str(PROJECT)},
    )  # fmt: skip
    theirs.close()

    def end() -> None:
        mine.close()
        process.wait(30)
        shutil.rmtree(place)

    atexit.register(end)
    assert mine.recv(1), "the server listens"
    return Server(mine, door)


def _read(source: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = source.recv(size - len(found))
        assert part, "the server of the tests has ended"
        found += part
    return found


def serve(source: socket.socket, door: socket.socket) -> None:
    """Answers requests until the other side closes the socket; those through the door in
    processes of their own, because a command may run a hook."""
    source.sendall(b"!")
    while True:
        ready, _, _ = select.select([source, door], [], [])
        if door in ready:
            visitor, _ = door.accept()
            if not os.fork():
                door.close()
                source.close()
                _answer(visitor)
                os._exit(0)
            visitor.close()
        elif not _answer(source):
            return
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _answer(source: socket.socket) -> bool:
    """Runs the command of one request. Returns False if the other side has closed the socket."""
    size, files, _, _ = socket.recv_fds(source, 4, 3)
    if not size:
        return False
    asked = json.loads(_read(source, int.from_bytes(size, "big")))
    child = os.fork()
    if not child:
        source.close()
        _become(asked, files)
    for file in files:
        os.close(file)
    _, status = os.waitpid(child, 0)
    source.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
    return True


def _become(asked: Any, files: list[int]) -> NoReturn:
    """Makes this process what `python -m MODULE` would be, and runs the command."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv = ["", *asked["argv"]]
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", errors=errors)  # noqa: SIM115  it lasts as long as the process
        for number, mode, errors in (
            (0, "r", "surrogateescape"),
            (1, "w", "surrogateescape"),
            (2, "w", "backslashreplace"),
        )
    )
    try:
        runpy.run_module(
            asked.get("module", "grounded_ingest"), run_name="__main__", alter_sys=True
        )
    except SystemExit as ended:
        sys.stdout.flush()
        os._exit(int(ended.code or 0))
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
    waiting = socket.socket(socket.AF_UNIX)
    waiting.bind(sys.argv[2])
    waiting.listen()
    serve(socket.socket(fileno=int(sys.argv[1])), waiting)

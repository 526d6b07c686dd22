"""Asks a program as judge model.

The program reads the question as JSON from standard input and writes the answer to standard output.
The program runs without a shell, in an empty directory, and gets only the few environment
variables that a program needs and those that the user allowed. After the timeout, the program and
its child processes are killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

from grounded_ingest.config.settings import JudgeSettings
from grounded_ingest.judge.exchange import (
    BUDGET_SPENT,
    MAX_ANSWER,
    REQUESTS_SPENT,
    AskedJudge,
    JudgeAnswer,
    Unusable,
    parse_answer,
    program_input,
)
from grounded_ingest.references.response_cache import Answers

_ENVIRONMENT = (
    "HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME "
    "XDG_STATE_HOME XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS "
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA "
    "TEMP TMP"
)
"""Environment variables that the program gets besides PATH and the granted variables. No variable
in this list is a secret."""
_FENCED = re.compile(r"\s*```(?:json)?[ \t]*\n(.*)\n[ \t]*```\s*", re.DOTALL)
_KILL_WAIT_S = 2.0


class CommandJudge(AskedJudge):
    """Uses a program on this machine as the judge model.

    The class starts one process for each question: at most `max_requests` processes in a run, and
    at most `together` at the same time. A process may run for `timeout` seconds. No process starts
    later than `budget` seconds after the first process. `root` is the work tree; programs in the
    work tree are never started."""

    def __init__(
        self,
        settings: JudgeSettings,
        *,
        root: str,
        together: int,
        environ: Mapping[str, str] = os.environ,
        kept: Answers | None = None,
    ) -> None:
        self._environ = program_environment(environ, settings.variables, root)
        self._program, self.failure = find_program(settings.command, self._environ, root)
        """`failure` says why the program cannot be started. `failure` is empty if the program can
        be started."""
        super().__init__(_program_identity(self._program, settings.command), kept)
        self._settings, self._together = settings, together
        self._secrets = [v for n in settings.variables if (v := environ.get(n, ""))]
        self._left, self._ends = settings.max_requests, 0.0
        self._lock = Lock()

    def _question(self, data: dict[str, Any]) -> bytes:
        return program_input(data)

    def _answers(self, questions: Mapping[str, bytes]) -> Mapping[str, JudgeAnswer | str]:
        with ThreadPoolExecutor(self._together) as pool:
            return dict(zip(questions, pool.map(self._answer, questions.values()), strict=True))

    def _answer(self, question: bytes) -> JudgeAnswer | str:
        with self._lock:
            self._ends = self._ends or time.monotonic() + self._settings.budget
            seconds = self._ends - time.monotonic()
            if self.failure or self._left <= 0 or seconds <= 0:
                return self.failure or (BUDGET_SPENT if seconds <= 0 else REQUESTS_SPENT)
            self._left -= 1
        try:
            return self._parse_output(self._run(question, min(seconds, self._settings.timeout)))
        except Unusable as unusable:
            return str(unusable)
        except OSError as error:
            self.failure = f"cannot start {self._settings.command[0]}: {error.strerror}"
            return self.failure

    def _run(self, question: bytes, seconds: float) -> bytes:
        with tempfile.TemporaryDirectory(prefix="grounded-judge-") as empty:
            process = subprocess.Popen(
                [self._program, *self._settings.command[1:]], cwd=empty, env=self._environ,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
            code, output = _communicate(process, question, seconds)
        if code is None:
            raise Unusable("the program did not answer within judge.timeout")
        if code:
            raise Unusable(f"the program {self._settings.command[0]} ended with code {code}")
        return output

    def _parse_output(self, output: bytes) -> JudgeAnswer:
        if len(output) >= MAX_ANSWER:
            raise Unusable(f"the answer is longer than {MAX_ANSWER:,} bytes")
        text = output.decode("utf-8", "replace")
        if any(secret in text for secret in self._secrets):
            raise Unusable("the answer contains a secret from the program's environment")
        fenced = _FENCED.fullmatch(text)
        return parse_answer(fenced[1] if fenced else text)


def _communicate(
    process: subprocess.Popen[bytes], question: bytes, seconds: float
) -> tuple[int | None, bytes]:
    """Returns the exit code and at most MAX_ANSWER bytes of output. The exit code is None if the
    process runs longer than `seconds`.

    Always kills the process and its children. `Popen.communicate` is not used, because it waits
    for a child that keeps the output open, and reads without a limit."""
    output: list[bytes] = []
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    def read() -> None:
        with suppress(OSError, ValueError):
            output.append(stdout.read(MAX_ANSWER))

    def write() -> None:
        with suppress(OSError, ValueError):  # a program may answer without reading the question
            stdin.write(question)
        with suppress(OSError, ValueError):
            stdin.close()

    ends = time.monotonic() + seconds
    threads = [Thread(target=work, daemon=True) for work in (read, write)]
    for thread in threads:
        thread.start()
    threads[0].join(seconds)
    full = sum(map(len, output)) >= MAX_ANSWER
    code: int | None = 0 if full else None
    with suppress(subprocess.TimeoutExpired):
        if not threads[0].is_alive() and not full:
            code = process.wait(max(0.0, ends - time.monotonic()))
    _kill(process)
    for thread in threads:
        thread.join(_KILL_WAIT_S)
    if not threads[0].is_alive():
        stdout.close()
    return code, b"".join(output)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_KILL_WAIT_S)


def program_environment(
    environ: Mapping[str, str], granted: tuple[str, ...], root: str
) -> dict[str, str]:
    """Returns the environment variables for the program that is the judge model.

    Passes a fixed list of variables and the variables that the user's grant names. PATH does not
    contain relative directories or directories in the work tree `root`."""
    names = {*_ENVIRONMENT.split(), *granted, *(n for n in environ if n.startswith("LC_"))}
    env = {name: environ[name] for name in sorted(names) if name in environ}
    path = environ.get("PATH", os.defpath).split(os.pathsep)
    env["PATH"] = os.pathsep.join(p for p in path if os.path.isabs(p) and not _lies_in(p, root))
    return env


def find_program(command: tuple[str, ...], env: Mapping[str, str], root: str) -> tuple[str, str]:
    """Returns the path of the program in `command`, and an empty string or the reason why the
    program must not be started.

    A program in the work tree `root` is refused, because the author of the checked commit may have
    written it. `env` has the environment variables that are used for the search."""
    name = command[0]
    found = shutil.which(name, path=env["PATH"]) if os.path.dirname(name) == "" else name
    if not found or not os.path.isabs(found) or not os.access(found, os.X_OK):
        return "", (
            f"judge.command: there is no program {name}; expected a program on PATH or an absolute"
            " path"
        )
    inside = [part for part in (found, *command[1:]) if _lies_in(part, root)]
    if inside:
        return "", (
            f"judge.command: {inside[0]} is in the work tree, where the author of a commit could"
            " replace it; expected a program outside of the repository"
        )
    return found, ""


def _lies_in(path: str, root: str) -> bool:
    if not root or not os.path.isabs(path):
        return bool(root) and f"{os.path.join(root, '')}" in path
    real, tree = os.path.realpath(path), os.path.realpath(root)
    return real == tree or real.startswith(os.path.join(tree, ""))


def _program_identity(program: str, command: tuple[str, ...]) -> bytes:
    version: list[int | str] = [os.path.realpath(program)]
    with suppress(OSError):
        status = os.stat(program)
        version += [status.st_size, status.st_mtime_ns]
    return json.dumps([*version, *command]).encode()

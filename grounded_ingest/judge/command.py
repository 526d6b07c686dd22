"""A program as judge: the question as JSON on its standard input, the answer on its output.

It is started without a shell, in an empty directory, with an environment that holds no secret but
those its grant names; it is ended with all it started when its time is over.
"""

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
from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from grounded_ingest.judge.answer import MAX_ANSWER, Said, Unusable, parsed
from grounded_ingest.judge.asked_judge import AskedJudge
from grounded_ingest.judge.question import question
from grounded_ingest.text.lexicon.judge_programs import ENVIRONMENT

if TYPE_CHECKING:
    from grounded_ingest.config.settings import JudgeSettings
    from grounded_ingest.references.response_cache import Answers

_FENCED = re.compile(r"\s*```(?:json)?[ \t]*\n(.*)\n[ \t]*```\s*", re.DOTALL)
_ENDING_S = 2.0


class CommandJudge(AskedJudge):
    """Starts at most `max_requests` processes within `budget` seconds, counted from the first, each
    for at most `timeout`; `together` at a time. `root` is the work tree: nothing of it is run."""

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
        self._program, self._stopped = found_program(settings.command, self._environ, root)
        super().__init__(_identity(self._program, settings.command), kept)
        self._settings, self._together = settings, together
        self._secrets = [v for n in settings.variables if (v := environ.get(n, ""))]
        self._left, self._ends = settings.max_requests, 0.0
        self._lock = Lock()

    @property
    def lacking(self) -> str:
        """Why the program cannot be started at all; empty where it can."""
        return self._stopped

    def _question(self, asked: dict[str, Any]) -> bytes:
        return question(asked)

    def _answers(self, questions: Mapping[str, bytes]) -> Mapping[str, Said | str]:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self._together) as pool:
            return dict(zip(questions, pool.map(self._answer, questions.values()), strict=True))

    def _answer(self, asked: bytes) -> Said | str:
        """What the program says, or why nothing came of it."""
        with self._lock:
            self._ends = self._ends or time.monotonic() + self._settings.budget
            rest = self._ends - time.monotonic()
            if self._stopped or self._left <= 0 or rest <= 0:
                spent = "judge.budget spent" if rest <= 0 else "judge.max_requests spent"
                return self._stopped or spent
            self._left -= 1
        try:
            return self._said(self._run(asked, min(rest, self._settings.timeout)))
        except Unusable as unusable:
            return str(unusable)
        except OSError as error:
            self._stopped = f"{self._settings.command[0]} could not be started: {error.strerror}"
            return self._stopped

    def _run(self, asked: bytes, seconds: float) -> bytes:
        with tempfile.TemporaryDirectory(prefix="grounded-judge-") as empty:
            process = subprocess.Popen(
                [self._program, *self._settings.command[1:]], cwd=empty, env=self._environ,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
            code, answer = _conversed(process, asked, seconds)
        if code is None:
            raise Unusable("timeout")
        if code:
            raise Unusable(f"{self._settings.command[0]} ended with code {code}")
        return answer

    def _said(self, answer: bytes) -> Said:
        if len(answer) >= MAX_ANSWER:
            raise Unusable("the answer is too long")
        text = answer.decode("utf-8", "replace")
        if any(secret in text for secret in self._secrets):
            raise Unusable("the answer repeats a secret")
        fenced = _FENCED.fullmatch(text)
        return parsed(fenced[1] if fenced else text)


def _conversed(
    process: subprocess.Popen[bytes], asked: bytes, seconds: float
) -> tuple[int | None, bytes]:
    """Exit code, None where its time was over, and what it said, up to a limit. Nothing that it
    started goes on, nor can keep us by holding its output open."""
    answer: list[bytes] = []
    assert process.stdin is not None
    assert process.stdout is not None
    give, take = process.stdin, process.stdout

    def listen() -> None:
        with suppress(OSError, ValueError):
            answer.append(take.read(MAX_ANSWER))

    def ask() -> None:
        with suppress(OSError, ValueError):  # it may answer without having read
            give.write(asked)
        with suppress(OSError, ValueError):
            give.close()

    ends = time.monotonic() + seconds
    threads = [Thread(target=work, daemon=True) for work in (listen, ask)]
    for thread in threads:
        thread.start()
    threads[0].join(seconds)
    full = sum(map(len, answer)) >= MAX_ANSWER
    code: int | None = 0 if full else None
    with suppress(subprocess.TimeoutExpired):
        if not threads[0].is_alive() and not full:
            code = process.wait(max(0.0, ends - time.monotonic()))
    _end(process)
    for thread in threads:
        thread.join(_ENDING_S)
    if not threads[0].is_alive():
        take.close()
    return code, b"".join(answer)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and its group."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_ENDING_S)


def program_environment(
    environ: Mapping[str, str], granted: tuple[str, ...], root: str
) -> dict[str, str]:
    """What a judge's program gets: where its user's files and programs are, and the variables that
    its grant names. Directories of the work tree are no place to look for programs."""
    names = {*ENVIRONMENT.split(), *granted, *(n for n in environ if n.startswith("LC_"))}
    env = {name: environ[name] for name in sorted(names) if name in environ}
    path = environ.get("PATH", os.defpath).split(os.pathsep)
    env["PATH"] = os.pathsep.join(p for p in path if os.path.isabs(p) and not _within(p, root))
    return env


def found_program(command: tuple[str, ...], env: Mapping[str, str], root: str) -> tuple[str, str]:
    """The program of a command, resolved, or why it is not started: a file of the work tree is
    whatever the last checkout made of it."""
    name = command[0]
    found = shutil.which(name, path=env["PATH"]) if os.path.dirname(name) == "" else name
    if not found or not os.path.isabs(found) or not os.access(found, os.X_OK):
        return "", f"judge.command: there is no program {name} (name one on PATH, or a whole path)"
    inside = [part for part in (found, *command[1:]) if _within(part, root)]
    if inside:
        return "", f"judge.command: {inside[0]} lies in the work tree, which its author may change"
    return found, ""


def _within(path: str, root: str) -> bool:
    if not root or not os.path.isabs(path):
        return bool(root) and f"{os.path.join(root, '')}" in path
    real, tree = os.path.realpath(path), os.path.realpath(root)
    return real == tree or real.startswith(os.path.join(tree, ""))


def _identity(program: str, command: tuple[str, ...]) -> bytes:
    """Whom a question is put to: another version of a program is another judge."""
    version: list[int | str] = [os.path.realpath(program)]
    with suppress(OSError):
        found = os.stat(program)
        version += [found.st_size, found.st_mtime_ns]
    return json.dumps([*version, *command]).encode()

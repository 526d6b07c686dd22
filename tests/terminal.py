"""A person at a real terminal: what the screen shows, and keys."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol


class Started(Protocol):
    """A repository: where a process starts, and with what environment."""

    root: Path
    env: dict[str, str]


class Terminal:
    """A process on a pseudo-terminal."""

    program: tuple[str, ...] = (sys.executable, "-m", "grounded_ingest")

    def __init__(self, repo: Started, *args: str, **env: str) -> None:
        self._mine, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*self.program, *args], cwd=repo.root,
            env=repo.env | {"TERM": "xterm"} | env, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True, preexec_fn=_own_terminal,
        )  # fmt: skip
        os.close(theirs)
        self.screen = ""

    def until(self, text: str, seconds: float = 60) -> str:
        """Read until the screen shows a text behind what was read before; what was new."""
        seen, end = len(self.screen), time.monotonic() + seconds
        while text not in self.screen[seen:]:
            assert time.monotonic() < end, f"no {text!r} in\n{self.screen}"
            ready, _, _ = select.select([self._mine], [], [], 0.2)
            if ready and not self._read():
                break
        assert text in self.screen[seen:], self.screen
        return self.screen[seen:]

    def _read(self) -> bool:
        try:
            part = os.read(self._mine, 65536)
        except OSError:  # the other side is closed
            return False
        self.screen += part.decode(errors="replace")
        return bool(part)

    def press(self, keys: str) -> None:
        os.write(self._mine, keys.encode())

    def answer(self, line: str, prompt: str = "q,?] ") -> str:
        """Wait for the prompt, answer it; what was shown before."""
        shown = self.until(prompt)
        self.press(f"{line}\n")
        return shown

    def end(self, keys: str = "", seconds: float = 120) -> int:
        """Press keys and read to the end; the exit code.

        Ctrl-C is pressed again until it counts: Python loses a signal that comes between the prompt
        of `input` and the wait for an answer."""
        self.press(keys)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ready, _, _ = select.select([self._mine], [], [], 2)
            if ready and not self._read():
                break
            if not ready and keys == "\x03":
                with suppress(OSError):  # it has ended meanwhile
                    self.press(keys)
        code = self.process.wait(30)
        os.close(self._mine)
        return code

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(30)
        os.close(self._mine)


def _own_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it


def editor(path: Path, script: str) -> str:
    """An editor that runs a shell script over the file it is given."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)

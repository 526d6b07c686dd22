"""Reads git objects through a single `git cat-file` process."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from weakref import finalize

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.process import death_message, end_process, start_process


class Object(Struct, frozen=True):
    """An object in the repository. `size` is in bytes."""

    oid: str
    type: str
    size: int


class Objects:
    """Looks up and reads git objects through a single `git cat-file` process. Needs git 2.36 or
    newer."""

    def __init__(self, command: list[str], cwd: str, env: Mapping[str, str]) -> None:
        self._command = [*command, "cat-file", "--batch-command"]
        self._cwd, self._env = cwd, dict(env)
        self._process = self._start()
        self._known: dict[str, Object | None] = {}
        self.died = ""
        """The message that git was killed, or an empty string."""
        self.ambiguous: set[str] = set()
        self.unavailable: set[str] = set()
        """Names of objects that only a promisor remote has and that are missing in this clone."""

    def _start(self) -> subprocess.Popen[bytes]:
        process = start_process(self._command, self._cwd, self._env, subprocess.PIPE)
        # A caller that forgets `close` must not leave git running: Python warned of it in the
        # middle of whatever ran when the garbage collector found the process.
        finalize(self, end_process, process)
        return process

    def _ask(self, verb: str, names: list[str]) -> Iterator[str]:
        """Yields the header line that git prints for each name, or an empty string if git ended at
        this name. The caller reads the content after the header. git 2.39 ends at the name of a
        missing promised object; a new git process continues with the next name."""
        at = 0
        while at < len(names):
            process = self._process
            stdin, stdout = process.stdin, process.stdout
            assert stdin is not None
            assert stdout is not None
            # The responses for a chunk of names fit into the pipe, so there is no deadlock.
            chunk = names[at : at + 256]
            with contextlib.suppress(BrokenPipeError):
                lines = "".join(f"{verb} {n}\n" for n in chunk)
                stdin.write(lines.encode(errors="surrogateescape"))
                stdin.flush()
            for name in chunk:
                at += 1
                line = stdout.readline().decode(errors="surrogateescape")
                if not line.endswith("\n"):
                    self._restart(name)
                    yield ""
                    break
                yield line.rstrip("\n")
                if self._process is not process:
                    break

    def _restart(self, name: str) -> None:
        self.close()
        self.died = death_message(self._process.returncode, "cat-file")
        if self.died:
            self._process = self._start()
            raise GroundedIngestError(self.died)
        probe = subprocess.run(
            self._command, cwd=self._cwd, env=self._env, input=b"", capture_output=True, check=False
        )
        if probe.returncode:
            line = os.fsdecode(probe.stderr).strip().partition("\n")[0]
            raise GroundedIngestError(
                f"git cat-file stopped: {line}", "grounded-ingest needs git 2.36 or newer"
            )
        self.unavailable.add(name)
        self._process = self._start()

    def look_up(self, names: Iterable[str]) -> None:
        """Looks up many objects at once, so that later calls to `get` do not ask git."""
        new = [n for n in dict.fromkeys(names) if n not in self._known and _can_be_asked(n)]
        for name, header in zip(new, self._ask("info", new), strict=True):
            words = header.rsplit(" ", 2)
            is_object = len(words) == 3 and words[2].isdigit() and len(words[0]) in (40, 64)
            self._known[name] = Object(words[0], words[1], int(words[2])) if is_object else None
            if not is_object and header.endswith(" ambiguous"):
                self.ambiguous.add(name)

    def get(self, name: str) -> Object | None:
        """Returns the object that a revision expression names. Returns None if there is none."""
        self.look_up([name])
        return self._known.get(name)

    def read(self, oid: str) -> bytes | None:
        """Returns the content of an object. Returns None if the object is not in this clone."""
        return self.read_many([oid]).get(oid)

    def read_many(self, oids: Iterable[str]) -> dict[str, bytes | None]:
        """Returns the contents of objects. All contents together must fit into memory."""
        wanted = [o for o in dict.fromkeys(oids) if _can_be_asked(o)]
        found: dict[str, bytes | None] = dict.fromkeys(wanted)
        for oid, header in zip(wanted, self._ask("contents", wanted), strict=True):
            words = header.rsplit(" ", 2)
            if len(words) == 3 and words[2].isdigit():
                stdout = self._process.stdout
                assert stdout is not None
                content = stdout.read(int(words[2]))
                if stdout.read(1):
                    found[oid] = content
                else:  # git ended in the middle of the content.
                    self._restart(oid)
        return found

    def commit(self, oid: str) -> tuple[str, str]:
        """Returns the header and the message of a commit. Both are empty if it is missing."""
        text = (self.read(oid) or b"").decode(errors="replace")
        header, _, message = text.partition("\n\n")
        return header, message

    def close(self) -> None:
        if self._process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


def _can_be_asked(name: str) -> bool:
    """Returns whether a name can be a line of git's input: it has no line feed and no lone
    surrogate, which UTF-8 cannot encode."""
    if not name or "\n" in name:
        return False
    try:
        name.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return False
    return True

"""How git is run, and one process that answers all questions about objects. Part of the git edge.

No hook, filter, textconv, pager, fsmonitor or network transport of the repository is run.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError

HARDENED = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
    "-c", "core.untrackedCache=false", "-c", "log.showSignature=false",
)  # fmt: skip
_LOCATION = (
    "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_PREFIX", "GIT_NAMESPACE",
)  # fmt: skip
_KEPT = ("GIT_CONFIG", "GIT_CEILING", "GIT_DISCOVERY", "GIT_EXEC_PATH")


class Object(NamedTuple):
    """An object that exists. `size` in bytes."""

    oid: str
    type: str
    size: int


def environment(*, own: bool) -> dict[str, str]:
    """The environment git runs in. `own`: keep where hooks say the repository and index are."""
    kept = _LOCATION if own else ()
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in kept or name.startswith(_KEPT)
    }
    return env | {
        "LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_PAGER": "cat",
        "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
        "GIT_GRAFT_FILE": os.devnull,
    }  # fmt: skip


def with_config(env: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """Environment variables that set configuration values; names may hold any character."""
    count = int(env.get("GIT_CONFIG_COUNT") or 0)
    pairs = enumerate(values.items(), count)
    set_ = {
        f"GIT_CONFIG_{w}_{n}": v
        for n, kv in pairs
        for w, v in zip(("KEY", "VALUE"), kv, strict=True)
    }
    return set_ | {"GIT_CONFIG_COUNT": str(count + len(values))} if values else {}


def failure(stderr: str, where: str) -> GroundedIngestError:
    text = stderr.strip()
    if "dubious ownership" in text:
        return GroundedIngestError(
            f"git refuses {where}: it belongs to another user",
            "run: git config --global --add safe.directory " + os.path.abspath(where),
        )
    if "not a git repository" in text:
        return GroundedIngestError(f"{where} is not in a git repository", "run: git init")
    return GroundedIngestError(f"git failed in {where}: {text.splitlines()[-1] if text else '?'}")


class Objects:
    """All questions about objects, answered by one `git cat-file` process (git >= 2.36)."""

    def __init__(self, command: list[str], cwd: str, env: Mapping[str, str]) -> None:
        self._command = [*command, "cat-file", "--batch-command"]
        self._cwd, self._env = cwd, dict(env)
        self._process = self._start()
        self._known: dict[str, Object | None] = {}
        self.ambiguous: set[str] = set()
        self.unavailable: set[str] = set()
        """Names of objects that a promisor remote holds and this clone lacks."""

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command, cwd=self._cwd, env=self._env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def _ask(self, verb: str, names: list[str]) -> Iterator[str]:
        """Yield the header line for each name, empty where git gave up on it; the caller reads
        what follows. git 2.39 ends the process when a promised object is absent: go on after it."""
        at = 0
        while at < len(names):
            stdin, stdout = self._process.stdin, self._process.stdout
            assert stdin is not None
            assert stdout is not None
            chunk = names[at : at + 256]  # answers of a chunk fit the pipe: no deadlock
            try:
                stdin.write(
                    "".join(f"{verb} {n}\n" for n in chunk).encode(errors="surrogateescape")
                )
                stdin.flush()
            except BrokenPipeError:
                pass
            for name in chunk:
                at += 1
                line = stdout.readline().decode(errors="surrogateescape")
                if not line:
                    self._restart(name)
                    yield ""
                    break
                yield line.rstrip("\n")

    def _restart(self, name: str) -> None:
        self.close()
        probe = subprocess.run(
            self._command, cwd=self._cwd, env=self._env, input=b"", capture_output=True, check=False
        )
        if probe.returncode:
            raise GroundedIngestError(
                f"git cat-file stopped: {os.fsdecode(probe.stderr).strip().splitlines()[:1]}",
                "grounded-ingest needs git 2.36 or newer",
            )
        self.unavailable.add(name)
        self._process = self._start()

    def look_up(self, names: Iterable[str]) -> None:
        """Ask for many objects at once, so that `get` answers from memory."""
        new = [n for n in dict.fromkeys(names) if n not in self._known and "\n" not in n and n]
        for name, header in zip(new, self._ask("info", new), strict=True):
            words = header.rsplit(" ", 2)
            is_object = len(words) == 3 and words[2].isdigit() and len(words[0]) in (40, 64)
            self._known[name] = Object(words[0], words[1], int(words[2])) if is_object else None
            if not is_object and header.endswith(" ambiguous"):
                self.ambiguous.add(name)

    def get(self, name: str) -> Object | None:
        """The object a revision expression names, or None."""
        self.look_up([name])
        return self._known.get(name)

    def read(self, oid: str) -> bytes | None:
        """The content of an object, None where it is missing (partial clones)."""
        if not oid or "\n" in oid:
            return None
        stdout = self._process.stdout
        assert stdout is not None
        for header in self._ask("contents", [oid]):
            words = header.rsplit(" ", 2)
            if len(words) == 3 and words[2].isdigit():
                content = stdout.read(int(words[2]))
                stdout.read(1)
                return content
        return None

    def close(self) -> None:
        if self._process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

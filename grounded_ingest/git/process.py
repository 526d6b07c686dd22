"""Starts git processes in a restricted environment.

No hook, filter, textconv, pager, fsmonitor or network transport from the repository is run."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Generator, Mapping
from typing import IO
from weakref import finalize

from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError

# `fetch.bundleURI`: git 2.40 to 2.44.0 downloads this URL when git fetches a missing object. The
# download comes before git checks which transports are allowed.
GIT = (
    "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "core.quotePath=false", "-c", "core.untrackedCache=false",
    "-c", "log.showSignature=false", "-c", "fetch.bundleURI=",
    # If the user has set these options, our commands would print other output or refuse to run.
    "-c", "format.pretty=medium", "-c", "log.date=default", "-c", "log.showRoot=true",
    "-c", "diff.renames=true", "-c", f"diff.orderFile={os.devnull}", "-c", "color.ui=false",
    "-c", "color.grep=false", "-c", "color.diff=false", "-c", "core.abbrev=auto",
    "-c", "core.bigFileThreshold=512m", "-c", "i18n.logOutputEncoding=UTF-8",
)  # fmt: skip
"""The beginning of every git command line, including the commands that GitPython runs."""
LOCATION = (
    "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_PREFIX", "GIT_NAMESPACE",
)  # fmt: skip
WHERE = (
    "rev-parse", "--is-bare-repository", "--is-shallow-repository", "--absolute-git-dir",
    "--git-common-dir", "--show-object-format", "--show-toplevel",
)  # fmt: skip
"""The arguments of the git command that prints where a repository is. `read_place` parses the
output."""
_KEPT = ("GIT_CONFIG_", "GIT_CEILING", "GIT_DISCOVERY", "GIT_EXEC_PATH")


def environment(*, own: bool) -> dict[str, str]:
    """Returns the environment variables for git. If `own` is true, keeps the variables that tell a
    hook where the repository and its index are.

    Drops `GIT_CONFIG`, because with it `git config` reads only the named file and not the user's
    own file, which contains the grants (`grounded-ingest.grant`). For git versions without
    `GIT_NO_LAZY_FETCH`, sets `GIT_ALLOW_PROTOCOL` to a transport that does not exist. The
    transport's name is random, because a repository can define a transport with any known name:
    with the name "none", `url = none::x` and `alias.remote-none = !script` ran the script."""
    kept = LOCATION if own else ()
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in kept or name.startswith(_KEPT)
    }
    return env | {
        "LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_PAGER": "cat",
        "GIT_ALLOW_PROTOCOL": os.urandom(16).hex(), "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_GRAFT_FILE": os.devnull,
    }  # fmt: skip


def with_config(env: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """Returns environment variables that set git configuration values. The names of the values may
    contain any character."""
    count = int(env.get("GIT_CONFIG_COUNT") or 0)
    pairs = enumerate(values.items(), count)
    found = {"GIT_CONFIG_COUNT": str(count + len(values))} if values else {}
    for number, (name, value) in pairs:
        found |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def failure(stderr: str, where: str) -> GroundedIngestError:
    """Returns the error for git's error output. For a common cause, the error has a hint."""
    text = stderr.strip()
    if "index.lock': File exists" in text:
        return GroundedIngestError(
            text.splitlines()[0], "if no other git process is running, remove this lock file"
        )
    # The second text comes from git 2.36.
    if "dubious ownership" in text or "unsafe repository" in text:
        return GroundedIngestError(
            f"git refuses {where}: it belongs to another user",
            "run: git config --global --add safe.directory " + os.path.abspath(where),
        )
    if "not a git repository" in text:
        return GroundedIngestError(f"{where} is not in a git repository", "run: git init")
    lines = text.splitlines() or ["?"]
    why = next((w for w in lines if w.startswith(("error: ", "fatal: "))), lines[-1])
    return GroundedIngestError(f"git failed in {where}: {why}")


class RepositoryPlace(Struct, frozen=True):
    """The location and the kind of a repository."""

    bare: bool
    shallow: bool
    git_dir: str
    common_dir: str
    object_format: str
    root: str


def read_place(output: bytes, where: str) -> RepositoryPlace:
    """Parses the output of `git rev-parse` with the arguments `WHERE`, run in `where`.

    Relative paths in the output start at this directory. Raises ValueError if lines are missing."""
    lines = os.fsdecode(output).splitlines()
    if len(lines) < 5:
        raise ValueError(where)
    bare = lines[0] == "true" or len(lines) < 6
    common = os.path.abspath(os.path.join(where, lines[3]))
    root = lines[2] if bare else lines[5]
    return RepositoryPlace(bare, lines[1] == "true", lines[2], common, lines[4], root)


_BROKEN_PIPE = -13


def death_message(code: int, command: str) -> str:
    """Returns a message if the exit code shows that git was killed, else an empty string.

    A death by a broken pipe (SIGPIPE) does not count as killed. SIGPIPE is sent if an old git,
    which does not know `GIT_NO_LAZY_FETCH`, starts a fetch that is refused."""
    return f"git {command} was killed (signal {-code})" if code < 0 and code != _BROKEN_PIPE else ""


def start_quietly(
    command: list[str], cwd: str, env: Mapping[str, str], stdin: bytes = b""
) -> subprocess.Popen[bytes]:
    """Starts a command. The caller reads its output, and its error output is discarded."""
    if not stdin:
        return start_process(command, cwd, env, subprocess.DEVNULL)
    import tempfile  # Most runs do not need this module.

    # A pipe for the input could block a command that writes output before it has read its input.
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        return start_process(command, cwd, env, given)


def start_process(
    command: list[str],
    cwd: str,
    env: Mapping[str, str],
    stdin: int | IO[bytes],
    stderr: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Starts a command, whose output the caller reads."""
    return subprocess.Popen(
        command, cwd=cwd, env=env, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr
    )


def stream(
    command: list[str], cwd: str, env: Mapping[str, str], stdin: bytes = b""
) -> Generator[bytes, None, int]:
    """Yields the output of a command as it arrives, and returns its exit code. Kills the command if
    the caller stops reading."""
    process = start_quietly(command, cwd, env, stdin)
    assert process.stdout is not None
    try:
        while part := os.read(process.stdout.fileno(), 1 << 16):
            yield part
        return process.wait()
    finally:
        process.kill()
        process.communicate()


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Kills a process, closes its pipes and waits for its end. Does nothing if the process has
    already ended."""
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


class EarlyCommands:
    """Git commands that start before their output is needed, so that git works while Python imports
    modules. If such a command fails, `Repo.run` runs it again."""

    def __init__(self, command: list[str], cwd: str, env: Mapping[str, str]) -> None:
        self._command, self._cwd, self._env = command, cwd, env
        self._running: dict[tuple[str, ...], subprocess.Popen[bytes]] = {}

    def start(self, *args: str) -> None:
        command = [*self._command, *args]
        process = start_process(
            command, self._cwd, self._env, subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        finalize(self, end_process, process)
        self._running[args] = process

    def finish(self, *args: str) -> tuple[int, bytes, bytes] | None:
        """Waits for a command that `start` started, and returns its exit code, output and error
        output. Returns None if the command was not started, or if its result was already returned.
        """
        process = self._running.pop(args, None)
        if process is None:
            return None
        out, err = process.communicate()
        return process.returncode, out, err

    def stop(self) -> None:
        """Kills the started commands for which `finish` was not called."""
        for process in self._running.values():
            end_process(process)
        self._running.clear()

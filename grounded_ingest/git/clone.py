"""Bare, partial clones in a cache, made with the credentials of the user's own git. Part of the git
edge."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from contextlib import suppress
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.process import HARDENED

LARGEST_BLOB = "1m"
"""Files beyond it are not fetched: no text that is judged is as large."""
_HEAD = "+HEAD:refs/heads/grounded-ingest-head"
_PROTOCOLS = "https:ssh:git:http:file"


class CloneLimits(NamedTuple):
    """Seconds by the clock, and megabytes of one pack."""

    seconds: float
    megabytes: int


def clone(url: str, directory: str, limits: CloneLimits) -> None:
    """Bring a bare clone up to date, or make it. Nothing is left where one could not be made.
    Raises GroundedIngestError."""
    if url.startswith("-"):
        raise GroundedIngestError(f"not a URL: {url}")
    if os.path.isdir(directory):
        _git(["-C", directory, "remote", "set-url", "origin", "--", url], limits)
        _fetch(directory, limits)
        return
    new = f"{directory}.new"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(os.path.dirname(directory), exist_ok=True)
    try:
        _git(
            [
                "clone", "--bare", "--quiet", "--single-branch", "--no-tags", "--template=",
                f"--filter=blob:limit={LARGEST_BLOB}", "--", url, new,
            ],
            limits,
        )  # fmt: skip
    except GroundedIngestError:
        shutil.rmtree(new, ignore_errors=True)
        raise
    os.replace(new, directory)


def _fetch(directory: str, limits: CloneLimits) -> None:
    _git(["-C", directory, "fetch", "--quiet", "--no-tags", "--force", "origin", _HEAD], limits)
    _git(["-C", directory, "symbolic-ref", "HEAD", _HEAD.partition(":")[2]], limits)


def _git(args: list[str], limits: CloneLimits) -> None:
    """Run git with the user's own configuration and helpers; it asks nobody at a terminal."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_DIR")} | {
        "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": _PROTOCOLS, "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }  # fmt: skip

    process = subprocess.Popen(
        ["git", *HARDENED, "-c", "protocol.ext.allow=never", "-c", "core.askPass=true", *args],
        env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limits.megabytes << 20,) * 2)
    try:
        _, err = process.communicate(timeout=limits.seconds)
    except subprocess.TimeoutExpired:
        raise GroundedIngestError(f"git {args[0]} took more than {limits.seconds:g} s") from None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    if process.returncode:
        said = [line for line in os.fsdecode(err).splitlines() if line.strip()]
        raise GroundedIngestError(
            f"git: {said[-1] if said else f'ended with {process.returncode}'}"
        )

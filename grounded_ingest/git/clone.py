"""Bare, partial clones in a cache, made with the credentials of the user's own git. Part of the git
edge."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.process import GIT, LOCATION, with_config
from grounded_ingest.text.patterns import compiled

LARGEST_BLOB = "1m"
"""Files beyond it are not fetched: no text that is judged is as large."""
_BRANCH = "refs/heads/grounded-ingest-head"
"""The local branch for the HEAD of a remote whose HEAD is on no branch."""
_USER = compiled(r"(?<=://)[^/@\s]*@")
_PLAIN = (
    *GIT, "-c", "core.askPass=", "-c", "credential.interactive=false",
    "-c", "clone.defaultRemoteName=origin", "-c", "gc.autoDetach=false",
    "-c", "maintenance.autoDetach=false",
)  # fmt: skip


def without_user(url: str) -> str:
    """Returns a text with URLs without their user names, passwords and tokens."""
    return _USER.sub("", url)


def clone(url: str, directory: str) -> None:
    """Fetches into a bare clone, or makes it. Leaves nothing behind if it cannot be made. Raises
    GroundedIngestError."""
    if url.startswith("-"):
        raise GroundedIngestError(f"not a URL: {url}")
    os.makedirs(os.path.dirname(directory), exist_ok=True)
    with open(f"{directory}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another run may have the same cache
        if os.path.isdir(directory):
            _fetch(url, directory)
        else:
            _make(url, directory)


def _make(url: str, directory: str) -> None:
    new = f"{directory}.new"
    shutil.rmtree(new, ignore_errors=True)
    try:
        _git(
            url, "clone", "--bare", "--quiet", "--single-branch", "--no-tags", "--template=",
            f"--filter=blob:limit={LARGEST_BLOB}", "--", without_user(url), new,
        )  # fmt: skip
    except GroundedIngestError:
        shutil.rmtree(new, ignore_errors=True)
        raise
    os.replace(new, directory)


def _fetch(url: str, directory: str) -> None:
    _tidy(directory)
    with open(f"{directory}/HEAD", encoding="utf-8") as file:
        _, symbolic, branch = file.read().strip().partition("ref: ")
    branch = branch if symbolic else _BRANCH
    at = ("-C", directory)
    _git(url, *at, "fetch", "--quiet", "--no-tags", "--force", "origin", f"+HEAD:{branch}")
    _git(url, *at, "symbolic-ref", "HEAD", branch)


def _tidy(directory: str) -> None:
    """Removes the locks and incomplete packs that an interrupted git left."""
    for at, _, names in os.walk(directory):
        for name in names:
            if name.endswith(".lock") or name.startswith("tmp_"):
                os.remove(f"{at}/{name}")


def _git(url: str, *args: str) -> None:
    """Runs git with the user's own configuration and credential helpers, without a prompt. A user
    or password in the URL goes to git through its environment: no file and no list of processes
    shows it."""
    env = {n: v for n, v in os.environ.items() if n not in LOCATION}
    env |= {
        "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "https:ssh:git:http:file", "LC_ALL": "C",
        "GCM_INTERACTIVE": "never", "SSH_ASKPASS_REQUIRE": "never",
    }  # fmt: skip
    if (plain := without_user(url)) != url and not url.startswith("ssh:"):
        env |= with_config(env, {f"url.{url}.insteadOf": plain})
    done = subprocess.run(
        [*_PLAIN, *args], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    if done.returncode:
        said = [line for line in os.fsdecode(done.stderr).splitlines() if line.strip()]
        raise GroundedIngestError(
            f"git: {without_user(said[-1]) if said else f'ended with {done.returncode}'}"
        )

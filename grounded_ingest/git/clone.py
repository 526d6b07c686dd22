"""Makes bare, partial clones in a cache directory, with the credentials from the user's own git.

Used by the fleet commands.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.process import GIT, LOCATION, with_config
from grounded_ingest.text.patterns import compiled

LARGEST_BLOB = "1m"
"""Size limit for fetched files. Larger files are not fetched, because no text of this size is
judged.
"""
_BRANCH = "refs/heads/grounded-ingest-head"
"""Local branch name for a remote HEAD that is not on a branch."""
_USER = compiled(r"(?<=://)[^/@\s]*@")
_PLAIN = (
    *GIT, "-c", "core.askPass=", "-c", "credential.interactive=false",
    "-c", "clone.defaultRemoteName=origin", "-c", "gc.autoDetach=false",
    "-c", "maintenance.autoDetach=false",
)  # fmt: skip


def without_user(url: str) -> str:
    """Returns the text with user names, passwords and tokens removed from all URLs."""
    return _USER.sub("", url)


def clone(url: str, directory: str) -> None:
    """Creates a bare clone of `url` in `directory`, or fetches into an existing one.

    Raises GroundedIngestError if git fails. A failed new clone is removed.
    """
    if url.startswith("-"):
        raise GroundedIngestError(f"`{url}` is not a URL that can be cloned")
    os.makedirs(os.path.dirname(directory), exist_ok=True)
    with open(f"{directory}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Another run may use the same cache.
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
    """Removes the lock files and incomplete packs that an interrupted git process left."""
    for at, _, names in os.walk(directory):
        for name in names:
            if name.endswith(".lock") or name.startswith("tmp_"):
                os.remove(f"{at}/{name}")


def _git(url: str, *args: str) -> None:
    """Runs git with the user's own configuration and credential helpers, and without a prompt.

    A user name or password in the URL is passed to git in environment variables. So the password
    does not appear in a file or in the process list.
    """
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

"""Fetches the commits that are missing in a shallow checkout, from the remote `origin`."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from contextlib import ExitStack, suppress

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.process import with_config
from grounded_ingest.git.repository import Repo
from grounded_ingest.repository.judging_config import configured_base
from grounded_ingest.repository.scope import Asked

TIMEOUT_S = 300.0
_REMOTE = "origin"


class History:
    """Reads the commits of a clone, and fetches missing commits from its remote. Accepts a fetched
    commit only if the commit shares history with HEAD, because a forge such as GitHub also serves
    the commits of forks. `failed` is the error message of the last fetch, or empty."""

    def __init__(self, where: str, *, server: str = "", token: str = "") -> None:
        self._where, self._server, self._token = where, server.rstrip("/"), token
        self._open = ExitStack()
        self._repo = self._open.enter_context(Repo(where))
        self.failed = ""

    def close(self) -> None:
        self._open.close()

    @property
    def head(self) -> str:
        return self._repo.head()

    @property
    def shallow(self) -> bool:
        return self._repo.shallow

    def deepen(self) -> bool:
        """Fetches the whole history of HEAD. Returns whether the clone is now complete."""
        if self.shallow and self.head:
            self._fetch("--unshallow", self.head)  # by commit id, because the branch may have moved
        if self.shallow and self.head:
            self._fetch("--unshallow")
        return not self.shallow

    def have(self, commit: str) -> bool:
        """Fetches a commit if the commit is missing. Returns whether the commit exists and shares
        history with HEAD."""
        if not self._find(commit):
            self._fetch(*(["--depth=1"] if self.shallow else []), commit)
        return bool(self._find(commit)) and self._ours(commit)

    def revision(self, name: str) -> str:
        """Returns the commit id of a remote branch, a tag or a commit, or an empty string."""
        if name.startswith("-"):
            return ""
        known = self._find(f"refs/remotes/{_REMOTE}/{name}") or self._find(name)
        if found := known or self.branch(name):
            return found
        if self._fetch(name):  # if the fetch failed, FETCH_HEAD is an old one
            found = self._find("FETCH_HEAD")
        return found if found and self._ours(found) else ""

    def _ours(self, commit: str) -> bool:
        """Returns whether a commit shares history with HEAD. Returns true for a clone that is still
        shallow, because the history is then unknown. The check then reports that the base commit is
        unknown."""
        return self.shallow or bool(self.merge_base(commit))

    def branch(self, name: str) -> str:
        """Fetches the newest commit on a remote branch if it is missing, and returns it. Returns an
        empty string if the branch does not exist."""
        ref = f"refs/remotes/{_REMOTE}/{name}"
        if not self._find(ref):
            self._fetch(f"+refs/heads/{name}:{ref}")
        return self._find(ref)

    def merge_base(self, commit: str, other: str = "") -> str:
        """Returns the merge base of a commit and another one, by default HEAD, or ""."""
        other = other or self.head
        return self._repo.merge_base(other, commit) if other else ""

    def configured_base(self, before: str) -> str:
        """Returns the setting `base` (the base branch) from the configuration file at the commit
        `before`."""
        return configured_base(self._repo, Asked("all", before=before))

    def _find(self, name: str) -> str:
        with suppress(GroundedIngestError):
            return self._repo.commit(name)
        return ""

    def _fetch(self, *what: str) -> bool:
        options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-commit-graph")
        env = {**self._repo.env, "GIT_ALLOW_PROTOCOL": "https:http:ssh:file"}
        env |= with_config(env, self._credentials())
        try:
            self._repo.run("fetch", *options, _REMOTE, *what, timeout=TIMEOUT_S, env=env)
        except GroundedIngestError as error:
            self.failed = str(error.args[0])
        else:
            self.failed = ""
        self._open.close()  # the old Repo caches which commits are missing
        self._repo = self._open.enter_context(Repo(self._where))
        return not self.failed

    def _credentials(self) -> Mapping[str, str]:
        """Returns the git configuration that sends the token to the server. Returns an empty
        mapping if the checkout already configured credentials."""
        key = f"http.{self._server}/.extraheader"
        if not (self._token and self._server) or self._repo.run(
            "config", "--get-all", key, ok=(0, 1)
        ):
            return {}
        word = base64.b64encode(f"x-access-token:{self._token}".encode()).decode()
        # git must not follow a redirect, which would send the token to another server.
        return {key: f"AUTHORIZATION: basic {word}", "http.followRedirects": "false"}

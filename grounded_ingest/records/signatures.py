"""Approvals that are signed: who put a line into a log, proved by a key that base lists."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple

from grounded_ingest.config.settings import Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.records.authority import agent_signs, is_agent
from grounded_ingest.records.review_log import Review, log_path, read_lines

SSH_KEYS, GPG_KEYS = ".grounded/allowed_signers", ".grounded/allowed_keys.asc"
"""On base: ssh-keygen's allowed signers (ALLOWED SIGNERS in ssh-keygen(1)), and armored public
keys, whose addresses are those of their identities."""

UNSIGNED = "not signed by a key that base lists"
TOO_NEW = "its key was on base only with it or after it: approve again"
_FORMAT = "--format=%H%x00%G?%x00%GS%x00%GP"
_PROGRAMS = (
    "-c", "gpg.program=gpg", "-c", "gpg.openpgp.program=gpg", "-c", "gpg.ssh.program=ssh-keygen",
    "-c", "gpg.x509.program=false", "-c", "gpg.ssh.revocationFile=",
    "-c", "gpg.minTrustLevel=undefined",
)  # fmt: skip


class Signer(NamedTuple):
    """Whose key signed a commit: addresses or patterns of them. None: no such key."""

    addresses: tuple[str, ...] = ()


class _Keys(NamedTuple):
    """The contents of both key files; None where there is no such file."""

    ssh: bytes | None
    gpg: bytes | None


class Signatures:
    """Signatures of the commits after `start` (of all history, where it is empty) up to `end`.

    `base` holds the keys that count. Of approvals that have landed (`end` is base's own commit) a
    key counts only if base also listed it before they landed: a change that brings a key and an
    approval signed with it would vouch for itself.
    """

    def __init__(self, repo: Repo, start: str, end: str, base: CommitTree, config: Config) -> None:
        self.repo, self.start, self.end, self.base = repo, start, end, base
        self.agents = config.agents
        self._adding: dict[str, dict[Review, list[str]]] = {}
        self._signers: dict[str, Signer] = {}
        self._too_new: set[str] = set()

    def objection(self, document: str, given: Review) -> str:
        """Why no signature stands behind an approval; empty where one does."""
        commits = self._commits(document).get(given, [])
        self._verify(commits)
        reasons = [self._against(commit, given) for commit in commits]
        return "" if "" in reasons else next(iter(reasons), UNSIGNED)

    def _against(self, commit: str, given: Review) -> str:
        signer = self._signers.get(commit, Signer())
        if not signer.addresses:
            return TOO_NEW if commit in self._too_new else UNSIGNED
        text = (self.repo.objects.read(commit) or b"").decode(errors="replace")
        head, _, message = text.partition("\n\n")
        if sign := agent_signs(message, self.agents):
            return f"its commit names an agent ({sign})"
        written = re.findall(r"(?m)^(?:author|committer) (.*?) ?<([^>\n]*)>", head)
        if any(is_agent(address, name, self.agents) for name, address in written):
            return "its commit is an agent's"
        reviewer = given.reviewer.casefold()
        if not any(fnmatchcase(reviewer, a.casefold()) for a in signer.addresses):
            return f"signed by {', '.join(signer.addresses)}, not by its reviewer"
        return ""

    def _commits(self, document: str) -> dict[Review, list[str]]:
        """Which commits put a line into the log: it stands in none of their parents."""
        if document not in self._adding:
            log = log_path(document)
            revisions = f"{self.start}..{self.end}" if self.start else self.end
            out = self.repo.run(
                "--literal-pathspecs", "log", "--full-history", "-m", "--format=%H", revisions,
                "--", log,
            )  # fmt: skip
            found: dict[Review, list[str]] = {}
            for commit in dict.fromkeys(out.decode().split()):
                for line in self._added(commit, log):
                    found.setdefault(line, []).append(commit)
            self._adding[document] = found
        return self._adding[document]

    def _added(self, commit: str, log: str) -> set[Review]:
        header = (self.repo.objects.read(commit) or b"").partition(b"\n\n")[0].decode("latin-1")
        parents = re.findall(r"(?m)^parent ([0-9a-f]+)$", header)
        return self._lines(commit, log).difference(*(self._lines(p, log) for p in parents))

    def _lines(self, commit: str, log: str) -> set[Review]:
        content = self.repo.objects.read(f"{commit}:{log}")
        try:
            return set(read_lines(content or b"", log))
        except GroundedIngestError:
            return set()

    def _verify(self, commits: Iterable[str]) -> None:
        new = [c for c in commits if c not in self._signers]
        if not new:
            return
        now = _keys(self.base)
        self._signers |= dict.fromkeys(new, Signer()) | self._signed_by(now, new)
        if self.end != self.base.commit:
            return
        for commit in new:
            known = self._signers[commit].addresses
            before = self._keys_before(commit) if known else now
            if before == now:
                continue
            then = self._signed_by(before, [commit]).get(commit, Signer()).addresses
            self._signers[commit] = Signer(tuple(a for a in known if a in then))
            if not self._signers[commit].addresses:
                self._too_new.add(commit)

    def _signed_by(self, keys: _Keys, commits: list[str]) -> dict[str, Signer]:
        """Who of these keys signed each of the commits; those that none did are left out."""
        found: dict[str, Signer] = {}
        if keys == _Keys(None, None):
            return found
        with (
            _file(keys.ssh or b"") as allowed,
            keyring(keys.gpg or b"", self.repo.env) as (home, known),
        ):
            out = self.repo.run(
                *_PROGRAMS, "-c", f"gpg.ssh.allowedSignersFile={allowed}", "log", "--no-walk",
                _FORMAT, *commits, env={**self.repo.env, "GNUPGHOME": home},
            )  # fmt: skip
        for row in os.fsdecode(out).splitlines():
            commit, state, signer, primary = row.split("\0")
            if primary in known and state in "GU":  # a fresh keyring trusts nobody by itself
                found[commit] = Signer(tuple(sorted(known[primary])))
            elif state == "G" and signer and primary not in known:
                found[commit] = Signer(tuple(signer.split(",")))
        return found

    def _keys_before(self, commit: str) -> _Keys:
        """The keys that base listed before a commit landed there.

        Base's own steps are its first parents. A step that holds the commit landed with it or
        after it, so the newest step that changed the keys and does not hold it tells.
        """
        for step in self._key_steps:
            if self.repo.merge_base(commit, step) != commit:
                return _keys(CommitTree(self.repo, step))
        return _Keys(None, None)

    @cached_property
    def _key_steps(self) -> list[str]:
        """The steps of base that changed a key file, newest first."""
        out = self.repo.run(
            "--literal-pathspecs", "log", "--first-parent", "-m", "--format=%H",
            self.base.commit, "--", SSH_KEYS, GPG_KEYS,
        )  # fmt: skip
        return out.decode().split()


def _keys(tree: Tree) -> _Keys:
    return _Keys(*(tree.read(p) if tree.has(p) else None for p in (SSH_KEYS, GPG_KEYS)))


@contextmanager
def _file(content: bytes) -> Iterator[str]:
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(prefix="grounded-", delete=False) as file:
        file.write(content)
    try:
        yield file.name
    finally:
        os.unlink(file.name)


_ADDRESS = re.compile(r"<([^<>\s]+)>|^([^<>\s]+@[^<>\s]+)$")


@contextmanager
def keyring(armored: bytes, env: Mapping[str, str]) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """A GNUPGHOME for the time being, and the addresses of each key by its fingerprint.

    Empty without keys, and where gpg is not installed or reads none of them.
    """
    with tempfile.TemporaryDirectory(prefix="grounded-") as home:
        os.chmod(home, 0o700)
        # From 2.4 on a new home starts a key daemon unless it says otherwise.
        with open(f"{home}/common.conf", "xb"):
            pass
        if armored:
            _gpg(home, env, "--import", stdin=armored)
        listed = _gpg(home, env, "--list-keys", "--with-colons") if armored else ""
        yield home, _addresses(listed)


def _gpg(home: str, env: Mapping[str, str], *args: str, stdin: bytes = b"") -> str:
    try:
        done = subprocess.run(
            ["gpg", "--homedir", home, "--batch", "--no-tty", "--no-autostart", *args],
            env={**env, "GNUPGHOME": home}, input=stdin, capture_output=True, check=False,
            timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace")


def _addresses(listing: str) -> dict[str, set[str]]:
    """Rows of colons: `pub`, its `fpr`, its `uid`s. Revoked and expired identities are left out."""
    found: dict[str, set[str]] = {}
    key, primary = "", False
    for row in listing.splitlines():
        fields = row.split(":")
        match fields[0]:
            case "pub":
                primary = True
            case "sub":
                primary = False
            case "fpr" if primary:
                key, primary = fields[9], False
                found[key] = set()
            case "uid" if key and fields[1] not in ("r", "e"):
                at = _ADDRESS.search(fields[9])
                if at:
                    found[key].add((at[1] or at[2]).casefold())
    return found

"""Checks signatures of approvals: whether a key that the base branch lists signed the commit that
added a log line."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import NamedTuple

from grounded_ingest.config.settings import Config
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Claim, Place
from grounded_ingest.records.authority import (
    Authority,
    Authorship,
    Person,
    agent_signs,
    forge_names,
    is_agent,
)
from grounded_ingest.records.review_log import Objection, Review, lines_at, log_path

SSH_KEYS, GPG_KEYS = ".grounded/allowed_signers", ".grounded/allowed_keys.asc"
"""Paths of the key files on the base branch.

The first is an allowed-signers file for SSH keys (ALLOWED SIGNERS in ssh-keygen(1)). The second
contains armored public keys, which count for the addresses in their identities."""

UNSIGNED = "the approval is not signed with a key that the base branch lists"
TOO_NEW = "the key was not on the base branch before the approval: approve the claim again"
_FORMAT = "--format=%H%x00%G?%x00%GS%x00%GP"
# A clone's git configuration must not choose the programs that verify its signatures.
_PROGRAMS = (
    "-c", "gpg.program=gpg", "-c", "gpg.openpgp.program=gpg", "-c", "gpg.ssh.program=ssh-keygen",
    "-c", "gpg.x509.program=false", "-c", "gpg.ssh.revocationFile=",
    "-c", "gpg.minTrustLevel=undefined",
)  # fmt: skip


class _Keys(NamedTuple):
    """The contents of both key files. A field is None if the file does not exist."""

    ssh: bytes | None
    gpg: bytes | None


class Signatures:
    """Checks the signatures of commits after `start` up to `end`. An empty `start` means the whole
    history.

    The keys are those on `base`. If `end` is the base commit, a key counts only if the base branch
    listed the key before it contained the approval. So a change cannot add a key together with an
    approval signed by this key."""

    def __init__(self, repo: Repo, start: str, end: str, base: CommitTree, config: Config) -> None:
        self.repo, self.start, self.end, self.base = repo, start, end, base
        self.agents = config.agents
        self._adding_commits = cache(self._find_adding_commits)
        self._signers: dict[str, tuple[str, ...]] = {}
        """Maps each commit to the addresses, or address patterns, of the key that signed it. Empty
        if the key is not known."""
        self._too_new: set[str] = set()

    def objection(self, document: str, review: Review) -> str:
        """Returns the reason why no signature supports an approval, or an empty string."""
        commits = self._adding_commits(document).get(review, [])
        self._verify(commits)
        reasons = [self._why_not_by(commit, review) for commit in commits]
        return "" if "" in reasons else next(iter(reasons), UNSIGNED)

    def _why_not_by(self, commit: str, review: Review) -> str:
        signers = self._signers.get(commit, ())
        if not signers:
            return TOO_NEW if commit in self._too_new else UNSIGNED
        head, message = self.repo.objects.commit(commit)
        if sign := agent_signs(message, self.agents):
            return f"the commit with the approval names an agent ({sign})"
        written = re.findall(r"(?m)^(?:author|committer) (.*?) ?<([^>\n]*)>", head)
        if any(is_agent(address, name, self.agents) for name, address in written):
            return "the commit with the approval has an agent as its author"
        reviewer = review.reviewer.casefold()
        if not any(fnmatchcase(reviewer, a.casefold()) for a in signers):
            return f"the approval is signed by {', '.join(signers)}, not by its reviewer"
        return ""

    def _find_adding_commits(self, document: str) -> dict[Review, list[str]]:
        """Returns the commits that added each line to the log. A commit added a line if none of its
        parents has the line."""
        log = log_path(document)
        revisions = f"{self.start}..{self.end}" if self.start else self.end
        # `-m` includes merges, because a merge commit can add a line that is in neither parent.
        out = self.repo.run(
            "--literal-pathspecs", "log", "--full-history", "-m", "--format=%H", revisions,
            "--", log,
        )  # fmt: skip
        found: dict[Review, list[str]] = {}
        for commit in dict.fromkeys(out.decode().split()):
            for line in self._added_lines(commit, log):
                found.setdefault(line, []).append(commit)
        return found

    def _added_lines(self, commit: str, log: str) -> set[Review]:
        header, _ = self.repo.objects.commit(commit)
        parents = re.findall(r"(?m)^parent ([0-9a-f]+)$", header)
        lines, *before = (lines_at(self.repo, f"{c}:{log}", log) for c in (commit, *parents))
        return lines.difference(*before)

    def _verify(self, commits: Iterable[str]) -> None:
        new = [c for c in commits if c not in self._signers]
        if not new:
            return
        now = _keys(self.base)
        self._signers |= dict.fromkeys(new, ()) | self._signed_by(now, new)
        # In a commit range, the keys on the base branch are older than the range's approvals.
        if self.end != self.base.commit:
            return
        for commit in new:
            known = self._signers[commit]
            before = self._keys_before(commit) if known else now
            if before == now:
                continue
            then = self._signed_by(before, [commit]).get(commit, ())
            self._signers[commit] = tuple(a for a in known if a in then)
            if not self._signers[commit]:
                self._too_new.add(commit)

    def _signed_by(self, keys: _Keys, commits: list[str]) -> dict[str, tuple[str, ...]]:
        """Returns the addresses whose key signed each commit. Leaves out commits without a known
        key."""
        found: dict[str, tuple[str, ...]] = {}
        if keys == _Keys(None, None):
            return found
        with keyring(keys.gpg or b"", self.repo.env) as (home, known):
            allowed = f"{home}/allowed_signers"
            with open(allowed, "xb") as file:
                file.write(keys.ssh or b"")
            out = self.repo.run(
                *_PROGRAMS, "-c", f"gpg.ssh.allowedSignersFile={allowed}", "log", "--no-walk",
                _FORMAT, *commits, env={**self.repo.env, "GNUPGHOME": home},
            )  # fmt: skip
        for row in os.fsdecode(out).splitlines():
            commit, state, signer, primary = row.split("\0")
            if primary in known and state in "GU":  # A new keyring trusts no key by itself.
                found[commit] = tuple(sorted(known[primary]))
            elif state == "G" and signer and primary not in known:
                found[commit] = tuple(signer.split(","))
        return found

    def _keys_before(self, commit: str) -> _Keys:
        """Returns the keys that the base branch listed before it contained a commit.

        Looks for the newest commit on the base branch (first parents only) that changed a key file
        and does not contain `commit`. Returns the keys in that commit."""
        for step in self._key_changes:
            if self.repo.merge_base(commit, step) != commit:
                return _keys(CommitTree(self.repo, step))
        return _Keys(None, None)

    @cached_property
    def _key_changes(self) -> list[str]:
        out = self.repo.run(
            "--literal-pathspecs", "log", "--first-parent", "-m", "--format=%H",
            self.base.commit, "--", SSH_KEYS, GPG_KEYS,
        )  # fmt: skip
        return out.decode().split()


def range_objection(
    signatures: Signatures,
    authority: Authority,
    authorship: Authorship,
    claims_of: Callable[[str], Sequence[Claim]],
) -> Objection:
    """Returns the function that decides about approvals in a range. `claims_of` returns the claims
    in a document at the end of the range."""

    def objection(place: Place, review: Review) -> str:
        path, person = place.path, Person(review.reviewer)
        if authority.is_agent(review.reviewer):
            return "an agent must not approve claims"
        if why := signatures.objection(path, review):
            return why
        if not authority.may_review(path, person):
            named = authority.owners(path).named_in
            return f"{person.address} may not approve claims in this document ({named})"
        authors = authorship.of(path, place.claim.key, claims_of(path))
        wrote = bool(person.names & forge_names(authors.addresses))
        if wrote and authority.has_other_owners(path, person):
            return f"{person.address} wrote the claim, so another owner has to approve it"
        return ""

    return objection


def _keys(tree: Tree) -> _Keys:
    return _Keys(*(tree.read(p) if tree.has(p) else None for p in (SSH_KEYS, GPG_KEYS)))


_ADDRESS = re.compile(r"<([^<>\s]+)>|^([^<>\s]+@[^<>\s]+)$")


@contextmanager
def keyring(armored: bytes, env: Mapping[str, str]) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """Creates a temporary GNUPGHOME that contains the public keys in `armored`.

    Yields its path, and the e-mail addresses of each key by fingerprint. There are no addresses if
    gpg is not installed or cannot read the keys."""
    with tempfile.TemporaryDirectory(prefix="grounded-") as home:
        os.chmod(home, 0o700)
        # From gpg 2.4 on, a new home directory starts a key daemon unless this file exists.
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
    """Parses the output of `gpg --with-colons`: the rows `pub`, `fpr` and `uid` for each key.
    Leaves out revoked and expired identities."""
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

"""Who wrote a claim, and when: git blame of HEAD, by document."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Claim, ClaimKey
from grounded_ingest.text.patterns import compiled

_ROW = compiled(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")
_CO_AUTHOR = compiled(r"(?im)^co-authored-by:[^\n<]*<([^>\n]+)>")


class ClaimAuthors(NamedTuple):
    """Authors' addresses, the latest first, co-authors last; the latest's name, and its time in
    epoch seconds. Nothing where no commit holds the claim yet."""

    addresses: tuple[str, ...] = ()
    name: str = ""
    at: float = 0.0


class Authorship:
    """Asks once per document. `claims_of` are the claims of a document at the commit."""

    def __init__(self, repo: Repo, commit: str) -> None:
        self.repo, self.commit = repo, commit
        self._lines: dict[str, dict[int, str]] = {}
        self._commits: dict[str, ClaimAuthors] = {}

    def of(self, path: str, key: ClaimKey, claims: Iterable[Claim]) -> ClaimAuthors:
        """Who wrote the claim of this key; `claims` are the document's at the commit."""
        claim = next((c for c in claims if c.key == key), None)
        if claim is None or not self.commit:
            return ClaimAuthors()
        lines = self._blamed(path)
        commits = {lines[n] for n in range(claim.line, claim.end_line + 1) if n in lines}
        written = sorted((self._commit(c) for c in commits), key=lambda w: -w.at)
        if not written:
            return ClaimAuthors()
        addresses = dict.fromkeys(a for w in written for a in w.addresses)
        return ClaimAuthors(tuple(addresses), written[0].name, written[0].at)

    def _blamed(self, path: str) -> dict[int, str]:
        if path not in self._lines:
            out = self.repo.run(
                "-c", "blame.ignoreRevsFile=", "blame", "--no-textconv", "--porcelain",
                self.commit, "--", path,
            )  # fmt: skip
            rows = (_ROW.match(row) for row in os.fsdecode(out).split("\n"))
            self._lines[path] = {int(row[2]): row[1] for row in rows if row}
        return self._lines[path]

    def _commit(self, oid: str) -> ClaimAuthors:
        if oid not in self._commits:
            text = (self.repo.objects.read(oid) or b"").decode(errors="replace")
            head, _, message = text.partition("\n\n")
            found = re.search(r"(?m)^author (.*?) ?<([^>\n]*)> (\d+)", head)
            name, address, at = found.groups() if found else ("", "", "0")
            others = _CO_AUTHOR.findall(message)
            addresses = tuple(a.casefold() for a in (address, *others) if a)
            self._commits[oid] = ClaimAuthors(addresses, name, float(at))
        return self._commits[oid]

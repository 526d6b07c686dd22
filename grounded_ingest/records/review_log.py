"""The review log: what people decided about claims. Only what stands on base approves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import ClaimKey
from grounded_ingest.model.digests import NOT_JSON, sha256
from grounded_ingest.records.sidecar import DIRECTORY as EVIDENCE
from grounded_ingest.records.sidecar import evidence_path

DIRECTORY = ".grounded/reviews"

ReviewAction = Literal["approve", "reject", "revoke"]


SCHEME = "1"
"""What a digest is taken of. Raised when a document that is what it was may yield another context:
approvals of former schemes are held against base's history instead (docs/decisions/review.md)."""


class Review(Struct, frozen=True, omit_defaults=True):
    """One line of a review log. `claim` is its text and `context` what it was read with, as
    (kind, text), the outermost first; `digest` is over both, behind its scheme. `owner` is the name
    on the forge by which the reviewer was permitted."""

    id: str
    section: str
    action: ReviewAction
    reviewer: str
    reviewed_at: str
    reason: str = ""
    ordinal: int = 0
    claim: str = ""
    digest: str = ""
    context: tuple[tuple[str, str], ...] = ()
    owner: str = ""

    @property
    def recorded(self) -> bool:
        """Whether the line says what was read."""
        return self.digest.startswith(f"{SCHEME}:")

    @property
    def time(self) -> str:
        """What orders lines: ISO 8601, UTC, sorts as text without its last letter."""
        return self.reviewed_at.removesuffix("Z")

    @property
    def key(self) -> ClaimKey:
        return (self.section, self.id, self.ordinal)


def digest_of(text: str, context: str) -> str:
    """The full digest of what is read: a claim's text and the digest of its frame."""
    read = f"{context}\0{text}".encode("utf-8", "surrogatepass")
    return f"{SCHEME}:{sha256(read).hexdigest()}"


def log_path(document: str) -> str:
    """Where a document's review log lies, safe on the file systems that evidence is safe on."""
    return DIRECTORY + evidence_path(document)[len(EVIDENCE) :]


class BrokenLine(NamedTuple):
    """A line of a log that cannot be read, from 1, and why."""

    number: int
    why: str


def readable_lines(content: bytes) -> tuple[list[Review], list[BrokenLine]]:
    """Returns the lines of a log in order, and those that cannot be read."""
    decoder = msgspec.json.Decoder(Review)
    lines, broken = [], []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            lines.append(decoder.decode(line))
        except NOT_JSON as error:
            broken.append(BrokenLine(number, f"not a line of a review log: {error}"))
    return lines, broken


def read_lines(content: bytes, path: str) -> list[Review]:
    """Returns the lines of a log in order. Raises GroundedIngestError if one cannot be read."""
    lines, broken = readable_lines(content)
    if broken:
        raise GroundedIngestError(
            f"{path}:{broken[0].number}: {broken[0].why}",
            "mend or remove the line; approvals are not guessed",
        )
    return lines


def last_actions(lines: Iterable[Review]) -> dict[ClaimKey, Review]:
    """The action that holds per claim: the last one.

    Merged logs hold the lines of one side behind those of the other, whatever their times, and
    times are what somebody wrote. Where last line and latest one differ, the stricter holds.
    """
    last: dict[ClaimKey, Review] = {}
    latest: dict[ClaimKey, Review] = {}
    for line in lines:
        last[line.key] = line
        if line.key not in latest or latest[line.key].time <= line.time:
            latest[line.key] = line
    return {k: max(one, latest[k], key=lambda r: _STRICT[r.action]) for k, one in last.items()}


_STRICT = {"approve": 0, "revoke": 1, "reject": 2}


def approvals(lines: Sequence[Review]) -> dict[ClaimKey, tuple[Review, ...]]:
    """Approvals per claim that nothing took back."""
    held: dict[ClaimKey, tuple[Review, ...]] = {}
    for line in lines:
        held[line.key] = (*held.get(line.key, ()), line) if line.action == "approve" else ()
    last = last_actions(lines)
    return {k: given for k, given in held.items() if given and last[k].action == "approve"}

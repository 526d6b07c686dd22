"""The review log: what people decided about claims. Only what stands on base approves."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError

DIRECTORY = ".grounded/reviews"

ClaimKey = tuple[str, str, int]


class Review(Struct, frozen=True, omit_defaults=True):
    """One line of a review log."""

    id: str
    section: str
    action: Literal["approve", "reject", "revoke"]
    reviewer: str
    reviewed_at: str
    reason: str = ""
    ordinal: int = 0
    claim: str = ""

    @property
    def key(self) -> ClaimKey:
        return (self.section, self.id, self.ordinal)


def read_log(content: bytes, path: str) -> dict[ClaimKey, Review]:
    """The last action per claim. Raises GroundedIngestError naming the line that cannot be read."""
    decoder = msgspec.json.Decoder(Review)
    last: dict[ClaimKey, Review] = {}
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            review = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise GroundedIngestError(
                f"{path}:{number}: not a line of a review log: {error}",
                "mend or remove the line; approvals are not guessed",
            ) from None
        last[review.key] = review
    return last

"""The baseline: findings that a repository accepts, one a line (docs/decisions/deciding.md)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.digests import NOT_JSON

AcceptedKey = tuple[str, str, str]
"""What a finding is known by, wherever its line moves: path, rule and id."""


class Accepted(Struct, frozen=True, omit_defaults=True):
    """A finding of a baseline. `id` is its claim's, or a digest of its message where it is of no
    claim; `text` is for those who read the file."""

    path: str
    rule: str
    id: str
    text: str = ""

    @property
    def key(self) -> AcceptedKey:
        return (self.path, self.rule, self.id)


def parse_baseline(content: bytes, name: str) -> list[Accepted]:
    """The entries of a file. Raises GroundedIngestError that names file and line."""
    found = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=Accepted))
        except NOT_JSON:
            raise GroundedIngestError(
                f"{name}:{number}: no entry of a baseline; --update-baseline derives the file anew"
            ) from None
    return found


def baseline_text(entries: Iterable[Accepted]) -> bytes:
    """The file: sorted, so that it changes only where findings do."""
    lines = [msgspec.json.encode(e) for e in sorted(entries, key=lambda e: (*e.key, e.text))]
    return b"".join(line + b"\n" for line in lines)

"""Where the text of a source stands, so that it can be read and compared with a claim."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Origin(Struct, frozen=True, omit_defaults=True):
    """The text behind a confirmed citation.

    `path` is from the root, for a `page` its URL and for an `issue` its target. `lines` are
    (first, last), 1-based; `anchor` is the section of Markdown that is meant. `commit` is the cited
    one, or the one whose tree holds the path (empty: the tree after the change, or base, by who may
    bear witness)."""

    kind: Literal["file", "adr", "commit", "page", "issue"]
    path: str = ""
    lines: tuple[int, int] | None = None
    commit: str = ""
    anchor: str = ""

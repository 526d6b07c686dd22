"""The text behind a citation, as a judge reads it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SourceKind = Literal["lines", "file", "adr", "commit", "issue", "page", "section", "text"]


class SourceText(Struct, frozen=True):
    """One source. `line` is the number of the first line of `text` (1-based). `cited` are the first
    and last cited line, where `text` also shows the lines around them. `enclosing` are the lines of
    the definitions or the heading around the cited lines. `title` belongs to an ADR, issue or page;
    `paths` and `diff` to a commit, whose message is `text`.
    """

    kind: SourceKind
    text: str
    path: str = ""
    line: int = 1
    cited: tuple[int, int] | None = None
    enclosing: tuple[str, ...] = ()
    title: str = ""
    paths: tuple[str, ...] = ()
    diff: str = ""

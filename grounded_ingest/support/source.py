"""What a claim is compared with, and what comes of it: the types alone."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from grounded_ingest.model.claims import Strength, Support

SourceKind = Literal["lines", "file", "adr", "commit", "issue", "page", "section", "text"]


class SourceText(Struct, frozen=True):
    """One source, fetched by others.

    `line` is the number of the first line of `text`; `cited` the lines that are cited, of `text`
    with its surroundings. `enclosing` are the lines of the definitions around them. `title` is of
    an ADR, issue or page, `paths`, `diff` and `dates` (of author and committer) of a commit, whose
    message is `text`. `code` says
    that `text` is source code or configuration, `whole` that `diff` is not cut.
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
    dates: tuple[str, ...] = ()
    whole: bool = True
    code: bool = False


class SourceVerdict(Struct, frozen=True):
    """What one source says of one claim.

    `quote` is the passage that bears it out or contradicts it, `line` to `end_line` its place (0:
    the source has no lines), `differs` says in words what is not there or otherwise. `confidence`
    is how surely the claim is supported, 0 to 1. `strict`: one sentence, line or definition holds
    every number, identifier and path of the claim and half of its other words, or most of it is
    there and half of its heaviest clause in one. `strength` is of what is supported; `paraphrase`:
    nothing speaks against it but that too few of its words stand in one place.
    """

    support: Support
    strict: bool = False
    quote: str = ""
    line: int = 0
    end_line: int = 0
    differs: str = ""
    confidence: float = 0.0
    coverage: float = 0.0
    strength: Strength | None = None
    paraphrase: bool = False


LONGEST = 2500
"""Characters of a claim that is compared; comparing takes the square of them."""

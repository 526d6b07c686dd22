"""What a file once held: the last commit that took a text out of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo

REWRITES = 4


class TextRemoval(NamedTuple):
    """The abbreviated commit that took a text out, and the file's text before and after it."""

    commit: str
    before: str
    after: str


def last_removal(repo: Repo, path: str, needle: str) -> TextRemoval | None:
    """Returns the last commit of HEAD's history that changed how often `needle` stands in a file,
    if it removed one; None if there is none, or if this clone lacks what git needs to tell."""
    try:
        out = repo.run(
            "--literal-pathspecs", "-c", "core.abbrev=12", "log", "-1", "--format=%h",
            "--no-renames", f"-S{needle}", "HEAD", "--", path,
        )  # fmt: skip
    except GroundedIngestError:
        return None
    commit = out.decode().strip()
    if not commit:
        return None
    before, after = (_text(repo, f"{at}:{path}") for at in (f"{commit}^", commit))
    return (
        TextRemoval(commit, before, after) if before.count(needle) > after.count(needle) else None
    )


def rewrites(repo: Repo, path: str, pattern: str) -> Iterator[TextRemoval]:
    """Yields the newest commits of HEAD's history, `REWRITES` at most, that changed a line of a
    file which `pattern` matches: an extended regular expression, in any case."""
    try:
        out = repo.run(
            "--literal-pathspecs", "-c", "core.abbrev=12", "log", f"-{REWRITES}", "--format=%h",
            "--no-renames", "-E", "-i", f"-G{pattern}", "HEAD", "--", path,
        )  # fmt: skip
    except GroundedIngestError:
        return
    for commit in out.decode().split():
        before, after = (_text(repo, f"{at}:{path}") for at in (f"{commit}^", commit))
        yield TextRemoval(commit, before, after)


def _text(repo: Repo, revision: str) -> str:
    found = repo.objects.get(revision)
    content = repo.objects.read(found.oid) if found else None
    return (content or b"").decode(errors="replace")

"""Reads the cited texts for a judge model. Each text has a maximum length and is read once.

Files and decision records (ADRs) are read from the base branch, so that a change cannot write the
text that the judge model sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from grounded_ingest.code.definitions import definitions_in, has_parser
from grounded_ingest.extract.heading_anchors import forge_slug
from grounded_ingest.git.commit_text import commit_text
from grounded_ingest.git.trees import LARGEST, CommitTree, Tree, text_of
from grounded_ingest.model.claims import Origin
from grounded_ingest.references.context import Context
from grounded_ingest.text.patterns import compiled

SourceKind = Literal["lines", "file", "adr", "commit", "section", "proof", "text"]


class SourceText(Struct, frozen=True):
    """The text that a citation refers to.

    `line` is the number of the first line of `text`, counted from 1. `cited` is the first and the
    last cited line. `enclosing` lists the definitions or the heading around the cited lines.

    If `kind` is `proof`, each line of `text` is an assertion that holds in the repository.

    `title` is the title of an ADR. For a commit, `text` is the message, and `paths` and `diff`
    describe the change.
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


AROUND = 4
"""Number of lines shown before and after the cited lines."""
SECTION = 400
"""Maximum number of lines above the cited lines that are searched for a heading."""

_ITEM = compiled(r"^#{1,6}\s+(.*?)\s*#*\s*$")


def lines_excerpt(path: str, text: str, first: int, last: int) -> SourceText:
    """Returns the lines `first` to `last` of a file, counted from 1. The excerpt includes a few
    lines before and after, and the enclosing definitions or heading."""
    rows = _rows(text)
    first, last = max(1, first), min(max(first, last), len(rows))
    start, end = max(1, first - AROUND), min(len(rows), last + AROUND)
    near = "\n".join(rows[start - 1 : end])
    over = _definitions_over(path, text, first) if has_parser(path) else _headings(rows, first)
    return SourceText("lines", near, path, start, (first, last), over)


@lru_cache(maxsize=16)
def _rows(text: str) -> Sequence[str]:
    return tuple(text.split("\n"))


def section_excerpt(path: str, text: str, anchor: str) -> SourceText | None:
    """Returns the Markdown section that an anchor names. Returns None if no heading has the
    anchor."""
    rows = text.split("\n")
    wanted, headings = anchor.lower(), list(_titles(rows))
    for place, (number, depth, title) in enumerate(headings):
        if forge_slug(title) == wanted:
            behind = (n for n, other, _ in headings[place + 1 :] if other <= depth)
            shown = "\n".join(rows[number : next(behind, len(rows))])
            return SourceText("section", shown, path, number + 1, title=title)
    return None


def _titles(rows: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yields the index, the level and the text of each heading. Lines in code blocks are not
    headings."""
    fenced = False
    for number, row in enumerate(rows):
        if row.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and (heading := _ITEM.match(row)):
            yield number, len(row) - len(row.lstrip("#")), heading[1]


def _definitions_over(path: str, text: str, line: int) -> tuple[str, ...]:
    """Returns the first line of each definition around a line, outermost first. Lines are counted
    from 1."""
    rows = _rows(text)
    around = [d for d in definitions_in(path, text) or () if d.line < line <= d.end_line]
    return tuple(rows[d.line - 1].strip() for d in sorted(around, key=lambda d: d.line))


def _headings(rows: Sequence[str], first: int) -> tuple[str, ...]:
    above = reversed(rows[max(0, first - 1 - SECTION) : first - 1])
    return next(((m[1],) for row in above if (m := _ITEM.match(row))), ())


WHOLE = 100_000
"""Maximum size in bytes of a file that is read in full."""


class UnreadError(Exception):
    """Reports that the text of a citation cannot be read. The message is the reason."""


class Sources:
    """The cited texts in one run. Each text is read once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._read: dict[Origin, SourceText | UnreadError] = {}

    def of(self, origin: Origin) -> SourceText:
        """Returns the text that a citation refers to. Raises UnreadError if the text cannot be
        read."""
        if origin not in self._read:
            try:
                self._read[origin] = self._of(origin)
            except UnreadError as why:
                self._read[origin] = why
        kept = self._read[origin]
        if isinstance(kept, UnreadError):
            raise kept
        return kept

    def _of(self, origin: Origin) -> SourceText:
        match origin.kind:
            case "commit":
                return self._commit(origin.commit)
            case "adr":
                text = self._text(self._base, origin.path)
                title = next((m[1] for row in text.split("\n") if (m := _ITEM.match(row))), "")
                return SourceText("adr", text, origin.path, title=title)
            case "file":
                return self._file(origin)

    @property
    def _base(self) -> Tree:
        return self._context.base.tree

    def _commit(self, commit: str) -> SourceText:
        found = commit_text(self._context.repo, commit)
        if found is None:
            raise UnreadError("the commit is not in this clone")
        return SourceText("commit", found.message, paths=found.paths, diff=found.diff)

    def _file(self, origin: Origin) -> SourceText:
        path, lines = origin.path, origin.lines
        tree = CommitTree(self._context.repo, origin.commit) if origin.commit else self._base
        if not origin.commit and tree.entry(path) != self._context.tree.entry(path):
            raise UnreadError("the base branch has another version of the file")
        text = self._text(tree, path, LARGEST if lines else WHOLE)
        if lines is not None:
            return lines_excerpt(path, text, *lines)
        section = section_excerpt(path, text, origin.anchor) if origin.anchor else None
        return section or SourceText("file", text, path)

    def _text(self, tree: Tree, path: str, largest: int = LARGEST) -> str:
        if tree.size(path) > largest:
            raise UnreadError("the file is too large to read")
        text = text_of(tree, path)
        if text is None:
            raise UnreadError("the file is not in this clone, or is not text")
        if text.startswith("version https://git-lfs"):
            raise UnreadError("the file is stored in Git LFS")
        return text.removeprefix("\ufeff")

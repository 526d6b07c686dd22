"""Directory trees that a document draws in its code blocks, as paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from posixpath import join, normpath

from msgspec import Struct

from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.extract.shell_blocks import CodeBlock, code_blocks
from grounded_ingest.text.patterns import compiled

DRAWN = ("├", "└", "|--", "+--", "`--", "\\--")
"""Signs by which a text may draw a tree; one of them stands in each that is drawn with signs."""
_BRANCH = compiled(r"(?P<left>[\s│┃|]*)(?:[├└┣┗╰][─━-]*|[|+`\\]-{2,})[ \t\u00a0]*(?P<name>\S.*)$")
_TRUNK = compiled(r"[\s│┃|]*$")
_INDENTED = compiled(r"(?P<left>[ \t]*)(?P<name>\S.*)$")
_COMMENT = compiled(r"(?:\s+(?:#|//|<-|←|→|->|=>|--?|—|–|\(|:)|\s{2,}|\t)\s*(?P<said>.*)$")
_NAME = compiled(r"[\w@.+$()\[\]~/-]*\w[\w@.+$()\[\]~/-]*$")
_OPEN = compiled(r"[*<>{}…]|\.\.\.|(?:^|[/_.-])(?:Y{2,4}|N{2,}|X{2,}|x{3,})(?=[/_.-]|$)")
_OUTSIDE = ("/", "~", "$", "..")
_INDENTED_LANGUAGES = ("", "text", "plaintext", "txt", "tree")
_FEWEST = 3
"""Lines of the shortest list that is a tree by its indentation alone."""


class DrawnEntry(Struct, frozen=True):
    """One line of a tree: `path` below its root, with a slash if it is drawn as a directory;
    `line` (1-based) of the document; `comment` is what the drawing says beside it."""

    path: str
    line: int
    comment: str


class DrawnTree(Struct, frozen=True):
    """A tree whose entries lie below `root`, as its first line gives it; empty if that is no name
    or there is none. `section` and `lead` stand over it."""

    root: str
    line: int
    entries: tuple[DrawnEntry, ...]
    section: str
    lead: str


class DrawnRow(Struct):
    """A line of a tree: the column its name belongs to, -1 for a root; `open` if its name is
    a placeholder."""

    column: int
    name: str
    line: int
    comment: str
    open: bool = False


def drawn_trees(text: str) -> Iterator[DrawnTree]:
    """Yields the trees of files that the code blocks of a document draw."""
    for block in code_blocks(text):
        for rows in _split(_rows_of(block)):
            root = rows[0] if rows[0].column < 0 else None
            entries = tuple(_joined(rows[1:] if root else rows))
            if entries and not (root and root.open):
                name = root.name if root else ""
                yield DrawnTree(name, rows[0].line, entries, block.section, block.lead)


def _rows_of(block: CodeBlock) -> list[DrawnRow]:
    """The lines of a block that draws trees of files; none if it shows something else."""
    lines = [row.rstrip() for row in block.text.split("\n")]
    signs = any(sign in block.text for sign in DRAWN)
    if not signs and (block.language not in _INDENTED_LANGUAGES or len(lines) < _FEWEST):
        return []
    found = (_drawn if signs else _indented)(lines, block.line)
    named = [row for row in found if row.column >= 0 and row.name]
    branches = sum(row.column >= 0 for row in found)
    return found if named and 2 * len(named) > branches and (signs or len(found) > 2) else []


def _drawn(lines: Sequence[str], first: int) -> list[DrawnRow]:
    """Rows of a tree drawn with signs; text without any sign is the root of what follows it."""
    found: list[DrawnRow] = []
    for number, text in enumerate(lines, first):
        if m := _BRANCH.match(text):
            found.append(_row(len(m["left"].expandtabs(4)), m["name"], number))
        elif text.strip() and not _TRUNK.match(text) and text.strip()[0] not in "│┃|":
            root = _row(-1, text.strip(), number)
            root.open = not root.name and " " not in text.strip()
            found.append(root)
    return found


def _indented(lines: Sequence[str], first: int) -> list[DrawnRow]:
    """Rows of a list below a line `name/` that is indented as a tree; none if a line is no name."""
    found: list[DrawnRow] = []
    for number, text in enumerate(lines, first):
        m = _INDENTED.match(text)
        if not m:
            continue
        column = len(m["left"].expandtabs(4))
        row = _row(column if column else -1, m["name"], number)
        if not row.name and not row.open:
            return []
        is_root = column == 0 and row.name.endswith("/")
        if not is_root and (column == 0 or not (row.open or _is_file(row.name))):
            return []
        found.append(row)
    return found


def _is_file(name: str) -> bool:
    return name.endswith("/") or looks_like_path(name) or "." in name[1:]


def _row(column: int, text: str, line: int) -> DrawnRow:
    """A line with its name, which is empty if it names no single file or directory."""
    comment = _COMMENT.search(text)
    name = text[: comment.start()] if comment else text
    said = comment["said"] if comment else ""
    if " " in name:  # "main.py The entry point" has a name in front, "two workers" has none
        name, _, said = name.partition(" ")
        name = name if _is_file(name) else ""
    name = name.strip("`'\",").removesuffix(":")
    whole = text.strip()
    shown = "→" in text or "->" in text.replace("-->", "")
    if _OPEN.search(name) or shown or name in ("..", ""):
        return DrawnRow(column, "", line, said, open=bool(_OPEN.search(whole)) or shown)
    plain = name in (".", "/") or (_NAME.match(name) and "//" not in name)
    return DrawnRow(column, name if plain else "", line, said)


def _split(rows: Sequence[DrawnRow]) -> Iterator[list[DrawnRow]]:
    """Rows by the root they stand below."""
    tree: list[DrawnRow] = []
    for row in rows:
        if row.column < 0 and tree:
            yield tree
            tree = []
        tree.append(row)
    if tree:
        yield tree


def _joined(rows: Sequence[DrawnRow]) -> Iterator[DrawnEntry]:
    """Entries with their paths below the root: names joined along the columns. What stands below a
    placeholder or a file is no entry."""
    above: list[tuple[int, str | None]] = [(-1, "")]
    for row, behind in zip_longest(rows, rows[1:]):
        while above[-1][0] >= row.column:
            above.pop()
        parent = above[-1][1]
        holds = behind is not None and behind.column > row.column
        if parent is None or not row.name or row.name.startswith(_OUTSIDE):
            above.append((row.column, None))
            continue
        path = normpath(join(parent, row.name))
        is_file = looks_like_path(path) and not row.name.endswith("/")
        above.append((row.column, None if is_file else path))
        slash = "/" if row.name.endswith("/") or (holds and not is_file) else ""
        yield DrawnEntry(f"{path}{slash}", row.line, row.comment)

"""Code blocks of a Markdown document: shell commands, drawn trees of files, and prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from posixpath import join, normpath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.extract.passage import Draft, Passage
from grounded_ingest.extract.positions import Excerpt
from grounded_ingest.text.lexicon import manifest_words as words_of
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_text

LARGEST = 20_000
"""Characters of the largest block that is read."""


class CodeBlock(Struct, frozen=True):
    """A code block whose text begins at `line` (1-based). `language` is the first word of its
    fence, empty for none and for indented blocks. `lead` is the paragraph before the block."""

    text: str
    line: int
    language: str
    lead: str
    section: str


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """Yields the code blocks of a document, without those that are too long."""
    if "`" * 3 not in text and "~~~" not in text and "\n    " not in text:
        return
    import pyromark  # late: few documents of a run have code blocks that are looked at

    events: Any = pyromark.events_with_range(text, options=pyromark.Options.ENABLE_GFM)
    reader = _BlockReader(text.encode())
    for event, at in events:
        found = reader.read(event, at["start"])
        if found is not None and len(found.text) <= LARGEST:
            yield found


class _BlockReader:
    """Takes parser events one by one, and returns each code block at its end."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.headings: list[tuple[int, str]] = []
        self.block: list[str] | None = None
        self.words: list[str] = []
        self.lead = self.language = ""
        self.start = -1

    def read(self, event: Any, at: int) -> CodeBlock | None:
        if isinstance(event, str):
            self.words.append(" ")
            return None
        (name, value), *_ = event.items()
        kind = value if isinstance(value, str) else next(iter(value), "") if value else ""
        if name == "Start":
            self._open(kind, value)
        elif name == "End":
            return self._close(kind, value)
        elif name in ("Text", "Code") and self.block is None:
            self.words.append(value)
        elif name == "Text" and self.block is not None:
            self.start = at if self.start < 0 else self.start
            self.block.append(value)
        return None

    def _open(self, kind: str, value: Any) -> None:
        if kind == "CodeBlock":
            language = fence_of(value["CodeBlock"]).strip().lower()
            self.language = language.replace("{", " ").replace(",", " ").split(" ")[0]
            self.block, self.start = [], -1
        elif kind in ("Paragraph", "Heading", "Item"):
            self.words = []

    def _close(self, kind: str, value: Any) -> CodeBlock | None:
        words = "".join(self.words).strip()
        if kind == "CodeBlock" and self.block is not None:
            section = " > ".join(title for _, title in self.headings)
            line = self.source.count(b"\n", 0, max(self.start, 0)) + 1
            found = CodeBlock("".join(self.block), line, self.language, self.lead, section)
            self.block, self.lead = None, ""
            return found if self.start >= 0 else None
        if kind == "Heading":
            level = int(value["Heading"][1])
            while self.headings and self.headings[-1][0] >= level:
                self.headings.pop()
            self.headings.append((level, words))
            self.lead = ""
        elif kind == "Paragraph":
            self.lead = words
        return None


def fence_of(detail: object) -> str:
    """Returns the text behind the fence of a block, as the parser tells it: `Indented` or
    `{"Fenced": …}`."""
    return str(detail.get("Fenced", "")) if isinstance(detail, dict) else ""


_SHELLS = frozenset(words_of.SHELLS.split())
_PROMPT = compiled(r"(?m)^[ \t]*[$%❯] ")


def shell_blocks(text: str) -> Iterator[CodeBlock]:
    """Yields the blocks in the language of a shell or in none. Where lines have prompts, the
    others are output and become empty."""
    for block in code_blocks(text):
        if block.language and block.language not in _SHELLS:
            continue
        if _PROMPT.search(block.text):
            rows = block.text.split("\n")
            commands = (row.replace("❯", "$", 1) if _PROMPT.match(row) else "" for row in rows)
            yield replace(block, text="\n".join(commands))
        else:
            yield block


DRAWN = ("├", "└", "|--", "+--", "`--", "\\--")
"""The signs of drawn trees; each tree that is drawn with signs has one of them."""
# "│   ├── name", "|-- name", "+-- name".
_BRANCH = compiled(r"(?P<left>[\s│┃|]*)(?:[├└┣┗╰][─━-]*|[|+`\\]-{2,})[ \t\u00a0]*(?P<name>\S.*)$")
_TRUNK = compiled(r"[\s│┃|]*$")
_INDENTED = compiled(r"(?P<left>[ \t]*)(?P<name>\S.*)$")
# "main.py  # the entry", "main.py — the entry", "old.py → new.py".
_COMMENT = compiled(r"(?:\s+(?:#|//|<-|←|→|->|=>|--?|—|–|\(|:)|\s{2,}|\t)\s*(?P<text>.*)$")
_NAME = compiled(r"[\w@.+$()\[\]~/-]*\w[\w@.+$()\[\]~/-]*$")
_OPEN = compiled(r"[*<>{}…]|\.\.\.|(?:^|[/_.-])(?:Y{2,4}|N{2,}|X{2,}|x{3,})(?=[/_.-]|$)")
"""Placeholders: `*`, `<name>`, `…`, `YYYY`."""
_OUTSIDE = ("/", "~", "$", "..")
_TREE_LANGUAGES = ("", "text", "plaintext", "txt", "tree")
"""Languages of blocks that may be trees by their indentation alone."""
_FEWEST = 3
"""Lines of the shortest list that is a tree by its indentation alone."""


class DrawnEntry(Struct, frozen=True):
    """One line of a tree: `path` below the root of the tree, with a slash for a directory; `line`
    (1-based) of the document; `comment`, the text beside the name."""

    path: str
    line: int
    comment: str


class DrawnTree(Struct, frozen=True):
    """A tree with the name of its `root`, as its first line gives it; empty if it gives none.
    `section` and `lead` stand above the tree."""

    root: str
    line: int
    entries: tuple[DrawnEntry, ...]
    section: str
    lead: str


class DrawnRow(Struct):
    """A line of a tree: the column of its name, -1 for a root. `open`: the name is a
    placeholder."""

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
            entries = tuple(_entries(rows[1:] if root else rows))
            if entries and not (root and root.open):
                name = root.name if root else ""
                yield DrawnTree(name, rows[0].line, entries, block.section, block.lead)


def _rows_of(block: CodeBlock) -> list[DrawnRow]:
    """Returns the lines of a block that draws trees of files; none for other blocks."""
    lines = [row.rstrip() for row in block.text.split("\n")]
    signs = any(sign in block.text for sign in DRAWN)
    if not signs and (block.language not in _TREE_LANGUAGES or len(lines) < _FEWEST):
        return []
    found = (_sign_rows if signs else _indented_rows)(lines, block.line)
    named = [row for row in found if row.column >= 0 and row.name]
    branches = sum(row.column >= 0 for row in found)
    return found if named and 2 * len(named) > branches and (signs or len(found) > 2) else []


def _sign_rows(lines: Sequence[str], first: int) -> list[DrawnRow]:
    """Returns the rows of a tree that is drawn with signs. A line without a sign is the root of the
    lines below it."""
    found: list[DrawnRow] = []
    for number, text in enumerate(lines, first):
        if m := _BRANCH.match(text):
            found.append(_row(len(m["left"].expandtabs(4)), m["name"], number))
        elif text.strip() and not _TRUNK.match(text) and text.strip()[0] not in "│┃|":
            root = _row(-1, text.strip(), number)
            root.open = not root.name and " " not in text.strip()
            found.append(root)
    return found


def _indented_rows(lines: Sequence[str], first: int) -> list[DrawnRow]:
    """Returns the rows of an indented list below a line `name/`; none if a line is no name."""
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
    """Returns a line with its name. The name is empty if it names no single file or directory."""
    found = _COMMENT.search(text)
    name = text[: found.start()] if found else text
    comment = found["text"] if found else ""
    if " " in name:  # "main.py The entry point" begins with a name, "two workers" does not
        name, _, comment = name.partition(" ")
        name = name if _is_file(name) else ""
    name = name.strip("`'\",").removesuffix(":")
    arrow = "→" in text or "->" in text.replace("-->", "")
    if _OPEN.search(name) or arrow or name in ("..", ""):
        return DrawnRow(column, "", line, comment, open=bool(_OPEN.search(text)) or arrow)
    plain = name in (".", "/") or (_NAME.match(name) and "//" not in name)
    return DrawnRow(column, name if plain else "", line, comment)


def _split(rows: Sequence[DrawnRow]) -> Iterator[list[DrawnRow]]:
    """Yields the rows of each root."""
    tree: list[DrawnRow] = []
    for row in rows:
        if row.column < 0 and tree:
            yield tree
            tree = []
        tree.append(row)
    if tree:
        yield tree


def _entries(rows: Sequence[DrawnRow]) -> Iterator[DrawnEntry]:
    """Yields entries with their paths: the names of the rows to the left and above, joined. Rows
    below a placeholder or a file are left out."""
    above: list[tuple[int, str | None]] = [(-1, "")]
    for row, behind in zip_longest(rows, rows[1:]):
        while above[-1][0] >= row.column:
            above.pop()
        parent = above[-1][1]
        has_rows = behind is not None and behind.column > row.column
        if parent is None or not row.name or row.name.startswith(_OUTSIDE):
            above.append((row.column, None))
            continue
        path = normpath(join(parent, row.name))
        is_file = looks_like_path(path) and not row.name.endswith("/")
        above.append((row.column, None if is_file else path))
        slash = "/" if row.name.endswith("/") or (has_rows and not is_file) else ""
        yield DrawnEntry(f"{path}{slash}", row.line, row.comment)


# Signs of code or of a drawing; a line with one is no sentence.
_CODE = compiled(
    r"[{}<>=;$|\\│├└─→]|\w\(\)|^\s*(?:#|//|--|@|\d+[.:]?\s*\||\[)|\s{3,}\S"
    r"|\[\[|\.\.\.$"
)
_SPAN = compiled(r"`[^`]*`")
_BULLET = compiled(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LEAST_WORDS = 4


def prose_of(block: Excerpt) -> list[Passage]:
    """Returns the paragraphs of a code block that holds sentences; none if it holds code."""
    if block.length > LARGEST:
        return []
    found = list(_paragraphs(block))
    return found if all(_is_sentence(p.text.strip()) for p in found) else []


def _paragraphs(block: Excerpt) -> Iterator[Passage]:
    """Yields the paragraphs and items of a block. A line of code adds `{}`, which no sentence
    has."""
    draft, at = Draft(), 0
    for line in block.text.splitlines(keepends=True):
        bullet = _BULLET.match(line)
        if (bullet or not line.strip()) and not draft.blank:
            yield draft.passage
            draft = Draft()
        if line.strip():
            draft.add(" ", block.source(at), verbatim=False)
            bare = line[bullet.end() :] if bullet else line
            draft.add(bare.rstrip(), block.source(at + len(line.encode()) - len(bare.encode())))
            if _CODE.search(_SPAN.sub("code", line.strip("\r\n"))):
                draft.add(" {}", block.source(at), verbatim=False)
        at += len(line.encode())
    if not draft.blank:
        yield draft.passage


def _is_sentence(text: str) -> bool:
    opens = text[:1].isupper() or text.startswith("`")
    closes = text.rstrip("\"')`").endswith((".", "!"))
    return (
        opens
        and closes
        and len(text.split()) >= _LEAST_WORDS
        and read_text(text).has_verb
        and "{}" not in text
    )

"""Reads the code blocks in a Markdown document: shell commands, drawn file trees, and prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
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
"""Maximum length of a code block that is read, in characters."""


class CodeBlock(Struct, frozen=True):
    """A code block in a Markdown document, whose text begins at `line` (1-based). `language` is the
    first word after the fence, or empty. `section` are the headings above, and `lead` is the
    paragraph before the block. `lead_line` is the line of `lead`, or 0 if anything but white space
    is between `lead` and the block."""

    text: str
    line: int
    language: str
    lead: str
    section: str
    lead_line: int = 0


@lru_cache(maxsize=512)  # several checks go through the documents one after the other
def code_blocks(text: str) -> tuple[CodeBlock, ...]:
    """Returns the code blocks in a Markdown document. Leaves out very long code blocks."""
    if "`" * 3 not in text and "~~~" not in text and "\n    " not in text:
        return ()
    import pyromark  # imported late, because few documents have code blocks that are read

    events: Any = pyromark.events_with_range(text, options=pyromark.Options.ENABLE_GFM)
    reader = _BlockReader(text.encode())
    found = (reader.read(event, at["start"], at["end"]) for event, at in events)
    return tuple(b for b in found if b is not None and len(b.text) <= LARGEST)


class _BlockReader:
    """Collects code blocks from the events of the Markdown parser. `read` takes one event. At the
    end of a code block, `read` returns the block."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.headings: list[tuple[int, str]] = []
        self.block: list[str] | None = None
        self.words: list[str] = []
        self.lead = self.language = ""
        self.start = -1
        self.lead_at = self.lead_end = 0
        self.counted, self.line = 0, 1  # bytes whose line ends are counted, and the line after them

    def read(self, event: Any, at: int, end: int) -> CodeBlock | None:
        if isinstance(event, str):
            self.words.append(" ")
            return None
        (name, value), *_ = event.items()
        kind = value if isinstance(value, str) else next(iter(value), "") if value else ""
        if name == "Start":
            self._open(kind, value)
        elif name == "End":
            return self._close(kind, value, at, end)
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

    def _close(self, kind: str, value: Any, at: int, end: int) -> CodeBlock | None:
        words = "".join(self.words).strip()
        if kind == "CodeBlock" and self.block is not None:
            section = " > ".join(title for _, title in self.headings)
            lead_line = 0
            if self.lead and not self.source[self.lead_end : at].strip():
                lead_line = self.line + self.source.count(b"\n", self.counted, self.lead_at)
            start = max(self.start, self.counted)
            self.line += self.source.count(b"\n", self.counted, start)
            self.counted = start
            text = "".join(self.block)
            found = CodeBlock(text, self.line, self.language, self.lead, section, lead_line)
            self.block, self.lead = None, ""
            return found if self.start >= 0 else None
        if kind == "Heading":
            level = int(value["Heading"][1])
            while self.headings and self.headings[-1][0] >= level:
                self.headings.pop()
            self.headings.append((level, words))
            self.lead = ""
        elif kind == "Paragraph":
            self.lead, self.lead_at, self.lead_end = words, at, end
        return None


def fence_of(detail: object) -> str:
    """Returns the text after the opening fence of a code block.

    `detail` comes from the parser: `Indented` or `{"Fenced": …}`. Returns an empty string for an
    indented block."""
    return str(detail.get("Fenced", "")) if isinstance(detail, dict) else ""


_SHELLS = frozenset(words_of.SHELLS.split())
_PROMPT, _ARROW = compiled(r"(?m)^[ \t]*[$%❯] "), compiled(r"(?m)^[ \t]*> ")


def shell_blocks(text: str) -> Iterator[CodeBlock]:
    """Yields the code blocks with a shell language or without a language. If some lines in a block
    have prompts, the other lines are output and become empty."""
    for block in code_blocks(text):
        if block.language and block.language not in _SHELLS:
            continue
        prompt = _ARROW if _ARROW.match(block.text) else _PROMPT
        if prompt.search(block.text):
            rows = block.text.split("\n")
            commands = (row.replace("❯", "$", 1) if prompt.match(row) else "" for row in rows)
            yield replace(block, text="\n".join(commands))
        else:
            yield block


DRAWN = ("├", "└", "|--", "+--", "`--", "\\--")
"""The branch signs in drawn file trees. A tree that is drawn with signs has at least one."""
# Matches a branch of a drawn tree: "│   ├── name", "|-- name", "+-- name".
_BRANCH = compiled(r"(?P<left>[\s│┃|]*)(?:[├└┣┗╰][─━-]*|[|+`\\]-{2,})[ \t\u00a0]*(?P<name>\S.*)$")
_TRUNK = compiled(r"[\s│┃|]*$")
_INDENTED = compiled(r"(?P<left>[ \t]*)(?P<name>\S.*)$")
# Matches the comment in "main.py  # the entry", "main.py — the entry" and "old.py → new.py".
_COMMENT = compiled(r"(?:\s+(?:#|//|<-|←|→|->|=>|--?|—|–|\(|:)|\s{2,}|\t)\s*(?P<text>.*)$")
_NAME = compiled(r"[\w@.+$()\[\]~/-]*\w[\w@.+$()\[\]~/-]*$")
PLACEHOLDER = compiled(
    r"[{}<>…*$%`]|\[[a-z]+-[a-z-]+\]|^\[[\w -]+\]$|@@|^(?:link|url|LINK|URL)$|\.\.\.|"
    r"[-_a-z][NX](?=[/_.-]|$)|"
    r"(?:^|[/_.-])(?:x(?:\.x)+|N{2,}|X{2,}|(?:Y{2,4}|MM|DD|HH|SS)+|x{3,}|n{3,})(?=[/_.-]|$)|"
    r"(?:^|[/_.-])[A-Z]*(?:ID|NAME)[-_][a-z]|(?:^|/)path(?:/to(?:/|$)|_to_)"
)
"""Matches what a reader replaces in a path: `{name}.md`, `<name>.md`, `ADR-NNN-title.md`,
`2026-MM-DD-x.md`, `YYYYMMDD.md`, `cycle-N.md`, `phaseN.md`, `x.x.x.md`,
`TASKID-name.md`, `path/to/x.py`, `path_to_x.py`."""
_OUTSIDE = ("/", "~", "$", "..")
_TREE_LANGUAGES = ("", "text", "plaintext", "txt", "tree")
"""Languages of code blocks in which an indented list of files counts as a tree."""
_FEWEST = 3
"""Minimum number of lines in an indented list of files that counts as a tree."""


class DrawnEntry(Struct, frozen=True):
    """A file or directory in a drawn tree.

    `path` is relative to the root of the tree, and ends with a slash for a directory. `line` is the
    line in the document (1-based). `comment` is the text beside the name."""

    path: str
    line: int
    comment: str


class DrawnTree(Struct, frozen=True):
    """A file tree that a code block draws. `root` is the name on its first line, or empty.
    `section` are the headings above, and `lead` is the paragraph before. A list of file names is a
    tree, too; its `homes` are the directories that the text above mentions."""

    root: str
    line: int
    entries: tuple[DrawnEntry, ...]
    section: str
    lead: str
    homes: tuple[str, ...] = ()


class DrawnRow(Struct):
    """A line in a drawn tree. `column` is the column of the name, or -1 for a root. `open` is true
    if the name is a placeholder."""

    column: int
    name: str
    line: int
    comment: str
    open: bool = False


def drawn_trees(text: str) -> Iterator[DrawnTree]:
    """Yields the file trees that the code blocks in a document draw."""
    for block in code_blocks(text):
        for rows in _split(_rows_of(block)):
            root = rows[0] if rows[0].column < 0 else None
            entries = tuple(_entries(rows[1:] if root else rows))
            if entries and not (root and root.open):
                name = root.name if root else ""
                yield DrawnTree(name, rows[0].line, entries, block.section, block.lead)


def _rows_of(block: CodeBlock) -> list[DrawnRow]:
    """Returns the lines of the file trees that a code block draws, or an empty list."""
    lines = [row.rstrip() for row in block.text.split("\n")]
    signs = any(sign in block.text for sign in DRAWN)
    if not signs and (block.language not in _TREE_LANGUAGES or len(lines) < _FEWEST):
        return []
    found = (_sign_rows if signs else _indented_rows)(lines, block.line)
    named = [row for row in found if row.column >= 0 and row.name]
    branches = sum(row.column >= 0 for row in found)
    return found if named and 2 * len(named) > branches and (signs or len(found) > 2) else []


def _sign_rows(lines: Sequence[str], first: int) -> list[DrawnRow]:
    """Returns the rows of file trees drawn with branch signs. A line without a sign is a root."""
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
    """Returns the rows of an indented list of files below a line `name/`, or an empty list if a
    line is not the name of a file or directory."""
    found: list[DrawnRow] = []
    for number, text in enumerate(lines, first):
        m = _INDENTED.match(text)
        if not m:
            continue
        column = len(m["left"].expandtabs(4))
        row = _row(column if column else -1, m["name"], number)
        if not row.name and not row.open:
            return []
        if column == 0 and looks_like_path(row.name) and not row.name.endswith("/"):
            continue  # a file beside the drawn folders, as `main.go` above `internal/`
        is_root = column == 0 and row.name.endswith("/")
        if not is_root and (column == 0 or not (row.open or _is_file(row.name))):
            return []
        found.append(row)
    return found


def _is_file(name: str) -> bool:
    return name.endswith("/") or looks_like_path(name) or "." in name[1:]


def _row(column: int, text: str, line: int) -> DrawnRow:
    """Returns the row for a line in a drawn tree.

    The name in the row is empty if the text does not name exactly one file or directory."""
    found = _COMMENT.search(text)
    name = text[: found.start()] if found else text
    comment = found["text"] if found else ""
    if " " in name:  # "main.py The entry point" begins with a name, "two workers" does not
        name, _, comment = name.partition(" ")
        name = name if _is_file(name) else ""
    name = name.strip("`'\",").removesuffix(":")
    arrow = "→" in text or "->" in text.replace("-->", "")
    if PLACEHOLDER.search(name) or arrow or name in ("..", ""):
        return DrawnRow(column, "", line, comment, open=bool(PLACEHOLDER.search(text)) or arrow)
    plain = name in (".", "/") or (_NAME.match(name) and "//" not in name)
    return DrawnRow(column, name if plain else "", line, comment)


def _split(rows: Sequence[DrawnRow]) -> Iterator[list[DrawnRow]]:
    tree: list[DrawnRow] = []
    for row in rows:
        if row.column < 0 and tree:
            yield tree
            tree = []
        tree.append(row)
    if tree:
        yield tree


def _entries(rows: Sequence[DrawnRow]) -> Iterator[DrawnEntry]:
    """Yields the files and directories in the rows of a tree.

    The path joins the names of the parent rows. Skips rows below a placeholder or a file."""
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


# Matches signs of code or of a drawing. A line with such a sign is not a sentence.
_CODE = compiled(
    r"[{}<>=;$|\\│├└─→]|\w\(\)|^\s*(?:#|//|--|@|\d+[.:]?\s*\||\[)|\s{3,}\S"
    r"|\[\[|\.\.\.$"
)
_SPAN = compiled(r"`[^`]*`")
_BULLET = compiled(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LEAST_WORDS = 4


def prose_of(block: Excerpt) -> list[Passage]:
    """Returns the paragraphs in a code block that contains only sentences, else an empty list."""
    if block.length > LARGEST:
        return []
    found = list(_paragraphs(block))
    return found if all(_is_sentence(p.text.strip()) for p in found) else []


def _paragraphs(block: Excerpt) -> Iterator[Passage]:
    """Yields the paragraphs and list items in a code block. Adds `{}` after a line that looks like
    code, so that the paragraph does not pass as prose."""
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
    plain = "{}" not in text and len(text.split()) >= _LEAST_WORDS
    return opens and closes and plain and read_text(text).has_verb

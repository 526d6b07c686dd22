"""Command lines that a Markdown document shows in code blocks, and what stands over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from grounded_ingest.language.lexicon import manifest_words as words_of
from grounded_ingest.language.patterns import compiled

_SHELLS = frozenset(words_of.SHELLS.split())
_PROMPT = compiled(r"(?m)^[ \t]*[$%❯] ")
LARGEST = 20_000
"""Characters of the largest block that is looked at."""


class ShellBlock(Struct, frozen=True):
    """`text` from `line` (1-based) on; `section` and `lead` (the paragraph before it) stand over
    it. `labelled`: its language is a shell's, elsewhere it has none."""

    text: str
    line: int
    section: str
    lead: str
    labelled: bool


def shell_blocks(text: str) -> Iterator[ShellBlock]:
    """The blocks of a document whose language is a shell's, or not said."""
    for found in code_blocks(text):
        if _is_shell(found.language):
            shown, labelled = _prompted(found.text), bool(found.language)
            yield ShellBlock(shown, found.line, found.section, found.lead, labelled)


class CodeBlock(Struct, frozen=True):
    """A code block: `line` (1-based) is where its text begins, `lead` the paragraph before it."""

    text: str
    line: int
    language: str
    lead: str
    section: str


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """Yields the code blocks of a document but those that are too long to be looked at."""
    if "`" * 3 not in text and "~~~" not in text and "\n    " not in text:
        return
    import pyromark

    events: Any = pyromark.events_with_range(text, options=pyromark.Options.ENABLE_GFM)
    reader = _Reader(text.encode())
    for event, at in events:
        found = reader.read(event, at["start"])
        if found is not None and len(found.text) <= LARGEST:
            yield found


class _Reader:
    """Takes parser events one by one; says when a code block has ended."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.headings: list[tuple[int, str]] = []
        self.block: list[str] | None = None
        self.words: list[str] = []
        self.lead = self.language = ""
        self.start = -1
        self.counted, self.line = 0, 1  # bytes whose line ends are counted, and the line after them

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
            self.block, self.start, self.language = [], -1, _language(value["CodeBlock"])
        elif kind in ("Paragraph", "Heading", "Item"):
            self.words = []

    def _close(self, kind: str, value: Any) -> CodeBlock | None:
        said = "".join(self.words).strip()
        if kind == "CodeBlock" and self.block is not None:
            section = " > ".join(title for _, title in self.headings)
            text = "".join(self.block)
            start = max(self.start, self.counted)
            self.line += self.source.count(b"\n", self.counted, start)
            self.counted = start
            found = CodeBlock(text, self.line, self.language, self.lead, section)
            self.block, self.lead = None, ""
            return found if self.start >= 0 else None
        if kind == "Heading":
            level = int(value["Heading"][1])
            while self.headings and self.headings[-1][0] >= level:
                self.headings.pop()
            self.headings.append((level, said))
            self.lead = ""
        elif kind == "Paragraph":
            self.lead = said
        return None


def _language(detail: object) -> str:
    """The first word of a fence; `indented` blocks have none."""
    said = str(detail.get("Fenced", "")) if isinstance(detail, dict) else ""
    return said.strip().lower().replace("{", " ").replace(",", " ").split(" ")[0]


def _is_shell(language: str) -> bool:
    return not language or language in _SHELLS


def _prompted(text: str) -> str:
    """A block without its output: where lines have prompts, the others are empty."""
    if not _PROMPT.search(text):
        return text
    rows = text.split("\n")
    return "\n".join(row.replace("❯", "$", 1) if _PROMPT.match(row) else "" for row in rows)

"""Command lines that a Markdown document shows in code blocks, and what stands over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.language.patterns import compiled

_SHELLS = frozenset("sh bash zsh shell console terminal shell-session shellsession fish powershell pwsh ps1 cmd".split())
_PROMPT = compiled(r"(?m)^[ \t]*[$%❯] ")
LARGEST = 20_000
"""Characters of the largest block that is looked at."""


class ShellBlock(NamedTuple):
    """`text` from `line` (1-based) on; `section` and `lead` (the paragraph before it) stand over
    it. `labelled`: its language is a shell's, elsewhere it has none."""

    text: str
    line: int
    section: str
    lead: str
    labelled: bool


def shell_blocks(text: str) -> Iterator[ShellBlock]:
    """The blocks of a document whose language is a shell's, or not said."""
    if "`" * 3 not in text and "~~~" not in text and "\n    " not in text:
        return
    import pyromark

    headings: list[tuple[int, str]] = []
    source = text.encode()
    block: list[str] | None = None
    words: list[str] = []
    lead, language, start = "", "", 0
    for event, at in pyromark.events_with_range(text, options=pyromark.Options.ENABLE_GFM):
        if event.__class__ is str:
            words.append(" ")
            continue
        (name, value), *_ = event.items()
        kind = value if isinstance(value, str) else next(iter(value), "") if value else ""
        if name == "Start" and kind == "CodeBlock":
            block, start, language = [], -1, _language(value["CodeBlock"])
        elif name == "End" and kind == "CodeBlock" and block is not None:
            if _is_shell(language) and start >= 0 and sum(map(len, block)) <= LARGEST:
                line = source.count(b"\n", 0, start) + 1
                section = " > ".join(title for _, title in headings)
                shown = _prompted("".join(block))
                yield ShellBlock(shown, line, section, lead, bool(language))
            block, lead = None, ""
        elif name == "Text" and block is not None:
            start = at["start"] if start < 0 else start
            block.append(value)
        elif name in ("Text", "Code"):
            words.append(value)
        elif name == "Start" and kind in ("Paragraph", "Heading", "Item"):
            words = []
        elif name == "End" and kind == "Heading":
            level = int(value["Heading"][1]) if isinstance(value, dict) else 6
            while headings and headings[-1][0] >= level:
                headings.pop()
            headings.append((level, "".join(words).strip()))
            lead = ""
        elif name == "End" and kind == "Paragraph":
            lead = "".join(words).strip()


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

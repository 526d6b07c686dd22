"""Prose that stands in a code block: a page shows it in another font, agents read it all the same.

A block is prose where all of it is: no line of it looks like code, output or a drawing, and every
paragraph is a sentence from its capital to its full stop, whatever language it is said to be in.
Blocks that mix the two are code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grounded_ingest.extract.passage import Passage
from grounded_ingest.extract.positions import Excerpt
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text

_CODE = compiled(
    r"[{}<>=;$|\\│├└─→]|\w\(\)|^\s*(?:#|//|--|@|\d+[.:]?\s*\||\[)|\s{3,}\S"
    r"|\[\[|\.\.\.$"
)
_SPAN = compiled(r"`[^`]*`")
_BULLET = compiled(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_WORDS = 4
_LARGEST = 20_000
"""Characters of the largest block that is looked at."""


def language_of(detail: Any) -> str:
    """The language of a code block as the parser tells it: `Indented` or `{"Fenced": …}`."""
    return str(detail["Fenced"]) if isinstance(detail, dict) else ""


def prose_of(block: Excerpt) -> list[Passage]:
    """The paragraphs of a code block that is prose; none where it is code."""
    if block.length > _LARGEST:
        return []
    found = list(_paragraphs(block))
    return found if all(_is_sentence(p.text.strip()) for p in found) else []


def _paragraphs(block: Excerpt) -> Iterator[Passage]:
    passage, at = Passage(), 0
    for line in block.text.splitlines(keepends=True):
        bullet = _BULLET.match(line)
        if (bullet or not line.strip()) and not passage.blank:
            yield passage
            passage = Passage()
        if line.strip():
            passage.add(" ", block.source(at), verbatim=False)
            bare = line[bullet.end() :] if bullet else line
            passage.add(bare.rstrip(), block.source(at + len(line.encode()) - len(bare.encode())))
            if _CODE.search(_SPAN.sub("code", line.strip("\r\n"))):
                passage.add(" {}", block.source(at), verbatim=False)
        at += len(line.encode())
    if not passage.blank:
        yield passage


def _is_sentence(text: str) -> bool:
    opens = text[:1].isupper() or text.startswith("`")
    closes = text.rstrip("\"')`").endswith((".", "!"))
    return (
        opens
        and closes
        and len(text.split()) >= _WORDS
        and read_text(text).has_verb
        and "{}" not in text
    )

"""Link reference definitions: nothing of them is shown, and comments are written as such."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.extract.positions import Offsets
from grounded_ingest.language.patterns import compiled

_DEFINITION = compiled(
    r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999})\]:[ \t]*\n?[ \t>]*(?:<[^<>\n]*>|[^\s<]\S*)?+"
    r"(?:[ \t]*\n?[ \t>]*(?:\"(?P<a>(?:[^\"\\]|\\.)*+)\"|'(?P<b>(?:[^'\\]|\\.)*+)'|"
    r"\((?P<c>(?:[^()\\]|\\.)*+)\)))?",
)


class Definition(NamedTuple):
    """Offsets are bytes; the title's is that of its first character."""

    label: str
    start: int
    title: str
    title_start: int


def definitions(source: bytes, gaps: list[tuple[int, int]]) -> Iterator[Definition]:
    """Yield the definitions in those byte ranges of a source that no event covers."""
    for start, end in gaps:
        if source.find(b"]:", start, end) < 0:
            continue
        text = source[start:end].decode(errors="replace").replace("\r", "\n")
        size = Offsets(text)
        for m in _DEFINITION.finditer(text):
            if m["label"].startswith("^"):
                continue
            title = next((g for g in "abc" if m[g] is not None), "")
            yield Definition(
                m["label"],
                start + size(m.start()),
                m[title] if title else "",
                start + size(m.start(title) if title else m.end()),
            )

"""Reads MDX as Markdown."""

from __future__ import annotations

from grounded_ingest.text.patterns import compiled

_TAG_BEFORE_CODE = compiled(
    r"(?m)^[ \t]*</?[A-Za-z][\w.]*(?:\s[^<>\n]*)?>[ \t]*(?=\r?\n[ \t]*(?:```|~~~))"
)


def mdx_as_markdown(text: str) -> str:
    """Returns a text in MDX with spaces for each tag that is alone on the line before a code block,
    such as `<Tab>`. In Markdown, the tag would begin a block of HTML, and the end of the code block
    would begin another one. The text keeps its length in bytes."""
    return _TAG_BEFORE_CODE.sub(lambda tag: " " * len(tag[0].encode()), text)

"""Reads MDX as Markdown."""

from __future__ import annotations

import re

from grounded_ingest.text.patterns import compiled

_TAG_BEFORE_CODE = compiled(
    r"(?m)^[ \t]*</?[A-Za-z][\w.]*(?:\s[^<>]*)?>[ \t]*(?=\r?\n[ \t]*(?:```|~~~))"
)
_COMMENT = compiled(r"(?s)\{/\* (.{0,2000}?)\*/\}", needs=("{/* ",))
_CHARACTER = compiled(r"[^\r\n]")


def mdx_as_markdown(text: str) -> str:
    """Returns a text in MDX with HTML comments for its comments (`{/* not shown */}`), and with
    spaces for each tag that is alone on the lines before a code block, such as `<Tab>`. In
    Markdown, the tag would begin a block of HTML, and the end of the code block would begin another
    one. The text keeps its lines and its length in bytes."""

    def blank(tag: re.Match[str]) -> str:
        return _CHARACTER.sub(lambda c: " " * len(c[0].encode()), tag[0])

    return _TAG_BEFORE_CODE.sub(blank, _COMMENT.sub(r"<!--\1-->", text))

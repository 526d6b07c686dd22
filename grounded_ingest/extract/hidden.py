"""What a rendered page does not show: comments, hidden elements; and the visible text of HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.model import Ignore

_TOKEN = re.compile(r"<!--(.*?)(?:-->|\Z)|<(/?)([a-zA-Z][\w-]*)([^>]*)>", re.DOTALL)
_CONCEALING = re.compile(
    r"\bhidden\b|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)
_CODE = frozenset(["script", "style", "pre", "code", "svg"])
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "em",
        "i",
        "kbd",
        "mark",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "u",
    ]
)
_SILENT = frozenset(["template", "noscript"])
_IGNORE = re.compile(
    r"^\s*grounded:\s*ignore\[([^\]]*)\](?:\s*reason\s*=\s*[\"“]([^\"”]*)[\"”])?\s*$"
)


class Piece(NamedTuple):
    """Text inside HTML; `start` is a character offset into what was fed. `breaks`: it does not
    continue the text before it on the page."""

    text: str
    start: int
    hidden: bool
    breaks: bool = False


class Html:
    """Follows elements over a document's HTML pieces, so that what stands between two of them
    (Markdown inside `<div hidden>`) is known to be hidden."""

    def __init__(self) -> None:
        self._concealed: list[str] = []

    @property
    def hidden(self) -> bool:
        return bool(self._concealed)

    def feed(self, html: str) -> Iterator[Piece]:
        """Yield the texts of a piece of HTML, comments as hidden ones."""
        at, code, breaks = 0, "", True
        for token in _TOKEN.finditer(html):
            if not code and html[at : token.start()].strip():
                yield Piece(html[at : token.start()], at, self.hidden, breaks)
                breaks = False
            at = token.end()
            comment, closing, name, attributes = token.groups()
            if comment is not None:
                yield Piece(comment, token.start(1), hidden=True)
                continue
            name = name.lower()
            breaks = breaks or name not in _INLINE
            if name in _CODE:
                code = "" if closing and code == name else code or name
            self._element(name, bool(closing), attributes)
        if not code and html[at:].strip():
            yield Piece(html[at:], at, self.hidden, breaks)

    def _element(self, name: str, closing: bool, attributes: str) -> None:
        if name in _VOID or attributes.endswith("/"):
            return
        if closing:
            if self._concealed and self._concealed[-1] == name:
                self._concealed.pop()
        elif self.hidden:
            if name == self._concealed[-1]:
                self._concealed.append(name)
        elif name in _SILENT or _CONCEALING.search(attributes):
            self._concealed.append(name)


def ignore_comment(comment: str, line: int) -> Ignore | None:
    """The ignore directive a comment holds, if any; `line` is where the comment ends."""
    found = _IGNORE.match(comment)
    if not found:
        return None
    rules = tuple(r.strip() for r in found[1].split(",") if r.strip())
    return Ignore(line, rules, (found[2] or "").strip())

"""What a rendered page does not show: comments, hidden elements; and the visible text of HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grounded_ingest.extract.prose import reads_as_prose
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Ignore

_TOKEN = compiled(
    r"<!--(?P<comment>.*?)(?P<end>-->|\Z)|<(?P<closing>/?)(?P<name>[a-zA-Z][\w-]*+)"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*'|[\"'])*+)>",
    re.DOTALL,
)
_ATTRIBUTE = compiled(r"([a-zA-Z][\w:-]*+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]++)))?")
_CONCEALING = compiled(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|"
    r"opacity\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr".split()  # noqa: SIM905
)
_UNSHOWN = frozenset(("script", "style"))
_CODE = frozenset((*_UNSHOWN, "pre", "code", "svg"))
_INLINE = frozenset(
    "a abbr b bdi bdo cite code em i kbd mark q s small span strong sub sup u".split()  # noqa: SIM905
)
_SILENT = frozenset(("template", "noscript"))
_STYLING = frozenset(("class", "style", "d", "points", "srcset", "sizes", "rel"))
_SPOKEN = ("alt", "title", "aria-label", "content")
_WORDS = 4
_IGNORE = compiled(
    r"^\s*grounded:\s*ignore\[([^\]]*)\](?:\s*reason\s*=\s*[\"“]([^\"”]*)[\"”])?\s*$"
)


def unescaped(text: str) -> str:
    """Text with its character references read."""
    if "&" not in text:
        return text
    from html import unescape

    return unescape(text)


class HtmlPiece(NamedTuple):
    """Text inside HTML; `start` is a character offset into what was fed. `breaks`: it does not
    continue the text before it on the page. `code`: it is code."""

    text: str
    start: int
    hidden: bool
    breaks: bool = False
    code: bool = False
    comment: bool = False


class HtmlReader:
    """Follows elements over a document's HTML pieces, so that what stands between two of them
    (Markdown inside `<div hidden>`) is known to be hidden."""

    def __init__(self) -> None:
        self._concealed: list[str] = []
        self._comment = False

    @property
    def hidden(self) -> bool:
        return self._comment or bool(self._concealed)

    def feed(self, html: str) -> Iterator[HtmlPiece]:
        """Yield the texts of a piece of HTML, comments as hidden ones."""
        at, code, breaks = 0, "", True
        if self._comment:
            end = html.find("-->")
            yield HtmlPiece(html[: end if end >= 0 else None], 0, hidden=True, comment=True)
            if end < 0:
                return
            at, self._comment = end + 3, False
        for token in _TOKEN.finditer(html, at):
            if html[at : token.start()].strip():
                yield HtmlPiece(html[at : token.start()], at, *self._shown(code, breaks))
                breaks = False
            at = token.end()
            if token["comment"] is not None:
                yield HtmlPiece(token["comment"], token.start("comment"), hidden=True, comment=True)
                self._comment = not token["end"]
                continue
            name, closing = token["name"].lower(), bool(token["closing"])
            breaks = breaks or name not in _INLINE
            if name in _CODE:
                code = "" if closing and code == name else code or ("" if closing else name)
            yield from self._element(name, closing, token["attributes"], token.start("attributes"))
        if html[at:].strip():
            yield HtmlPiece(html[at:], at, *self._shown(code, breaks))

    def _shown(self, code: str, breaks: bool) -> tuple[bool, bool, bool]:
        """(hidden, breaks, code) of a text: a page shows no script, but agents read it."""
        unshown = code in _UNSHOWN
        return self.hidden or unshown, breaks, bool(code) and not unshown

    def _element(self, name: str, closing: bool, attributes: str, at: int) -> Iterator[HtmlPiece]:
        known = {}
        # Prose can pose as a tag: `<note the port is open>`.
        if len(attributes.split()) >= _WORDS and "=" not in attributes:
            yield HtmlPiece(attributes, at, hidden=True)
        for m in _ATTRIBUTE.finditer(attributes) if attributes else ():
            value = m[2] or m[3] or m[4] or ""
            known[m[1].lower()] = value
            if _speaks(m[1].lower(), value):
                yield HtmlPiece(unescaped(value), at + m.start(m.lastindex or 0), hidden=True)
        if name not in _VOID and not attributes.endswith("/"):
            self._nest(name, closing, known)

    def _nest(self, name: str, closing: bool, attributes: Mapping[str, str]) -> None:
        """Follow what conceals: elements of one name may stand in each other."""
        if closing:
            if self._concealed and self._concealed[-1] == name:
                self._concealed.pop()
        elif self._concealed:
            if name == self._concealed[-1]:
                self._concealed.append(name)
        elif (
            name in _SILENT
            or "hidden" in attributes
            or _CONCEALING.search(attributes.get("style", ""))
        ):
            self._concealed.append(name)


def _speaks(attribute: str, value: str) -> bool:
    """Whether an attribute's value says something to whoever reads the source."""
    if attribute in _SPOKEN and len(value.split()) >= _WORDS:
        return True
    return attribute not in _STYLING and reads_as_prose(value)


def ignore_comment(comment: str, line: int) -> Ignore | None:
    """The ignore directive a comment holds, if any; `line` is where the comment ends."""
    found = _IGNORE.match(comment)
    if not found:
        return None
    rules = tuple(r.strip() for r in found[1].split(",") if r.strip())
    return Ignore(line, rules, (found[2] or "").strip())

"""Finds hidden text in HTML and Markdown, and decides whether a text is prose.

Hidden text is text that a rendered page does not show but that every agent reads: comments, hidden
elements, invisible characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.model.claims import Extraction, Form, Ignore, Problem, Tier
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_text
from grounded_ingest.text.sentences import count_unspaced

_TOKEN = compiled(
    r"<!--(?P<comment>.*?)(?P<end>-->|\Z)|<(?P<closing>/?)(?P<name>[a-zA-Z][\w-]*+)"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*'|[\"'])*+)>",
    re.DOTALL,
)
_ATTRIBUTE = compiled(r"([a-zA-Z][\w:-]*+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]++)))?")
# Matches styles that hide an element: `font-size: 0`, but not `font-size: 0.9em`.
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
_STYLING = frozenset(("class", "style", "d", "points", "srcset", "sizes", "rel"))
_WORDS = 4
_IGNORE = compiled(
    r"^\s*grounded:\s*ignore\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\s*reason\s*=\s*[\"“]([^\"”]*)[\"”])?\s*$"
)


def unescaped(text: str) -> str:
    """Returns a text with HTML character references such as `&amp;` replaced by characters."""
    if "&" not in text:
        return text
    from html import unescape  # imported late, because its table is large and few texts need it

    return unescape(text)


class HtmlPiece(Struct, frozen=True):
    """A piece of text in HTML. `start` is its character offset in the HTML that `HtmlReader.feed`
    got. `hidden` is true if a page does not show the text. `breaks` is true if a block element
    separates it from the preceding text. `code` is true inside a code element, `comment` inside a
    comment."""

    text: str
    start: int
    hidden: bool
    breaks: bool = False
    code: bool = False
    comment: bool = False


class HtmlReader:
    """Reads the HTML in a Markdown document piece by piece, and remembers which elements are open:
    a `<div hidden>` also hides the text of later pieces."""

    def __init__(self) -> None:
        self._concealed: list[str] = []
        self._comment = False

    @property
    def hidden(self) -> bool:
        """Returns whether a reader of the page would not see the text that follows: a comment or a
        hidden element is still open."""
        return self._comment or bool(self._concealed)

    def feed(self, html: str) -> Iterator[HtmlPiece]:
        """Yields the texts in the next piece of HTML. A comment is yielded as a hidden text."""
        at, code, breaks = 0, "", True
        if self._comment:
            end = html.find("-->")
            yield HtmlPiece(html[: end if end >= 0 else None], 0, hidden=True, comment=True)
            if end < 0:
                return
            at, self._comment = end + 3, False
        for token in _TOKEN.finditer(html, at):
            if html[at : token.start()].strip():
                yield HtmlPiece(html[at : token.start()], at, *self._place(code, breaks))
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
            yield HtmlPiece(html[at:], at, *self._place(code, breaks))

    def _place(self, code: str, breaks: bool) -> tuple[bool, bool, bool]:
        """Returns whether the text at the current position is hidden, whether a block element
        separates it from the text before, and whether it is code.

        A script counts as hidden, because a page does not show scripts but agents read them."""
        unshown = code in _UNSHOWN
        return self.hidden or unshown, breaks, bool(code) and not unshown

    def _element(self, name: str, closing: bool, attributes: str, at: int) -> Iterator[HtmlPiece]:
        values = {}
        # Prose can be disguised as a tag: `<note the port is open>`.
        if len(attributes.split()) >= _WORDS and "=" not in attributes:
            yield HtmlPiece(attributes, at, hidden=True)
        for m in _ATTRIBUTE.finditer(attributes) if attributes else ():
            value = m[2] or m[3] or m[4] or ""
            values[m[1].lower()] = value
            if _speaks(m[1].lower(), value):
                yield HtmlPiece(unescaped(value), at + m.start(m.lastindex or 0), hidden=True)
        if name not in _VOID and not attributes.endswith("/"):
            self._nest(name, closing, values)

    def _nest(self, name: str, closing: bool, attributes: Mapping[str, str]) -> None:
        """Updates the stack of open hidden elements. Elements with the same name can be nested."""
        if closing:
            if self._concealed and self._concealed[-1] == name:
                self._concealed.pop()
        elif self._concealed:
            if name == self._concealed[-1]:
                self._concealed.append(name)
        else:
            style = _CONCEALING.search(attributes.get("style", ""))
            if style or name in ("template", "noscript") or "hidden" in attributes:
                self._concealed.append(name)


def _speaks(attribute: str, value: str) -> bool:
    """Returns whether an HTML attribute has prose, which an agent reads in the source."""
    if attribute in ("alt", "title", "aria-label", "content") and len(value.split()) >= _WORDS:
        return True
    return attribute not in _STYLING and reads_as_prose(value)


def ignore_comment(comment: str, line: int) -> Ignore | None:
    """Returns the ignore directive in an HTML comment, or None if the comment is something else.

    `line` is the last line of the comment (1-based). A reason of dots, as in the comment that
    `check -v` prints, counts as no reason."""
    found = _IGNORE.match(comment)
    if not found:
        return None
    rules = tuple(r.strip() for r in found[1].split(",") if r.strip())
    reason = (found[2] or "").strip()
    return Ignore(line, rules, reason if reason.strip(" .…") else "")


# Matches tag characters outside of regional flags, and runs of variation selectors or zero-width
# characters. A single selector or joiner is allowed, because emojis and Persian words need it.
_RUN = compiled(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"
    r"|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
    r"|[\u200b-\u200f\u2060-\u2064\ufeff]{6,}"
)


def invisible_runs(text: str) -> Iterator[tuple[int, str]]:
    """Yields each sequence of invisible characters as (start offset, words that they encode)."""
    for found in _RUN.finditer(text) if not text.isascii() else ():
        yield found.start(), _spelled_words(found[0])


def with_invisible(found: Extraction, runs: list[tuple[int, str]]) -> Extraction:
    """Returns the extraction with an added problem if invisible characters are outside of hidden
    claims.

    `runs` are pairs (line, encoded words). Sequences on the lines of a hidden claim are not
    reported, because the claim already shows them."""
    hidden = (c for c in found.claims if c.form is Form.HIDDEN)
    shown = {line for claim in hidden for line in range(claim.line, claim.end_line + 1)}
    left = [run for run in runs if run[0] not in shown]
    if not left:
        return found
    spells = next((f" that spell “{words[:80]}”" for _, words in left if words), "")
    message = f"the line has invisible characters{spells}; remove them"
    problem = Problem("", left[0][0], "unread", message, int(Tier.REVIEW))
    return replace(found, problems=(*found.problems, problem))


def _spelled_words(run: str) -> str:
    """Returns the words that a sequence of tag characters or variation selectors encodes.

    Returns an empty string for other invisible characters."""
    codes = [ord(char) for char in run]
    if codes[0] >= 0xE0100 or 0xFE00 <= codes[0] <= 0xFE0F:
        carried = bytes(c - 0xFE00 if c < 0xE0000 else c - 0xE0100 + 16 for c in codes)
        text = carried.decode(errors="replace")
    elif codes[0] >= 0xE0000:
        text = "".join(chr(c - 0xE0000) for c in codes if c < 0xE007F)
    else:
        return ""
    return "".join(char for char in text if char.isprintable() and char != "\ufffd").strip()


# Matches signs of commands, patterns and templates: options, pipes, variables, calls, braces.
_PROSE_CODE = compiled(
    r"(?:^|\s)--?\w|&&|\|\||\s\|\s|\$[\w({]|[{}<>\\^]|\w=\S|\(\)|::|\*[./]|/\*|^\s*[@/#!.]|\[\["
)
_CLOSED = compiled(r"[\"'(`*_]*[A-ZÀ-ÞА-Я`].*[.!][\"')`*_]*", re.DOTALL)
_WORD = compiled(r"[^\W\d_][^\W_]+")
_PROSE_WORDS, _SENTENCE, _SIGNS = 4, 3, 8


def reads_as_prose(text: str) -> bool:
    """Returns whether a text is prose: a sentence with a capital letter and a full stop, or several
    words with a verb that do not look like a command."""
    text = text.strip()
    words = len(_WORD.findall(text))
    if words >= _SENTENCE and " " in text and _CLOSED.fullmatch(text):
        return True
    if count_unspaced(text) >= _SIGNS:
        return True
    spaced = len(text.split()) >= _PROSE_WORDS <= words
    return spaced and read_text(text).has_verb and not _PROSE_CODE.search(text)

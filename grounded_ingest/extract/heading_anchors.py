"""The anchors of a Markdown text: what a link behind `#` can lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from unicodedata import category, normalize

from grounded_ingest.text.patterns import compiled

# `[^<>]`, not `[^>]`: each of many `<` that nothing closes would be read to the end of the text.
_NAMED = compiled(r"""<[^<>]*\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^"'\s>]+))""")
_GIVEN = compiled(r"\{(?=[^{}]*+\})[^{}]*#([\w:.-]+)[^{}]*\}|^\(([\w:.-]+)\)=\s*$", re.MULTILINE)
_HTML_HEADING = compiled(
    r"<h[1-6]\b[^<>]*>((?:(?!<h[1-6]\b).)*?)</h[1-6]\s*>", re.IGNORECASE | re.DOTALL
)
_TAG = compiled(r"<[^<>]*>")
_ATTRIBUTES = compiled(r"(?<!\s)\s*\{:?[^{}]*\}\s*$")
_UNRESOLVED = compiled(r"\[([^\[\]]*)\]\[[^\[\]]*\]")
"""A link by reference that a site generator resolves."""
_SHORTCODE = compiled(r":[a-z0-9_+-]+:")
_MADE = compiled(
    r"^:{3}\s|^[ \t]*\{[%{]|--8<--|^import .* from |^export |<!--\s*#?include|^\.\. |"
    r"^!!!? ?include",
    re.MULTILINE,
)
"""What other programs make text of: there may be headings that nobody sees here."""


class Anchors(NamedTuple):
    """`exact`: as forges make them, and those that the text gives. `loose`: letters and digits of
    them alone, on which all rules of slugs agree, with the places where something else stands
    between them. `whole`: there are no others."""

    exact: frozenset[str]
    loose: Mapping[str, frozenset[int]]
    whole: bool

    def resemble(self, anchor: str) -> bool:
        """Whether some rule of slugs may make this anchor of a heading. None puts a hyphen where
        the heading has nothing: `#email-template` is no anchor of “EmailTemplate”."""
        bare, breaks = _loose(anchor)
        for known in (bare, bare.rstrip("0123456789")):
            if known in self.loose:
                return {b for b in breaks if b < len(known)} <= self.loose[known]
        return False


@lru_cache(maxsize=32)
def anchors_of(text: str) -> Anchors:
    given = {
        next(filter(None, m.groups())) for m in (*_NAMED.finditer(text), *_GIVEN.finditer(text))
    }
    exact, loose = {g.lower() for g in given}, dict(map(_loose, given))
    known: dict[str, int] = {}
    for title in _titles(text):
        bare = _UNRESOLVED.sub(r"\1", _ATTRIBUTES.sub("", title))
        for slug in dict.fromkeys((_forge_slug(bare), re.sub("-{2,}", "-", _forge_slug(bare)))):
            seen = known[slug] = known.get(slug, -1) + 1
            exact.add(f"{slug}-{seen}" if seen else slug)
        for kept, breaks in map(_loose, (bare, _SHORTCODE.sub("", bare))):
            loose[kept] = loose.get(kept, frozenset()) | breaks
    return Anchors(frozenset(exact), loose, _MADE.search(without_fences(text)) is None)


_FENCE = compiled(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", needs=("```", "~~~"))
_HASHES = compiled(r"(?m)^#{1,6}[ \t]+(.*?)[ \t#]*$")


def without_fences(text: str) -> str:
    """Returns a text without its fenced code blocks, its lines ended as on Unix."""
    return _FENCE.sub("", text.replace("\r\n", "\n"))


def sections_of(text: str) -> list[tuple[str, str]]:
    """Returns the anchor of each heading behind `#`, with the text below it, in order."""
    parts = _HASHES.split(without_fences(text))[1:]
    titles = (_ATTRIBUTES.sub("", title) for title in parts[::2])
    return [(_forge_slug(t), body) for t, body in zip(titles, parts[1::2], strict=True)]


def _titles(text: str) -> Iterator[str]:
    """The visible text of every heading; of one with an image, with and without its words."""
    import pyromark

    title = _Title()
    events: Any = pyromark.events(text, options=pyromark.Options.ENABLE_GFM)
    for event in events:
        if isinstance(event, str):
            title.add(" ")
            continue
        (name, value), *_ = event.items()
        kind = value if isinstance(value, str) else next(iter(value), "") if value else ""
        if kind == "Image":
            title.images += 1 if name == "Start" else -1
        elif kind == "Heading":
            yield from title.turn(opens=name == "Start")
        elif name in ("Text", "Code"):
            title.add(value)
    yield from (_TAG.sub("", m[1]).strip() for m in _HTML_HEADING.finditer(text))


class _Title:
    """The heading that is being read; parts of images are marked by NUL."""

    def __init__(self) -> None:
        self.parts: list[str] | None = None
        self.images = 0

    def add(self, text: str) -> None:
        if self.parts is not None:
            self.parts.append(f"\0{text}" if self.images else text)

    def turn(self, *, opens: bool) -> Iterator[str]:
        if not opens and self.parts is not None:
            yield "".join(self.parts).replace("\0", "")
            if any(part.startswith("\0") for part in self.parts):
                yield "".join(part for part in self.parts if not part.startswith("\0"))
        self.parts = [] if opens else None


def _forge_slug(title: str) -> str:
    """https://github.com/gjtorikian/html-pipeline: word characters, hyphens, spaces as hyphens."""
    kept = (
        c
        for c in title.lower()
        if c in " -" or c.isalnum() or category(c)[0] == "M" or category(c) == "Pc"
    )
    return "".join(kept).replace(" ", "-")


def _loose(text: str) -> tuple[str, frozenset[int]]:
    """Returns the letters and digits of a text without case and accents, and how many of them stand
    before each place where something else stands."""
    kept, breaks = 0, set[int]()
    plain = normalize("NFKD", text).casefold()
    for c in plain:
        if c.isalnum():
            kept += 1
        elif category(c)[0] != "M":
            breaks.add(kept)
    return "".join(c for c in plain if c.isalnum()), frozenset(breaks)

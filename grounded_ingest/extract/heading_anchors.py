"""The anchors of a Markdown text: what a link behind `#` can lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, normalize

from grounded_ingest.language.patterns import compiled

_NAMED = compiled(r"""<[^>]*\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^"'\s>]+))""")
_GIVEN = compiled(r"\{[^{}]*#([\w:.-]+)[^{}]*\}|^\(([\w:.-]+)\)=\s*$", re.MULTILINE)
_HTML_HEADING = compiled(r"<h[1-6]\b[^>]*>(.*?)</h[1-6]\s*>", re.IGNORECASE | re.DOTALL)
_TAG = compiled(r"<[^>]*>")
_ATTRIBUTES = compiled(r"\s*\{:?[^{}]*\}\s*$")
_SHORTCODE = compiled(r":[a-z0-9_+-]+:")
_MADE = compiled(
    r"^:{3}\s|\{%|\{\{|--8<--|^import .* from |^export |<!--\s*#?include|^\.\. |^!!!? ?include",
    re.MULTILINE,
)
"""What other programs make text of: there may be headings that nobody sees here."""


class Anchors(NamedTuple):
    """`exact`: as forges make them, and those that the text gives. `loose`: letters and digits of
    them alone, where all rules of slugs agree. `whole`: there are no others."""

    exact: frozenset[str]
    loose: frozenset[str]
    whole: bool

    def resemble(self, anchor: str) -> bool:
        """Whether some rule of slugs may make this anchor of a heading."""
        bare = _loose(anchor)
        return bare in self.loose or bare.rstrip("0123456789") in self.loose


@lru_cache(maxsize=32)
def anchors_of(text: str) -> Anchors:
    given = {next(filter(None, m.groups())) for m in (*_NAMED.finditer(text), *_GIVEN.finditer(text))}
    exact, loose = {g.lower() for g in given}, {_loose(g) for g in given}
    known: dict[str, int] = {}
    for title in _titles(text):
        bare = _ATTRIBUTES.sub("", title)
        for slug in dict.fromkeys((_forge_slug(bare), re.sub("-{2,}", "-", _forge_slug(bare)))):
            seen = known[slug] = known.get(slug, -1) + 1
            exact.add(f"{slug}-{seen}" if seen else slug)
        loose |= {_loose(bare), _loose(_SHORTCODE.sub("", bare))}
    return Anchors(frozenset(exact), frozenset(loose), _MADE.search(text) is None)


def _titles(text: str) -> Iterator[str]:
    """The visible text of every heading; of one with an image, with and without its words."""
    import pyromark

    title: list[str] | None = None
    images, described = 0, False
    for event in pyromark.events(text, options=pyromark.Options.ENABLE_GFM):
        if event.__class__ is str:
            if title is not None and event.endswith("Break"):
                title.append(" ")
            continue
        (name, value), *_ = event.items()
        kind = value if isinstance(value, str) else next(iter(value), "") if value else ""
        if name == "Start" and kind == "Heading":
            title, described = [], False
        elif name == "End" and kind == "Heading" and title is not None:
            yield "".join(title).replace("\0", "")
            if described:
                yield "".join(part for part in title if not part.startswith("\0"))
            title = None
        elif kind == "Image" and name in ("Start", "End"):
            images += 1 if name == "Start" else -1
        elif title is not None and name in ("Text", "Code"):
            described = described or images > 0
            title.append(f"\0{value}" if images else value)
    yield from (_TAG.sub("", m[1]) for m in _HTML_HEADING.finditer(text))


def _forge_slug(title: str) -> str:
    """https://github.com/gjtorikian/html-pipeline: word characters, hyphens, spaces as hyphens."""
    kept = (
        c for c in title.strip().lower() if c in " -" or c.isalnum() or category(c)[0] == "M" or category(c) == "Pc"
    )
    return "".join(kept).replace(" ", "-")


def _loose(text: str) -> str:
    """Letters and digits without case and accents."""
    return "".join(c for c in normalize("NFKD", text).casefold() if c.isalnum())

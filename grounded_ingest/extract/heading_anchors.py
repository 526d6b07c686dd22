"""Finds the anchors in a Markdown text, which are the targets of links with `#`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from unicodedata import category, normalize

from msgspec import Struct

from grounded_ingest.extract.hidden_text import unescaped
from grounded_ingest.text.patterns import compiled

# The pattern uses `[^<>]` and not `[^>]`. With `[^>]`, a text with many unclosed `<` would take
# quadratic time.
_NAMED = compiled(r"""<[^<>]*\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^"'\s>]+))""")
# Explicit anchors: `## Title {#anchor}` for site generators, `(anchor)=` for MyST.
_GIVEN = compiled(r"\{(?=[^{}]*+\})[^{}]*#([\w:.-]+)[^{}]*\}|^\(([\w:.-]+)\)=\s*$", re.MULTILINE)
_HTML_HEADING = compiled(
    r"<h[1-6]\b[^<>]*>((?:(?!<h[1-6]\b).)*?)</h[1-6]\s*>", re.IGNORECASE | re.DOTALL
)
_TAG = compiled(r"<[^<>]*>")
_ATTRIBUTES = compiled(r"(?<!\s)\s*\{:?[^{}]*\}\s*$")
_UNRESOLVED = compiled(r"\[([^\[\]]*)\]\[[^\[\]]*\]")
"""Matches a reference link `[text][label]`, which a site generator resolves."""
_TERM = compiled(r"^(\S.*)\n\n?::?[ \t]", re.MULTILINE)
"""Matches a term of a definition list. Hugo makes an anchor from the term."""
_SHORTCODE = compiled(r":[a-z0-9_+-]+:")
_GENERATED = compiled(
    r"^[ \t]*\{(?!\{[<%] ?/?(?:alert|caution|danger|hint|info|note|notice|tip|warning)\b)"
    r"(?!%-? ?(?:end)?raw\b)[%{]|"
    r"--8<--|^\[\[autodoc\]\]|^import .* from .*\.mdx?[\"']|"
    r"<!--\s*[#@]?include|^\.\. |"
    r"^!!!? ?include|^> [A-Z_]{4,}: \S+$|^<(?:[A-Z]|[a-z]+-)[^<>]*/>",
    re.MULTILINE,
)
"""Matches directives and components that may add headings to the page. The import of a component
adds none."""
_OPENED, _CLOSED = compiled(r"(?m)^:{3}\s+\S"), compiled(r"(?m)^:{3,}[ \t]*$")
"""Match `::: shop.orders` of mkdocstrings, which adds headings, and the end of a container such as
`::: tip`, which does not."""


class Anchors(Struct, frozen=True):
    """The anchors in a Markdown text. `exact` contains the anchors that GitHub makes from headings,
    and the explicit anchors. `loose` is for other site generators: it maps the letters and digits
    of each heading to the positions of its other characters, `setup` to 3 for "Set up". `whole` is
    false if a directive in the text can add more anchors."""

    exact: frozenset[str]
    loose: Mapping[str, frozenset[int]]
    whole: bool

    def resemble(self, anchor: str) -> bool:
        """Returns whether a site generator may make `anchor` from a heading in the text. No
        generator puts a hyphen between two adjacent letters: `#email-template` is not the anchor of
        “EmailTemplate”. VitePress writes `_` before a number."""
        bare, breaks = _loose(anchor.lstrip("_"))
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
    above = dict[str, str]()
    for level, title in _titles(text):
        written = _ATTRIBUTES.sub("", title)
        bare = _UNRESOLVED.sub(r"\1", written)
        slug = forge_slug(bare)
        # GitHub keeps the invisible second half of “⚠️” (U+FE0F) in an anchor, Hugo drops it.
        shown = slug.replace("\ufe0f", "")
        # `[, b]` in `open(a[, b][, c])` is no link, and `{id}` in a path no attribute.
        others = map(forge_slug, (written, title))
        every = (slug, shown, re.sub("-{2,}", "-", slug), *others)
        for one in dict.fromkeys(every):
            seen = known[one] = known.get(one, -1) + 1
            exact.add(f"{one}-{seen}" if seen else one)
        # The site of Svelte puts the heading above in front: `#hooks-handle` for “handle”.
        over = next((t for at, t in reversed(above.items()) if at < level), "")
        above = {at: t for at, t in above.items() if at < level} | {level: bare}
        names = (bare, _SHORTCODE.sub("", bare), f"{over} {bare}", _id_in(written))
        for letters, breaks in map(_loose, names):
            loose[letters] = loose.get(letters, frozenset()) | breaks
    for letters, breaks in (_loose(m[1]) for m in _TERM.finditer(text)):
        loose[letters] = loose.get(letters, frozenset()) | breaks
    plain = without_fences(text)
    opened = _OPENED.search(plain) and not _CLOSED.search(plain)
    return Anchors(frozenset(exact), loose, not opened and not _GENERATED.search(plain))


def _id_in(title: str) -> str:
    """Returns the id that some sites read in a title: `cors` in "Sharing (CORS)#cors" and in
    "Sharing [cors]". Returns the title if there is none."""
    if title.endswith("]"):
        head, _, own = title[:-1].rpartition(" [")
    else:
        head, _, own = title.rpartition("#")
    given = head.strip() and not head.endswith((" ", "#")) and re.fullmatch(r"[\w-]+", own)
    return own if given else title


_FENCE = compiled(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", needs=("```", "~~~"))
_HASHES = compiled(r"(?m)^#{1,6}[ \t]+(.*?)[ \t#]*$")


def without_fences(text: str) -> str:
    """Returns a text without its fenced code blocks, and with Unix line ends."""
    return _FENCE.sub("", text.replace("\r\n", "\n"))


def sections_of(text: str) -> list[tuple[str, str]]:
    """Returns pairs of an anchor and the text below its heading, in order.

    Only headings that begin with `#` are included."""
    parts = _HASHES.split(without_fences(text))[1:]
    titles = (_ATTRIBUTES.sub("", title) for title in parts[::2])
    return [(forge_slug(t), body) for t, body in zip(titles, parts[1::2], strict=True)]


def _titles(text: str) -> Iterator[tuple[str, str]]:
    """Yields the level, such as `H2`, and the visible text of every heading.

    Yields a heading with an image twice: with and without the image's alternative text."""
    import pyromark  # imported late, because few runs look up anchors

    images, parts, outside = 0, list[str](), list[str]()
    events: Any = pyromark.events(text, options=pyromark.Options.ENABLE_GFM)
    for event in events:
        (name, value), *_ = event.items() if isinstance(event, dict) else (("Text", " "),)
        if name in ("Text", "Code"):
            parts.append(value)
            outside += [] if images else [value]
        if name not in ("Start", "End"):
            continue
        kind, level = (value, "") if isinstance(value, str) else next(iter(value.items()))
        if kind == "Image":
            images += 1 if name == "Start" else -1
        elif kind == "Heading" and name == "Start":
            parts, outside = [], []
        elif kind == "Heading":
            yield level, "".join(parts)
            if len(outside) < len(parts):
                yield level, "".join(outside)
    in_html = (_TAG.sub("", m[1]).strip() for m in _HTML_HEADING.finditer(text))
    yield from (("", unescaped(title)) for title in in_html)  # `&nbsp;Features`


def forge_slug(title: str) -> str:
    """Returns the anchor that GitHub makes from a heading.

    Keeps word characters and hyphens, and replaces spaces by hyphens. Source of the rule:
    https://github.com/gjtorikian/html-pipeline"""
    kept = (
        c
        for c in title.lower()
        if c in " -" or c.isalnum() or category(c)[0] == "M" or category(c) == "Pc"
    )
    return "".join(kept).replace(" ", "-")


def _loose(text: str) -> tuple[str, frozenset[int]]:
    """Returns a heading's letters and digits without case and accents, and the positions of other
    characters: the number of letters and digits before them."""
    count, breaks = 0, set[int]()
    plain = normalize("NFKD", text).casefold()
    for c in plain:
        if c.isalnum():
            count += 1
        elif category(c)[0] != "M":
            breaks.add(count)
    return "".join(c for c in plain if c.isalnum()), frozenset(breaks)

"""Checks `anchor` references: links to a heading, such as `guide.md#install` or `#install`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain
from urllib.parse import unquote

from grounded_ingest.extract.heading_anchors import (
    Anchors,
    anchors_of,
    sections_of,
    without_fences,
)
from grounded_ingest.extract.reference_cues import is_quoting
from grounded_ingest.git.commit_text import TextRemoval, rewrites
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.kept_parses import in_markdown
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer, add_fates
from grounded_ingest.references.site_pages import is_embedded, is_site_page, page_of_url, sites_of
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.names import near_name, word_stem
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.ANCHOR

_MARKDOWN = (".md", ".markdown", ".mdx")
_COMPONENT = compiled(
    r"(?m)^[ \t]*(?:<(?P<tag>[A-Z][\w.]*(?:\s[^<>]*+)?)(?P<end>>?)|#{1,6} (?P<title>.*))"
)
"""Matches a component or a heading at the start of a line. Some components add a heading, as `<Step
title="Install">` does. A component inside a line does not."""
_SCHEMA = compiled(r"---\n(?:(?!---\n).*\n)*?(?:openapi|asyncapi|api):")
"""Matches the front matter of a page whose headings are made from the description of an API."""
_LINK = compiled(
    r"(?<=\]\()<?(?P<file>(?!(?!xref:|https?:)[a-zA-Z][\w+.-]*:)[^()\s<>#]*)#(?P<anchor>[^()\s<>]+)>?(?=\s+[\"'(]|\))"
)
_PAGE_OF_HUGO = compiled(
    r"\{\{[<%]\s*(?:rel)?ref\s+\"(?P<file>[\w./-]+?)(?:\.md)?#(?P<anchor>[^\"\s]+)\"\s*[%>]\}\}",
    needs=("ref ",),
)
"""Matches a link of Hugo to a heading: `{{< relref "set-up#install" >}}`."""
_NO_HEADING = compiled(
    r"L\d+|:~:|#|.*[/=?&{}]|(?:top|readme|fn|fnref)\b|[\w-]{0,20}\bopt-[\w-]{1,60}\.|"
    r"(?:outlet|output|cell|fig|figure|tab|eq|equation|node|edge|slide|cite|ref)[-_:]\d+$",
    re.IGNORECASE,
)
"""Matches anchors that do not name a heading: lines, text fragments, routes, ids on every page,
options in manuals of Nix (`opt-a.b`), ids of notebooks, figures and diagrams, and `#`, which only
shows a title."""
_WORDS = compiled(r"[a-z0-9]+")
COMPONENTS = 200
"""Maximum number of different components on a page whose words are compared with an anchor."""
LOOKS = 20
"""Maximum number of anchors in one run that are searched in history."""
NO_HEADING = "has no heading #"
"""Part of the message about a missing heading, between the page and the anchor."""
MORE = 2
"""Maximum difference between the numbers of words in two similar anchors."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the links to headings in a Markdown claim, except in code spans and quotations."""
    if "#" not in claim.text or not path.lower().endswith(_MARKDOWN):
        return ()
    code = [(span.start, span.start + len(span.text)) for span in code_spans(claim.text)]
    return [
        Reference(KIND, path, m["anchor"], m.start(), m.end(), m["file"] + ending)
        for pattern, ending in ((_LINK, ""), (_PAGE_OF_HUGO, ".md"))
        for m in pattern.finditer(claim.text)
        if not (_NO_HEADING.match(m["anchor"]) or _is_around_image(m))
        and not any(start <= m.start() < end for start, end in code)
        and not is_quoting(claim.text[: m.start()])
    ]


def _is_around_image(found: re.Match[str]) -> bool:
    """Returns whether a link within its page only keeps an image such as a badge from linking to
    itself: `[![build](a.svg)](#badge)`, or `<a href="#badge"><img></a>`, which has no words."""
    return not found["file"] and found.string.endswith(
        (")](", f"[#{found['anchor']}]("), 0, found.start()
    )


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up headings in the linked files. Returns a result for each link that is certainly right
    or wrong. At most LOOKS missing anchors are searched in history."""
    found = {r: answer for r in asked if (answer := _answer(r, context))}
    if context.brief:
        return found
    return add_fates(found, lambda _, answer: _with_fate(answer, context), LOOKS)


def _answer(asked: Reference, context: Context) -> TreeAnswer | None:
    raw = re.sub(r"\?.*", "", unquote(asked.of))
    files = _linked_files(asked.path, raw, context)
    if len(files) != 1:
        return None
    if not files[0].lower().endswith(_MARKDOWN):
        return None
    text = text_of(context.tree, files[0]) if context.tree.size(files[0]) <= LARGEST else None
    if text is None:
        return None
    known = anchors_of(in_markdown(files[0], text))
    anchor = unquote(asked.name).lower().removeprefix("user-content-")
    target = f"{files[0]}#{anchor}"
    if anchor in known.exact:
        if _is_in_capitals(unquote(asked.name), files[0], text, context):
            # VitePress 2 writes the anchors of links in small letters, VitePress 1 does not.
            by_version = any("vitepress" in s.config for s in sites_of(files[0], context.tree))
            return None if by_version else _refuted(files[0], asked.name, known)
        return TreeAnswer(Verdict.CONFIRMED, target)
    if _may_have_anchor(asked, anchor, files[0], context) or _is_generated(asked, context):
        return None
    if is_embedded(files[0], context.tree):
        return None
    return _refuted(files[0], anchor, known)


def _may_have_anchor(asked: Reference, anchor: str, file: str, context: Context) -> bool:
    """Returns whether the generator of a site may make an anchor that the forge does not make, or
    whether a changelog may have had it."""
    text = text_of(context.tree, file) or ""
    if context.whole and _CHANGELOG.search(file):
        return True  # old entries leave a changelog: of 10 such reports about old text, 1 was right
    if _FILLED.search(text):
        return True
    known = anchors_of(in_markdown(file, text))
    open_ended = not known.whole or _may_be_in_component(file, text, anchor)
    if (open_ended or known.resemble(anchor)) and _is_of_site(file, text, context):
        return True
    turned = (_writes_hyphens(page, context) for page in (asked.path, file))
    if known.resemble(anchor) and any(turned):
        return True
    return _only_site_knows(re.sub(r"\?.*", "", unquote(asked.of)), file, context)


_CHANGELOG = compiled(
    r"(?i)(?:^|/)(?:change[-_]?log|changes|history|news|release[-_]?notes)\b[^/]*$"
)


_FILLED = compiled(
    r"(?i)<!--\s*+(?!start|end|/)(?:[^<>]{0,200}?\b)?(?:auto-?)?generated\b[^<>]{0,200}-->"
    r"\s*(?:\Z|^#)",
    re.MULTILINE,
    needs=("generated",),
)
"""Matches a comment in whose place a build writes text: a heading follows it, or nothing."""


def _linked_files(document: str, link: str, context: Context) -> list[str]:
    """Returns the files that a link may lead to. A URL leads to a file if it is the address of a
    file on the repository's forge, or of a page on the repository's web site."""
    if not link:
        return [document]
    if link.startswith("http"):
        from grounded_ingest.references.forge_pages import (
            own_file,  # imported late for a fast start
        )

        file = own_file(link, context) or page_of_url(link, context.tree)
        return [file] if context.tree.has(file) else []
    cited = Request(document, Citation(CitationKind.PATH, link, link=True))
    return resolve_path(cited, context.tree)


def _is_in_capitals(anchor: str, file: str, text: str, context: Context) -> bool:
    """Returns whether an anchor has capital letters that the page of a site does not have. Sites
    without a rule of their own make anchors in small letters, and browsers compare them exactly."""
    named = rf"(?:\b(?:id|name)\s*=\s*[\"']?|\{{[^{{}}]*#|^\(){re.escape(anchor)}\b"
    capitals = anchor != anchor.lower() and is_site_page(file, context.tree)
    own_rule = capitals and _only_site_knows(file, file, context)
    return capitals and not (own_rule or re.search(named, text, re.MULTILINE))


def _refuted(file: str, anchor: str, known: Anchors) -> TreeAnswer:
    near = _near(anchor, known.exact)
    hint = f"; perhaps #{near}" if near else ""
    return TreeAnswer(Verdict.REFUTED, f"{file}#{anchor}", f"{file} {NO_HEADING}{anchor}{hint}")


def _is_of_site(file: str, text: str, context: Context) -> bool:
    """Returns whether a site may make the anchors of a page. A forge makes exactly one anchor from
    a heading, but generators of sites have rules of their own. They read front matter or
    `[[autodoc]]`, and the site may be in another repository."""
    signs = text.startswith(("---\n", "+++\n")) or file.endswith(".mdx") or "\n[[autodoc]]" in text
    return signs or bool(sites_of(file, context.tree))


def _writes_hyphens(document: str, context: Context) -> bool:
    """Returns whether a page was written for a site outside of the tree that turns `_` into `-` in
    anchors: at least FEWEST of its links to its own headings do so."""
    return context.is_page_noticed(document, _has_hyphens)


def _has_hyphens(document: str, tree: Tree) -> bool:
    text = text_of(tree, document) or ""
    named = {unquote(m["anchor"]).lower() for m in _LINK.finditer(text) if not m["file"]}
    return len(named & _with_hyphens(anchors_of(text))) >= FEWEST


def _with_hyphens(known: Anchors) -> set[str]:
    """Returns the anchors that such a site makes, and the forge does not."""
    return {a.replace("_", "-") for a in known.exact if "_" in a} - known.exact


FEWEST = 3
"""Minimum number of different links on a page of such a site."""


def _may_be_in_component(file: str, text: str, anchor: str) -> bool:
    """Returns whether a component of a page may add the heading of an anchor: its tag, or a heading
    inside it, has the words of the anchor. In MDX, it may also have values that only a program
    knows. A page about an API, or with very many components, may have any heading."""
    shown, open_ended = _words_in_components(text, file.endswith(".mdx"))
    words = {*_WORDS.findall(anchor)}
    return open_ended or any(words <= some for some in shown)


@lru_cache(maxsize=16)
def _words_in_components(text: str, mdx: bool) -> tuple[frozenset[frozenset[str]], bool]:
    plain = text if "```mdx-code-block" in text else without_fences(text)
    shown, open_ended = set[frozenset[str]](), _SCHEMA.match(text) is not None
    for found in _COMPONENT.finditer(plain):
        tag = found["tag"] or ""
        if tag and mdx:
            open_ended = open_ended or not found["end"] or "{" in tag or tag[-1] == "/"
        if tag or found[0][0] in " \t":
            shown.add(frozenset(_WORDS.findall((tag or found["title"]).lower())))
    return frozenset(shown), open_ended or len(shown) > COMPONENTS


_GENERATED = compiled(r"(?s)<!--\s*([A-Z][A-Z-]+):START\b.*?<!--\s*\1:END\b")


def _is_generated(asked: Reference, context: Context) -> bool:
    """Returns whether a program such as all-contributors wrote the link: it occurs only between the
    comments `NAME:START` and `NAME:END`."""
    written = _written(text_of(context.tree, asked.path) or "")
    return written is not None and f"#{asked.name}" not in written


@lru_cache(maxsize=1)  # a page can have thousands of links
def _written(text: str) -> str | None:
    """Returns the text without what a program wrote, or None if no program wrote any of it."""
    return _GENERATED.sub("", text) if ":START" in text else None


def _only_site_knows(link: str, file: str, context: Context) -> bool:
    """Returns whether only the site generator knows an anchor, because the site has its own rule
    for anchors. The rules of pymdownx keep the letters and digits of a heading."""
    texts = [site.text for site in sites_of(file, context.tree)]
    own = (t for t in texts if "slugify" in t and "pymdownx.slugs" not in t)
    # In MyST, `[](#target)` means a target or an object anywhere in the project.
    return any(own) or any(not link and _MYST.search(text) for text in texts)


_MYST = compiled(r"\bmyst(?:_|\b)", needs=("myst",))


def _with_fate(answer: TreeAnswer, context: Context) -> TreeAnswer:
    """Returns the result for a missing anchor. If history shows that the heading was renamed, the
    result names the new heading."""
    path, _, anchor = answer.target.rpartition("#")
    now = _renamed_anchor(path, anchor, context)
    if not now or now not in anchors_of(text_of(context.tree, path) or "").exact:
        return answer
    reason = f"{path} {NO_HEADING}{anchor}: the heading is now #{now}"
    return answer._replace(reason=reason, instead=f"{path}#{now}")


def _renamed_anchor(path: str, anchor: str, context: Context) -> str:
    """Returns the anchor of the heading by which the change or a commit replaced the heading
    `anchor`, or "". The section has to keep half of its lines, or the heading has to keep a
    word."""
    words = _WORDS.findall(anchor)
    if not words:
        return ""
    from difflib import SequenceMatcher  # imported late for a fast start

    pattern = f"^#+ .*{'[^[:alnum:]]+'.join(words)}"
    held = context.repo.objects.read(f"{context.start}:{path}") or b""
    now = TextRemoval("", held.decode(errors="replace"), text_of(context.tree, path) or "")
    earlier = rewrites(context.repo, context.start, path, pattern, context.cache)
    for change in chain((now,), earlier):
        had, has = sections_of(change.before), sections_of(change.after)
        old, new = [a for a, _ in had], [a for a, _ in has]
        if anchor not in old or anchor in new:
            continue
        at = old.index(anchor)
        for tag, i, i2, j, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "replace" and (i, i2 - i, j2 - j) == (at, 1, 1):
                kept = _keeps_half(had[i][1], has[j][1]) or _stems(anchor) & _stems(new[j])
                return new[j] if kept else ""
        return ""
    return ""


def _keeps_half(before: str, after: str) -> bool:
    old, new = ({row for row in text.split("\n") if row.strip()} for text in (before, after))
    return 2 * len(old & new) >= max(len(old), len(new), 1)


def _stems(anchor: str) -> set[str]:
    words = _WORDS.findall(anchor)
    named = [w for w in words if not w.isdigit()]  # a renumbered "Step 5" is still the same step
    return {word_stem(word) for word in (named if len(named) > MORE else words)}


def _near(anchor: str, known: Collection[str]) -> str:
    """Returns the only similar anchor in `known`. A similar anchor has the same word stems and at
    most two words more or fewer, or differs in one letter. Returns an empty string if no anchor or
    several anchors are similar."""
    own = _stems(anchor)
    # `step-5--run` and `step-5-run` mean the same heading. GitHub uses the first form.
    known = {"-".join(_WORDS.findall(a)): a for a in sorted(known, key=len)}.values()
    near = []
    for other in known:
        few, many = sorted((own, _stems(other)), key=len)
        if len(few) > 1 and few <= many and len(many) - len(few) <= MORE:
            near.append(other)
    if near:
        return near[0] if len(near) == 1 else ""
    return near_name(anchor, known)

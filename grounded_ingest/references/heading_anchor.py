"""`anchor`: a link to a heading, `guide.md#install`, `#install`, is there when the file has it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grounded_ingest.git.quoted_lines import LARGEST, text_of
from grounded_ingest.language.code_spans import code_spans
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.verify.context import Context, Request
from grounded_ingest.verify.path import resolve_path

KIND = CitationKind.ANCHOR

_MARKDOWN = (".md", ".markdown")
_LINK = compiled(
    r"(?<=\]\()<?(?P<file>(?![a-zA-Z][\w+.-]*:)[^()\s<>#]*)#(?P<anchor>[^()\s<>]+)>?(?=\s+[\"'(]|\))"
)
_NO_HEADING = compiled(r"L\d+|:~:|.*[/=?&{}]|(?:top|readme|fn|fnref)\b", re.IGNORECASE)
"""Lines, text fragments, routes, and what every page has."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    if "#" not in claim.text or not path.lower().endswith(_MARKDOWN):
        return ()
    code = [(span.start, span.start + len(span.text)) for span in code_spans(claim.text)]
    return [
        Reference(KIND, path, m["anchor"], m.start(), m.end(), m["file"])
        for m in _LINK.finditer(claim.text)
        if not _NO_HEADING.match(m["anchor"])
        and not any(start <= m.start() < end for start, end in code)
    ]


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    return {r: answer for r in asked if (answer := _answer(r, context))}


def _answer(asked: Reference, context: Context) -> TreeAnswer | None:
    from urllib.parse import unquote

    from grounded_ingest.extract.heading_anchors import anchors_of

    raw = re.sub(r"\?.*", "", unquote(asked.of))
    cited = Request(asked.path, Citation(CitationKind.PATH, raw, link=True))
    files = resolve_path(cited, context.tree) if raw else [asked.path]
    if len(files) != 1 or not files[0].lower().endswith(_MARKDOWN):
        return None
    text = text_of(context.tree, files[0]) if context.tree.size(files[0]) <= LARGEST else None
    if text is None:
        return None
    known = anchors_of(text)
    anchor = unquote(asked.name).lower().removeprefix("user-content-")
    target = f"{files[0]}#{anchor}"
    if anchor in known.exact:
        return TreeAnswer(Verdict.CONFIRMED, target)
    if not known.whole or known.resemble(anchor):
        return None
    return TreeAnswer(
        Verdict.REFUTED, target, f"{files[0]} has no heading #{anchor}{_near(anchor, known.exact)}"
    )


def _near(anchor: str, known: frozenset[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(anchor, sorted(known)[:500], 1, 0.7)
    return f"; it has #{near[0]}" if near else ""

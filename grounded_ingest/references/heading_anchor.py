"""`anchor`: a link to a heading, `guide.md#install`, is there when the file has such a heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grounded_ingest.git.quoted_lines import LARGEST, text_of
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.support.excerpt import slugs
from grounded_ingest.verify.context import Context, Request
from grounded_ingest.verify.path import resolve_path

KIND = CitationKind.ANCHOR

_MARKDOWN = (".md", ".markdown")
_NAMED = compiled(r"""<[^>]*\b(?:id|name)\s*=\s*["']?([^"'\s>]+)""")
_OTHER_SYNTAX = compiled(r"\{#[\w-]+\}|^:{2,}|\{%|\{\{", re.MULTILINE)
"""Attributes, directives and templates: sites that have them make headings we do not see."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    return [
        Reference(CitationKind.ANCHOR, path, c.anchor, 0, 0, c.raw)
        for c in claim.citations
        if c.own and c.link and c.anchor and c.raw.lower().endswith(_MARKDOWN)
    ]


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    return {r: answer for r in asked if (answer := _answer(r, context))}


def _answer(asked: Reference, context: Context) -> TreeAnswer | None:
    cited = Request(asked.path, Citation(CitationKind.PATH, asked.of, link=True))
    files = resolve_path(cited, context.tree)
    if len(files) != 1 or context.tree.size(files[0]) > LARGEST:
        return None
    text = text_of(context.tree, files[0])
    if text is None or _OTHER_SYNTAX.search(text):
        return None
    target, wanted = f"{files[0]}#{asked.name}", asked.name.lower()
    there = {*slugs(text), *(name.lower() for name in _NAMED.findall(text))}
    if wanted in there or re.match(r"l\d", wanted):
        return TreeAnswer(Verdict.CONFIRMED, target)
    return TreeAnswer(Verdict.REFUTED, target, f"{files[0]} has no heading #{asked.name}")

"""Lines of files that a document cites in code blocks, as drawings of calls do: `parser.py:120`.

A block is also a place for sample output. So only lines of files that the tree has are judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grounded_ingest.extract.shell_blocks import CodeBlock, code_blocks
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    Document,
    Evidence,
    Place,
    Verdict,
)
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.drifted_lines import drifted
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.references.path import resolve_path
from grounded_ingest.references.reference import exemption
from grounded_ingest.references.verifiers import verify_citations
from grounded_ingest.text.patterns import compiled

_LINES = compiled(
    r"(?<![\w./@:-])((?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w*):(\d{1,7})(?:-(\d{1,7}))?(?![\w:.-])"
)
_DRAWN = frozenset(("", "text", "txt", "plaintext", "plain", "ascii", "mermaid", "tree"))
"""Languages of blocks that draw or list something."""
_SAMPLES = compiled(r"(?i)\berror\b|\bwarn|\bat \w|traceback|^\s*[$>%] ")
"""Stands in output of compilers and programs."""


def wrong_lines(
    documents: Sequence[Document], context: Context
) -> Iterator[tuple[Place, Evidence]]:
    """Yields the wrong citations of lines in code blocks, each with its line of the document."""
    places: list[Place] = []
    asked: list[tuple[Request, ...]] = []
    for document in documents:
        for row, line, block in _rows(document, context):
            named = [r for m in _LINES.finditer(row) if (r := _request(document, m, context))]
            claim = Claim("", row.strip(), row.strip(), block.section, 0, line, 1, line, 0)
            if named and not exemption(claim, (("lead-in", block.lead),)):
                places.append(Place(document.path, document.doc_class, claim))
                asked.append(tuple(dict.fromkeys(named)))
    found = verify_citations((r for some in asked for r in some), context)
    moved = drifted(places, asked, found, context)
    for number, requests in enumerate(asked):
        for request in requests:
            one = moved.get((number, request), found[request])
            if one is not None and one.verdict is Verdict.REFUTED:
                yield places[number], one


def _rows(document: Document, context: Context) -> Iterator[tuple[str, int, CodeBlock]]:
    """Yields the rows of drawings, with their line (1-based) in the document."""
    text = page_text(document.path, context.tree)
    for block in code_blocks(text) if text and _LINES.search(text) else ():
        if block.language in _DRAWN and not _SAMPLES.search(block.text):
            for line, row in enumerate(block.text.split("\n"), block.line):
                yield row, line, block


def _request(document: Document, found: re.Match[str], context: Context) -> Request | None:
    """Returns the citation of lines of the one file of the tree that is meant."""
    raw, first, last = found.groups()
    lines = int(first), int(last or first)
    request = Request(document.path, Citation(CitationKind.PATH, raw, lines=lines))
    return request if len(resolve_path(request, context.tree)) == 1 else None

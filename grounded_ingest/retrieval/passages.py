"""Divides a document into the passages that `recall` searches and returns.

A passage is a paragraph, a list item, a table row, a memory record, or a code block with the
paragraph directly above it. A code block is stored as a claim with the rule `code-block`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import zip_longest

from msgspec import Struct

from grounded_ingest.extract.claims import claim_id
from grounded_ingest.extract.code_blocks import code_blocks
from grounded_ingest.model.claims import (
    Claim,
    Decision,
    Document,
    Extraction,
    Form,
    MemoryType,
    Place,
    Source,
    Tier,
)
from grounded_ingest.text.patterns import compiled

CODE = "code-block"
"""The rule name that results show for a code block, which the check does not decide about."""
_CONTENTS = compiled(r"\W*\[[^\]]*\]\(#[^()]*\)\W*")
"""Matches an entry of a table of contents."""
LONGEST = 2000
"""Maximum number of characters of a code block that are searched and returned."""


class RecallPassage(Struct, frozen=True, array_like=True):
    """A passage in a document. `text` is the whole text, including sentences that are not claims.
    `over` has the headings, the parent items and the sentences that introduce the passage. `claims`
    are the numbers of its claims. A code block comes first among them, and its text is the text of
    the passage."""

    text: str
    over: str
    claims: tuple[int, ...]


def code_decisions(document: Document, text: str, wrong: Set[int]) -> Iterator[Decision]:
    """Yields a decision for each code block in a Markdown text: block (tier 3) if the block or the
    paragraph that introduces it has a line in `wrong`, else review (tier 2). `wrong` has the
    numbers of lines with a wrong reference or a blocked claim."""
    for block in code_blocks(text):
        code = block.text.strip("\n")
        first = block.lead_line or block.line
        end = block.line + code.count("\n")
        said = f"{block.lead}\n{code}" if block.lead_line else code
        if not code.strip():
            continue
        claim = Claim(
            claim_id(said), said[:LONGEST], "", block.section, 0, first, 1, end, 0,
            form=Form.HTML, memory_type=MemoryType.PROCEDURAL,
        )  # fmt: skip
        tier = Tier.REVIEW if wrong.isdisjoint(range(first, end + 1)) else Tier.BLOCK
        place = Place(document.path, document.doc_class, claim)
        yield Decision(place, tier, CODE, Source.UNKNOWN)


def passages(extraction: Extraction, claims: Sequence[Claim]) -> list[RecallPassage]:
    """Returns the passages of a document in the order of their lines.

    `claims` are the claims of the extraction, followed by the code blocks as claims. The claims in
    the lines of a code block belong to the passage of the code block. A lead-in is not a
    passage."""
    code_from = len(extraction.claims)
    groups: list[list[int]] = []
    covered = 0  # last line of the previous code block
    for number in sorted(range(len(claims)), key=lambda n: (claims[n].line, n < code_from, n)):
        claim = claims[number]
        if number >= code_from:
            covered = claim.end_line
        elif groups and (
            claim.line <= covered
            or _paragraph(extraction, claim) == _paragraph(extraction, claims[groups[-1][0]])
        ):
            groups[-1].append(number)
            continue
        groups.append([number])
    found = [_passage(extraction, [claims[n] for n in group], group) for group in groups]
    return [
        p
        for p, below in zip_longest(found, found[1:])
        if p.claims[0] >= code_from or not _only_leads(p.text, claims[p.claims[0]].form, below)
    ]


def _only_leads(text: str, form: Form, below: RecallPassage | None) -> bool:
    """Returns whether a text is a heading or lead-in of the passage below, or only a link to a
    heading of the same document."""
    if form is Form.HEADING:
        return below is not None and text in below.over
    introduces = form is not Form.RECORD and text.rstrip("*_ ").endswith((":", "："))
    return introduces or _CONTENTS.fullmatch(text) is not None


def _paragraph(extraction: Extraction, claim: Claim) -> str | Claim:
    """Returns the digest of the paragraph that contains a claim, or the claim if no paragraph
    contains it."""
    frame = extraction.frames.get(claim.context)
    return claim.context if frame is not None and frame.kind == "paragraph" else claim


def _passage(
    extraction: Extraction, claims: Sequence[Claim], group: Sequence[int]
) -> RecallPassage:
    first = claims[0]
    context = extraction.context(first)
    paragraphs = [text for kind, text in context if kind == "paragraph"]
    over = [text for kind, text in context if kind != "paragraph"]
    text = paragraphs[-1] if paragraphs else first.text
    return RecallPassage(text, " ".join((first.section, *over)), tuple(group))

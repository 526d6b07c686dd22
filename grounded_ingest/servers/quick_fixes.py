"""Returns quick fixes for an editor: the changes that `check --fix` makes, and sources to cite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Claim, Decision, DocClass, Form, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.references.citable import citable
from grounded_ingest.references.proofs.offer import offer_for
from grounded_ingest.report.fixes import Fixed, plan_fixes
from grounded_ingest.repository.scope import Asked
from grounded_ingest.servers.editor_document import EditorDocument, Span, spans_of


class QuickFix(NamedTuple):
    """A replacement of a span in a document. `title` describes the replacement. `certain` is true
    if `check --fix` would make the same replacement."""

    title: str
    span: Span
    text: str
    certain: bool = False


def quick_fixes(document: EditorDocument, asked: Span) -> list[QuickFix]:
    """Returns the quick fixes for the lines in the span `asked`. Does not write any file."""
    path, lines = document.path, _lines(asked, document)
    content = document.text.encode(errors="replace")
    read = extract(content, path, DocClass.MEMORY).claims  # MEMORY extracts the most claims
    if not any(_stands_on(claim, lines) for claim in read):
        return []  # editors ask after each cursor movement, and a check would be slow
    scope = Asked("paths", (path,), proposed=((path, content),))
    with document.session.check(scope) as result:
        here = [d for d in result.report.decisions if _stands_on(d.place.claim, lines)]
        moves = [f for d in plan_fixes(result) for f in _correction_fixes(d)]
        found = [f for f in moves if document.positions.line(f.span[0]) in lines]
        return [*found, *_citation_fixes(document, result, here)]


def _stands_on(claim: Claim, lines: range) -> bool:
    return claim.line < lines.stop and lines.start <= claim.end_line


def _lines(asked: Span, document: EditorDocument) -> range:
    first, last = (document.positions.line(offset) for offset in asked)
    return range(first, last + 1)


def _correction_fixes(fixed: Fixed) -> Iterator[QuickFix]:
    """Yields a quick fix for each changed line. The fix replaces the words from the first to the
    last difference."""
    start = 0
    for before, after in zip(fixed.before.split(b"\n"), fixed.after.split(b"\n"), strict=True):
        old, new = before.decode(), after.decode()
        if old != new:
            first, last = _common_ends(old, new)
            said, instead = old[first : len(old) - last], new[first : len(new) - last]
            title = f"Replace {said.strip('`')} by {instead.strip('`')}"
            yield QuickFix(title, (start + first, start + len(old) - last), instead, certain=True)
        start += len(old) + 1


_WORD = re.compile(r"[^\s`()\[\]]*")


def _common_ends(old: str, new: str) -> tuple[int, int]:
    """Returns how many characters two lines share at their beginning and at their end. Counts only
    whole words.
    """
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    first -= _length_of_word(old[:first][::-1])
    last -= _length_of_word(old[len(old) - last :])
    return first, last


def _shared(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _length_of_word(text: str) -> int:
    found = _WORD.match(text)
    return found.end() if found else 0


def _citation_fixes(
    document: EditorDocument, result: Result, here: Sequence[Decision]
) -> Iterator[QuickFix]:
    """Yields quick fixes that add a proof or a citation to a claim. The citations are those that
    the command `cite` finds."""
    decisions = result.report.decisions
    claims = [d.place.claim for d in decisions]
    spans = spans_of(claims, document.positions)
    for number, decision in enumerate(decisions):
        claim = claims[number]
        if decision not in here:
            continue
        offer = offer_for(decision, result.engine.context)
        if offer.count("`") == 2:  # an assertion, and not a sentence about a recipe
            at = _end_of_sentence(document.text, spans[number])
            yield QuickFix(f"State {offer}", (at, at), f" ({offer})")
        if not _is_open(decision):
            continue
        for place in citable(claim.text, result.engine.context):
            if re.split("::|:", place.target, maxsplit=1)[0] == document.path:
                continue  # a document is not evidence for its own claims
            at = _end_of_sentence(document.text, spans[number])
            written = f" (`{place.target}`)"
            after = document.text[:at] + written + document.text[at:]
            if _only_adds(after, document.path, decision.place.doc_class, claims, number):
                yield QuickFix(f"Cite {place.target}: {place.quote}", (at, at), written)


def _is_open(decision: Decision) -> bool:
    claim = decision.place.claim
    cites = any(citation.own for citation in claim.citations)
    return (
        decision.tier is Tier.REVIEW and claim.form is Form.PROSE and not (claim.nothing or cites)
    )


_ENDS = re.compile(r"[.!?…]*[*_~]*$")


def _end_of_sentence(text: str, span: Span) -> int:
    """Returns the offset before the punctuation that ends the sentence in a span."""
    found = _ENDS.search(text[span[0] : span[1]])
    return span[0] + found.start() if found else span[1]


def _only_adds(
    after: str, path: str, doc_class: DocClass, claims: Sequence[Claim], number: int
) -> bool:
    """Returns whether the changed text has the same claims as before, except that the claim with
    the index `number` now has a citation."""
    anew = extract(after.encode(errors="replace"), path, doc_class).claims
    return len(anew) == len(claims) and all(
        new.section == old.section
        and (any(c.own for c in new.citations) if n == number else new.id == old.id)
        for n, (old, new) in enumerate(zip(claims, anew, strict=True))
    )

"""Lists the skipped references in documents, each with the reason why it is not checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grounded_ingest.model.claims import CitationKind, Decision, Document, Place, Verdict
from grounded_ingest.model.report import LeftOut
from grounded_ingest.references.code_blocks import block_answers, skip_reason
from grounded_ingest.references.context import Context, as_cited, requests_of
from grounded_ingest.references.drawn_tree import entry_answers
from grounded_ingest.references.exemptions import exemption_reason
from grounded_ingest.references.path import look_up_paths
from grounded_ingest.references.registry import judge_mentions


def skipped_references(
    documents: Sequence[Document], decisions: Sequence[Decision], context: Context
) -> list[LeftOut]:
    """Returns the skipped references in the documents, sorted by document and line, without
    duplicates."""
    changed = [d for d in decisions if d.changed]
    found = [*_skipped_citations(changed, context), *_skipped_mentions(documents, changed, context)]
    return sorted(dict.fromkeys(found), key=lambda s: (s.path, s.line, s.target))


def skipped_in(place: Place, found: Iterable[LeftOut]) -> list[str]:
    """Returns the skipped references that a claim names, each with the reason."""
    claim = place.claim
    here = (s for s in found if s.path == place.path and claim.line <= s.line <= claim.end_line)
    return [f"{s.target}: {s.reason}" for s in here if s.target in claim.text]


def _skipped_citations(decisions: Sequence[Decision], context: Context) -> Iterator[LeftOut]:
    """Yields the skipped citations in claims. A path citation is skipped if its text is not a path
    or not about this repository. URLs and issues are skipped in an offline run."""
    cited = [
        (d.place, r)
        for d in decisions
        for r in requests_of(d.place.path, d.place.claim)
        if r.citation.kind is CitationKind.PATH and r.citation.own
    ]
    paths = look_up_paths([r for _, r in cited], context)
    for place, request in cited:
        if paths[request].verdict is Verdict.SKIPPED:
            target = as_cited(request.citation)
            yield LeftOut(place.path, paths[request].reason, place.claim.line, target)
    for d in decisions:
        for e in d.own_evidence:
            if e.verdict is Verdict.SKIPPED:
                yield LeftOut(d.place.path, e.reason, d.place.claim.line, e.target)


def _skipped_mentions(
    documents: Sequence[Document], decisions: Sequence[Decision], context: Context
) -> Iterator[LeftOut]:
    """Yields the skipped mentions in claims, skipped commands in code blocks and skipped entries in
    drawn directory trees."""
    places = [d.place for d in decisions]
    read = {d.path: d.extraction for d in documents}
    judged = judge_mentions(
        places, lambda n: read[places[n].path].context(places[n].claim), context
    )
    for place, mentions in zip(places, judged, strict=True):
        for mention in (m for m in mentions if not m.counts):
            reason, target = exemption_reason(mention.exempt), mention.answer.target
            yield LeftOut(place.path, reason, place.claim.line, target)
    for shown, answer in block_answers(documents, context):
        if answer.verdict is Verdict.REFUTED and (reason := skip_reason(shown, answer, context)):
            yield LeftOut(shown.place.path, reason, shown.place.claim.line, answer.target)
    for entry in entry_answers(documents, context):
        if entry.verdict is Verdict.SKIPPED:
            yield LeftOut(entry.path, entry.reason, entry.line, entry.target)

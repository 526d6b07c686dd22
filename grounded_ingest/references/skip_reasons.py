"""References that are not meant as references to this tree, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grounded_ingest.model.claims import CitationKind, Decision, Document, Verdict
from grounded_ingest.model.report import LeftOut
from grounded_ingest.references import registry
from grounded_ingest.references.context import Context, as_cited, requests_of
from grounded_ingest.references.drawn_tree import entry_answers
from grounded_ingest.references.path import look_up_paths
from grounded_ingest.references.shown_commands import shown_answers, skip_reason


def skipped_references(
    documents: Sequence[Document], decisions: Sequence[Decision], context: Context
) -> list[LeftOut]:
    """Returns the references of documents that were skipped, by document and line, once each."""
    asked = [d for d in decisions if d.changed]
    found = [*_of_claims(asked, context), *_of_text(documents, asked, context)]
    return sorted(dict.fromkeys(found), key=lambda s: (s.path, s.line, s.target))


def _of_claims(decisions: Sequence[Decision], context: Context) -> Iterator[LeftOut]:
    """What the citations of claims turned out not to be, and what was not asked offline."""
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


def _of_text(
    documents: Sequence[Document], decisions: Sequence[Decision], context: Context
) -> Iterator[LeftOut]:
    """What claims mention, code blocks show and trees draw that is not meant as here."""
    places = [d.place for d in decisions]
    above = {d.path: d.extraction for d in documents}
    mentioned = registry.skipped(
        places, lambda n: above[places[n].path].context(places[n].claim), context
    )
    for place, target, reason in mentioned:
        yield LeftOut(place.path, reason, place.claim.line, target)
    for shown, answer in shown_answers(documents, context):
        if answer.verdict is Verdict.REFUTED and (reason := skip_reason(shown, answer)):
            yield LeftOut(shown.place.path, reason, shown.place.claim.line, answer.target)
    for entry in entry_answers(documents, context):
        if entry.verdict is Verdict.SKIPPED:
            yield LeftOut(entry.path, entry.reason, entry.line, entry.target)

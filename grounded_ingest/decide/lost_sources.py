"""Claims elsewhere whose cited lines a change turns into something else, and claims that rest on
what it touches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from grounded_ingest.code.definitions import definitions_in, definitions_of, has_parser
from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.decide.touched_files import TouchedFiles, claims_citing, text_in
from grounded_ingest.git.quoted_lines import rows_of
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import CitationKind, Place, Problem, Tier
from grounded_ingest.references.cited_lines import Drift, describe_drift, drift_of, is_about_today
from grounded_ingest.references.context import Context, Request, as_cited
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.rules.reference_rules import CHANGED, WRONG


def changed_lines(
    change: TouchedFiles, standing: BaseView, is_reported: Callable[[Place], bool]
) -> Iterator[Problem]:
    """Yields a problem per claim and citation of lines that the change turns into others."""
    seen: set[tuple[str, int, str]] = set()
    for place in claims_citing(standing, change.edited_code):
        if is_reported(place):
            continue
        for request in _own(place):
            why = _turned(request, place, change)
            key = place.path, place.claim.line, why
            if why and key not in seen:
                seen.add(key)
                yield Problem(*key[:2], f"{WRONG}[{CHANGED}]", why, Tier.REVIEW)


def impacted(
    change: TouchedFiles, standing: BaseView, is_new: Callable[[Place], bool]
) -> Iterator[Problem]:
    """One problem per claim that rests on what a change touches: for whoever reviews it."""
    touched = {**change.edited, **{p: p for p in change.gone}}
    told: set[tuple[str, int]] = set()
    for place in claims_citing(standing, touched):
        if is_new(place) or (place.path, place.claim.line) in told:
            continue
        rests = (_rests_on(r, touched, change.before, change.context) for r in _own(place))
        if on := next(filter(None, rests), ""):
            told.add((place.path, place.claim.line))
            yield Problem(place.path, place.claim.line, "impacted", f"rests on {on}")


def _rests_on(request: Request, touched: Mapping[str, str], parent: Tree, context: Context) -> str:
    """The touched file that a citation means; of cited lines only where they are others now."""
    if request.citation.kind is not CitationKind.PATH:
        return ""
    found = resolve_path(request, context.tree) or resolve_path(request, parent)
    if len(found) != 1 or found[0] not in touched:
        return ""
    if lines := request.citation.lines:
        before = rows_of(text_in(parent, touched[found[0]]))[lines[0] - 1 : lines[1]]
        if before == rows_of(text_in(context.tree, found[0]))[lines[0] - 1 : lines[1]]:
            return ""
    return as_cited(request.citation)


def _own(place: Place) -> Iterator[Request]:
    return (Request(place.path, c) for c in place.claim.citations if c.own)


def _turned(request: Request, place: Place, change: TouchedFiles) -> str:
    """Returns how the lines or the definition that a claim cites read differently after the change;
    empty if they still have what the claim says of them."""
    citation = request.citation
    if not citation.lines and not (citation.anchor and has_parser(citation.raw)):
        return ""
    found = resolve_path(request, change.context.tree)
    if not is_about_today(place, request, change.context):
        return ""
    if len(found) != 1 or found[0] not in change.edited_code:
        return ""
    before = text_in(change.before, change.edited_code[found[0]])
    after = text_in(change.context.tree, found[0])
    if citation.lines:
        drift = drift_of(before, after, citation.lines)
        target = as_cited(replace(citation, raw=found[0]))
    else:
        drift = _of_definition(citation.anchor, found[0], before, after)
        target = f"{found[0]}::{citation.anchor}"
    said = describe_drift(drift, place.claim, "before this change") if drift else ""
    return f"{target}: {said}" if said else ""


def _of_definition(name: str, path: str, before: str, after: str) -> Drift | None:
    """Returns how a definition reads differently; a lost one is a wrong reference of its own."""
    rows = []
    for text in (before, after):
        meant = definitions_of(definitions_in(path, text) or (), name)
        rows.append(
            "\n".join(rows_of(text)[meant[0].line - 1 : meant[0].end_line]) if meant else ""
        )
    return Drift(rows[0], rows[1], None) if all(rows) and rows[0] != rows[1] else None

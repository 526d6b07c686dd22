"""Claims elsewhere whose cited lines a change turns into something else, and claims that rest on
what it touches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from grounded_ingest.code.definitions import definitions_in, has_parser, named
from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.decide.touched_files import TouchedFiles, claims_citing, text_in
from grounded_ingest.git.quoted_lines import places_of, rows_of
from grounded_ingest.git.trees import Tree
from grounded_ingest.knowledge.index_record import names_in
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.printable import printable
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    Place,
    Problem,
    Tier,
)
from grounded_ingest.references.reference import exemption, tells_of_now
from grounded_ingest.verify.context import Context, Request, as_cited
from grounded_ingest.verify.path import resolve_path

_TOLD = 80


def changed_lines(
    change: TouchedFiles, standing: BaseView, is_reported: Callable[[Place], bool]
) -> Iterator[Problem]:
    """Yields a problem per claim and citation of lines that the change turns into others."""
    seen: set[tuple[str, int, str]] = set()
    for place in claims_citing(standing, change.edited_code):
        if is_reported(place) or not _is_meant(place, standing):
            continue
        for request in _own(place):
            why = _turned(request, place, change)
            key = place.path, place.claim.line, why
            if why and key not in seen:
                seen.add(key)
                yield Problem(*key[:2], "changed-lines", why, Tier.REVIEW)


def _is_meant(place: Place, standing: BaseView) -> bool:
    """Whether a claim speaks of what there is, and not of an example or of what is gone."""
    return tells_of_now(place) and not exemption(place.claim, standing.context_of(place))


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
    """How the cited lines become others that no longer say what the claim says; else empty."""
    citation = request.citation
    if not citation.lines and not (citation.anchor and has_parser(citation.raw)):
        return ""
    found = resolve_path(request, change.context.tree)
    if len(found) != 1 or found[0] not in change.edited_code:
        return ""
    before = text_in(change.before, change.edited_code[found[0]])
    after = text_in(change.context.tree, found[0])
    quote, now = (_cited_rows(citation, found[0], text) for text in (before, after))
    if not any(row.strip() for row in quote) or next(places_of("\n".join(quote), after), None):
        return ""
    target = f"{found[0]}::{citation.anchor}" if citation.anchor else as_cited(citation)
    if citation.anchor and not now:
        return _not_found(target, found[0], after)
    return _said_of(target, place, quote, now, "\n".join(now) if citation.anchor else after)


def _not_found(target: str, path: str, after: str) -> str:
    """Returns what to say of a definition that is not seen in the text after the change."""
    if definitions_in(path, after) is None:
        return f"cites {target}, and {path} cannot be parsed now: whether it has that is unknown"
    return f"cites {target}, which this change removes"


def _said_of(
    target: str, place: Place, quote: Sequence[str], now: Sequence[str], after: str
) -> str:
    """What to say of lines that lost what the claim says; empty where they did not."""
    if not (said := _vanished(place.claim, quote, after)):
        return ""
    old = next((row for row in quote if said in row), quote[0])
    new = _counterpart(old, now)
    return f"cites {target}, which this change turns from “{_shown(old)}” into “{_shown(new)}”"


def _cited_rows(citation: Citation, path: str, text: str) -> Sequence[str]:
    """The lines of a text that a citation means: its own, or those of the definition it names."""
    lines = citation.lines
    if lines is None:
        meant = named(definitions_in(path, text) or (), citation.anchor)
        lines = (meant[0].line, meant[0].end_line) if meant else (1, 0)
    return rows_of(text)[lines[0] - 1 : lines[1]]


def _shown(row: str) -> str:
    return printable(row.strip(), _TOLD)


def _counterpart(old: str, rows: Sequence[str]) -> str:
    """The line most like one that was there."""
    words = set(_WORD.findall(old))
    return max(rows, key=lambda r: len(words & set(_WORD.findall(r))), default="")


_WORD = compiled(r"\w+")
_NUMBER = compiled(r"\d+(?:[.,_]\d+)*")


def _vanished(claim: Claim, quote: Sequence[str], after: str) -> str:
    """What of a claim its cited lines held as written, a value or a name of code, that the file
    does not have any more."""
    held = "\n".join(quote)
    for name in names_in(claim.text):
        if _has(name, held) and not _has(name, after):
            return name
    numbers, now = set(_NUMBER.findall(held)), set(_NUMBER.findall(after))
    said = _NUMBER.findall(read_claim(claim).uncited.text)
    return next((n for n in said if n in numbers and n not in now), "")


def _has(name: str, text: str) -> bool:
    return name in text and name in set(_NAME.findall(text))


_NAME = compiled(r"[^\W\d][\w-]*")

"""What a change takes the ground from: claims elsewhere that cite or mention what it removes, or
turns into something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple

from grounded_ingest.code.definitions import definitions_in, has_parser, named
from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.git.quoted_lines import LARGEST, places_of, rows_of, text_of
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.knowledge.index_record import MENTION, names_in
from grounded_ingest.knowledge.scope import Scoped
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.printable import printable
from grounded_ingest.language.reading import read_claim
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    Evidence,
    Place,
    Problem,
    Tier,
    Verdict,
)
from grounded_ingest.references.reference import exemption, tells_of_now
from grounded_ingest.references.registry import referred
from grounded_ingest.rules.reference_rules import STOPPING, reference_kind
from grounded_ingest.verify.adr import adr_number
from grounded_ingest.verify.context import Context, Request, as_cited
from grounded_ingest.verify.path import OWN_FILES, resolve_path

FILES = 400
"""Changed files whose text is compared; a change of more is a move or an import of code."""
NAMES = 20_000
"""Names taken out by one change that are looked up."""
_TOLD = 80


class _Change(NamedTuple):
    """The trees before and after, and the paths that both have with other content."""

    before: CommitTree
    context: Context
    touched: Mapping[str, str]
    """Paths after the change, with their paths before it."""


def lost_sources(
    scoped: Scoped, standing: BaseView, is_new: Callable[[Place], bool]
) -> Iterator[Problem]:
    """One problem per claim and lost ground, of claims that the change leaves as they are."""
    if not scoped.changes or not scoped.parents:
        return
    context = standing.context
    touched = {
        c.path: c.old_path
        for c in scoped.changes
        if c.old is not None and c.new is not None and c.old.oid != c.new.oid
        if c.path not in standing.kb.documents and not c.path.startswith(OWN_FILES)
    }
    change = _Change(CommitTree(context.repo, scoped.parents[0]), context, touched)
    seen: set[tuple[str, int, str]] = set()
    for place, why, stops in (*_of_files(scoped, standing), *_of_texts(change, standing)):
        key = place.path, place.claim.line, why
        if key not in seen and not is_new(place) and _is_meant(place, standing):
            seen.add(key)
            tier = 0 if stops else Tier.REVIEW
            yield Problem(place.path, place.claim.line, "lost-source", why, tier)


def _is_meant(place: Place, standing: BaseView) -> bool:
    """Whether a claim speaks of what there is, and not of an example or of what is gone."""
    return tells_of_now(place) and not exemption(place.claim, standing.context_of(place))


def impacted(
    scoped: Scoped, standing: BaseView, is_new: Callable[[Place], bool]
) -> Iterator[Problem]:
    """One problem per claim that rests on what a change touches: for whoever reviews it."""
    touched = {c.path: c.old_path for c in scoped.changes or () if c.path not in scoped.gone}
    touched |= {old: to or old for old, to in scoped.gone.items()}
    parent = CommitTree(standing.context.repo, scoped.parents[0]) if scoped.parents else None
    told: set[tuple[str, int]] = set()
    for place in _cited_by(standing, _file_names(touched)):
        if is_new(place) or (place.path, place.claim.line) in told:
            continue
        rests = (_rests_on(r, touched, parent, standing.context) for r in _own(place))
        if on := next(filter(None, rests), ""):
            told.add((place.path, place.claim.line))
            yield Problem(place.path, place.claim.line, "impacted", f"rests on {on}")


def _rests_on(
    request: Request, touched: Mapping[str, str], parent: Tree | None, context: Context
) -> str:
    """The touched file that a citation means; of cited lines only where they are others now."""
    if request.citation.kind is not CitationKind.PATH:
        return ""
    found = resolve_path(request, context.tree) or (
        resolve_path(request, parent) if parent is not None else []
    )
    if len(found) != 1 or found[0] not in touched:
        return ""
    if (lines := request.citation.lines) and parent is not None:
        before = rows_of(_text(parent, touched[found[0]]))[lines[0] - 1 : lines[1]]
        if before == rows_of(_text(context.tree, found[0]))[lines[0] - 1 : lines[1]]:
            return ""
    return as_cited(request.citation)


class Lost(NamedTuple):
    """A claim, what it lost, and whether that is an error, as a new reference of its kind is."""

    place: Place
    why: str
    stops: bool


def _cited_by(standing: BaseView, names: Iterable[str]) -> list[Place]:
    """The claims that cite or mention one of these names."""
    kb = standing.kb
    return kb.at_rows(sorted(set(kb.index.citing(sorted(names)))))


def _file_names(paths: Iterable[str]) -> set[str]:
    return {p.rpartition("/")[2].lower() for p in paths}


def _of_files(scoped: Scoped, standing: BaseView) -> Iterator[Lost]:
    """Claims that cite files and decisions which the change removes or moves."""
    gone = scoped.gone
    if not gone:
        return
    numbered = {f"adr {n}" for p in gone if (n := adr_number(p)) is not None}
    for place in _cited_by(standing, _file_names(gone) | numbered):
        for request in _own(place):
            if lost := _lost_path(request, gone, standing.context):
                done = f"moves to {gone[lost]}" if gone[lost] else "removes"
                yield Lost(place, f"cites {lost}, which this change {done}", stops=True)


def _own(place: Place) -> Iterator[Request]:
    return (Request(place.path, c) for c in place.claim.citations if c.own)


def _lost_path(request: Request, gone: Mapping[str, str], context: Context) -> str:
    citation = request.citation
    if citation.kind is CitationKind.ADR and citation.raw.isdigit():
        number = int(citation.raw)
        return next(
            (p for p, to in gone.items() if adr_number(p) == number and adr_number(to) != number),
            "",
        )
    if citation.kind is not CitationKind.PATH:
        return ""
    raw = citation.raw.lstrip("/")
    candidates = {normpath(raw), normpath(join(dirname(request.path), raw))}
    # A bare name may be any file of that name: only one beside the document or at the root is it.
    tail = f"/{normpath(raw)}" if "/" in raw else ""
    lost = next((p for p in gone if p in candidates or (tail and p.endswith(tail))), "")
    return lost if lost and not resolve_path(request, context.tree) else ""


def _of_texts(change: _Change, standing: BaseView) -> Iterator[Lost]:
    """Claims that cite lines whose text becomes another, or mention what is no more."""
    touched = change.touched
    if not touched or len(touched) > FILES:
        return
    for place in _cited_by(standing, _file_names(touched)):
        for request in _own(place):
            if why := _turned(request, place, change):
                yield Lost(place, why, stops=False)
    names = [f"{MENTION}{n}" for n in sorted(_taken_out(change))[:NAMES]]
    if names and (mentioning := _cited_by(standing, names)):
        yield from _refuted_now(mentioning, change, standing)


def _turned(request: Request, place: Place, change: _Change) -> str:
    """How the cited lines become others that no longer say what the claim says; else empty."""
    citation = request.citation
    if not citation.lines and not (citation.anchor and has_parser(citation.raw)):
        return ""
    found = resolve_path(request, change.context.tree)
    if len(found) != 1 or found[0] not in change.touched:
        return ""
    before = _text(change.before, change.touched[found[0]])
    after = _text(change.context.tree, found[0])
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


def _text(tree: Tree, path: str) -> str:
    return (text_of(tree, path) or "") if tree.size(path) <= LARGEST else ""


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


def _taken_out(change: _Change) -> set[str]:
    """Names that files had before the change and that none of the changed ones has after it."""
    had: set[str] = set()
    have: set[str] = set()
    for new, old in change.touched.items():
        had.update(_NAME.findall(_text(change.before, old)))
        have.update(_NAME.findall(_text(change.context.tree, new)))
    for old, to in change.context.gone.items():
        if not to:
            had.update(_NAME.findall(_text(change.before, old)))
    return had - have


def _refuted_now(places: Sequence[Place], change: _Change, standing: BaseView) -> Iterator[Lost]:
    """What the tree refutes of claims after the change, and did not before."""

    def refuted(asked: Sequence[Place], context: Context) -> list[dict[str, Evidence]]:
        told = referred(asked, lambda n: standing.context_of(asked[n]), context)
        return [{e.target: e for e in _refuted(found)} for found in told]

    told = zip(places, refuted(places, change.context), strict=True)
    now = [(place, found) for place, found in told if found]
    if not now:
        return
    earlier = change.context._replace(tree=change.before, gone={})
    before = refuted([place for place, _ in now], earlier)
    for (place, found), known in zip(now, before, strict=True):
        for target in sorted(found.keys() - known.keys()):
            one = found[target]
            stops = reference_kind(one) in STOPPING
            yield Lost(place, f"mentions {target}: {one.reason}", stops)


def _refuted(found: Iterable[Evidence]) -> list[Evidence]:
    return [e for e in found if e.verdict is Verdict.REFUTED]

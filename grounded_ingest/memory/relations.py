"""Relations between claims, each from explicit ground and with the words it rests on (DESIGN 10).

Directions: the source of `supports` evidences or informs its target, that of `instance_of` is an
occurrence of the target concept, that of `derived_from` was concluded from the target, that of
`leads_to` brings the target about, that of `context_for` is background of the target, that of
`elaborates` says more of the target, that of `contradicts` conflicts with or updates the target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from grounded_ingest.language.lexicon import relation_cues as cues
from grounded_ingest.language.patterns import compiled
from grounded_ingest.memory.cross_references import Library, main_claim, superseded_decisions
from grounded_ingest.model.claims import Claim, Document, Finding, Form, Place

INVERSES = {
    "supports": "supported_by",
    "instance_of": "has_instance",
    "derived_from": "source_of",
    "leads_to": "results_from",
    "context_for": "has_context",
    "elaborates": "elaborated_by",
    "contradicts": "contradicted_by",
}
"""The closed set, and what each relation is called when it is read from its target."""

CONFLICTS = ("contradiction", "conflicting-update", "contamination")
REPEATS = ("duplicate", "repeat")
"""Rules whose findings name a claim that this one contradicts or updates, or that covers it."""

End = tuple[str, int]


class Relation(NamedTuple):
    """A relation inside a document, between claims by their numbers in it."""

    kind: str
    source: int
    target: int
    words: str


class Edge(NamedTuple):
    """A relation; its ends are (document path, number of the claim in its extraction).
    `replaces`: the source is what holds now, as the detectors found or the target's own document
    says; what another document says of it is a relation like others."""

    kind: str
    source: End
    target: End
    words: str
    replaces: bool = False


def edges(
    documents: Iterable[Document], findings: Iterable[tuple[Place, Finding]] = ()
) -> Iterator[Edge]:
    """Every relation between claims of these documents, each once. A claim that repeats another
    one takes part as that one."""
    library = Library(documents)
    found = list(findings)
    covers = dict(_covered(found, library))
    seen: set[tuple[str, End, End]] = set()
    for edge in _all(library, found):
        source, target = _cover(edge.source, covers), _cover(edge.target, covers)
        if source != target and (edge.kind, source, target) not in seen:
            seen.add((edge.kind, source, target))
            yield edge._replace(source=source, target=target)


def relations_within(document: Document) -> Iterator[Relation]:
    """Relations that a document's own words and lists state."""
    claims = document.extraction.claims
    for before, this in pairwise(range(len(claims))):
        yield from _discourse(claims, before, this)
    yield from _nested(document)


def _all(library: Library, findings: list[tuple[Place, Finding]]) -> Iterator[Edge]:
    for document in library.documents:
        path = document.path
        for kind, source, target, words in relations_within(document):
            yield Edge(kind, (path, source), (path, target), words)
        yield from _cited(document, library)
        yield from _linked(document, library)
    for place, finding in findings:
        if finding.rule in CONFLICTS and finding.other is not None:
            this, other = library.number(place), library.number(finding.other)
            if this is not None and other is not None:
                yield Edge(
                    "contradicts", this, other, finding.words or finding.message, replaces=True
                )


def _discourse(claims: tuple[Claim, ...], before: int, this: int) -> Iterator[Relation]:
    """What the words at the beginning of the second of two neighbours say."""
    if not _adjacent(claims[before], claims[this]):
        return
    for kind, first, pattern in _markers():
        if first == "next":
            if found := pattern.match(claims[before].text):
                yield Relation(kind, before, this, found[0])
        elif found := pattern.match(claims[this].text):
            ends = (this, before) if first == "this" else (before, this)
            yield Relation(kind, *ends, found[0])
            return


@cache
def _markers() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple((k, first, compiled(f"(?i){p}")) for k, first, p in cues.DISCOURSE)


def _adjacent(one: Claim, other: Claim) -> bool:
    """Whether a claim follows another one in the same paragraph or item."""
    if one.section != other.section or one.depth != other.depth:
        return False
    if one.form is not Form.PROSE or other.form is not Form.PROSE or one.block != other.block:
        return False
    return not one.depth or one.end_line == other.line


def _nested(document: Document) -> Iterator[Relation]:
    """Items elaborate the item they stand below; not where a label stands between."""
    claims, skipped = document.extraction.claims, document.extraction.skipped
    gaps = sorted(s.line for s in skipped)
    above: list[int] = []
    for number, claim in enumerate(claims):
        while above and (
            claims[above[-1]].block != claim.block or claims[above[-1]].depth >= claim.depth
        ):
            above.pop()
        if above and claim.depth and claims[above[-1]].depth:
            upper = claims[above[-1]]
            if not any(upper.line < line < claim.line for line in gaps):
                yield Relation("elaborates", number, above[-1], "a list item below it")
        above.append(number)


def _cited(document: Document, library: Library) -> Iterator[Edge]:
    """What a claim cites supports it; a document it only links to is its context."""
    for number, claim in enumerate(document.extraction.claims):
        this = (document.path, number)
        for citation in claim.citations:
            cited = library.cited(document, citation) if citation.own else None
            if cited is None or cited.document.path == document.path:
                continue
            if citation.cue not in ("", "meant"):
                continue
            kind = "supports" if cited.exact else "context_for"
            for other in cited.numbers:
                words = f"ADR-{citation.raw}" if citation.raw.isdigit() else citation.raw
                yield Edge(kind, (cited.document.path, other), this, words)
        yield from _superseding(document, claim, library)


def _superseding(document: Document, claim: Claim, library: Library) -> Iterator[Edge]:
    """The decision that takes another's place contradicts it."""
    for old, new, words in superseded_decisions(document, claim, library):
        source, target = main_claim(new), main_claim(old)
        if source is not None and target is not None:
            ends = (new.path, source), (old.path, target)
            yield Edge("contradicts", *ends, words, replaces=old is document)


def _linked(document: Document, library: Library) -> Iterator[Edge]:
    """Relation records of the knowledge-graph format, as far as the closed set has them."""
    for begin, end, written in document.extraction.links:
        kind, inverted = _record_types().get(_snake(written), ("", False))
        source, target = library.entity(document, begin), library.entity(document, end)
        if kind and source is not None and target is not None:
            yield Edge(kind, *((target, source) if inverted else (source, target)), written)


@cache
def _record_types() -> dict[str, tuple[str, bool]]:
    tables = ((cues.RECORD_TYPES, False), (cues.INVERTED_TYPES, True))
    return {
        w: (k, turned) for table, turned in tables for k, ws in table.items() for w in ws.split()
    }


def _snake(written: str) -> str:
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", written.strip())
    return re.sub(r"[\s-]+", "_", parted).lower()


def _covered(findings: list[tuple[Place, Finding]], library: Library) -> Iterator[tuple[End, End]]:
    for place, finding in findings:
        if finding.rule in REPEATS and finding.other is not None:
            this, other = library.number(place), library.number(finding.other)
            if this is not None and other is not None:
                yield this, other


def _cover(end: End, covers: Mapping[End, End]) -> End:
    """The claim that stands for a skipped one; of several that cover each other the last asked."""
    seen = {end}
    while (other := covers.get(end)) is not None and other not in seen:
        seen.add(other)
        end = other
    return end

"""Finds relations between two claims, with the words that state the relation.

A relation goes from a source claim to a target claim. `supports`: the source is evidence for the
target. `instance_of`: the source is an example of the target. `derived_from`: the source was
concluded from the target. `leads_to`: the source causes the target. `context_for`: the source is
background for the target. `elaborates`: the source says more about the target. `contradicts`: the
source conflicts with the target or updates it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from posixpath import dirname, join, normpath
from typing import NamedTuple

from grounded_ingest.extract.heading_anchors import forge_slug
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    DocClass,
    Document,
    Finding,
    Form,
    Place,
)
from grounded_ingest.statements.operations import COVERING, REVISING
from grounded_ingest.text.lexicon import relation_cues as cues
from grounded_ingest.text.patterns import compiled

INVERSES = {
    "supports": "supported_by",
    "instance_of": "has_instance",
    "derived_from": "source_of",
    "leads_to": "results_from",
    "context_for": "has_context",
    "elaborates": "elaborated_by",
    "contradicts": "contradicted_by",
}
"""Maps the name of each relation to its name in the direction from target to source."""

End = tuple[str, int]


class Edge(NamedTuple):
    """A relation between two claims. `source` and `target` are pairs: the path of the document, and
    the number of the claim in the document.

    `replaces` is true if a detector or the target's own document says that the source replaces the
    target. `replaces` is false if only another document says so.
    """

    kind: str
    source: End
    target: End
    words: str
    replaces: bool = False


def edges(
    documents: Iterable[Document], findings: Iterable[tuple[Place, Finding]] = ()
) -> Iterator[Edge]:
    """Yields every relation between claims in `documents` exactly once. Replaces a claim that only
    repeats another claim by the other claim."""
    library = Library(documents)
    found = list(findings)
    covers = {this: other for this, other, _ in _found(found, COVERING, library)}
    seen: set[tuple[str, End, End]] = set()
    for edge in _all(library, found):
        source, target = _cover(edge.source, covers), _cover(edge.target, covers)
        if source != target and (edge.kind, source, target) not in seen:
            seen.add((edge.kind, source, target))
            yield edge._replace(source=source, target=target)


def relations_within(document: Document) -> Iterator[Edge]:
    """Yields the relations that the words and nested lists of a document state."""
    for before, this in pairwise(range(len(document.extraction.claims))):
        yield from _discourse(document, before, this)
    yield from _nested(document)


def _all(library: Library, findings: list[tuple[Place, Finding]]) -> Iterator[Edge]:
    for document in library.documents:
        yield from relations_within(document)
        yield from _cited(document, library)
        yield from _linked(document, library)
    for this, other, finding in _found(findings, REVISING, library):
        yield Edge("contradicts", this, other, finding.words or finding.message, replaces=True)


def _discourse(document: Document, before: int, this: int) -> Iterator[Edge]:
    """Yields the relation between the claims with the numbers `before` and `this`, which are
    neighbours. The first word of one of the claims states the relation: "Therefore" in the second
    claim, or "Background:" in the first claim."""
    claims = document.extraction.claims
    earlier, later = (document.path, before), (document.path, this)
    if not _adjacent(claims[before], claims[this]):
        return
    for kind, first, pattern in _MARKERS:
        if first == "next":
            if found := pattern.match(claims[before].text):
                yield Edge(kind, earlier, later, found[0])
        elif found := pattern.match(claims[this].text):
            ends = (later, earlier) if first == "this" else (earlier, later)
            yield Edge(kind, *ends, found[0])
            return


_MARKERS = [(kind, first, compiled(f"(?i){p}")) for kind, first, p in cues.DISCOURSE]


def _adjacent(one: Claim, other: Claim) -> bool:
    if one.section != other.section or one.depth != other.depth:
        return False
    if one.form is not Form.PROSE or other.form is not Form.PROSE or one.block != other.block:
        return False
    return not one.depth or one.end_line == other.line


def _nested(document: Document) -> Iterator[Edge]:
    """Yields the relation `elaborates` from a nested list item to its parent item. Skips a pair of
    items if a text between them is not a claim."""
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
                ends = (document.path, number), (document.path, above[-1])
                yield Edge("elaborates", *ends, "a list item below the claim")
        above.append(number)


def _cited(document: Document, library: Library) -> Iterator[Edge]:
    """Yields a relation `supports` from each cited claim to the claim that cites it. If a whole
    document is cited, the relation is `context_for`."""
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
    """Yields a relation `contradicts` from a new decision to each decision that the new decision
    supersedes, if a claim of one of the two decision records says so."""
    if document.doc_class is not DocClass.DECISIONS or not claim.citations:
        return
    found = _SUPERSEDES.match(claim.text)
    if found is None or _PARTLY.search(claim.text):
        return
    turned = ("superseded", "superceded", "replaced", "obsoleted")
    passive = found["verb"].lower().startswith(turned)
    for citation in claim.citations:
        other = library.document(document.path, citation) if citation.own else None
        if other is None or other is document or other.doc_class is not DocClass.DECISIONS:
            continue
        old, new = (document, other) if passive else (other, document)
        source, target = _main_claim(new), _main_claim(old)
        if source is not None and target is not None:
            ends = (new.path, source), (old.path, target)
            yield Edge("contradicts", *ends, found["verb"], replaces=passive)


def _linked(document: Document, library: Library) -> Iterator[Edge]:
    """Yields the relations in memory records of the knowledge-graph format. Skips unknown types."""
    for begin, end, written in document.extraction.links:
        kind, inverted = _RECORD_TYPES.get(_snake(written), ("", False))
        source, target = library.entity(document, begin), library.entity(document, end)
        if kind and source is not None and target is not None:
            yield Edge(kind, *((target, source) if inverted else (source, target)), written)


_RECORD_TYPES = {
    word: (kind, inverted)
    for table, inverted in ((cues.RECORD_TYPES, False), (cues.INVERTED_TYPES, True))
    for kind, words in table.items()
    for word in words.split()
}
"""Maps a type of relation in a record to the kind of the edge, and whether the edge is inverted."""


def _snake(written: str) -> str:
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", written.strip())
    return re.sub(r"[\s-]+", "_", parted).lower()


def _found(
    findings: list[tuple[Place, Finding]], rules: tuple[str, ...], library: Library
) -> Iterator[tuple[End, End, Finding]]:
    """Yields the claim and the other claim of each finding of these rules."""
    for place, finding in findings:
        if finding.rule in rules and finding.other is not None:
            this, other = library.number(place), library.number(finding.other)
            if this is not None and other is not None:
                yield this, other, finding


def _cover(end: End, covers: Mapping[End, End]) -> End:
    """Follows `covers`, which maps each repetition to the claim that it repeats, and returns the
    last claim. The search ends if claims repeat each other in a circle."""
    seen = {end}
    while (other := covers.get(end)) is not None and other not in seen:
        seen.add(other)
        end = other
    return end


_NUMBER = compiled(
    r"(?i)(?:adr[-_ ]?)?(?!\d{4}-\d\d-\d\d)(\d{1,5})(?:[-_. ].*)?\.(?:md|mdx|markdown)$"
)
_DECISION = compiled(r"(?i)\bdecisions?\b")
_STATUS = compiled(r"(?i)\b(?:status|metadata)\b")
_SUPERSEDES, _PARTLY = compiled(f"(?i){cues.SUPERSEDES}"), compiled(f"(?i){cues.PARTLY}")
_FIELD = compiled(r"(?i)(?:status|date|deciders?|authors?|supersed\w+|replace[sd])\b")


class Cited(NamedTuple):
    """The claims to which a citation in another document leads: their document, and their positions
    in it. `exact` is false if the citation names only a document."""

    document: Document
    numbers: tuple[int, ...]
    exact: bool


class Library:
    """An index of documents, in which a path, a name or a decision number finds a document."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = sorted(documents, key=lambda d: d.path)
        self.by_path = {d.path: d for d in self.documents}
        self._by_name: dict[str, list[Document]] = {}
        self._decisions: dict[int, list[Document]] = {}
        self._entities: dict[str, list[tuple[str, int]]] = {}
        self._numbers: dict[str, dict[tuple[str, str, int], int]] = {}
        for document in self.documents:
            self._by_name.setdefault(document.path.rpartition("/")[2], []).append(document)
            number = _NUMBER.match(document.path.rpartition("/")[2])
            if number and document.doc_class is DocClass.DECISIONS:
                self._decisions.setdefault(int(number[1]), []).append(document)
            for at, claim in enumerate(document.extraction.claims):
                if claim.record_id:
                    self._entities.setdefault(claim.record_id, []).append((document.path, at))

    def number(self, place: Place) -> tuple[str, int] | None:
        """Returns the path of a claim's document, and the claim's position in that document, from
        0. Returns None if the document is unknown or does not have the claim."""
        if place.path not in self.by_path:
            return None
        if place.path not in self._numbers:
            claims = self.by_path[place.path].extraction.claims
            self._numbers[place.path] = {c.key: n for n, c in enumerate(claims)}
        at = self._numbers[place.path].get(place.claim.key)
        return None if at is None else (place.path, at)

    def document(self, path: str, citation: Citation) -> Document | None:
        """Returns the only document that a citation in the document `path` can name, or None."""
        if citation.kind is CitationKind.ADR and citation.raw.isdigit():
            known = self._decisions.get(int(citation.raw), [])
            return known[0] if len(known) == 1 else None
        if citation.kind not in (CitationKind.PATH, CitationKind.ADR):
            return None
        here, rooted = normpath(join(dirname(path), citation.raw)), citation.raw.lstrip("/")
        for name in (here, normpath(rooted)):
            if name in self.by_path:
                return self.by_path[name]
        alike = self._by_name.get(rooted.rpartition("/")[2], [])
        ending = [d for d in alike if d.path.endswith("/" + rooted)]
        return ending[0] if len(ending) == 1 and not citation.link else None

    def cited(self, document: Document, citation: Citation) -> Cited | None:
        """Returns the claims that a citation names: the claims in the cited lines or section, or
        the main claim of the cited document."""
        found = self.document(document.path, citation)
        if found is None:
            return None
        claims = found.extraction.claims
        if citation.lines:
            first, last = citation.lines
            held = (n for n, c in enumerate(claims) if c.line <= last and c.end_line >= first)
            return Cited(found, tuple(held), exact=True)
        if citation.anchor:
            wanted = citation.anchor.lower()
            slugs = (forge_slug(c.section.rpartition(" > ")[2]) for c in claims)
            below = (n for n, slug in enumerate(slugs) if slug == wanted)
            return Cited(found, tuple(islice(below, 1)), exact=True)
        number = _main_claim(found)
        exact = found.doc_class is DocClass.DECISIONS
        return Cited(found, () if number is None else (number,), exact)

    def entity(self, document: Document, name: str) -> tuple[str, int] | None:
        """Returns the first claim about the entity `name`, such as a person, preferably in this
        document."""
        known = self._entities.get(name, [])
        own = [e for e in known if e[0] == document.path]
        return next(iter(own or known), None)


def _main_claim(document: Document) -> int | None:
    """Returns the number of the main claim: the first claim below "Decision" in a decision record,
    the first sentence in any other document."""
    claims = document.extraction.claims
    prose = [n for n, c in enumerate(claims) if c.form in (Form.PROSE, Form.RECORD)]
    if document.doc_class is DocClass.DECISIONS:
        for n in prose:
            headings = claims[n].section.split(" > ")[1:]
            if any(_DECISION.search(h) for h in headings):
                return n
        prose = [n for n in prose if not _is_field(claims[n])] or prose
    return next(iter(prose), 0 if claims else None)


def _is_field(claim: Claim) -> bool:
    heading = claim.section.rpartition(" > ")[2]
    return bool(_STATUS.search(heading) or _FIELD.match(claim.text))

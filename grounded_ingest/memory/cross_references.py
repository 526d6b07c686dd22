"""What claims of one document name in another: cited lines, sections, decisions, entities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from posixpath import dirname, join, normpath
from typing import NamedTuple

from grounded_ingest.language.lexicon import relation_cues as cues
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    Claim,
    DocClass,
    Document,
    Form,
    Place,
)

_NUMBER = compiled(
    r"(?i)(?:adr[-_ ]?)?(?!\d{4}-\d\d-\d\d)(\d{1,5})(?:[-_. ].*)?\.(?:md|mdx|markdown)$"
)
_DECISION = compiled(r"(?i)\bdecisions?\b")
_STATUS = compiled(r"(?i)\b(?:status|metadata)\b")
_FIELD = compiled(r"(?i)(?:status|date|deciders?|authors?|supersed\w+|replace[sd])\b")


class Cited(NamedTuple):
    """Claims of a document that a citation names; `exact`: it names them, not their document."""

    document: Document
    numbers: tuple[int, ...]
    exact: bool


class Library:
    """Documents by what others call them."""

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
        """Where a claim stands: its document and its number there."""
        if place.path not in self.by_path:
            return None
        if place.path not in self._numbers:
            claims = self.by_path[place.path].extraction.claims
            self._numbers[place.path] = {c.key: n for n, c in enumerate(claims)}
        at = self._numbers[place.path].get(place.claim.key)
        return None if at is None else (place.path, at)

    def document(self, path: str, citation: Citation) -> Document | None:
        """The one document that a citation in the document of this path names."""
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
        """The claims that a citation names: of its lines, of its section, else the lead one."""
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
            below = [n for n, c in enumerate(claims) if _slug(c.section) == wanted][:1]
            return Cited(found, tuple(below), exact=True)
        number = main_claim(found)
        exact = found.doc_class is DocClass.DECISIONS
        return Cited(found, () if number is None else (number,), exact)

    def entity(self, document: Document, name: str) -> tuple[str, int] | None:
        """The first claim about an entity, in this document rather than in another one."""
        known = self._entities.get(name, [])
        own = [e for e in known if e[0] == document.path]
        return next(iter(own or known), None)


def main_claim(document: Document) -> int | None:
    """The number of the claim that a document is about: of a decision what it decides, else its
    first sentence."""
    claims = document.extraction.claims
    said = [n for n, c in enumerate(claims) if c.form in (Form.PROSE, Form.RECORD)]
    if document.doc_class is DocClass.DECISIONS:
        for n in said:
            headings = claims[n].section.split(" > ")[1:]
            if any(_DECISION.search(h) for h in headings):
                return n
        said = [n for n in said if not _is_field(claims[n])] or said
    return next(iter(said), 0 if claims else None)


def _is_field(claim: Claim) -> bool:
    heading = claim.section.rpartition(" > ")[2]
    return bool(_STATUS.search(heading) or _FIELD.match(claim.text))


def superseded_decisions(
    document: Document, claim: Claim, library: Library
) -> Iterator[tuple[Document, Document, str]]:
    """(old, new, words) of decisions that a claim of a decision says take each other's place."""
    if document.doc_class is not DocClass.DECISIONS or not claim.citations:
        return
    found = _supersedes().match(claim.text)
    if found is None or _partly().search(claim.text):
        return
    passive = (
        found["verb"].lower().startswith(("superseded", "superceded", "replaced", "obsoleted"))
    )
    for citation in claim.citations:
        other = library.document(document.path, citation) if citation.own else None
        if other is None or other is document or other.doc_class is not DocClass.DECISIONS:
            continue
        old, new = (document, other) if passive else (other, document)
        yield old, new, found["verb"]


@cache
def _supersedes() -> re.Pattern[str]:
    return compiled(f"(?i){cues.SUPERSEDES}")


@cache
def _partly() -> re.Pattern[str]:
    return compiled(f"(?i){cues.PARTLY}")


def _slug(section: str) -> str:
    """The anchor of a section's last heading, as GitHub writes it."""
    heading = section.rpartition(" > ")[2].strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")

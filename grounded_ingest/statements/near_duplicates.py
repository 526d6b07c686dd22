"""Near-duplicates: word-set Jaccard with a claim the knowledge base holds."""

from __future__ import annotations

from posixpath import normpath

from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Form, Place
from grounded_ingest.statements.knowledge_protocol import Knowledge, comes_after, told_apart
from grounded_ingest.text.reading import read_claim
from grounded_ingest.text.word_keys import jaccard


def leads_on(text: str) -> bool:
    """Whether a text only leads to another: "Use these flags:", "See the guide."."""
    return text.endswith((":", "：")) or text.lower().startswith(("see ", "refer to "))


def similarity_of(place: Place, words: frozenset[str], other: Place, knowledge: Knowledge) -> float:
    """Jaccard where it counts: at the threshold, with enough words; else 0."""
    if other.path == place.path and other.claim.key == place.claim.key:
        return 0.0
    if told_apart(place, other):
        return 0.0
    theirs = read_claim(other.claim).word_set
    if words == theirs:
        return 1.0
    rows = Form.ROW in (place.claim.form, other.claim.form)
    if rows or min(len(words), len(theirs)) < knowledge.near_words:
        return 0.0
    similarity = jaccard(words, theirs)
    return similarity if similarity >= knowledge.threshold else 0.0


def is_repeat(place: Place, other: Place, knowledge: Knowledge) -> bool:
    """Whether `place` is the one that repeats `other`, and not its mirror, row or source."""
    if place.claim.table and place.path == other.path and place.claim.table == other.claim.table:
        return False
    if any(_is_of(c, other.path) for c in place.claim.citations):
        return False
    if _same_reference(place, other):
        return False
    if not comes_after(place, other, knowledge):
        return False
    return place.path == other.path or not knowledge.mirrored(place.path, other.path)


def _same_reference(place: Place, other: Place) -> bool:
    """Whether two documents make one reference in the same words, as lists of related ones do."""
    if place.doc_class is DocClass.MEMORY or place.path == other.path:
        return False
    return place.claim.id == other.claim.id and any(c.own for c in place.claim.citations)


def _is_of(citation: Citation, path: str) -> bool:
    """Whether a citation names this document."""
    if citation.kind is not CitationKind.PATH:
        return False
    cited = normpath(citation.raw.lstrip("/"))
    while cited.startswith("../"):
        cited = cited[3:]
    return path == cited or path.endswith("/" + cited)

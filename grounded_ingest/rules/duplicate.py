"""Duplicates: word-set Jaccard with a claim the knowledge base holds already (docs/adr/0008)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from posixpath import normpath

from grounded_ingest.language.reading import read_claim
from grounded_ingest.language.word_keys import jaccard, set_keys
from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Finding, Form, Place
from grounded_ingest.rules.knowledge_protocol import Knowledge, comes_after, told_apart

TEMPLATE = 3
"""A text that stands this often already is a template line, not a duplicate."""


COMPARED = 128
"""Claims that are compared with one. Keys that many claims share are those of a template, whose
lines differ by what is filled in; equal texts come first, so that none of them is lost."""


def duplicate_keys(place: Place, threshold: float) -> Iterator[int]:
    yield from set_keys(read_claim(place.claim).word_set, threshold)


def find_duplicates(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """The nearest claim that this one repeats: rule `duplicate` or `repeat`."""
    if knowledge.alone(place):
        return
    words = read_claim(place.claim).word_set
    if len(words) < knowledge.exact_words or _leads_on(place.claim.text):
        return
    near: list[tuple[float, Place]] = []
    equal = 0
    keys = duplicate_keys(place, knowledge.threshold)
    for other in islice(knowledge.sharing(keys), COMPARED):
        similarity = _similarity(place, words, other, knowledge)
        equal += similarity > 0 and other.claim.id == place.claim.id
        if equal >= TEMPLATE:
            return
        if similarity and is_repeat(place, other, knowledge):
            near.append((similarity, other))
    if not near:
        return
    near.sort(key=lambda n: (-n[0], n[1].path, n[1].claim.line, n[1].claim.column))
    new = not knowledge.on_base(place)
    stored = next((n for n in near if new and _stored(place, n[1], knowledge)), None)
    similarity, other = stored or near[0]
    rule = "duplicate" if stored else "repeat"
    yield Finding(
        rule,
        f"says again what {other.path}:{other.claim.line} says",
        other=other,
        similarity=round(similarity, 4),
    )


def repeats(place: Place, other: Place, knowledge: Knowledge) -> float:
    """How far a claim repeats another one, 0 where it does not: its Jaccard."""
    words = read_claim(place.claim).word_set
    if len(words) < knowledge.exact_words or _leads_on(place.claim.text):
        return 0.0
    similarity = _similarity(place, words, other, knowledge)
    return similarity if similarity and is_repeat(place, other, knowledge) else 0.0


def _leads_on(text: str) -> bool:
    """Whether a text only leads to another: "Use these flags:", "See the guide."."""
    return text.endswith((":", "：")) or text.lower().startswith(("see ", "refer to "))


def _similarity(place: Place, words: frozenset[str], other: Place, knowledge: Knowledge) -> float:
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


def _stored(place: Place, other: Place, knowledge: Knowledge) -> bool:
    if place.doc_class is not DocClass.MEMORY or other.doc_class is not DocClass.MEMORY:
        return False
    return knowledge.on_base(other) and knowledge.grounded(other)

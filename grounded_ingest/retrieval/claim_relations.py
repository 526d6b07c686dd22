"""The relations of single claims, read from either end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from grounded_ingest.knowledge.documents import KnowledgeBase
from grounded_ingest.memory.relations import INVERSES, Edge, edges
from grounded_ingest.model.claims import Decision, Finding, Place


def found_by(decisions: Iterable[Decision]) -> Iterator[tuple[Place, Finding]]:
    """What detectors found, with the claim they found it in."""
    return ((d.place, f) for d in decisions for f in d.findings)


def related(
    kb: KnowledgeBase, places: Sequence[Place], findings: Iterable[tuple[Place, Finding]]
) -> list[list[dict[str, Any]]]:
    """The relations of each claim with the other end's place and text, as `explain` shows them."""
    documents = {path: d for path in kb.documents if (d := kb.document(path)) is not None}
    number = {
        (p.path, p.claim.key): (p.path, n)
        for path in {p.path for p in places}
        for n, p in enumerate(kb.places(path))
    }
    wanted = [number[p.path, p.claim.key] for p in places]
    found: dict[tuple[str, int], list[dict[str, Any]]] = {end: [] for end in wanted}

    def note(this: tuple[str, int], kind: str, other: tuple[str, int], edge: Edge) -> None:
        claim = documents[other[0]].extraction.claims[other[1]]
        found[this].append(
            {"kind": kind, "path": other[0], "line": claim.line, "id": claim.id,
             "claim": claim.text, "words": edge.words}
        )  # fmt: skip

    for edge in edges(documents.values(), findings):
        if edge.source in found:
            note(edge.source, edge.kind, edge.target, edge)
        if edge.target in found:
            note(edge.target, INVERSES[edge.kind], edge.source, edge)
    return [found[end] for end in wanted]

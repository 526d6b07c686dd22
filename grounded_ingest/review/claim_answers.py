"""Explains the decisions about claims, for the command `explain` and for the servers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Finding, Place
from grounded_ingest.pipeline import Result
from grounded_ingest.report.explanation import explain_decision
from grounded_ingest.report.kept_report import LAST_RUN
from grounded_ingest.repository import lookup
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.review.context_view import source_excerpts
from grounded_ingest.statements.relations import INVERSES, Edge, edges
from grounded_ingest.text.printable import quoted_name


def explain_claims(repo: Repo, result: Result, what: str) -> dict[str, Any]:
    """Returns the decisions about the claims with an id, with a text, or at a place (`PATH` or
    `PATH:LINE`).

    The result has the form of `explain --json`. If there is no claim at the place, the result
    contains the reason. Raises GroundedIngestError if nothing is found.
    """
    found = lookup.spot(what, repo.root, result.scoped.tree)
    if found is not None:
        return _explain_place(result, found)
    places = lookup.by_id(result.kb, what)
    if places:
        return _answer("knowledge base", _decide(result, places))
    former = [d for d in _last_failed_run(repo) if _is_named(d, what)]
    if former:
        return _answer("last failed run", former)
    places, share = lookup.by_text(result.kb, what)
    if not places:
        raise GroundedIngestError(
            f"no claim found for {what}", "give a claim's id, words from a claim, or PATH:LINE"
        )
    note = (
        ""
        if share == 1
        else f"the most similar claim, which contains {share:.0%} of the given words"
    )
    return _answer("knowledge base", _decide(result, places), note)


def _explain_place(result: Result, spot: lookup.FileLine) -> dict[str, Any]:
    path, line = spot
    named = quoted_name(path)
    document = result.kb.document(path)
    if document is None:
        why = lookup.why_no_document(result.scoped.tree, result.config, path)
        if not why:
            raise GroundedIngestError(
                f"{named}: the file does not exist",
                "give a path relative to the current directory or the root",
            )
        return _answer("knowledge base", [], f"{named} is not a document: {why}")
    problems = [
        f"{named}:{p.line}: {p.rule}: {p.message}"
        for p in document.extraction.problems
        if line in (0, p.line) or p.rule == "unreadable"
    ]
    if not line:
        count = len(document.extraction.claims)
        note = f"{named} is a document of class {document.doc_class} with {count} claims"
        return _answer("knowledge base", [], "; ".join([note, *problems]))
    places = lookup.at_line(document, line)
    note = "; ".join(problems)
    if not places:
        why = lookup.why_no_claim(document, line, result.scoped.tree.read(path) or b"")
        if not why:
            raise GroundedIngestError(f"{named} has no line {line}")
        note = note or f"{named}:{line} does not contain a claim: {why}"
    return _answer("knowledge base", _decide(result, places), note)


def _answer(where: str, decisions: list[dict[str, Any]], note: str = "") -> dict[str, Any]:
    return {"found_in": where, "note": note, "decisions": decisions}


def _decide(result: Result, places: Iterable[Place]) -> list[dict[str, Any]]:
    """Returns the decisions about the claims at these places. Judges whole documents, because
    claims in a document affect each other.
    """
    keys: dict[str, set[tuple[str, str, int]]] = {}
    for place in places:
        keys.setdefault(place.path, set()).add(place.claim.key)
    documents = [d for p in keys if (d := result.kb.document(p)) is not None]
    decided = result.engine.decide(documents, dict.fromkeys(keys))
    asked = [d for d in decided if d.place.claim.key in keys[d.place.path]]
    findings = ((d.place, f) for d in decided for f in d.findings)
    known = relations_of(result.kb, [d.place for d in asked], findings)
    tree = result.scoped.tree
    return [
        {
            **explain_decision(d),
            "relations": of,
            "places": {s.target: s.lines for s in source_excerpts(d, tree)},
        }
        for d, of in zip(asked, known, strict=True)
    ]


def _last_failed_run(repo: Repo) -> list[dict[str, Any]]:
    try:
        with open(f"{repo.git_dir}/{LAST_RUN}", encoding="utf-8") as file:
            decisions = json.load(file)["decisions"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [d for d in decisions if isinstance(d, dict)] if isinstance(decisions, list) else []


def _is_named(decision: dict[str, Any], what: str) -> bool:
    if lookup.is_id(what):
        return str(decision["id"]).startswith(what)
    return bool(decision["claim"] == " ".join(what.split()))


def relations_of(
    kb: KnowledgeBase, places: Sequence[Place], findings: Iterable[tuple[Place, Finding]]
) -> list[list[dict[str, Any]]]:
    """Returns, for each claim, its relations to other claims with the place and text of the other
    claim.
    """
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

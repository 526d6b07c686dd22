"""Renders the result of `recall` as a dictionary, from which the command prints text, Markdown or
JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grounded_ingest.model.claims import Evidence, MemoryType
from grounded_ingest.retrieval.answer import Answer, RecallResult
from grounded_ingest.text.dates import resolved_since

SCHEMA = "grounded-ingest/recall/2"


def recall_json(answer: Answer, times: Mapping[str, str]) -> dict[str, Any]:
    """Returns the answer as a dictionary in the JSON format of docs/recall.md. `times` maps a place
    (`path:line`) to the date when the claim was written."""
    wanted = answer.wanted
    return {
        "schema": SCHEMA,
        "query": wanted.question,
        "answered": bool(answer.results),
        "reason": "" if answer.results else _nothing(answer),
        "k": wanted.k,
        "budget": wanted.budget or None,
        "pending": wanted.pending,
        "covered": round(answer.covered, 4),
        "tokens": answer.tokens,
        "results": [_result(r, times) for r in answer.results],
    }


def _result(result: RecallResult, times: Mapping[str, str]) -> dict[str, Any]:
    memory, when = result.memory, times.get(result.place, "")
    is_event = memory.memory_type is MemoryType.EPISODIC
    return {
        "id": memory.id,
        "claim": memory.text,
        "path": result.document.path,
        "line": memory.line,
        "end_line": memory.end_line,
        "section": memory.section,
        "class": result.document.doc_class,
        "memory_type": memory.memory_type,
        "tier": result.mark.tier,
        "rule": result.ground.rule,
        "outdated": result.mark.outdated,
        "contradicted_by": list(result.contradicted),
        "related": [
            {"relation": r.kind, "place": r.place, "claim": r.text, "hops": r.hops}
            for r in result.related
        ],
        "score": round(result.score, 4),
        "tokens": result.tokens,
        "when": when,
        "times": resolved_since(memory.text, when) if is_event else [],
        "evidence": [_evidence(e) for e in result.ground.evidence],
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": evidence.kind, "target": evidence.target, "verdict": evidence.verdict,
        "quote": evidence.quote, "inherited": not evidence.own,
    }  # fmt: skip


def _nothing(answer: Answer) -> str:
    if answer.wanted.pending:
        return "no claim answers the question"
    waits = "; unapproved claims may answer: use --pending to see them" if answer.waiting else ""
    return f"no grounded claim answers the question{waits}"

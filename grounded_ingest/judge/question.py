"""Writes the question to a judge: one claim and one source, as JSON that their text cannot
close."""

from __future__ import annotations

import json
import re
from typing import Any

from grounded_ingest.judge.opinion import ComparedPair
from grounded_ingest.references.source_text import SourceText
from grounded_ingest.text.lexicon.judge_prompt import SCHEMA, SYSTEM
from grounded_ingest.text.patterns import compiled

MAX_CLAIM, MAX_SOURCE = 4_000, 60_000
"""Characters. A source of which a part would be left out is not judged."""
MAX_CONTEXT = 2_000
"""Characters of headings and lead-ins above a claim; the outermost are left out beyond."""

QUESTION = "grounded-ingest/judge-question/1"

# Marks of chat templates (`<|im_end|>`, `</s>`, `[INST]`), which some servers read in content too.
_MARK = compiled(r"<|\[(?=/?[A-Z_]{3,}\])")


def untrusted(pair: ComparedPair) -> dict[str, Any] | None:
    """Returns claim, context and source, which strangers wrote; None if they are too long."""
    parts = fields_of(pair.source)
    if len(pair.claim) > MAX_CLAIM or sum(map(len, parts.values())) > MAX_SOURCE:
        return None
    shown = {name: part for name, part in parts.items() if name != "text"}
    source = {"kind": pair.source.kind, **shown, **_numbered(pair.source)}
    return {"claim": pair.claim, "context": _context(pair), "source": source}


def chat(asked: dict[str, Any], model: str) -> bytes:
    """Returns the question as the body of a request for a chat completion."""
    body = {
        "model": model,
        "temperature": 0,
        "seed": 0,
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": _as_data({"untrusted": asked})},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "opinion", "strict": True, "schema": SCHEMA},
        },
    }
    return json.dumps(body).encode("ascii")


def question(asked: dict[str, Any]) -> bytes:
    """Returns the question as a program reads it (docs/judge-question.schema.json): one line."""
    whole = {"schema": QUESTION, "instructions": SYSTEM, "answer": SCHEMA, "untrusted": asked}
    return f"{_as_data(whole)}\n".encode("utf-8", "replace")


def _as_data(asked: dict[str, Any]) -> str:
    return _MARK.sub(_escaped, json.dumps(asked, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _context(pair: ComparedPair) -> list[dict[str, str]]:
    held: list[dict[str, str]] = []
    left = MAX_CONTEXT
    for kind, text in reversed(pair.context):
        left -= len(text)
        if left < 0:
            break
        held.insert(0, {"kind": kind, "text": text})
    return held


def fields_of(source: SourceText) -> dict[str, str]:
    """Returns the parts of a source that are shown and may be quoted, by name."""
    parts = {
        "path": source.path,
        "title": source.title,
        "definitions": "\n".join(source.enclosing),
        "touched": "\n".join(source.paths),
        "text": source.text,
        "diff": source.diff,
    }
    return {name: part for name, part in parts.items() if part}


def _numbered(source: SourceText) -> dict[str, list[list[int | str]]]:
    """Returns the text as [number, line], the cited lines apart from those around them."""
    numbered: list[list[int | str]] = [
        [source.line + n, line] for n, line in enumerate(source.text.split("\n"))
    ]
    if source.cited is None:
        return {"lines": numbered}
    first = min(max(source.cited[0] - source.line, 0), len(numbered))
    last = min(max(source.cited[1] - source.line + 1, first), len(numbered))
    return {
        "before": numbered[:first], "cited": numbered[first:last], "after": numbered[last:],
    }  # fmt: skip

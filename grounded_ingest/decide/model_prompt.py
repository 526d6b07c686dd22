"""What is sent: one claim and one source as JSON that their text cannot close."""

from __future__ import annotations

import json
import re
from typing import Any

from grounded_ingest.decide.model_opinion import ComparedPair
from grounded_ingest.language.lexicon.judge_prompt import SCHEMA, SYSTEM
from grounded_ingest.language.patterns import compiled
from grounded_ingest.support.source import SourceText

MAX_CLAIM, MAX_SOURCE = 4_000, 60_000
"""Characters. A source of which a part would be left out is not judged."""

# Marks of chat templates (`<|im_end|>`, `</s>`, `[INST]`), which some servers read in content too.
_MARK = compiled(r"<|\[(?=/?[A-Z_]{3,}\])")


def question(pair: ComparedPair, model: str) -> bytes:
    """The body of the request; empty where claim or source is too long or is no text."""
    shown = fields_of(pair.source)
    if len(pair.claim) > MAX_CLAIM or sum(map(len, shown.values())) > MAX_SOURCE:
        return b""
    asked = {"claim": pair.claim, "source": {"kind": pair.source.kind, **shown}}
    body = {
        "model": model,
        "temperature": 0,
        "seed": 0,
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": _as_data(asked)},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "opinion", "strict": True, "schema": SCHEMA},
        },
    }
    return json.dumps(body).encode("ascii")


def _as_data(asked: dict[str, Any]) -> str:
    return _MARK.sub(_escaped, json.dumps(asked, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def fields_of(source: SourceText) -> dict[str, str]:
    """The parts of a source that are shown and may be quoted, by name."""
    parts = {
        "path": source.path,
        "title": source.title,
        "definitions": "\n".join(source.enclosing),
        "touched": "\n".join(source.paths),
        **_text(source),
        "diff": source.diff,
    }
    return {name: part for name, part in parts.items() if part}


def _text(source: SourceText) -> dict[str, str]:
    if source.cited is None:
        return {"text": source.text}
    lines = source.text.split("\n")
    first = min(max(source.cited[0] - source.line, 0), len(lines))
    last = min(max(source.cited[1] - source.line + 1, first), len(lines))
    parts = {"before": lines[:first], "cited": lines[first:last], "after": lines[last:]}
    return {name: "\n".join(part) for name, part in parts.items()}

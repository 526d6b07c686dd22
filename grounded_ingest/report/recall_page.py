"""What `recall` found as text and Markdown, made of its JSON. Others wrote what is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grounded_ingest.model.claims import Tier, Verdict
from grounded_ingest.report.verbosity import Look
from grounded_ingest.text.printable import printable

_TEXT, _FEW = 600, 3


def recall_lines(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    """Two lines for each result: the claim at its place, and what it is."""
    for result in found["results"]:
        yield f"{look.paint(f'{_place(result)}:', 'bold')} {_said(result)}"
        yield f"    {look.paint(', '.join(_about(result)), 'dim')}"


def markdown(found: Mapping[str, Any]) -> str:
    """A list to paste, or to hand to a model."""
    if not found["results"]:
        return f"{found['reason'].capitalize()}.\n"
    rows = ((_said(r), ", ".join((_place(r), *_about(r)))) for r in found["results"])
    return "".join(f"- {_inert(said)}\n  ({_inert(about)})\n" for said, about in rows)


def _place(result: Mapping[str, Any]) -> str:
    return f"{printable(result['path'])}:{result['line']}"


def _said(result: Mapping[str, Any]) -> str:
    return printable(result["claim"], _TEXT)


def _inert(text: str) -> str:
    """No HTML, image or comment comes alive in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("![", "!\\[")


def _about(result: Mapping[str, Any]) -> Iterator[str]:
    yield result["memory_type"]
    tier = result["tier"]
    grounded = "grounded" if tier == Tier.APPROVE else f"not grounded, tier {tier}"
    yield f"{grounded} ({result['rule']})"
    own = [e for e in result["evidence"] if not e["inherited"]]
    confirmed = [e["target"] for e in own if e["verdict"] == Verdict.CONFIRMED]
    if confirmed:
        yield f"by {'; '.join(printable(target, 100) for target in confirmed[:_FEW])}"
    if result["when"]:
        yield printable(result["when"], 40)
    if against := result["contradicted_by"]:
        said = "outdated" if result["outdated"] else "contradicted"
        yield f"{said} by {', '.join(printable(place) for place in against[:_FEW])}"

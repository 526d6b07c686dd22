"""The types of a question to a judge and of its answer."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from grounded_ingest.references.source_text import SourceText

OpinionVerdict = Literal["", "supported", "unsupported", "contradicted", "nothing-to-compare"]


class ComparedPair(Struct, frozen=True):
    """A claim's text without its citations, one source, and the text above the claim as (kind,
    text), outermost first."""

    claim: str
    source: SourceText
    context: tuple[tuple[str, str], ...] = ()


class Opinion(Struct, frozen=True):
    """A judge's answer. `verdict` is empty if there is no valid answer; `reason` says why, or what
    differs. `quote` stands in the source, from `line` to `end_line` (0: no line numbers)."""

    verdict: OpinionVerdict
    quote: str = ""
    line: int = 0
    end_line: int = 0
    reason: str = ""


def unknown(reason: str) -> Opinion:
    return Opinion("", reason=f"judge: {reason}")

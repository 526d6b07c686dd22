"""Finds kinds of references that the check misreads in a repository.

Most references in documents that people have kept for a while are right. If a whole check finds
more wrong than right references of a kind, the check probably reads them in another way than their
authors do. For example, a build adds the headings, or "requires v1.35 or later" tells since which
release a feature exists. Such references are unknown, not wrong.

Missing files are no such case, because a tree has a file or does not have it. What a change writes
is no such case either, because nobody has read it yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from grounded_ingest.model.claims import CitationKind, Evidence, Verdict

READ = (CitationKind.ANCHOR, CitationKind.VERSION)
FEWEST = 5
"""Minimum number of different wrong references of a kind. In 67 repositories that readers judged
before anything was mended, this left out 29 reports: all of them were wrong (docs/evaluation.md).
"""


def without_misread(found: list[tuple[Evidence, ...]]) -> list[tuple[Evidence, ...]]:
    """Returns the evidence of all claims of a repository. The wrong references of a misread kind
    are unknown in it."""
    reasons = _misread_kinds(e for evidence in found for e in evidence)
    if not reasons:
        return found
    return [tuple(_as_unknown(e, reasons.get(e.kind, "")) for e in some) for some in found]


def _misread_kinds(found: Iterable[Evidence]) -> dict[CitationKind, str]:
    # One change of the code, such as a newer Python, makes many equal references wrong.
    different = {(e.kind, e.verdict, _named(e)) for e in found if e.kind in READ}
    counts = Counter((kind, verdict) for kind, verdict, _ in different)
    reasons = {}
    for kind in READ:
        wrong, right = counts[kind, Verdict.REFUTED], counts[kind, Verdict.CONFIRMED]
        if wrong >= max(FEWEST, right + 1):
            share = f"only {right} of {right + wrong} {kind}s in these documents"
            reasons[kind] = f"{share} would be right, so the check probably misreads them"
    return reasons


def _named(found: Evidence) -> str:
    """Returns what two equal references of different documents have in common."""
    heading = found.target.rpartition("#")[2]
    return heading if found.kind is CitationKind.ANCHOR else f"{found.target} {found.reason}"


def _as_unknown(found: Evidence, reason: str) -> Evidence:
    if not reason or found.verdict is not Verdict.REFUTED:
        return found
    return replace(found, verdict=Verdict.UNKNOWN, reason=f"{found.reason}; {reason}", instead="")

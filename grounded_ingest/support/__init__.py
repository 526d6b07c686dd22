"""Claim + source text -> support. Its place in the pipeline; the stage that reads sources comes.

Until then existence decides (`Support.EXISTENCE_ONLY`), and what only a quote could carry, bare
paths and inherited citations, does not ground.
"""

from __future__ import annotations

from grounded_ingest.model import Evidence, Place


def support(place: Place, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The evidence with what each source says of the claim."""
    del place
    return evidence

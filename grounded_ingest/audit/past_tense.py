"""Sentences that speak of the past: there an old name is right, and a removal is no news."""

from __future__ import annotations

from grounded_ingest.audit.citation_inventory import InventoryItem
from grounded_ingest.language.lexicon.past import DATED, GONE, PAST, RECORD, REMOVED, REMOVING
from grounded_ingest.language.patterns import compiled

_PAST, _GONE = compiled(PAST), compiled(GONE)
_REMOVING, _REMOVED = compiled(REMOVING), compiled(REMOVED)
_DATED, _RECORD = compiled(DATED), compiled(RECORD)


def is_of_the_past(asked: InventoryItem) -> bool:
    """Whether a claim tells of what was, or of a change."""
    return bool(_PAST.search(asked.decision.place.claim.text))


def is_record(asked: InventoryItem) -> bool:
    """Whether a claim records a day: it carries a date, or its document is a log or an archive."""
    claim = asked.decision.place.claim.text
    return bool(_DATED.search(claim) or _RECORD.search(asked.document))


def says_it_is_gone(asked: InventoryItem) -> bool:
    """Whether a claim itself says of what it cites that it is gone, or is to go."""
    text = asked.decision.place.claim.text
    if _GONE.search(text):
        return True
    before, *after = text.split(asked.citation.raw)
    for rest in after:
        if _REMOVING.search(before) or _REMOVED.search(rest):
            return True
        before = rest
    return False

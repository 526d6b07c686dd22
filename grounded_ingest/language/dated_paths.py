"""Paths of documents that tell of a day: plans, reports, archives, records of decisions."""

from __future__ import annotations

from grounded_ingest.language.lexicon import citation_cues as citing
from grounded_ingest.language.lexicon import past
from grounded_ingest.language.lexicon import reference_words as lexicon
from grounded_ingest.language.patterns import compiled

_DATED = tuple(compiled(p) for p in (citing.PLANS, citing.TEMPLATES, past.RECORD, lexicon.RECORDS))


def tells_of_a_day(path: str) -> bool:
    """Whether a document's path says that it records what was, or will be, on a day; what it names
    had, or will have, that name then."""
    return any(p.search(path) for p in _DATED)

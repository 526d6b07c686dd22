"""Which claims still have to hold: memory and documentation that is kept up, not what tells of a
day."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grounded_ingest.language.dated_paths import is_dated_section, states_its_day, tells_of_a_day
from grounded_ingest.language.lexicon.past import RECORD
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import DocClass, Document, Place
from grounded_ingest.pipeline import Result

_RECORD = compiled(RECORD)
_INSTRUCTS = compiled(r"(?:^|/)(?:agents|commands|skills|rules|prompts|workflows|steering)/")
"""Folders of what agents are told to do: `commands/review.md` is no review."""


def tells_of_a_day_in(result: Result, contents: Mapping[str, bytes]) -> Callable[[str, str], bool]:
    """Tells of a document's path and a claim's id whether all that says so tells of a day."""
    documents = result.documents
    whole = {d.path for d in documents if _is_dated(d, contents.get(d.path, b""))}
    places = (decision.place for decision in result.report.decisions)
    current = {(p.path, p.claim.id) for p in places if p.path not in whole and not _of_a_day(p)}
    return lambda path, claim: (path, claim) not in current


def _of_a_day(place: Place) -> bool:
    return place.claim.recorded or is_dated_section(place.claim.section)


def _is_dated(document: Document, content: bytes) -> bool:
    path, doc_class = document.path, document.doc_class
    if doc_class is DocClass.DECISIONS:
        return True
    instructs = doc_class is DocClass.MEMORY and _INSTRUCTS.search(path)
    named = _RECORD.search(path) if instructs else tells_of_a_day(path)
    return bool(named) or states_its_day(content[:4000].decode(errors="replace"))

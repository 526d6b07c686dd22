"""Documents and sections that tell of a day: plans, reports, archives, records of decisions."""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.lexicon import past
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled

_PENDING = tuple(map(compiled, (citing.PLANS, citing.TEMPLATES)))
_RECORDS = tuple(map(compiled, (past.RECORD, lexicon.RECORDS, lexicon.WORK_ITEMS)))
_HEADING = compiled(past.DATED_HEADING)
_ENDED = tuple(
    compiled(p) for p in (past.WITHDRAWN, past.STATED_COMMIT, past.STATED_WORK, past.STATED_SKETCH)
)

_STATED = compiled(past.STATED_DAY)
_SNAPSHOT = compiled(
    past.STATED_SNAPSHOT,
    needs=("snapshot", "as of", "as_of", "as-of", "as at", "as_at", "as-at", "captured"),
)

_HEAD = 2000
"""Characters of a document in which it states its day."""


def tells_of_a_day(path: str) -> bool:
    """Whether a document's path says that it records what was, or will be, on a day; what it names
    had, or will have, that name then."""
    return any(p.search(path) for p in (*_PENDING, *_RECORDS))


def is_record(path: str) -> bool:
    """Whether a document's path says that it records what was on a day, or one piece of work."""
    return any(p.search(path) for p in _RECORDS)


def is_dated_section(section: str) -> bool:
    """Whether a heading, the document's title among them, names a day or what was done by one."""
    return bool(_HEADING.search(section))


def states_its_day(text: str) -> bool:
    """Whether a document says before its first section, in front matter or in a line of its own, of
    which day it is. The day of its last change says nothing: such a text is kept up."""
    return bool(_STATED.search(text[:_HEAD].partition("\n## ")[0]))


def is_kept_as_record(head: Iterable[str]) -> bool:
    """Whether the passages at the head of a document say that what it describes is no more, or for
    which day, commit or piece of work it was written: it tells how things were, however often it
    was touched since."""
    return any(p.search(passage[:_HEAD]) for passage in head for p in (*_ENDED, _SNAPSHOT))


def is_snapshot(front: str) -> bool:
    """Whether front matter says of which day the document is a snapshot."""
    return bool(_SNAPSHOT.search(front[:_HEAD]))

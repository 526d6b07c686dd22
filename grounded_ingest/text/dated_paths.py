"""Documents and sections that tell of a day: plans, reports, archives, records of decisions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

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

_UNSETTLED_SECTION = compiled(past.UNSETTLED_SECTIONS)
_UNSETTLED_PATH = compiled(past.UNSETTLED_PATHS)

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


def is_current(section: str) -> bool:
    """Whether the headings above a claim, without the title of the document, are about the present:
    not "Alternatives", "History" or "2026-03"."""
    return not _UNSETTLED_SECTION.search(" > ".join(section.split(" > ")[1:]))


@lru_cache(maxsize=1024)
def is_current_path(path: str) -> bool:
    """Whether a document is about the present by its path: not `docs/plans/`, `CHANGELOG.md`."""
    return not _UNSETTLED_PATH.search(path)

"""Recognises documents and sections about the past or the future, such as plans, reports, archives
and decision records.

Such documents name past or future files, so a missing file is no error there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.lexicon import past
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.lexicon.force_words import TRIALS
from grounded_ingest.text.patterns import compiled

_PENDING = tuple(map(compiled, (citing.DESIGNS, citing.PLANS, citing.TEMPLATES)))
_RECORDS = tuple(map(compiled, (past.RECORD, lexicon.RECORDS, lexicon.WORK_ITEMS)))
_TRIAL = compiled(TRIALS)
_WORK_LOG, _GENERATED = compiled(lexicon.WORK_LOGS), compiled(lexicon.GENERATED)
_HEADING = compiled(past.DATED_HEADING)
_WORK = (past.STATED_COMMIT, past.STATED_WORK, past.STATED_SKETCH, past.STATED_PLAN)
_ENDED = tuple(map(compiled, (past.WITHDRAWN, *_WORK)))
_STATED = compiled(past.STATED_DAY)
_SNAPSHOT = compiled(
    past.STATED_SNAPSHOT,
    needs=("snapshot", "as of", "as_of", "as-of", "as at", "as_at", "as-at", "captured"),
)

_UNSETTLED_SECTION = compiled(past.UNSETTLED_SECTIONS)
_UNSETTLED_PATH = compiled(past.UNSETTLED_PATHS)

_DAY = r"(?:19|20)\d\d-[01]\d-[0-3]\d"
_DATE = compiled(_DAY)
_OWN_DATE, _KEPT_UP = compiled(past.OWN_DATE), compiled(past.KEPT_UP)
_DATED_ROW = compiled(rf"(?i)(?:(?:date|day|when|日期|时间): )?{_DAY}(?:;|$)")
_HEAD = 2000
"""Number of characters at the start of a document in which a date is looked for."""


def is_about_one_day(path: str) -> bool:
    """Returns whether the path of a document shows that it is a plan, a template, or a record of
    one day or piece of work, as `docs/plans/2026-03-01.md` is."""
    return any(p.search(path) for p in (*_PENDING, *_RECORDS))


def is_record(path: str) -> bool:
    """Returns whether the path of a document shows that the document reports on one day or on one
    piece of work."""
    return any(p.search(path) for p in _RECORDS)


def is_of_one_date(path: str) -> bool:
    """Returns whether the path of a record has a whole date, as `audits/2026-01-18/links.md` has.
    Nobody corrects the links of such a record."""
    return is_record(path) and _DATE.search(path) is not None


def is_work_log(path: str) -> bool:
    """Returns whether the path of a document shows that people or agents write down their work in
    it: in plans, logs and handoffs. Nobody corrects these after the work."""
    return _WORK_LOG.search(path) is not None


def is_generated(text: str) -> bool:
    """Returns whether a comment at the top of a document says that a program wrote it and that
    nobody may edit it."""
    return _GENERATED.match(text[:_HEAD]) is not None


def is_test_or_sample(path: str) -> bool:
    """Returns whether a path looks like a test, a fixture, a sample or an example. Names that such
    a file defines do not count as names of the project."""
    return _TRIAL.search(path) is not None


def is_dated_section(section: str) -> bool:
    """Returns whether a heading names a day or finished work: "2026-03-01", "Recent changes"."""
    return bool(_HEADING.search(section))


def is_dated_row(text: str) -> bool:
    """Returns whether the first cell of a table row is a date, as in a log of changes. `text` is
    the row as a claim, such as "Date: 2026-03-01; Change: `x` removed"."""
    return _DATED_ROW.match(text) is not None


def has_date_at_top(text: str) -> bool:
    """Returns whether a document gives its date before the first section. "Last updated" does not
    count, because somebody keeps that document up to date."""
    return bool(_STATED.search(_before_sections(text)))


def has_own_date(text: str) -> bool:
    """Returns whether a document gives its date before the first section, in more forms than
    `has_date_at_top` knows: at the end of its title, alone in a line, or behind a label. Front
    matter does not count, and neither does a document that somebody keeps up to date."""
    head = _before_sections(text)
    if head.startswith("---"):
        head = head.partition("\n---")[2]
    return bool(_OWN_DATE.search(head)) and not _KEPT_UP.search(head)


def _before_sections(text: str) -> str:
    return text[:_HEAD].partition("\n## ")[0]


def is_kept_as_record(head: Iterable[str]) -> bool:
    """Returns whether the first passages of a document say that it describes the past: it was
    withdrawn, or was written for one day, commit or piece of work."""
    return any(p.search(passage[:_HEAD]) for passage in head for p in (*_ENDED, _SNAPSHOT))


def is_snapshot(front: str) -> bool:
    """Returns whether a document's front matter says that the document describes the state on one
    day."""
    return bool(_SNAPSHOT.search(front[:_HEAD]))


def is_current(section: str) -> bool:
    """Returns whether the headings above a claim, without the document's title, are about the
    present. "Alternatives", "History" and "2026-03" are not."""
    return not _UNSETTLED_SECTION.search(" > ".join(section.split(" > ")[1:]))


@lru_cache(maxsize=1024)
def is_current_path(path: str) -> bool:
    """Returns whether a document can be about the present, judged by its path. Plans in
    `docs/plans/` and `CHANGELOG.md` are not about the present."""
    return not _UNSETTLED_PATH.search(path)

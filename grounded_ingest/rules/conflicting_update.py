"""Row `conflicting-update`: a memory that base holds, repeated with one number or one negation changed
and without a word that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from grounded_ingest.model.claims import DocClass, Finding, Form, Place
from grounded_ingest.rules.rule import Case, Example, Examples, Rule
from grounded_ingest.statements.knowledge_protocol import Knowledge, comes_after, told_apart
from grounded_ingest.statements.masked_values import Masked, disclosed, masks
from grounded_ingest.text.dates import dates_in
from grounded_ingest.text.lexicon import updates as lexicon
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import Reading, read_claim

META = Rule(
    id="conflicting-update",
    tier=3,
    fixed=False,
    severity="error",
    summary=(
        "The claim repeats a grounded claim of base with one number, version or negation changed, and"
        " does not say that it changed."
    ),
    way_out=(
        "If the value changed, say so (“changed from X to Y”) or correct the older claim too; else"
        " remove this one."
    ),
)

COMPARED = 50
"""Claims that one claim is compared with."""

_RELATIVE = compiled(lexicon.RELATIVE_DATES, re.IGNORECASE)
_LABEL = compiled(r"[^:.`]{1,40}: ")
_FORBIDDING = compiled(
    r"(?i)\b(?:never|don'?t|do not|avoid|anti-?patterns?|wrong|bad|mistakes?)\b|❌"
)


def applies(case: Case) -> bool:
    return case.shows(META)


def index_keys(place: Place, reading: Reading) -> Iterator[int]:
    if _is_comparable(place):
        yield from (m.key for m in masks(reading))


def detect(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """Yields the claim of base whose value this claim changes."""
    if not _is_comparable(place) or knowledge.on_base(place):
        return
    own = {m.key: m for m in masks(read_claim(place.claim))}
    for other in islice(knowledge.sharing(own), COMPARED):
        if (finding := _compare(place, own, other, knowledge)) is not None:
            yield finding
            return


def _is_comparable(place: Place) -> bool:
    """Whether a claim is an undated memory in prose that does not say that something changed."""
    claim = place.claim
    if place.doc_class is not DocClass.MEMORY or claim.form not in (Form.PROSE, Form.RECORD):
        return False
    if claim.text.endswith((":", "：")) or claim.timestamp or _has_date(claim.section):
        return False
    return not (_has_date(claim.text) or disclosed(claim.text))


@lru_cache(maxsize=4096)
def _has_date(text: str) -> bool:
    return bool(_RELATIVE.search(text)) or any(dates_in(text))


def _compare(
    place: Place, own: dict[int, Masked], other: Place, knowledge: Knowledge
) -> Finding | None:
    if other.claim.id == place.claim.id or told_apart(place, other):
        return None
    if not knowledge.on_base(other) or not comes_after(place, other, knowledge):
        return None
    if not _is_comparable(other):
        return None
    if _are_cases(place, other):
        return None
    for theirs in masks(read_claim(other.claim)):
        mine = own.get(theirs.key)
        if mine is None or mine.value.lower() == theirs.value.lower():
            continue
        forbidding = any(_FORBIDDING.search(p.claim.section) for p in (place, other))
        if (mine.at < 0 and forbidding) or not knowledge.grounded(other):
            return None
        message = _difference(f"{other.path}:{other.claim.line} says", theirs.value, mine.value)
        return Finding(META.id, message, words=mine.value, other=other)
    return None


def _are_cases(place: Place, other: Place) -> bool:
    """Whether two claims of one section tell cases apart: fields of records that follow each other
    below one heading (`Cause: …`, `Cause: …`)."""
    if (place.path, place.claim.section) != (other.path, other.claim.section):
        return False
    mine, theirs = _LABEL.match(place.claim.text), _LABEL.match(other.claim.text)
    return bool(mine and theirs and mine[0] == theirs[0]) and place.claim.block != other.claim.block


def _difference(says: str, was: str, now: str) -> str:
    if was and now:
        return f"{says} {was} where this says {now}"
    return f"{says} it {'with' if was else 'without'} “{was or now}”"


_TIMEOUT = {
    "memory-bank/limits.md": "# Limits\n\nThe request timeout is 30 seconds (`src/config.py:1`).\n",
    "src/config.py": "REQUEST_TIMEOUT_SECONDS = 30\n",
}

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "The request timeout is 60 seconds.",
                base=_TIMEOUT,
            ),
            Example(
                "The export is not encrypted with a team key.",
                base={
                    "memory-bank/exports.md": "# Exports\n\nThe export is encrypted with a team key (ADR-1).\n"
                },
                adr="The export is encrypted with a team key.",
            ),
            Example(
                "The ledger runs on PostgreSQL 16.2 in production.",
                base={
                    "memory-bank/manual/store.md": "# Store\n\nThe ledger runs on PostgreSQL 15.4 in production.\n"
                },
                config='sources: {"memory-bank/manual/**": manual}\ntrusted_sources: [manual]',
            ),
        ),
        passes=(
            Example(
                "The request timeout is 60 seconds, changed from 30 seconds.",
                base=_TIMEOUT,
            ),
            Example(
                "The request timeout is 60 seconds.",
                base=_TIMEOUT,
                change={"memory-bank/limits.md": None},
            ),
            Example(
                "The request timeout is 60 seconds.",
                base={"memory-bank/limits.md": "# Limits\n\nThe request timeout is 30 seconds.\n"},
            ),
            Example(
                "Worker 8 is started by systemd.",
                base={
                    "memory-bank/worker.md": "# Workers\n\nWorker 7 is started by systemd (ADR-1).\n"
                },
                adr="Worker 7 is started by systemd.",
            ),
        ),
    ),
)

"""Claims whose time is over: by the date they carry or say, by days since they were written, by the
end of life of the runtime they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime

from grounded_ingest.audit.blame import Origins, days_since, written_on
from grounded_ingest.audit.model import EvidenceState, Item
from grounded_ingest.language.lexicon.end_of_life import LAST_DAYS
from grounded_ingest.language.lexicon.past import GONE, PAST
from grounded_ingest.language.lexicon.validity_words import SAYS_SO
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Decision, DocClass, Form, MemoryType, Place
from grounded_ingest.pipeline import Result
from grounded_ingest.references.runtime_version import mentions
from grounded_ingest.report.sidecar_plan import horizon_of
from grounded_ingest.rules.present_state import is_current, is_current_path

_OVER = tuple(map(compiled, (PAST, GONE, SAYS_SO)))


def expired(
    result: Result, blamed: Mapping[str, Origins], recorded: frozenset[tuple[str, str]], today: date
) -> Iterator[Item]:
    """Claims that are past their horizon. Without `blamed` only by dates."""
    for decision in result.report.decisions:
        horizon = horizon_of(decision, result.config)
        why = _passed(decision, horizon, blamed, today) if horizon else ""
        if not why:
            horizon, why = _outlived(decision.place, today)
        if why:
            claim, path = decision.place.claim, decision.place.path
            known = (path, claim.id) in recorded
            yield Item(
                path, claim.line, claim.id, claim.text, "claim", horizon,
                EvidenceState.EXPIRED, why, recorded=known,
            )  # fmt: skip


def _passed(decision: Decision, horizon: str, blamed: Mapping[str, Origins], today: date) -> str:
    place = decision.place
    if found := re.fullmatch(r"P(\d+)D", horizon):
        origin = blamed.get(place.path, {}).get(place.claim.line)
        if origin is None or days_since(origin, today) <= int(found[1]):
            return ""
        since = written_on(origin).isoformat()
        return f"written {since}, valid for {found[1]} days"
    ends = _day(horizon)
    if ends is None or ends >= today:
        return ""
    if place.claim.form is not Form.RECORD and not _is_told_now(place):
        return ""
    return f"valid until {ends.isoformat()}"


def _is_told_now(place: Place) -> bool:
    """Whether a sentence is one of what holds, rather than of a plan, a log or a past decision."""
    claim = place.claim
    if place.doc_class is DocClass.DECISIONS or claim.memory_type is MemoryType.EPISODIC:
        return False
    return is_current_path(place.path) and is_current(claim.section)


def _outlived(place: Place, today: date) -> tuple[str, str]:
    """The day on which a runtime that a claim names as the one in use got its last update, and what
    to say of it. A minimum leaves room for newer ones."""
    named = [r for r in mentions(place.path, place.claim) if r.of.endswith(" = asks")]
    if len(named) != 1 or not _is_told_now(place) or any(p.search(place.claim.text) for p in _OVER):
        return "", ""
    runtime, parts = named[0].of.split(" ")[0], named[0].name.split(".")
    releases = LAST_DAYS.get(runtime, {})
    release = next((r for r in (".".join(parts[:2]), parts[0]) if r in releases), "")
    last = releases.get(release, "")
    if not last or date.fromisoformat(last) >= today:
        return "", ""
    return last, f"{runtime} {release} got its last update on {last}"


def _day(text: str) -> date | None:
    """The day of an ISO 8601 date or time; None for what is neither."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()

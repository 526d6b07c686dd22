"""Finds expired claims.

A claim has expired if it is past the date that it states or past the configured number of days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime

from msgspec.structs import replace

from grounded_ingest.git.line_origins import Origins
from grounded_ingest.model.claims import Decision, DocClass, Form, MemoryType, Place, Problem, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.report.evidence_files import horizon_of
from grounded_ingest.text.dated_paths import is_current, is_current_path
from grounded_ingest.text.printable import printable


def add_expired(result: Result, today: date | None = None) -> Result:
    """Returns the result with an added `expired` problem for each claim that has expired. `today`
    is a date in UTC. A number of days in the setting `horizons` is counted from the commit that
    last changed the claim's line."""
    today = today or datetime.now(UTC).date()
    report = result.report
    bounded = [d for d in report.decisions if horizon_of(d, result.config)]
    origins = result.engine.context.origins({d.place.path for d in bounded})
    found = tuple(_expired(result, origins, today))
    return replace(result, report=replace(report, problems=(*report.problems, *found)))


def count_expired(result: Result, today: date | None = None) -> int:
    """Returns the number of claims that have expired by `today`, a date in UTC. Leaves out claims
    for which the setting `horizons` names a number of days. Their dates would need `git blame` for
    every document."""
    return sum(1 for _ in _expired(result, {}, today or datetime.now(UTC).date()))


def _expired(result: Result, origins: Mapping[str, Origins], today: date) -> Iterator[Problem]:
    for decision in result.report.decisions:
        place, horizon = decision.place, horizon_of(decision, result.config)
        if horizon and (why := _past_horizon(decision, horizon, origins, today)):
            message = f"{why}: “{printable(place.claim.text, 120)}”"
            yield Problem(place.path, place.claim.line, "expired", message, int(Tier.REVIEW))


def _past_horizon(
    decision: Decision, horizon: str, origins: Mapping[str, Origins], today: date
) -> str:
    place = decision.place
    if found := re.fullmatch(r"P(\d+)D", horizon):
        origin = origins.get(place.path, {}).get(place.claim.line)
        since = datetime.fromtimestamp(origin.time, UTC).date() if origin else today
        late = (today - since).days > int(found[1])
        return f"the claim of {since} was valid for only {found[1]} days" if late else ""
    ends = ends_on(horizon)
    if ends is None or ends >= today:
        return ""
    if place.claim.form is not Form.RECORD and not _states_present(place):
        return ""
    return f"the claim was valid until {ends.isoformat()}"


def _states_present(place: Place) -> bool:
    """Returns whether a sentence states the present situation. A plan, a log entry and a past
    decision do not expire."""
    claim = place.claim
    if place.doc_class is DocClass.DECISIONS or claim.memory_type is MemoryType.EPISODIC:
        return False
    return is_current_path(place.path) and is_current(claim.section)


def ends_on(text: str) -> date | None:
    """Returns the day (UTC) in an ISO 8601 date or time. Returns None for any other text."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()

"""Claims whose time is over: by the date they carry or say, by days since they were written, by the
end of life of the runtime they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime

from msgspec.structs import replace

from grounded_ingest.git.line_origins import Origins
from grounded_ingest.model.claims import (
    Decision,
    DocClass,
    Form,
    MemoryType,
    Place,
    Problem,
    Tier,
)
from grounded_ingest.pipeline import Result
from grounded_ingest.references.runtime_version import mentions
from grounded_ingest.report.sidecar_plan import horizon_of
from grounded_ingest.statements.present_state import is_current, is_current_path
from grounded_ingest.text.lexicon.end_of_life import LAST_DAYS
from grounded_ingest.text.lexicon.past import GONE, PAST
from grounded_ingest.text.lexicon.validity_words import SAYS_SO
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

_OVER = tuple(map(compiled, (PAST, GONE, SAYS_SO)))


def with_expired(result: Result, today: date | None = None) -> Result:
    """Returns a check's result with the claims whose time is over among its problems, as of a day
    (in UTC; None: today). Horizons in days count from the commit that wrote the claim's line."""
    today = today or datetime.now(UTC).date()
    report = result.report
    bounded = [d for d in report.decisions if horizon_of(d, result.config)]
    origins = result.judge.context.origins({d.place.path for d in bounded})
    found = tuple(_expired(result, origins, today))
    return replace(result, report=replace(report, problems=(*report.problems, *found)))


def count_expired(result: Result, today: date | None = None) -> int:
    """Returns how many claims are past a date: their record's, their sentence's, their runtime's.
    Horizons in days are left out."""
    return sum(1 for _ in _expired(result, {}, today or datetime.now(UTC).date()))


def _expired(result: Result, origins: Mapping[str, Origins], today: date) -> Iterator[Problem]:
    for decision in result.report.decisions:
        place, horizon = decision.place, horizon_of(decision, result.config)
        why = _passed(decision, horizon, origins, today) if horizon else ""
        if why := why or _outlived(place, today):
            said = f"{why}: “{printable(place.claim.text, 120)}”"
            yield Problem(place.path, place.claim.line, "expired", said, int(Tier.REVIEW))


def _passed(decision: Decision, horizon: str, origins: Mapping[str, Origins], today: date) -> str:
    place = decision.place
    if found := re.fullmatch(r"P(\d+)D", horizon):
        origin = origins.get(place.path, {}).get(place.claim.line)
        since = datetime.fromtimestamp(origin.time, UTC).date() if origin else today
        late = (today - since).days > int(found[1])
        return f"written {since}, valid for {found[1]} days" if late else ""
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


def _outlived(place: Place, today: date) -> str:
    """Says that a runtime which a claim names as the one in use gets no updates any more; empty if
    it does. A minimum leaves room for newer ones."""
    named = [r for r in mentions(place.path, place.claim) if r.of.endswith(" = asks")]
    if len(named) != 1 or not _is_told_now(place) or any(p.search(place.claim.text) for p in _OVER):
        return ""
    runtime, parts = named[0].of.split(" ")[0], named[0].name.split(".")
    releases = LAST_DAYS.get(runtime, {})
    release = next((r for r in (".".join(parts[:2]), parts[0]) if r in releases), "")
    last = releases.get(release, "")
    if not last or date.fromisoformat(last) >= today:
        return ""
    return f"{runtime} {release} got its last update on {last}"


def _day(text: str) -> date | None:
    """The day of an ISO 8601 date or time; None for what is neither."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()

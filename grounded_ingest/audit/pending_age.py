"""Age: how long claims wait for review, and which have outlived their horizon."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime

from grounded_ingest.audit.blame import LineOrigin, Origins
from grounded_ingest.audit.model import Ages, EvidenceState, Item, Waiting
from grounded_ingest.model.claims import Decision, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.report.sidecar_plan import horizon_of

BUCKETS = {"up to 7 days": 7, "up to 30 days": 30, "up to 90 days": 90, "up to a year": 365}
OLDER, UNCOMMITTED = "older", "not committed"

_OLDEST = 20
"""Claims that are shown, the oldest first."""

_DAY = 86_400


def queue(
    result: Result, blamed: Mapping[str, Origins], today: date
) -> tuple[tuple[Ages, ...], tuple[Waiting, ...]]:
    """The claims that wait, by document class and age, and the oldest of them."""
    by_class: dict[str, dict[str, int]] = {}
    waiting = []
    for decision in result.report.decisions:
        if decision.tier is not Tier.REVIEW:
            continue
        place = decision.place
        origin = blamed.get(place.path, {}).get(place.claim.line)
        days = _days(origin, today) if origin else -1
        counts = by_class.setdefault(
            place.doc_class.value, dict.fromkeys((*BUCKETS, OLDER, UNCOMMITTED), 0)
        )
        counts[_bucket(days)] += 1
        if origin is not None:
            claim = place.claim
            since = _date(origin).isoformat()
            waiting.append(
                Waiting(place.path, claim.line, claim.id, claim.text, decision.rule, since, days)
            )
    waiting.sort(key=lambda w: (w.since, w.path, w.line))
    ages = tuple(Ages(name, counts) for name, counts in sorted(by_class.items()))
    return ages, tuple(waiting[:_OLDEST])


def _bucket(days: int) -> str:
    if days < 0:
        return UNCOMMITTED
    return next((name for name, most in BUCKETS.items() if days <= most), OLDER)


def _date(origin: LineOrigin) -> date:
    return datetime.fromtimestamp(origin.time, UTC).date()


def _days(origin: LineOrigin, today: date) -> int:
    return max(0, (today - _date(origin)).days)


def expired(
    result: Result, blamed: Mapping[str, Origins], recorded: frozenset[tuple[str, str]], today: date
) -> Iterator[Item]:
    """Claims whose horizon has passed: the date they carry, or days since they were written."""
    for decision in result.report.decisions:
        horizon = horizon_of(decision, result.config)
        if horizon and (why := _passed(decision, horizon, blamed, today)):
            claim, path = decision.place.claim, decision.place.path
            known = (path, claim.id) in recorded
            yield Item(
                path, claim.line, claim.id, claim.text, "claim", horizon,
                EvidenceState.EXPIRED, why, recorded=known,
            )  # fmt: skip


def _passed(decision: Decision, horizon: str, blamed: Mapping[str, Origins], today: date) -> str:
    if found := re.fullmatch(r"P(\d+)D", horizon):
        origin = blamed.get(decision.place.path, {}).get(decision.place.claim.line)
        if origin is None or _days(origin, today) <= int(found[1]):
            return ""
        since = _date(origin).isoformat()
        return f"written {since}, valid for {found[1]} days"
    ends = _day(horizon)
    return f"valid until {ends.isoformat()}" if ends is not None and ends < today else ""


def _day(text: str) -> date | None:
    """The day of an ISO 8601 date or time; None for what is neither."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()

"""Finds expired claims.

A claim has expired if it is past the date that it states or past the configured number of days. A
claim that names a runtime version has also expired when that version gets no more updates, and so
has a code block of a Dockerfile or workflow with such a version."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, date, datetime

from msgspec.structs import replace

from grounded_ingest.code.manifest_facts import Pin, ci_pins, numbers, pins
from grounded_ingest.extract.code_blocks import code_blocks
from grounded_ingest.git.line_origins import Origins
from grounded_ingest.model.claims import Decision, DocClass, Form, MemoryType, Place, Problem, Tier
from grounded_ingest.pipeline import Result
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import why_left_alone
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.references.runtime_version import mentions, required_runtime
from grounded_ingest.report.evidence_files import horizon_of
from grounded_ingest.text.dated_paths import is_about_one_day, is_current, is_current_path
from grounded_ingest.text.lexicon.date_words import SAYS_SO
from grounded_ingest.text.lexicon.end_of_life import LAST_DAYS
from grounded_ingest.text.lexicon.manifest_words import ALSO_VERSION
from grounded_ingest.text.lexicon.past import GONE, PAST
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

_OVER = tuple(map(compiled, (PAST, GONE, SAYS_SO)))
_ALSO = compiled(ALSO_VERSION)


def add_expired(result: Result, today: date | None = None) -> Result:
    """Returns the result with an added `expired` problem for each claim that has expired. `today`
    is a date in UTC. A number of days in the setting `horizons` is counted from the commit that
    last changed the claim's line."""
    today = today or datetime.now(UTC).date()
    report = result.report
    bounded = [d for d in report.decisions if horizon_of(d, result.config)]
    origins = result.engine.context.origins({d.place.path for d in bounded})
    found = result.engine.ignores.suppress(result.documents, _expired(result, origins, today))
    return replace(result, report=replace(report, problems=(*report.problems, *found)))


def count_expired(result: Result, today: date | None = None) -> int:
    """Returns the number of claims that have expired by `today`, a date in UTC. Leaves out claims
    for which the setting `horizons` names a number of days. Their dates would need `git blame` for
    every document."""
    return sum(1 for _ in _expired(result, {}, today or datetime.now(UTC).date()))


def _expired(result: Result, origins: Mapping[str, Origins], today: date) -> Iterator[Problem]:
    for decision in result.report.decisions:
        place, horizon = decision.place, horizon_of(decision, result.config)
        why = _past_horizon(decision, horizon, origins, today) if horizon else ""
        if why := why or _names_dead_runtime(place, today):
            message = f"{why}: “{printable(place.claim.text, 120)}”"
            yield Problem(place.path, place.claim.line, "expired", message, int(Tier.REVIEW))
    for document in result.documents:
        path, past = document.path, document.doc_class is DocClass.DECISIONS
        if not past and is_current_path(path) and not is_about_one_day(path):
            for line, why, row in _dead_pins(path, result.engine.context, today):
                message = f"{why}: “{printable(row.strip(), 120)}”"
                yield Problem(path, line, "expired", message, int(Tier.REVIEW))


def _dead_pins(path: str, context: Context, today: date) -> Iterator[tuple[int, str, str]]:
    """Yields the line, the message and the text of each row in a code block that pins only versions
    of a runtime that get no more updates: `FROM node:14`, `python-version: "3.8"`."""
    text = page_text(path, context.tree) or ""
    if not _PINS.search(text) or why_left_alone(path, "", context):
        return
    for block in code_blocks(text):
        said = any(p.search(block.lead) for p in _OVER) or not is_current(block.section)
        found: dict[int, set[tuple[str, str]]] = {}
        for pin in () if said else (*pins("Dockerfile", block.text), *ci_pins(block.text)):
            found.setdefault(pin.line, set()).add(_last_day(pin))
        for line, days in found.items():
            last, release = max(days)
            if all(day for day, _ in days) and date.fromisoformat(last) < today:
                why = f"{release} got its last update on {last}"
                yield block.line + line - 1, why, block.text.split("\n")[line - 1]


_PINS = compiled(r"(?mi)^\s*FROM\s+\S+:v?\d|-version\w*:", needs=("from ", "-version"))
"""Matches a row that may pin a runtime in a Dockerfile or a workflow."""


def _last_day(pin: Pin) -> tuple[str, str]:
    """Returns the day of a version's last update, or an empty string if it is unknown, and the
    version."""
    (release,) = _allowed(".".join(map(str, pin.version)), "", LAST_DAYS.get(pin.runtime, {}))
    return LAST_DAYS.get(pin.runtime, {}).get(release, ""), f"{pin.runtime} {release}"


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


def _names_dead_runtime(place: Place, today: date) -> str:
    """Returns a message with the date when the runtime that a claim requires got its last update.
    Returns an empty string if a release that the claim allows still gets updates. "Python >= 3.8"
    does not count, because newer versions fulfil a minimum."""
    text = place.claim.text
    named = [r for r in mentions(place.path, place.claim) if required_runtime(r)]
    if len(named) != 1 or not _states_present(place) or any(p.search(text) for p in _OVER):
        return ""
    runtime, start, end = required_runtime(named[0]), named[0].start, named[0].end
    releases = LAST_DAYS.get(runtime, {})
    allowed = _allowed(named[0].name, text[start:end], releases)
    while also := _ALSO.match(text, end):
        allowed, end = allowed | _allowed(also["version"], also["range"], releases), also.end()
    last, release = max((releases.get(r, ""), r) for r in allowed)
    if not allowed <= releases.keys() or date.fromisoformat(last) >= today:
        return ""
    return f"{runtime} {release} got its last update on {last}"


def _allowed(version: str, stated: str, releases: Collection[str]) -> set[str]:
    """Returns the releases that a range such as `^3.8` allows. The set has an empty string if the
    range has no upper end, or if the release is unknown. version: the number in the range."""
    parts = version.split(".")
    least = next((r for r in (".".join(parts[:2]), parts[0]) if r in releases), "")
    if not least or re.search(r"[>≥+]", stated):
        return {""}
    if not re.search(r"[\^~]", stated):
        return {least}
    return {r for r in releases if r.split(".")[0] == parts[0] and numbers(r) >= numbers(least)}


def ends_on(text: str) -> date | None:
    """Returns the day (UTC) in an ISO 8601 date or time. Returns None for any other text."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()

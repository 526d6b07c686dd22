"""Claims that no single memory makes: the time between two dates that memories hold."""

from __future__ import annotations

from grounded_ingest.facts.content_words import ContentWord
from grounded_ingest.grounding.memory_index import Memories
from grounded_ingest.language.dates import Date, months_between
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.value_normal_form import normal

_MONTH_S = 2629746.0
_DAY_S = 86400.0
MOST_DATES = 32


def difference(
    sentence: Sentence, piece: ContentWord, memories: Memories, allowed: set[int]
) -> tuple[str, ...] | None:
    """The memories whose dates lie as far apart as a duration says; None where there are none."""
    tokens = sentence.tokens[piece.first : piece.end]
    found = normal(" ".join(t.low for t in tokens))
    if found.kind != "quantity" or (found.parts[0] != "time" and not _years(sentence, piece)):
        return None
    seconds = found.amount if found.parts[0] == "time" else found.amount * 12 * _MONTH_S
    dated = _dates(memories, allowed)
    for i, (one, first) in enumerate(dated):
        for other, second in dated[i + 1 :]:
            if first != second and _apart(one, other, seconds):
                ids = sorted((first, second))
                return tuple(memories.all[n].id for n in ids)
    return None


def _years(sentence: Sentence, piece: ContentWord) -> bool:
    """`32` as an age: a bare number before `years old` or behind `age`."""
    near = {t.low for t in sentence.tokens[max(0, piece.first - 3) : piece.end + 2]}
    return bool(near & {"age", "aged", "old", "turned"})


def _dates(memories: Memories, allowed: set[int]) -> list[tuple[Date, int]]:
    found = []
    today = {
        u for key in ("date", "today", "year") for u in memories.by_key.get(key, ())[:MOST_DATES]
    }
    for unit in sorted(allowed | today):
        keys = [k for k in memories.units[unit].keys if k.startswith("@")]
        exact = max(keys, key=lambda k: sum(p != "0" for p in k[1:].split("-")), default="")
        if exact:
            year, month, day = (int(p) for p in exact[1:].split("-"))
            if year:
                found.append((Date(year, month, day), memories.units[unit].memory))
        if len(found) >= MOST_DATES:
            break
    return found


def _apart(one: Date, other: Date, seconds: float) -> bool:
    months = abs(months_between(one, other))
    exact = bool(one.month and other.month)
    if one.day and other.day and seconds < 2 * _MONTH_S:
        from datetime import date

        try:
            days = abs((date(*one) - date(*other)).days)
        except ValueError:
            return False
        return days * _DAY_S == seconds
    wanted = seconds / _MONTH_S
    if wanted >= 12 and abs(wanted / 12 - round(wanted / 12)) < 1e-6:
        years = round(wanted / 12)
        return months // 12 == years if exact else abs(months / 12 - years) < 0.01
    return exact and abs(wanted - months) < 0.01

"""Values of one thing that repositories state and that cannot all hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence, Set
from itertools import groupby
from operator import itemgetter
from typing import Any

from grounded_ingest.fleet.bucket_queries import Joining, spilling
from grounded_ingest.fleet.tables import JOINED, SCHEMA, parquet_rows, write_rows
from grounded_ingest.statements.agreed_facts import StatedFact, disagree
from grounded_ingest.text.lexicon import parts_of_any
from grounded_ingest.text.names import singular

_OWN_SUBJECTS = frozenset(("", *parts_of_any.SUBJECTS))
_OWN_SLOTS = frozenset(("testing", *parts_of_any.SLOTS.split()))
VALUES_EACH = 100
"""Values of one thing that one repository has a say with: those it states most."""
_Words = tuple[str, ...]
_STATED = "about, slot, subject, setting, value, normal, polarity, repository, path, line"


def join_contradictions(joining: Joining, families: Sequence[str]) -> None:
    """Write `contradictions`, a row for each value that disagrees with another one. What files of a
    family state is compared among them once more, as the rules of one text that they are."""
    facts = joining.projected(
        "facts", "references", f"about AS thing, 0::BIGINT AS family, {_STATED}",
        "kind = 'fact' AND NOT many",
    )  # fmt: skip
    members = f"(SELECT repository, path, family FROM {parquet_rows(families)})"
    of_families = [
        "SELECT f.* REPLACE (xor(f.thing, m.family) AS thing, m.family AS family)"
        f" FROM {parquet_rows([file])} f JOIN {members} m USING (repository, path)"
        for file in facts
        if families
    ]
    facts += joining.queries("family-facts", of_families)
    named = joining.tables.rows("repositories")
    names = f"SELECT DISTINCT parse_filename(if(origin = '', repository, origin)) FROM ({named})"
    jobs = [
        {"rows": rows, "run": joining.tables.run, "names": names}
        for rows in joining.by_key("facts", facts, "thing")
    ]
    joining.write("contradictions", joining.spread("contradictions", write_contradictions, jobs))


def write_contradictions(text: str) -> str:
    """The work of this join: of one directory of equal things."""
    job = json.loads(text)
    with spilling(job["out"]) as database:
        names = {_words(name) for (name,) in database.execute(job["names"]).fetchall()}
        found = database.execute(
            "SELECT thing, family, about, slot, subject, setting, normal, polarity,"
            " min(value) AS value, sum(claims)::INTEGER AS claims,"
            " count(*)::INTEGER AS repositories,"
            " md5(list_sort(list(repository))::VARCHAR) AS holders, min(place) AS place FROM"
            " (SELECT * FROM (SELECT thing, family, about, slot, subject, setting, normal,"
            " polarity, repository,"
            " min(value) AS value, count(*) AS claims,"
            " min({'repository': repository, 'path': path, 'line': line}) AS place"
            f" FROM {job['rows']} SEMI JOIN (SELECT thing FROM {job['rows']} GROUP BY thing"
            " HAVING min((normal, polarity)) <> max((normal, polarity))"
            " AND min(repository) <> max(repository)) USING (thing) GROUP BY ALL)"
            " QUALIFY row_number() OVER (PARTITION BY thing, family, about, repository"
            f" ORDER BY claims DESC, normal, polarity) <= {VALUES_EACH})"
            " GROUP BY ALL ORDER BY thing, family, about, claims DESC, normal, polarity"
        )
        columns = [column[0] for column in found.description]
        rows = (dict(zip(columns, row, strict=True)) for row in iter(found.fetchone, None))
        write_rows(job["out"], JOINED["contradictions"], _disagreeing(rows, job["run"], names))
    return ""


def _disagreeing(
    rows: Iterator[dict[str, Any]], run: str, names: Set[_Words]
) -> Iterator[dict[str, Any]]:
    for _, group in groupby(rows, key=itemgetter("thing", "family", "about")):
        values = [*group]
        for number in sorted(_apart(values)):
            row = values[number]
            told = {n: row[n] for n in row if n not in ("thing", "holders", "place")}
            yield {
                "schema": SCHEMA, "run": run, "shared": is_shared(row, names), **told,
                **row["place"],
            }  # fmt: skip


def is_shared(row: dict[str, Any], names: Set[_Words]) -> bool:
    """Whether a value is of something that repositories have in common, and not of what each has
    for itself: one of them, by its name, or the rules of one text."""
    if row["family"]:
        return True
    slot = row["slot"].replace(" ", "_")
    if slot in _OWN_SLOTS or slot.endswith("_version"):
        return False
    words = _words(row["subject"])
    spans = (words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1))
    return any(span in names and " ".join(span) not in _OWN_SUBJECTS for span in spans)


def _words(name: str) -> _Words:
    return tuple(singular(w) for w in re.split(r"[\W_]+", name.lower()) if w)


def _apart(values: Sequence[dict[str, Any]]) -> set[int]:
    """Which values disagree with another one that not the same repositories state: copies of one
    text that says two things do not differ. Values that are many mostly disagree with the first, so
    that few are compared."""
    facts = [_fact(v) for v in values]
    by_holders: dict[str, list[int]] = {}
    for number, value in enumerate(values):
        by_holders.setdefault(value["holders"], []).append(number)
    found: set[int] = set()
    for one, value in enumerate(values):
        if one not in found:
            theirs = (n for h, ns in by_holders.items() if h != value["holders"] for n in ns)
            other = next((n for n in theirs if disagree(facts[one], facts[n])), None)
            found |= {one, other} if other is not None else set()
    return found


def _fact(row: dict[str, Any]) -> StatedFact:
    return StatedFact(row["slot"], row["value"], 0, row["subject"], row["polarity"])

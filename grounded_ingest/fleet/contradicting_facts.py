"""Values of one thing that repositories state and that cannot all hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from grounded_ingest.facts.fact import Fact
from grounded_ingest.fleet.joins import MEMORY, Joining
from grounded_ingest.fleet.tables import JOINED, SCHEMA, connected, write_rows
from grounded_ingest.language.value_normal_form import normal
from grounded_ingest.rules.agreed_facts import disagree

COMPARED = 200
"""Values of one thing that are compared with each other: those that most claims state."""


def join_contradictions(joining: Joining) -> None:
    """Write `contradictions`, a row for each value that disagrees with another one."""
    facts = joining.projected(
        "facts", "references",
        "about, slot, subject, setting, value, normal, polarity, repository, path, line",
        "kind = 'fact' AND NOT many",
    )  # fmt: skip
    jobs = [
        {"rows": rows, "run": joining.tables.run}
        for rows in joining.by_key("facts", facts, "about")
    ]
    joining.write("contradictions", joining.spread("contradictions", write_contradictions, jobs))


def write_contradictions(text: str) -> str:
    """The work of this join: of one directory of equal things."""
    job = json.loads(text)
    with connected(MEMORY) as database:
        found = database.execute(
            "SELECT about, slot, subject, setting, normal, polarity, min(value) AS value,"
            " count(*)::INTEGER AS claims, count(DISTINCT repository)::INTEGER AS repositories,"
            " min({'repository': repository, 'path': path, 'line': line}) AS place"
            f" FROM {job['rows']} WHERE about IN (SELECT about FROM {job['rows']} GROUP BY about"
            " HAVING count(DISTINCT (normal, polarity)) > 1 AND count(DISTINCT repository) > 1)"
            " GROUP BY ALL ORDER BY about, claims DESC, normal, polarity"
        )
        names = [column[0] for column in found.description]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    write_rows(job["out"], JOINED["contradictions"], _disagreeing(rows, job["run"]))
    return ""


def _disagreeing(rows: Sequence[dict[str, Any]], run: str) -> Iterator[dict[str, Any]]:
    for _, group in groupby(rows, key=lambda row: row["about"]):
        values = list(group)[:COMPARED]
        facts = [_fact(v) for v in values]
        for row, fact in zip(values, facts, strict=True):
            if any(disagree(fact, other) for other in facts if other is not fact):
                yield {
                    "schema": SCHEMA, "run": run, "shared": bool(row["subject"]),
                    **{n: row[n] for n in row if n != "place"}, **row["place"],
                }  # fmt: skip


def _fact(row: dict[str, Any]) -> Fact:
    value = row["value"]
    return Fact(
        row["subject"], row["slot"], value, normal(value), 0, len(value), row["polarity"],
        setting=row["setting"],
    )  # fmt: skip

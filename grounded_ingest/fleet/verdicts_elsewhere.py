"""What claims cite of another repository, looked up there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.isolation import in_own_process
from grounded_ingest.fleet.job import Found, JobAnswer, LookUpJob, Question
from grounded_ingest.fleet.tables import JOINED, connected, write_rows

_NOWHERE = Found("unknown", "no repository of this fleet")


def join_elsewhere(joining: Joining) -> None:
    """Write `elsewhere_verdicts`: a process for each repository that others cite."""
    asked = _rows(joining, "elsewhere")
    there = {r["origin"]: r for r in _rows(joining, "repositories") if r["origin"]}
    by_origin: dict[str, dict[Question, None]] = {}
    for row in asked:
        if row["origin"] in there:
            by_origin.setdefault(row["origin"], {})[_question(row)] = None
    found = dict(_answers(joining, by_origin, there))
    path = f"{joining.path('elsewhere')}.parquet"
    write_rows(path, JOINED["elsewhere_verdicts"], _verdicts(joining, asked, there, found))
    joining.write("elsewhere_verdicts", [path])


def _rows(joining: Joining, table: str) -> list[dict[str, Any]]:
    with connected() as database:
        found = database.execute(f"{joining.tables.rows(table)} ORDER BY ALL")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _question(row: Mapping[str, Any]) -> Question:
    return Question(row["kind"], row["target"], row["first"], row["last"], row["at"])


def _answers(
    joining: Joining,
    asked: Mapping[str, Mapping[Question, None]],
    there: Mapping[str, Mapping[str, Any]],
) -> Iterator[tuple[tuple[str, Question], Found]]:
    jobs = [
        LookUpJob(name, joining.sources[name], tuple(questions), joining.limits)
        for origin, questions in asked.items()
        for name in [there[origin]["repository"]]
    ]
    origins = list(asked)
    texts = [msgspec.json.encode(j).decode() for j in jobs]
    for outcome in joining.engine.map(in_own_process, texts):
        job, origin = jobs[outcome.number], origins[outcome.number]
        if outcome.error:
            answer = JobAnswer("error", outcome.error)
        else:
            answer = msgspec.json.decode(outcome.answer, type=JobAnswer)
        failed = Found("unknown", answer.reason or answer.state)
        told: Sequence[Found] = answer.found or [failed] * len(job.questions)
        for question, found in zip(job.questions, told, strict=True):
            yield (origin, question), found


def _verdicts(
    joining: Joining,
    asked: Sequence[Mapping[str, Any]],
    there: Mapping[str, Mapping[str, Any]],
    found: Mapping[tuple[str, Question], Found],
) -> Iterator[dict[str, Any]]:
    for row in asked:
        target = there.get(row["origin"], {})
        answer = found.get((row["origin"], _question(row)), _NOWHERE)
        kept = {n: row[n] for n in row if n not in ("first", "last", "at", "run")}
        yield {
            **kept, "run": joining.tables.run, "verdict": answer.verdict, "reason": answer.reason,
            "there": target.get("repository", ""), "there_commit": target.get("commit", ""),
        }  # fmt: skip

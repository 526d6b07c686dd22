"""What claims cite of another repository, looked up there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from grounded_ingest.fleet.bucket_queries import Joining
from grounded_ingest.fleet.isolation import in_own_process
from grounded_ingest.fleet.job import Found, JobAnswer, LookUpJob, Question
from grounded_ingest.fleet.tables import JOINED, connected, write_rows
from grounded_ingest.references.path import ABSENT

_NOWHERE = Found("unknown", "no repository of this fleet")
_SEVERAL = Found("unknown", "several repositories of this fleet are said to be it")


_Asked = tuple[str, tuple[Question, ...]]
"""An origin, and what is asked of it."""


def join_elsewhere(joining: Joining) -> None:
    """Write `elsewhere_verdicts`: a process for each repository that others cite."""
    asked = _rows(joining, "elsewhere")
    repositories = _rows(joining, "repositories")
    named = _by_origin(joining, repositories)
    there = {origin: rows[0] for origin, rows in named.items() if len(rows) == 1}
    path = f"{joining.path('elsewhere')}.parquet"
    found = _answers(joining, [r for r in asked if r["origin"] in there], there)
    committed = {r["repository"]: r["committed_at"] for r in repositories}
    verdicts = _verdicts(joining, asked, named, found, committed)
    write_rows(path, JOINED["elsewhere_verdicts"], verdicts)
    joining.write("elsewhere_verdicts", [path])


def _by_origin(
    joining: Joining, repositories: Sequence[dict[str, Any]]
) -> dict[str, list[dict[str, Any]]]:
    """Which repositories are an origin: what was cloned from there, else those whose configuration
    says so, which may be wrong."""
    named: dict[str, list[dict[str, Any]]] = {}
    for row in repositories:
        if row["origin"]:
            named.setdefault(row["origin"], []).append(row)
    return {
        origin: [r for r in rows if joining.sources[r["repository"]].url] or rows
        for origin, rows in named.items()
    }


def _rows(joining: Joining, table: str) -> list[dict[str, Any]]:
    with connected() as database:
        found = database.execute(f"{joining.tables.rows(table)} ORDER BY ALL")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _question(row: Mapping[str, Any]) -> Question:
    return Question(row["kind"], row["target"], row["first"], row["last"], row["at"])


def _answers(
    joining: Joining, rows: Sequence[Mapping[str, Any]], there: Mapping[str, Mapping[str, Any]]
) -> dict[tuple[str, Question], Found]:
    """All questions about a repository are asked at once; where that fails, those of each asker by
    themselves: who asks too much costs nobody else an answer."""
    found: dict[tuple[str, Question], Found] = {}
    failed = set()
    for (origin, questions), answer in _looked_up(joining, _grouped(rows, lambda _: ""), there):
        found |= {(origin, q): told for q, told in zip(questions, answer.found, strict=False)}
        if not answer.found:
            failed.add(origin)
    again = _grouped([r for r in rows if r["origin"] in failed], lambda r: r["repository"])
    for (origin, questions), answer in _looked_up(joining, again, there):
        nothing = [Found("unknown", answer.reason or answer.state)] * len(questions)
        for question, told in zip(questions, answer.found or nothing, strict=True):
            if answer.found or (origin, question) not in found:
                found[origin, question] = told
    return found


def _grouped(
    rows: Sequence[Mapping[str, Any]], part: Callable[[Mapping[str, Any]], str]
) -> list[_Asked]:
    groups: dict[tuple[str, str], dict[Question, None]] = {}
    for row in rows:
        groups.setdefault((row["origin"], part(row)), {})[_question(row)] = None
    return [(origin, tuple(questions)) for (origin, _), questions in groups.items()]


def _looked_up(
    joining: Joining, asked: Sequence[_Asked], there: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[_Asked, JobAnswer]]:
    names = [there[origin]["repository"] for origin, _ in asked]
    jobs = [
        LookUpJob(name, joining.sources[name], questions, joining.limits)
        for name, (_, questions) in zip(names, asked, strict=True)
    ]
    texts = [msgspec.json.encode(j).decode() for j in jobs]
    for outcome in joining.engine.map(in_own_process, texts):
        if outcome.error:
            answer = JobAnswer("error", outcome.error)
        else:
            answer = msgspec.json.decode(outcome.answer, type=JobAnswer)
        yield asked[outcome.number], answer


def _verdicts(
    joining: Joining,
    asked: Sequence[Mapping[str, Any]],
    named: Mapping[str, Sequence[Mapping[str, Any]]],
    found: Mapping[tuple[str, Question], Found],
    committed: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    for row in asked:
        there = named.get(row["origin"], ())
        target = there[0] if len(there) == 1 else {}
        answer = found.get((row["origin"], _question(row)), _SEVERAL if there else _NOWHERE)
        answer = unless_behind(answer, committed[row["repository"]], target)
        kept = {n: row[n] for n in row if n not in ("first", "last", "at", "run")}
        yield {
            **kept, "run": joining.tables.run, "verdict": answer.verdict, "reason": answer.reason,
            "there": target.get("repository", ""), "there_commit": target.get("commit", ""),
        }  # fmt: skip


def unless_behind(found: Found, cited_at: str, there: Mapping[str, Any]) -> Found:
    """The same; what a clone never had proves nothing where it is older than what cites it."""
    if found.reason != ABSENT or there["committed_at"] >= cited_at:
        return found
    day = there["committed_at"][:10]
    return Found("unknown", f"{ABSENT} on {day}, before what cites it was committed", found.target)

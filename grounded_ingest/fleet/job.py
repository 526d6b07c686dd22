"""What is done for one repository, in a process of its own: told and answered in JSON."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class JobLimits(Struct, frozen=True):
    """What one repository may take: seconds by the clock, and megabytes of memory."""

    seconds: float = 600.0
    memory_mb: int = 2048


class Judged(Struct, frozen=True):
    """How claims are judged: the options of a check. `config` is a file of whoever runs the fleet;
    without one a repository's own configuration judges it, as far as base has it."""

    config: str = ""
    isolated: bool = False
    online: bool = False


class RepositorySource(Struct, frozen=True):
    """Where a repository is read: a git directory of this machine; with `url` a clone in a cache,
    made and brought up to date there."""

    directory: str
    url: str = ""


class CloneJob(Struct, frozen=True, tag="clone"):
    """The clone of a remote repository in a cache, made or brought up to date."""

    source: RepositorySource
    limits: JobLimits


class SurveyJob(Struct, frozen=True, tag="survey"):
    """Rows of one repository, a file for each table, written to the directory `rows` below `out`,
    which is of one try alone, and the answer, which names it, beside that. A HEAD that is `known`
    is not read again. `sarif` is a file to write as well."""

    name: str
    source: RepositorySource
    run: str
    out: str
    judged: Judged
    limits: JobLimits
    known: str = ""
    sarif: str = ""
    rows: str = ""


class Question(Struct, frozen=True):
    """What is cited of a repository, a row of the table `elsewhere`: `kind`, `target`, lines."""

    kind: str
    target: str
    first: int = 0
    last: int = 0
    at: str = ""


class LookUpJob(Struct, frozen=True, tag="look-up"):
    """Answers to what others cite of one repository."""

    name: str
    source: RepositorySource
    questions: tuple[Question, ...]
    limits: JobLimits


Job = CloneJob | SurveyJob | LookUpJob


class Found(Struct, frozen=True):
    """An answer: a verdict, or `unknown` and why."""

    verdict: str
    reason: str = ""
    target: str = ""


AnswerState = Literal["ok", "known", "empty", "clone", "time", "memory", "error"]


class JobAnswer(Struct, frozen=True):
    """What became of a job. `disk_mb` is what a clone takes; `summary` and `rows`, the directory
    that holds them, are of a survey; `found` of a look-up, in the order of its questions."""

    state: AnswerState
    reason: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    disk_mb: float = 0.0
    summary: dict[str, str | int] = {}
    rows: str = ""
    found: tuple[Found, ...] = ()

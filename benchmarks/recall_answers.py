"""`python -m benchmarks.recall_answers`: right answers and silences of `recall`, beside plain BM25.

Questions about one repository, or about the clones below a directory that their `repository` names.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import click
import msgspec
from msgspec import Struct

from benchmarks.labels import wilson
from benchmarks.shipped import build
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.as_json import format_json
from grounded_ingest.retrieval.answer import Recall, RecallQuery
from grounded_ingest.retrieval.bm25 import Lexical
from grounded_ingest.retrieval.query import query_terms
from grounded_ingest.retrieval.session import Ranking, by_meaning, opened
from grounded_ingest.retrieval.store import JudgedState, passage_starts

TOP, MOST = 5, 20
"""Where an answer has to stand, and how many results are returned at most."""
HALVES = ("tuning", "reporting")


class Line(Struct, frozen=True):
    """A line at which an answer stands, and the `sha256` of the line with its white space folded.
    `pooled`: found later, among what rankings put first."""

    path: str
    line: int
    sha256: str
    pooled: bool = False


class Question(Struct, frozen=True):
    """A question about a repository (`owner/name` at a commit, or empty) with its answers."""

    id: str
    question: str
    answerable: bool
    half: str = ""
    answers: tuple[Line, ...] = ()
    pending: bool = False
    repository: str = ""
    commit: str = ""


class Asked(NamedTuple):
    """The result for a question. `rank`, `written` and `flat` are the places of the first answer, 0
    for none: of `recall`, of `recall` without pooled answers, and of plain BM25."""

    question: Question
    served: bool
    rank: int
    written: int
    flat: int
    covered: float

    @property
    def right(self) -> bool:
        """An answer among the first five, or no result where nothing answers."""
        return 0 < self.rank <= TOP if self.question.answerable else not self.served


class Run(NamedTuple):
    rows: list[Asked]
    left_out: list[str]


def read_questions(path: str) -> list[Question]:
    """Returns the questions in a JSON Lines file. Raises GroundedIngestError for another file."""
    try:
        with open(path, "rb") as file:
            found = [msgspec.json.decode(line, type=Question) for line in file if line.strip()]
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise GroundedIngestError(f"{path}: {error}") from None
    if not found:
        raise GroundedIngestError(f"{path} holds no questions")
    return found


def measured(
    repo: Repo,
    questions: Sequence[Question],
    *,
    pending: bool = True,
    ranking: Ranking = Lexical,
    say: Callable[[str], None] = lambda _: None,
) -> Run:
    """Asks every question whose answers stand in the repository as they were read. If `pending` is
    false, only questions that need it get claims that are not grounded."""
    left_out = [q.id for q in questions if not _stands(repo, q)]
    with opened(repo, say) as store, closing(sqlite3.connect(":memory:")) as db:
        recall = Recall(store, ranking(store))
        flat = _Flat(store, db)
        rows = [
            _asked(recall, flat, q, pending=pending or q.pending)
            for q in questions
            if q.id not in left_out
        ]
    return Run(rows, left_out)


def _stands(repo: Repo, question: Question) -> bool:
    return all(_folded(repo, a.path, a.line) == a.sha256 for a in question.answers)


def _folded(repo: Repo, path: str, line: int) -> str:
    try:
        with open(f"{repo.root}/{path}", encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""
    text = " ".join(lines[line - 1].split()) if line <= len(lines) else ""
    return sha256(text.encode()).hexdigest()


def _asked(recall: Recall, flat: _Flat, question: Question, *, pending: bool) -> Asked:
    answer = recall.answer(RecallQuery(question.question, MOST, pending=pending))
    places = [(r.document.path, r.memory.line, r.memory.end_line) for r in answer.results]
    first = [a for a in question.answers if not a.pooled]
    return Asked(
        question,
        bool(answer.results),
        _rank(question.answers, places),
        _rank(first, places),
        _rank(question.answers, flat.places(question.question)),
        answer.covered,
    )


class _Flat:
    """Plain BM25 over the passages that `recall` searches, in an FTS5 table of its own."""

    def __init__(self, store: JudgedState, db: sqlite3.Connection) -> None:
        self._db = db
        self._places: list[tuple[str, int, int]] = []
        db.execute("CREATE VIRTUAL TABLE flat USING fts5(text, tokenize='porter')")
        marks = store.marks()
        for blob, stored in store.blobs(marks).items():
            number = marks[blob][0][0]
            path = store.documents([number])[number].path
            starts = [*passage_starts(marks[blob][0][1]), len(stored.claims)]
            for (text, _), ends in zip(stored.passages, pairwise(starts), strict=True):
                claims = stored.claims[slice(*ends)]
                self._places.append((path, claims[0].line, max(c.end_line for c in claims)))
                db.execute("INSERT INTO flat VALUES (?)", (text,))

    def places(self, question: str) -> list[tuple[str, int, int]]:
        words = " OR ".join(f'"{word}"' for word in query_terms(question))
        sql = "SELECT rowid FROM flat WHERE flat MATCH ? ORDER BY rank, rowid LIMIT ?"
        return [self._places[row - 1] for (row,) in self._db.execute(sql, (words, MOST))]


def _rank(answers: Sequence[Line], places: Sequence[tuple[str, int, int]]) -> int:
    """Returns the place of the first answer, 0 for none."""
    for rank, (path, first, last) in enumerate(places, 1):
        if any(a.path == path and first <= a.line <= last for a in answers):
            return rank
    return 0


_RIGHT: dict[str, Callable[[Asked], bool]] = {
    "first": lambda a: a.rank == 1,
    "first, as written": lambda a: a.written == 1,
    f"top {TOP}": lambda a: 0 < a.rank <= TOP,
    "left empty": lambda a: not a.served,
    "BM25 first": lambda a: a.flat == 1,
    f"BM25 top {TOP}": lambda a: 0 < a.flat <= TOP,
}
"""Columns for the questions that have an answer."""
_SILENT = "abstained rightly"


def figures(run: Run) -> list[dict[str, Any]]:
    """Returns a row for each half, and one for all."""
    halves = [h for h in HALVES if any(a.question.half == h for a in run.rows)]
    return [
        {"half": half or "all", **_row([a for a in run.rows if half in ("", a.question.half)])}
        for half in (*halves, "")
    ]


def _row(rows: Sequence[Asked]) -> dict[str, Any]:
    answerable = [a for a in rows if a.question.answerable]
    others = [a for a in rows if not a.question.answerable]
    return {
        "answerable": len(answerable),
        "unanswerable": len(others),
        **{name: _share(answerable, holds) for name, holds in _RIGHT.items()},
        _SILENT: _share(others, lambda a: a.right),
    }


def _share(rows: Sequence[Asked], holds: Callable[[Asked], bool]) -> dict[str, Any]:
    hits = sum(map(holds, rows))
    low, high = wilson(hits, len(rows))
    share = round(hits / len(rows), 4) if rows else None
    return {"count": hits, "share": share, "interval": [round(low, 4), round(high, 4)]}


def as_json(run: Run) -> str:
    wrong = [
        {"id": a.question.id, "half": a.question.half, "rank": a.rank, "served": a.served,
         "covered": round(a.covered, 3)}
        for a in run.rows
        if not a.right
    ]  # fmt: skip
    found = {"schema": "grounded-ingest/bench-recall/4", "figures": figures(run)}
    return format_json({**found, "wrong": wrong, "left_out": run.left_out})


def as_text(run: Run) -> str:
    columns = (*_RIGHT, _SILENT)
    cells = [("half", "questions", *columns)]
    for row in figures(run):
        counted = [_cell(row[name]) for name in columns]
        cells.append((row["half"], f"{row['answerable']} + {row['unanswerable']}", *counted))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    if run.left_out:
        lines.append(f"left out, as an answer's line is another: {', '.join(run.left_out)}")
    return "\n".join(lines) + "\n"


def _cell(found: dict[str, Any]) -> str:
    low, high = found["interval"]
    return "-" if found["share"] is None else f"{found['share']:.1%} ({low:.0%}-{high:.0%})"


def _in_clones(
    clones: str, questions: Sequence[Question], **more: Any
) -> Iterator[tuple[list[Asked], list[str]]]:
    for name, some in groupby(questions, key=lambda q: q.repository):
        with Repo(f"{clones}/{name.replace('/', '+')}", own=False) as repo:
            yield measured(repo, list(some), **more)


@click.command()
@click.argument("questions", type=click.Path(exists=True, dir_okay=False))
@click.option("--repo", default="", help="The repository they ask about; else one built for it.")
@click.option("--clones", default="", metavar="DIR", help="Directory of clones as owner+name.")
@click.option("--semantic", default="", metavar="DIR", help="Rank by meaning as well.")
@click.option("--grounded", is_flag=True, help="Return only grounded claims.")
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(
    questions: str, repo: str, clones: str, semantic: str, form: str, *, grounded: bool
) -> None:
    """Ask questions, some of which nothing answers, and count right answers and silences."""
    asked = read_questions(questions)
    ranking = by_meaning(semantic, lambda text: click.echo(text, err=True)) if semantic else Lexical
    more: dict[str, Any] = {"pending": not grounded, "ranking": ranking}
    if clones:
        parts = list(_in_clones(clones, asked, **more))
        run = Run([a for rows, _ in parts for a in rows], [i for _, out in parts for i in out])
    else:
        with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
            root = repo or build(os.path.realpath(directory)).root
            with Repo(root, own=False) as opened_repo:
                run = measured(opened_repo, asked, **more)
    click.echo((as_json if form == "json" else as_text)(run), nl=False)


if __name__ == "__main__":
    command()

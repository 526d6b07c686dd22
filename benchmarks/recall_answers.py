"""`python -m benchmarks.recall_answers`: right answers and silences of `recall`, beside flat BM25.

Each question is asked of the product's own code, and of flat BM25 over every claim in the same run.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.labels import wilson
from benchmarks.shipped import build
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Tier
from grounded_ingest.report.as_json import format_json
from grounded_ingest.retrieval.answer import Answer, Recall, RecallQuery
from grounded_ingest.retrieval.fulltext import parted
from grounded_ingest.retrieval.session import Opened, Ranking, by_meaning, by_words, opened
from grounded_ingest.retrieval.store import mark_of

TOP, MOST = 5, 20
"""Where an answer has to stand, and how many claims are served at most."""
HALVES = ("tuning", "reporting")


class Line(Struct, frozen=True):
    """A line at which, or across which, a claim stands that answers; `sha256` of it, folded.
    `pooled`: found later, among what rankings put first."""

    path: str
    line: int
    sha256: str
    pooled: bool = False


class Question(Struct, frozen=True):
    """`pending`: nothing grounded answers it."""

    id: str
    question: str
    answerable: bool
    half: str = ""
    answers: tuple[Line, ...] = ()
    pending: bool = False

    @property
    def written(self) -> Question:
        """With the answers it was written with."""
        return replace(self, answers=tuple(a for a in self.answers if not a.pooled))


class Asked(NamedTuple):
    """What became of a question: at which place the first answer stands, 0 for none.

    `forced`: had it been answered whatever is covered; `written`: by the answers of the writer
    alone; `half`: at half of the tokens of `flat`, forced as well, as flat BM25 never abstains."""

    question: Question
    served: bool
    rank: int
    tokens: int
    covered: float
    forced: int = 0
    written: int = 0
    flat: int = 0
    flat_tokens: int = 0
    half: int = 0
    half_tokens: int = 0

    @property
    def right(self) -> bool:
        """An answer among the first five, or none where nothing answers."""
        return 0 < self.rank <= TOP if self.question.answerable else not self.served


class Run(NamedTuple):
    name: str
    pending: bool
    claims: int
    served: int
    rows: list[Asked]
    left_out: list[str]


def read_questions(path: str) -> list[Question]:
    """Questions of a JSON Lines file. Raises GroundedIngestError for a line that is none."""
    found = []
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    found += [msgspec.json.decode(line, type=Question)] if line.strip() else []
                except msgspec.MsgspecError as error:
                    raise GroundedIngestError(f"{path}:{number}: {error}") from None
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    if not found:
        raise GroundedIngestError(f"{path} holds no questions")
    return found


def measured(
    repo: Repo,
    name: str,
    questions: Sequence[Question],
    *,
    pending: bool = False,
    ranking: Ranking = by_words,
    say: Callable[[str], None] = lambda _: None,
) -> Run:
    """Ask every question; with `pending` of all claims, else only those that need it."""
    left_out = [q.id for q in questions if not _stands(repo, q)]
    kept = [q for q in questions if q.id not in left_out]
    with opened(repo, say) as store:
        marks = store.kept.marks(store.state)
        claims = [mark_of(n, c, m) for of in marks.values() for n, m in of for c in range(len(m))]
        recall = Recall(*store, ranking(store))
        rows = [_asked(store, recall, q, pending) for q in kept]
    served = sum(m.tier == Tier.APPROVE or m.cited for m in claims)
    return Run(name, pending, len(claims), served, rows, left_out)


def _stands(repo: Repo, question: Question) -> bool:
    """Whether the lines that answer are those that were read."""
    return all(_folded(repo, a.path, a.line) == a.sha256 for a in question.answers)


def _folded(repo: Repo, path: str, line: int) -> str:
    try:
        with open(f"{repo.root}/{path}", encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""
    return (
        sha256(" ".join(lines[line - 1].split()).encode()).hexdigest() if line <= len(lines) else ""
    )


def _asked(store: Opened, recall: Recall, question: Question, pending: bool) -> Asked:
    wanted = RecallQuery(question.question, MOST, pending=pending or question.pending)
    answer = recall.answer(wanted)
    forced = recall.answer(wanted._replace(least=0.0))
    flat = list(_flat(store, recall, question.question))
    flat_tokens = sum(tokens for *_, tokens in flat)
    half = recall.answer(wanted._replace(least=0.0, budget=max(1, flat_tokens // 2)))
    return Asked(
        question,
        bool(answer.results),
        _rank(question, _places(answer)),
        answer.tokens,
        answer.covered,
        _rank(question, _places(forced)),
        _rank(question.written, _places(answer)),
        _rank(question, [place for *place, _ in flat]),
        flat_tokens,
        _rank(question, _places(half)),
        half.tokens,
    )


def _flat(store: Opened, recall: Recall, question: str) -> Iterator[tuple[str, int, int, int]]:
    """Path, first and last line, and tokens of the best claims by plain BM25 over all of them."""
    scores = store.kept.shelf.flat(question)
    marks = store.kept.marks(store.state)
    best = sorted((r for r in scores if parted(r)[0] in marks), key=lambda r: (-scores[r], r))
    for row in best[:MOST]:
        blob, claim = parted(row)
        number, of = marks[blob][0]
        (result,) = recall.results([mark_of(number, claim, of)])
        yield result.document.path, result.memory.line, result.memory.end_line, result.tokens


def _places(answer: Answer) -> list[list[object]]:
    return [[r.document.path, r.memory.line, r.memory.end_line] for r in answer.results]


def _rank(question: Question, places: Sequence[Sequence[object]]) -> int:
    """At which place the first answer stands, 0 where none does."""
    for rank, (path, first, last) in enumerate(places, 1):
        for answer in question.answers:
            if answer.path == path and int(str(first)) <= answer.line <= int(str(last)):
                return rank
    return 0


_HEAD = (
    "half",
    "questions",
    f"answer in the top {TOP}",
    "left empty",
    "abstained rightly",
    "by the answers first written",
    f"top {TOP} if forced",
    f"flat, top {TOP}",
    f"flat, top {MOST}",
    "at half its tokens",
    "tokens flat / half / ours",
)


def figures(run: Run) -> list[dict[str, Any]]:
    """A row for each half, and all together."""
    halves = [h for h in HALVES if any(a.question.half == h for a in run.rows)]
    return [
        {
            "half": half or "all",
            **_row([a for a in run.rows if half in ("", a.question.half)]),
        }
        for half in (*halves, "")
    ]


def _row(rows: Sequence[Asked]) -> dict[str, Any]:
    answerable = [a for a in rows if a.question.answerable]
    others = [a for a in rows if not a.question.answerable]
    return {
        "answerable": len(answerable),
        "unanswerable": len(others),
        "top": _share(answerable, lambda a: a.right),
        "abstained": _share(others, lambda a: a.right),
        "written_top": _share(
            [a for a in answerable if a.question.written.answers], lambda a: 0 < a.written <= TOP
        ),
        "wrongly_abstained": _share(answerable, lambda a: not a.served),
        "forced_top": _share(answerable, lambda a: 0 < a.forced <= TOP),
        "flat_top": _share(answerable, lambda a: 0 < a.flat <= TOP),
        "flat_most": _share(answerable, lambda a: a.flat > 0),
        "half_tokens": _share(answerable, lambda a: a.half > 0),
        "tokens": {
            "flat": _mean([a.flat_tokens for a in answerable]),
            "half": _mean([a.half_tokens for a in answerable]),
            "ours": _mean([a.tokens for a in answerable]),
        },
    }


def _share(rows: Sequence[Asked], holds: Callable[[Asked], bool]) -> dict[str, Any]:
    hits = sum(map(holds, rows))
    low, high = wilson(hits, len(rows))
    share = round(hits / len(rows), 4) if rows else None
    return {"count": hits, "share": share, "interval": [round(low, 4), round(high, 4)]}


def _mean(values: Sequence[int]) -> float:
    return round(sum(values) / len(values), 1) if values else 0.0


def as_json(run: Run) -> str:
    return format_json(
        {
            "schema": "grounded-ingest/bench-recall/3",
            "repository": run.name,
            "claims": run.claims,
            "served": run.served,
            "pending": run.pending,
            "figures": figures(run),
            "wrong": [_wrong(a) for a in run.rows if not a.right],
            "left_out": run.left_out,
        }
    )


def _wrong(asked: Asked) -> dict[str, Any]:
    return {
        "id": asked.question.id,
        "half": asked.question.half,
        "answerable": asked.question.answerable,
        "served": asked.served,
        "rank": asked.rank,
        "rank_if_forced": asked.forced,
        "covered": round(asked.covered, 3),
    }


def as_text(run: Run) -> str:
    cells = [_HEAD, *(tuple(_cells(row)) for row in figures(run))]
    widths = [max(len(row[n]) for row in cells) for n in range(len(_HEAD))]
    table = [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells
    ]
    return "\n".join([_what(run), *table, *_left_out(run)]) + "\n"


def _what(run: Run) -> str:
    asked = "every claim is served (--pending)" if run.pending else "these are served"
    return f"{run.name}: {run.claims} claims, {run.served} proved, approved or cited; {asked}"


def _left_out(run: Run) -> list[str]:
    count = len(run.left_out)
    said = f"{count} left out, as a line that answers is not there: {', '.join(run.left_out[:20])}"
    return [said] if count else []


def _cells(row: dict[str, Any]) -> Iterator[str]:
    yield row["half"]
    yield f"{row['answerable']} + {row['unanswerable']}"
    for name in (
        "top",
        "wrongly_abstained",
        "abstained",
        "written_top",
        "forced_top",
        "flat_top",
        "flat_most",
        "half_tokens",
    ):
        found = row[name]
        low, high = found["interval"]
        share = "-" if found["share"] is None else f"{found['share']:.1%}"
        yield f"{share} ({low:.0%}-{high:.0%})" if name in ("top", "abstained") else share
    yield " / ".join(f"{row['tokens'][n]:.0f}" for n in ("flat", "half", "ours"))


@click.command()
@click.argument("questions", type=click.Path(exists=True, dir_okay=False))
@click.option("--repo", default="", help="The repository they ask about; else one built for it.")
@click.option("--semantic", default="", metavar="DIR", help="Rank by meaning as well.")
@click.option("--pending", is_flag=True, help="Serve claims that are not grounded as well.")
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(questions: str, repo: str, semantic: str, form: str, *, pending: bool) -> None:
    """Ask questions, some of which nothing answers, and count right answers and silences."""
    asked = read_questions(questions)
    ranking = (
        by_meaning(semantic, lambda text: click.echo(text, err=True)) if semantic else by_words
    )
    with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
        root = repo or build(directory).root
        name = os.path.basename(os.path.realpath(repo)) if repo else "shipped"
        with Repo(root, own=False) as opened_repo:
            run = measured(opened_repo, name, asked, pending=pending, ranking=ranking)
    click.echo((as_json if form == "json" else as_text)(run), nl=False)


if __name__ == "__main__":
    command()

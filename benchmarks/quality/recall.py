"""How well `recall` answers: questions with the claims that answer them, and some nothing answers.

Each question is asked of the product's own code, and of flat BM25 over every claim in the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Tier
from grounded_ingest.recall.answer import Answer, Recall, RecallQuery
from grounded_ingest.recall.fulltext import parted
from grounded_ingest.recall.session import Opened, Ranking, by_words, opened
from grounded_ingest.recall.store import mark_of

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

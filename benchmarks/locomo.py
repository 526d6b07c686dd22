"""Evidence recall on LoCoMo (github.com/snap-research/LoCoMo) through the command `recall`.

Each conversation becomes a repository: a file of records for each session, a record for each turn.
Each question is a call of the command's function, and its JSON output is read. A question's recall
at k is the share of its evidence turns among the first k results. Questions that got no result are
counted apart, also questions of another conversation, which nothing answers. The data set is CC
BY-NC and not shipped.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, closing
from typing import Any, NamedTuple

import click
import msgspec
from click.testing import CliRunner

from benchmarks.workshop import run_git
from grounded_ingest.cli.recall import command as recall
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.as_json import format_json
from grounded_ingest.retrieval.query import query_terms

AT = (5, 10, 20)
RANKINGS = ("flat", "windows", "recall")
"""Plain BM25 over turns; the same over texts of three turns; the command."""
HALVES = ("tuning", "reporting")
"""Conversations in turn: constants were chosen on the first, third, ..."""
ADVERSARIAL, FOREIGN = 5, 0
"""The category of questions nothing answers, whose turns are what misleads; our own of questions
of another conversation, with the names of those who speak here."""
_TURN = re.compile(r"D\d+:\d+")


class Asked(NamedTuple):
    """A question, its recall by ranking and k, and whether the command returned nothing."""

    half: str
    category: int
    recall: dict[str, dict[int, float]]
    empty: bool


class Run(NamedTuple):
    conversations: int
    turns: int
    left_out: int
    asked: list[Asked]


def measured(dataset: str) -> Run:
    """Asks every question that has evidence. Raises GroundedIngestError for another file."""
    try:
        with open(dataset, "rb") as file:
            conversations = msgspec.json.decode(file.read())
        return _measured(conversations)
    except OSError as error:
        raise GroundedIngestError(f"{dataset}: {error.strerror}") from None
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError):
        raise GroundedIngestError(f"{dataset} is not LoCoMo's locomo10.json") from None


def _measured(conversations: Sequence[Mapping[str, Any]]) -> Run:
    asked, turns, left_out = list[Asked](), 0, 0
    for number, conversation in enumerate(conversations):
        other = conversations[(number + 2) % len(conversations)]
        half = HALVES[number % 2]
        with (
            tempfile.TemporaryDirectory(prefix="grounded-ingest-") as root,
            chdir(root),
            closing(sqlite3.connect(":memory:")) as db,
        ):
            talk = _Talk(conversation["conversation"], root, db)
            turns += len(talk.turns)
            for question in conversation["qa"]:
                evidence = {t for e in question.get("evidence", ()) for t in _TURN.findall(str(e))}
                found = evidence & {*talk.turns}
                if not found:
                    left_out += 1
                    continue
                asked.append(talk.asked(half, question["category"], question["question"], found))
            if other is not conversation:
                asked += [talk.asked(half, FOREIGN, q) for q in _foreign(other, conversation)]
    if not asked:
        raise KeyError("no questions")
    return Run(len(conversations), turns, left_out, asked)


def _foreign(other: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """Every third question of another conversation of the same half, as if asked of this one."""
    answerable = [q["question"] for q in other["qa"] if q["category"] != ADVERSARIAL]
    for question in answerable[::3]:
        for speaker in ("speaker_a", "speaker_b"):
            name = other["conversation"][speaker]
            question = question.replace(name, here["conversation"][speaker])
        yield question


class _Talk:
    """A conversation as a repository in the directory `root`, and its turns in plain FTS5 tables
    for the two other rankings. `turns` are the ids of the turns."""

    def __init__(self, conversation: Mapping[str, Any], root: str, db: sqlite3.Connection) -> None:
        names = sorted(
            (n for n in conversation if re.fullmatch(r"session_\d+", n)), key=lambda n: int(n[8:])
        )
        self._places: dict[tuple[str, int], str] = {}
        self._db = db
        for table in ("flat", "windows"):
            db.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(text, tokenize='porter')")
        os.mkdir(f"{root}/memory-bank")
        for name in names:
            path = f"memory-bank/{name}.jsonl"
            texts = [_text(turn) for turn in conversation[name]]
            with open(f"{root}/{path}", "w", encoding="utf-8") as file:
                for n, (turn, text) in enumerate(zip(conversation[name], texts, strict=True)):
                    file.write(json.dumps({"id": turn["dia_id"], "content": text}) + "\n")
                    self._places[path, n + 1] = turn["dia_id"]
                    around = " ".join(texts[max(n - 1, 0) : n + 2])
                    db.execute("INSERT INTO flat VALUES (?)", (text,))
                    db.execute("INSERT INTO windows VALUES (?)", (around,))
        self.turns = list(self._places.values())
        run_git(root, "init", "--quiet")
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", "Keep the conversation")

    def asked(
        self,
        half: str,
        category: int,
        question: str,
        wanted: frozenset[str] | set[str] = frozenset(),
    ) -> Asked:
        ranked = {
            "flat": self._plain("flat", question),
            "windows": self._plain("windows", question),
            "recall": self._recalled(question),
        }
        found = {
            name: {k: len(wanted & {*turns[:k]}) / len(wanted) if wanted else 0.0 for k in AT}
            for name, turns in ranked.items()
        }
        return Asked(half, category, found, not ranked["recall"])

    def _recalled(self, question: str) -> list[str]:
        done = CliRunner().invoke(recall, [question, "-k", str(AT[-1]), "--output-format", "json"])
        if done.exit_code not in (0, 1):
            raise RuntimeError(done.output[-500:]) from done.exception
        results = json.loads(done.stdout)["results"]
        return [self._places[r["path"], r["line"]] for r in results]

    def _plain(self, table: str, question: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in query_terms(question))
        sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rank, rowid LIMIT ?"
        rows = self._db.execute(sql, (words, AT[-1])) if words else ()
        return [self.turns[row - 1] for (row,) in rows]


def _text(turn: Mapping[str, Any]) -> str:
    """Returns a turn as its speaker said it, with the caption of the picture shown, if any."""
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{shown}"


def figures(run: Run) -> Iterator[tuple[str, str, int, str, dict[int, float]]]:
    """(half, questions, how many, ranking, recall at each k)."""
    own = [a for a in run.asked if a.category != FOREIGN]
    kinds = {
        "all": own,
        "without adversarial": [a for a in own if a.category != ADVERSARIAL],
        **{
            f"category {c}": [a for a in own if a.category == c]
            for c in sorted({a.category for a in own})
        },
    }
    for kind, of in kinds.items():
        for half in ("", *HALVES):
            asked = [a for a in of if half in ("", a.half)]
            for name in RANKINGS if asked else ():
                mean = {k: sum(a.recall[name][k] for a in asked) / len(asked) for k in AT}
                yield half or "both", kind, len(asked), name, mean


def empty(run: Run) -> Iterator[tuple[str, str, int, float]]:
    """(half, questions, how many, share left without an answer)."""
    kinds = {
        "answerable": [a for a in run.asked if a.category not in (ADVERSARIAL, FOREIGN)],
        "adversarial": [a for a in run.asked if a.category == ADVERSARIAL],
        "of another conversation": [a for a in run.asked if a.category == FOREIGN],
    }
    for kind, of in kinds.items():
        for half in ("", *HALVES):
            asked = [a for a in of if half in ("", a.half)]
            if asked:
                yield half or "both", kind, len(asked), sum(a.empty for a in asked) / len(asked)


def as_json(run: Run) -> str:
    rows = [
        {
            "half": half,
            "questions": kind,
            "count": count,
            "ranking": name,
            **{f"recall_{k}": round(v, 4) for k, v in mean.items()},
        }
        for half, kind, count, name, mean in figures(run)
    ]
    silent = [
        {"half": half, "questions": kind, "count": count, "empty": round(share, 4)}
        for half, kind, count, share in empty(run)
    ]
    found = {"schema": "grounded-ingest/bench-locomo/3", **_about(run)}
    return format_json({**found, "figures": rows, "empty": silent})


def _about(run: Run) -> dict[str, int]:
    return {"conversations": run.conversations, "turns": run.turns, "left_out": run.left_out}


def as_text(run: Run) -> str:
    lines = [
        f"{half:9}  {kind:20} {count:5}  {name:10} " + "  ".join(f"@{k} {mean[k]:.3f}" for k in AT)
        for half, kind, count, name, mean in figures(run)
    ]
    silent = [
        f"{half:9}  {kind:23} {count:5}  left empty {share:.1%}"
        for half, kind, count, share in empty(run)
    ]
    return "\n".join([_what(run), *lines, *silent]) + "\n"


def _what(run: Run) -> str:
    about = _about(run)
    return (
        f"LoCoMo: {about['conversations']} conversations, {about['turns']} turns, "
        f"{about['left_out']} questions without evidence left out"
    )


@click.command()
@click.argument("dataset", type=click.Path(exists=True, dir_okay=False))
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(dataset: str, form: str) -> None:
    """Measure evidence recall on LoCoMo's locomo10.json, beside plain BM25."""
    click.echo((as_json if form == "json" else as_text)(measured(dataset)), nl=False)


if __name__ == "__main__":
    command()

"""Evidence recall on LoCoMo (github.com/snap-research/LoCoMo), by the product's own ranking.

Each conversation is a store of its own, each turn a claim. A question's recall at k is the share
of its evidence turns among the first k. Whether a question is left without an answer is counted
apart, also for questions of another conversation, in which nothing answers them. The data set is CC
BY-NC and not shipped.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any, NamedTuple

import click
import msgspec

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.memory_type import typed
from grounded_ingest.model.claims import (
    Claim,
    Decision,
    DocClass,
    Document,
    Extraction,
    Form,
    Place,
    Source,
    Tier,
)
from grounded_ingest.report.as_json import format_json
from grounded_ingest.retrieval.answer import Recall, RecallQuery
from grounded_ingest.retrieval.fulltext import SearchText, Shelf, row_of
from grounded_ingest.retrieval.store import JudgedDocument, JudgedStates
from grounded_ingest.statements.relations import edges
from grounded_ingest.text.reading import Reading

AT = (5, 10, 20)
RANKINGS = ("flat", "neighbours", "windows", "forced", "recall")
"""Plain BM25; the same, each hit with the turn before and after it; the same of texts of three
turns; the product if it has to answer; the product."""
HALVES = ("tuning", "reporting")
"""Conversations in turn: constants were chosen on the first, third, ..."""
ADVERSARIAL, FOREIGN = 5, 0
"""The category of questions nothing answers, whose turns are what misleads; our own of questions
of another conversation, with the names of those who speak here."""
_TURN = re.compile(r"D\d+:\d+")


class Asked(NamedTuple):
    """A question, its recall by ranking and k, and whether it was left without an answer."""

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
    """Ask every question that has evidence. Raises GroundedIngestError for another file."""
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
        with ExitStack() as shelves:
            store = _Store(conversation["conversation"], shelves)
            turns += len(store.place)
            for question in conversation["qa"]:
                evidence = {t for e in question.get("evidence", ()) for t in _TURN.findall(str(e))}
                found = evidence & store.place.keys()
                if not found:
                    left_out += 1
                    continue
                asked.append(store.asked(half, question["category"], question["question"], found))
            if other is not conversation:
                asked += [store.asked(half, FOREIGN, q) for q in _foreign(other, conversation)]
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


class _Store:
    """The turns of a conversation on a shelf, a session a document; and on another one each with
    its neighbours. `shelves` closes them."""

    def __init__(self, conversation: Mapping[str, Any], shelves: ExitStack) -> None:
        names = sorted(
            (n for n in conversation if re.fullmatch(r"session_\d+", n)), key=lambda n: int(n[8:])
        )
        self.place: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._flat, self._wide, kept = (_shelf(shelves) for _ in range(3))
        documents, held = [], []
        for name in names:
            turns = conversation[name]
            claims = tuple(_claim(n, t) for n, t in enumerate(turns, 1))
            documents.append(Document(name, DocClass.MEMORY, name, Extraction(claims)))
            held.append(
                JudgedDocument(name, DocClass.MEMORY, name, [_decision(name, c) for c in claims])
            )
            self.place.update((t["dia_id"], f"{name}:{n}") for n, t in enumerate(turns, 1))
            texts = [c.text for c in claims]
            blob = self._flat.add(name, list(map(SearchText, texts)))
            around = (" ".join(texts[max(n - 1, 0) : n + 2]) for n in range(len(texts)))
            self._wide.add(name, list(map(SearchText, around)))
            self._names.update((row_of(blob, n), f"{name}:{n + 1}") for n in range(len(texts)))
        states = JudgedStates(kept)
        self._recall = Recall(states, states.keep(b"locomo", held, edges(documents)))

    def asked(self, half: str, category: int, question: str, evidence: Iterable[str] = ()) -> Asked:
        wanted = {self.place[turn] for turn in evidence}
        ranked = {name: self._ranked(name, question) for name in RANKINGS}
        recall = {
            name: {k: len(wanted & set(found[:k])) / len(wanted) if wanted else 0.0 for k in AT}
            for name, found in ranked.items()
        }
        return Asked(half, category, recall, not ranked["recall"])

    def _ranked(self, name: str, question: str) -> list[str]:
        match name:
            case "flat":
                return self._named(_best(self._flat, question))
            case "neighbours":
                hits = _best(self._flat, question)
                return self._named(n for row in hits for n in (row, row - 1, row + 1))
            case "windows":
                return self._named(_best(self._wide, question))
            case _:
                least = 0.0 if name == "forced" else None
                answer = self._recall.answer(RecallQuery(question, AT[-1], least=least))
                return [r.place for r in answer.results]

    def _named(self, rows: Iterable[int]) -> list[str]:
        return [self._names[row] for row in dict.fromkeys(rows) if row in self._names]


def _best(shelf: Shelf, question: str) -> list[int]:
    scores = shelf.flat(question)
    return sorted(scores, key=lambda r: (-scores[r], r))


def _shelf(shelves: ExitStack) -> Shelf:
    database = sqlite3.connect(":memory:", isolation_level=None)
    shelf = Shelf(shelves.enter_context(closing(database)))
    shelf.make()
    return shelf


def _claim(number: int, turn: Mapping[str, Any]) -> Claim:
    """A turn as its speaker said it, with the caption of the picture shown, if any."""
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    text = f"{turn['speaker']}: {turn['text']}{shown}"
    said = turn["text"]
    tokens = Reading(said, said).cues
    kind = typed(said, said, tokens, {"section": "", "form": Form.RECORD}).memory_type
    return Claim(turn["dia_id"], text, text, "", 0, number, 1, number, 1, memory_type=kind)


def _decision(path: str, claim: Claim) -> Decision:
    return Decision(
        Place(path, DocClass.MEMORY, claim), Tier.APPROVE, "approved", Source.CONVERSATION
    )


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
    found = {"schema": "grounded-ingest/bench-locomo/2", **_about(run)}
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

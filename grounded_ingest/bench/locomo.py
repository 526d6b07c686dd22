"""Evidence recall on LoCoMo (github.com/snap-research/LoCoMo), by the product's own ranking.

Each conversation is a store of its own, each turn a claim. A question's recall at k is the share
of its evidence turns among the first k. The data set is CC BY-NC and not shipped.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.memory.kept import Held, Kept
from grounded_ingest.memory.ranking import Lexical, Ranker, Scored
from grounded_ingest.memory.recalling import Recall, Wanted
from grounded_ingest.memory.relations import edges
from grounded_ingest.memory.shelf import Shelf, row_of
from grounded_ingest.memory.types_of import typed
from grounded_ingest.model import (
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
from grounded_ingest.report.as_json import pretty

AT = (5, 10, 20)
RANKINGS = ("flat", "ranked", "routed", "routed, 1 hop", "routed, 2 hops")
ADVERSARIAL = 5
"""The category of questions nothing answers; their turns are what misleads."""
_TURN = re.compile(r"D\d+:\d+")


class Asked(NamedTuple):
    """A question and its recall by ranking and k."""

    category: int
    recall: dict[str, dict[int, float]]


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
    for conversation in conversations:
        store = _Store(conversation["conversation"])
        turns += len(store.place)
        for question in conversation["qa"]:
            evidence = {t for e in question.get("evidence", ()) for t in _TURN.findall(str(e))}
            found = evidence & store.place.keys()
            if not found:
                left_out += 1
                continue
            asked.append(Asked(question["category"], store.recall(question["question"], found)))
    if not asked:
        raise KeyError("no questions")
    return Run(len(conversations), turns, left_out, asked)


class _Once:
    """The product's ranker, which ranks each question once for all that is measured."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker, self._known = ranker, dict[str, Sequence[Scored]]()

    def ranked(self, question: str, serves: Callable[[int], bool]) -> Sequence[Scored]:
        if question not in self._known:
            self._known[question] = self._ranker.ranked(question, serves)
        return self._known[question]


class _Store:
    """The turns of a conversation on a shelf, a session a document."""

    def __init__(self, conversation: Mapping[str, Any]) -> None:
        names = sorted(
            (n for n in conversation if re.fullmatch(r"session_\d+", n)), key=lambda n: int(n[8:])
        )
        self.place: dict[str, str] = {}
        documents, held = [], []
        for name in names:
            turns = conversation[name]
            claims = tuple(_claim(n, t) for n, t in enumerate(turns, 1))
            documents.append(Document(name, DocClass.MEMORY, name, Extraction(claims)))
            held.append(Held(name, DocClass.MEMORY, name, [_decision(name, c) for c in claims]))
            self.place.update((t["dia_id"], f"{name}:{n}") for n, t in enumerate(turns, 1))
        self._kept = Kept(Shelf(sqlite3.connect(":memory:", isolation_level=None)))
        self._once = _Once(Lexical(self._kept.shelf))
        self._state = self._kept.keep(b"locomo", held, edges(documents))
        self._names = {
            row_of(n, c): f"{h.path}:{c + 1}"
            for n, h in enumerate(held)
            for c in range(len(h.decisions))
        }

    def recall(self, question: str, evidence: set[str]) -> dict[str, dict[int, float]]:
        wanted = {self.place[turn] for turn in evidence}
        return {
            name: {k: len(wanted & set(self._ranked(name, question, k))) / len(wanted) for k in AT}
            for name in RANKINGS
        }

    def _ranked(self, name: str, question: str, k: int) -> list[str]:
        recall = Recall(self._kept, self._state, self._once)
        asked = Wanted(question, k, least=0.0, hops=int(name[8]) if name[8:] else 0)
        match name:
            case "flat":
                scores = self._kept.shelf.flat(question)
                blobs = self._kept.marks(self._state)
                best = sorted(scores, key=lambda r: (-scores[r], r))[:k]
                return [self._names[row_of(blobs[r >> 24][0][0], r & 0xFFFFFF)] for r in best]
            case "ranked":
                return [self._names[f.mark.node] for f in recall.ranked(asked)[0][:k]]
            case _:
                return [r.place for r in recall.answer(asked).results]


def _claim(number: int, turn: Mapping[str, Any]) -> Claim:
    """A turn as its speaker said it, with the caption of the picture shown, if any."""
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    text = f"{turn['speaker']}: {turn['text']}{shown}"
    kind = typed(turn["text"], turn["text"], {"section": "", "form": Form.RECORD}).memory_type
    return Claim(turn["dia_id"], text, text, "", 0, number, 1, number, 1, memory_type=kind)


def _decision(path: str, claim: Claim) -> Decision:
    return Decision(
        Place(path, DocClass.MEMORY, claim), Tier.APPROVE, "approved", Source.CONVERSATION
    )


def figures(run: Run) -> Iterator[tuple[str, int, str, dict[int, float]]]:
    """(questions, how many, ranking, recall at each k)."""
    kinds = {
        "all": run.asked,
        "without adversarial": [a for a in run.asked if a.category != ADVERSARIAL],
        **{
            f"category {c}": [a for a in run.asked if a.category == c]
            for c in sorted({a.category for a in run.asked})
        },
    }
    for kind, asked in kinds.items():
        for name in RANKINGS:
            mean = {k: sum(a.recall[name][k] for a in asked) / len(asked) for k in AT}
            yield kind, len(asked), name, mean


def as_json(run: Run) -> str:
    rows = [
        {
            "questions": kind,
            "count": count,
            "ranking": name,
            **{f"recall_{k}": round(v, 4) for k, v in mean.items()},
        }
        for kind, count, name, mean in figures(run)
    ]
    return pretty({"schema": "grounded-ingest/bench-locomo/1", **_about(run), "figures": rows})


def _about(run: Run) -> dict[str, int]:
    return {"conversations": run.conversations, "turns": run.turns, "left_out": run.left_out}


def as_text(run: Run) -> str:
    lines = [
        f"{kind:20} {count:5}  {name:15} " + "  ".join(f"@{k} {mean[k]:.3f}" for k in AT)
        for kind, count, name, mean in figures(run)
    ]
    return "\n".join([_what(run), *lines]) + "\n"


def as_markdown(run: Run) -> str:
    head = f"| questions | count | ranking | {' | '.join(f'at {k}' for k in AT)} |"
    lines = [
        f"| {kind} | {count} | {name} | {' | '.join(f'{mean[k]:.3f}' for k in AT)} |"
        for kind, count, name, mean in figures(run)
    ]
    return "\n".join([_what(run), "", head, f"|---|--:|---|{'--:|' * len(AT)}", *lines]) + "\n"


def _what(run: Run) -> str:
    about = _about(run)
    return (
        f"LoCoMo: {about['conversations']} conversations, {about['turns']} turns, "
        f"{about['left_out']} questions without evidence left out"
    )

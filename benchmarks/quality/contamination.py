"""Contaminated memories planted into the shipped repository, and the true ones beside them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from benchmarks.quality import contaminated_memories as contaminated
from benchmarks.quality.courier import adr
from benchmarks.quality.shipped import PEOPLE, Shipped, build, commit_on
from grounded_ingest.bench import sentences
from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.git.repository import Repo
from grounded_ingest.knowledge.scope import Asked
from grounded_ingest.model.claims import Decision
from grounded_ingest.pipeline import Options, run

FIRST = 20
"""Number of the first decision that is added."""

FOUND, OVERVIEW, RUNBOOK = (
    "memory-bank/found.md", "memory-bank/overview.md", "memory-bank/runbook.md",
)  # fmt: skip
ABOVE = ("contradicted-by-source", "conflicting-update", "contradiction")
"""Rows that stand above contamination in the table."""

SCHEMA = "grounded-ingest/bench-contamination/1"

_SEED = 20261122
_NAMES = ("PostgreSQL", "Redis", "Kafka", "MySQL", "Google", "OAuth2", "JSON")


class Kind(NamedTuple):
    """What became of the planted memories of one kind: `named` by a finding of that name, `other`
    by one of another name, `above`: decided by a row above, `waiting` for review by another."""

    name: str
    planted: int
    named: int
    other: int
    above: int
    waiting: int
    approved: int
    missed: tuple[str, ...]


class Figures(NamedTuple):
    """`true` memories were judged, `flagged` of them wrongly."""

    kinds: tuple[Kind, ...]
    true: int
    flagged: tuple[str, ...]


class _Bench:
    def __init__(self, directory: str) -> None:
        self.shipped = build(directory)
        self.commits = _enlarge(self.shipped)
        self.shop = Workshop(self.shipped.root, directory)

    def judged(self, files: Mapping[str, str]) -> list[Decision]:
        """The decisions for what these files bring."""
        try:
            self.shop.stage(files)
            with Repo(self.shop.root, own=False) as repo:
                result = run(repo, Asked("staged"), Options(online=False))
                result.kb.index.close()
                return [d for d in result.report.counted if d.place.path in files]
        finally:
            self.shop.restore()

    def of(self, claims: Iterable[str]) -> list[Decision]:
        text = "\n\n".join(dict.fromkeys(claims))
        return self.judged({FOUND: f"# Found\n\n{text}\n"})


def _enlarge(shipped: Shipped) -> list[str]:
    """Land the sources and the standing memories; the ids of the commits that tell of events."""
    ben = PEOPLE["ben"]
    numbered = enumerate(contaminated.DECISIONS, FIRST)
    adrs = {
        f"docs/adr/{n:04}-decision.md": adr(f"{n:04}-decision", "accepted", told.source)
        for n, told in numbered
    }
    commit_on(shipped.root, "Record more decisions", adrs, ben)
    found = []
    for n, told in enumerate(contaminated.EPISODES):
        files = {f"data/event-{n}.csv": f"event,{n}\n"}
        found.append(commit_on(shipped.root, told.source, files, ben))
    commit_on(shipped.root, "Write down what stands", _standing(0, 0), ben)
    return found


def _standing(overview: int, runbook: int) -> dict[str, str]:
    """The two documents with the values before (0) or after (1)."""
    said = {
        path: "\n\n".join(text.format(values[at]) for text, *values in contaminated.STANDING)
        for path, at in ((OVERVIEW, overview), (RUNBOOK, runbook))
    }
    return {path: f"# Notes\n\n{text}\n" for path, text in said.items()}


def measured(directory: str) -> Figures:
    """Plant everything below a directory and look what becomes of it."""
    bench = _Bench(directory)
    rng = random.Random(_SEED)
    planted = {
        "abstraction_error": bench.of(_abstracted(bench, rng)),
        "update_error": bench.judged({OVERVIEW: _standing(1, 0)[OVERVIEW]}),
        "hallucinated_memory_write": bench.of(_hallucinated(bench)),
        "spurious_inference_stored": bench.of(_told(bench, contaminated.DECISIONS, "contaminated")),
        "generalization_error": bench.of(_told(bench, contaminated.EPISODES, "contaminated")),
    }
    true = [
        *bench.of(_told(bench, contaminated.DECISIONS, "faithful")),
        *bench.of(_told(bench, contaminated.EPISODES, "faithful")),
        *bench.of(c.text for c in bench.shipped.claims),
        *bench.judged(_standing(1, 1)),
    ]
    flagged = [f"{d.place.claim.text}: {m}" for d in true for m in _messages(d)]
    return Figures(tuple(_kind(n, d) for n, d in planted.items()), len(true), tuple(flagged))


def _told(bench: _Bench, told: Sequence[contaminated.Told], what: str) -> list[str]:
    decisions = told is contaminated.DECISIONS
    return [
        text.format(f"ADR-{FIRST + n:04}" if decisions else bench.commits[n][:10])
        for n, one in enumerate(told)
        for text in getattr(one, what)
    ]


def _abstracted(bench: _Bench, rng: random.Random) -> list[str]:
    """True claims with one number, name or negation changed, what they cite kept."""
    changes = (
        sentences.number, sentences.version, sentences.date, sentences.negation,
        sentences.other_entity(_NAMES),
    )  # fmt: skip
    true = [c.text for c in bench.shipped.claims]
    true += _told(bench, contaminated.DECISIONS, "faithful")
    return [said for text in true for change in changes if (said := change(text, rng))]


def _hallucinated(bench: _Bench) -> list[str]:
    """Standing memories and true claims without their source, with one of another topic."""
    plain = [b for c in bench.shipped.claims if (b := sentences.without_citations(c.text))]
    plain += [text.format(values[0]) for text, *values in contaminated.STANDING]
    size = len(contaminated.DECISIONS)
    return [f"{t.rstrip('.')} (ADR-{FIRST + (5 * n + 3) % size:04})." for n, t in enumerate(plain)]


def _messages(decision: Decision) -> list[str]:
    return [f.message for f in decision.findings if f.rule == "contamination"]


def _kind(name: str, decisions: Sequence[Decision]) -> Kind:
    outcomes = [(_outcome(name, d), d) for d in decisions]
    count = partial(_count, [o for o, _ in outcomes])
    missed = tuple(
        f"tier {int(d.tier)}, {d.rule}: {d.place.claim.text}"
        for outcome, d in outcomes
        if outcome in ("waiting", "approved")
    )
    return Kind(
        name, len(decisions), count("named"), count("other"), count("above"), count("waiting"),
        count("approved"), missed,
    )  # fmt: skip


def _count(outcomes: Sequence[str], wanted: str) -> int:
    return sum(o == wanted for o in outcomes)


def _outcome(name: str, decision: Decision) -> str:
    messages = _messages(decision)
    if any(m.startswith(f"{name}:") for m in messages):
        return "named"
    if messages:
        return "other"
    if decision.rule in ABOVE:
        return "above"
    return "approved" if decision.approved else "waiting"


def as_json(run: Figures) -> str:
    from grounded_ingest.report.as_json import pretty

    return pretty(
        {
            "schema": SCHEMA,
            "kinds": [k._asdict() for k in run.kinds],
            "true": run.true,
            "flagged": run.flagged,
        }
    )


def as_text(run: Figures) -> str:
    """A table, then what was missed and what was flagged wrongly."""
    heads = ("planted", "named", "other", "above", "waiting", "approved")
    rows = [f"{'kind':26}" + "".join(f"{head:>10}" for head in heads)]
    rows += [f"{k.name:26}" + "".join(f"{getattr(k, h):10}" for h in heads) for k in run.kinds]
    rows.append(f"true memories: {run.true}, flagged: {len(run.flagged)}")
    rows += [f"  flagged  {text}" for text in run.flagged]
    rows += [f"  {k.name}  {text}" for k in run.kinds for text in k.missed]
    return "\n".join(rows) + "\n"

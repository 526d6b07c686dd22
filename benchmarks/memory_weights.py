"""`python -m benchmarks.memory_weights --repos DIR`: fit what each cue of a memory type counts.

Multinomial logistic regression with a penalty that draws every weight to one set by hand (PRIOR),
fitted to the labelled claims that are for tuning. Prints the accuracy in cross-validation by
repository, and with `--write` writes the lexicon's `memory_weights.py`. ADR 0023.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import NamedTuple

from benchmarks.labels import Label, by_commit, clone_of, read_labels
from grounded_ingest.config.settings import Config, classify
from grounded_ingest.extract.documents import extract, role_of
from grounded_ingest.extract.memory_type import cues_of
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import DocClass, MemoryType
from grounded_ingest.text.reading import tokens_of

NAMES = tuple(str(t) for t in MemoryType)
HALVES = ("tuning", "second", "extra")
PENALTY, STRENGTH, RARE, ROUNDS, FOLDS = 10.0, 1.4, 3, 400, 10
OTHERS, SURE = 1.6, 0.9
"""Penalty; what PRIOR is multiplied by; least claims of a cue; steps; parts of the
cross-validation. What an episodic or procedural claim counts beside a
semantic one; the certainty from which a claim may speak against its document."""
LEXICON = Path(__file__).parents[1] / "grounded_ingest/text/lexicon/memory_weights.py"
WIDTH = 140
"""Of the lines that are written."""

# Cues by the type they speak for, with how strongly, as set by hand before the fit.
PRIOR: tuple[tuple[str, float, str], ...] = (
    ("procedural", 2.2, "must | main must"),
    ("procedural", 1.2,
     "should | main should | prohibition | always | condition, imperative | never | command | "
     "rule label"),
    ("procedural", 1.5, "imperative"),
    ("procedural", 0.8, "bare verb | imperative cell | negated noun"),
    ("episodic", 1.5, "main past | date | main perfect | event first"),
    ("episodic", 0.8, "past | time | event | open mark | state label | now | future"),
    ("semantic", 1.2,
     "main present | main can | main third person | term | about label | see first | "
     "third person | wh first"),
    ("semantic", 0.6,
     "no verb | noun | code | article first | row | code first | in reference | metadata | "
     "announces | gerund"),
    ("episodic", 1.2, "in changes | changelog document | in version | in done"),
    ("episodic", 0.8,
     "log document | plan document | in plan | in day | under day | under done | under plan | "
     "under changes | under version | dated document"),
    ("procedural", 1.2, "in rules"),
    ("procedural", 0.6, "in howto | under rules | rules document | runbook document | under howto"),
    ("semantic", 0.5, "decisions document | lessons document | under reference"),
    ("episodic", 1.5,
     "imperative, plan | imperative, changes | imperative, log | bare verb, plan | "
     "past verb, changes | past verb, log | infinitive, plan | noun, changes | past verb, plan"),
    ("procedural", 0.8,
     "imperative, howto | imperative, rules | bare verb, howto | bare verb, rules | "
     "command, howto | command, rules | negated noun, rules | prohibition, rules | "
     "condition, imperative, howto | condition, imperative, rules"),
    ("semantic", 0.8,
     "imperative, reference | bare verb, reference | third person, reference | noun, reference"),
    ("procedural", 0.8, "asking label | to first | condition, imperative, other"),
    ("episodic", 0.5, "asking label, plan"),
    ("procedural", 0.8, "first | with first, imperative"),
    ("episodic", 1.6, "main ed"),
    ("semantic", 0.3, "participle"),
    ("procedural", 1.0, "to do | asks later"),
    ("semantic", 1.0, "term does"),
    ("semantic", 0.6, "participle first"),
)  # fmt: skip

Vector = tuple[float, float, float]
Weights = dict[str, list[float]]


class Example(NamedTuple):
    """Cues of a claim, its type as a number, its repository."""

    cues: tuple[str, ...]
    label: int
    repo: str


def examples(clones: str) -> list[Example]:
    """Returns the labelled claims of HALVES that are of one type, as found in clones."""
    labels = [x for x in read_labels() if x.task == "memory-type" and x.set in HALVES]
    found = []
    for (name, commit), own in by_commit([x for x in labels if x.label in NAMES]):
        if clone := clone_of(name, clones):
            with Repo(clone, own=False) as repo:
                found += [e for x in own if (e := _example(repo, commit, x)) is not None]
    return found


def _example(repo: Repo, commit: str, label: Label) -> Example | None:
    content = CommitTree(repo, commit).read(label.path)
    doc_class = classify(Config(), label.path) or DocClass.DOCS
    claims = extract(content, label.path, doc_class).claims if content else ()
    claim = next((c for c in claims if c.id == label.id and c.line == label.line), None)
    if claim is None:
        return None
    role = role_of(label.path, doc_class)
    cues = cues_of(claim.text, tokens_of(claim.masked), claim.section, claim.form, role)
    return Example(("", *dict.fromkeys(cues)), NAMES.index(label.label), label.repo)


def prior() -> dict[str, list[float]]:
    """PRIOR as weights of the three types, which add up to nothing."""
    found: dict[str, list[float]] = {}
    for name, strength, cues in PRIOR:
        for cue in cues.split(" | "):
            weights = found.setdefault(cue, [0.0, 0.0, 0.0])
            for at, other in enumerate(NAMES):
                share = 2 / 3 if other == name else -1 / 3
                weights[at] += share * strength * STRENGTH
    return found


def fit(some: Sequence[Example]) -> Weights:
    """Weights by cue (empty: of every claim), by steps on a bound of the curvature."""
    before = prior()
    counts = Counter(cue for e in some for cue in e.cues)
    known = {c for c, n in counts.items() if n >= RARE} | before.keys() | {""}
    cued = [(tuple(c for c in e.cues if c in known), e.label) for e in some]
    longest = max(len(cues) for cues, _ in cued)
    start = {cue: list(before.get(cue, [0.0] * 3)) for cue in sorted(known)}
    weights = {cue: list(values) for cue, values in start.items()}
    for _ in range(ROUNDS):
        slope: Weights = {cue: [0.0] * 3 for cue in weights}
        for cues, label in cued:
            shares, counted = _shares(weights, cues), OTHERS if label else 1.0
            for at in range(3):
                off = counted * (shares[at] - (at == label))
                for cue in cues:
                    slope[cue][at] += off
        for cue, values in weights.items():
            pull = PENALTY * (0.01 if cue == "" else 1.0)
            curve = 0.25 * OTHERS * longest * counts[cue] + pull
            for at in range(3):
                values[at] -= (slope[cue][at] + pull * (values[at] - start[cue][at])) / curve
    return weights


def _shares(weights: Weights, cues: Sequence[str]) -> Vector:
    sums = [sum(weights[cue][at] for cue in cues if cue in weights) for at in range(3)]
    best = max(sums)
    raised = [exp(s - best) for s in sums]
    total = sum(raised)
    return raised[0] / total, raised[1] / total, raised[2] / total


def cross_validated(some: Sequence[Example], seed: int = 0) -> list[tuple[int, int, float]]:
    """(label, type given, certainty), each repository judged by weights fitted without it."""
    repos = sorted({e.repo for e in some})
    random.Random(seed).shuffle(repos)
    found = []
    for fold in range(FOLDS):
        out = set(repos[fold::FOLDS])
        weights = fit([e for e in some if e.repo not in out])
        for example in some:
            if example.repo in out:
                shares = _shares(weights, example.cues)
                found.append((example.label, shares.index(max(shares)), max(shares)))
    return found


def lexicon(weights: Weights) -> str:
    """The weights as the module that holds them; those that hardly count are left out."""
    rows: list[str] = []
    for cue, values in sorted(weights.items()):
        mean = sum(values) / 3
        rounded = tuple(round(v - mean, 2) for v in values)
        if cue and max(map(abs, rounded)) >= 0.05:
            entry = f'"{cue}": {rounded},'
            if rows and len(rows[-1]) + 1 + len(entry) <= WIDTH:
                rows[-1] += f" {entry}"
            else:
                rows.append(f"    {entry}")
    mean = sum(weights[""]) / 3
    bias = tuple(round(v - mean, 2) for v in weights[""])
    return HEAD.format(bias=bias, rows="\n".join(rows))


HEAD = '''"""What each cue counts for semantic, episodic and procedural memory.

Written by `python -m benchmarks.memory_weights` from the labelled claims that are for tuning, from
weights set by hand. Natural logarithms; the sums make a softmax. Cues that are not
here count nothing.
"""

# Where nothing speaks for anything.
BIAS = {bias}

WEIGHTS = {{
{rows}
}}  # fmt: skip
'''


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory_weights")
    parser.add_argument("--repos", required=True, help="where the clones are")
    parser.add_argument("--write", action="store_true", help="write the lexicon")
    args = parser.parse_args()
    some = examples(args.repos)
    judged = cross_validated(some)
    pairs = Counter((label, got) for label, got, _ in judged)
    right = sum(label == got for label, got, _ in judged)
    sure = [label == got for label, got, certainty in judged if certainty >= SURE]
    print(f"{len(some)} claims of {len({e.repo for e in some})} repositories")
    print(f"cross-validated by repository: accuracy {right / len(some):.3f}")
    print(f"of certainty {SURE} or more: {len(sure)} claims, accuracy {sum(sure) / len(sure):.3f}")
    for at, name in enumerate(NAMES):
        row = [pairs[at, got] for got in range(3)]
        f1 = 2 * row[at] / (sum(row) + sum(pairs[label, at] for label in range(3)))
        print(f"{name:11} F1 {f1:.3f}  {row}")
    if args.write:
        LEXICON.write_text(lexicon(fit(some)), encoding="utf-8")


if __name__ == "__main__":
    main()

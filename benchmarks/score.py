"""`python -m benchmarks.score TASK --clones DIR`: what the product says beside labels.

Clones lie below DIR as `owner+name` or `owner/name`, with their history; they are only read. Each
task is scored alike: for each label, how many places a reader gave it, how many the product gave
it, and how many both, with 95% intervals of recall and precision (Wilson).

    mention           a reference that the tree answers: `refuted` if it is wrong
    agreement         two places of agents' files: `right` if they contradict each other
    lost-source       a commit of code: `right` if it made the sentence's reference wrong
    memory-sentence   a line: `claim` if it states something
    memory-type       a claim: semantic, episodic or procedural; `mixed` if it has to be split
    memory-update     a line of a commit: `UPDATE` if it revises the older line, else `ADD`
    nothing-to-check  a claim without a reference: `checkable`, or why it is not
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import CalledProcessError
from typing import NamedTuple, get_args

import click

from benchmarks.labels import (
    CORPUS,
    Label,
    Task,
    by_commit,
    clone_of,
    fingerprint,
    read_labels,
    wilson,
)
from benchmarks.workshop import Workshop
from grounded_ingest.config.settings import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import Claim, Decision, DocClass
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.findings import list_findings
from grounded_ingest.repository.judging_config import read_config
from grounded_ingest.repository.scope import Asked

OTHERS = {"mention": "none", "agreement": "wrong", "lost-source": "wrong"}
"""The label of a place at which the product reports nothing. Such tasks have one label that counts,
and `confirmed` mentions count as `none`: nothing is reported of either."""

ALERT = {"mention": "refuted", "agreement": "right", "lost-source": "right"}

_STARTS = re.compile(r"\s*(?:[-*+]|\d+[.)])\s|\s*\||#|\s*$|```|~~~")


class Pair(NamedTuple):
    """A label and the product's answer: a label too, or "" if no claim stands there."""

    label: Label
    answer: str


Answers = Mapping[Label, str]


def answers_of(task: str, root: str, commit: str, labels: Sequence[Label]) -> Answers:
    """Asks the product about labels of one commit of a repository. Raises GroundedIngestError."""
    with Repo(root, own=False) as repo:
        if task in ("memory-sentence", "memory-type", "nothing-to-check"):
            return _of_claims(repo, commit, labels)
        parent = repo.commit(f"{commit}^") if task in ("lost-source", "memory-update") else ""
        asked = Asked("range", start=parent, end=commit) if parent else Asked("all")
        result = run(repo, asked, Options(online=False, cache=False))
        if task == "memory-update":
            return {x: _of_update(x, result.report.counted) for x in labels}
        alerts = _alerts(result.report, "contradiction" if task == "agreement" else "refuted")
        reader = CommitTree(repo, commit)
        return {
            x: ALERT[task] if any(_is_at(p, alerts, reader) for p in x.places) else OTHERS[task]
            for x in labels
        }


def _alerts(report: Report, rule: str) -> set[tuple[str, int]]:
    """Returns the places of findings of a family of rules, and of what they contradict."""
    found = {(e.path, e.line) for e in list_findings(report) if e.rule.startswith(rule)}
    for decision in report.decisions:
        for finding in decision.findings:
            if finding.other is not None and finding.rule.startswith(rule):
                found.add((finding.other.path, finding.other.claim.line))
    return found


def _is_at(place: tuple[str, int], alerts: set[tuple[str, int]], tree: CommitTree) -> bool:
    """Whether an alert is on a line or on the rest of its paragraph, item or row."""
    path, line = place
    lines = (tree.read(path) or b"").decode(errors="replace").split("\n")
    last = line
    while last < len(lines) and not _STARTS.match(lines[last]):
        last += 1
    return any((path, at) in alerts for at in range(line, last + 1))


def _of_claims(repo: Repo, commit: str, labels: Sequence[Label]) -> Answers:
    answers = {}
    tree = CommitTree(repo, commit)
    config = read_config(tree)
    claims: dict[str, tuple[Claim, ...]] = {}
    for label in labels:
        if label.path not in claims:
            content = tree.read(label.path)
            doc_class = classify(config, label.path) or DocClass.DOCS
            claims[label.path] = (
                () if content is None else extract(content, label.path, doc_class).claims
            )
        if not _stands(tree, label.path, label.line, label.sha256):
            continue  # another checkout, or lines that git reads otherwise
        own = [c for c in claims[label.path] if c.line <= label.line <= c.end_line]
        if label.task == "memory-sentence":
            answers[label] = "claim" if own else "none"
            continue
        own = [c for c in own if c.id == label.id] or own[:1]
        answers[label] = _word_of(label, own[0]) if own else ""
    return answers


def _word_of(label: Label, claim: Claim) -> str:
    if label.task == "memory-type":
        return "mixed" if claim.split else str(claim.memory_type)
    return claim.nothing or "checkable"


def _of_update(label: Label, decisions: Iterable[Decision]) -> str:
    """Returns `UPDATE` if the claim on the line is said to revise one of the older line, `ADD` if
    it is said to revise nothing, and `wrong` if another claim is named."""
    own = [
        d for d in decisions
        if d.place.path == label.path and d.place.claim.line <= label.line <= d.place.claim.end_line
    ]  # fmt: skip
    if not own:
        return ""
    revised = (label.old_path or label.path, label.old_line)
    words = [_operation(d, revised) for d in own]
    return next((w for w in ("UPDATE", "wrong") if w in words), "ADD")


def _operation(decision: Decision, revised: tuple[str, int]) -> str:
    other = decision.operation.of if decision.operation else None
    if other is None:
        return "ADD"
    path, line = revised
    right = other.path == path and other.claim.line <= line <= other.claim.end_line
    return "UPDATE" if right else "wrong"


def _stands(tree: CommitTree, path: str, line: int, digest: str) -> bool:
    lines = (tree.read(path) or b"").decode(errors="replace").split("\n")
    return 0 < line <= len(lines) and digest in ("", fingerprint(lines[line - 1]))


def compare(task: str, labels: list[Label], clones: str) -> tuple[list[Pair], list[str]]:
    """Returns labels with the product's answers, and in words what could not be asked."""
    pairs: list[Pair] = []
    left: list[str] = []
    for (name, commit), own in by_commit(labels):
        clone = clone_of(name, clones)
        if not clone:
            left.append(f"{name}: no clone below {clones}: {len(own)} labels")
            continue
        with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as directory:
            try:
                shop = Workshop(clone, directory, commit)
                # A user's clone knows its forge. `--shared` leaves the path of the store instead.
                shop.git("config", "remote.origin.url", f"https://github.com/{name}")
                if task in ("mention", "agreement"):  # a link could lead out of the tree
                    _check_out(shop)
                answers = answers_of(task, shop.root, commit, own)
            except (CalledProcessError, GroundedIngestError) as error:
                left.append(f"{name} {commit[:12]}: {error}: {len(own)} labels")
                continue
        pairs += [Pair(label, answers[label]) for label in own if label in answers]
        left += [f"{name}: {x.path}:{x.line}: another line" for x in own if x not in answers]
    return pairs, left


def _check_out(shop: Workshop) -> None:
    """Writes the files of HEAD. A file whose object the clone does not have becomes empty, because
    some stores of repositories leave large files out."""
    with suppress(CalledProcessError):
        shop.git("-c", "core.symlinks=false", "checkout-index", "--all", "--quiet")
    for path in shop.git("ls-files", "-z").split("\0"):
        file = Path(shop.root, path)
        if path and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()


def expected(label: Label) -> str:
    """Returns the answer that is right; of a mention that holds, nothing is to be reported."""
    return "none" if label.label == "confirmed" else label.label


def rows(pairs: Sequence[Pair]) -> list[dict[str, object]]:
    """Returns a row for each label: counts, recall and precision with their intervals."""
    right = Counter(expected(p.label) for p in pairs if expected(p.label) == p.answer)
    there = Counter(expected(p.label) for p in pairs)
    given = Counter(p.answer for p in pairs)
    return [
        {
            "label": name,
            "labelled": there[name],
            "given": given[name],
            "right": right[name],
            "recall": _share(right[name], there[name]),
            "precision": _share(right[name], given[name]),
        }
        for name in sorted(there)
    ]


def _share(part: int, whole: int) -> dict[str, float | None]:
    low, high = wilson(part, whole)
    value = round(part / whole, 4) if whole else None
    return {"value": value, "low": round(low, 4), "high": round(high, 4)}


def as_text(pairs: Sequence[Pair], left: Sequence[str]) -> str:
    lines = [f"{'label':<14} {'labelled':>8} {'given':>6} {'right':>6}  recall          precision"]
    for row in rows(pairs):
        shares = "  ".join(_shown(row[name]) for name in ("recall", "precision"))  # type: ignore[arg-type]
        lines.append(
            f"{row['label']:<14} {row['labelled']:>8} {row['given']:>6} {row['right']:>6}  {shares}"
        )
    hits = sum(expected(p.label) == p.answer for p in pairs)
    low, high = wilson(hits, len(pairs))
    lines.append(f"{hits} of {len(pairs)} answers right ({low:.2f} to {high:.2f})")
    lines += _tools([p.label for p in pairs])
    return "\n".join([*lines, *(f"left out: {text}" for text in left)]) + "\n"


def _tools(labels: Sequence[Label]) -> Iterator[str]:
    """Yields a line for each tool that reported places when the labels were made: how many of the
    places it reported were wrong, and how many of all wrong places it reported."""
    wrong = [x for x in labels if x.label == "refuted" and x.tools]
    for tool in sorted({t for x in labels for t in x.tools}):
        reported = [x for x in labels if tool in x.tools]
        right = sum(x.label == "refuted" for x in reported)
        precision, recall = (_shown(_share(right, n)) for n in (len(reported), len(wrong)))
        yield f"{tool:<14} {len(reported):>8} reported {right:>6} right  {recall}  {precision}"


def _shown(share: dict[str, float | None]) -> str:
    if share["value"] is None:
        return f"{'-':<14}"
    return f"{share['value']:.2f} ({share['low']:.2f}-{share['high']:.2f})"


def as_json(pairs: Sequence[Pair], left: Sequence[str]) -> str:
    answers = [
        {"places": [f"{p}:{n}" for p, n in x.label.places], "repo": x.label.repo,
         "commit": x.label.commit, "label": x.label.label, "answer": x.answer}
        for x in pairs
    ]  # fmt: skip
    return json.dumps({"rows": rows(pairs), "answers": answers, "left_out": left}, indent=2) + "\n"


@click.command()
@click.argument("task", type=click.Choice(get_args(Task)))
@click.option("--clones", required=True, type=click.Path(exists=True, file_okay=False))
@click.option("--labels", default=str(CORPUS), type=click.Path(exists=True, file_okay=False))
@click.option("--split", type=click.Choice(["open", "held"]))
@click.option("--set", "draw", default="", help="Labels of this draw alone.")
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(task: str, clones: str, labels: str, split: str | None, draw: str, form: str) -> None:
    """Compare what the product says with labels."""
    wanted = [x for x in read_labels(Path(labels)) if x.task == task]
    wanted = [x for x in wanted if split in (None, x.split) and draw in ("", x.set)]
    pairs, left = compare(task, wanted, clones)
    if not pairs:
        raise click.ClickException(f"no label could be asked about: {left[:1]}")
    click.echo((as_json if form == "json" else as_text)(pairs, left), nl=False)


if __name__ == "__main__":
    command()

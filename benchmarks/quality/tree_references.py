"""References that the tree answers, beside labels: precision and recall per kind and half.

A label names a mention at a commit of a public repository and the right verdict: `confirmed` where
the tree has it, `refuted` where it says what is not so, `none` where the tree cannot tell, or where
the text speaks of something else. Texts are not kept: the clones given hold them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.quality.labels import Split
from grounded_ingest.decide.engine import Engine
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import (
    CitationKind,
    Decision,
    Document,
    Place,
    Verdict,
)
from grounded_ingest.pipeline import Options, run
from grounded_ingest.references.reference import (
    Over,
    Reference,
    TreeAnswer,
    exemption,
    is_said,
)
from grounded_ingest.references.registry import KINDS, references_in
from grounded_ingest.references.shown_commands import shown_answers
from grounded_ingest.repository.scope import Asked

LABELS = Path(__file__).parents[1] / "corpus/tree-references-manifests.jsonl"

Right = Literal["confirmed", "refuted", "none"]


class Label(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="mention",
    rename={"verdict": "label"},
):  # fmt: skip
    """A mention that was read, and what is right to say of it."""

    kind: str
    repo: str
    commit: str
    path: str
    line: int
    name: str
    of: str
    verdict: Right
    split: Split

    @property
    def key(self) -> tuple[str, str, int, str, str]:
        return self.kind, self.path, self.line, self.name, self.of


class Mention(Struct, frozen=True):
    """A mention that was found, and what the product says of it."""

    kind: str
    path: str
    line: int
    name: str
    of: str
    said: Right
    reason: str = ""
    text: str = ""
    shown: bool = False
    fact: bool = False

    @property
    def key(self) -> tuple[str, str, int, str, str]:
        return self.kind, self.path, self.line, self.name, self.of


class Compared(NamedTuple):
    """Labels with what was said of each; `unread`: mentions that were refuted and have no label."""

    pairs: Sequence[tuple[Label, Right]]
    unread: Sequence[tuple[str, Mention]]
    clones: int


def read_labels(path: Path = LABELS) -> list[Label]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=Label) for line in lines if line]


def compared(clones: Iterable[str], labels: Sequence[Label]) -> Compared:
    """What the product says of labelled mentions of clones, at the commit of their labels."""
    pairs: list[tuple[Label, Right]] = []
    unread: list[tuple[str, Mention]] = []
    count = 0
    for clone in clones:
        with Repo(clone, own=False) as repo:
            head = repo.head()
        own = [label for label in labels if label.commit == head]
        if not own:
            raise GroundedIngestError(f"no label is of {head[:12]}, the HEAD of {clone}")
        count += 1
        found = {m.key: m for m in mentions_of(clone)}
        pairs += [(label, found[label.key].said if label.key in found else "none") for label in own]
        known = {label.key for label in own}
        unread += [
            (own[0].repo, m) for m in found.values() if m.said == "refuted" and m.key not in known
        ]
    return Compared(pairs, unread, count)


def mentions_of(clone: str) -> Iterator[Mention]:
    """Everything that the documents of a repository mention, and what is said of it."""
    with Repo(clone, own=False) as repo:
        result = run(repo, Asked("all"), Options(online=False, cache=False))
        judge = result.judge
        facts = {
            (d.place.path, d.place.claim.key) for d in result.report.decisions if d.rule == "proved"
        }
        yield from _refuted_paths(result.report.decisions)
        for document in result.documents:
            for mention in _of_claims(document, judge):
                yield msgspec.structs.replace(mention[0], fact=(document.path, mention[1]) in facts)
        for shown, answer in shown_answers(result.documents, judge.context):
            yield _mention(shown.reference, answer, shown.place, shown.over, shown=True)
        result.kb.index.close()


def _refuted_paths(decisions: Iterable[Decision]) -> Iterator[Mention]:
    """The cited files and definitions that are not there, by what was meant."""
    for decision in decisions:
        path, claim = decision.place.path, decision.place.claim
        for e in decision.own_evidence:
            cited = e.kind is CitationKind.PATH or e.reason.endswith(" has no such definition")
            if cited and e.verdict is Verdict.REFUTED:
                yield Mention(
                    e.kind, path, claim.line, e.target, "", "refuted", e.reason, claim.text
                )


def _of_claims(document: Document, judge: Engine) -> Iterator[tuple[Mention, tuple[str, str, int]]]:
    places = [Place(document.path, document.doc_class, c) for c in document.extraction.claims]
    asked = {place: references_in(place.path, place.claim) for place in places}
    wanted = list(dict.fromkeys(r for own in asked.values() for r in own))
    answers: dict[Reference, TreeAnswer] = {}
    for kind in KINDS:
        if own := [r for r in wanted if r.kind is kind.KIND]:
            answers.update(kind.answers(own, judge.context))
    for place, own in asked.items():
        over = document.extraction.context(place.claim)
        for reference in own:
            mention = _mention(reference, answers.get(reference), place, over)
            yield mention, place.claim.key


def _mention(
    reference: Reference,
    answer: TreeAnswer | None,
    place: Place,
    over: Over,
    *,
    shown: bool = False,
) -> Mention:
    said: Right = "none"
    if answer is not None and answer.verdict is Verdict.CONFIRMED:
        said = "confirmed"
    elif answer is not None and answer.verdict is Verdict.REFUTED:
        exempt = exemption(place.claim, over, None if shown else reference)
        said = "refuted" if is_said(reference, answer, place, exempt) else "none"
    of, line = reference.of.replace("\0", " "), place.claim.line
    reason = answer.reason if answer else ""
    return Mention(
        reference.kind,
        place.path,
        line,
        reference.name,
        of.strip(),
        said,
        reason,
        place.claim.text,
        shown,
    )


class Figures(NamedTuple):
    """Of one kind and half: what was said rightly, what was said, what there was to say."""

    right: int
    said: int
    there: int


def figures(run: Compared, verdict: Right) -> dict[tuple[str, str], Figures]:
    """By (kind, half)."""
    counts: dict[str, Counter[tuple[str, str]]] = {n: Counter() for n in ("right", "said", "there")}
    for label, said in run.pairs:
        at = (label.kind, label.split)
        counts["right"][at] += label.verdict == said == verdict
        counts["said"][at] += said == verdict
        counts["there"][at] += label.verdict == verdict
    keys = sorted({(label.kind, label.split) for label, _ in run.pairs})
    return {k: Figures(*(counts[n][k] for n in ("right", "said", "there"))) for k in keys}


def as_text(run: Compared) -> str:
    rows = [f"{len(run.pairs)} labelled references of {run.clones} repositories"]
    for verdict in ("refuted", "confirmed"):
        rows.append(f"{verdict:<10} {'half':<5} precision         recall")
        for (kind, half), f in figures(run, verdict).items():
            rows.append(
                f"  {kind:<8} {half:<5} {_share(f.right, f.said):<16} {_share(f.right, f.there)}"
            )
    rows += [
        f"refuted without a label: {repo} {m.path}:{m.line} {m.kind} {m.name}"
        for repo, m in run.unread
    ]
    return "\n".join(rows)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({part / whole:.2f})" if whole else "-"


def as_json(run: Compared) -> str:
    found = {
        verdict: [
            {"kind": kind, "half": half, **f._asdict()}
            for (kind, half), f in figures(run, verdict).items()
        ]
        for verdict in ("refuted", "confirmed")
    }
    return msgspec.json.encode({"labels": len(run.pairs), **found}).decode()

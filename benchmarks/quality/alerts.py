"""References that commits of code make wrong, over the history of clones, beside labels.

A label names an alert at a commit of a public repository and whether it is right: the claim was
made wrong, or cites what is no more. Texts are not kept: the clones given hold them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.quality.labels import Split
from grounded_ingest.config.settings import Config, classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.pipeline import Options, run
from grounded_ingest.references.path import OWN_FILES
from grounded_ingest.report.wording import of_reference
from grounded_ingest.repository.judging_config import read_config
from grounded_ingest.repository.scope import Asked
from grounded_ingest.text.printable import printable

LABELS = Path(__file__).parents[1] / "corpus/lost-sources.jsonl"


class AlertLabel(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="lost-source",
    rename={"verdict": "label"},
):  # fmt: skip
    """An alert that was read. `what` is the cited or mentioned thing, as the alert names it."""

    repo: str
    commit: str
    path: str
    line: int
    what: str
    verdict: Literal["right", "wrong"]
    split: Split = "open"

    @property
    def key(self) -> tuple[str, str, int, str]:
        return self.commit, self.path, self.line, self.what


class Alert(Struct, frozen=True):
    """A claim that a commit of code takes the ground from."""

    commit: str
    path: str
    line: int
    message: str
    label: str = "unread"

    @property
    def key(self) -> tuple[str, str, int, str]:
        return self.commit, self.path, self.line, what_of(self.message)


class History(NamedTuple):
    """The commits of code of a clone, and what they were told."""

    name: str
    commits: int
    alerts: Sequence[Alert]
    unchecked: Sequence[str]


def what_of(message: str) -> str:
    """The thing that an alert names, as its message has it."""
    return message.removeprefix("cites ").partition(", which ")[0].partition(": ")[0]


def read_alert_labels(path: Path = LABELS) -> list[AlertLabel]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=AlertLabel) for line in lines if line]


def code_commits(repo: Repo, most: int) -> list[tuple[str, str]]:
    """(commit, parent) of the newest commits that change other files than documents, oldest first;
    merges are left out."""
    config = read_config(CommitTree(repo, repo.head()))
    found = []
    for oid, parent, _, paths in repo.history():
        if any(_is_code(config, p) for p in paths):
            found.append((oid, parent))
            if len(found) == most:
                break
    return found[::-1]


def _is_code(config: Config, path: str) -> bool:
    return classify(config, path) is None and not path.startswith(OWN_FILES)


def told(
    clone: str,
    most: int,
    labels: Sequence[AlertLabel],
    say: Callable[[float, str], None],
) -> History:
    """What the newest commits of code of a clone are told, each checked against its parent."""
    known = {label.key: label.verdict for label in labels}
    alerts: list[Alert] = []
    unchecked: list[str] = []
    with Repo(clone, own=False) as repo:
        todo = code_commits(repo, most)
        for number, (oid, parent) in enumerate(todo, 1):
            try:
                alerts += (
                    msgspec.structs.replace(a, label=known.get(a.key, "unread"))
                    for a in alerts_of(repo, oid, parent)
                )
            except GroundedIngestError as error:
                unchecked.append(f"{oid[:12]}: {error}")
            say(number / len(todo), f"{number}/{len(todo)} commits")
    return History(Path(clone).name, len(todo) - len(unchecked), alerts, unchecked)


def alerts_of(repo: Repo, oid: str, parent: str) -> list[Alert]:
    result = run(repo, Asked("range", start=parent, end=oid), Options(online=False))
    result.kb.index.close()
    report = result.report
    left = (d for d in (*report.decisions, *report.elsewhere) if not d.changed)
    found = [
        Alert(oid, d.place.path, d.place.claim.line, of_reference(e))
        for d in left
        for e in d.newly_wrong
    ]
    lines = (p for p in report.problems if p.rule == "refuted-citation[changed-line]")
    return [*found, *(Alert(oid, p.path, p.line, p.message) for p in lines)]


def as_text(found: Iterable[History]) -> str:
    lines: list[str] = []
    for history in found:
        lines += [f"{e}: not checked" for e in history.unchecked]
        lines += [
            f"{a.label}: {a.commit[:12]} {printable(a.path)}:{a.line}: {printable(a.message)}"
            for a in history.alerts
        ]
    for history in found:
        lines.append(f"{history.name}: {_counted(history.commits, history.alerts)}")
    every = [a for h in found for a in h.alerts]
    lines.append(f"all: {_counted(sum(h.commits for h in found), every)}")
    return "".join(f"{line}\n" for line in lines)


def _counted(commits: int, alerts: Sequence[Alert]) -> str:
    labels = Counter(a.label for a in alerts)
    read = ", ".join(f"{n} {label}" for label, n in sorted(labels.items())) or "none"
    at = len({a.commit for a in alerts})
    share = f"{100 * len(alerts) / commits:.2f}" if commits else "-"
    return f"{commits} commits of code, {len(alerts)} alerts at {at} ({share} in 100): {read}"


def as_json(found: Iterable[History]) -> str:
    return msgspec.json.encode([h._asdict() for h in found]).decode() + "\n"

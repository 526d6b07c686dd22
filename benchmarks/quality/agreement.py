"""Contradictions between files that agents load, over the history of clones, beside labels.

A label names two places at a commit of a public repository, and whether the pair is a contradiction
or was wrongly found by some version of the rule. Texts are not kept: the clones given hold them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from benchmarks.quality.labels import Split
from grounded_ingest.config.globs import matches
from grounded_ingest.config.settings import DEFAULTS, NEVER_GLOBS, classify
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import SUBMODULE, SYMLINK, Repo
from grounded_ingest.model.claims import DocClass, Place
from grounded_ingest.rules.contradiction import detect
from grounded_ingest.statements.agreed_facts import (
    AgreedFacts,
    agreed_facts,
    is_narrowed,
    is_scoped_kind,
    loaded_for,
)

LABELS = Path(__file__).parents[1] / "corpus/agreement.jsonl"

_FILES = (
    "*CLAUDE.md", "*AGENTS.md", "*GEMINI.md", "*.cursorrules", "*.windsurfrules", "*.clinerules",
    "*copilot-instructions.md", "*.cursor/rules/*", "*.roo/rules/*", "*.windsurf/rules/*",
)  # fmt: skip


class PairLabel(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="agreement",
    rename={"verdict": "label"},
):  # fmt: skip
    """Two places (`path:line`) that were read. `set`: in which set of repositories the pair was
    first found, and with which version of the rule, before anyone had read these files."""

    repo: str
    commit: str
    one: str
    other: str
    kind: str
    verdict: Literal["right", "wrong"]
    set: str
    split: Split = "open"


class FoundPair(Struct, frozen=True):
    """A pair that is found now, at the first commit of those looked at that has it."""

    commit: str
    one: str
    other: str
    message: str
    label: str = "unread"


class _Loaded:
    """The files that agents load at a commit. Answers what the rule asks of a knowledge base."""

    def __init__(self, repo: Repo, commit: str) -> None:
        self._repo = repo
        self._oids = {
            path: entry.oid
            for path, entry in repo.tree(commit).items()
            if entry.mode not in (SYMLINK, SUBMODULE) and _is_loaded(path)
        }
        self._agreed: dict[str, AgreedFacts] = {}

    @cached_property
    def texts(self) -> dict[str, bytes]:
        return {p: self._repo.objects.read(oid) or b"" for p, oid in self._oids.items()}

    @cached_property
    def places(self) -> dict[str, tuple[Place, ...]]:
        memory = DocClass.MEMORY
        return {
            path: tuple(Place(path, memory, c) for c in extract(text, path, memory).claims)
            for path, text in sorted(self.texts.items())
        }

    def agreed(self, path: str) -> AgreedFacts:
        if path not in self._agreed:
            self._agreed[path] = AgreedFacts(a for p in self.places[path] for a in agreed_facts(p))
        return self._agreed[path]

    def loaded_with(self, path: str) -> tuple[str, ...]:
        if self._is_narrow(path):
            return ()
        scope = loaded_for(path)
        return tuple(
            p
            for p in self.places
            if p != path and loaded_for(p) == scope and not self._is_narrow(p)
        )

    def on_base(self, place: Place) -> bool:
        del place
        return True

    def _is_narrow(self, path: str) -> bool:
        text = self.texts[path][:4000].decode(errors="replace")
        return is_scoped_kind(path) and is_narrowed(text)


def _is_loaded(path: str) -> bool:
    known = loaded_for(path) is not None and classify(DEFAULTS, path) is DocClass.MEMORY
    return known and not matches(NEVER_GLOBS, path, fold=True)


def read_pair_labels(path: Path = LABELS) -> list[PairLabel]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=PairLabel) for line in lines if line]


class Agreement(Struct, frozen=True):
    """What is found in clones, and the labels of pairs that are not found there."""

    commits: int
    found: tuple[FoundPair, ...]
    missed: tuple[PairLabel, ...]


def walked(clones: Iterable[str], labels: Sequence[PairLabel], most: int) -> Agreement:
    """Pairs of clones: at the commits of their labels, and at up to `most` others, evenly drawn
    from those that changed a file that agents load."""
    commits, found, missed = 0, list[FoundPair](), list[PairLabel]()
    for clone in clones:
        with Repo(clone, own=False) as repo:
            known = [x for x in labels if repo.objects.get(x.commit) is not None]
            dates = list(dict.fromkeys([*(x.commit for x in known), *_commits(repo, most)]))
            pairs = {(p.one, p.other, p.message): p for c in reversed(dates) for p in _at(repo, c)}
            commits += len(dates)
            for pair in pairs.values():
                verdicts = [x.verdict for x in known if _is_same(x, pair)]
                found.append(msgspec.structs.replace(pair, label=(*verdicts, "unread")[0]))
            missed += [x for x in known if not any(_is_same(x, p) for p in pairs.values())]
    return Agreement(commits, tuple(found), tuple(missed))


def _is_same(label: PairLabel, pair: FoundPair) -> bool:
    return {label.one, label.other} == {pair.one, pair.other}


def _commits(repo: Repo, most: int) -> list[str]:
    listed = repo.run("log", "--first-parent", "--format=%H", "--", *_FILES).decode().split()
    return listed[:: max(1, len(listed) // most)][:most] if most else []


def _at(repo: Repo, commit: str) -> Iterator[FoundPair]:
    loaded = _Loaded(repo, commit)
    for places in loaded.places.values():
        for place in places:
            for finding in detect(place, loaded):
                if finding.other is not None:
                    one, other = (f"{p.path}:{p.claim.line}" for p in (place, finding.other))
                    yield FoundPair(commit, one, other, finding.message.partition(";")[0])
                    break


def as_text(run: Agreement) -> str:
    counts = Counter(p.label for p in run.found)
    lines = [f"{p.label}: {p.commit[:12]} {p.one}: {p.message}" for p in run.found]
    lines += [f"not found ({x.verdict}): {x.commit[:12]} {x.one} {x.other}" for x in run.missed]
    told = ", ".join(f"{n} {label}" for label, n in sorted(counts.items())) or "none"
    return "".join(f"{line}\n" for line in (*lines, f"{run.commits} commits; pairs: {told}"))


def as_json(run: Agreement) -> str:
    return msgspec.json.encode(run).decode() + "\n"

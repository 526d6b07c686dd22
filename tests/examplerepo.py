"""The examples of rules, run: a small repository, a change that is staged, what the hook makes of
it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeVar
from unittest.mock import patch

import msgspec
from msgspec.structs import replace
from repos import Files, Repo

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Decision
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.records.review_log import Review, digest_of, log_path
from grounded_ingest.references.registry import VERIFIERS
from grounded_ingest.report.evidence_files import plan_evidence
from grounded_ingest.report.findings import list_findings
from grounded_ingest.report.selection import mute_findings
from grounded_ingest.repository.scope import Asked
from grounded_ingest.rules.example import MEMORY, Example
from grounded_ingest.rules.registry import DETECTORS

T = TypeVar("T")
ADR = "docs/adr/0001-decision.md"
TITLE = "# Notes\n\n"
RELATED = {"duplicate", "repeat", "conflicting-update", "contradiction"}
"""Rules about two claims."""


class Shown(NamedTuple):
    """What a run says of an example: the decision on its last claim, and the problems; and every
    line of its report, by rule."""

    decision: Decision | None
    problems: frozenset[str]
    said: tuple[tuple[str, str], ...]

    @property
    def rule(self) -> str:
        return self.decision.rule if self.decision else ""


class Yard(Repo):
    """One repository for all examples; each begins where the first commit left it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.start = self.commit({"README.md": "# Gateway\n"})

    def show(self, example: Example | str) -> Shown:
        """Run one example, as the hook would."""
        told = Example(example) if isinstance(example, str) else example
        self._begin()
        self._land(told)
        self.stage({**_written(told), **told.change})
        if told.review == "approve in the change":
            self.stage(self._log(told.path, "approve"))
        with _broken(told.breaks):
            return self._run(
                lambda r: Shown(_last(r, told.path), _problems(r), _said(r)), told.online
            )

    def show_together(self, texts: Sequence[str]) -> dict[str, str]:
        """The rules that decide texts, each in a document of its own, from a single check. Leaves
        out a text that repeats or contradicts another: its rule alone may be another one."""
        self._begin()
        pages = {f"area{n}/{MEMORY}": text for n, text in enumerate(texts)}
        self.stage({path: f"{TITLE}{text}\n" for path, text in pages.items()})
        decided = {d.place.path: d for d in self.decisions()}
        return {
            text: decided[path].rule
            for path, text in pages.items()
            if path in decided and RELATED.isdisjoint(f.rule for f in decided[path].findings)
        }

    def _begin(self) -> None:
        self.git("read-tree", "--reset", "-u", self.start)
        self.git("update-ref", "refs/heads/main", self.start)
        shutil.rmtree(self.root / ".git/grounded-ingest", ignore_errors=True)

    def _land(self, told: Example) -> None:
        """Commits the files of base."""
        files: Files = dict(told.base)
        if told.adr:
            files[ADR] = f"# 1. Decision\n\nStatus: accepted\n\n## Decision\n\n{told.adr}\n"
        if told.config:
            files[".grounded-ingest.yaml"] = told.config + "\n"
        landed = told.review in ("approve", "reject")
        if told.was or landed:
            files[told.path] = f"{TITLE}{told.was or told.text}\n"
        if landed:
            self.stage(files)
            files |= self._log(told.path, told.review)
        if files:
            self.commit(files, "Add what the examples need")

    def _log(self, path: str, action: str) -> Files:
        """A review log with an action on the last claim of a staged document."""
        documents = self._run(lambda result: result.documents)
        document = next(d for d in documents if d.path == path)
        claim = document.extraction.claims[-1]
        line = Review(
            id=claim.id,
            section=claim.section,
            action=action,  # type: ignore[arg-type]
            reviewer="ann@example.org",
            reviewed_at="2026-01-05T12:00:00.000Z",
            ordinal=claim.ordinal,
            claim=claim.text,
            digest=digest_of(claim.text, claim.context),
            context=document.extraction.context(claim),
        )
        return {log_path(path): msgspec.json.encode(line) + b"\n"}

    def _run(self, read: Callable[[Result], T], online: bool = False) -> T:
        with Opened(str(self.root), own=False) as opened:
            result = run(opened, Asked("staged"), Options(online=online, cache=False))
            try:
                return read(result)
            finally:
                result.kb.index.close()


@contextmanager
def _broken(rule: str) -> Iterator[None]:
    """Let the check of a rule raise: its detectors, or the verifiers for `citations`."""

    def fail(*_: object) -> NoReturn:
        raise ValueError("boom")

    detectors = {rules: fail for rules in DETECTORS if rule in rules.split()}
    verifiers = dict.fromkeys(VERIFIERS, fail) if rule == "citations" else {}
    assert bool(rule) == bool(detectors or verifiers)
    with patch.dict(DETECTORS, detectors), patch.dict(VERIFIERS, verifiers):
        yield


def _written(told: Example) -> Files:
    """The document with the text added."""
    if not told.text:
        return {}
    if not told.path.endswith(".md"):
        return {told.path: told.text}
    before = told.base.get(told.path, TITLE)
    assert isinstance(before, str)
    return {told.path: f"{before}{'' if before == TITLE else chr(10)}{told.text}\n"}


def _said(result: Result) -> tuple[tuple[str, str], ...]:
    stale = plan_evidence(result, heal=False).stale
    report = mute_findings(result).report
    report = replace(report, problems=(*report.problems, *stale))
    return tuple((e.rule, e.sentence()) for e in list_findings(report))


def _last(result: Result, path: str) -> Decision | None:
    decided = [d for d in result.report.decisions if d.place.path == path]
    return decided[-1] if decided else None


def _problems(result: Result) -> frozenset[str]:
    problems = mute_findings(result).report.problems
    if result.scoped.tree.is_dir(".grounded/evidence"):
        problems += plan_evidence(result, heal=False).stale
    return frozenset(p.rule for p in problems)

"""Checks one repository repeatedly in a long-running process: a hook of an agent, MCP or LSP.

A check reads the current state of the repository. Later checks reuse only the loaded code, the
index on disk and parsed texts.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager

from grounded_ingest.config.settings import Config, class_and_exclusion
from grounded_ingest.git.repository import Repo, path_below
from grounded_ingest.git.trees import forget_texts
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, Progress, Result, run
from grounded_ingest.report.findings import ReportItem, list_findings
from grounded_ingest.report.fixes import drop_unfixable
from grounded_ingest.repository.judging_config import configured_base, judging_config
from grounded_ingest.repository.scope import NOTHING, Asked, resolve_scope


class Session:
    """Runs checks of the repository that contains a directory. Writes no file except the index. If
    `landed` is true, the configuration on the base branch is used instead of the configuration on
    disk. If `patient` is false, a long git history is not read."""

    def __init__(self, directory: str, *, landed: bool = False, patient: bool = True) -> None:
        self.directory, self._landed, self._patient = directory, landed, patient

    def repository(self, *, staged: bool = False) -> Repo:
        """Opens the repository. Raises GroundedIngestError if there is none."""
        return Repo(self.directory, staged=staged)

    @contextmanager
    def check(self, asked: Asked, *, progress: Progress = lambda _: None) -> Iterator[Result]:
        """Runs a check and yields its result. Closes the index of the result afterwards."""
        with self.repository(staged=asked.mode == "staged") as repo:
            options = Options(online=False, landed=self._landed, patient=self._patient)
            result = run(repo, asked, options, progress)
            try:
                yield drop_unfixable(result)
            finally:
                result.kb.index.close()
                forget_texts()

    def count_documents(self) -> tuple[Config, int]:
        """Returns the configuration that applies, and the number of documents."""
        with self.repository() as repo:
            scoped = resolve_scope(repo, NOTHING, configured_base(repo, NOTHING), os.environ)
            judging = judging_config(scoped, explicit="", isolated=False, landed=self._landed)
            config = judging.config
            found = (class_and_exclusion(config, path) for path in scoped.tree.files)
            return config, sum(kind is not None and not excluded for kind, excluded in found)

    def check_proposed(
        self, path: str, text: str, progress: Progress = lambda _: None
    ) -> AbstractContextManager[Result]:
        """Yields the result of checking a file as if `text` were its content. `path` is relative to
        the repository root. Does not write the file."""
        asked = Asked("worktree", (path,), proposed=((path, text.encode(errors="replace")),))
        return self.check(asked, progress=progress)

    def from_root(self, path: str) -> str:
        """Returns a path relative to the repository root. Raises GroundedIngestError if the path is
        outside the repository."""
        with self.repository() as repo:
            return path_below(repo.root, os.path.join(self.directory, path))


def actionable(report: Report) -> list[ReportItem]:
    """Returns the errors and warnings in a report, without the notes, in their order."""
    return [e for e in list_findings(report) if e.severity in ("error", "warning")]


def lines_with(text: str, added: Collection[str]) -> frozenset[int]:
    """Returns the numbers, counted from 1, of the lines in `text` that equal an added line, apart
    from surrounding whitespace. If no line equals it, returns the lines that contain it: an agent
    often replaces only a part of a line."""
    rows = [line.strip() for line in text.split("\n")]
    whole = set(rows)
    found: set[int] = set()
    for sought in {line.strip() for line in added} - {""}:
        equal = sought in whole
        found |= {n for n, row in enumerate(rows, 1) if (row == sought if equal else sought in row)}
    return frozenset(found)

"""One repository, asked again and again: what agents' hooks, MCP and LSP share.

Each question reads the state of that moment: what is ready is code, the index on disk, and what is
known of texts that were read before.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from grounded_ingest.config.settings import Config, classified
from grounded_ingest.git.repository import Repo, path_below
from grounded_ingest.git.trees import forget_texts
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, Progress, Result, run
from grounded_ingest.report.findings import ReportItem, list_findings
from grounded_ingest.repository.judging_config import configured_base, judging_config
from grounded_ingest.repository.scope import Asked, resolve_scope

NOTHING = ".git"
"""A path that is no document: the repository is opened, and nothing of it judged."""


class Session:
    """Questions about the repository around a directory. Nothing is written but the index.

    `landed`: base's configuration judges, as in the hook, not the one on disk. `patient`: a long
    history may be read."""

    def __init__(
        self, directory: str, *, online: bool = False, landed: bool = False, patient: bool = True
    ) -> None:
        self.directory, self._online, self._landed = directory, online, landed
        self._patient = patient

    @contextmanager
    def repository(self, *, staged: bool = False) -> Iterator[Repo]:
        """The repository as it is now. Raises GroundedIngestError where there is none."""
        with Repo(self.directory, staged=staged) as repo:
            yield repo

    @contextmanager
    def checked(
        self, asked: Asked, *, impacted: bool = False, progress: Progress = lambda _: None
    ) -> Iterator[Result]:
        """The result of a check; its index is closed afterwards."""
        with self.repository(staged=asked.mode == "staged") as repo:
            options = Options(
                online=self._online,
                landed=self._landed,
                patient=self._patient,
                impacted=impacted,
            )
            result = run(repo, asked, options, progress)
            try:
                yield result
            finally:
                result.kb.index.close()
                forget_texts()

    def guarded(self) -> tuple[Config, int]:
        """The configuration that judges, and how many files are documents of a class."""
        asked = Asked("worktree", (NOTHING,))
        with self.repository() as repo:
            scoped = resolve_scope(repo, asked, configured_base(repo, asked), os.environ)
            judging = judging_config(scoped, explicit="", isolated=False, landed=self._landed)
            config = judging.config
            found = (classified(config, path) for path in scoped.tree.files)
            return config, sum(kind is not None and not excluded for kind, excluded in found)

    def report(self, asked: Asked, *, impacted: bool = False) -> Report:
        with self.checked(asked, impacted=impacted) as result:
            return result.report

    @contextmanager
    def proposed(
        self, path: str, text: str, progress: Progress = lambda _: None
    ) -> Iterator[Result]:
        """The check of a text as the file at a path (from the root) would be with it."""
        asked = Asked("worktree", (path,), proposed=((path, text.encode(errors="replace")),))
        with self.checked(asked, progress=progress) as result:
            yield result

    def from_root(self, path: str) -> str:
        """A path of this machine from the repository's root. Raises GroundedIngestError for one
        that lies elsewhere."""
        with self.repository() as repo:
            return path_below(repo.root, os.path.join(self.directory, path))


def actionable(report: Report) -> list[ReportItem]:
    """What somebody can act on, in the order of the report."""
    return [e for e in list_findings(report) if e.severity in ("error", "warning")]


def lines_with(text: str, added: Collection[str]) -> frozenset[int]:
    """The lines of a text, from 1, that hold one of the added lines."""
    sought = {line.strip() for line in added} - {""}
    return frozenset(n for n, line in enumerate(text.split("\n"), 1) if line.strip() in sought)

"""No git process outlives the object that asked it, even if its user forgot to close it."""

from __future__ import annotations

import gc
import subprocess
import warnings
from pathlib import Path

import pytest

from grounded_ingest.git.repository import Repo as Opened
from tests.repos import Repo


def test_a_repository_that_nobody_closed_ends_its_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In CI the warning of a running `git cat-file` failed whichever test ran when it was found."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"a.md": "a\n"})
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def noted(*args: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(start(*args, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opened = Opened(str(repo.root), own=False, staged=True)
        assert opened.head()
        opened.circle = opened  # type: ignore[attr-defined]  # only the garbage collector finds it
        del opened
        gc.collect()
    assert len(started) == 4
    assert [p for p in started if p.poll() is None] == []
    assert all(p.stdout is not None and p.stdout.closed for p in started)

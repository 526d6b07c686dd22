"""The soak: a history is made again through the real hook, and what grows is called so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repos import NOTES, Repo, page

from benchmarks.soak import MARK, Made, figures, processes_with, replay

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
MB = 1_000_000
LEFT = ("temporary", "left")


def made(number: int, **grown: Any) -> Made:
    usual = Made("c", "", number % 2, 1, 0.3, 0.2, 50 * MB, number * MB, 0, 0, 0, 0)
    return usual._replace(**grown)


@pytest.mark.parametrize("field", [None, *LEFT])
def test_what_is_left_is_told(field: str | None) -> None:
    run = [made(n, **({field: int(n == 5)} if field else {})) for n in range(16)]
    grew = [series.what for series in figures(run) if series.flat is False]
    assert len(grew) == bool(field)


def test_a_history_is_made_again(tmp_path: Path) -> None:
    """Its trees are those of the history, beside what the set-up and the hook wrote."""
    repo = Repo(tmp_path / "history")
    repo.commit({"src/app.py": "PORT = 8443\n", NOTES: page("The port is 8443 (`src/app.py:1`).")})
    repo.commit({"src/app.py": "PORT = 8444\n", "docs/odd näme.md": page("Pages are short.")})
    repo.commit({NOTES: None, "memory-bank/more.md": page("I think that the port is 8445.")})
    out = tmp_path / "rows.jsonl"
    run = replay(str(repo.root), 2, 0, str(out))
    assert [json.loads(line) for line in out.read_text().splitlines()] == [m._asdict() for m in run]
    assert [(m.refused, m.documents, m.code) for m in run] == [("", 1, 1), ("", 2, 0)]
    for commit in run:
        assert 0 < commit.cpu < 20
        assert commit.hook > 10 * MB
        assert commit.kept > 0
        assert (commit.temporary, commit.left) == (0, 0)
    assert all(series.flat is not False for series in figures(run))


def test_a_process_that_is_left_is_found(tmp_path: Path) -> None:
    variable = f"{MARK}={tmp_path}"
    with subprocess.Popen(["sleep", "60"], env=dict([variable.split("=")])) as left:
        assert list(processes_with(variable.encode())) == [left.pid]
        left.kill()
    assert not list(processes_with(variable.encode()))

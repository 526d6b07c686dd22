"""Paths that code blocks list."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

NOTES = "docs/flow.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "work")


def found(repo: Repo) -> list[tuple[str, int, str]]:
    problems = repo.check("all").report.problems
    return [(p.rule, p.line, p.message) for p in problems if p.rule.startswith("refuted")]


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ("home/data → core/common, core/network\ncore/network -> core/common", [4]),
        ("core/common\ncore/network  # calls\nhome/data  (cards)", [6]),
        ("core/common\nhome/data", []),  # one path of the list exists
        ("core/common\ncore/network\nhome/never", []),  # nobody removed it
        ("core/common\ncore/network\ncp home/data x", []),  # no list of paths
        ("core/common\ncore/network\nhome:*, home/*", []),
    ],
)
def test_a_list_of_paths(repo: Repo, rows: str, wrong: list[int]) -> None:
    repo.commit({"core/common/a.kt": "1", "core/network/b.kt": "2", "home/data/c.kt": "3"})
    repo.commit({"home/data/c.kt": None, NOTES: f"# Modules\n\n```\n{rows}\n```\n"})
    assert [line for _, line, _ in found(repo)] == wrong
    text = f"# Modules\n\nThe generated files:\n\n```\n{rows}\n```\n"
    repo.commit({NOTES: text})
    assert found(repo) == []

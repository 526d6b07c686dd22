"""Paths that code blocks list, and lines of files that drawings in code blocks cite."""

from __future__ import annotations

from pathlib import Path

import pytest
from historic import ABOVE, SOURCE
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


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("// home/data/c.kt", [4]),
        ("# home/data/c.kt (excerpt)", [4]),
        ("// data/c.kt", [4]),
        ("// part/e.kt", []),  # an example that was made from a package that is gone
        ("// core/common/a.kt", []),
        ("// home/data/conftest.py", []),  # any project has one
        ("// home/data/never.kt", []),  # perhaps a file of the example
        ("# home/data/never.sh", []),
        ("val x = 1 // home/data/c.kt", []),
        ("// see home/data/c.kt", []),
    ],
)
def test_a_file_in_the_title_of_a_code_block(repo: Repo, row: str, wrong: list[int]) -> None:
    gone = {"home/data/c.kt": "3", "home/data/conftest.py": "5", "home/part/e.kt": "6"}
    repo.commit({"core/common/a.kt": "1", "home/data/d.kt": "4", **gone})
    text = f"# Data\n\n```{{}}\n{row}\nval x = 1\n```\n"
    repo.commit({**dict.fromkeys(gone), NOTES: text.format("kotlin")})
    assert [line for _, line, _ in found(repo)] == wrong
    if row.startswith("# "):
        repo.commit({NOTES: text.format("sh")})
        assert [line for _, line, _ in found(repo)] == wrong
    dated = text.format("kotlin")
    repo.commit({NOTES: None, "docs/adr/0001-data.md": dated, "docs/plans/data.md": dated})
    assert found(repo) == []


def test_a_drawn_line_that_moved(repo: Repo) -> None:
    drawn = "# Flow\n\n```{}\nmain\n  -> {}\n```\n".format
    repo.commit({"src/app.py": SOURCE})
    repo.commit({NOTES: drawn("", "GATEWAY_PORT (app.py:3)"), "a.md": drawn("py", "app.py:3")})
    assert found(repo) == []
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ((rule, line, said),) = found(repo)
    assert (rule, line) == ("refuted-citation[line]", 5)
    assert said == "src/app.py:3: the cited line is now line 5, in src/app.py::GATEWAY_PORT"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("start (src/app.py:99)", [4]),
        ("start (other.py:99)", []),  # no file of the tree
        ("app.py:99: error: nope", []),  # output of a compiler
    ],
)
def test_a_drawn_line_beyond_the_end(repo: Repo, row: str, wrong: list[int]) -> None:
    repo.commit({"src/app.py": SOURCE, NOTES: f"# Flow\n\n```\n{row}\n```\n"})
    assert [line for _, line, _ in found(repo)] == wrong

"""Paths of this machine as Windows writes them: `os.path` is that of Windows for these functions."""

from __future__ import annotations

import ntpath
import os

import pytest

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import lies_in, path_below
from grounded_ingest.git.trees import Tree
from grounded_ingest.repository.lookup import FileLine, parse_place

ROOT = "C:/work/repo"  # as git says it


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "path", ntpath)
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "getcwd", lambda: "C:\\work\\repo\\docs")


@pytest.mark.parametrize(
    ("path", "directory", "within"),
    [
        ("C:\\work\\repo\\docs\\a.md", ROOT, True),
        ("c:/WORK/repo/a.md", ROOT, True),
        ("C:\\work\\repo", ROOT, True),
        ("C:\\", "C:\\", True),
        ("C:\\work\\repository\\a.md", ROOT, False),
        ("D:\\work\\repo\\a.md", ROOT, False),
        ("\\\\server\\share\\repo\\a.md", ROOT, False),
        ("\\\\server\\share\\repo\\a.md", "//server/share/repo", True),
    ],
)
def test_what_lies_in_a_directory(path: str, directory: str, within: bool) -> None:
    assert lies_in(path, directory) is within


@pytest.mark.parametrize(
    ("path", "below"),
    [
        ("C:\\work\\repo\\docs\\a.md", "docs/a.md"),
        ("c:\\work\\REPO\\docs\\A.md", "docs/A.md"),
        ("C:\\work\\repo\\docs\\..\\a.md", "a.md"),
        ("..\\src\\app.py", "src/app.py"),
        ("..\\..\\other\\a.md", ""),
        ("D:\\a.md", ""),
        ("\\\\server\\share\\a.md", ""),
    ],
)
def test_a_path_as_git_names_it(path: str, below: str) -> None:
    if below:
        assert path_below(ROOT, path) == below
        return
    with pytest.raises(GroundedIngestError, match="is outside the repository"):
        path_below(ROOT, path)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("a.md:3", FileLine("docs/a.md", 3)),
        ("docs\\a.md:3", FileLine("docs/a.md", 3)),  # from the root
        ("C:\\work\\repo\\docs\\a.md:3:1", FileLine("docs/a.md", 3)),
        ("c:/Work/repo/docs/a.md", FileLine("docs/a.md", 0)),
        ("D:\\a.md:3", None),
        ("..\\..\\a.md:3", None),
    ],
)
def test_what_is_asked_for(asked: str, found: FileLine | None) -> None:
    tree = Tree(None, {"docs/a.md": None})  # type: ignore[arg-type, dict-item]  asked for names alone
    if found:
        assert parse_place(asked, ROOT, tree) == found
        return
    with pytest.raises(GroundedIngestError, match="is outside the repository"):
        parse_place(asked, ROOT, tree)

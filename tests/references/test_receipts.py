"""Receipts of missing paths: what became of them, and hints that have to be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo, ask, path

from grounded_ingest.model.claims import Citation, Verdict
from grounded_ingest.text.names import near_name

ROWS = "".join(f"row {n}\n" for n in "abcdefghij")
PART = "".join(f"row {n}\n" for n in "abc") + "".join(f"new {n}\n" for n in "abcdefg")
OTHER = "".join(f"other {n}\n" for n in "abcdefghij")
TREE: Files = {
    "docs/Setup.md": "# Setup\n",
    "docs/guide.md": "# Guide\n",
    "src/widget.tsx": "x\n",
    "src/server/settings.py": "x\n",
    "src/server/step1.py": "x\n",
    "src/store/index.py": "x\n",
    "lib/rows.py": ROWS,
    "lib/other.py": OTHER,
    "lib/last.py": OTHER + ROWS,
    "lib/first.py": ROWS + OTHER + ROWS,
    "lib/pack/a.py": ROWS,
    "lib/pack/b.py": OTHER,
    "app/types/index.ts": "x\n",
    "app/rows/index.ts": "x\n",
    "app/view.ts": "x\n",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`lib/rows.py` was rewritten as `new/rows.py`, `lib/other.py` went while a namesake came, and
    `lib/pack` was moved."""
    repo = Repo(tmp_path_factory.mktemp("receipts"))
    repo.commit(TREE)
    repo.commit({"lib/rows.py": None, "new/rows.py": PART}, "Rewrite rows")
    namesake = "".join(f"{n} is new\n" for n in "abcdefghij")
    repo.commit({"lib/other.py": None, "far/other.py": namesake}, "Drop other")
    repo.git("mv", "lib/pack", "packages")
    repo.commit(message="Move pack")
    repo.git("mv", "lib/first.py", "lib/second.py")
    repo.commit(message="Rename first")
    repo.git("mv", "lib/second.py", "lib/third.py")
    repo.commit(message="Rename second")
    repo.git("mv", "lib/last.py", "lib/final.py")
    repo.commit(message="Rename last")
    final = {"lib/final.py": None, "lib/final/__init__.py": "", "docs/setup.txt": "a"}
    repo.commit(final, "Drop final")
    repo.commit({"docs/setup.txt": None, "docs/Setup.txt": "b"}, "Write it in capitals")
    folders: Files = {"app/types/index.ts": None, "app/rows/index.ts": None, "app/view.ts": None}
    repo.commit(folders, "Drop folders")
    two: Files = {"app/rows.ts": "y\n", "app/rows.js": "y\n", "app/view.tsx": "z\n"}
    repo.commit({"app/types.ts": "y\n", "app/types.md": "y\n", **two}, "Add files")
    return repo


@pytest.mark.parametrize(
    ("citation", "said"),
    [
        (path("docs/setup.md"), "no such file: the name is docs/Setup.md"),
        (path("setup.md", link=True), "no such file: the name is docs/Setup.md"),
        (path("docs/setup.txt"), "no such file: the name is docs/Setup.txt"),
        (path("Docs/guide.md"), "no such file: the name is docs/guide.md"),
        (path("src/widget.ts"), "no such file; perhaps src/widget.tsx"),
        (path("src/store.py"), "no such file; perhaps src/store/"),
        (path("src/server/setting.py"), "no such file; perhaps src/server/settings.py"),
        (path("guides.md", link=True), "no such file; perhaps docs/guide.md"),
        (path("src/server/settings.rs"), "no such file"),
        (path("src/server/step2.py"), "no such file"),
        (path("src/server/index.py"), "no such file"),
        (path("lib/rows.py"), "deleted in * “Rewrite rows”), which added new/rows.py"),
        (path("lib/other.py"), "deleted in * “Drop other”)"),
        (
            path("lib/last.py"),
            "renamed to lib/final.py, which was deleted in *); there is lib/final/",
        ),
        (path("lib/first.py"), "moved to lib/third.py in * “Rename second”)"),
        (path("lib/pack/a.py"), "moved to packages/a.py in *)"),
        (path("lib/pack/"), "moved to packages/ in *)"),
        (path("app/types/"), "deleted in * “Drop folders”); there is app/types.ts"),
        (path("app/rows/"), "deleted in * “Drop folders”)"),
        (path("app/view.ts"), "deleted in * “Drop folders”); there is app/view.tsx"),
    ],
    ids=str,
)
def test_receipt(repo: Repo, citation: Citation, said: str) -> None:
    found = ask(repo, citation, document="docs/notes.md")
    assert found is not None
    assert found.verdict is Verdict.REFUTED
    start, _, end = said.partition("*")
    assert found.reason.startswith(start)
    assert found.reason.endswith(end) if end else found.reason == said


def test_a_text_may_say_that_the_former_spelling_is_gone(repo: Repo) -> None:
    found = ask(repo, path("docs/setup.txt", around=("gone",)), document="docs/notes.md")
    assert found is not None
    assert found.verdict is Verdict.UNKNOWN


def test_a_name_alone_in_other_case_is_no_path(repo: Repo) -> None:
    found = ask(repo, path("setup.md"), document="docs/notes.md")
    assert found is None or found.verdict is not Verdict.REFUTED or "Setup" in found.reason


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("ci:test", "test:ci"),
        ("test-ci", "test:ci"),
        ("buidl", "build"),
        ("builds", "build"),
        ("guild", ""),
        ("form", ""),
        ("step3", ""),
    ],
)
def test_near_name(name: str, near: str) -> None:
    assert near_name(name, ["test:ci", "build", "from", "step1", "step2"]) == near


def test_of_several_near_names_none_is_meant() -> None:
    assert near_name("stored", ["store", "stores"]) == ""


def test_a_directory_that_was_emptied(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"old/deep/a.py": ROWS})
    repo.commit({"old/deep/a.py": None, "new/b.py": ROWS})
    found = ask(repo, path("old/deep/"))
    assert found is not None
    assert found.reason.startswith("deleted in ")


def test_of_many_copies_the_one_with_the_path_of_the_text_is_named(tmp_path: Path) -> None:
    """Git names any of the copies with the same text (contour's CONTRIBUTING.md)."""
    repo = Repo(tmp_path)
    repo.commit({"site/docs/main/config/api.html": ROWS})
    copies = {f"content/v{n}/api.html": ROWS for n in range(3)}
    repo.commit({"site/docs/main/config/api.html": None, **copies}, "Copy")
    repo.commit({"content/docs/main/config/api.html": PART}, "Generate")
    found = ask(repo, path("site/docs/main/config/api.html"))
    assert found is not None
    assert "there is content/docs/main/config/api.html" in found.reason

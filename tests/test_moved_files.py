"""A text is old only where it stood in a document of the same or a stricter class before."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo, page

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.findings import fails_at, list_findings
from grounded_ingest.repository.scope import Asked

CLAIMS = (
    "The gateway listens on port 8443.",
    "The ledger is kept in one table.",
    "The worker retries every job four times.",
)
FACTS = "memory-bank/facts.md"


def listed(repo: Repo, mode: str, start: str = "HEAD~1", *paths: str) -> set[str]:
    """The claims that a check counts as new, of all documents."""
    asked = Asked(mode, paths, start=start if mode == "range" else "")  # type: ignore[arg-type]
    with Opened(str(repo.root), own=False) as opened:
        result = run(opened, asked, Options(online=False, cache=False))
        result.kb.index.close()
    return {d.place.claim.text for d in result.report.counted}


def moved(repo: Repo, old: str, new: str, content: str, mode: str) -> None:
    """Move a file as a change of this mode: staged, committed, or only on disk."""
    repo.write({old: None, new: content})
    if mode != "worktree":
        repo.git("add", "-A")
    if mode == "range":
        repo.commit()


@pytest.mark.parametrize("mode", ["staged", "range", "worktree"])
@pytest.mark.parametrize(
    ("old", "more"),
    [
        ("tests/data/sample.md", {}),
        ("notes.txt", {}),
        ("tools/notes.py", {}),
        ("vendor/lib/README.md", {}),
        ("docs/drafts/a.md", {".grounded-ingest.yaml": "exclude: ['docs/drafts/']\n"}),
        ("docs/a.md", {}),
        ("docs/adr/0001-a.md", {}),
        (".grounded/notes.md", {}),
    ],
)
def test_a_file_moved_into_memory_is_new(tmp_path: Path, old: str, more: Files, mode: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({old: page(*CLAIMS), **more})
    moved(repo, old, FACTS, page(*CLAIMS), mode)
    assert listed(repo, mode) == set(CLAIMS)


@pytest.mark.parametrize("mode", ["staged", "range"])
def test_a_file_moved_among_memories_is_old(tmp_path: Path, mode: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({"memory-bank/old.md": page(*CLAIMS)})
    moved(repo, "memory-bank/old.md", FACTS, page(*CLAIMS, "A fourth statement, new."), mode)
    assert listed(repo, mode) == {"A fourth statement, new."}


@pytest.mark.parametrize("mode", ["staged", "range", "worktree"])
@pytest.mark.parametrize("kept", [0, 2, 20], ids=["other text", "below", "above"])
def test_a_move_with_edits_is_new(tmp_path: Path, mode: str, kept: int) -> None:
    """Whether git takes it for a rename (half of the lines alike) or not."""
    same = [f"Statement number {n} of the file is this one." for n in range(kept)]
    edits = [f"Another thing number {n} is said in this text." for n in range(8)]
    repo = Repo(tmp_path)
    repo.commit({"tests/data/a.md": page(*same, *CLAIMS)})
    moved(repo, "tests/data/a.md", FACTS, page(*same, *edits), mode)
    assert listed(repo, mode) == {*same, *edits}


@pytest.mark.parametrize("mode", ["staged", "range"])
def test_a_file_moved_out_of_a_stricter_class_is_old(tmp_path: Path, mode: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({FACTS: page(*CLAIMS)})
    moved(repo, FACTS, "docs/facts.md", page(*CLAIMS, "A fourth statement, new."), mode)
    assert listed(repo, mode) == {"A fourth statement, new."}


def test_a_moved_file_fails_a_strict_repository(tmp_path: Path) -> None:
    """A move into a stricter class makes the text new: its wrong reference counts."""
    repo = Repo(tmp_path)
    wrong = "Read `src/missing.py` first."
    repo.commit({"tests/data/a.md": page(wrong), "src/a.py": "A = 1\n"})
    moved(repo, "tests/data/a.md", FACTS, page(wrong), "staged")
    result = repo.check()
    assert fails_at(list_findings(result.report), result.config.fail_on)


MODES = ["staged", "range", "worktree"]
SHOWS: list[tuple[Files, Files]] = [
    ({"CLAUDE.md": "# Claude\n"}, {"CLAUDE.md": "# Claude\n\n@notes.txt\n"}),
    ({}, {"CLAUDE.md": "link:notes.txt"}),
    ({"more.txt": "@notes.txt\n"}, {"CLAUDE.md": "# Claude\n\n@more.txt\n"}),
    (
        {"CLAUDE.md": "# Claude\n\n@a/CLAUDE.md\n", "a/CLAUDE.md": "@notes.txt\n", "a/notes.txt": "A.\n"},
        {"a/notes.txt": None},
    ),
    ({}, {".grounded-ingest.yaml": "classes: {memory: ['notes.txt']}\n"}),
    (
        {".grounded-ingest.yaml": "preset: strict\n"},
        {".grounded-ingest.yaml": "classes: {memory: ['notes.txt']}\npreset: strict\n"},
    ),
    (
        {".grounded-ingest.yaml": "classes: {memory: ['*.txt']}\nexclude: ['notes.*']\n"},
        {".grounded-ingest.yaml": "classes: {memory: ['*.txt']}\n"},
    ),
]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("before", "change"),
    SHOWS,
    ids=["import", "link", "import of an import", "import led elsewhere", "first configuration",
         "configuration", "no longer excluded"],
)  # fmt: skip
def test_a_file_that_becomes_a_memory_where_it_lies_is_new(
    tmp_path: Path, before: Files, change: Files, mode: str
) -> None:
    repo = Repo(tmp_path)
    repo.commit({"notes.txt": page(*CLAIMS), "x": "1", **before})
    repo.write(change)
    if mode != "worktree":
        repo.git("add", "-A")
    if mode == "range":
        repo.commit()
    assert set(CLAIMS) <= listed(repo, mode)
    repo.commit()
    repo.stage({"x": "2", "CLAUDE.md" if "CLAUDE.md" not in change else "y.md": "# Claude\n"})
    assert not set(CLAIMS) & listed(repo, "staged"), "once it has landed it is old"


@pytest.mark.parametrize("mode", MODES)
def test_what_was_imported_before_is_old(tmp_path: Path, mode: str) -> None:
    """Another line beside the import, and the imported file itself edited."""
    repo = Repo(tmp_path)
    repo.commit({"notes.txt": page(*CLAIMS), "CLAUDE.md": "# Claude\n\n@notes.txt\n"})
    repo.write({
        "notes.txt": page(*CLAIMS, "A fourth statement, new."),
        "CLAUDE.md": "# Claude\n\n@notes.txt\n\nA fifth statement, new.\n",
    })  # fmt: skip
    if mode != "worktree":
        repo.git("add", "-A")
    if mode == "range":
        repo.commit()
    assert listed(repo, mode) == {"A fourth statement, new.", "A fifth statement, new."}


def test_an_edit_elsewhere_does_not_list_what_another_imports(tmp_path: Path) -> None:
    """An agent's hook names the files it wrote; an import in another file is not its doing."""
    repo = Repo(tmp_path)
    repo.commit({"notes.txt": page(*CLAIMS), "CLAUDE.md": "# Claude\n", FACTS: "# F\n"})
    repo.write({"CLAUDE.md": "# Claude\n\n@notes.txt\n", FACTS: "# F\n\nThis one is new.\n"})
    assert listed(repo, "worktree", "", FACTS) == {"This one is new."}
    assert set(CLAIMS) <= listed(repo, "worktree", "", "CLAUDE.md")


def test_a_link_that_becomes_a_file_of_its_own_words_is_new(tmp_path: Path) -> None:
    """Nobody read the target of a link as a text: git keeps the same object for both."""
    text = "The gateway listens on port 8443."
    repo = Repo(tmp_path)
    repo.commit({FACTS: f"link:{text}"})
    repo.stage({FACTS: None})
    repo.stage({FACTS: text})
    assert listed(repo, "staged") == {text}


def test_a_configuration_on_a_branch_lists_a_file_once(tmp_path: Path) -> None:
    """The commit that brings the configuration, and the request as a whole; not every commit."""
    repo = Repo(tmp_path)
    landed = repo.commit({"notes.txt": page(*CLAIMS), ".grounded-ingest.yaml": "preset: strict\n"})
    repo.git("update-ref", "refs/remotes/origin/main", landed)
    repo.git("checkout", "-q", "-b", "topic")
    config = "classes: {memory: ['notes.txt']}\npreset: strict\n"
    repo.stage({".grounded-ingest.yaml": config})
    assert listed(repo, "staged") == set(CLAIMS)
    repo.commit()
    repo.stage({FACTS: "# F\n\nThis one is new.\n"})
    assert listed(repo, "staged") == {"This one is new."}
    repo.commit()
    assert listed(repo, "range", "origin/main") == {*CLAIMS, "This one is new."}

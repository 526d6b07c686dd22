"""What became of cited files and lines, each with a real history."""

from __future__ import annotations

from pathlib import Path

import pytest
from auditing import (
    ABOVE,
    DOCUMENT,
    NAME,
    PAGE,
    POINTING,
    SOURCE,
    audited,
    items,
    only,
    with_evidence,
)
from repos import Repo

from grounded_ingest.audit.model import EvidenceState


def test_nothing_happened(repo: Repo) -> None:
    found = only(repo)
    assert (found.state, found.cited, found.line) == (EvidenceState.OK, "src/app.py:3", 3)
    assert not found.recorded


def test_lines_inserted_above_move_the_quote(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "src/app.py:5", True)


def test_evidence_that_was_made_after_the_move_hides_nothing(repo: Repo) -> None:
    repo.commit({DOCUMENT: POINTING})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    with_evidence(repo)
    found = only(repo)
    assert (found.state, found.to, found.recorded) == (EvidenceState.MOVED, "src/app.py:5", True)


def test_a_rewrapped_line_is_known_by_its_evidence(repo: Repo) -> None:
    repo.commit({DOCUMENT: POINTING})
    with_evidence(repo)
    wrapped = POINTING.replace("See ", "See\n")
    repo.commit({DOCUMENT: wrapped, "src/app.py": ABOVE + SOURCE})
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.MOVED, "src/app.py:5")


def test_an_uncommitted_edit_beside_it_keeps_its_origin(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    repo.write({DOCUMENT: PAGE.replace("# Progress", "# Progress\n\nMore words than before here.")})
    found = only(repo)
    assert (found.state, found.line, found.to) == (EvidenceState.MOVED, 5, "src/app.py:5")


def test_a_line_that_is_not_committed_means_what_stands_there_now(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    repo.write({DOCUMENT: PAGE.replace("app.py:3", "app.py:5")})
    assert only(repo).state is EvidenceState.OK


def test_a_quote_in_two_places_is_listed_and_not_certain(repo: Repo) -> None:
    repo.commit({"src/app.py": f"{ABOVE}GATEWAY_PORT = 8443\n{SOURCE}"})
    found = [i for i in items(repo) if i.state is EvidenceState.MOVED]
    # Line 3 is one of the two places: what stands there still is the quote.
    assert found == []
    repo.commit({"src/app.py": f"import os\n{ABOVE}GATEWAY_PORT = 8443\n{SOURCE}"})
    moved = only(repo)
    assert (moved.state, moved.certain, moved.to) == (EvidenceState.MOVED, False, "")
    assert moved.candidates == ("src/app.py:4", "src/app.py:7")


def test_a_changed_quote(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE.replace("8443", "9443")})
    found = only(repo)
    assert (found.state, found.certain) == (EvidenceState.CHANGED, False)


def test_a_changed_range_names_where_its_ends_went(repo: Repo) -> None:
    page = PAGE.replace(":3`", ":3-7`")
    repo.commit({DOCUMENT: page})
    repo.commit({"src/app.py": ABOVE + SOURCE.replace("start(host)", "start(address)")})
    found = only(repo)
    assert (found.state, found.candidates) == (EvidenceState.CHANGED, ("src/app.py:5-9",))


def test_indentation_is_no_change(repo: Repo) -> None:
    repo.commit({"src/app.py": SOURCE.replace("GATEWAY_PORT = 8443", "  GATEWAY_PORT = 8443")})
    assert only(repo).state is EvidenceState.OK


def test_a_file_cut_short_lost_its_quote(repo: Repo) -> None:
    repo.commit({"src/app.py": '"""The gateway."""\n'})
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.CHANGED, "")


def test_a_renamed_file_with_its_lines(repo: Repo) -> None:
    repo.git("mv", "src/app.py", "src/gateway.py")
    commit = repo.commit()
    found = only(repo)
    assert (found.state, found.to, found.commit) == (
        EvidenceState.MOVED,
        "src/gateway.py:3",
        commit,
    )
    assert found.certain


def test_renamed_and_edited_and_renamed_again(repo: Repo) -> None:
    repo.git("mv", "src/app.py", "src/gateway.py")
    repo.commit()
    repo.commit({"src/gateway.py": ABOVE + SOURCE})
    repo.write({"lib": None} if (repo.root / "lib").exists() else {})
    (repo.root / "lib").mkdir()
    repo.git("mv", "src/gateway.py", "lib/gateway.py")
    repo.commit()
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "lib/gateway.py:5", True)


def test_a_deleted_file_is_gone_with_the_commit(repo: Repo) -> None:
    removing = repo.commit({"src/app.py": None}, "drop the gateway")
    repo.commit({"README.md": "# Later\n"})
    found = only(repo)
    assert (found.state, found.commit, found.to) == (EvidenceState.GONE, removing, "")
    assert removing[:12] in found.reason


def test_deleted_in_the_work_tree_alone(repo: Repo) -> None:
    repo.write({"src/app.py": None})
    found = only(repo)
    assert (found.state, found.commit) == (EvidenceState.GONE, "")
    assert "work tree" in found.reason


@pytest.mark.parametrize("written", ["`app.py`", "[app](../src/app.py)", "`./src/app.py`"])
def test_bare_paths_and_links(repo: Repo, written: str) -> None:
    page = f"# Progress\n\nThe gateway is started by {written} with its host.\n"
    repo.commit({DOCUMENT: page})
    assert only(repo).state is EvidenceState.OK
    removing = repo.commit({"src/app.py": None})
    found = only(repo)
    assert (found.state, found.commit, found.cited) == (EvidenceState.GONE, removing, "src/app.py")


def test_a_directory_that_was_renamed(repo: Repo) -> None:
    page = "# Progress\n\nEverything of the gateway stands below `src/` today.\n"
    repo.commit({DOCUMENT: page, "src/more.py": "def more():\n    return 'more of the same'\n"})
    repo.git("mv", "src", "lib")
    repo.commit()
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "lib/", True)


def test_a_directory_that_was_torn_apart_is_gone(repo: Repo) -> None:
    page = "# Progress\n\nEverything of the gateway stands below `src/` today.\n"
    repo.commit({DOCUMENT: page, "src/more.py": "def more():\n    return 'more of the same'\n"})
    (repo.root / "one").mkdir()
    (repo.root / "two").mkdir()
    repo.git("mv", "src/app.py", "one/app.py")
    repo.git("mv", "src/more.py", "two/more.py")
    commit = repo.commit()
    found = only(repo)
    assert (found.state, found.commit, found.certain) == (EvidenceState.GONE, commit, False)


def test_empty_files_are_no_rename(repo: Repo) -> None:
    page = "# Progress\n\nThe package begins at `src/__init__.py` and nowhere else.\n"
    repo.commit({DOCUMENT: page, "src/__init__.py": ""})
    repo.commit({"src/__init__.py": None, "lib/__init__.py": ""})
    assert only(repo).state is EvidenceState.GONE


def test_what_was_never_there_is_missing(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.replace("app.py", "nothing.py")})
    found = only(repo)
    assert (found.state, found.commit) == (EvidenceState.MISSING, "")


def test_what_is_said_to_be_gone_is_no_evidence(repo: Repo) -> None:
    repo.commit({DOCUMENT: "# Progress\n\nWe removed `src/app.py` when the proxy came.\n"})
    repo.commit({"src/app.py": None})
    assert items(repo) == []


def test_a_document_that_moved_keeps_its_relative_links(repo: Repo) -> None:
    page = "# Progress\n\nThe gateway is started by [this](../src/app.py#L6) and its host.\n"
    repo.commit({DOCUMENT: page})
    repo.git("mv", DOCUMENT, "memory-bank/state.md")
    repo.commit()
    repo.commit({"src/app.py": ABOVE + SOURCE})
    found = only(repo)
    assert (found.path, found.to) == ("memory-bank/state.md", "src/app.py:8")


def test_blank_lines_tell_nothing(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.replace(":3`", ":2`")})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    assert only(repo).state is not EvidenceState.MOVED


def test_ignored_files_were_not_looked_at(repo: Repo) -> None:
    page = "# Progress\n\nThe build writes its result to `src/out.py` every time.\n"
    repo.commit({DOCUMENT: page, "src/out.py": "X = 1\n"})
    repo.commit({"src/out.py": None, ".gitignore": "out.py\n"})
    found = only(repo)
    assert (found.state, found.reason) == (EvidenceState.UNKNOWN, "ignored by git")


def test_a_shallow_clone_says_what_it_could_not_look_at(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"src/app.py": None})
    repo.commit({"README.md": "# Later\n"})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    clone = Repo(tmp_path / "shallow")
    found = only(clone)
    assert found.state is EvidenceState.UNKNOWN
    assert "shallow" in found.reason


def test_shallow_lines_move_only_by_their_sidecar(repo: Repo, tmp_path: Path) -> None:
    source = SOURCE.replace(NAME, "PORT")
    repo.commit({DOCUMENT: POINTING, "src/app.py": source})
    with_evidence(repo)
    repo.commit({"src/app.py": ABOVE + SOURCE})
    repo.commit({DOCUMENT: POINTING, "src/app.py": ABOVE + source})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    found = only(Repo(tmp_path / "shallow"))
    # Nine letters and digits: too little to be sure without the text they stood in.
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "src/app.py:5", False)


@pytest.mark.parametrize("empty", [True, False])
def test_an_empty_repository_and_one_without_documents(tmp_path: Path, empty: bool) -> None:
    made = Repo(tmp_path / "empty")
    if not empty:
        made.commit({"src/app.py": SOURCE})
    report = audited(made)
    assert (report.documents, report.claims, report.items) == (0, 0, ())
    assert report.worst == 0


def test_paths_name_what_is_audited(repo: Repo) -> None:
    repo.commit({"docs/more.md": PAGE})
    report = audited(repo, "docs")
    assert [i.path for i in report.items] == ["docs/more.md"]

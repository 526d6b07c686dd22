"""Files and quotes that went somewhere else, in the ways that need a second look."""

from __future__ import annotations

import pytest
from auditing import ABOVE, DOCUMENT, PAGE, SOURCE, ask, items, only
from repos import Repo

from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.audit.run import audit
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.pipeline import Options


def test_renamed_and_then_removed(repo: Repo) -> None:
    repo.git("mv", "src/app.py", "src/app.py.old")
    repo.commit()
    removing = repo.commit({"src/app.py.old": None})
    found = only(repo)
    assert (found.state, found.commit) == (EvidenceState.GONE, removing)
    assert "renamed to src/app.py.old, which was removed in" in found.reason


def test_removed_by_a_merge_itself(repo: Repo) -> None:
    repo.git("switch", "-q", "-c", "topic")
    repo.commit({"README.md": "# Topic\n"})
    repo.git("switch", "-q", "main")
    repo.commit({"docs/more.txt": "more\n"})
    repo.git("merge", "-q", "--no-commit", "--no-ff", "topic")
    merge = repo.commit({"src/app.py": None}, "merge, and drop the gateway")
    found = only(repo)
    assert (found.state, found.commit) == (EvidenceState.GONE, merge)


def test_a_copy_made_before_is_named_and_not_certain(repo: Repo) -> None:
    page = "# Progress\n\nThe gateway is started by `src/app.py` with its host.\n"
    repo.commit({DOCUMENT: page, "lib/gateway.py": SOURCE})
    repo.commit({"src/app.py": None})
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "lib/gateway.py", False)


def test_a_link_that_a_moved_document_left_behind(repo: Repo) -> None:
    page = "# Progress\n\nThe gateway is started by [this file](more/start.md) and its host.\n"
    repo.commit({DOCUMENT: page, "memory-bank/more/start.md": "# Start\n"})
    (repo.root / "memory-bank/old").mkdir()
    repo.git("mv", DOCUMENT, "memory-bank/old/progress.md")
    repo.commit()
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.MOVED, "memory-bank/more/start.md")
    assert ask(repo, "--fix").returncode == 0
    text = (repo.root / "memory-bank/old/progress.md").read_text()
    assert text == page.replace("more/start.md", "../more/start.md")


@pytest.mark.parametrize(
    "sentence",
    ["The old name was `src/app.py` for long.", "For existing projects you can use `src/app.py`."],
)
def test_a_sentence_about_the_past_is_not_certain(repo: Repo, sentence: str) -> None:
    repo.commit({DOCUMENT: f"# Progress\n\n{sentence}\n"})
    repo.git("mv", "src/app.py", "src/gateway.py")
    repo.commit()
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "src/gateway.py", False)


def test_a_quote_that_left_its_file(repo: Repo) -> None:
    body = "def start(host):\n    return serve(host, GATEWAY_PORT)\n"
    repo.commit({DOCUMENT: PAGE.replace(":3`", ":6-7`")})
    repo.commit({"src/app.py": SOURCE.replace(body, ""), "src/start.py": f"import app\n\n{body}"})
    found = only(repo)
    assert (found.state, found.to, found.certain) == (
        EvidenceState.MOVED,
        "src/start.py:3-4",
        False,
    )
    repo.commit({"src/again.py": body})
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.MOVED, "")
    assert found.candidates == ("src/again.py:1-2", "src/start.py:3-4")


def test_a_line_that_stood_in_both_files_did_not_move(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.replace(":3`", ":7`"), "src/start.py": SOURCE})
    repo.commit({"src/app.py": SOURCE.replace("return serve(host, GATEWAY_PORT)", "return None")})
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.CHANGED, "")


def git_commands(repo: Repo) -> int:
    with Opened(str(repo.root), own=False) as opened:
        audit(opened, Options(online=False, cache=False)).result.kb.index.close()
        return opened.processes


def test_files_are_searched_once_for_all_quotes(repo: Repo) -> None:
    def lines(of: str) -> str:
        return "".join(f"def {of}_{n}(): return 'a line that says enough {n}'\n" for n in range(9))

    def page(upto: int) -> str:
        said = (f"Line {n} says enough of it (`src/many.py:{n}`).\n\n" for n in range(1, upto))
        return f"# Progress\n\n{''.join(said)}"

    counted = []
    for upto in (3, 9):
        repo.commit({"src/many.py": lines("old"), DOCUMENT: page(upto)})
        repo.commit({"src/many.py": lines("new"), "src/there.py": f"\n{lines('old')}"})
        assert {(i.state, i.to[:13]) for i in items(repo)} == {("moved", "src/there.py:")}
        counted.append(git_commands(repo))
        repo.commit({"src/there.py": None})
    assert counted[0] == counted[1]


def test_code_does_not_move_into_a_document_that_quotes_it(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.replace(":3`", ":7`")})
    quoting = f"# Start\n\n```python\n{SOURCE}```\n"
    changed = SOURCE.replace("return serve(host, GATEWAY_PORT)", "return None")
    repo.commit({"src/app.py": changed, "notes/start.md": quoting})
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.CHANGED, "")


def test_a_citation_that_was_wrong_from_the_start_is_not_carried_on(repo: Repo) -> None:
    text = "Sessions expire after one day in every region of the world (`src/app.py:3`)."
    repo.commit({DOCUMENT: f"# Progress\n\n{text}\n"})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "", False)
    assert found.candidates == ("src/app.py:5",)
    assert "no word" in found.reason
    repo.git("mv", "src/app.py", "src/gateway.py")
    repo.commit()
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "src/gateway.py", False)
    assert found.candidates == ("src/gateway.py:5",)
    assert found.reason.startswith("renamed in ")


@pytest.mark.parametrize(
    "sentence",
    [
        "Pages that speak of `src/app.py` are outdated and wait for a rewrite.",
        "The removal of the old `src/app.py` waits for the next release of all.",
        "The plan keeps the legacy module (`src/app.py`) for two more weeks.",
        "Keep `src/app.py` renamed for one week after the merge of this.",
        "It all begins in `src/app.py` (that file was squashed into the baseline).",
        "Deprecate `src/app.py` at once, or use the bridge with its warnings.",
    ],
)
def test_a_sentence_that_says_it_is_gone_is_right(repo: Repo, sentence: str) -> None:
    repo.commit({DOCUMENT: f"# Progress\n\n{sentence}\n"})
    repo.commit({"src/app.py": None})
    found = only(repo)
    assert (found.state, found.cited) == (EvidenceState.OK, "src/app.py")
    assert "the sentence says so" in found.reason


@pytest.mark.parametrize(
    "sentence",
    [
        "Drop the gRPC calls of the gateway from `src/app.py` in spring.",
        "The gateway of `src/app.py` listens on a port that is removed from the pool.",
    ],
)
def test_a_removal_of_something_else_is_no_excuse(repo: Repo, sentence: str) -> None:
    repo.commit({DOCUMENT: f"# Progress\n\n{sentence}\n".replace("is removed", "is dropped")})
    repo.commit({"src/app.py": None})
    assert only(repo).state is EvidenceState.GONE


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (DOCUMENT, "On 2026-01-16 the gateway got its start in `src/app.py` for all."),
        ("memory-bank/archive/start.md", "The gateway is started by `src/app.py` with its host."),
        ("docs/audit-report-2025-10-17.md", "The gateway is started by `src/app.py` alone."),
    ],
)
def test_a_record_keeps_the_name_of_its_day(repo: Repo, document: str, sentence: str) -> None:
    repo.commit({DOCUMENT: None, "docs/more.txt": "more\n"})
    repo.commit({document: f"# Progress\n\n{sentence}\n"})
    repo.git("mv", "src/app.py", "src/gateway.py")
    repo.commit()
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "src/gateway.py", False)

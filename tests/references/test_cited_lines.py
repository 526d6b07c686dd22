"""Cited lines are compared with what they said when their sentence was written; `path::name` finds a
definition wherever it is in its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from historic import ABOVE, DOCUMENT, NAME, PAGE, SOURCE, made, only, wrong
from repos import Repo

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.reference_rules import reference_rule, severity_of


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return made(Repo(tmp_path_factory.mktemp("historic") / "work"))


@pytest.fixture
def repo(template: Repo, tmp_path: Path) -> Repo:
    return template.copy(tmp_path / "work")


def test_lines_that_did_not_move_hold(repo: Repo) -> None:
    assert wrong(repo) == []
    repo.commit({"src/app.py": SOURCE + "\n\nSTOP = 1\n"})
    assert wrong(repo) == []


def test_lines_inserted_above_move_the_cited_line(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    found = only(repo)
    reason = "the cited line is now line 5, in src/app.py::GATEWAY_PORT"
    assert (found.reason, found.instead) == (reason, "src/app.py:5")
    assert severity_of(reference_rule(found)) == "error"


def test_several_lines_move_together(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.replace(":3`", ":6-7`").replace("listens", "starts")})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    assert only(repo).reason == "the cited lines are now lines 8-9, in src/app.py::start"


def test_a_code_change_that_is_not_committed_counts(repo: Repo) -> None:
    repo.write({"src/app.py": ABOVE + SOURCE})
    assert only(repo).instead == "src/app.py:5"


def test_an_edit_beside_the_citation_leaves_its_date(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    repo.write({DOCUMENT: PAGE.replace("# Progress", "# Progress\n\nMore words than before here.")})
    assert only(repo).instead == "src/app.py:5"


def test_a_sentence_written_today_means_today(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    repo.write({DOCUMENT: PAGE.replace("app.py:3", "app.py:5")})
    assert wrong(repo) == []


def test_a_replaced_line_is_a_warning_that_shows_both(repo: Repo) -> None:
    repo.commit({"src/app.py": SOURCE.replace(f"{NAME} = 8443", "from settings import *")})
    found = only(repo)
    assert found.reason == (
        f"the text was “{NAME} = 8443” when this was written, and is “from settings import *” now"
    )
    assert reference_rule(found) == "refuted-citation[changed-line]"
    assert severity_of(reference_rule(found)) == "warning"


@pytest.mark.parametrize(
    "after",
    [
        SOURCE.replace(f"{NAME} = 8443", f"{NAME}: int = 8443"),
        SOURCE.replace(f"{NAME} = 8443", f"  {NAME} = 8443  # the port"),
    ],
    ids=["typed", "indented"],
)
def test_an_edited_line_is_still_the_line(repo: Repo, after: str) -> None:
    repo.commit({"src/app.py": after})
    assert wrong(repo) == []


def test_an_edit_that_takes_the_claims_number_away_is_shown(repo: Repo) -> None:
    repo.commit({"src/app.py": SOURCE.replace("8443", "9443")})
    assert only(repo).reason == (
        f"the text was “{NAME} = 8443” when this was written, and is “{NAME} = 9443” now"
    )


def test_a_file_cut_short_says_where_the_line_went(repo: Repo) -> None:
    repo.commit({"src/app.py": f"{NAME} = 8443\n"})
    assert only(repo).reason == "the cited line is now line 1, in src/app.py::GATEWAY_PORT"
    repo.commit({"src/app.py": '"""The gateway."""\n'})
    assert only(repo).reason == "src/app.py has 1 line"


def test_of_several_places_the_aligned_one_is_meant(repo: Repo) -> None:
    repo.commit({"src/app.py": f"{ABOVE}{SOURCE}\n{NAME} = 8443\n"})
    assert only(repo).instead == "src/app.py:5"


def test_a_line_that_never_said_it_is_no_moved_line(repo: Repo) -> None:
    page = "# Progress\n\nRetries back off exponentially, as `src/app.py:3` has it today.\n"
    repo.commit({DOCUMENT: page})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    assert reference_rule(only(repo)) == "refuted-citation[changed-line]"


@pytest.mark.parametrize("path", ["docs/plans/port.md", "docs/archive/2024.md"])
def test_plans_and_records_keep_their_lines(repo: Repo, path: str) -> None:
    repo.commit({DOCUMENT: "# Progress\n", path: PAGE})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    assert wrong(repo) == []


def test_a_shallow_clone_does_not_know(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    assert wrong(Repo(tmp_path / "shallow")) == []


def test_a_hook_reads_no_history_of_lines(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    repo.stage({DOCUMENT: f"{PAGE}\nThe host is db (`src/app.py:1`).\n"})
    decisions = repo.check("staged").report.decisions
    assert not any(d.wrong for d in decisions)


def branched(repo: Repo, subject: str = "raise the limit to 40") -> str:
    """Makes a commit on a branch that is not merged; returns its id."""
    repo.git("switch", "-q", "-c", "topic")
    commit = repo.commit({"src/limit.py": "LIMIT = 40\n"}, subject)
    repo.git("switch", "-q", "main")
    return commit


def cite(repo: Repo, commit: str) -> None:
    text = f"The limit was raised in commit {commit} for all tenants."
    repo.commit({DOCUMENT: f"# Progress\n\n{text}\n"})


def test_a_rebased_commit_names_the_one_that_landed(repo: Repo) -> None:
    commit = branched(repo)
    repo.commit({"README.md": "# More\n"})
    repo.git("cherry-pick", commit)
    landed = repo.git("rev-parse", "HEAD")
    cite(repo, commit[:9])
    found = only(repo)
    assert (
        found.reason == "the commit is not on the base branch; its change is there as "
        f"{landed[:12]} (same patch)"
    )
    assert found.instead == landed


def test_two_commits_with_that_patch_are_not_certain(repo: Repo) -> None:
    commit = branched(repo)
    repo.commit({"README.md": "# More\n"})
    repo.git("cherry-pick", commit)
    repo.git("revert", "--no-edit", "HEAD")
    repo.git("cherry-pick", commit)
    cite(repo, commit[:12])
    assert only(repo, Verdict.UNKNOWN).instead == ""


@pytest.mark.parametrize(
    ("subject", "message", "how"),
    [
        ("raise the limit", "raise the limit (#12)", "same subject, (#12)"),
        ("raise the limit", "Limits (#12)\n\n* raise the limit\n\n* test\n", "commit contains"),
    ],
)
def test_a_squashed_commit(repo: Repo, subject: str, message: str, how: str) -> None:
    commit = branched(repo, subject)
    landed = repo.commit({"src/limit.py": "LIMIT = 40\n", "src/more.py": "MORE = 1\n"}, message)
    cite(repo, commit[:12])
    found = only(repo, Verdict.UNKNOWN)
    assert landed[:12] in found.reason
    assert how in found.reason
    assert found.instead == ""


def test_a_commit_that_never_landed_is_unknown(repo: Repo) -> None:
    commit = branched(repo)
    cite(repo, commit[:12])
    assert wrong(repo) == []


CODE = (
    "TIMEOUT = 30\n\n\ndef decode(token):\n    return verify_token(token, TIMEOUT)\n\n\n"
    "class Store:\n    def load(self):\n        raise KeyError\n\n\nclass Other:\n"
    "    def load(self):\n        return 1\n"
)


CITED = (
    ("`decode` returns `verify_token` (`src/a.py::decode`).", "cited", "decode"),
    ("`TIMEOUT` is 30 (`src/a.py::TIMEOUT`).", "cited", "TIMEOUT"),
    ("`load` raises a `KeyError` (`src/a.py::Store.load`).", "cited", "Store.load"),
    ("`load` raises a `KeyError` (`src/a.py#Store.load`).", "cited", "Store.load"),
    ("`load` raises a `KeyError` (`src/a.py::Other.load()`).", "cited", "Other.load"),
    ("`load` raises a `KeyError` (`src/a.py::load`).", "ungrounded", "load"),
    ("`encode` returns it (`src/a.py::encode`).", "refuted-citation", "encode"),
    ("The token is local (`src/a.py::token`).", "ungrounded", "token"),
    ("`TIMEOUT` is set here (`src/a.py::TIMEOUT`).", "cited", "TIMEOUT"),
    ("`TIMEOUT` is 31 (`src/a.py::TIMEOUT`).", "refuted-citation", "TIMEOUT"),
)


def test_a_definition_is_what_is_cited(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": CODE, "src/b.go": "package b\n\nfunc Run() {}\n"})
    judged = repo.judge_each(claim for claim, *_ in CITED)
    for claim, rule, target in CITED:
        decided = judged[claim]
        targets = [e.target for e in decided.own_evidence if e.kind == "symbol"]
        assert decided.rule == rule, (claim, decided.own_evidence)
        assert f"src/a.py::{target}" in targets, claim


def test_a_definition_that_moves_stays_cited(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": "import os\n\n" + CODE, "README.md": "# A\n"})
    assert repo.judge("`TIMEOUT` is 30 (`src/a.py::TIMEOUT`).").rule == "cited"


def test_a_file_that_cannot_be_parsed_is_unknown(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": "def decode(:\n"})
    assert repo.judge("It decodes (`src/a.py::decode`).").rule == "ungrounded"

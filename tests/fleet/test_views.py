"""The joins of `views.sql`, on rows with true and false twins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.fleet.elsewhere import answer_questions, cited_on_page
from grounded_ingest.fleet.jobs import Question
from grounded_ingest.fleet.survey import _fact
from grounded_ingest.fleet.tables import read_questions
from grounded_ingest.git.repository import Repo
from grounded_ingest.statements.agreed_facts import StatedFact
from tests.fleet.conftest import Fleet
from tests.fleet.planted_tables import Row, ask, planted
from tests.repos import Repo as RealRepo

EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def fact(repository: str, subject: str, slot: str, value: str, *, true: bool = True) -> Row:
    stated = _fact(StatedFact(slot, value, 0, subject, true))
    return {**stated, "repository": repository, "path": "AGENTS.md", "line": 5}


def history(repository: str, *texts: str) -> list[Row]:
    """The versions of AGENTS.md, newest first."""
    return [
        {"repository": repository, "path": "AGENTS.md", "position": position, "blob": text,
         "written_at": f"2026-01-{28 - position:02d}T00:00:00Z"}
        for position, text in enumerate(texts)
    ]  # fmt: skip


def test_the_views_of_real_repositories(fleet: Fleet) -> None:
    def rows(sql: str) -> list[tuple[Any, ...]]:
        return ask(fleet.out, sql)

    everybody = ["gateway", "ledger", "mailer"]
    found = rows("SELECT text, claims, repositories, named FROM repetitions ORDER BY text")
    assert [(r[0].split()[0], *r[1:]) for r in found] == [
        ("Every", 3, 3, everybody), ("Never", 3, 3, everybody),
    ]  # fmt: skip
    assert rows(
        "SELECT slot, subject, shared, value, repository FROM contradictions ORDER BY value"
    ) == [
        ("port", "auth gateway", True, "8443", "gateway"),
        ("port", "auth gateway", True, "9443", "mailer"),
    ]
    assert rows(
        "SELECT repository, path, side, versions_since, files, moved FROM drift ORDER BY ALL"
    ) == [
        ("gateway", "CLAUDE.md", "stayed", 0, 3, 1),
        ("ledger", "CLAUDE.md", "moved", 1, 3, 1),
        ("mailer", "CLAUDE.md", "stayed", 0, 3, 1),
    ]
    assert rows(
        "SELECT target, verdict, reason, there FROM elsewhere_verdicts ORDER BY target"
    ) == [
        ("list.py", "unknown", "the fleet does not have this repository", ""),
        ("src/port.py", "confirmed", "", "gateway"),
        ("src/table.py", "refuted", "no such file", "gateway"),
    ]


@pytest.mark.slow  # two thousand repositories are written first
def test_a_text_of_two_thousand_repositories_is_one_row(tmp_path: Path) -> None:
    claims = [
        {"repository": f"r{n:04d}", "path": "AGENTS.md", "text": "Never push.", "said": 7}
        for n in range(2000)
    ]
    short = {"repository": "r0001", "path": "AGENTS.md", "text": "No.", "said": 0}
    planted(tmp_path, claims=[*claims, short, {**short, "repository": "r0002"}])
    assert ask(tmp_path, "SELECT claims, repositories, len(named), place FROM repetitions") == [
        (2000, 2000, 20, "r0000:AGENTS.md")
    ]


def test_values_of_a_repositorys_own_are_told_from_shared_ones(tmp_path: Path) -> None:
    planted(
        tmp_path,
        repositories=[{"repository": n} for n in ("a", "b", "billing-gateway", "server")],
        references=[
            fact("a", "node", "runtime version", "16"), fact("b", "node", "runtime version", "20"),
            fact("a", "server", "port", "3000"), fact("b", "server", "port", "8080"),
            fact("a", "billing gateway", "port", "8443"), fact("b", "billing gateway", "port", "9443"),
            fact("a", "", "package manager", "npm"), fact("b", "", "package manager", "pnpm"),
        ],
    )  # fmt: skip
    assert ask(tmp_path, "SELECT shared, slot, value FROM contradictions ORDER BY ALL") == [
        (False, "package manager", "npm"), (False, "package manager", "pnpm"),
        (False, "port", "3000"), (False, "port", "8080"),
        (False, "runtime version", "16"), (False, "runtime version", "20"),
        (True, "port", "8443"), (True, "port", "9443"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [("16", "20", True), ("20+", "22", False), ("22+", "20", True), ("20", "20.1", False),
     ("20.2", "20.1", True), ("20+", "22+", True), ("20", "22+", True)],
)  # fmt: skip
def test_runtime_versions_that_exclude_each_other(
    tmp_path: Path, one: str, other: str, differ: bool
) -> None:
    stated = [
        fact("a", "node", "runtime version", one),
        fact("b", "node", "runtime version", other),
    ]
    planted(tmp_path, references=stated)
    assert len(ask(tmp_path, "FROM contradictions")) == 2 * differ


def test_two_values_in_copies_of_one_text_are_no_contradiction(tmp_path: Path) -> None:
    planted(
        tmp_path,
        references=[
            fact("c", "ledger", "port", "1000"), fact("c", "ledger", "port", "2000"),
            *(fact(copy, "wiki", "port", v) for copy in ("d", "e", "f") for v in ("1", "2")),
        ],
    )  # fmt: skip
    assert ask(tmp_path, "FROM contradictions") == []


def test_only_values_that_the_standard_excludes_contradict_it(tmp_path: Path) -> None:
    """uv and poetry are package managers of another language than pnpm."""
    planted(
        tmp_path,
        references=[
            fact("std", "", "package manager", "pnpm"), fact("a", "", "package manager", "npm"),
            fact("b", "", "package manager", "uv"), fact("c", "", "package manager", "poetry"),
            fact("d", "", "package manager", "pnpm", true=False),
            fact("e", "", "package manager", "npm", true=False),
        ],
    )  # fmt: skip
    found = ask(tmp_path, read_questions()["rules-that-contradict"].sql, standard="std")
    assert [(r[0], *r[5:]) for r in found] == [("a", "npm", "pnpm"), ("d", "not pnpm", "pnpm")]


def test_a_standard_that_moved_on_leaves_others_behind(tmp_path: Path) -> None:
    """`old` has its first version, which no other file has as its newest common text."""
    planted(
        tmp_path,
        versions=[
            *history("standard", "s3", "s2", "s1"), *history("new", "s3"),
            *history("changed", "mine", "s2"), *history("old", "s1"), *history("alone", "other"),
        ],
    )  # fmt: skip
    sql = "SELECT repository, side, versions_since, moved_at, files, moved FROM drift ORDER BY ALL"
    assert ask(tmp_path, sql) == [
        ("changed", "moved", 1, "2026-01-28T00:00:00Z", 2, 2),
        ("old", "stayed", 0, "", 2, 1),
    ]


def test_a_file_that_came_back_did_not_move_and_empty_files_have_nothing_in_common(
    tmp_path: Path,
) -> None:
    back = [*history("a", "s1", "tried", "s1"), *history("b", "s1")]
    begun = [*history("c", "one", EMPTY_BLOB), *history("d", "two", EMPTY_BLOB)]
    planted(tmp_path, versions=[*back, *begun])
    assert ask(tmp_path, "FROM drift") == []


@pytest.mark.parametrize(
    ("target", "verdict"),
    [("src/port.py", "confirmed"), ("src", "confirmed"), ("src/gone", "refuted"),
     ("tools/gone", "refuted"), ("port.py", "refuted"), ("src/<name>", "unknown")],
)  # fmt: skip
def test_a_page_of_a_forge_shows_exactly_its_path(fleet: Fleet, target: str, verdict: str) -> None:
    page = cited_on_page(f"https://forge.example/org//gateway/tree/main/{target}")
    assert page is not None
    assert page.origin == "forge.example/org/gateway"
    with Repo(str(fleet.base / "gateway"), own=False) as repo:
        [found] = answer_questions(
            repo, [Question(page.kind, page.target, page.first, page.last, page.at)]
        )
    assert found.verdict == verdict


def test_a_look_up_names_the_commit_that_deleted_a_directory(tmp_path: Path) -> None:
    root = RealRepo(tmp_path / "gateway")
    root.commit({"tools/scan/run.sh": "true\n"})
    root.commit({"tools/scan/run.sh": None, "README.md": "Moved.\n"})
    questions = [Question("path", p, at="HEAD") for p in ("tools/scan", "never.md")]
    with Repo(str(root.root), own=False) as repo:
        gone, never = answer_questions(repo, questions)
    assert (gone.verdict, gone.reason[:11]) == ("refuted", "deleted in ")
    assert (never.verdict, never.reason) == ("refuted", "no such file")

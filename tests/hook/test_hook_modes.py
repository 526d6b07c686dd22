"""`pre-commit run` in its forms, pushes, hooks that come later, and the formatter's way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hookrepo import (
    BLOCKED,
    COMMAND,
    CONFIG,
    DOCUMENT,
    LATER_HOOK,
    SENTENCES,
    Repo,
    X,
    evidence_path,
    page,
    with_pre_commit,
)

A, B, C = SENTENCES[:3]
OTHER = "memory/guide.md"


@with_pre_commit
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--all-files"], id="all-files"),
        pytest.param(["--all-files", "--hook-stage", "manual"], id="manual"),
        pytest.param(["--from-ref", "HEAD~1", "--to-ref", "HEAD"], id="range"),
        pytest.param(["--from-ref", "main", "--to-ref", "side"], id="branches"),
        pytest.param(["--files", DOCUMENT], id="files"),
    ],
)
def test_a_run_with_nothing_staged_judges_and_writes_nothing(
    repo: Repo, arguments: list[str]
) -> None:
    repo.given(DOCUMENT, A)
    repo.git("checkout", "--quiet", "-b", "side")
    repo.bypass(OTHER, page(X, BLOCKED))
    before = repo.state()
    ran = repo.pre_commit("run", *arguments)
    assert ran.code == 1, ran.out
    assert f"{OTHER}:5:1: speculation: " in ran.out
    assert "Found 1 problem (1 guess)" in ran.out
    assert repo.state() == before


@with_pre_commit
def test_a_range_judges_what_it_adds_and_nothing_else(repo: Repo) -> None:
    repo.bypass(DOCUMENT, page(A, BLOCKED))
    repo.bypass(OTHER, page(X))
    ran = repo.pre_commit("run", "--from-ref", "HEAD~1", "--to-ref", "HEAD")
    assert ran.code == 0, ran.out
    assert repo.pre_commit("run", "--from-ref", "HEAD~2", "--to-ref", "HEAD~1").code == 1


@with_pre_commit
@pytest.mark.parametrize("known", [False, True])
def test_a_push_is_judged(repo: Repo, tmp_path: Path, known: bool) -> None:
    repo.git("init", "--quiet", "--bare", str(tmp_path / "remote"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote"))
    repo.given(DOCUMENT, A)
    if known:
        repo.git("push", "--quiet", "origin", "main")
    repo.bypass(DOCUMENT, page(A, BLOCKED))
    before = repo.state()
    refused = repo.run("git", "push", "origin", "main")
    assert refused.code != 0
    assert f"{DOCUMENT}:5" in refused.out
    assert repo.state() == before
    repo.bypass(DOCUMENT, page(A, B))
    repo.git("push", "origin", "main")
    assert repo.status() == []


@with_pre_commit
@pytest.mark.parametrize("unstaged", [False, True])
def test_a_later_hook_that_fails_leaves_text_and_evidence_staged(
    repo: Repo, unstaged: bool
) -> None:
    repo.bypass(".pre-commit-config.yaml", CONFIG.format(entry=COMMAND) + LATER_HOOK)
    repo.stage(DOCUMENT, page(A))
    if unstaged:
        repo.write(DOCUMENT, page(A, B))
        repo.write("src/app.py", "PORT = 1\n")
    head = repo.git("rev-parse", "HEAD")
    assert repo.commit().code == 1
    assert repo.git("rev-parse", "HEAD") == head
    assert repo.evidence(where="") == repo.on_disk() == [A]
    assert repo.read(DOCUMENT) == page(A, *([B] if unstaged else []))
    repo.env["SKIP"] = "later"
    repo.expect_commit()
    assert repo.evidence() == [A]
    left = [f" M {DOCUMENT}", " M src/app.py"] if unstaged else []
    assert repo.status() == left


@with_pre_commit
def test_a_later_hook_that_rewrites_the_document(repo: Repo) -> None:
    """The evidence is of the text that lands: the second try, after `git add`, has it right."""
    entry = f"sed -i s/app.py:1/app.py:2/ {DOCUMENT}"
    config = CONFIG.format(entry=COMMAND) + LATER_HOOK.replace('"false"', entry)
    repo.bypass(".pre-commit-config.yaml", config)
    repo.stage(DOCUMENT, page(A))
    assert repo.commit().code == 1
    repo.git("add", DOCUMENT)
    repo.expect_commit()
    assert repo.evidence() == repo.on_disk() == [A.replace(":1", ":2")]
    assert repo.status() == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param(".grounded-ingest.yaml", "stage_evidence: false\n", id="yaml"),
        pytest.param(
            "pyproject.toml", "[tool.grounded-ingest]\nstage_evidence = false\n", id="toml"
        ),
    ],
)
def test_the_formatters_way_writes_and_says_what_to_add(repo: Repo, file: str, text: str) -> None:
    repo.bypass(file, text)
    repo.stage(DOCUMENT, page(A))
    head = repo.git("rev-parse", "HEAD")
    ran = repo.commit()
    assert ran.code == 1
    assert re.search(r"git add .*\.grounded", ran.out)
    assert repo.git("rev-parse", "HEAD") == head
    assert repo.git("ls-files", ".grounded") == ""
    assert repo.on_disk() == [A]
    repo.git("add", ".grounded")
    repo.expect_commit()
    assert repo.changed() == {DOCUMENT, evidence_path(DOCUMENT)}
    assert repo.evidence() == [A]
    assert repo.status() == []


def test_the_configuration_of_the_change_judges_it(repo: Repo) -> None:
    repo.bypass(".grounded-ingest.yaml", "preset: default\n")
    repo.stage(".grounded-ingest.yaml", "preset: advisory\n")
    repo.stage(DOCUMENT, page(BLOCKED))
    out = repo.expect_commit()
    assert f"{DOCUMENT}:3:1: speculation: " in out
    assert (
        "\nFound 1 problem (1 guess) in 1 document; nothing fails, but `preset: default` would fail\n"
        in out
    )


def test_a_commit_that_excludes_its_own_document_says_so(repo: Repo) -> None:
    """The hook printed nothing, because a check without documents finds nothing."""
    repo.bypass(".grounded-ingest.yaml", "preset: default\n")
    repo.stage(".grounded-ingest.yaml", 'exclude: ["memory-bank/**"]\n')
    repo.stage(DOCUMENT, page(BLOCKED))
    loosened = "config-change: this change makes the configuration less strict: exclude memory-bank"
    out = repo.expect_commit()
    assert (out.count(loosened), "no documents to check" in out) == (1, False)


def test_only_edited_sentences_are_recorded(repo: Repo) -> None:
    """`git commit` of one sentence wrote evidence of a whole README, also of its wrong links."""
    repo.bypass(DOCUMENT, page(A, B))
    repo.stage(DOCUMENT, page(A, B, C))
    repo.expect_commit()
    assert repo.evidence() == [C]
    repo.stage(DOCUMENT, page(A, B, C, "Backups are taken at noon."))
    repo.expect_commit()
    assert repo.changed() == {DOCUMENT}
    assert repo.ask("check", "--all", "--locked").code == 0


@pytest.mark.parametrize(
    ("config", "recorded"),
    [("preset: advisory\n", []), ("preset: advisory\nevidence: all\n", [A, B])],
)
def test_advisory_records_only_what_was_asked_for(
    repo: Repo, config: str, recorded: list[str]
) -> None:
    repo.bypass(".grounded-ingest.yaml", config)
    repo.stage(DOCUMENT, page(A, B))
    repo.expect_commit()
    assert repo.evidence() == recorded


def test_advisory_keeps_the_evidence_that_a_document_has(repo: Repo) -> None:
    repo.given(DOCUMENT, A)
    repo.bypass(".grounded-ingest.yaml", "preset: advisory\n")
    repo.land(DOCUMENT, A, B)
    assert repo.evidence() == [A, B]


def test_a_configuration_that_cannot_be_read_stops_with_the_reason(repo: Repo) -> None:
    repo.stage(".grounded-ingest.yaml", "polcy: {}\n")
    repo.stage(DOCUMENT, page(A))
    before = repo.state()
    ran = repo.commit()
    assert ran.code == 1
    assert ".grounded-ingest.yaml" in ran.out
    assert "policy" in ran.out
    assert "Traceback" not in ran.out
    assert repo.state() == before

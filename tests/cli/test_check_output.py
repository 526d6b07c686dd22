"""What `check` prints and where it goes."""

from __future__ import annotations

import json

import pytest
from clirepo import BLOCKED, DOCUMENT, GROUNDED, PAGE, UNGROUNDED, Repo


@pytest.fixture
def blocked(repo: Repo) -> Repo:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\nThe queue holds ten jobs at most.\n")
    return repo


def test_a_blocked_claim_says_where_what_why_and_the_way_out(blocked: Repo) -> None:
    lines = blocked.check().out.splitlines()
    assert lines[0] == f"{DOCUMENT}:13:1: speculation: {BLOCKED}"
    assert lines[1].startswith("    “I think”: ")
    assert lines[2].startswith("    Find out and state it with its source")
    assert lines[3] == f"{DOCUMENT}: 1 claim for review (1 ungrounded)"
    assert lines[4] == "2 changed claims in 1 document: 0 approved, 1 for review, 1 blocked"


def test_quiet_and_verbose(blocked: Repo) -> None:
    quiet, verbose = blocked.check("-q"), blocked.check("-v")
    assert len(quiet.out.splitlines()) == 3
    assert quiet.err == ""
    assert f"{DOCUMENT}:15:1: ungrounded: The queue holds ten jobs at most." in verbose.out


def test_what_waits_is_told_when_asked_for(repo: Repo) -> None:
    assert GROUNDED not in repo.check("--all", "-v").out
    assert UNGROUNDED in repo.check("--all", "-v").out


def test_formats_and_files_in_pairs(blocked: Repo) -> None:
    ran = blocked.check(
        *("--output-format", "json", "--output-file", "a.json"),
        *("--output-format", "jsonl", "--output-file", "b.jsonl"),
        *("--output-format", "text"),
    )
    assert ran.code == 1
    assert ran.out == blocked.check().out
    report = json.loads(blocked.read("a.json"))
    rows = [json.loads(line) for line in blocked.read("b.jsonl").splitlines()]
    assert [r["type"] for r in rows] == ["decision", "decision", "summary"]
    assert report["decisions"] == [{k: v for k, v in r.items() if k != "type"} for r in rows[:2]]
    assert report["summary"] == {k: rows[-1][k] for k in report["summary"]}


def test_the_counts_go_to_stderr_where_stdout_holds_no_text(blocked: Repo) -> None:
    counts = "2 changed claims in 1 document: 0 approved, 1 for review, 1 blocked\n"
    for args in (["--output-format", "json"], ["--output-file", "a.txt"]):
        assert blocked.check(*args).err == counts
        assert blocked.check(*args, "-q").err == ""
    assert blocked.check("--output-file", "-").out == blocked.check().out
    assert blocked.read("a.txt") == blocked.check("-q").out


def test_a_file_that_cannot_be_written(blocked: Repo) -> None:
    (blocked.root / "a.txt").mkdir()
    ran = blocked.check("--output-file", "a.txt")
    assert ran.code == 2
    assert "a.txt" in ran.err


@pytest.mark.parametrize(
    ("args", "claims"),
    [
        ([], 2),
        (["--all"], 4),
        ([DOCUMENT], 4),
        (["memory-bank"], 4),
        (["."], 4),
        (["memory-bank/", "src"], 4),
        (["--since", "HEAD~1"], 2),
        (["--range", "HEAD~1..HEAD"], 2),
        (["--range", "HEAD~1..."], 2),
        (["--range", "HEAD..HEAD"], 0),
        (["--staged"], 2),
    ],
)
def test_scope(blocked: Repo, args: list[str], claims: int) -> None:
    assert blocked.report(*args)["summary"]["claims"] == claims


def test_paths_without_documents_are_named(repo: Repo) -> None:
    ran = repo.check("src", DOCUMENT)
    assert ran.code == 0
    assert ran.err == "src: no document here (see: grounded-ingest explain src)\n"


def test_from_a_subdirectory(repo: Repo) -> None:
    ran = repo.ask("check", "--offline", "progress.md", where="memory-bank")
    assert "2 claims in 1 document" in ran.out


def test_select_and_ignore(blocked: Repo) -> None:
    rules = {d["claim"]: d["rule"] for d in blocked.report("--ignore", "speculation")["decisions"]}
    assert rules[BLOCKED] == "ungrounded"
    rules = {d["claim"]: d["rule"] for d in blocked.report("--select", "duplicate")["decisions"]}
    assert rules[BLOCKED] == "ungrounded"
    rules = {d["claim"]: d["rule"] for d in blocked.report("--select", "speculation")["decisions"]}
    assert rules[BLOCKED] == "speculation"


def test_isolated_and_config(blocked: Repo) -> None:
    blocked.write(".grounded-ingest.yaml", "preset: advisory\n")
    blocked.write("other.yaml", "policy: {speculation: review}\n")
    assert blocked.check().code == 0
    assert blocked.check("--isolated").code == 1
    assert blocked.check("--config", "other.yaml").code == 0
    blocked.write("bad.yaml", "presets: strict\n")
    assert "bad.yaml:1: " in blocked.check("--config", "bad.yaml").err


def test_no_cache_leaves_no_index(blocked: Repo) -> None:
    assert blocked.check("--no-cache", "--fail-on", "never").code == 0
    assert not (blocked.root / ".git" / "grounded-ingest").exists()
    assert blocked.check().code == 1
    assert (blocked.root / ".git" / "grounded-ingest" / "index.sqlite").exists()


def test_progress_is_for_terminals_alone(blocked: Repo) -> None:
    assert blocked.check().err == ""

"""What `check` prints and where it goes."""

from __future__ import annotations

import json

import pytest
from clirepo import BLOCKED, DOCUMENT, GROUNDED, PAGE, UNGROUNDED, Repo

_COUNTS = "2 changed claims in 1 document: 0 of 2 checkable grounded (0%); 1 blocked"
WHOLE = f"{_COUNTS}; the whole of them: 1 of 4 checkable grounded (25%)"


@pytest.fixture
def blocked(repo: Repo) -> Repo:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\nThe queue holds ten jobs at most.\n")
    return repo


def test_a_blocked_claim_says_where_what_why_and_the_way_out(blocked: Repo) -> None:
    lines = blocked.check().out.splitlines()
    assert lines == [
        f"{DOCUMENT}:13:1: speculation: “I think”: The author is guessing. Find out and state it with "
        "its source, or label it as open (“Open questions:”).",
        WHOLE,
    ]


def test_quiet_and_verbose(blocked: Repo) -> None:
    quiet, verbose = blocked.check("-q"), blocked.check("-v")
    assert len(quiet.out.splitlines()) == 1
    assert quiet.err == ""
    assert f"    {BLOCKED}" in verbose.out.splitlines()


def test_what_nobody_can_act_on_is_not_listed(repo: Repo) -> None:
    for args in ((), ("--all",), ("--all", "-v")):
        out = repo.check(*args).out
        assert GROUNDED not in out
        assert UNGROUNDED not in out


def test_doubts_are_listed_for_a_change_and_counted_for_what_stood_there(repo: Repo) -> None:
    hedge = "The export usually ends at noon."
    repo.write("memory-bank/export.md", f"# Export\n\n{hedge}\n")
    assert "memory-bank/export.md:3:1: technical-hedge: “usually”: " in repo.check().out
    told = repo.check("--all").out
    assert "memory-bank/export.md" not in told
    assert "\n1 doubt (1 technical-hedge): -v lists them\n" in f"\n{told}"
    assert hedge in repo.check("--all", "-v").out


def test_a_hedge_in_a_document_for_people_is_said_where_it_alone_is_in_the_way(repo: Repo) -> None:
    repo.write("docs/export.md", f"# Export\n\n{BLOCKED}\n\nThe export usually ends at noon.\n")
    said = repo.check()
    assert (said.code, len(said.out.splitlines())) == (0, 1), said.out
    repo.write("docs/export.md", "# Export\n\nI think [the guide](gone.md) explains it.\n")
    assert "docs/export.md:3:1: refuted-citation: " in repo.check().out
    trust = "sources: {docs/**: manual}\ntrusted_sources: [manual]\n"
    repo.write(".grounded-ingest.yaml", trust)
    repo.write("docs/export.md", f"# Export\n\n{BLOCKED}\n")
    said = repo.check("--config", ".grounded-ingest.yaml")
    assert said.code == 0
    assert "docs/export.md:3:1: speculation: “I think”: " in said.out


def test_what_is_the_same_in_one_document_is_one_line(repo: Repo) -> None:
    said = ("The gateway is explained", "Backups are described", "Every port is listed")
    repo.write("docs/a.md", "# A\n\n" + "".join(f"{s} in [the guide](gone.md).\n\n" for s in said))
    (line,) = [row for row in repo.check().out.splitlines() if row.startswith("docs/a.md")]
    assert line.startswith("docs/a.md:3:")
    assert line.endswith(" (also lines 5, 7)")


def test_what_differs_is_a_line_each_and_all_are_with_v(repo: Repo) -> None:
    """Two contradictions of one other file; with -v each claim has its words."""
    repo.write(
        "CLAUDE.md", "# A\n\nUse pnpm for packages.\n\nThe metrics server listens on port 9100.\n"
    )
    repo.write(
        "AGENTS.md", "# A\n\nUse npm for packages.\n\nThe metrics server listens on port 9200.\n"
    )
    out = repo.check("--all").out.splitlines()
    assert len([row for row in out if row.startswith("CLAUDE.md") and "contradiction" in row]) == 2
    said = ("The gateway is explained", "Backups are described")
    repo.write("docs/a.md", "# A\n\n" + "".join(f"{s} in [the guide](gone.md).\n\n" for s in said))
    listed = repo.check("--all", "-v").out
    assert all(s in listed for s in said)
    assert "(also" not in listed


def test_documents_that_tell_of_a_day_come_last(repo: Repo) -> None:
    for path in ("docs/plans/next.md", "docs/guide.md"):
        repo.write(path, "# A\n\nThe gateway is explained in [the guide](gone.md).\n")
    told = repo.check("--all").out.splitlines()
    assert [row.split(":")[0] for row in told[:1]] == ["docs/guide.md"]
    assert (
        told[1]
        == "1 more in plans, reports and decision records (1 refuted-citation): -v lists them"
    )
    assert len([row for row in repo.check().out.splitlines() if "refuted-citation" in row]) == 2


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
    for args in (["--output-format", "json"], ["--output-file", "a.txt"]):
        assert blocked.check(*args).err == f"{WHOLE}\n"
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
    assert ran.err.startswith("src: no document here (see: ")
    assert ran.err.endswith("grounded-ingest explain src)\n")


def test_from_a_subdirectory(repo: Repo) -> None:
    ran = repo.ask("check", "--offline", "progress.md", where="memory-bank")
    assert "2 claims in 1 document" in ran.out


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

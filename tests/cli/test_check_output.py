"""What `check` prints and where it goes."""

from __future__ import annotations

import json

import pytest
from clirepo import BLOCKED, DOCUMENT, GROUNDED, PAGE, UNGROUNDED, Repo

from grounded_ingest.report.as_text import FEW

LAST = "Found 1 problem (1 guess) in 1 document"


@pytest.fixture
def blocked(repo: Repo) -> Repo:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\nThe queue holds ten jobs at most.\n")
    return repo


def test_a_blocked_claim_says_where_what_why_and_the_way_out(blocked: Repo) -> None:
    lines = blocked.check().out.splitlines()
    assert lines == [
        f"{DOCUMENT}:13:1: speculation: “I think”: The author is guessing. Find out what is true and "
        "state it with its source, or label it as open (“Open questions:”).",
        LAST,
    ]


def test_what_nobody_can_act_on_is_not_listed(repo: Repo) -> None:
    for args in ((), ("--all",), ("--all", "-v")):
        out = repo.check(*args).out
        assert GROUNDED not in out
        assert UNGROUNDED not in out


def test_the_last_line_counts_references_and_no_shares(repo: Repo) -> None:
    repo.write(DOCUMENT, f"{PAGE}\nRead `src/app.py` and https://docs.python.org/3/ first.\n")
    (last,) = repo.check("--all").out.splitlines()
    assert last == "2 references hold in 1 document, 1 skipped"
    assert "%" not in last


def test_a_hook_that_passes_prints_nothing(repo: Repo) -> None:
    repo.write("docs/export.md", "# Export\n\nThe export usually ends at noon.\n")
    repo.git("add", "--all")
    ran = repo.check("--staged")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


@pytest.mark.parametrize("form", ["text", "github", "json"])
def test_a_ci_log_is_silent_where_nothing_is_wrong(repo: Repo, form: str) -> None:
    """Every passing job printed "1 reference holds in 1 document"."""
    repo.env = {**repo.env, "CI": "true"}
    ran = repo.check("--all", "--output-format", form)
    assert (ran.code, ran.err) == (0, "")
    assert bool(ran.out) == (form == "json")


def test_a_terminal_can_open_the_paths_from_a_subfolder(repo: Repo) -> None:
    """Paths from the root led nowhere where somebody worked in `docs/`, and ruff's do."""
    repo.write("docs/a.md", "# A\n\nSee [the guide](gone.md).\n")
    repo.write(DOCUMENT, f"# A\n\n{BLOCKED}\n")
    below = Repo(repo.root / "docs", repo.env)
    printed = below.check("--all").out.splitlines()
    assert [line.partition(":")[0] for line in printed[:2]] == ["a.md", f"../{DOCUMENT}"]
    assert "a.md:3:1: See" in below.ask("explain", printed[0]).out
    assert f"file={DOCUMENT}," in below.check("--all", "--output-format", "github").out


def test_the_counts_stand_once_among_the_annotations(blocked: Repo) -> None:
    """The log of an action showed them on stdout and again on stderr."""
    ran = blocked.check("--output-format", "github")
    assert (ran.out.count(LAST), ran.err) == (1, "")


def test_a_wrong_reference_is_reported_beside_the_row_of_its_claim(repo: Repo) -> None:
    repo.write(DOCUMENT, "# A\n\nI think [the guide](gone.md) explains it.\n")
    out = repo.check().out
    assert f"{DOCUMENT}:3:1: speculation: " in out
    assert f"{DOCUMENT}:3:1: refuted-citation[link]: gone.md: no such file. " in out


def test_a_guess_in_a_document_for_people_stops_nothing(repo: Repo) -> None:
    """Speculation decides in memory and decisions; elsewhere only what would be approved waits."""
    repo.write("docs/export.md", f"# Export\n\n{BLOCKED}\n")
    assert repo.check().out.splitlines() == ["0 references hold in 1 document"]


def test_what_is_the_same_in_one_document_is_one_line(repo: Repo) -> None:
    said = ("The gateway is explained", "Backups are described", "Every port is listed")
    links = zip(said, ("gone.md", "./gone.md", "gone.md"), strict=True)
    repo.write(
        "docs/a.md", "# A\n\n" + "".join(f"{s} in [the guide]({to}).\n\n" for s, to in links)
    )
    (line,) = [row for row in repo.check().out.splitlines() if row.startswith("docs/a.md")]
    assert line.startswith("docs/a.md:3:")
    assert line.endswith(" (also lines 5, 7)")


@pytest.mark.parametrize(("wrong", "lines"), [(FEW, FEW), (FEW + 1, FEW + 1), (FEW + 9, FEW + 1)])
def test_more_findings_of_one_rule_in_one_document_are_counted(
    repo: Repo, wrong: int, lines: int
) -> None:
    repo.write(
        "docs/a.md", "# A\n\n" + "".join(f"Read [it](gone-{n}x.md).\n\n" for n in range(wrong))
    )
    rows = [row for row in repo.check().out.splitlines() if row.startswith("docs/a.md")]
    assert len(rows) == lines
    many = f"docs/a.md: refuted-citation[link]: {wrong - FEW} more, the last in line"
    assert rows[-1].startswith(many) == (wrong > FEW + 1)
    assert repo.check("-v").out.count(": no such file") == wrong


@pytest.mark.parametrize(("wrong", "lines"), [(FEW + 1, FEW + 1), (FEW + 9, FEW + 1)])
def test_documents_with_the_same_finding_are_counted(repo: Repo, wrong: int, lines: int) -> None:
    for n in range(wrong):
        repo.write(f"docs/{n:02}.md", "# A\n\nRead [it](gone.md).\n\nRead [more](late.md).\n")
    rows = [row for row in repo.check().out.splitlines() if "gone.md" in row or " more, " in row]
    last = f"refuted-citation[link]: {wrong - FEW} more, the last in docs/{wrong - 1:02}.md:3; -v prints them"
    assert sum("gone.md" in row for row in rows) == min(wrong, lines) - (wrong > lines)
    assert (last in rows) == (wrong > lines)
    assert repo.check("-v").out.count("gone.md: no such file") == wrong


def test_a_link_repeated_at_many_depths_is_counted(repo: Repo) -> None:
    repo.write("LICENSE", "MIT\n")
    for n in range(FEW + 9):
        repo.write(f"{'deep/' * (n + 1)}README.md", "# A\n\n[MIT](LICENSE)\n")
    rows = repo.check().out.splitlines()
    assert sum("LICENSE: no such file" in row for row in rows) == FEW
    assert any(f"refuted-citation[link]: {9} more, the last in" in row for row in rows)


def test_v_shows_each_claim_and_how_to_ignore_the_finding(repo: Repo) -> None:
    said = ("The gateway is explained", "Backups are described")
    repo.write("docs/a.md", "# A\n\n" + "".join(f"{s} in [the guide](gone.md).\n\n" for s in said))
    listed = repo.check("--all", "-v").out
    assert all(s in listed for s in said)
    assert "(also" not in listed
    assert '<!-- grounded: ignore[refuted-citation[link]] reason="..." -->' in listed


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("a.md", "[it](gone.md)"),
        ("a.mdx", "[it](gone.md)"),
        ("a.adoc", "`src/gone.py`"),
        ("a.rst", "`it <gone.rst>`_"),
    ],
)
def test_the_shown_comment_ignores_the_finding(repo: Repo, name: str, target: str) -> None:
    repo.write(f"docs/{name}", f"Rows.\n\nSee {target}.\n")
    listed = repo.check("--all", "-v").out.splitlines()
    shown = next(r.strip() for r in listed if "grounded: ignore" in r).replace("...", "why")
    # In reStructuredText, the next line would continue the comment.
    gap = "\n\n" if name == "a.rst" else "\n"
    repo.write(f"docs/{name}", f"Rows.\n\n{shown}{gap}See {target}.\n")
    assert "gone" not in repo.check("--all").out


def test_before_a_push_the_way_around_is_of_the_push(blocked: Repo) -> None:
    blocked.git("add", "--all")
    assert "Commit anyway: git commit --no-verify" in blocked.check("--staged").out
    pushed = blocked.check("--staged", PRE_COMMIT_REMOTE_NAME="origin").out
    assert "Push anyway: git push --no-verify" in pushed


def test_vv_lists_what_nobody_has_to_act_on(repo: Repo) -> None:
    assert f"    {UNGROUNDED}" in repo.check("--all", "-vv").out.splitlines()


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
    assert [r["type"] for r in rows] == ["finding", "decision", "decision", "summary"]
    assert report["decisions"] == [{k: v for k, v in r.items() if k != "type"} for r in rows[1:3]]
    assert report["summary"] == {k: rows[-1][k] for k in report["summary"]}


def test_the_counts_go_to_stderr_where_stdout_holds_no_text(blocked: Repo) -> None:
    for args in (["--output-format", "json"], ["--output-file", "a.txt"]):
        assert blocked.check(*args).err == f"{LAST}\n"
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
    assert ran.err.startswith("src: there is no document to check here. To see why: ")
    assert ran.err.endswith("grounded-ingest explain src\n")


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
    assert (blocked.root / ".git" / "grounded-ingest" / "cache.sqlite").exists()

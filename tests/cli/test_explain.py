"""Why a claim was decided as it was; why a line or a file holds none."""

from __future__ import annotations

import os
import re

import pytest
from clirepo import BLOCKED, DOCUMENT, GROUNDED, PAGE, UNGROUNDED, Repo


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (3, ["cited (tier 2, review)", "path src/app.py:2: confirmed", "GATEWAY_PORT = 8443"]),
        (5, ["ungrounded (tier 2, review)", "way out    Cite the source of the claim"]),
        (5, ["citation   none"]),
        (1, ["does not contain a claim: a heading"]),
        (4, ["does not contain a claim: a blank line"]),
        (7, ["does not contain a claim: a question"]),
        (10, ["does not contain a claim: "]),
    ],
)
def test_lines(repo: Repo, line: int, said: list[str]) -> None:
    ran = repo.ask("explain", "--offline", f"{DOCUMENT}:{line}")
    assert ran.code == 0
    assert [s for s in said if s not in ran.out] == []


def test_skipped_references_are_explained(repo: Repo) -> None:
    repo.write(DOCUMENT, "# A\n\nDo not recreate `src/old.py`, use `src/app.py`.\n")
    ran = repo.ask("explain", "--offline", f"{DOCUMENT}:3")
    assert "citation   path src/app.py: confirmed" in ran.out
    assert "skipped    src/old.py: the text says that the target must not exist" in ran.out


@pytest.mark.parametrize(
    "asked",
    [
        f"{DOCUMENT}:3:1",
        f"{DOCUMENT}:3:1:",
        f"./{DOCUMENT}:3",
        f"{DOCUMENT}:3:1: refuted-citation[path]: src/app.py: no such file. Write a path.",
    ],
)
def test_places_as_check_prints_them(repo: Repo, asked: str) -> None:
    assert GROUNDED in repo.ask("explain", "--offline", asked).out


def test_paths_count_from_here_or_from_the_root(repo: Repo) -> None:
    for where, asked in [("memory-bank", "progress.md:3"), ("src", f"{DOCUMENT}:3")]:
        assert GROUNDED in repo.ask("explain", "--offline", asked, where=where).out


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("src/app.py", "the file is a program, a picture or a tool's own file"),
        ("src", "the path is a directory"),
        ("notes.txt", "no document class includes this path"),
        ("CHANGELOG.md", "excluded by `{,{docs,doc}/**/}{CHANGELOG"),
        ("vendor/AGENTS.md", "excluded by `**/{vendor,"),
        ("node_modules/x/AGENTS.md", "the path is in a directory that never contains documents"),
        ("LINK.md", "the path is a symbolic link to memory-bank/progress.md"),
        ("docs/ignored.md", "ignored by git"),
    ],
)
def test_no_document(repo: Repo, path: str, said: str) -> None:
    repo.write(".gitignore", "docs/ignored.md\n")
    for name in ("notes.txt", "CHANGELOG.md", "vendor/AGENTS.md", "node_modules/x/AGENTS.md"):
        repo.write(name, "The queue holds ten jobs.\n")
    repo.write("docs/ignored.md", "The queue holds ten jobs.\n")
    os.symlink(DOCUMENT, repo.root / "LINK.md")
    repo.git("add", "LINK.md")
    for asked in (path, f"{path}:1"):
        ran = repo.ask("explain", asked)
        assert ran.code == 0, ran.err
        assert f"{path} is not a document: {said}" in ran.out


def test_a_submodule_is_judged_in_its_own_repository(repo: Repo) -> None:
    other = repo.beside("other")
    other.git("init", "--quiet", "--template=", "--initial-branch=main")
    other.commit("AGENTS.md", PAGE)
    repo.git("submodule", "--quiet", "add", str(other.root), "docs/sub")
    for asked in ("docs/sub", "docs/sub/AGENTS.md:3"):
        assert "submodule" in repo.ask("explain", asked).out


@pytest.mark.parametrize(
    "asked",
    [
        f"{DOCUMENT}:99",
        f"{DOCUMENT}:0",
        "docs/none.md:3",
        "ffff",
        "no claim has any such words",
        "",
    ],
)
def test_nothing_found(repo: Repo, asked: str) -> None:
    ran = repo.ask("explain", "--offline", asked)
    if asked.endswith(":0"):  # the file as a whole
        assert "a document of class memory with 2 claims" in ran.out
        return
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("grounded-ingest: ")


def test_by_id_and_by_text(repo: Repo) -> None:
    found = {d["claim"]: d["id"] for d in repo.report("--all")["decisions"]}
    for asked in (found[UNGROUNDED], found[UNGROUNDED][:6], UNGROUNDED, f"  {UNGROUNDED}\n"):
        ran = repo.ask("explain", "--offline", asked)
        assert f"{DOCUMENT}:5:1: {UNGROUNDED}" in ran.out
        assert "nearest" not in ran.out
    ran = repo.ask("explain", "--offline", "sessions PostgreSQL mongodb")
    assert "the most similar claim, which contains 67% of the given words" in ran.out
    assert UNGROUNDED in ran.out


def test_the_other_claim_of_a_repeat(repo: Repo) -> None:
    repo.write("docs/copy.md", f"# Copy\n\n{UNGROUNDED}\n")
    found = repo.ask("explain", "--offline", "--json", "docs/copy.md:3").json["decisions"][0]
    assert found["rule"] == "repeat"
    assert found["findings"][0]["other"]["path"] == DOCUMENT
    assert f"compared   {DOCUMENT}:5: {UNGROUNDED}" in repo.ask("explain", "docs/copy.md:3").out


def test_json_says_the_same(repo: Repo) -> None:
    found = repo.ask("explain", "--offline", "--json", f"{DOCUMENT}:3").json
    assert found["found_in"] == "knowledge base"
    decision = found["decisions"][0]
    assert (decision["tier"], decision["rule"], decision["class"]) == (2, "cited", "memory")
    assert decision["citations"][0]["quote"] == "GATEWAY_PORT = 8443"
    assert decision["way_out"]


def test_staged_reads_the_index(repo: Repo) -> None:
    repo.write(DOCUMENT, PAGE.replace("one day", "two days"))
    repo.git("add", DOCUMENT)
    repo.write(DOCUMENT, PAGE.replace("one day", "three days"))
    assert "two days" in repo.ask("explain", "--offline", "--staged", f"{DOCUMENT}:5").out
    assert "three days" in repo.ask("explain", "--offline", f"{DOCUMENT}:5").out


def test_a_commit_that_was_stopped_is_explained(repo: Repo) -> None:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.git("add", DOCUMENT)
    assert repo.check("--staged", "--write").code == 1
    stopped = [d for d in repo.report("--staged")["decisions"] if d["claim"] == BLOCKED]
    repo.git("reset", "--quiet", "--hard")
    for asked in (stopped[0]["id"][:8], BLOCKED):
        ran = repo.ask("explain", "--offline", asked)
        assert ran.code == 0, ran.err
        assert "was found in the last run" in ran.out
        assert "speculation (tier 3, block)" in ran.out


@pytest.mark.parametrize("broken", ["", "[]", '{"decisions": 3}', '{"decisions": [1]}', "\0"])
def test_a_broken_last_run_is_as_good_as_none(repo: Repo, broken: str) -> None:
    repo.write(".git/grounded-ingest/last-run.json", broken)
    assert repo.ask("explain", "--offline", "ffff").code == 2


def test_relations_are_read_from_both_ends(repo: Repo) -> None:
    repo.write(
        "memory-bank/queue.md",
        "# Queue\n\nThe queue retries three times. Therefore a message can arrive twice.\n\n"
        "- The worker is idempotent.\n  - It keeps the last 500 ids.\n",
    )
    first = repo.ask("explain", "The queue retries three times.").out
    assert "relation   leads_to memory-bank/queue.md:3: Therefore a message" in first
    found = repo.ask("explain", "--json", "memory-bank/queue.md:5").json["decisions"][0]
    assert [(r["kind"], r["line"], r["words"]) for r in found["relations"]] == [
        ("elaborated_by", 6, "a list item below the claim")
    ]


@pytest.mark.parametrize(
    "asked", ["/etc/passwd:1", "/etc/passwd", "../../etc/passwd:1", "//etc/passwd:1"]
)
def test_a_path_outside_the_repository_is_refused(repo: Repo, asked: str) -> None:
    ran = repo.ask("explain", "--offline", asked)
    assert ran.code == 2
    assert f"{asked.partition(':')[0]} is outside the repository" in ran.err


def test_what_a_citation_leads_to_stands_below_it(repo: Repo) -> None:
    claims = ("Exports are signed (`src/app.py:2`).", "`GATEWAY_PORT` is in `src/app.py`.")
    repo.write("docs/a.md", "# A\n\n" + "\n\n".join(claims) + "\n")
    said = repo.ask("explain", "--offline", "docs/a.md:3").out
    assert "path src/app.py:2: confirmed, “GATEWAY_PORT = 8443”" in said
    said = repo.ask("explain", "--offline", "docs/a.md:5").out
    assert "      2  GATEWAY_PORT = 8443" in said


LINE = re.compile(
    r"(?:(?P<at>[^:\s]+(?::\d+){0,2}): )?(?P<rule>[a-z-]+(?:\[[a-z-]+\])?): (?P<fact>.+)"
)
KEPT = """\
# Progress

The gateway listens on port 8443 (`src/app.py:2`).

The host is described in `src/old.py` and nowhere else.

Maybe the gateway restarts at night.

<!-- grounded: ignore[speculation] reason="none here" -->

The queue holds ten jobs.

<!-- grounded: ignore[speculation] -->

The worker is idempotent.

```sh
make nothing
```
"""
CONFIG = """\
preset: strict
approve_at: exact
per_file_ignores:
  "none/**": [ALL]
"""


def explain_printed(repo: Repo, *args: str, **env: str) -> set[str]:
    """Runs a command and asks `explain` about every line that it printed. Returns the rules."""
    ran = repo.ask(*args, **env)
    advice = ("grounded-ingest is not on PATH", "Why: ", "Commit anyway: ")
    rows = [r for r in ran.out.splitlines() if not r.startswith(advice)]
    plain = (re.sub("warning: |note: ", "", row, count=1) for row in rows)
    lines = [m for row in plain if (m := LINE.fullmatch(row))]
    assert len(lines) == len(rows) - 1, ran.out  # all but the counts
    for line in lines:
        asked = repo.ask("explain", line["at"] or line["rule"])
        assert asked.code == 0, (line[0], asked.err)
        assert line["rule"] in asked.out, (line[0], asked.out)
        fact = line["fact"].partition(". ")[0].rstrip(".")
        assert fact[-25:] in asked.out, (line[0], asked.out)
    return {line["rule"] for line in lines}


def test_every_printed_line_is_explained_by_its_name(repo: Repo) -> None:
    """A reader of a line asks by its place, or by its rule if it has none."""
    repo.write("Makefile", "build:\n\techo\n")
    repo.write("src/old.py", "OLD = 'a file that goes'\n")
    repo.write("memory-bank/lines.md", "# Lines\n\nThe port is 8443 (`src/app.py:2`).\n")
    repo.write("memory-bank/broken.jsonl", '{"text": "The queue holds ten jobs."}\n')
    repo.write(".grounded-ingest.yaml", "stage_evidence: false\n")
    repo.git("add", ".")
    repo.git("commit", "--quiet", "-m", "Begin")
    repo.git("remote", "add", "origin", "../nowhere")
    repo.git("update-ref", "refs/remotes/origin/topic", "HEAD")
    repo.git("rm", "--quiet", "src/old.py")
    repo.git("commit", "--quiet", "-m", "Remove the old host")
    repo.write(".grounded-ingest.yaml", "policy: {technical-hedge: off}\nexclude: [docs]\n")
    repo.write("src/app.py", '"""Above."""\nHOST = "db"\nGATEWAY_PORT = 8443\n')
    repo.write(DOCUMENT, KEPT + "\nIt is in `src/later.py`, which comes later.\n")
    repo.write("src/later.py", "LATER = 1\n")
    repo.git("add", ".", ":!src/later.py")
    repo.write("memory-bank/broken.jsonl", '{"text": "The queue holds ten jobs."}\n{"text": \n')
    rules = explain_printed(repo, "check", "--staged", "--offline", "--fail-on=review")
    assert {
        "refuted-citation[path]", "refuted-citation[command]", "refuted-citation[changed-line]",
        "config-change", "not-staged", "scope", "unused-ignore", "ignore-without-reason",
    } <= rules  # fmt: skip
    receipt = repo.ask("explain", f"{DOCUMENT}:5").out
    assert re.search(r"deleted in [0-9a-f]{12} \(2026-01-05, “Remove the old host”\)", receipt)
    repo.write(".grounded-ingest.yaml", CONFIG)
    repo.write("memory-bank/latin.md", b"# Caf\xe9\n")
    repo.write("baseline.jsonl", '{"path":"a.md","rule":"speculation","id":"ab","text":"a"}\n')
    given = ("--offline", "--baseline", "baseline.jsonl")
    rules = explain_printed(repo, "check", "--all", "--locked", *given)
    assert {
        "speculation", "broken-record", "unreadable", "old-setting", "baseline", "unused-ignore",
        "stale-sidecar",
    } <= rules  # fmt: skip
    repo.write("CLAUDE.md", "# Notes\n\nDeploys are frozen until 2024-01-31.\n")
    assert "expired" in explain_printed(repo, "audit", "--offline")


def test_it_is_as_online_as_the_run_was(repo: Repo) -> None:
    """Asking why must not take longer, or reach further, than the run did."""
    repo.commit(DOCUMENT, "# A\n\nThe queue is at https://docs.nowhere-at-all.dev/queue today.\n")
    assert "skipped" in repo.ask("explain", f"{DOCUMENT}:3").out
    assert "skipped" not in repo.ask("explain", "--online", f"{DOCUMENT}:3").out
    repo.write("docs/a.md", "# A\n\nIt is in `src/nothing.py:3`.\n")
    repo.ask("check", "--all")
    assert "skipped" not in repo.ask("explain", f"{DOCUMENT}:3").out
    repo.ask("check", "--all", "--offline")
    assert "skipped" in repo.ask("explain", f"{DOCUMENT}:3").out


def test_a_line_of_a_change_is_not_called_nothing_to_check(repo: Repo) -> None:
    """`explain` told an agent "nothing to do" below the line that stopped its commit."""
    repo.write("pyproject.toml", '[project]\nname = "tool"\nscripts.tool = "tool.cli:main"\n')
    names = ("list", "sync", "show", "drop")
    commands = "".join(f"@main.command()\ndef {n}(): ...\n" for n in names)
    repo.write("tool/cli.py", f"import click\n@click.group()\ndef main(): ...\n{commands}")
    repo.commit("docs/use.md", "# Use\n\n`tool list` and `tool sync`\n\n`tool show`, `tool drop`\n")
    repo.write("docs/a.md", "# A\n\nUse `tool prune` to drop the oldest rows.\n")
    repo.git("add", "--all")
    assert "tool has no command prune" in repo.check("--staged").out
    told = repo.ask("explain", "docs/a.md:3").out
    assert "tool has no command prune" in told
    assert "Nothing to do" not in told


@pytest.mark.parametrize("more", ["", f"\n{BLOCKED}\n\nIt is in `src/app.py:99`.\n"])
def test_lines_that_only_count(repo: Repo, more: str) -> None:
    """Whoever pasted the last line of a report was told that there is no such claim."""
    repo.write(DOCUMENT, PAGE + more)
    last = repo.check("--all").out.splitlines()[-1]
    for line in (last, "2 warnings in 3 documents; 5 references hold", "12 warnings"):
        ran = repo.ask("explain", "--offline", line)
        assert (ran.code, ran.out.startswith("this line counts what a check found")) == (0, True)
    for left in ("… 2 more lines", "No error is certain; 1 other line"):
        ran = repo.ask("explain", "--offline", f"{left}: run `grounded-ingest check --all`")
        assert ran.out.endswith("not printed: run `grounded-ingest check --all`\n")
    assert repo.ask("explain", "--offline", "2 warnings about the queue").code == 2


def test_a_hidden_line_says_what_hides_it(repo: Repo) -> None:
    page = "# A\n\nIt is in `src/none.py`.\n\n```sh\nmake nothing\n```\n"
    repo.write("Makefile", "build:\n\techo\n")
    repo.commit("docs/a.md", page)
    given = ("--baseline", "accepted.jsonl", "--update-baseline")
    assert repo.check("--all", "--offline", *given).code == 0
    for settings, by in (
        ("baseline: accepted.jsonl\n", "the baseline"),
        ("per_file_ignores: {docs/*: [refuted]}\n", "`per_file_ignores` in .grounded-ingest.yaml"),
    ):
        repo.write(".grounded-ingest.yaml", settings)
        sentence = repo.ask("explain", "docs/a.md:3").out
        assert f"  hidden     refuted-citation[path] by {by}\n" in sentence
        assert f"printed by no check: {by} hides it" in repo.ask("explain", "docs/a.md:6").out


def test_the_way_out_is_that_of_the_printed_line(repo: Repo) -> None:
    repo.commit("docs/guide.md", "# Guide\n\n## Set up\n\nRun it.\n")
    repo.write("docs/guide.md", "# Guide\n\n## Install\n\nRun it.\n")
    repo.write("docs/a.md", "# A\n\nSee [how](guide.md#set-up) and `src/none.py`.\n")
    for row in repo.check("--all", "--offline").out.splitlines()[:2]:
        way_out = row.rpartition(". ")[2]
        assert f"    way out  {way_out}\n" in repo.ask("explain", "docs/a.md:3").out
        assert row.split()[1].rstrip(":") in repo.ask("explain", "refuted-citation").out

"""`grounded-ingest` without a command: what is wrong today, nothing written, and what comes
next."""

from __future__ import annotations

from pathlib import Path

import repos
from clirepo import BLOCKED, DOCUMENT, PAGE, Repo
from terminal import Terminal


def test_it_says_what_is_wrong_and_writes_nothing(repo: Repo) -> None:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.write("docs/a.md", "# A\n\nThe gateway is explained in [the guide](gone.md).\n")
    before = {p: p.stat().st_mtime_ns for p in repo.root.rglob("*") if p.is_file()}
    ran = repo.ask()
    assert ran.code == 0
    assert "docs/a.md:3:1: refuted-citation[link]: gone.md: no such file" in ran.out
    assert f"{DOCUMENT}:13:1: speculation: " in ran.out
    assert all(f"grounded-ingest {command}" in ran.out for command in ("explain PATH", "init"))
    assert "--fix" not in ran.out, "nothing here has one possible correction"
    assert {p: p.stat().st_mtime_ns for p in repo.root.rglob("*") if p.is_file()} == before


def test_it_says_what_changed_since_it_was_written(repo: Repo) -> None:
    repo.commit("src/app.py", 'HOST = "db"\nimport os\nGATEWAY_PORT = 9000\n')
    ran = repo.ask()
    assert ran.code == 0
    assert ran.out.startswith("No error is certain; 1 other line: run `")
    assert repo.ask("check", "--all", "--offline").out.startswith(f"{DOCUMENT}:3:")


def test_it_names_init_only_where_nothing_is_set_up(repo: Repo) -> None:
    assert "grounded-ingest init" in repo.ask().out
    repo.write(".grounded-ingest.yaml", "preset: advisory\n")
    assert "grounded-ingest init" not in repo.ask().out


def test_it_names_fix_if_that_changes_a_finding(repo: Repo) -> None:
    repo.commit("src/app.py", 'import os\nHOST = "db"\nGATEWAY_PORT = 8443\n')
    assert "grounded-ingest check --all --fix" in repo.ask().out


def test_it_prints_what_is_certain_and_counts_the_rest(repo: Repo) -> None:
    for n in range(30):
        repo.write(f"docs/a{n}.md", f"# A\n\nSee [the guide](gone{n}.md).\n")
    shown = repo.ask().out.split("\n")
    assert shown[5].startswith("… 25 more lines: run `"), "a few, because none is certain"
    repo.write("docs/b.md", "# B\n\nSee [the guide](a1.md#limits).\n")
    shown = repo.ask().out.split("\n")
    assert shown[0].startswith("docs/b.md:3:1: refuted-citation[anchor]: docs/a1.md has no heading")
    assert shown[1].startswith("… 30 more lines: run `")
    assert shown[1].endswith("check --all`")
    assert shown[2].startswith("Found 31 problems")


def test_it_leaves_out_plans_series_and_translations(repo: Repo) -> None:
    for page in ("design/a.md", "b.md", "012-rows.md", "de/b.md", "ckb-IR/b.md", "3d.md"):
        repo.write(f"docs/{page}", "# A\n\n## Setup\n\nSee [the limits](#limits).\n")
    repo.write("docs/design/a.md", "# A\n\nSee [the limits](#limits) and [it](gone.md).\n")
    repo.write("docs/right.md", "# A\n\n" + "".join(f"[{n}](#h{n})\n\n# H{n}\n" for n in range(9)))
    shown = repo.ask().out.split("\n")
    assert [line.partition(":")[0] for line in shown[:2]] == ["docs/3d.md", "docs/b.md"]
    assert shown[2].startswith("… 5 more lines: run `")


def test_documents_share_a_line_and_one_document_gets_few(repo: Repo) -> None:
    for folder in ("more", "most", "north"):
        repo.write(f"docs/{folder}/b.md", "# B\n\nSee [the guide](../d.md#limits).\n")
    sections = "\n\n".join(f"See [part {n}](a.md#part-{n})." for n in range(5))
    repo.write("docs/c.md", f"# C\n\n{sections}\n")
    for page in "ad":
        repo.write(f"docs/{page}.md", "# A\n\nText.\n")
    # More anchors are right than wrong; otherwise no wrong one is reported.
    sections = "".join(f"## Step {n}\n\nSee [step {n}](#step-{n}).\n\n" for n in range(9))
    repo.write("docs/f.md", f"# F\n\n{sections}")
    shown = repo.ask().out.split("\n")
    assert [line.partition(":")[0] for line in shown[:4]] == ["docs/c.md"] * 3 + ["docs/more/b.md"]
    assert shown[3].endswith("(also in 2 other documents)")
    assert shown[4].startswith("… 2 more lines: run `"), "three of a document"
    assert shown[5].startswith("Found 8 problems")


def test_no_kind_fills_the_screen(repo: Repo) -> None:
    for n in range(8):
        repo.write(f"docs/p{n}.md", f"# A\n\nSee [it](#gone-{n}), [more](#h).\n\n# H\n")
        repo.write(f"docs/q{n}.md", f"# A\n\nSee [it](#h{n}).\n\n# H{n}\n")
    shown = repo.ask().out.split("\n")
    assert [line.partition(":")[0] for line in shown[:5]] == [f"docs/p{n}.md" for n in range(5)]
    assert shown[5].startswith("… 3 more lines: run `")


def test_a_commit_without_a_valid_time(repo: Repo) -> None:
    tree, head = repo.git("rev-parse", "HEAD^{tree}"), repo.git("rev-parse", "HEAD")
    who = "A <a@example.org>"
    text = f"tree {tree}\nparent {head}\nauthor {who} 1 +0000\ncommitter {who} abc +0000\n\nOdd\n"
    plain = repos.Repo(repo.root)
    oid = plain.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=text)
    plain.git("update-ref", "HEAD", oid)
    repo.write("docs/a.md", "# A\n\nSee [the guide](gone.md).\n")
    ran = repo.ask()
    assert ran.code == 0
    assert "docs/a.md:3:1: " in ran.out


def test_a_terminal_shows_how_far_it_is(repo: Repo) -> None:
    terminal = Terminal(repo)
    assert terminal.end() == 0
    shown = terminal.screen
    steps = ("reading", "looking up", "deciding")
    places = [shown.find(f" {step}") for step in steps]
    assert places[0] > -1
    assert places == sorted(places)
    assert f"▒{'░' * 23} reading documents …" in shown
    assert f"{'█' * 20}▒░░░ deciding claims, 0 of 2 …" in shown
    assert f"{'█' * 22}▒░ deciding claims, 1 of 2 …" in shown


def test_elsewhere_it_fails_as_check_does(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    ran = repo.ask(where=str(tmp_path / "none"))
    assert (ran.code, ran.out) == (2, "")
    assert "is not in a git repository" in ran.err

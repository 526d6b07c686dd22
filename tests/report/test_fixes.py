"""`check --fix` rewrites references that have one right answer; every other byte stays."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from historic import ABOVE, DOCUMENT, PAGE, SOURCE, ask, made, only, wrong
from repos import Repo, environment

from grounded_ingest.repository.scope import ScopeMode


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return made(Repo(tmp_path_factory.mktemp("historic") / "work"))


@pytest.fixture
def repo(template: Repo, tmp_path: Path) -> Repo:
    return template.copy(tmp_path / "work")


def contents(repo: Repo) -> dict[str, bytes]:
    paths = repo.git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return {p: (repo.root / p).read_bytes() for p in paths if (repo.root / p).exists()}


def fixed(repo: Repo, before: bytes | str, *, source: str = ABOVE + SOURCE) -> bytes:
    """Returns the document after the source moved by two lines and a fix."""
    return fixed_each(repo, [before], source=source)[0]


def fixed_each(
    repo: Repo, pages: Sequence[bytes | str], *, source: str = ABOVE + SOURCE
) -> list[bytes]:
    """Returns the documents after the source moved by two lines and one fix of all."""
    paths = [DOCUMENT, *(f"memory-bank/page_{n}.md" for n in range(1, len(pages)))]
    repo.commit(dict(zip(paths, pages, strict=True)))
    repo.commit({"src/app.py": source})
    ran = ask(repo, "--fix")
    assert ran.returncode == 0, ran.stdout.decode() + ran.stderr.decode()
    return [(repo.root / path).read_bytes() for path in paths]


def test_every_form_keeps_its_form(repo: Repo) -> None:
    forms = {
        "`src/app.py:3`": "`src/app.py:5`",
        "`src/app.py:6-7`": "`src/app.py:8-9`",
        "`src/app.py:6–7`": "`src/app.py:8–9`",
        "`src/app.py#L6-L7`": "`src/app.py#L8-L9`",
        "`src/app.py#L6-7`": "`src/app.py#L8-9`",
        "`src/app.py:3:1`": "`src/app.py:5:1`",
        "`app.py:3`": "`app.py:5`",
        "`./src/app.py:3`": "`./src/app.py:5`",
        "`src/app.py:3,6-7`": "`src/app.py:5,8-9`",
        "`src/app.py:6-7, 3`": "`src/app.py:8-9, 5`",
        "src/app.py:3": "src/app.py:5",
        "[the port](../src/app.py#L3)": "[the port](../src/app.py#L5)",
        "(`src/app.py:3`, again `src/app.py:3`)": "(`src/app.py:5`, again `src/app.py:5`)",
        "`src/app.py:3` and `src/app.py:6`": "`src/app.py:5` and `src/app.py:8`",
    }
    page = "# Progress\n\nThe gateway port starts as 8443 for the host, by {} today.\n"
    found = fixed_each(repo, [page.format(written) for written in forms])
    assert [text.decode() for text in found] == [page.format(after) for after in forms.values()]


def test_the_new_lines_had_other_words_when_the_citation_was_written(repo: Repo) -> None:
    source = SOURCE.replace("\n\n\n", "\nHOST = read_host()\nlog = open_log()\n")
    repo.commit({"src/app.py": source})
    page = "# Progress\n\nThe gateway's port is 8443 (`src/app.py:3`).\n"
    assert b"`src/app.py:5`" in fixed(repo, page, source=ABOVE + source)


def test_tables_lists_and_footnotes(repo: Repo) -> None:
    page = (
        "# Progress\n\n| setting | where |\n|---|---|\n| gateway port | `src/app.py:3` |\n"
        "| start of it | `src/app.py:6` |\n\n- The port is 8443, see `src/app.py:3`.\n"
        "  - It starts by a host, see `src/app.py:6-7`.\n\nThe port is 8443 everywhere.[^1]\n\n"
        "[^1]: Set as 8443 in `src/app.py:3` alone.\n"
    )
    after = fixed(repo, page).decode()
    assert after == page.replace(":3`", ":5`").replace(":6`", ":8`").replace(":6-7`", ":8-9`")


def test_all_other_bytes_stay(repo: Repo) -> None:
    pages = (
        PAGE.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PAGE.encode(),
        b"\xef\xbb\xbf" + PAGE.replace("# Progress\n\n", "").encode(),
        PAGE.rstrip("\n").encode(),
        PAGE.replace("gateway", "gàtewäy — “ü” 🚪").encode(),
        PAGE.replace("The gateway", "\t  \nThe gateway  \t").encode(),
        PAGE.replace("\n\n", "\r\n\n").encode() + b"trailing spaces   \r\n\n\n",
        PAGE.replace("The gateway", "<!-- src/app.py:3 -->\n\nThe gateway").encode(),
    )
    assert fixed_each(repo, pages) == [p.replace(b"app.py:3", b"app.py:5") for p in pages]


def test_a_renamed_file_in_every_form(repo: Repo) -> None:
    forms = {
        "`src/app.py:3`": "`lib/gateway.py:3`",
        "`src/app.py`": "`lib/gateway.py`",
        "[this file](../src/app.py)": "[this file](../lib/gateway.py)",
        "[this file](../src/app.py#L6-L7)": "[this file](../lib/gateway.py#L6-L7)",
        "[this file](/src/app.py)": "[this file](/src/app.py)",
    }
    page = "# Progress\n\nThe gateway port is 8443 as the host of {} starts today.\n"
    paths = {f"memory-bank/page_{n}.md": form for n, form in enumerate(forms)}
    repo.commit({path: page.format(form) for path, form in paths.items()})
    (repo.root / "lib").mkdir()
    repo.git("mv", "src/app.py", "lib/gateway.py")
    repo.commit()
    ask(repo, "--fix")
    for path, form in paths.items():
        assert (repo.root / path).read_text() == page.format(forms[form])


def test_a_renamed_directory(repo: Repo) -> None:
    repo.commit({DOCUMENT: "# Progress\n\nThe gateway is kept in `src/map/` since May.\n"})
    repo.commit({"src/map/a.py": "A = 1\nB = 2\nC = 3\n"})
    repo.git("mv", "src/map", "src/routes")
    repo.commit()
    ask(repo, "--fix")
    assert "`src/routes/`" in (repo.root / DOCUMENT).read_text()


def test_a_link_that_a_moved_document_left_behind(repo: Repo) -> None:
    page = "# Progress\n\nThe gateway is started by [this file](more/start.md) and its host.\n"
    repo.commit({DOCUMENT: page, "memory-bank/more/start.md": "# Start\n"})
    (repo.root / "memory-bank/old").mkdir()
    repo.git("mv", DOCUMENT, "memory-bank/old/progress.md")
    repo.commit()
    assert only(repo).instead == "memory-bank/more/start.md"
    assert ask(repo, "--fix").returncode == 0
    text = (repo.root / "memory-bank/old/progress.md").read_text()
    assert text == page.replace("more/start.md", "../more/start.md")


def test_a_heading_that_was_renamed(repo: Repo) -> None:
    guide = "# Guide\n\n## Set it up\n\nUnpack it.\nStart it.\n"
    page = "# Progress\n\nIt is told in [the guide](../docs/guide.md#set-it-up) and [here](#set-it-up).\n"
    repo.commit({DOCUMENT: page, "docs/guide.md": guide})
    repo.commit({"docs/guide.md": guide.replace("Set it up", "Install")})
    ask(repo, "--fix")
    text = (repo.root / DOCUMENT).read_text()
    assert "(../docs/guide.md#install)" in text
    assert "[here](#set-it-up)" in text  # a heading of another document


def test_a_rebased_commit(repo: Repo) -> None:
    repo.git("switch", "-q", "-c", "topic")
    commit = repo.commit({"src/limit.py": "LIMIT = 40\n"}, "raise the limit")
    repo.git("switch", "-q", "main")
    repo.commit({"README.md": "# More\n"})
    repo.git("cherry-pick", commit)
    landed = repo.git("rev-parse", "HEAD")
    repo.commit({DOCUMENT: f"# Progress\n\nThe limit was raised in commit {commit[:9]}.\n"})
    ask(repo, "--fix")
    assert f"commit {landed[:9]}." in (repo.root / DOCUMENT).read_text()


def test_a_name_with_odd_characters_is_left_to_a_person(repo: Repo) -> None:
    repo.git("mv", "src/app.py", "src/the app (new).py")
    repo.commit()
    before = contents(repo)
    assert "moved to" in only(repo).reason
    ask(repo, "--fix")
    assert contents(repo) == before


def test_what_has_no_one_answer_is_not_touched(repo: Repo) -> None:
    page = (
        "# Progress\n\nIt starts the host by `src/app.py:6` and nothing else.\n\n"
        "The rest is in `src/gone.py` for now.\n"
    )
    repo.commit({DOCUMENT: page, "src/gone.py": "GONE = 'for good'\n"})
    body = SOURCE.replace("def start(host)", "async with Group() as group")
    repo.commit({"src/app.py": ABOVE + body, "src/gone.py": None})
    assert len(wrong(repo)) == 2
    before = contents(repo)
    assert ask(repo, "--fix").returncode == 1
    assert contents(repo) == before


def test_an_approved_claim_is_left_as_the_reviewer_read_it(repo: Repo) -> None:
    (decision,) = repo.check("all").report.decisions
    claim = decision.place.claim
    log = (
        f'{{"id":"{claim.id}","section":"{claim.section}","ordinal":0,'
        f'"claim":{json.dumps(claim.text)},"action":"approve","reviewer":"ada@example.org",'
        f'"reviewed_at":"2026-01-05T12:00:00Z","reason":"read"}}\n'
    )
    repo.commit({f".grounded/reviews/{DOCUMENT}.jsonl": log})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    before = contents(repo)
    ask(repo, "--fix")
    assert contents(repo) == before


def test_the_diff_writes_nothing_and_applies(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.rstrip("\n").replace("\n", "\r\n").encode()})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    before = contents(repo)
    for flags in (["--diff"], ["--diff", "--fix"]):
        ran = ask(repo, *flags)
        assert ran.returncode == 1
        assert contents(repo) == before
    assert ran.stdout.startswith(b"--- a/memory-bank/progress.md\n+++ b/memory-bank/progress.md\n")
    ask(repo, "--fix", "--quiet")
    after = (repo.root / DOCUMENT).read_bytes()
    repo.write({DOCUMENT: before[DOCUMENT]})
    patch = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"], cwd=repo.root, input=ran.stdout, check=False
    )
    assert patch.returncode == 0
    assert (repo.root / DOCUMENT).read_bytes() == after


def test_the_last_line_counts_what_is_fixed_and_left(repo: Repo) -> None:
    gone = "The rest is in `src/gone.py` for now."
    page = f"# Progress\n\nIt is `src/app.py:3` and `src/app.py:6`, {gone}\n"
    repo.commit({DOCUMENT: page, "src/gone.py": "GONE = 'for good'\n"})
    repo.commit({"src/app.py": ABOVE + SOURCE, "src/gone.py": None})
    told = [ask(repo, "--fix", *more) for more in ((), (), ("--quiet",))]
    assert [ran.returncode for ran in told] == [1, 1, 1]
    assert told[0].stderr.splitlines() == [f"fixed {DOCUMENT}".encode(), b"2 fixed, 1 left"]
    assert [ran.stderr for ran in told[1:]] == [b"0 fixed, 1 left\n", b""]


def test_a_second_fix_changes_nothing_committed_or_not(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ask(repo, "--fix")
    once = contents(repo)
    assert ask(repo, "--diff").returncode == 0
    ask(repo, "--fix")
    assert contents(repo) == once
    repo.commit()
    assert ask(repo, "--fix").returncode == 0
    assert contents(repo) == once


@pytest.mark.parametrize("flag", ["--fix", "--diff"])
@pytest.mark.parametrize("scope", ["--staged", "--since=HEAD"])
def test_a_change_that_is_not_the_work_tree_is_refused(repo: Repo, flag: str, scope: str) -> None:
    ran = repo.command("check", flag, scope)
    assert ran.returncode == 2
    assert b"does not work together with" in ran.stderr


def is_waiting_for_a_lock(pid: int) -> bool:
    rows = Path("/proc/locks").read_text().splitlines()
    return any(" -> " in row and str(pid) in row.split() for row in rows)


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="needs to see who waits for a lock")
@pytest.mark.parametrize("stop", [1, 10, 19])
def test_killed_halfway_every_file_is_whole(repo: Repo, stop: int) -> None:
    """A lock holds the process back until it has read all; a pipe in place of a document stops it
    among its writes, where it is killed."""
    import fcntl

    pages = {f"docs/p{n:02}.md": PAGE.replace("8443", f"8443 of unit {n}") for n in range(20)}
    pages[DOCUMENT] = PAGE
    after = {p: text.replace("app.py:3", "app.py:5") for p, text in pages.items()}
    repo.commit(dict(pages))
    repo.commit({"src/app.py": ABOVE + SOURCE})
    names = sorted(pages)
    held = repo.root / names[stop]
    (repo.root / ".git/grounded-ingest").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "grounded_ingest", "check", "--all", "--offline", "--fix"]
    with open(repo.root / ".git/grounded-ingest/lock", "a+b") as lock:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
        process = subprocess.Popen(
            [*command, "--no-cache", "-q"], cwd=repo.root, env=environment(),
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        wait_until(lambda: is_waiting_for_a_lock(process.pid))
        held.unlink()
        os.mkfifo(held)
    last = names[stop - 1]
    wait_until(lambda: (repo.root / last).read_text() == after[last])
    process.kill()
    assert process.wait() == -signal.SIGKILL
    held.unlink()
    held.write_text(pages[names[stop]])
    whole = [after[n] for n in names[:stop]] + [pages[n] for n in names[stop:]]
    assert [(repo.root / n).read_text() for n in names] == whole
    assert ask(repo, "--fix").returncode == 0
    assert {p: (repo.root / p).read_text() for p in pages} == after
    assert repo.git("status", "--porcelain", "--untracked-files=all").count("??") == 0


def test_json_records(repo: Repo) -> None:
    record = '[{"text": "The port is 8443, see `src/app.py:3`.", "id": "a"},\r\n'
    record += ' {"text": "It starts, see `src/app.py:6`.", "id": "b"}]'
    repo.commit({"memory/notes.json": record.encode()})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ask(repo, "--fix")
    after = (repo.root / "memory/notes.json").read_bytes().decode()
    assert after == record.replace("py:3", "py:5").replace("py:6", "py:8")


def test_a_denied_recipe_becomes_the_recipe_of_the_manifest(repo: Repo) -> None:
    repo.commit({"package.json": '{"scripts": {"build": "tsc -p ."}}'})
    page = "# Progress\n\n- `npm run build` runs `{}`.\n"
    assert fixed(repo, page.format("vite")).decode() == page.format("tsc -p .")


GUIDE = "# Guide\n\n## Set it up\n\nUnpack it.\nStart it.\n"
ROWS = "def load_rows(path):\n    return open(path).read()\n"
FIXED = {
    "moved-line": ("The gateway port is 8443 (`src/app.py:3`).", "`src/app.py:5`"),
    "renamed-file": ("The routes are in `src/routes.py` and nowhere else.", "`src/paths.py`"),
    "renamed-directory": ("All maps are in `src/map/` since May.", "`src/atlas/`"),
    "heading": ("It is told in [the guide](../docs/guide.md#set-it-up).", "guide.md#install)"),
    "commit": ("The limit was raised in commit {old}.", "commit {new}."),
    "recipe": ("`npm run build` runs `vite`.", "runs `tsc -p .`"),
    "literal": ("`src/limits.py::LIMIT = 20`", "LIMIT = 40`"),
    "value": ("`LIMIT` in `src/limits.py` is 20.", "is 40."),
    "link-text": ("See [CHANGES.md](CHANGES.md) first.", "[CHANGES.md](../CHANGES.md)"),
    "command": ("Run `python src/routes.py` first.", "`python src/paths.py` first"),
    "block": (
        "Run:\n\n  ```sh\n  python src/routes.py --all\n  ```",
        "python src/paths.py --all\n",
    ),
    "target": ("Run `make dist` before the release.", "`make pack` before"),
    "target-block": ("Run:\n\n  ```sh\n  make dist\n  ```", "make pack\n"),
    "function": ("Call `load_rows()` in `src/rows.py`.", "Call `read_rows()` in"),
    "drawing": (
        "Layout:\n\n```text\nsrc/\n├── routes.py  # all\n├── raised.py\n└── limits.py\n```",
        "├── paths.py  # all\n├── raised.py\n",
    ),
}
LEFT = {
    "odd-name": "The odd one is in `src/odd.py` and nowhere else.",
    "approved": "The gateway starts at the host (`src/app.py:6`).",
    "drawn-elsewhere": ("Layout:\n\n```text\nsrc/\n├── far.py\n├── raised.py\n└── limits.py\n```"),
    "value-with-unit": "`LIMIT` in `src/limits.py` is 20 seconds.",
    "both-names": "The files are `src/routes.py` and `src/paths.py`.",
    "two-targets": "Run `make dist`, which writes `dist`.",
    "two-in-a-row": "Run:\n\n  ```sh\n  python src/routes.py && python src/routes.py\n  ```",
}


@pytest.fixture
def stale(repo: Repo) -> dict[str, str]:
    """Commits a document for each kind that has a correction, and for two that have none. Returns
    the expected text of each."""
    repo.git("switch", "-q", "-c", "topic")
    old = repo.commit({"src/raised.py": "RAISED = 40\n"}, "raise the limit")
    repo.git("switch", "-q", "main")
    repo.commit({"README.md": "# More\n"})
    repo.git("cherry-pick", old)
    commits = {"old": old[:9], "new": repo.git("rev-parse", "HEAD")[:9]}
    pages = {name: text for name, (text, _) in FIXED.items()} | LEFT
    repo.commit(
        {
            **{f"memory-bank/{n}.md": f"# A\n\n- {t.format(**commits)}\n" for n, t in pages.items()},
            "docs/guide.md": GUIDE, "src/routes.py": "ROUTES = ['a', 'b']\nMORE = 2\n",
            "src/map/a.py": "A = 1\nB = 2\nC = 3\n", "src/odd.py": "ODD = 'a long enough file'\n",
            "package.json": '{"scripts": {"build": "vite"}}', "src/limits.py": "LIMIT = 20\n",
            "Makefile": "dist:\n\tcc a.c\n", "src/rows.py": ROWS,
            "CHANGES.md": "# Changes\n", "src/far.py": "FAR = 'moves to another folder'\n",
        }
    )  # fmt: skip
    (approved,) = [d for d in repo.check("all").report.decisions if "approved" in d.place.path]
    claim = approved.place.claim
    row = {"id": claim.id, "section": claim.section, "ordinal": 0, "claim": claim.text}
    row |= {"action": "approve", "reviewer": "ada@example.org", "reason": "read"}
    row |= {"reviewed_at": "2026-01-05T12:00:00Z"}
    repo.commit({".grounded/reviews/memory-bank/approved.md.jsonl": json.dumps(row) + "\n"})
    for before, after in (("routes.py", "paths.py"), ("map", "atlas"), ("odd.py", "odd (1).py")):
        repo.git("mv", f"src/{before}", f"src/{after}")
    repo.git("mv", "src/far.py", "docs/far.py")
    repo.write(
        {
            "src/app.py": ABOVE + SOURCE, "docs/guide.md": GUIDE.replace("Set it up", "Install"),
            "package.json": '{"scripts": {"build": "tsc -p ."}}', "src/limits.py": "LIMIT = 40\n",
            "Makefile": "pack:\n\tcc a.c\n", "src/rows.py": ROWS.replace("load", "read"),
        }
    )  # fmt: skip
    repo.git("add", ".")
    return {name: after.format(**commits) for name, (_, after) in FIXED.items()}


def advised(ran: subprocess.CompletedProcess[bytes]) -> dict[str, str]:
    """Maps the name of each document to the path that its line says to run `check --fix` on."""
    rows = ran.stdout.decode().splitlines()
    found = [re.match(r"memory-bank/([\w-]+)\.md:\d.*check --fix (\S+)`\.$", row) for row in rows]
    return {m[1]: m[2] for m in found if m}


def test_a_finding_says_fix_exactly_if_fix_changes_it(repo: Repo, stale: dict[str, str]) -> None:
    """`check --fix` without a path changes nothing in a document that equals HEAD's."""
    repo.git("commit", "-qm", "Move")
    paths = advised(ask(repo, "--no-cache"))
    assert {*paths} == {*FIXED, "progress"}
    pages = {kind: repo.root / f"memory-bank/{kind}.md" for kind in (*FIXED, *LEFT)}
    before = {kind: page.read_text() for kind, page in pages.items()}
    for kind in pages:
        ask(repo, "--fix", paths.get(kind, f"memory-bank/{kind}.md"))
    after = {kind: page.read_text() for kind, page in pages.items()}
    assert {kind for kind in pages if after[kind] != before[kind]} == {*FIXED}
    assert [kind for kind, text in stale.items() if text not in after[kind]] == []
    assert {*advised(ask(repo))} == {"progress"}


def test_the_hook_says_fix_only_if_fix_changes_it(repo: Repo, stale: dict[str, str]) -> None:
    """The findings are in documents that the commit does not edit. `check --fix` reads from the git
    index what the commit moves."""
    paths = advised(repo.command("check", "--staged", "--offline"))
    assert {*paths} == {*FIXED} - {"moved-line", "commit", "link-text"}
    for kind, path in paths.items():
        ask(repo, "--fix", path)
        assert stale[kind] in (repo.root / path).read_text()


@pytest.mark.parametrize("mode", ["worktree", "all"])
def test_a_file_that_git_mv_has_just_moved_is_followed(repo: Repo, mode: ScopeMode) -> None:
    repo.commit({DOCUMENT: "# A\n\n- The port is in `src/app.py`.\n", "src/app.py": SOURCE})
    repo.git("mv", "src/app.py", "src/main.py")
    repo.write({DOCUMENT: "# A\n\n- The port of it is in `src/app.py`.\n"})
    (wrong,) = [e for d in repo.check(mode).report.decisions for e in d.wrong]
    assert (wrong.reason, wrong.instead) == ("moved to src/main.py", "src/main.py")


def test_a_document_that_the_change_does_not_edit_is_fixed_too(repo: Repo) -> None:
    repo.commit({DOCUMENT: "# A\n\n- The port is in `src/app.py`.\n", "src/app.py": SOURCE})
    repo.git("mv", "src/app.py", "src/main.py")
    ran = subprocess.run(
        (sys.executable, "-m", "grounded_ingest", "check", "--fix", "--offline"),
        cwd=repo.root, env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "`src/main.py`" in (repo.root / DOCUMENT).read_text()


def test_a_path_of_a_message_is_found_from_a_directory(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    command = [sys.executable, "-m", "grounded_ingest", "check", "--offline", "--fix", DOCUMENT]
    subprocess.run(command, cwd=repo.root / "src", env=environment(), check=False)
    assert "`src/app.py:5`" in (repo.root / DOCUMENT).read_text()

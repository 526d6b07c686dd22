"""`--fix` rewrites the characters of certain citations; every other byte stays as it is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from auditing import (
    ABOVE,
    DOCUMENT,
    EVIDENCE,
    PAGE,
    POINTING,
    PROJECT,
    SOURCE,
    ask,
    items,
    only,
    process_environment,
    with_evidence,
)
from repos import Repo

from grounded_ingest.audit.model import EvidenceState


def contents(repo: Repo) -> dict[str, bytes]:
    paths = repo.git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return {p: (repo.root / p).read_bytes() for p in paths if (repo.root / p).exists()}


def fixed(repo: Repo, before: bytes | str, *expected: str, source: str = ABOVE + SOURCE) -> bytes:
    """The document after the source moved by two lines and a fix."""
    repo.commit({DOCUMENT: before})
    repo.commit({"src/app.py": source})
    ran = ask(repo, "--fix", *expected)
    assert ran.returncode == 0, ran.stderr.decode()
    return (repo.root / DOCUMENT).read_bytes()


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("`src/app.py:3`", "`src/app.py:5`"),
        ("`src/app.py:6-7`", "`src/app.py:8-9`"),
        ("`src/app.py:6–7`", "`src/app.py:8–9`"),
        ("`src/app.py#L6-L7`", "`src/app.py#L8-L9`"),
        ("`src/app.py#L6-7`", "`src/app.py#L8-9`"),
        ("`src/app.py:3:1`", "`src/app.py:5:1`"),
        ("`app.py:3`", "`app.py:5`"),
        ("`./src/app.py:3`", "`./src/app.py:5`"),
        ("`src/app.py:3,6-7`", "`src/app.py:5,8-9`"),
        ("`src/app.py:6-7, 3`", "`src/app.py:8-9, 5`"),
        ("src/app.py:3", "src/app.py:5"),
        ("[the port](../src/app.py#L3)", "[the port](../src/app.py#L5)"),
        ("[`src/app.py:3`](../src/app.py#L3)", "[`src/app.py:3`](../src/app.py#L5)"),
        ("(`src/app.py:3`, again `src/app.py:3`)", "(`src/app.py:5`, again `src/app.py:5`)"),
        ("`src/app.py:3` and `src/app.py:6`", "`src/app.py:5` and `src/app.py:8`"),
    ],
)
def test_every_form_keeps_its_form(repo: Repo, written: str, after: str) -> None:
    page = "# Progress\n\nThe port of the gateway is 8443 from the start, by {} today.\n"
    assert fixed(repo, page.format(written)).decode() == page.format(after)


def test_tables_lists_and_footnotes(repo: Repo) -> None:
    page = (
        "# Progress\n\n| setting | where |\n|---|---|\n| the port of it | `src/app.py:3` |\n"
        "| the start of it | `src/app.py:6` |\n\n- The port is 8443, see `src/app.py:3`.\n"
        "  - It starts by a call, see `src/app.py:6-7`.\n\nThe port is 8443 everywhere.[^1]\n\n"
        "[^1]: Set in `src/app.py:3` alone.\n"
    )
    after = fixed(repo, page).decode()
    assert after == page.replace(":3`", ":5`").replace(":6`", ":8`").replace(":6-7`", ":8-9`")


@pytest.mark.parametrize(
    "page",
    [
        PAGE.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PAGE.encode(),
        b"\xef\xbb\xbf" + PAGE.replace("# Progress\n\n", "").encode(),
        PAGE.rstrip("\n").encode(),
        PAGE.replace("gateway", "gàtewäy — “ü” 🚪").encode(),
        PAGE.replace("The gateway", "\t  \nThe gateway  \t").encode(),
        PAGE.replace("\n\n", "\r\n\n").encode() + b"trailing spaces   \r\n\n\n",
        PAGE.replace("The gateway", "<!-- src/app.py:3 -->\n\nThe gateway").encode(),
    ],
    ids=["crlf", "bom", "bom-1", "no-newline", "wide", "space", "mixed", "comment"],
)
def test_all_other_bytes_stay(repo: Repo, page: bytes) -> None:
    assert fixed(repo, page) == page.replace(b"app.py:3", b"app.py:5")


def test_the_mode_of_a_file_stays(repo: Repo) -> None:
    os.chmod(repo.root / DOCUMENT, 0o755)
    fixed(repo, PAGE)
    assert (repo.root / DOCUMENT).stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("`src/app.py:3`", "`lib/gateway.py:3`"),
        ("`src/app.py`", "`lib/gateway.py`"),
        ("`./src/app.py`", "`../lib/gateway.py`"),  # relative, as git moved it away from the root
        ("[this file](../src/app.py)", "[this file](../lib/gateway.py)"),
        ("[this file](../src/app.py#L6-L7)", "[this file](../lib/gateway.py#L6-L7)"),
        ("[this file](/src/app.py)", "[this file](/src/app.py)"),
    ],
)
def test_a_renamed_file_in_every_form(repo: Repo, written: str, after: str) -> None:
    page = "# Progress\n\nThe port of the gateway is 8443 as set by {} today.\n"
    repo.commit({DOCUMENT: page.format(written)})
    (repo.root / "lib").mkdir()
    repo.git("mv", "src/app.py", "lib/gateway.py")
    repo.commit()
    assert ask(repo, "--fix").returncode == (after == written)
    assert (repo.root / DOCUMENT).read_text() == page.format(after)


def test_a_name_with_odd_characters_is_left_to_a_person(repo: Repo) -> None:
    repo.git("mv", "src/app.py", "src/the app (new).py")
    repo.commit()
    before = contents(repo)
    assert only(repo).state is EvidenceState.MOVED
    ask(repo, "--fix")
    assert contents(repo) == before


def test_what_is_not_certain_is_not_touched(repo: Repo) -> None:
    page = (
        "# Progress\n\nThe port is 8443 (`src/app.py:3`) for everyone.\n\n"
        "It starts by `src/app.py:6` and nothing else.\n\nIt was `src/gone.py` before, we know.\n"
    )
    repo.commit({DOCUMENT: page, "src/gone.py": "GONE = 'for good'\n"})
    twice = f"import os\n{ABOVE}GATEWAY_PORT = 8443\n{SOURCE}".replace(
        "def start(host)", "def begin(host)"
    )
    repo.commit({"src/app.py": twice, "src/gone.py": None})
    assert [i.state for i in items(repo)] == [
        EvidenceState.MOVED,
        EvidenceState.CHANGED,
        EvidenceState.GONE,
    ]
    before = contents(repo)
    assert ask(repo, "--fix").returncode == 1
    assert contents(repo) == before


def test_an_approved_claim_is_left_as_the_reviewer_read_it(repo: Repo) -> None:
    from grounded_ingest.git.repository import Repo as Opened
    from grounded_ingest.knowledge.scope import Asked
    from grounded_ingest.pipeline import Options, run

    with Opened(str(repo.root), own=False) as opened:
        (decision,) = run(opened, Asked("all"), Options(online=False)).report.decisions
    claim = decision.place.claim
    log = (
        f'{{"id":"{claim.id}","section":"{claim.section}","ordinal":0,'
        f'"claim":{json.dumps(claim.text)},"action":"approve","reviewer":"ada@example.org",'
        f'"reviewed_at":"2026-01-05T12:00:00Z","reason":"read"}}\n'
    )
    repo.commit({f".grounded/reviews/{DOCUMENT}.jsonl": log})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.MOVED, "src/app.py:5", False)
    before = contents(repo)
    ask(repo, "--fix")
    assert contents(repo) == before


def test_the_diff_writes_nothing_and_applies(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.rstrip("\n").replace("\n", "\r\n").encode()})
    with_evidence(repo)
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


def test_a_second_fix_changes_nothing_committed_or_not(repo: Repo) -> None:
    with_evidence(repo)
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ask(repo, "--fix")
    once = contents(repo)
    assert ask(repo, "--diff").returncode == 0
    ask(repo, "--fix")
    assert contents(repo) == once
    repo.commit()
    assert ask(repo, "--fix", "--fail-on", "review").returncode == 0
    assert contents(repo) == once
    assert only(repo).state is EvidenceState.OK


def test_sidecars_follow_and_orphans_go(repo: Repo) -> None:
    more = "memory-bank/more.md"
    repo.commit({DOCUMENT: POINTING, more: POINTING})
    with_evidence(repo)
    repo.commit({"src/app.py": ABOVE + SOURCE, more: None})
    ask(repo, "--fix")
    after = contents(repo)
    assert b"src/app.py:5" in after[EVIDENCE]
    assert [p for p in after if p.startswith(".grounded/evidence/")] == [EVIDENCE]
    repo.commit()
    check = [sys.executable, "-m", "grounded_ingest", "check", "--all", "--offline", "--locked"]
    ran = subprocess.run(
        check, cwd=repo.root, env=process_environment(), capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stdout


def test_a_repository_without_sidecars_gets_none(repo: Repo) -> None:
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ask(repo, "--fix")
    assert not (repo.root / ".grounded").exists()


def test_paths_limit_what_is_fixed(repo: Repo) -> None:
    repo.commit({"docs/more.md": PAGE})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ask(repo, "--fix", "docs")
    assert b"app.py:5" in (repo.root / "docs/more.md").read_bytes()
    assert (repo.root / DOCUMENT).read_text() == PAGE


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
    with open(repo.root / ".git/grounded-ingest/lock", "a+b") as lock:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
        process = subprocess.Popen(
            [sys.executable, "-m", "grounded_ingest", "audit", "--offline", "--fix", "-q"],
            cwd=repo.root, env=process_environment(), stdout=subprocess.DEVNULL,
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
    assert ask(repo, "--fix", "--fail-on", "review").returncode == 0
    assert {p: (repo.root / p).read_text() for p in pages} == after
    assert repo.git("status", "--porcelain", "--untracked-files=all").count("??") == 0


def test_json_records_and_front_matter(repo: Repo) -> None:
    record = '[{"text": "The port is 8443, see `src/app.py:3`.", "id": "a"},\r\n'
    record += ' {"text": "It starts, see `src/app.py:6`.", "id": "b"}]'
    repo.commit({"memory/notes.json": record.encode()})
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ask(repo, "--fix")
    after = (repo.root / "memory/notes.json").read_bytes().decode()
    assert after == record.replace("py:3", "py:5").replace("py:6", "py:8")


def test_a_bare_repository_and_contradicting_flags(repo: Repo) -> None:
    assert ask(repo, "--history", "--fix").returncode == 2
    assert ask(repo, "--every", "3").returncode == 2
    assert ask(repo, "-q", "-v").returncode == 2
    repo.git("clone", "-q", "--bare", str(repo.root), str(repo.root.parent / "bare"))
    command = [sys.executable, "-m", "grounded_ingest", "audit", "--offline"]
    bare = {"cwd": repo.root.parent / "bare", "env": process_environment()}
    assert (
        subprocess.run([*command, "--fix"], capture_output=True, check=False, **bare).returncode
        == 2
    )
    assert subprocess.run(command, capture_output=True, check=False, **bare).returncode == 0
    assert PROJECT.is_dir()

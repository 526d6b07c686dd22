"""No output of any command or format holds a command that a CI service reads from a job's log.

Azure Pipelines reads `##vso[…]` and `##[group]`, TeamCity `##teamcity[…]`, anywhere in a line.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from clirepo import Repo, environment
from terminal import Terminal

from grounded_ingest.errors import Exit
from grounded_ingest.report.formats import FORMATS, STATISTICS

VSO, CITY, GROUP = "##vso[task.complete]x", "##teamcity[buildStop]x", "##[group]x"
WORDS = f"{VSO} {CITY} {GROUP}"
COMMAND = re.compile(r"##[A-Za-z\[]")
DOCUMENT = f"memory-bank/{VSO}.md"
PLAIN = "memory-bank/plain.md"
RECORD = f"docs/adr/0002-{CITY}.md"
CODE = f"src/{VSO}.py"
PAGE = f"""# Progress {WORDS}
    ::error::owned
The {WORDS} gateway listens on port 8443 (`src/app.py:2`).

The gateway of {WORDS} listens on port 9443 (`src/app.py:2`).

I think the {WORDS} cache is shared by `{CODE}`.

Sessions are stored in PostgreSQL for one day by {WORDS} (`src/gone{VSO}.py`).

The store is kept by ADR-0002 and ADR-0009{VSO}.

## Heading ##vso[task.complete]x

The worker {WORDS} starts in `{CODE}:1` (`{CODE}::launch##vso[x]`).

See [the heading](#vso-{VSO}) and [that one](../{RECORD}#{VSO}).
"""
ADDED = f"\nI think the {WORDS} queue is slow.\n"
AUDITED = f"""# Audited {WORDS}

The {WORDS} port is set in `{CODE}:2`.

    ::error::owned

The {WORDS} host is kept in `src/moved.py:2`.

The {WORDS} name is kept in `src/old{VSO}.py`.
"""
SOURCE = f'PORT = 8443\nHOST = "{WORDS}"\n\n\ndef start():\n    return "{WORDS}"\n'
ADR = f"# 2. {WORDS}\n\nStatus: accepted {WORDS}\n\nThe store of {WORDS} keeps its rows.\n"
CONFIG = "exclude: ['##vso[task.complete]x/**']\n"
LINE = {
    "id": "0123456789abcdef", "section": WORDS, "ordinal": 0, "claim": WORDS, "action": "reject",
    "reviewer": f"{VSO}@example.org", "reviewed_at": "2026-01-01T00:00:00Z", "reason": WORDS,
}  # fmt: skip
CHECK = ("check", "--offline")
MEMORIES = f"memories{VSO}.jsonl"
FLEET = ("fleet", "query", "--out", "../tables")
ASKED: dict[str, tuple[str, ...]] = {
    "first run": (),
    "check": CHECK,
    "check verbosely": (*CHECK, "-v", "--all"),
    "check everything": (*CHECK, "--all", "-vv"),
    "check range": (*CHECK, "--range", "HEAD~1..HEAD"),
    "check since": (*CHECK, "--since", "##vso"),
    "check staged": (*CHECK, "--staged"),
    "check base": (*CHECK, "--base", "##vso"),
    "check one": (*CHECK, DOCUMENT, CODE),
    "check no base": (*CHECK, "--base", VSO),
    "check config": (*CHECK, "--config", f"broken{VSO}.yaml"),
    "check no config": (*CHECK, "--config", f"none{VSO}.yaml"),
    "check rule": (*CHECK, "--select", VSO),
    "check baseline": (*CHECK, "--all", "--baseline", f"../base{VSO}.json", "--update-baseline"),
    "check no option": (*CHECK, f"--{VSO}"),
    "no command": (VSO,),
    "check nothing": (*CHECK, f"no{VSO}.md"),
    "explain": ("explain", "--offline", DOCUMENT),
    "explain line": ("explain", "--offline", f"{DOCUMENT}:7"),
    "explain json": ("explain", "--offline", "--json", DOCUMENT),
    "explain words": ("explain", "--offline", WORDS),
    "explain nothing": ("explain", "--offline", f"{CODE}:1"),
    "cite": ("cite", f"The gateway of {WORDS} listens on port 9443"),
    "cite line": ("cite", f"{DOCUMENT}:5"),
    "cite json": ("cite", "--json", f"The gateway of {WORDS} listens on port 9443"),
    "rule": ("rule", VSO),
    "audit": ("audit", "--offline", "-v"),
    "audit one": ("audit", "--offline", "-v", DOCUMENT),
    "audit nothing": ("audit", "--offline", f"no{VSO}.md"),
    "audit json": ("audit", "--offline", "--output-format", "json"),
    "audit diff": ("audit", "--offline", "--diff"),
    "audit no base": ("audit", "--base", VSO),
    "recall": ("recall", f"Which port does the gateway of {WORDS} listen on?", "--pending"),
    "recall json": ("recall", "gateway port", "--pending", "--output-format", "json"),
    "recall markdown": ("recall", "gateway port", "--pending", "--output-format", "markdown"),
    "recall nothing": ("recall", VSO),
    "recall types": ("recall", "port", "--types", VSO),
    "verify": ("verify", "--text-file", f"text{VSO}", "--memories", MEMORIES),
    "verify json": (
        "verify", "--text-file", f"text{VSO}", "--memories", MEMORIES, "--output-format", "json",
    ),
    "verify kept": ("verify", "--text", f"The {WORDS} port is 9443.", "--knowledge-base"),
    "verify source": ("verify", "--text-file", f"text{VSO}", "--source", CODE),
    "verify source json": (
        "verify", "--text-file", f"text{VSO}", "--source", CODE, "--output-format", "json",
    ),
    "verify broken": ("verify", "--text", "x", "--memories", f"broken{VSO}.jsonl"),
    "verify nowhere": ("verify", "--text", "x", "--memories", f"none{VSO}.jsonl"),
    "status": ("status",),
    "status json": ("status", "--json"),
    "review list": ("review", "list", "--offline", "--all-owners"),
    "review list json": ("review", "list", "--offline", "--all-owners", "--json"),
    "review blocked": ("review", "list", "--offline", "--all-owners", "--state", "blocked"),
    "review log": ("review", "log"),
    "review log json": ("review", "log", "--json"),
    "review show": ("review", "show", "--offline", f"{DOCUMENT}:7"),
    "review show json": ("review", "show", "--offline", "--json", f"{DOCUMENT}:7"),
    "review show nothing": ("review", "show", "--offline", VSO),
    "review approve": ("review", "approve", "--offline", "--path", "*", "--dry-run"),
    "review approve all": ("review", "approve", "--offline", "--path", "*", "--all-owners"),
    "init": ("init", "--dry-run", "--offline", "--repo", f"https://{VSO}", "--rev", VSO, "--agents"),
    "init agent": ("init", "--dry-run", "--agent", "claude", "--agent", "gemini"),
    "hook": ("hook", "--agent", "claude"),
    "completion": ("completion", VSO),
    "bench": ("bench", "replay"),
    "bench json": ("bench", "replay", "--output-format", "json"),
    "fleet": ("fleet", "--directory", "..", "--out", "../other tables", "--offline"),
    "fleet none": ("fleet", "--directory", VSO, "--out", "../tables"),
    "fleet text": (*FLEET, "select * from claims"),
    "fleet json": (*FLEET, "select * from claims", "--output-format", "json"),
    "fleet findings": (*FLEET, "select * from findings"),
    "fleet repositories": (*FLEET, "select * from repositories"),
    "fleet wrong query": (*FLEET, f"select '{VSO}' from {VSO}"),
    **{f"as {name}": (*CHECK, "--all", "--output-format", name) for name in FORMATS},
    **{f"change as {name}": (*CHECK, "--since", "HEAD~2", "--output-format", name)
       for name in FORMATS},
    **{f"statistics as {name}": (*CHECK, "--all", "--statistics", "--output-format", name)
       for name in STATISTICS},
}  # fmt: skip
WORDLESS = {
    "check since", "check baseline", "review approve all",
    "init agent", "fleet", "statistics as text", "statistics as json",
}  # fmt: skip
"""Questions whose answers repeat nothing of the repository."""
HOOK: dict[str, Any] = {
    "hook_event_name": "PostToolUse", "tool_name": "Write", "cwd": "{root}",
    "tool_input": {"file_path": DOCUMENT, "content": f"{PAGE}{ADDED}"},
}  # fmt: skip


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Names, headings, claims, titles, commits, people and a branch, all of them hostile."""
    base = tmp_path_factory.mktemp("log")
    root = base / f"work{VSO}"
    root.mkdir()
    made = Repo(root, environment(base))
    for role in ("AUTHOR", "COMMITTER"):
        made.env[f"GIT_{role}_NAME"] = WORDS
        made.env[f"GIT_{role}_EMAIL"] = f"{VSO}@example.org"
    made.git("init", "--quiet", "--template=", "--initial-branch=##vso")
    for path, text in {
        "src/app.py": f"HOST = 1\nGATEWAY_PORT = 8443  # {WORDS}\n", CODE: SOURCE, "src/moved.py": SOURCE,
        RECORD: ADR, f"src/old{VSO}.py": SOURCE, "AGENTS.md": f"# {WORDS}\n",
        f"memory-bank/audited{VSO}.md": AUDITED, PLAIN: "# Plain\n\nThe cat sat.\n",
        ".grounded-ingest.yaml": CONFIG,
    }.items():  # fmt: skip
        made.write(path, text)
    made.git("add", "-A")
    made.git("commit", "-q", "-m", WORDS)
    made.git("mv", f"src/old{VSO}.py", f"src/new{VSO}.py")
    made.write(CODE, "# one line more\n" + SOURCE)
    made.write("src/moved.py", "# one line more\n" + SOURCE)
    made.git("commit", "-qa", "-m", WORDS)
    made.write(DOCUMENT, PAGE)
    made.write(f"memory-bank/twin{VSO}.md", PAGE.replace("8443", "8444"))
    made.write(f".grounded/reviews/{DOCUMENT}.jsonl", f"{json.dumps(LINE)}\n")
    made.write(f".grounded/evidence/{DOCUMENT}.jsonl", f"{VSO}\n")
    made.write(f".grounded/evidence/orphan{VSO}.md.jsonl", f"{VSO}\n")
    made.git("add", "-A")
    made.git("commit", "-q", "-m", WORDS)
    made.git("branch", CITY.partition("[")[0])
    made.write(f"text{VSO}", f"The {WORDS} port is 9443. {PAGE}")
    row = {"id": VSO, "text": f"The {WORDS} port is 8443.", "subject": WORDS}
    made.write(MEMORIES, f"{json.dumps(row)}\n")
    made.write(f"broken{VSO}.jsonl", f"{VSO}\n")
    made.write(f"broken{VSO}.yaml", f"{VSO}: 1\n'{CITY}': 2\n")
    made.write(f"broken{VSO}.toml", f"{VSO}\n")
    made.write(DOCUMENT, f"{PAGE}{ADDED}")
    assert made.ask("fleet", "--directory", "..", "--out", "../tables", "--offline").code == 0
    return made


def commands(text: str) -> list[str]:
    return [line for line in text.splitlines() if COMMAND.search(line)]


@pytest.mark.parametrize("name", ASKED)
def test_no_command_of_a_log_leaves(repo: Repo, name: str) -> None:
    payload = json.dumps({**HOOK, "cwd": str(repo.root)}).encode()
    ran = repo.ask(*ASKED[name], stdin=payload)
    assert ran.code in (0, 1, 2), ran.err
    assert ("buildStop" in ran.out + ran.err or "task.complete" in ran.out + ran.err) == (
        name not in WORDLESS
    )
    assert commands(ran.out + ran.err) == []


def test_json_keeps_the_words_exactly(repo: Repo) -> None:
    found = repo.report("--all")
    assert DOCUMENT in {d["path"] for d in found["decisions"]}
    assert any(WORDS in d["claim"] for d in found["decisions"])
    rows = repo.check("--all", "--output-format", "jsonl").out.splitlines()
    assert DOCUMENT in {json.loads(row).get("path") for row in rows}


def test_a_report_in_a_file_holds_no_command(repo: Repo, tmp_path: Path) -> None:
    for name in FORMATS:
        repo.check("--all", "--output-format", name, "--output-file", str(tmp_path / name))
        text = (tmp_path / name).read_text("utf-8")
        assert "task.complete" in text
        assert commands(text) == [], name


def test_decisions_of_people_are_shown_without_commands(repo: Repo) -> None:
    beside = repo.beside("reviewed")
    beside.git("clone", "-q", str(repo.root), ".")
    for verb in ("reject", "revoke"):
        ran = beside.ask("review", verb, "--offline", f"{DOCUMENT}:7", "--reason", WORDS)
        assert ran.code == 0, ran.err
        assert commands(ran.out + ran.err) == []
    log = beside.ask("review", "log")
    assert log.out.count("task.complete") >= 2
    assert commands(log.out) == []


def test_progress_on_a_terminal_holds_no_command(repo: Repo) -> None:
    terminal = Terminal(repo, "audit", "--offline", "--no-cache")
    assert terminal.end() == 1
    assert "looking up" in terminal.screen
    assert "task.complete" in terminal.screen
    assert commands(terminal.screen) == []


def test_a_bug_in_us_names_no_command(repo: Repo) -> None:
    failing = (
        "import sys; from grounded_ingest.cli import entry\n"
        "entry._run = lambda: {}[sys.argv[1]]\n"
        "sys.exit(entry.run_command())\n"
    )
    ran = repo.run(sys.executable, "-c", failing, f"{WORDS}\x1b[31m")
    assert ran.code == Exit.BUG
    assert "task.complete" in ran.err
    assert commands(ran.err) == []
    assert "\x1b" not in ran.err


def test_a_diff_that_is_changed_for_a_log_says_so(repo: Repo) -> None:
    ran = repo.ask("audit", "--offline", "--diff")
    assert "owned" in ran.out
    assert [line for line in ran.out.splitlines() if line.lstrip().startswith("::")] == []
    assert "use --fix" in ran.err

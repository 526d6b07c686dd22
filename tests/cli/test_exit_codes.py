"""Exit codes are a contract: 0, 1, 2, 3 and 130, for every command."""

from __future__ import annotations

import sys

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, Repo

COMMANDS = (["check"], ["explain", "x"], ["status"], ["init"])


def spelt(value: object) -> str | None:
    return " ".join(value) if isinstance(value, list) else None


def driver(code: str, *args: str) -> list[str]:
    """A process that runs `code` before the command line sees `args`."""
    program = (
        "import os, signal, sys, time, grounded_ingest.pipeline as pipeline\n"
        f"sys.argv = ['grounded-ingest', *{list(args)!r}]\n"
        f"{code}\n"
        "from grounded_ingest.__main__ import main\n"
        "main()\n"
    )
    return [sys.executable, "-c", program]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["check", "--all", "--offline"], 0),
        (["check", "--all", "--offline", "--fail-on", "review"], 0),
        (["check", "--all", "--offline", "--fail-on", "never"], 0),
        (["check", "--all", "--offline", "--locked"], 0),
        (["explain", "--offline", f"{DOCUMENT}:3"], 0),
        (["explain", "--offline", "nothing holds these words"], 2),
        (["rule"], 0),
        (["rule", "speculation"], 0),
        (["status"], 0),
        (["init", "--dry-run"], 0),
        (["init"], 2),
        (["--help"], 0),
        (["--version"], 0),
        (["chekc"], 2),
        (["check", "--nope"], 2),
    ],
    ids=spelt,
)
def test_code(repo: Repo, args: list[str], code: int) -> None:
    ran = repo.ask(*args)
    assert ran.code == code, ran.out + ran.err
    assert "Traceback" not in ran.err


def test_a_blocked_claim_fails_unless_told_otherwise(repo: Repo) -> None:
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    assert repo.check().code == 1
    assert repo.check("--fail-on", "never").code == 0
    assert repo.check("--ignore", "technical-hedge").code == 1


@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: args[0])
def test_outside_a_repository(repo: Repo, args: list[str]) -> None:
    ran = repo.beside("elsewhere").ask(*args, GIT_CEILING_DIRECTORIES=str(repo.root.parent))
    assert ran.code == 2
    assert ran.err.startswith("grounded-ingest: . is not in a git repository")
    assert ran.out == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--since", "nope"], "unknown revision: nope"),
        (["--range", "nope..HEAD"], "unknown revision: nope"),
        (["--range", "HEAD"], "`HEAD` is not a commit range; expected A..B"),
        (["--range", "--all..HEAD"], "unknown revision: --all"),
        (
            ["--base", "nope"],
            "the base `nope` is unknown: name an existing branch, or run: git fetch",
        ),
        (["--base", ""], "--base is empty"),
        (
            ["--select", "specluation"],
            "--select: unknown rule: specluation\n  did you mean speculation?",
        ),
        (
            ["--ignore", "speculation,refutd"],
            "--ignore: unknown rule: refutd\n  did you mean refuted?",
        ),
        (["--ignore", "no-such-thing"], "unknown rule: no-such-thing"),
        (["--select", "unread,all"], "unknown rule: all\n  did you mean ALL?"),
        (["--select", " ,"], "--select is empty"),
        (["--output-format", "xml"], "'xml' is not one of"),
        (
            ["--output-file", "a", "--output-file", "b"],
            "there are more --output-file than --output-format options",
        ),
        (
            ["--output-format", "json", "--output-format", "text"],
            "more than one report would go to stdout",
        ),
        (["--output-file", "no/such/dir"], "there is no directory no/such"),
        (["--config", "no-such-file"], "no-such-file: the configuration file cannot be read"),
        (["--staged", "--all"], "more than one of PATHS, --staged"),
        (["--since", "HEAD", DOCUMENT], "more than one of PATHS, --staged"),
        (["--quiet", "--verbose"], "--quiet does not work together with --verbose"),
        (["--write", "--locked"], "--write does not work together with --locked"),
        (["--write", "--since", "HEAD"], "--write does not work together with --since"),
        (["--timeout", "-1"], "not in the range x>=0"),
        (["no/such/file.md"], "no/such/file.md does not exist"),
        (["../outside.md"], "../outside.md is outside the repository"),
        ([".."], ".. is outside the repository"),
        (["/"], "/ is outside the repository"),
    ],
    ids=spelt,
)
def test_usage(repo: Repo, args: list[str], said: str) -> None:
    ran = repo.check(*args)
    assert ran.code == 2, ran.out + ran.err
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["chekc"], "Did you mean 'check'?"),
        (["lint"], "Did you mean 'check'?"),
        (["uninstall"], "Did you mean 'init --remove'?"),
        (["check", "--fail-on", "blok"], "'never'. Did you mean 'block'?"),
        (["check", "memory-bank/progres.md"], f"did you mean {DOCUMENT}?"),
        (["check", "--since", "mains"], "unknown revision: mains\n  did you mean main?"),
        (["check", "--config", "none.yaml"], "cannot be read: No such file or directory\n"),
        (["remove"], "No such command 'remove'.\n"),
        (["help", "chekc"], "Did you mean 'check'?"),
        (["help", "review", "rejcet"], "Did you mean 'reject'?"),
        (["check", "--from-ref", "main"], "No such option '--from-ref'.\n"),
        (["check", "--statistic"], "Did you mean '--statistics'?"),
        (["init", "--uninstall"], "Did you mean '--remove'?"),
        (["explain", "--offline", "refuted-citaton"], "did you mean refuted-citation?"),
        ([DOCUMENT], f"run: grounded-ingest check {DOCUMENT}\n"),
        (["--all"], "run: grounded-ingest check --all\n"),
        (["--nonsense"], "No such option '--nonsense'.\n"),
    ],
    ids=spelt,
)
def test_only_a_similar_word_is_suggested(repo: Repo, args: list[str], said: str) -> None:
    ran = repo.ask(*args)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_an_ignore_comment_with_a_misspelt_rule(repo: Repo) -> None:
    repo.write(DOCUMENT, f'{PAGE}\n<!-- grounded: ignore[refuted-citaton] reason="a test" -->\n')
    assert 'no rule refuted-citaton; did you mean "refuted-citation"?' in repo.check().out


@pytest.mark.parametrize("args", [[], ["--all"], ["--staged"], [DOCUMENT]], ids=spelt)
def test_an_unknown_base_without_a_commit(unborn: Repo, args: list[str]) -> None:
    unborn.write(DOCUMENT, PAGE)
    ran = unborn.check("--base", "nope", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("preset: advisory\ndedup:\n  treshold: 0.9\n", ".grounded-ingest.yaml:3: "),
        ("preset: advisory\ndedup:\n  treshold: 0.9\n", 'did you mean "threshold"?'),
        ("preset: [\n", ".grounded-ingest.yaml:"),
        ("policy: {speculation: off}\n", ".grounded-ingest.yaml:1: "),
        ("!!python/object:os.system x\n", ".grounded-ingest.yaml:1: "),
        (b"preset: \xff\n", ".grounded-ingest.yaml:1: the file is not UTF-8"),
    ],
)
@pytest.mark.parametrize("command", ["check", "status", "init"])
def test_unreadable_configuration(repo: Repo, command: str, text: str | bytes, said: str) -> None:
    repo.write(".grounded-ingest.yaml", text)
    ran = repo.ask(command)
    assert ran.code == 2, ran.out + ran.err
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_bug_is_no_finding(repo: Repo) -> None:
    code = "import grounded_ingest.pipeline as c; c.run = lambda *a, **k: 1 / 0"
    ran = repo.run(*driver(code, "check", "--offline"))
    assert ran.code == 3
    assert "this is a bug (ZeroDivisionError)" in ran.err


def test_interrupted(repo: Repo) -> None:
    code = (
        "def run(*a, **k):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(60)\n"
        "import grounded_ingest.pipeline as c; c.run = run"
    )
    ran = repo.run(*driver(code, "check", "--offline"))
    assert ran.code == 130
    assert ran.err.strip() == "grounded-ingest: interrupted"


def test_an_interrupted_run_leaves_evidence_and_index_alone(repo: Repo) -> None:
    pointing = f"{PAGE}\nSee `src/app.py:1`.\n"
    repo.write(DOCUMENT, pointing)
    assert repo.check("--all", "--write").code == 0
    repo.git("add", ".grounded")
    kept = repo.root / f".grounded/evidence/{DOCUMENT}.jsonl"
    before = kept.read_bytes(), repo.git("ls-files", "--stage")
    repo.write(DOCUMENT, pointing + "\nSee `src/app.py:2`.\n")
    code = (
        "def replace(*a, **k):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(60)\n"
        "os.replace = replace"
    )
    ran = repo.run(*driver(code, "check", "--offline", "--write"))
    assert ran.code == 130
    after = kept.read_bytes(), repo.git("ls-files", "--stage")
    assert after == before
    left = [p.name for p in (repo.root / ".grounded").rglob("*") if p.is_file()]
    assert left == [kept.name]

"""Any text on any terminal: nothing crashes, nothing hostile gets through."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, Repo

ESC = "\x1b"
HOSTILE = (
    "I think `\x1b[2J\x1b]0;owned\x07` is fine for the cache.",
    "I think the user \u202eesrever\u202c is an administrator.",
    "I think the\u200b queue\u2060 hides\ufeff words \U000e0041here.",
    "I think \x9b31m is an escape of eight bits.",
)
UNSAFE = [
    chr(n)
    for n in (*range(9), 11, 12, *range(14, 32), *range(0x7F, 0xA0), 0x202E, 0x2066, 0x200B, 0xFEFF)
]
EVERYDAY = "# Прогресс\n\nI think семь 👩‍👩‍👧 is café ‘naïve’ 日本語.\n"


def safe(text: str) -> bool:
    return not any(char in text for char in UNSAFE)


@pytest.mark.parametrize(
    "command", [["check", "--offline", "-v"], ["explain", "--offline", f"{DOCUMENT}:3"]]
)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert(repo: Repo, text: str, command: list[str]) -> None:
    repo.write(DOCUMENT, f"# Progress\n\n{text}\n")
    ran = repo.ask(*command)
    assert ran.code in (0, 1)
    assert "speculation" in ran.out
    assert safe(ran.out + ran.err)


def test_file_names_that_are_not_utf_8(repo: Repo) -> None:
    with open(str(repo.root).encode() + b"/memory-bank/latin\xe9.md", "wb") as file:
        file.write(f"{BLOCKED}\n".encode())
    for fmt in ("text", "json", "jsonl"):
        ran = repo.check("--output-format", fmt)
        assert ran.code == 1, ran.err
        assert "latin\\udce9.md" in ran.out.replace("\\\\", "\\")


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
    ],
    ids=lambda env: " ".join(f"{k}={v}" for k, v in env.items()),
)
def test_no_encoding_makes_it_crash(repo: Repo, env: dict[str, str]) -> None:
    repo.write(DOCUMENT, EVERYDAY)
    for args in (["check", "--offline", "-v"], ["explain", f"{DOCUMENT}:3"], ["status"], ["rule"]):
        ran = repo.ask(*args, **env)
        assert ran.code in (0, 1), ran.err
        assert "Traceback" not in ran.err
    found = json.loads(repo.check("--output-format", "json", **env).out)
    assert "семь 👩‍👩‍👧 is café" in found["decisions"][0]["claim"]


def test_everyday_text_stays_readable(repo: Repo) -> None:
    repo.write(DOCUMENT, EVERYDAY)
    assert "I think семь 👩‍👩‍👧 is café ‘naïve’ 日本語." in repo.check("-v").out


@pytest.mark.parametrize(
    ("args", "env", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": ""}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(repo: Repo, args: list[str], env: dict[str, str], coloured: bool) -> None:
    repo.write(DOCUMENT, f"{BLOCKED}\n")
    for command in (["check", "--offline"], ["explain", f"{DOCUMENT}:1"], ["status"], ["rule"]):
        assert (ESC in repo.ask(*command, *args, **env).out) == coloured, command
    assert ESC not in repo.check(*args, "--output-format", "json", **env).out
    repo.check(*args, "--output-file", "report.txt", **env)
    assert ESC not in repo.read("report.txt")


@pytest.mark.parametrize(
    "command", ["check --offline -v", "check --offline --output-format json", "rule", "status"]
)
def test_a_reader_that_leaves(repo: Repo, command: str) -> None:
    repo.write(DOCUMENT, PAGE + "\n\n".join(f"I think the limit is {n}." for n in range(1000)))
    run = f"{sys.executable} -m grounded_ingest {command}"
    line = f"{run} | head -c 10; code=${{PIPESTATUS[0]}}; echo; echo $code"
    ran = subprocess.run(
        ["bash", "-c", line], cwd=repo.root, env=repo.env, capture_output=True, check=False
    )
    assert ran.stdout.split()[-1] == (b"1" if "check" in command else b"0")
    assert b"Traceback" not in ran.stderr
    assert b"Broken" not in ran.stderr

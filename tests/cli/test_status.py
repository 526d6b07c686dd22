"""The state of a knowledge base, as text and as JSON."""

from __future__ import annotations

import pytest
from clirepo import DOCUMENT, PAGE, Repo

GONE = ".grounded/evidence/docs/gone.md.jsonl"
HOOK = "repos:\n  - repo: local\n    hooks:\n      - id: grounded-ingest\n        name: x\n"


def test_counts(repo: Repo) -> None:
    found = repo.ask("status", "--json").json
    assert found["classes"]["memory"]["documents"] == 1
    assert found["classes"]["memory"]["claims"] == found["claims"] == 2
    assert found["tiers"] == {"tier_1": 0, "tier_2": 2, "tier_3": 0}
    assert found["rules"] == {"cited": 1, "ungrounded": 1}
    assert found["references"] == {"hold": 1, "wrong": 0, "unknown": 0, "skipped": 0}
    assert found["base"]["reason"] == "HEAD (no remote)"
    assert found["configuration"] == {"file": "", "preset": "default"}
    assert found["online"] is False
    assert found["index"]["bytes"] > 0


def test_text_says_the_same(repo: Repo) -> None:
    out = repo.ask("status").out
    for said in (
        "(HEAD (no remote))",
        "defaults (no file), preset default",
        "1 document, 2 claims",
        "references    1 hold, 0 wrong, 0 unknown, 0 skipped",
        "claims        2: 0 approved, 2 open, 0 blocked",
        "0 present, 0 missing, 0 outdated, 0 orphaned",
        "not installed: run grounded-ingest init",
        "offline: ",
    ):
        assert said in out


def test_evidence_present_behind_and_orphaned(repo: Repo) -> None:
    pointing = f"{PAGE}\nSee `src/app.py:1`.\n"
    repo.write(DOCUMENT, pointing)
    assert repo.check("--all", "--write").code == 0
    fresh = repo.ask("status", "--json").json["evidence"]
    assert fresh == {"present": 1, "missing": [], "behind": {}, "orphaned": []}
    repo.write(DOCUMENT, pointing.replace("app.py:1", "app.py:2"))
    repo.write(GONE, repo.read(f".grounded/evidence/{DOCUMENT}.jsonl"))
    now = repo.ask("status", "--json").json["evidence"]
    assert list(now["behind"]) == [DOCUMENT]
    assert now["orphaned"] == [GONE]
    out = repo.ask("status").out
    assert (
        f"outdated {DOCUMENT}: its evidence has a line for a claim that is not in the document"
        in out
    )
    assert f"orphaned {GONE}\n" in out
    repo.write(".grounded-ingest.yaml", "evidence: off\n")
    now = repo.ask("status", "--json").json["evidence"]
    assert now == {"present": 0, "missing": [], "behind": {}, "orphaned": []}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "not installed: run grounded-ingest init"),
        ({".pre-commit-config.yaml": HOOK}, "configured in .pre-commit-config.yaml, not installed"),
        (
            {
                ".pre-commit-config.yaml": HOOK,
                ".git/hooks/pre-commit": "exec pre-commit hook-impl\n",
            },
            "installed (.git/hooks/pre-commit, .pre-commit-config.yaml)",
        ),
        (
            {".git/hooks/pre-commit": "exec grounded-ingest check\n"},
            "installed (.git/hooks/pre-commit)",
        ),
        (
            {".git/hooks/pre-commit": "exec pre-commit hook-impl\n"},
            "not installed: run grounded-ingest init",
        ),
        ({"lefthook.yml": "run: grounded-ingest check --staged\n"}, "configured in lefthook.yml"),
    ],
)
def test_hook(repo: Repo, files: dict[str, str], said: str) -> None:
    for path, text in files.items():
        repo.write(path, text)
    assert f"hook          {said}" in repo.ask("status").out


def test_hooks_path_is_followed(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".hooks")
    repo.write(".hooks/pre-commit", "exec grounded-ingest check --staged --write\n")
    assert "hook          installed (.hooks/pre-commit)" in repo.ask("status").out


def test_without_documents_and_without_commits(unborn: Repo) -> None:
    found = unborn.ask("status", "--json").json
    assert (found["claims"], found["references"]["hold"]) == (0, 0)
    assert found["base"]["reason"] == "no commit yet"


def test_unreadable_documents_are_problems(repo: Repo) -> None:
    repo.write("memory-bank/latin.md", b"Caf\xe9\n")
    told = "problem       memory-bank/latin.md:1: unreadable: the file is not UTF-8"
    assert told in repo.ask("status").out

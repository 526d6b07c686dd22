"""Names of code that a claim mentions, asked of the tree and of its history."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo

APP = "def decode(token):\n    return token\n\n\nclass Store:\n    def load_row(self): ...\n"
OTHER = "def parse_config(): ...\n\n\ndef twice_defined(): ...\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit(
        {
            "src/app.py": APP + "\n\ndef old_name(x):\n    return x + 1\n\n\ndef gone_now(): ...\n",
            "src/other.py": OTHER,
            "src/third.py": "def twice_defined(): ...\n",
        }
    )
    removed = APP + "\n\ndef new_name(x):\n    return x + 1\n"
    repo.commit({"src/app.py": removed}, "Rename one, drop one")
    return repo


@pytest.mark.parametrize(
    ("claim", "rule", "said"),
    [
        ("`parse_config()` is defined in `src/other.py`.", "verified-citation", ""),
        ("The function is `Store.load_row`.", "ungrounded", ""),
        ("`load_row` in `src/app.py` is called by `decode`.", "ungrounded", ""),
        ("`old_name()` adds one to what it is given.", "refuted-citation", "now new_name"),
        ("`gone_now` runs at start.", "refuted-citation", "removed by commit"),
        ("`load_row` in `src/other.py` reads a row.", "refuted-citation", "src/app.py defines it"),
        ("`twice_defined()` runs at start.", "ungrounded", ""),
        ("`never_there()` runs at start.", "ungrounded", ""),
        ("`gone_now` was removed.", "ungrounded", ""),
        ("`gone_now` does not run at start.", "ungrounded", ""),
        ("`os.path_join` joins paths at start.", "ungrounded", ""),
        ("`parse_config` reads twelve files.", "ungrounded", ""),
        ("`decode` in `src/app.py` gives the token.", "ungrounded", ""),
        ("`decode` is in `src/app.py`.", "verified-citation", ""),
    ],
)
def test_a_name_of_code(repo: Repo, claim: str, rule: str, said: str) -> None:
    decided = repo.judge(claim)
    assert decided.rule == rule, decided.own_evidence
    reasons = [e.reason for e in decided.own_evidence if e.kind == "symbol"]
    assert not said or any(said in reason for reason in reasons), reasons


def test_a_fact_needs_no_other_source(repo: Repo) -> None:
    decided = repo.judge("`parse_config()` is defined in `src/other.py`.")
    assert decided.strength == "fact"


def test_a_change_of_code_names_the_claims_it_makes_wrong(repo: Repo) -> None:
    repo.commit({NOTES: "# N\n\n- `parse_config` reads all files at start.\n- Other text.\n"})
    repo.stage({"src/other.py": OTHER.replace("parse_config", "read_config")})
    lost = [p for p in repo.check().report.problems if p.rule == "lost-source"]
    assert [(p.path, p.line) for p in lost] == [(NOTES, 3)]
    assert "removed by this change" in lost[0].message


def test_what_is_kept_says_the_same(repo: Repo) -> None:
    claim = "# N\n\n`Store.load_row` is in `src/app.py`.\n"
    repo.stage({NOTES: claim})
    cold = repo.check(cache=True).report.decisions
    warm = repo.check(cache=True).report.decisions
    assert cold == warm
    assert cold[0].strength == "fact"

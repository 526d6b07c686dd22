"""Conflicting updates: one masked value, after the verb, against what is grounded on base."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import APART, NOTES, Files, Repo, page, stating

OLD = "memory-bank/old.md"
CITED = "(`data/said.txt:1`)"
THERE = f"(`data/said.txt:{APART + 1}`)"


def judged(tmp_path: Path, old: str, new: str, *, path: str = NOTES, at: str = OLD) -> str:
    repo = Repo(tmp_path)
    code = stating(*(c.partition(" (`")[0] for c in (old, new)))
    repo.commit({"data/said.txt": code, at: page(old) if not old.startswith("|") else old})
    return repo.judge(new, path).rule


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The timeout is 30 s", "The timeout is 60 s"),
        ("The timeout is thirty seconds", "The timeout is sixty seconds"),
        ("The image runs Python 3.11 today here", "The image runs Python 3.12 today here"),
        ("The worker retries 5 times", "The worker retries 7 times"),
        ("The gateway listens on port 8443", "The gateway listens on port 9443"),
        ("The gateway accepts plain requests", "The gateway does not accept plain requests"),
        ("The gateway is not public at all", "The gateway is public at all"),
        ("Sessions cannot be shared by tenants", "Sessions can be shared by tenants"),
        ("The client waits 1.5 seconds", "The client waits 2.5 seconds"),
    ],
)
def test_a_changed_value_blocks(tmp_path: Path, old: str, new: str) -> None:
    old = old.replace(" today", "")
    new = new.replace(" today", "")
    assert judged(tmp_path, f"{old} {CITED}.", f"{new} {THERE}.") == "conflicting-update"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Node 18 is supported by us", "Node 20 is supported by us", "before the verb"),
        ("Phase 1 was finished on time", "Phase 2 was finished on time", "before the verb"),
        ("The release is due on 2024-01-02", "The release is due on 2024-02-03", "a date"),
        ("It was seen in May 2024 here 5 times", "It was seen in May 2024 here 7 times", "dated"),
        ("The port is 8443", "The port was 8443, is now 9443", "disclosed"),
        ("The port is 8443", "The port changed from 8443 to 9443", "disclosed"),
        ("The port is 8443 for tenants", "The port is 9443 for tenants, previously 8443", "disclosed"),
        ("Run make test 3 times first", "Run make test 5 times first", "imperative"),
        ("The queue is kept in Redis", "The queue is kept in Kafka", "a name blocks nothing"),
        ("It is 5", "It is 7", "too short"),
    ],
)  # fmt: skip
def test_other_differences_pass(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert judged(tmp_path, f"{old} {CITED}.", f"{new} {THERE}.") == "cited", why


def test_the_other_claim_has_to_be_grounded(tmp_path: Path) -> None:
    rule = judged(tmp_path, "The timeout is 30 s.", f"The timeout is 60 s {THERE}.")
    assert rule == "cited"


@pytest.mark.parametrize(("path", "at"), [("docs/a.md", OLD), (NOTES, "docs/a.md")])
def test_both_have_to_be_memory(tmp_path: Path, path: str, at: str) -> None:
    old, new = f"The timeout is 30 s {CITED}.", f"The timeout is 60 s {THERE}."
    assert judged(tmp_path, old, new, path=path, at=at) == "cited"


@pytest.mark.parametrize(
    ("staged", "rules"),
    [
        ({OLD: page(f"The timeout is 60 s {THERE}.")}, ["cited"]),
        ({OLD: None, NOTES: page(f"The timeout is 60 s {THERE}.")}, ["cited"]),
        ({OLD: page(f"The timeout is 30 s {CITED}.", f"The timeout is 60 s {THERE}.")},
         ["conflicting-update"]),
    ],
    ids=["corrected in place", "moved and corrected", "added beside it"],
)  # fmt: skip
def test_a_correction_removes_the_other_version(
    tmp_path: Path, staged: Files, rules: list[str]
) -> None:
    repo = Repo(tmp_path)
    code = stating("The timeout is 30 s", "The timeout is 60 s")
    repo.commit({"data/said.txt": code, OLD: page(f"The timeout is 30 s {CITED}.")})
    repo.stage(staged)
    assert [d.rule for d in repo.decisions()] == rules


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ("# A\n\nThe timeout is 30 s.\n\nThe timeout is 60 s.\n", ["ungrounded"] * 2),
        ("# A\n\nThe timeout is 30 s.\n\n# B\n\nThe timeout is 60 s.\n", ["ungrounded"] * 2),
        ("| what | is |\n|---|---|\n| the timeout of it is | 30 |\n| the timeout of it is | 60 |\n",
         ["ungrounded"] * 2),
        ("- The first port is 80.\n- The second port is 80.\n", ["ungrounded"] * 2),
        ("- Use port 80 for it.\n- Use port 81 for it.\n", ["ungrounded"] * 2),
    ],
    ids=["same section", "elsewhere", "rows", "subjects", "items"],
)  # fmt: skip
def test_inside_one_change(tmp_path: Path, body: str, rules: list[str]) -> None:
    repo = Repo(tmp_path)
    repo.commit()
    repo.stage({NOTES: body})
    assert [d.rule for d in repo.decisions()] == rules

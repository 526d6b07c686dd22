"""Grounded of checkable claims, for the change and its documents; what needs no check stands apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from repos import Repo, page

from grounded_ingest.model.report import Coverage
from grounded_ingest.report.as_json import coverage
from grounded_ingest.report.sidecar_plan import fails

MEMORY, DOCS = "CLAUDE.md", "docs/gateway.md"
STATED = "The gateway keeps its sessions in Redis."
OTHER = "The ledger writes its rows to three partitions."
CITED = "`GATEWAY_PORT` is 8443 (`src/settings.py:1`)."
ASKED = ("Never commit secrets to the repository.", "Always run the tests before a commit.")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Base holds one claim that is grounded, one that waits, and an instruction."""
    made = Repo(tmp_path / "repo")
    made.commit({"src/settings.py": "GATEWAY_PORT = 8443\n"})
    made.commit({MEMORY: page(CITED, STATED, ASKED[0]), DOCS: page(OTHER)})
    return made


def covered(repo: Repo, mode: str = "staged") -> dict[str, Any]:
    found: dict[str, Any] = coverage(repo.check(mode).report)
    return found


def pair(found: dict[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    """(grounded, checkable) of the change, and of head."""
    change, head = found["change"], found["head"]
    return (change["grounded"], change["checkable"]), (head["grounded"], head["checkable"])


def test_of_everything_by_class_and_document(repo: Repo) -> None:
    found = covered(repo, "all")
    assert pair(found) == ((1, 3), (1, 3))
    assert {name: pair(of) for name, of in found["classes"].items()} == {
        "docs": ((0, 1), (0, 1)),
        "memory": ((1, 2), (1, 2)),
    }
    assert [(d["path"], d["class"], pair(d)) for d in found["documents"]] == [
        (MEMORY, "memory", ((1, 2), (1, 2))),
        (DOCS, "docs", ((0, 1), (0, 1))),
    ]
    assert found["head"]["share"] == 0.3333


def test_of_a_change_and_of_what_stands_behind_it(repo: Repo) -> None:
    repo.stage({MEMORY: page(CITED, STATED, *ASKED, OTHER)})
    found = covered(repo)
    assert pair(found) == ((0, 1), (1, 3))
    assert [d["path"] for d in found["documents"]] == [MEMORY]


def test_a_change_that_only_asks(repo: Repo) -> None:
    repo.stage({MEMORY: page(CITED, STATED, *ASKED)})
    report = repo.check().report
    assert report.coverage == Coverage(0, 0, 1)
    assert (report.coverage.share, report.worst) == (1.0, 0)
    assert [report.tier(t) for t in (1, 2, 3)] == [0, 0, 0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("policy", "rule", "strict"),
    [
        ("", "nothing-to-check", False),
        ("policy: {nothing-to-check: off}\n", "ungrounded", True),
        ("policy: {nothing-to-check: block}\n", "nothing-to-check", True),
    ],
)
def test_what_fails_where_memory_has_to_be_reviewed(
    repo: Repo, policy: str, rule: str, strict: bool
) -> None:
    repo.commit({".grounded-ingest.yaml": f"preset: strict\n{policy}"})
    repo.stage({MEMORY: page(CITED, STATED, *ASKED)})
    result = repo.check()
    assert [d.rule for d in result.report.counted] == [rule]
    assert (fails(result, ""), fails(result, "review")) == (strict, strict)


def test_an_approval_and_a_rejection_count_all_the_same(repo: Repo) -> None:
    from grounded_ingest.records.review_log import digest_of, log_path

    claims = {d.place.claim.text: d.place.claim for d in repo.check("all").report.decisions}
    for action, rule in (("approve", "approved"), ("reject", "rejected")):
        claim = claims[ASKED[0]]
        line = {
            "id": claim.id, "section": claim.section, "ordinal": claim.ordinal, "action": action,
            "claim": claim.text, "digest": digest_of(claim.text, claim.context), "context": [],
            "reviewer": "ann@example.org", "reviewed_at": "2026-01-05T12:00:00.000Z", "reason": "",
        }  # fmt: skip
        repo.commit({log_path(MEMORY): json.dumps(line) + "\n"})
        decided = {d.place.claim.text: d.rule for d in repo.check("all").report.decisions}
        assert decided[ASKED[0]] == rule

"""What became of cited ADRs, commits, pages and claims, each with a real history."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from auditing import (
    DOCUMENT,
    EVIDENCE,
    PAGE,
    ask,
    audited,
    items,
    json_of,
    only,
    process_environment,
    with_evidence,
)
from grounded_ingest.audit.model import EvidenceState
from repos import Repo
from servers import Server

ADR = "# 1. Keep sessions\n\n## Status\n\nAccepted\n"
CITING = "# Progress\n\nSessions are kept for one day by ADR-0001 in every region.\n"


@pytest.fixture
def decided(repo: Repo) -> Repo:
    repo.commit({"docs/adr/0001-keep-sessions.md": ADR, DOCUMENT: CITING})
    return repo


def cited(repo: Repo, text: str) -> None:
    repo.commit({DOCUMENT: f"# Progress\n\n{text}\n"})


def of(repo: Repo, path: str = DOCUMENT) -> list[EvidenceState]:
    return [i.state for i in items(repo) if i.path == path]


def test_a_superseded_adr_names_its_successor(decided: Repo) -> None:
    assert of(decided) == [EvidenceState.OK]
    repo = decided
    repo.commit(
        {
            "docs/adr/0001-keep-sessions.md": ADR.replace("Accepted", "Superseded by ADR-0002"),
            "docs/adr/0002-drop-sessions.md": "# 2. Drop\n\n## Status\n\nAccepted\n\n## Context\n\n"
            "This decision takes the place of ADR-0001 in every region.\n",
        }
    )
    (found,) = [i for i in items(repo) if i.path == DOCUMENT]
    assert (found.state, found.to) == (EvidenceState.SUPERSEDED, "ADR-0002")
    # What the successor says of the one it supersedes is as it should be.
    assert of(repo, "docs/adr/0002-drop-sessions.md") == [EvidenceState.OK]


def test_a_superseded_adr_by_its_path(decided: Repo) -> None:
    cited(
        decided, "Sessions are kept, see [the decision](../docs/adr/0001-keep-sessions.md) there."
    )
    superseded = ADR.replace("Accepted", "Superseded by ADR-0002")
    decided.commit({"docs/adr/0001-keep-sessions.md": superseded})
    assert of(decided) == [EvidenceState.SUPERSEDED]


def test_an_adr_whose_file_was_removed(decided: Repo) -> None:
    commit = decided.commit({"docs/adr/0001-keep-sessions.md": None})
    (found,) = [i for i in items(decided) if i.path == DOCUMENT]
    assert (found.state, found.commit) == (EvidenceState.GONE, commit)


def test_an_adr_that_was_never_written(decided: Repo) -> None:
    cited(decided, "Sessions are kept for one day by ADR-0009 in every region.")
    assert of(decided) == [EvidenceState.MISSING]


def test_an_adr_where_none_is_kept(repo: Repo) -> None:
    cited(repo, "Sessions are kept for one day by ADR-0009 in every region.")
    assert of(repo) == [EvidenceState.UNKNOWN]


def branched(repo: Repo, subject: str = "raise the limit to 40") -> str:
    """A commit on a branch that is not merged."""
    repo.git("switch", "-q", "-c", "topic")
    commit = repo.commit({"src/limit.py": "LIMIT = 40\n"}, subject)
    repo.git("switch", "-q", "main")
    return commit


def test_a_commit_of_the_branch_at_hand_is_not_on_base_yet(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", str(repo.root), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    commit = clone.commit({"src/limit.py": "LIMIT = 40\n"})
    cited(clone, f"The limit was raised in commit {commit[:12]} for all tenants.")
    found = only(clone)
    assert (found.state, found.reason) == (EvidenceState.UNKNOWN, "not on base yet")


def test_rebased_with_the_same_patch(repo: Repo) -> None:
    commit = branched(repo)
    repo.commit({"README.md": "# More\n"})
    repo.git("cherry-pick", commit)
    landed = repo.git("rev-parse", "HEAD")
    assert landed != commit
    cited(repo, f"The limit was raised in commit {commit[:9]} for all tenants.")
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.UNREACHABLE, landed, True)
    assert ask(repo, "--fix").returncode == 0
    assert f"commit {landed[:9]} for all" in (repo.root / DOCUMENT).read_text()


def test_rebased_among_commits_of_the_same_paths(repo: Repo) -> None:
    commit = branched(repo)
    paths = repo.git("show", "--format=", "--name-only", commit).split()
    repo.commit({"README.md": "# More\n"})
    repo.git("cherry-pick", commit)
    landed = repo.git("rev-parse", "HEAD")
    for n in range(3):
        repo.commit({path: (repo.root / path).read_text() + f"# {n}\n" for path in paths})
    cited(repo, f"The limit was raised in commit {commit[:9]} for all tenants.")
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.UNREACHABLE, landed, True)


def test_two_commits_with_that_patch_are_not_certain(repo: Repo) -> None:
    commit = branched(repo)
    repo.commit({"README.md": "# More\n"})
    repo.git("cherry-pick", commit)
    repo.git("revert", "--no-edit", "HEAD")
    repo.git("cherry-pick", commit)
    cited(repo, f"The limit was raised in commit {commit[:12]} for all tenants.")
    found = only(repo)
    assert (found.state, found.certain) == (EvidenceState.UNREACHABLE, False)


@pytest.mark.parametrize(
    ("subject", "message", "how"),
    [
        ("raise the limit", "raise the limit (#12)", "same subject, (#12)"),
        (
            "raise the limit",
            "Limits (#12)\n\n* raise the limit\n\n* test it\n",
            "its message lists",
        ),
    ],
)
def test_squashed_as_trackers_do_it(repo: Repo, subject: str, message: str, how: str) -> None:
    commit = branched(repo, subject)
    landed = repo.commit({"src/limit.py": "LIMIT = 40\n", "src/more.py": "MORE = 1\n"}, message)
    cited(repo, f"The limit was raised in commit {commit[:12]} for all tenants.")
    found = only(repo)
    assert (found.state, found.to, found.certain) == (EvidenceState.UNREACHABLE, landed, False)
    assert how in found.reason


def test_squashed_and_known_by_its_pull_request(repo: Repo) -> None:
    commit = branched(repo, "wip")
    repo.git("update-ref", "refs/pull/12/head", commit)
    landed = repo.commit({"src/limit.py": "LIMIT = 41\n"}, "Limits for tenants (#12)")
    cited(repo, f"The limit was raised in commit {commit[:12]} for all tenants.")
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.UNREACHABLE, landed)


def test_a_commit_that_nothing_took_the_place_of(repo: Repo) -> None:
    commit = branched(repo)
    cited(repo, f"The limit was raised in commit {commit[:12]} for all tenants.")
    found = only(repo)
    assert (found.state, found.to) == (EvidenceState.UNREACHABLE, "")


def test_a_pruned_commit_is_known_by_its_evidence(repo: Repo, tmp_path: Path) -> None:
    commit = repo.commit({"src/limit.py": "LIMIT = 40\n"}, "raise the limit")
    cited(repo, f"See commit {commit[:12]}.")
    with_evidence(repo)
    repo.git("checkout", "-q", "--orphan", "anew")
    repo.commit(message="raise the limit (#12)")
    repo.git(
        "clone", "-q", "--single-branch", "-b", "anew", f"file://{repo.root}", str(tmp_path / "c")
    )
    clone = Repo(tmp_path / "c")
    # git 2.55 no longer does this for a clone of one named branch.
    clone.git("remote", "set-head", "origin", "anew")
    found = only(clone)
    assert (found.state, found.reason) == (EvidenceState.UNREACHABLE, "no such commit any more")


def test_no_such_commit_anywhere(repo: Repo) -> None:
    cited(repo, "The limit was raised in commit 0123456789abcdef for all tenants.")
    assert only(repo).state is EvidenceState.MISSING


def test_what_waited_and_is_approved_now_is_promoted(repo: Repo) -> None:
    cited(repo, "Sessions are stored for one day in every region.")
    claim = repo.check("all").report.decisions[0].place.claim
    waits = {"id": claim.id, "claim": claim.text, "rule": "repeat"}
    trusts = f"sources: {{{DOCUMENT}: manual}}\ntrusted_sources: [manual]\n"
    repo.commit({EVIDENCE: f"{json.dumps(waits)}\n", ".grounded-ingest.yaml": trusts})
    found = only(repo)
    assert (found.state, found.recorded) == (EvidenceState.PROMOTED, True)
    assert found.reason == "recorded as tier 2 (repeat), now trusted-source"
    assert audited(repo).behind == (DOCUMENT,)
    assert ask(repo, "--fix").returncode == 0
    assert items(repo) == []


@pytest.mark.parametrize(
    ("status", "state"), [(404, EvidenceState.DEAD), (200, EvidenceState.OK), (503, "unknown")]
)
def test_pages_of_a_real_server(
    repo: Repo, status: int, state: EvidenceState, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(lambda handler: handler.say(status)) as server:
        url = f"http://127.0.0.1:{server.server_port}/page"
        cited(repo, f"The limit is explained at {url} for all tenants.")
        repo.commit({".grounded-ingest.yaml": 'network:\n  allow: ["127.0.0.1"]\n'})
        monkeypatch.setenv("GROUNDED_INGEST_GRANT", "allow 127.0.0.1")
        (found,) = items(repo, online=True)
        assert found.state == state
        answered = sum(seen.path == "/page" for seen in server.seen)
        assert answered == {404: 3, 200: 1, 503: 2}[status]
        (offline,) = items(repo)
        assert offline.state is EvidenceState.UNKNOWN


def test_expired_by_its_own_date_and_by_the_configured_horizon(repo: Repo) -> None:
    records = (
        '[{"text": "The staging host was moved to the other rack.", "valid_until": "2026-01-31"},'
        ' {"text": "The staging host will stay where it is now.", "valid_until": "2999-01-31"}]\n'
    )
    repo.commit({"memory/ann.json": records})
    found = [i for i in items(repo) if i.state is EvidenceState.EXPIRED]
    assert [(i.kind, i.cited) for i in found] == [("claim", "2026-01-31")]
    repo.commit({".grounded-ingest.yaml": "horizons:\n  ungrounded: 7\n"})
    text = "Sessions are stored in PostgreSQL for one day."
    repo.commit({"memory-bank/old.md": f"# Old\n\n{text}\n"})
    old = [i for i in items(repo) if i.path == "memory-bank/old.md"]
    assert [(i.state, i.cited) for i in old] == [(EvidenceState.EXPIRED, "P7D")]
    repo.commit({".grounded-ingest.yaml": "horizons:\n  ungrounded: 36000\n"})
    assert not [i for i in items(repo) if i.path == "memory-bank/old.md"]


def test_contradictions_duplicates_and_orphans(repo: Repo) -> None:
    line = "Sessions are stored in PostgreSQL for one day in every region."
    one = f"# One\n\n{line}\n\nSee `src/app.py:3`.\n"
    repo.commit({"memory-bank/one.md": one, "docs/two.md": f"# Two\n\n{line}\n"})
    with_evidence(repo)
    repo.commit({"memory-bank/one.md": None, "docs/three.md": f"# Three\n\n{line}\n"})
    repo.commit({"docs/four.md": '# Four\n\n<!-- grounded: ignore[speculation] reason="x" -->\n'})
    repo.commit(
        {
            "CLAUDE.md": "# Five\n\n## State\n\nUse `pnpm` for all packages.\n\n"
            "Use `npm` for all packages.\n"
        }
    )
    found = audited(repo)
    assert {(p.path, p.other_path) for p in found.duplicates} == {("docs/two.md", "docs/three.md")}
    assert [p.path for p in found.contradictions] == ["CLAUDE.md"]
    assert found.orphans == (".grounded/evidence/memory-bank/one.md.jsonl",)
    assert "unused-ignore" in [p.rule for p in found.problems]


def test_json_is_what_the_schema_says(decided: Repo) -> None:
    from auditing import PROJECT
    from jsonschema import Draft202012Validator

    schema = json.loads((PROJECT / "docs/audit.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    with_evidence(decided)
    decided.commit({"src/app.py": None, "docs/adr/0001-keep-sessions.md": None})
    decided.commit({"memory-bank/guess.md": "# G\n\nI think we should use Redis for sessions.\n"})
    decided.commit({"memory-bank/cites.md": PAGE, "docs/copy.md": CITING})
    report = json_of(ask(decided, "--output-format", "json"))
    Draft202012Validator(schema).validate(report)
    assert report["summary"]["evidence"]["gone"] >= 1
    assert report["blocked"]


def test_sidecars_of_another_process_environment_need_no_identity(repo: Repo) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "grounded_ingest", "audit", "--offline"],
        cwd=repo.root, env=process_environment(), capture_output=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == b""

"""The worked examples of the tier model: each decided by the real pipeline in a real repository."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repos import Files, Repo
from servers import Server

from grounded_ingest.api import validate
from grounded_ingest.config.files import parse_yaml
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Decision
from grounded_ingest.pipeline import Options, run
from grounded_ingest.repository.scope import Asked

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/tiers.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture
def page() -> Iterator[Any]:
    """A server whose one page can be set; its URL."""
    with Server(lambda handler: handler.say(404)) as server:

        def show(text: str) -> str:
            html = {"Content_Type": "text/html; charset=utf-8"}
            server.answers = lambda handler: handler.say(200, text.encode(), **html)
            return f"{server.url}/api"

        yield show


def build(root: Path, case: dict[str, Any]) -> Repo:
    """The repository around a claim, landed on base."""
    files = {"README.md": "# Project\n", **_decisions(case.get("adr", {})), **case.get("files", {})}
    if "existing" in case:
        files[case["existing_path"]] = "# Notes\n\n" + "\n\n".join(case["existing"]) + "\n"
    if "config" in case:
        files[".grounded-ingest.yaml"] = json.dumps(case["config"])
    repo = Repo(root)
    repo.commit(files)
    return repo


def _decisions(texts: dict[str, str]) -> Files:
    return {f"docs/adr/{int(n):04}-decision.md": text for n, text in texts.items()}


def staged(repo: Repo, case: dict[str, Any], claim: str) -> Decision:
    repo.stage(_decisions(case.get("adr_in_change", {})))
    if case.get("via") == "record":
        path = "memory/facts.jsonl"
        repo.stage({path: json.dumps({"text": claim, **case["record"]}) + "\n"})
    else:
        path = case.get("path", "memory-bank/progress.md")
        repo.stage({path: f"# Progress\n\n{claim}\n"})
    with Opened(str(repo.root), own=False) as opened:
        report = run(opened, Asked("staged"), Options()).report
    decided = [d for d in report.counted if d.place.path == path]
    assert len(decided) == 1, [d.place.claim.text for d in decided]
    return decided[0]


@pytest.mark.parametrize("preset", ["default", "existence"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['rule']}-{c['claim'][:40]}")
def test_tier(
    case: dict[str, Any], preset: str, tmp_path: Path, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tier` and `rule` are for the preset `default`, `existence` for the preset of this name, and
    `first` is what the first design asked for. `why` says where `existence` differs from it."""
    case = {**case, "config": {**case.get("config", {}), "preset": preset}}
    repo = build(tmp_path, case)
    hosts = case.get("config", {}).get("network", {}).get("allow", ())
    monkeypatch.setenv("GROUNDED_INGEST_GRANT", "\n".join(f"allow {host}" for host in hosts))
    claim = case["claim"].replace("<HEAD12>", repo.git("rev-parse", "HEAD")[:12])
    claim = claim.replace("<URL200>", page(case.get("page", "")))
    if case.get("via") == "validate":
        config = parse_yaml(json.dumps(case.get("config", {})), "config")
        decision = validate(
            claim, source=case["source"], kind=case["kind"], repo=str(tmp_path), config=config
        )
    else:
        decision = staged(repo, case, claim)
    expected = case["existence"] if preset == "existence" else [case["tier"], case["rule"]]
    assert [int(decision.tier), decision.rule] == expected, decision
    if preset == "existence":
        same = expected[0] == case["first"][0]
        assert same == (not case.get("why")), (expected, case["first"])


@pytest.mark.parametrize(("preset", "tier"), [("default", 2), ("existence", 1)])
def test_existence_believes_a_file_of_the_same_change(
    tmp_path: Path, preset: str, tier: int
) -> None:
    """Only the preset `existence` does this (docs/security.md)."""
    repo = build(tmp_path, {"config": {"preset": preset}})
    repo.stage({"src/new.py": "LIMIT = 1\n"})
    assert staged(repo, {}, "The limits are listed in `src/new.py`.").tier == tier

"""The worked examples of the tier model: each decided by the real pipeline in a real repository."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.api import validate
from grounded_ingest.config.files import parse_yaml
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision
from grounded_ingest.pipeline import Options, run
from grounded_ingest.repository.scope import Asked

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/tiers.jsonl").read_text("utf-8").splitlines()
]


def git(root: Path, *args: str) -> str:
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env |= {
        f"GIT_{w}_{k}": v
        for w in ("AUTHOR", "COMMITTER")
        for k, v in (("NAME", "A"), ("EMAIL", "a@b.c"))
    }
    done = subprocess.run(
        ["git", *args], cwd=root, env=env, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def page() -> Iterator[Any]:
    """A server whose one page can be set; its URL."""

    class Handler(BaseHTTPRequestHandler):
        body = b""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(Handler.body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(Handler.body)

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield lambda text: (
        setattr(Handler, "body", text.encode()),
        f"http://127.0.0.1:{server.server_port}/api",
    )[1]
    server.shutdown()
    server.server_close()


def build(root: Path, case: dict[str, Any]) -> None:
    """The repository around a claim, landed on base."""
    git(root, "init", "-q", "-b", "main")
    write(root, "README.md", "# Project\n")
    for number, text in case.get("adr", {}).items():
        write(root, f"docs/adr/{int(number):04}-decision.md", text)
    for path, text in case.get("files", {}).items():
        write(root, path, text)
    if "existing" in case:
        write(root, case["existing_path"], "# Notes\n\n" + "\n\n".join(case["existing"]) + "\n")
    if "config" in case:
        write(root, ".grounded-ingest.yaml", json.dumps(case["config"]))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "base")


def staged(root: Path, case: dict[str, Any], claim: str) -> Decision:
    for number, text in case.get("adr_in_change", {}).items():
        write(root, f"docs/adr/{int(number):04}-decision.md", text)
    if case.get("via") == "record":
        path = "memory/facts.jsonl"
        write(root, path, json.dumps({"text": claim, **case["record"]}) + "\n")
    else:
        path = case.get("path", "memory-bank/progress.md")
        write(root, path, f"# Progress\n\n{claim}\n")
    git(root, "add", "-A")
    with Repo(str(root), own=False) as repo:
        report = run(repo, Asked("staged"), Options()).report
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
    build(tmp_path, case)
    hosts = case.get("config", {}).get("network", {}).get("allow", ())
    monkeypatch.setenv("GROUNDED_INGEST_GRANT", "\n".join(f"allow {host}" for host in hosts))
    claim = case["claim"].replace("<HEAD12>", git(tmp_path, "rev-parse", "HEAD")[:12])
    claim = claim.replace("<URL200>", page(case.get("page", "")))
    if case.get("via") == "validate":
        config = parse_yaml(json.dumps(case.get("config", {})), "config")
        decision = validate(
            claim, source=case["source"], kind=case["kind"], repo=str(tmp_path), config=config
        )
    else:
        decision = staged(tmp_path, case, claim)
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
    build(tmp_path, {"config": {"preset": preset}})
    write(tmp_path, "src/new.py", "LIMIT = 1\n")
    assert staged(tmp_path, {}, "The limits are listed in `src/new.py`.").tier == tier

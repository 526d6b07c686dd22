"""An audit of a test's repository, as values and as the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from repos import Repo, environment

from grounded_ingest.audit.model import Audit, Item
from grounded_ingest.audit.run import audit
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.pipeline import Options

PROJECT = Path(__file__).parents[2]
DOCUMENT = "memory-bank/progress.md"
PAGE = "# Progress\n\nThe gateway listens on port 8443 (`src/app.py:3`).\n"
POINTING = "# Progress\n\nSee `src/app.py:3`.\n"
"""With a pointer, so that it has evidence."""
EVIDENCE = f".grounded/evidence/{DOCUMENT}.jsonl"
NAME = "GATEWAY_PORT"
SOURCE = (
    f'"""The gateway."""\n\n{NAME} = 8443\n\n\ndef start(host):\n    return serve(host, {NAME})\n'
)
ABOVE = "import logging\nimport socket\n"


def audited(repo: Repo, *paths: str, online: bool = False) -> Audit:
    with Opened(str(repo.root), own=False) as opened:
        found = audit(opened, Options(online=online, cache=False), paths)
        found.result.kb.index.close()
        return found.report


def items(repo: Repo, **more: bool) -> list[Item]:
    return list(audited(repo, **more).items)


def only(repo: Repo, **more: bool) -> Item:
    """The one item there is."""
    (found,) = items(repo, **more)
    return found


def ask(repo: Repo, *args: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """The command as people start it, offline."""
    return subprocess.run(
        [sys.executable, "-m", "grounded_ingest", "audit", "--offline", *args],
        cwd=repo.root,
        env=process_environment() | env,
        capture_output=True,
        timeout=120,
        check=False,
    )


def process_environment() -> dict[str, str]:
    """No identity, no terminal, nothing of the caller's CI."""
    kept = ("PATH", "LANG", "TMPDIR", "HOME", "LD_LIBRARY_PATH")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    return env | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PYTHONUTF8": "1"}


def with_evidence(repo: Repo) -> None:
    """Write and commit the sidecars, as the hook does."""
    subprocess.run(
        [sys.executable, "-m", "grounded_ingest", "check", "--all", "--offline", "--write"],
        cwd=repo.root, env=environment() | process_environment(), capture_output=True, check=True,
    )  # fmt: skip
    repo.commit(message="evidence")


def json_of(ran: subprocess.CompletedProcess[bytes]) -> Any:
    import json

    assert ran.returncode in (0, 1), ran.stderr.decode()
    return json.loads(ran.stdout)

"""A repository whose document cites lines of a source file, and what a check says of it."""

from __future__ import annotations

import subprocess

from repos import Repo

from grounded_ingest.model.claims import Evidence, Verdict

DOCUMENT = "memory-bank/progress.md"
PAGE = "# Progress\n\nThe gateway listens on port 8443 (`src/app.py:3`).\n"
NAME = "GATEWAY_PORT"
SOURCE = (
    f'"""The gateway."""\n\n{NAME} = 8443\n\n\ndef start(host):\n    return serve(host, {NAME})\n'
)
ABOVE = "import logging\nimport socket\n"


def wrong(repo: Repo, verdict: Verdict = Verdict.REFUTED) -> list[Evidence]:
    """The references of all documents that a check of the work tree finds wrong."""
    decisions = repo.check("all").report.decisions
    return [e for d in decisions for e in d.own_evidence if e.verdict is verdict]


def only(repo: Repo, verdict: Verdict = Verdict.REFUTED) -> Evidence:
    (found,) = wrong(repo, verdict)
    return found


def ask(repo: Repo, *args: str) -> subprocess.CompletedProcess[bytes]:
    """`check --all`, or `check` of what is named, offline, as people start it."""
    scope = () if any(not a.startswith("-") for a in args) else ("--all",)
    return repo.command("check", "--offline", *scope, *args)


def made(root: Repo) -> Repo:
    """Two commits: the source, then the document that cites it."""
    root.commit({"src/app.py": SOURCE})
    root.commit({DOCUMENT: PAGE})
    return root

"""Tables for the tests of the fleet's report: of hostile texts, and of a thousand repositories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fleet.planted_tables import planted
from tests.report.htmlpages import ATTACKS

LAST, NOW = "20260105T030000Z", "20260106T030000Z"
LONG = "mississippi" * 40
HOSTILE = (*ATTACKS, LONG)


def finding(repository: str, number: int, message: str, path: str = "docs/run.md") -> Any:
    return {
        "repository": repository, "path": path, "line": number + 3, "rule": "refuted-citation",
        "severity": "error", "message": message,
    }  # fmt: skip


def said(repository: str, number: int, text: str) -> Any:
    return {
        "repository": repository, "path": "CLAUDE.md", "said": number + 1, "class": "memory",
        "text": text,
    }  # fmt: skip


def stated(repository: str, number: int, subject: str, value: str) -> Any:
    return {
        "repository": repository, "path": "AGENTS.md", "line": 5, "kind": "fact", "slot": "port",
        "subject": subject, "value": value, "normal": value, "about": number, "many": False,
    }  # fmt: skip


def repository(name: str, owner: str, wrong: int, **more: Any) -> Any:
    counted = {"claims": 40, "checkable": 30, "grounded": 12, "wrong": wrong}
    return {"repository": name, "owner": owner, **counted, **more}


def hostile(out: Path) -> Path:
    """Every attack wherever a text of someone else stands in the tables."""
    pairs = [*zip(HOSTILE, (*HOSTILE[1:], HOSTILE[0]), strict=True)]
    for run in (LAST, NOW):
        planted(
            out,
            run,
            repositories=[repository(t, t, 2) for t in HOSTILE]
            + [repository(f"failed {t}", t, 0, state="error", reason=t) for t in HOSTILE],
            findings=[
                {**finding(t, n, t, path=t), "rule": rule}
                for n, t in enumerate(HOSTILE)
                for rule in ("refuted-citation", t)
            ],
            references=[
                stated(repo, n, t, value)
                for n, (t, other) in enumerate(pairs)
                for repo, value in ((t, t), (other, f"{t} too"))
            ],
            versions=[
                {"repository": repo, "path": t, "position": position, "blob": blob, "written_at": t}
                for n, (t, other) in enumerate(pairs)
                for repo, position, blob in ((t, 0, f"new{n}"), (t, 1, f"old{n}"), (other, 0, f"old{n}"))
            ],
            claims=[said(repo, n, t) for n, (t, other) in enumerate(pairs) for repo in (t, other)],
            elsewhere_verdicts=[
                {"repository": t, "path": t, "line": 3, "there": t, "cited": t, "reason": t,
                 "verdict": "refuted"}
                for t in HOSTILE
            ],
        )  # fmt: skip
    return out


def many(out: Path, repositories: int = 1_000, each: int = 10) -> Path:
    """Two runs, in the second of which a tenth of what is wrong is new."""
    names = [f"team-{n % 40:02d}/service-{n:04d}" for n in range(repositories)]
    pairs = [(n, name, names[(n + 1) % repositories]) for n, name in enumerate(names)]
    for run, shift in ((LAST, 1), (NOW, 0)):
        planted(
            out,
            run,
            repositories=[repository(n, n.partition("/")[0], each) for n in names],
            findings=[
                finding(n, k, f"src/settings_{k}.py:{k + 1}: deleted in 5e834bff6a8c")
                for n in names
                for k in range(shift, each + shift)
            ],
            claims=[
                said(repo, n, f"Rule {n} holds for every service of this house.")
                for n, *both in pairs
                for repo in both
            ],
            references=[
                stated(repo, n, one.rpartition("/")[2], port)
                for n, one, other in pairs[:300]
                for repo, port in ((one, "7000"), (other, "7100"))
            ],
        )
    return out

"""Tables for the tests of the fleet's report: of hostile texts, and of a thousand repositories."""

from __future__ import annotations

from collections.abc import Sequence
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


def told(repository: str, said: int, run: str) -> Any:
    return {"repository": repository, "run": run, "said": said, "class": "memory"}


def repository(name: str, owner: str, wrong: int, run: str, **more: Any) -> Any:
    counted = {"claims": 40, "checkable": 30, "grounded": 12, "wrong": wrong}
    return {"repository": name, "owner": owner, "surveyed_in": run, **counted, **more}


def hostile(out: Path) -> Path:
    """Every attack wherever a text of someone else stands in the tables."""
    for run in (LAST, NOW):
        planted(
            out,
            run,
            repositories=[repository(t, t, 2, run) for t in HOSTILE]
            + [repository(f"failed {t}", t, 0, run, state="error", reason=t) for t in HOSTILE],
            findings=[
                {**finding(t, n, t, path=t), "rule": rule}
                for n, t in enumerate(HOSTILE)
                for rule in ("refuted-citation", t)
            ],
            contradictions=[
                {"about": n, "slot": t, "subject": t, "setting": t, "value": t, "repository": t,
                 "path": t, "line": 3, "repositories": 1}
                for n, t in enumerate(HOSTILE)
            ],
            drift=[
                {"ancestor": n, "repository": t, "path": t, "side": "moved", "moved_at": t,
                 "files": 3, "moved": 1}
                for n, t in enumerate(HOSTILE)
            ],
            repetitions=[
                {"text": t, "said": n, "repositories": 2, "claims": 2, "named": [str(n), *HOSTILE[:7]]}
                for n, t in enumerate(HOSTILE)
            ],
            claims=[told(t, n, run) for n, t in enumerate(HOSTILE)],
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
    for run, shift in ((LAST, 1), (NOW, 0)):
        planted(
            out,
            run,
            repositories=[repository(n, n.partition("/")[0], each, run) for n in names],
            findings=[
                finding(n, k, f"src/settings_{k}.py:{k + 1}: deleted in 5e834bff6a8c")
                for n in names
                for k in range(shift, each + shift)
            ],
            repetitions=[_text(number, names) for number in range(1_000)],
            claims=[told(names[0], number, run) for number in range(1_000)],
            contradictions=[
                {"about": number, "slot": "port", "subject": f"service {number}", "value": str(value),
                 "shared": True, "repository": names[number], "path": "AGENTS.md", "line": 5,
                 "repositories": 3}
                for number in range(300)
                for value in (7000, 7100)
            ],
        )  # fmt: skip
    return out


def _text(number: int, names: Sequence[str]) -> Any:
    return {
        "said": number, "text": f"Rule {number} holds for every service of this house.", "claims": 1_000 - number,
        "repositories": 1_000 - number, "named": list(names[:20]),
    }  # fmt: skip

"""Files and directories that a command line names: wrong only where history had them."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.model.claims import Verdict

NOTES = "memory-bank/notes.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    gone = {"tests/test_old.py": "A = 1\n", "ui/react/app.ts": "x\n", "pkg/scripts/run.sh": "x\n"}
    gone[".state/now.md"] = "x\n"
    repo.commit({**gone, "src/app.py": "A = 2\n", "pkg/package.json": "{}"})
    repo.commit({**dict.fromkeys(gone), ".gitignore": ".state/\n"})
    return repo


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("pytest tests/test_old.py -v", "tests/test_old.py"),
        ("uv run pytest tests/test_old.py::test_it", "tests/test_old.py"),
        ("cd ui/react && npm install", "ui/react"),
        ("cd pkg && bash scripts/run.sh", "scripts/run.sh"),
        ("python src/app.py", ""),
        ("cat .state/now.md", ""),
        ("pytest tests/test_never.py", ""),
        ("touch tests/test_old.py", ""),
        ("make report > tests/test_old.py", ""),
        ("make report --output tests/test_old.py", ""),
        ("cd ~/work && pytest tests/test_old.py", ""),
        ("pytest tests/test_<name>.py", ""),
    ],
)
@pytest.mark.parametrize("block", [False, True], ids=["span", "block"])
def test_a_path_of_a_command(repo: Repo, command: str, wrong: str, block: bool) -> None:
    text = f"```sh\n{command}\n```" if block else f"All of it is checked with `{command}` here."
    repo.stage({NOTES: f"# Notes\n\n{text}\n"})
    report = repo.check().report
    found = [
        e.reason for d in report.decisions for e in d.own_evidence if e.verdict is Verdict.REFUTED
    ]
    found += [p.message for p in report.problems if p.rule == "refuted-citation[path]"]
    assert len(found) == bool(wrong)
    assert all("deleted in" in reason for reason in found)

"""`cite` offers places, definitions first, and never says whether they bear a text out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.cli.group import cli

CODE = (
    "UPLOAD_LIMIT_MB = 20\n\n\ndef decode(token):\n    return token\n\n\n"
    "class Store:\n    def load_row(self):\n        raise KeyError\n"
)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path)
    adr = "# 1. Ledger\n\nStatus: accepted\n\n## Decision\n\nThe ledger is kept in PostgreSQL.\n"
    code = {"src/a.py": CODE, "src/b.py": "def serve(port=80):\n    return port\n"}
    repo.commit({**code, "docs/adr/0001-ledger.md": adr, "CLAUDE.md": "# N\n\nUpload.\n"})
    monkeypatch.chdir(tmp_path)
    return repo


def cite(what: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as ended:
        cli.main(["cite", "--json", what])
    places = json.loads(capsys.readouterr().out)["places"]
    return int(ended.value.code or 0), [p["target"] for p in places]


@pytest.mark.parametrize(
    ("what", "targets"),
    [
        ("src/a.py:10", ["src/a.py::Store.load_row", "src/a.py::Store"]),
        ("src/a.py:1", ["src/a.py::UPLOAD_LIMIT_MB"]),
        ("src/a.py:2", ["src/a.py:2"]),
        ("`load_row` raises a KeyError", ["src/a.py::Store.load_row"]),
        ("The upload limit is 20 MB", ["src/a.py::UPLOAD_LIMIT_MB"]),
        ("The ledger is kept in PostgreSQL", ["docs/adr/0001-ledger.md:7"]),
        ("Invoices are rounded at the end", []),
        ("src/a.py::UPLOAD_LIMIT_MB", ["src/a.py::UPLOAD_LIMIT_MB = 20"]),
        ("src/a.py::Store", ["src/a.py::Store has load_row"]),
        ("src/a.py::Store.load_row", ["`Store.load_row` is defined in `src/a.py`"]),
        ("src/b.py::serve", ["src/b.py::serve(port) = 80"]),
        ("src/b.py::nothing", []),
    ],
)
def test_places(
    repo: Repo, what: str, targets: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = cite(what, capsys)
    assert found[: len(targets)] == targets
    assert code == (0 if targets else 1)
    assert len(found) <= 3


def test_it_writes_nothing_and_knows_no_support(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    cite("The upload limit is 20 MB", capsys)
    assert repo.git("status", "--porcelain") == ""
    source = Path(__file__).parents[2] / "grounded_ingest/references/citable.py"
    assert "grounded_ingest.support" not in source.read_text("utf-8")


def test_prove_answers_the_document_behind_a_link(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.commit({"AGENTS.md": "# Agents\n\n- `src/a.py::UPLOAD_LIMIT_MB = 20`\n"})
    (repo.root / "GEMINI.md").symlink_to("AGENTS.md")
    repo.commit()
    with pytest.raises(SystemExit) as ended:
        cli.main(["prove", "GEMINI.md"])
    assert not ended.value.code
    assert "3: proved: `src/a.py::UPLOAD_LIMIT_MB = 20`" in capsys.readouterr().out

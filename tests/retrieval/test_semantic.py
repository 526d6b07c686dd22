"""Recall by words and by meaning: what no word finds, what is kept, what still answers nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from repos import APART, Repo, page, stating

pytest.importorskip("onnx", reason="of the extra slow")

from smallmodel import small_model

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.retrieval.answer import Answer, RecallQuery
from grounded_ingest.retrieval.bm25 import Lexical
from grounded_ingest.retrieval.session import by_meaning, recall_in

DOCUMENT = "memory-bank/notes.md"
PORT = "The service listens on port 8443"
QUEUE = "The queue holds 50 items before the oldest is dropped"
INDEX = ".git/grounded-ingest/cache.sqlite"

pytestmark = pytest.mark.slow  # needs onnxruntime, tokenizers and numpy, 180 MB


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit({"data/said.txt": stating(PORT, QUEUE)})
    claims = (f"{PORT} (`data/said.txt:1`).", f"{QUEUE} (`data/said.txt:{APART + 1}`).")
    repo.commit({DOCUMENT: page(*claims)})
    return repo


@pytest.fixture
def model(tmp_path: Path) -> str:
    return small_model(tmp_path / "model")


def ask(repo: Repo, question: str, model: str = "") -> tuple[Answer, list[str]]:
    said: list[str] = []
    with Opened(str(repo.root), own=False) as opened:
        ranking = by_meaning(model, said.append) if model else Lexical
        return recall_in(opened, RecallQuery(question), said.append, ranking), said


def test_what_no_word_finds(repo: Repo, model: str) -> None:
    assert not ask(repo, "backlog retries")[0].results
    answer, _ = ask(repo, "backlog retries", model)
    assert answer.results[0].memory.text.startswith(QUEUE)


def test_what_means_nothing_known_is_not_answered(repo: Repo, model: str) -> None:
    assert not ask(repo, "pad pad pad", model)[0].results


def test_vectors_are_kept_for_a_model_and_go_with_their_blob(repo: Repo, model: str) -> None:
    assert any("embedding" in s for s in ask(repo, "socket", model)[1])
    assert not any("embedding" in s for s in ask(repo, "socket", model)[1])

    def kept() -> int:
        with closing(sqlite3.connect(repo.root / INDEX)) as db, db:
            return int(db.execute("SELECT count(*) FROM recall_vector").fetchone()[0])

    assert kept() == 1
    for n in range(6):  # states that go out of use take their blobs with them
        repo.commit({DOCUMENT: page(f"{PORT} (`data/said.txt:1`).", f"Note {n} is kept here.")})
        ask(repo, "socket", model)
    assert kept() <= 5


def test_vectors_go_with_the_index(repo: Repo, model: str) -> None:
    """Rows are numbered anew then: a vector that stayed would be another claim's."""
    ask(repo, "socket", model)
    with closing(sqlite3.connect(repo.root / INDEX)) as db, db:
        db.execute("PRAGMA user_version=1")  # as an older version left it
    repo.commit({DOCUMENT: page(f"{PORT} (`data/said.txt:1`).", "Nothing else is known here.")})
    answer, said = ask(repo, "socket", model)
    assert answer.results[0].memory.text.startswith(PORT)
    assert any("embedding" in s for s in said)


def test_a_read_only_index_is_no_obstacle(repo: Repo, model: str) -> None:
    ask(repo, "socket")
    (repo.root / INDEX).chmod(0o444)
    assert ask(repo, "socket", model)[0].results


def test_the_command(repo: Repo, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from grounded_ingest.cli.recall import command

    monkeypatch.chdir(repo.root)
    found = CliRunner().invoke(command, ["backlog retries", "--semantic", model])
    assert found.exit_code == 0, found.output
    assert QUEUE in found.output
    missing = CliRunner().invoke(command, ["backlog", "--semantic", str(repo.root)])
    assert "has no file model.onnx" in str(missing.exception)

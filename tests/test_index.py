"""The index is a cache: with it, without it, broken or shared, answers are the same."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from repos import APART, NOTES, Files, Repo, page, stating

import grounded_ingest.repository.index as module
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import DocClass, Extraction
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.evidence_files import plan_evidence
from grounded_ingest.repository.index import ExtractionKey, Index
from grounded_ingest.repository.scope import Asked
from grounded_ingest.rules.registry import all_index_keys

WORDS = ("queue", "worker", "ledger", "gateway", "tenant", "cache", "index", "session")
PATHS = (NOTES, "memory-bank/b.md", "docs/a.md", "docs/b.md", "CLAUDE.md", "AGENTS.md")


def sentence(rng: random.Random) -> str:
    one, other = rng.sample(WORDS, 2)
    cited = rng.choice(["", "", " (`data/said.txt:1`)", " (`docs/a.md:3`)", " (ADR-1)"])
    return f"The {one} of the {other} is set to {rng.randint(1, 3)} by default here{cited}."


def step(repo: Repo, rng: random.Random, number: int) -> None:
    """One change of a random history."""
    there = [p for p in PATHS if (repo.root / p).exists()]
    match rng.choice(["write", "write", "write", "rename", "delete", "switch", "merge"]):
        case "rename" if there:
            repo.git("mv", "-k", rng.choice(there), f"memory-bank/moved-{number}.md")
        case "delete" if len(there) > 1:
            repo.write({rng.choice(there): None})
        case "switch":
            repo.git("checkout", "-q", "-B", f"b{number}", "HEAD~1" if number > 3 else "HEAD")
        case "merge":
            branches = repo.git("branch", "--format=%(refname:short)").split()
            repo.git("merge", "-q", "-s", "ours", "--no-edit", rng.choice(branches))
        case _:
            claims = [sentence(rng) for _ in range(rng.randint(1, 8))]
            repo.write({rng.choice(PATHS): page(*claims)})
    repo.git("add", "-A")


def answers(repo: Repo, asked: Asked, *, cache: bool) -> tuple[str, dict[str, bytes]]:
    with Opened(str(repo.root), own=False) as opened:
        result = run(opened, asked, Options(online=False, cache=cache))
        plan = plan_evidence(result, heal=False)
        result.kb.index.close()
    return repr(result.report), plan.fresh


def test_a_cache_changes_nothing_over_a_random_history(tmp_path: Path) -> None:
    rng = random.Random(7)
    repo = Repo(tmp_path)
    adr = "# ADR-1\n\nStatus: accepted\n"
    repo.commit({"data/said.txt": "a = 1\n", "docs/adr/0001-a.md": adr})
    for number in range(40):
        step(repo, rng, number)
        for asked in [Asked("staged"), *([Asked("all")] if number % 8 == 0 else [])]:
            with_it, without = (answers(repo, asked, cache=c) for c in (True, False))
            assert with_it == without, number
        repo.commit()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit(
        {
            "data/said.txt": stating("The limit is 5", "The limit is 7"),
            "memory-bank/old.md": page("The limit is 5 (`data/said.txt:1`)."),
        }
    )
    repo.stage(
        {
            NOTES: page(
                f"The limit is 7 (`data/said.txt:{APART + 1}`).", "Nothing else is known here."
            )
        }
    )
    return repo


def index_file(repo: Repo) -> Path:
    return repo.root / ".git/grounded-ingest/cache.sqlite"


def _truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def _garble(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    file.write_bytes(content)


def _lose_table(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("DROP TABLE gram")
    db.close()


def _lose_content(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("UPDATE blob SET content = x'c1'")
    db.close()


def _alter(*statements: str) -> Callable[[Path], None]:
    def alter(file: Path) -> None:
        with sqlite3.connect(file) as db:
            for statement in statements:
                db.execute(statement)
        db.close()

    return alter


def _name_in_latin_1(file: Path) -> None:
    """SQLite's own message of a broken schema is then no UTF-8."""
    content = file.read_bytes()
    assert b"CREATE TABLE cites" in content
    file.write_bytes(content.replace(b"CREATE TABLE cites", b"CREATE TABLE cit\xe9s"))


DAMAGES = {
    "no UTF-8 in the schema": _name_in_latin_1,
    "no UTF-8 in a value": _alter("UPDATE import SET target = cast(x'ff' AS TEXT)"),
    "another schema": _alter("DROP TABLE blob", "CREATE TABLE blob (id, key)"),
    "values of other types": _alter("UPDATE blob SET id = id + 1000000, content = 5, keys = 'x'"),
    "content of another document": _alter("UPDATE blob SET content = (SELECT content FROM blob)"),
    "claims by name": _alter("UPDATE OR IGNORE gram SET claim = 'x'"),
    "a changed letter": _alter(
        "UPDATE blob SET content = cast(replace(content, 'e', 'i') AS BLOB)"
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_no_sound_index_holds_ends_no_run(repo: Repo, damage: Callable[[Path], None]) -> None:
    expected = answers(repo, Asked("staged"), cache=False)
    answers(repo, Asked("staged"), cache=True)
    damage(index_file(repo))
    for _ in range(2):
        assert answers(repo, Asked("staged"), cache=True) == expected


def test_claims_that_are_none_are_noticed_and_known_in_the_next_run(repo: Repo) -> None:
    expected = answers(repo, Asked("staged"), cache=False)
    answers(repo, Asked("staged"), cache=True)
    _alter("UPDATE gram SET claim = claim + 9000")(index_file(repo))
    answers(repo, Asked("staged"), cache=True)
    assert answers(repo, Asked("staged"), cache=True) == expected


@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"no database" * 1000),
        lambda file: (file.unlink(), file.mkdir()),
        lambda file: file.chmod(0o444),
        _truncate,
        _garble,
        _lose_table,
        _lose_content,
    ],
    ids=[
        "deleted",
        "empty",
        "other",
        "directory",
        "read-only",
        "cut",
        "garbled",
        "table",
        "content",
    ],
)
def test_a_damaged_index_answers_the_same(repo: Repo, damage: object) -> None:
    expected = answers(repo, Asked("staged"), cache=False)
    assert "conflicting-update" in expected[0]
    assert answers(repo, Asked("staged"), cache=True) == expected
    damage(index_file(repo))  # type: ignore[operator]
    for _ in range(2):
        assert answers(repo, Asked("staged"), cache=True) == expected


def test_a_locked_index_is_gone_without(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answers(repo, Asked("staged"), cache=True)
    repo.stage({"docs/new.md": page("One more document of the project (`src/none.py:1`).")})
    held = sqlite3.connect(index_file(repo), isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda p, **k: connect(p, **(k | {"timeout": 0.05})))
    found = answers(repo, Asked("staged"), cache=True)
    held.close()
    assert found == answers(repo, Asked("staged"), cache=False)
    assert set(expected[1]) < set(found[1])


def test_two_runs_at_once(repo: Repo) -> None:
    many: Files = {f"docs/d{n}.md": page(sentence(random.Random(n))) for n in range(60)}
    repo.stage(many)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(answers(repo, Asked("staged"), cache=True)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [answers(repo, Asked("staged"), cache=False)] * 4


def opened(directory: Path, version: str = "test") -> Index:
    return Index(f"{directory}/grounded-ingest", version, lambda place: all_index_keys(place, 0.92))


@pytest.mark.parametrize("at", range(4))
def test_another_version_takes_the_file_under_a_run(repo: Repo, at: int) -> None:
    """Its rows have the numbers that ours had, and are of other texts."""
    expected = answers(repo, Asked("staged"), cache=False)[0]
    texts = {f"{n:040}": page(f"The limit of tenant {n} is 5.").encode() for n in range(9)}
    steps: list[str] = []

    def interrupted(step: str) -> None:
        steps.append(step)
        if len(steps) == at + 1:
            other = opened(repo.root / ".git", "another")
            keys = [ExtractionKey(oid, DocClass.MEMORY, "md") for oid in texts]
            other.ensure(keys, lambda k: extract(texts[k.oid], "a.md", DocClass.MEMORY))
            other.close()

    with Opened(str(repo.root), own=False) as at_work:
        result = run(at_work, Asked("staged"), Options(online=False), interrupted)
        assert repr(result.report) == expected
        result.kb.index.close()
    assert len(steps) > at


def test_pruned_under_a_running_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process drops what is not its own; the reader extracts anew what it has lost."""
    texts = {
        f"{n:040}": page(f"The limit of tenant {n} is 5 by default.").encode() for n in range(9)
    }

    def read(key: ExtractionKey) -> Extraction:
        return extract(texts[key.oid], "a.md", DocClass.MEMORY)

    keys = [ExtractionKey(oid, DocClass.MEMORY, "md") for oid in texts]
    reader = opened(tmp_path)
    reader.ensure(keys[:8], read)
    reader._loaded.clear()
    monkeypatch.setattr(module, "KEPT", 1)
    other = opened(tmp_path)
    other.ensure(keys[8:], read)
    rows = other.cache.connection().execute("SELECT count(*) FROM blob").fetchone()[0]
    assert rows == 1
    assert [reader.extraction(k) for k in keys[:8]] == [read(k) for k in keys[:8]]
    reader.close()
    other.close()


def test_a_history_of_edits_takes_bounded_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One document of two is edited, again and again; what is live stays known."""
    monkeypatch.setattr(module, "ROOM", 200_000)
    said = [f"The limit of tenant {n} is {n} requests." for n in range(100)]
    sizes, read = [], []

    def extracted(key: ExtractionKey) -> Extraction:
        read.append(key.oid)
        return extract(page(*said, key.oid).encode(), "a.md", DocClass.MEMORY)

    for edit in range(20):
        keys = [ExtractionKey(oid, DocClass.MEMORY, "md") for oid in ("kept", f"edit {edit}")]
        index = opened(tmp_path)
        index.ensure(keys, extracted)
        assert [index.extraction(k).claims[-1].text for k in keys] == [k.oid for k in keys]
        index.close()
        sizes.append((tmp_path / "grounded-ingest/cache.sqlite").stat().st_size)
    assert 200_000 < max(sizes) < 250_000
    assert read.count("kept") == 1

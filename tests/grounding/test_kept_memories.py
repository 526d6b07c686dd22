"""A kept index of memories answers as one that is made anew, whatever happened in between."""

from __future__ import annotations

import json
import os
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.facts.fact import Verification
from grounded_ingest.grounding import kept_memories
from grounded_ingest.grounding.kept_memories import (
    KeptMemories,
    memories_of_files,
    read_files,
    without_kept,
)
from grounded_ingest.grounding.memory_index import HeldMemories, Memories
from grounded_ingest.grounding.verify import verify_text
from grounded_ingest.knowledge.sqlite_files import DAMAGE

NAMES = ("Ana", "Ben", "Cleo", "Dan")
CITIES = ("Rome", "Oslo", "Ghent", "Porto")
TOOLS = ("Redis", "Kafka", "Postgres", "Nginx")


def memory(number: int, draw: random.Random) -> dict[str, Any]:
    text = draw.choice(
        [
            f"{draw.choice(NAMES)}{number % 90} lives in {draw.choice(CITIES)}.",
            f"The mail-{number % 150} service uses {draw.choice(TOOLS)} {draw.randint(1, 9)}.",
            f"The timeout of chat-{number % 60} is {draw.randint(5, 90)} seconds. Who set it?",
            f"We decided in 20{number % 25:02} to keep the reports in {draw.choice(TOOLS)}.",
            f"The user works at {draw.choice(('Nokia', 'Ericsson'))}.",
            f"I meant {draw.choice(CITIES)}, not {draw.choice(CITIES)}.",
            "The earlier note about Nokia was wrong: the user works at Siemens.",
            f"Ben{number % 90} moved from {draw.choice(CITIES)} to {draw.choice(CITIES)}.",
        ]
    )
    return {"id": f"m{number}", "text": text, "trust": draw.choice([0.5, 0.8, 0.9]),
            "timestamp": draw.choice([None, 1_700_000_000 + number])}  # fmt: skip


def edited(rows: list[dict[str, Any]], draw: random.Random) -> list[dict[str, Any]]:
    rows = list(rows)
    at = draw.randrange(len(rows))
    match draw.randrange(5):
        case 0:
            rows[at] = {**memory(draw.randrange(999), draw), "id": rows[at]["id"]}
        case 1:
            del rows[at]
        case 2:
            number = 10_000 + draw.randrange(10**6)
            rows.insert(at, {**memory(at, draw), "id": f"m{number}"})
        case 3:
            rows[at] = {**rows[at], "trust": 0.1}
        case 4:
            draw.shuffle(rows)
    return rows


def texts(rows: list[dict[str, Any]], draw: random.Random) -> list[str]:
    drawn = [row["text"] for row in draw.sample(rows, 6)]
    free = [memory(draw.randrange(200), draw)["text"] for _ in range(4)]
    return [*drawn, *free, f"{drawn[0]} {free[0]} You work at Nokia and use Redis 3.", "Hello!"]


def content(rows: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def answers(asked: list[str], memories: HeldMemories) -> list[Verification]:
    return [verify_text(text, memories, mode="strict") for text in asked]


def many(count: int = 900) -> list[dict[str, Any]]:
    draw = random.Random(7)
    return [memory(number, draw) for number in range(count)]


@pytest.mark.parametrize("seed", range(2))
def test_random_edits_are_answered_as_without_what_is_kept(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    rows = many()
    for _ in range(3):
        files = [("a.jsonl", content(rows[:400])), ("b.jsonl", content(rows[400:]))]
        plain = Memories(read_files(files))
        made = memories_of_files(files, str(tmp_path))
        kept = memories_of_files(files, str(tmp_path))
        assert type(made) is type(kept) is KeptMemories
        asked = texts(rows, draw)
        expected = answers(asked, plain)
        assert answers(asked, made) == expected
        assert answers(asked, kept) == expected
        for _ in range(3):
            rows = edited(rows, draw)


def test_the_cases_reach_what_they_are_for(tmp_path: Path) -> None:
    """The other tests would say nothing of memories without long lists and contradictions."""
    made = Memories(read_files([("a", content(many()))]))
    assert max(map(len, made.by_key.values())) > 256
    assert max(map(len, made.subjects.values())) > 64
    assert len(made.contradictions) > 32
    assert made.retracted
    assert any(not v.grounded for v in answers(texts(many(), random.Random(1)), made))
    assert any(v.grounded for v in answers(texts(many(), random.Random(1)), made))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are read from now on."""
    texts: list[str] = []
    monkeypatch.setattr(
        kept_memories,
        "read_memory",
        lambda m, really=kept_memories.read_memory: (texts.append(m.text), really(m))[1],
    )
    return texts


def test_only_texts_that_were_not_read_before_are_read(tmp_path: Path, read: list[str]) -> None:
    rows = many(400)
    memories_of_files([("a", content(rows))], str(tmp_path))
    assert len(read) == 400
    read.clear()
    rows[3]["text"] = "Gus lives in Lima."
    memories_of_files([("a", content(rows[::-1]))], str(tmp_path))
    assert read == ["Gus lives in Lima."]


def test_other_code_keeps_nothing_of_what_was_read(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [("a", content(many(400)))]
    memories_of_files(files, str(tmp_path))
    monkeypatch.setattr(kept_memories, "code_stamp", lambda *_: "another version")
    for _ in range(2):
        assert isinstance(memories_of_files(files, str(tmp_path)), KeptMemories)
        assert len(read) == 800


def test_chunks_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = many()
    files, asked = [("a", content(rows))], texts(rows, random.Random(3))
    monkeypatch.setattr(kept_memories, "CHUNK", 7)
    kept = memories_of_files(files, str(tmp_path))
    assert isinstance(kept, KeptMemories)
    assert answers(asked, kept) == answers(asked, Memories(read_files(files)))


def test_what_is_damaged_is_made_anew(tmp_path: Path) -> None:
    rows = many(400)
    files, asked = [("a", content(rows))], texts(rows, random.Random(2))
    expected = answers(asked, memories_of_files(files, str(tmp_path)))
    (path,) = tmp_path.iterdir()
    for table, column in (("memories", "reading"), ("sentences", "few"), ("held", "facts")):
        with sqlite3.connect(path) as db:
            db.execute(f"update {table} set {column} = {column} || x'00'")
        db.close()
        kept = memories_of_files(files, str(tmp_path))
        assert isinstance(kept, KeptMemories)
        with pytest.raises(DAMAGE):
            answers(asked, kept)
        assert answers(asked, without_kept(kept, files)) == expected
        assert not path.exists()
        memories_of_files(files, str(tmp_path))
    path.write_bytes(b"no database" * 99)
    assert answers(asked, memories_of_files(files, str(tmp_path))) == expected
    assert isinstance(memories_of_files(files, str(tmp_path)), KeptMemories)


def test_where_nothing_can_be_kept_it_answers_all_the_same(tmp_path: Path) -> None:
    files = [("a", content(many(400)))]
    (tmp_path / "file").write_text("")
    for directory in ("", str(tmp_path / "file" / "below")):
        assert isinstance(memories_of_files(files, directory), Memories)
    assert os.listdir(tmp_path) == ["file"]


def test_few_memories_leave_no_file(tmp_path: Path) -> None:
    memories_of_files([("a", content(many(20)))], str(tmp_path))
    assert not any(tmp_path.iterdir())


def test_the_newest_indexes_are_kept(tmp_path: Path) -> None:
    for number in range(6):
        memories_of_files([(f"f{number}", content(many(200)))], str(tmp_path))
    assert len(os.listdir(tmp_path)) == kept_memories.KEPT
    assert isinstance(memories_of_files([("f5", content(many(200)))], str(tmp_path)), KeptMemories)


def test_the_way_is_told(tmp_path: Path) -> None:
    said: list[str] = []
    memories_of_files([("a", content(many(600)))], str(tmp_path), said.append)
    assert said[0].startswith("reading memories, 256 of")
    assert said[-1] == "indexing memories"


def test_an_id_in_two_files_is_refused_with_an_index_too(tmp_path: Path) -> None:
    rows = many(400)
    memories_of_files([("a", content(rows))], str(tmp_path))
    with pytest.raises(GroundedIngestError, match="stands in a too"):
        memories_of_files([("a", content(rows)), ("b", content(rows[:1]))], str(tmp_path))

"""Questions are asked of the product's own code and counted as they should be."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from repos import Repo, page, stating

from benchmarks import locomo
from benchmarks import recall_answers as recall
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo as Opened

PORT, QUEUE = "The service listens on port 8443", "The delivery queue holds 50 items"
NOTES = "memory-bank/notes.md"


def question(identity: str, text: str, line: int = 0, **more: object) -> str:
    claims = {3: f"{PORT} (`data/said.txt:1`).", 5: f"{QUEUE} (`data/said.txt:21`)."}
    claims[7] = "Sessions are kept in Redis for one day."
    answers = [
        {"path": NOTES, "line": line, "sha256": sha256(text.encode()).hexdigest()}
        for at, text in claims.items()
        if at == line
    ]
    asked = {"id": identity, "question": text, "answerable": bool(line), "answers": answers}
    return json.dumps(asked | {"half": "tuning"} | more) + "\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit({"data/said.txt": stating(PORT, QUEUE)})
    claims = (f"{PORT} (`data/said.txt:1`).", f"{QUEUE} (`data/said.txt:21`).")
    repo.commit({NOTES: page(*claims, "Sessions are kept in Redis for one day.")})
    return repo


def measured(repo: Repo, *lines: str) -> recall.Run:
    file = repo.root.parent / "questions.jsonl"
    file.write_text("".join(lines), "utf-8")
    with Opened(str(repo.root), own=False) as opened:
        return recall.measured(opened, recall.read_questions(str(file)), pending=False)


def test_figures(repo: Repo) -> None:
    run = measured(
        repo,
        question("a", "Which port does the service listen on?", 3),
        question("b", "How many items does the delivery queue hold?", 5, half="reporting"),
        question("c", "Where are sessions kept?", 7, pending=True),
        question("d", "Who is on call this week?"),
        question("e", "Which Kafka version runs the delivery queue?", half="reporting"),
        question("f", "Who gave wildebeest the answer?", 3),
    )
    assert run.left_out == []
    by = {r["half"]: r for r in recall.figures(run)}
    assert set(by) == {"tuning", "reporting", "all"}
    every = by["all"]
    assert (every["answerable"], every["unanswerable"]) == (4, 2)
    assert every["first"]["count"] == every["top 5"]["count"] == 3
    assert every["BM25 first"]["count"] == 3
    assert by["reporting"]["top 5"]["share"] == 1
    assert by["tuning"]["abstained rightly"]["share"] == 1
    assert "tuning" in recall.as_text(run)
    assert {w["id"] for w in json.loads(recall.as_json(run))["wrong"]} >= {"f"}


def test_answers_found_later_are_told_apart(repo: Repo) -> None:
    asked = json.loads(question("a", "Which port does the service listen on?", 3))
    asked["answers"][0]["pooled"] = True
    other = question("b", "How many items does the delivery queue hold?", 5)
    run = measured(repo, json.dumps(asked) + "\n", other)
    every = next(r for r in recall.figures(run) if r["half"] == "all")
    assert (every["first"]["count"], every["first, as written"]["count"]) == (2, 1)


def test_a_line_that_is_another_now_is_left_out(repo: Repo) -> None:
    asked = question("a", "Which port does the service listen on?", 3)
    repo.commit({NOTES: page("Something else stands here now, of other things.")})
    assert measured(repo, asked).left_out == ["a"]


@pytest.mark.parametrize("text", ["", "{}\n", "no json\n"])
def test_files_that_hold_no_questions(repo: Repo, text: str) -> None:
    with pytest.raises(GroundedIngestError):
        measured(repo, text)


TURNS = {
    "session_1": [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a grey parrot on Friday."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely! I still paint sunsets."},
    ],
    "session_10": [
        {"speaker": "Ana", "dia_id": "D10:1", "text": "Look.", "blip_caption": "a violin"},
        {"speaker": "Ben", "dia_id": "D10:2", "text": "What will you play at the wedding?"},
    ],
    "session_1_date_time": "1 May",
}
QA = [
    {"question": "Which bird did Ana adopt?", "evidence": ["D1:1"], "category": 4},
    {"question": "Does Ana have a violin?", "evidence": ["D10:1; D10:2"], "category": 1},
    {"question": "Who?", "evidence": ["D"], "category": 5},
]


def test_locomo(tmp_path: Path) -> None:
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps([{"conversation": TURNS, "qa": QA}]), "utf-8")
    run = locomo.measured(str(file))
    assert (run.conversations, run.turns, run.left_out) == (1, 4, 1)
    assert [a.category for a in run.asked] == [4, 1]
    for ranking in locomo.RANKINGS:
        assert run.asked[0].recall[ranking] == {5: 1.0, 10: 1.0, 20: 1.0}
        assert run.asked[1].recall[ranking][20] >= 0.5
    for form in (locomo.as_text, locomo.as_json):
        assert "flat" in form(run)


def test_locomo_asks_questions_of_another_conversation(tmp_path: Path) -> None:
    def conversation(a: str, b: str, said: str, question: str) -> dict[str, object]:
        turns = [{"speaker": a, "dia_id": "D1:1", "text": said}]
        spoken = {"speaker_a": a, "speaker_b": b, "session_1": turns}
        asked = {"question": question, "evidence": ["D1:1"], "category": 4}
        return {"conversation": spoken, "qa": [asked]}

    file = tmp_path / "locomo10.json"
    one = conversation("Ana", "Ben", "I adopted a parrot.", "Which parrot did Ana adopt?")
    two = conversation("Cem", "Dora", "We baked bread.", "Which bread did Cem bake?")
    three = conversation("Eva", "Finn", "My kayak leaks.", "Whose kayak leaks, asks Finn?")
    file.write_text(json.dumps([one, two, three]), "utf-8")
    run = locomo.measured(str(file))
    silent = {
        kind: (count, share) for half, kind, count, share in locomo.empty(run) if half == "both"
    }
    assert silent["answerable"] == (3, 0.0)
    foreign, share = silent["of another conversation"]
    assert foreign == 3
    assert share > 0
    assert {count for _, _, count, _, _ in locomo.figures(run)} == {1, 2, 3}


@pytest.mark.parametrize("text", ["", "{}", "[]x", '[{"qa": []}]'])
def test_files_that_are_not_locomo(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, "utf-8")
    with pytest.raises(GroundedIngestError):
        locomo.measured(str(file))

"""A week and an agent's edits, on a history made for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import Repo

from benchmarks import edits, minutes, sentences, week

PAGE = "# Notes\n\nThe settings are in `src/app.py`.\n"
PLAN = {
    "repository": "ada/notes",
    "document": "CLAUDE.md",
    "truths": ["The sizes are in `src/sizes.py`."],
    "falsehoods": [
        ["path", "The colours are in `src/colours.py`."],
        ["code", "Everything is red."],
    ],
    "unseen": ["path", "The shapes are in `src/shapes.py`."],
    "changes": [{"kind": "file deleted", "delete": "src/sizes.py"}],
    "moved": ["docs/guide.md", "docs/more/guide.md"],
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    repo = Repo(tmp_path / "notes")
    guide = "# Guide\n\nSee [the notes](../CLAUDE.md).\n"
    repo.commit({"src/app.py": "A = 1\n", "src/sizes.py": "B = 2\n", "docs/guide.md": guide})
    repo.commit({"CLAUDE.md": PAGE})
    repo.commit(
        {"CLAUDE.md": f"{PAGE}\nSee [the guide](docs/guide.md) and [more](docs/lost.md).\n"}
    )
    repo.git("clone", "--quiet", "--bare", ".", "../notes.git")
    return tmp_path / "notes.git"


def test_a_week_counts_what_was_named_and_told(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path is named by the hook, one past the hook by CI, and a sentence without a reference by
    nobody; the deleted file, the moved document and the repository's own dead link are told."""
    lived = week.live(clone, 1, PLAN)
    counts = dict(lived.counts)
    assert counts == {
        "falsehoods about a path, named by the hook": 1,
        "falsehoods about a path, named by CI": 1,
        "falsehoods about a code, not named": 1,
        "code, file deleted, told": 1,
        "stopped: own": 1,
        "stopped: falsehood": 1,
        "stopped: code": 1,
        "stopped: move": 1,
    }, capsys.readouterr().out
    assert {row["step"] for row in lived.rows} >= {"move", "ci"}
    assert "colours" not in json.dumps(lived.rows), "rows have no text, so that they can be kept"


def test_judged_lines_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "week.jsonl"
    rows = [
        {"repository": "ada/notes", "judged": judged} for judged in ("useful", "noise", "useful")
    ]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    week.count_judged(file)
    assert capsys.readouterr().out == "ada/notes {'useful': 2, 'noise': 1}\n"


def test_an_edit_is_answered_as_the_agent_made_it(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the edit that adds the dead link is answered, and with the one finding in it."""
    root = Repo(tmp_path / "work").root
    edits.git(root, "pull", "--quiet", str(clone), "main")
    assert dict(edits.replay(root, 10)) == {"edits": 2, "edits with lines": 1, "lines": 1}
    printed = capsys.readouterr().out
    assert "CLAUDE.md:5 refuted-citation[link]: docs/lost.md: no such file" in printed


ACTION = """
runs:
  steps:
    - id: install
      run: echo "python=$RUNNER_TEMP/own" >> "$GITHUB_OUTPUT"
    - id: prepare
      run: test "$OWN_PYTHON" = "$RUNNER_TEMP/own" && test -s "$GITHUB_EVENT_PATH"
    - id: check
      run: git diff --quiet "$INPUT_RANGE_BASE" HEAD^ && echo 'exit-code=1' >> "$GITHUB_OUTPUT"
    - run: exit 1
"""


def test_the_action_is_timed_step_by_step(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step gets the interpreter and the range that the action gives it, or it would measure
    nothing."""
    monkeypatch.setattr(minutes, "PROJECT", tmp_path)
    (tmp_path / "action.yml").write_text(ACTION)
    took = minutes.run_steps(clone, tmp_path, 1)
    assert list(took) == ["install", "prepare", "check"]
    assert all(seconds > 0 for seconds in took.values())


def test_sentences_are_reported_by_their_lines(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "notes")
    commit = repo.commit({"src/app.py": "A = 1\n", "README.md": PAGE, "docs/more.md": "# More\n"})
    said = (
        ("README.md", "The colours are in `src/colours.py`.", "src/colours.py: no such file"),
        ("README.md", "The settings are in `src/app.py`.", ""),
        ("docs/more.md", "See [the notes](../NOTES.md).", "../NOTES.md: no such file"),
    )
    rows = [{"document": d, "sentence": text, "commit": commit} for d, text, _ in said]
    measured = [message for _, message in sentences.measure(repo.root, rows)]
    assert measured == [message for _, _, message in said]

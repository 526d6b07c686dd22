"""`path::name` whose name is gone: the message tells the new place, the new name or the commit."""

from __future__ import annotations

from pathlib import Path

from repos import Repo

BODY = "    first = 1\n    second = first + 1\n    return second\n"


NAMES = (
    ("parse", "renamed to read in "),
    ("render", "removed in "),
    ("send", "src/app.py has no send; src/sender.py defines it"),
    ("invented", "src/app.py has no invented"),
    ("kept", ""),
)


def test_a_missing_name(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    old = f"def parse():\n{BODY}\n\ndef render():\n    return 7\n\n\ndef send():\n    return 'a'\n"
    repo.commit({"src/app.py": f"{old}\n\ndef kept():\n    pass\n", "README.md": "# A\n"})
    new = f"def read():\n{BODY}\n\ndef kept():\n    pass\n"
    repo.commit({"src/app.py": new, "src/sender.py": "def send():\n    return 'a'\n"})
    judged = repo.judge_each(f"See `src/app.py::{name}`." for name, _ in NAMES)
    for (name, told), decided in zip(NAMES, judged.values(), strict=True):
        (found,) = (e.reason for e in decided.evidence)
        assert told in found if told else not found, name


def test_old_text_may_mean_another_class_of_the_name(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    pin = "class Pin:\n    def read(self): ...\n"
    repo.commit({"tools/a.py": pin, "docs/a.md": "# A\n\nThe mode is `Pin.drive_now`.\n"})
    assert [d.wrong[0].reason for d in repo.decisions("all")] == ["tools/a.py has no Pin.drive_now"]
    repo.commit({"tools/b.py": pin})
    assert [d for d in repo.decisions("all") if d.wrong] == []

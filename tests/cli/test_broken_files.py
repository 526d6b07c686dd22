"""Whatever the files below `.grounded` hold, a check judges the documents and ends by itself."""

from __future__ import annotations

import json

import pytest
from clirepo import BLOCKED, DOCUMENT, Repo

LINE = {
    "id": "0123456789abcdef", "section": "Progress", "ordinal": 0, "claim": "x", "action": "reject",
    "reviewer": "ada@example.org", "reviewed_at": "2026-01-01T00:00:00Z", "reason": "read",
}  # fmt: skip
CONTENTS = {
    "nested": "[" * 20_000 + "\n", "nested deeper": '{"a":' + "[" * 20_000 + "]" * 20_000 + "}\n",
    "binary": bytes(range(256)) * 9, "not UTF-8": b'{"id":"\xff\xfe"}\n',
    "a number too large": '{"id":1e999,"ordinal":' + "9" * 6000 + "}\n",
    "NULs": "\0\0\0\n", "null": "null\n", "a list": "[]\n",
    "other types": json.dumps({key: [value] for key, value in LINE.items()}) + "\n",
    "halves of characters": json.dumps(LINE | {"id": "\ud800", "section": "\udfff"}) + "\n",
    "a time that is none": json.dumps(LINE | {"reviewed_at": "9999999-99-99T99:99:99Z"}) + "\n",
    "an ordinal too large": json.dumps(LINE | {"ordinal": 10**30}) + "\n",
    "a line too long": json.dumps(LINE | {"reason": "x" * 3_000_000}) + "\n",
}  # fmt: skip
PLACES = (
    f".grounded/reviews/{DOCUMENT}.jsonl", ".grounded/reviews/nowhere.md.jsonl",
    f".grounded/evidence/{DOCUMENT}.jsonl", f".grounded/evidence/{DOCUMENT}/0123456789abcdef.jsonl",
    ".grounded/evidence/nowhere.md.jsonl", ".grounded/other",
)  # fmt: skip


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_a_broken_file_ends_no_check(repo: Repo, content: str | bytes) -> None:
    repo.write(DOCUMENT, repo.read(DOCUMENT) + f"\n{BLOCKED}\n")
    for place in PLACES:
        repo.write(place, content)
    checked = repo.check("--all")
    assert checked.code == 1, checked.err
    assert "speculation" in checked.out
    log = repo.ask("review", "log")
    assert log.code == 0, log.err
    repo.git("add", "-A")
    staged = repo.check("--staged")
    assert staged.code == 1, staged.err
    assert "speculation" in staged.out

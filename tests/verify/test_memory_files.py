"""Memories as they come: what is taken, and what is said of what cannot be."""

from __future__ import annotations

import pytest

import grounded_ingest
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.verify.memory_files import memories_in

GOOD = b'{"id": "a", "text": "User works at Nokia", "trust": 0.5, "timestamp": 1704067200}'


@pytest.mark.parametrize(
    "content",
    [
        b"[" + GOOD + b"]",
        GOOD,
        GOOD + b"\n\n",
        b'{"memories": [' + GOOD + b"]}",
        b"\xef\xbb\xbf[" + GOOD + b"]",
    ],
)
def test_every_shape_is_read(content: bytes) -> None:
    (memory,) = memories_in([("m.json", content)])
    assert (memory.id, memory.trust, memory.timestamp) == ("a", 0.5, 1704067200.0)


def test_lines_are_read_one_by_one() -> None:
    lines = GOOD + b"\n" + GOOD.replace(b'"a"', b"7")
    assert [m.id for m in memories_in([("m.jsonl", lines)])] == ["a", "7"]
    assert memories_in([("m.jsonl", b"")]) == memories_in([("m.json", b"[]")]) == []


BAD = {
    b'[{"text": "x y"}]': "m: memory 1: `id` is missing",
    b'[{"id": "a"}]': "m: memory 1: `text` is missing",
    b'[{"id": "a", "text": "  "}]': "`text` is missing or empty",
    b'[{"id": "a", "text": 3}]': "`text` is missing or empty",
    b'[{"id": "a", "text": "x", "trust": 1.2}]': "`trust` is 1.2",
    b'[{"id": "a", "text": "x", "trust": -0.1}]': "`trust` is -0.1",
    b'[{"id": "a", "text": "x", "trust": "high"}]': "`trust` is 'high'",
    b'[{"id": "a", "text": "x", "trust": true}]': "`trust` is True",
    b'[{"id": "a", "text": "x", "timestamp": "soon"}]': "`timestamp` is 'soon'",
    b'[{"id": "a", "text": "x", "timestamp": [1]}]': "`timestamp` is [1]",
    b"[" + GOOD + b"," + GOOD + b"]": "m: memory 2: the id 'a' is already used at m: memory 1",
    GOOD + b"\n{oops": "m:2: the line is not JSON",
    b"[3]": "m: memory 1: the memory is not a JSON object",
    b'"text"': "m: the JSON is neither a list of memories nor an object",
    b"\xff\xfe": "m: the file is not UTF-8 at byte 0",
    b"[" * 100_000: "not JSON",
}


@pytest.mark.parametrize("content", BAD, ids=range(len(BAD)))
def test_what_cannot_be_a_memory_is_said(content: bytes) -> None:
    with pytest.raises(GroundedIngestError) as raised:
        memories_in([("m", content)])
    assert BAD[content] in str(raised.value)


@pytest.mark.parametrize(
    "written",
    [
        "1704067200",
        '"2024-01-01"',
        '"2024-01-01T00:00:00Z"',
        "1704067200000",
        '"1704067200"',
        "1704067200.0",
    ],
)
def test_timestamps_of_any_sort(written: str) -> None:
    content = f'[{{"id": "a", "text": "x", "timestamp": {written}}}]'.encode()
    assert memories_in([("m", content)])[0].timestamp == 1704067200.0


def test_the_function_takes_what_files_hold() -> None:
    memories = [{"id": "a", "text": "User works at Nokia", "trust": 0.9}]
    assert grounded_ingest.ground("You work at Nokia", memories).grounded
    with pytest.raises(GroundedIngestError):
        grounded_ingest.ground("You work at Nokia", [{"id": "a", "text": "x", "trust": 2}])

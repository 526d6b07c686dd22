"""Reads memories from JSON and JSON Lines files. Error messages name the file and the line."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.verify.result import Memory

LARGEST = 64 * 1024 * 1024
LONGEST = 1_000_000
"""`LARGEST`: maximum size of a memory file in bytes. `LONGEST`: maximum characters of a memory."""

_HINT = (
    'a memory is {"id": "m1", "text": "…", "trust": 0.9, "timestamp": 1704067200, "source": "user"}'
)
_LISTS = ("memories", "facts", "retrieved_context")


def memories_in(files: Iterable[tuple[str, bytes]]) -> list[Memory]:
    """Returns the memories in (name, content) pairs of files. Raises GroundedIngestError if a file
    is malformed, or if two memories have the same id."""
    return memories_of(row for name, content in files for row in _rows(content, name))


def memories_of(rows: Iterable[tuple[str, Any]]) -> list[Memory]:
    """Returns the memories in (place, value) pairs of decoded JSON values. Raises
    GroundedIngestError, with the place, if a value is not a memory, or if two memories have the
    same id."""
    found: list[Memory] = []
    places: dict[str, str] = {}
    for place, row in rows:
        memory = _memory(row, place)
        if memory.id in places:
            raise GroundedIngestError(
                f"{place}: the id {memory.id!r} is already used at {places[memory.id]}"
            )
        places[memory.id] = place
        found.append(memory)
    return found


def _rows(content: bytes, name: str) -> Iterable[tuple[str, Any]]:
    if len(content) > LARGEST:
        raise GroundedIngestError(f"{name}: the file is larger than {LARGEST >> 20} MiB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GroundedIngestError(f"{name}: the file is not UTF-8 at byte {error.start}") from None
    if not text.strip():
        return []
    try:
        value = msgspec.json.decode(text)
    except NOT_JSON:
        return _lines(text, name)
    if isinstance(value, dict):
        value = next((value[k] for k in _LISTS if isinstance(value.get(k), list)), [value])
    if not isinstance(value, list):
        raise GroundedIngestError(
            f"{name}: the JSON is neither a list of memories nor an object", _HINT
        )
    return ((f"{name}: memory {n}", row) for n, row in enumerate(value, 1))


def _lines(text: str, name: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        if line.strip():
            try:
                row = msgspec.json.decode(line)
            except NOT_JSON as error:
                said = str(error) or type(error).__name__
                raise GroundedIngestError(
                    f"{name}:{number}: the line is not JSON ({said})", _HINT
                ) from None
            yield f"{name}:{number}", row


def _memory(row: Any, place: str) -> Memory:
    if not isinstance(row, dict):
        raise GroundedIngestError(f"{place}: the memory is not a JSON object", _HINT)
    identity = row.get("id")
    known = isinstance(identity, str | int) and not isinstance(identity, bool)
    if not known or not str(identity).strip():
        raise GroundedIngestError(
            f"{place}: `id` is missing, empty, or neither a string nor an integer", _HINT
        )
    text = row.get("text")
    if not isinstance(text, str) or not text.strip():
        raise GroundedIngestError(f"{place}: `text` is missing or empty", _HINT)
    if len(text) > LONGEST:
        raise GroundedIngestError(f"{place}: `text` is longer than {LONGEST:,} characters")
    source = row.get("source", "")
    return Memory(
        str(identity),
        text,
        _trust(row.get("trust", 1.0), place),
        timestamp(row.get("timestamp"), place),
        source if isinstance(source, str) else "",
        str(row.get("path") or ""),
        row["line"] if isinstance(row.get("line"), int) else 0,
        str(row.get("section") or ""),
    )


def _trust(value: Any, place: str) -> float:
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    if not 0 <= number <= 1:
        raise GroundedIngestError(f"{place}: `trust` is {value!r}, not a number from 0 to 1")
    return float(number)


def timestamp(value: Any, place: str = "timestamp") -> float | None:
    """Returns a time in seconds since 1970. `value` is a number of seconds, of milliseconds (if
    larger than 1e11), or an ISO 8601 string. Returns None for None or an empty string. Raises
    GroundedIngestError for anything else."""
    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value) / 1000 if abs(value) > 1e11 else float(value)
    when = None
    if isinstance(value, str):
        with suppress(ValueError):
            return timestamp(float(value), place)
        with suppress(ValueError):
            when = datetime.fromisoformat(value.strip())
    if when is None:
        raise GroundedIngestError(
            f"{place}: `timestamp` is {value!r}, neither a number of seconds nor an ISO 8601 time"
        )
    try:
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, OSError):
        raise GroundedIngestError(f"{place}: `timestamp` {value!r} is out of range") from None

"""Writing review logs: one line at a time, under a lock, whole or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.records.review_log import (
    DIRECTORY,
    Review,
    last_actions,
    log_path,
    read_lines,
    readable_lines,
)
from grounded_ingest.records.whole_file import locked, write_whole


class Act(NamedTuple):
    """One action about one claim, `line` but for when and by whom; `ended` are lines on record that
    count no more."""

    document: str
    line: Review
    ended: tuple[Review, ...] = ()


def now() -> str:
    """The time as ISO 8601, UTC, to the millisecond."""
    at = time.time()
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))
    return f"{whole}.{int(at * 1000) % 1000:03d}Z"


def _after(times: list[str]) -> str:
    """Now, or a moment behind the latest of these: a line dated into the future can be answered."""
    latest, at = max(times, default=""), now()
    if latest < at:
        return at
    from datetime import UTC, datetime, timedelta

    try:
        later = datetime.fromisoformat(latest).astimezone(UTC) + timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        return at
    return f"{later.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def record(repo: Repo, acts: Iterable[Act], reviewer: str) -> list[tuple[str, Review]]:
    """Append what is not on record yet; returns the (document, line) pairs that were written.

    Raises GroundedIngestError where a log cannot be read: its file is left as it is.
    """
    by_document: dict[str, list[Act]] = {}
    for act in acts:
        by_document.setdefault(act.document, []).append(act)
    written: list[tuple[str, Review]] = []
    with locked(repo):
        held = {document: _read(repo, log_path(document)) for document in by_document}
        for document, wanted in by_document.items():
            path = log_path(document)
            lines = read_lines(held[document], path)
            fresh = list(_fresh(lines, wanted, reviewer))
            if fresh:
                _append(repo, path, held[document], fresh)
                written += [(document, line) for line in fresh]
    return written


def _fresh(lines: list[Review], wanted: list[Act], reviewer: str) -> Iterable[Review]:
    """The lines that change something. The same twice is once."""
    for act in wanted:
        at = _after([r.reviewed_at for r in lines if r.key == act.line.key])
        line = replace(act.line, reviewer=reviewer, reviewed_at=at)
        if not _on_record([r for r in lines if r not in act.ended], line):
            lines.append(line)
            yield line


def _on_record(lines: list[Review], wanted: Review) -> bool:
    last = last_actions(lines).get(wanted.key)
    if last is not None and last.action != wanted.action:
        return False
    for line in reversed([line for line in lines if line.key == wanted.key]):
        if line.action != wanted.action:
            return False
        if wanted.action == "approve" and line.digest != wanted.digest:
            continue  # something else was read then
        if line.reviewer == wanted.reviewer or wanted.action == "revoke":
            return True
    return wanted.action == "revoke"


def _read(repo: Repo, path: str) -> bytes:
    _refuse_links(repo, path)
    try:
        with open(f"{repo.root}/{path}", "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def _append(repo: Repo, path: str, before: bytes, lines: list[Review]) -> None:
    """A new file takes the old one's place at once: whoever dies on the way loses nothing."""
    full = f"{repo.root}/{path}"
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    rows = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    mode = os.stat(full).st_mode & 0o777 if os.path.exists(full) else None
    write_whole(full, before + gap + rows, mode=mode, durable=True)


def _refuse_links(repo: Repo, path: str) -> None:
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        above = "/".join(parts[:depth])
        if os.path.islink(f"{repo.root}/{above}"):
            raise GroundedIngestError(
                f"{above} is a symbolic link", "review logs are not written through links"
            )


def logs(
    repo: Repo, documents: Callable[[], Iterable[str]], unread: Callable[[str], object]
) -> list[tuple[str, Review]]:
    """Returns every line of the logs on disk with the path of its document, oldest file order.
    Tells `unread` of each line that cannot be read."""
    names = {log_path(document): document for document in documents()}
    found = []
    for directory, _, files in sorted(os.walk(f"{repo.root}/{DIRECTORY}")):
        for name in sorted(f for f in files if f.endswith(".jsonl")):
            path = os.path.relpath(f"{directory}/{name}", repo.root).replace(os.sep, "/")
            document = names.get(path, path[len(DIRECTORY) + 1 : -len(".jsonl")])
            lines, broken = readable_lines(_read(repo, path))
            found += [(document, line) for line in lines]
            for line in broken:
                unread(f"{path}:{line.number}: {line.why}")
    return found

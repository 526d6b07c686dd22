"""What the files that agents load were, by git: texts that repositories have in common, and had."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.fleet.keys import key, moment
from grounded_ingest.git.repository import epoch_seconds
from grounded_ingest.model.claims import DocClass
from grounded_ingest.pipeline import Result

KEPT = 200
"""Versions of a file that are told of."""
_HEAD = "\1%H %ct"


def versions_of(result: Result) -> Iterator[dict[str, Any]]:
    """Yields the versions of each document of class memory along first parents, newest first. The
    version that stands now is there even if git fails."""
    repo, head = result.engine.context.repo, result.scoped.head
    blobs = {d.path: d.blob for d in result.documents if d.doc_class is DocClass.MEMORY}
    if not blobs or not head:
        return
    try:
        log = repo.run(
            "log", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "-z",
            f"--format={_HEAD}", head, "--", *(f":(literal,top){p}" for p in blobs),
        )  # fmt: skip
    except GroundedIngestError:
        log = b""
    told: Counter[str] = Counter()
    for commit, written, path, blob in _written(os.fsdecode(log)):
        if path in blobs and told[path] < KEPT:
            yield _row(path, told[path], blob, commit, written)
            told[path] += 1
    for path, blob in blobs.items():
        if not told[path] and blob:
            yield _row(path, 0, blob, "", 0)


def _row(path: str, position: int, blob: str, commit: str, written: int) -> dict[str, Any]:
    return {
        "path": path, "position": position, "blob": blob, "text_key": key("blob", blob),
        "written_at": moment(written) if written else "", "by": commit,
    }  # fmt: skip


def _written(log: str) -> Iterator[tuple[str, int, str, str]]:
    """(commit, seconds since 1970, path, blob) of each write in a log, deletions left out."""
    for entry in log.split("\1")[1:]:
        head, *fields = entry.strip("\0\n").split("\0")
        commit, _, when = head.strip().partition(" ")
        raw = [f.lstrip("\n") for f in fields if f.strip()]
        for meta, path in zip(raw[::2], raw[1::2], strict=False):
            _, _, _, blob, status = meta.split(" ")
            if status != "D":
                yield commit, epoch_seconds(when), path, blob

"""Labelled lines of documents: how they are read, and how they are found in a clone."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from grounded_ingest.errors import GroundedIngestError

_STARTS = re.compile(r"\s*(?:[-*+]|\d+[.)])\s|\s*\||#")
_ENDS = re.compile(r"\s*(?:$|```|~~~)")
_Line = TypeVar("_Line", bound=Struct)

Split = Literal["open", "held"]
"""Of the corpus: `held` was not read while a rule was written."""


class Reference(Struct, frozen=True, forbid_unknown_fields=True, tag_field="task", tag="citation"):
    """A claim that was read beside what it cites, not by this tool; true and truly cited if its
    label says nothing else.

    `line` is where `cites`, the citation as written, stands in `path` at `commit`; `sha256` is of
    that line with its whitespace folded. `why` says what in the source bears the claim out.
    """

    repo: str
    commit: str
    path: str
    line: int
    kind: str
    cites: str
    sha256: str
    label: Literal["true", "false", "unclear"] = "true"
    why: str = ""
    split: Split = "open"

    @property
    def place(self) -> str:
        return f"{self.repo}:{self.path}:{self.line}"


def read_references(path: str) -> list[Reference]:
    """References of a JSON Lines file. Raises GroundedIngestError for a line that is none."""
    return read_lines(path, Reference)


def read_lines(path: str, kind: type[_Line]) -> list[_Line]:
    """The lines of a JSON Lines file. Raises GroundedIngestError for one of another kind."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None
    found = [
        _decoded(path, number, line, kind) for number, line in enumerate(lines, 1) if line.strip()
    ]
    if not found:
        raise GroundedIngestError(f"{path} holds no labels")
    return found


def _decoded(path: str, number: int, line: bytes, kind: type[_Line]) -> _Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.MsgspecError as error:
        raise GroundedIngestError(f"{path}:{number}: {error}") from None


def clone_below(repos: str, name: str) -> str:
    """The place of a repository's clone, empty where there is none. It may lie one level deeper."""
    for place in (f"{repos}/{name.replace('/', '+')}", f"{repos}/{name}"):
        for clone in (place, f"{place}/repo"):
            if any(os.path.exists(f"{clone}/{inside}") for inside in (".git", "HEAD")):
                return clone
    return ""


def block_of(lines: Sequence[str], line: int) -> range:
    """The lines of the paragraph, list item or table row that a line belongs to."""
    first = last = line - 1
    if not lines[first].lstrip().startswith("|"):
        while first and not _STARTS.match(lines[first]) and not _ENDS.match(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and not re.match(
            f"{_STARTS.pattern}|{_ENDS.pattern}", lines[last + 1]
        ):
            last += 1
    return range(first + 1, last + 2)


def fingerprint(line: str) -> str:
    """SHA-256 of a line, its whitespace folded."""
    return sha256(" ".join(line.split()).encode()).hexdigest()

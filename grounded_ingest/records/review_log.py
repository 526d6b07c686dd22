"""Reads and writes review logs. A review log contains the decisions of people about the claims in a
document, one per line.

The tool only appends lines. An approval counts after its line is on the base branch
(records/rulings.py)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import ClaimKey, Place
from grounded_ingest.model.digests import NOT_JSON, sha256
from grounded_ingest.records.evidence import DIRECTORY as EVIDENCE
from grounded_ingest.records.evidence import evidence_path
from grounded_ingest.records.whole_file import locked, refuse_links, write_whole

DIRECTORY = ".grounded/reviews"
SCHEME = "1"
"""Version of the context digest. Raise the version if the same document may yield another context.
Approvals with an older version are then compared with the history of the base branch."""

ReviewAction = Literal["approve", "reject", "revoke"]
_STRICTNESS = {"approve": 0, "revoke": 1, "reject": 2}


class Review(Struct, frozen=True, omit_defaults=True):
    """A line in a review log: the decision of a person about a claim.

    `ordinal` tells equal claims in a document apart. `claim` is the text of the claim. `context` is
    the text around it as (kind, text) pairs, the outermost pair first. `digest` is a digest of
    `claim` and `context`, and begins with the version of its format. `owner` is the login name by
    which the reviewer owns the document. `reviewed_at` is an ISO 8601 time in UTC."""

    id: str
    section: str
    action: ReviewAction
    reviewer: str
    reviewed_at: str
    reason: str = ""
    ordinal: int = 0
    claim: str = ""
    digest: str = ""
    context: tuple[tuple[str, str], ...] = ()
    owner: str = ""

    @property
    def has_digest(self) -> bool:
        """Returns whether the line has a digest of the text that the reviewer read, in the current
        format version."""
        return self.digest.startswith(f"{SCHEME}:")

    @property
    def time(self) -> str:
        """Returns the time in a form that sorts as text."""
        return self.reviewed_at.removesuffix("Z")

    @property
    def key(self) -> ClaimKey:
        return (self.section, self.id, self.ordinal)


Objection = Callable[[Place, Review], str]
"""Function that returns why an approval in a commit range does not count yet, or ""."""


def digest_of(text: str, context: str) -> str:
    """Returns the digest of a claim's text and its context, which an approval stores."""
    read = f"{context}\0{text}".encode("utf-8", "surrogatepass")
    return f"{SCHEME}:{sha256(read).hexdigest()}"


def log_path(document: str) -> str:
    """Returns the path of a document's review log. The path is valid on every file system, like
    that of the evidence file."""
    return DIRECTORY + evidence_path(document)[len(EVIDENCE) :]


# Reading


BrokenLine = tuple[int, str]
"""The number (1-based) of a line in a review log that cannot be read, and the reason."""


def readable_lines(content: bytes) -> tuple[list[Review], list[BrokenLine]]:
    """Returns the readable lines of a log in order, and the lines that cannot be read."""
    decoder = msgspec.json.Decoder(Review)
    lines, broken = [], []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            lines.append(decoder.decode(line))
        except NOT_JSON as error:
            broken.append((number, f"not a line of a review log: {error}"))
    return lines, broken


def read_lines(content: bytes, path: str) -> list[Review]:
    """Returns the lines of a log in order. Raises GroundedIngestError if a line cannot be read."""
    lines, broken = readable_lines(content)
    if broken:
        number, why = broken[0]
        raise GroundedIngestError(
            f"{path}:{number}: {why}",
            "repair or remove the line, because an approval must be readable to count",
        )
    return lines


def lines_at(repo: Repo, revision: str, log: str) -> set[Review]:
    """Returns the lines of a log in the git object `revision`. There are none if `revision` is
    empty, or if the log cannot be parsed, because such a log approves nothing."""
    content = repo.objects.read(revision) if revision else None
    try:
        return set(read_lines(content or b"", log))
    except GroundedIngestError:
        return set()


def last_actions(lines: Iterable[Review]) -> dict[ClaimKey, Review]:
    """Returns the action that counts for each claim: the last one.

    When git merges two branches, it puts all log lines of one branch after those of the other
    branch, so the last line may be older than an earlier line. The times of lines are not reliable
    either, because anybody can write any time. If the last line and the line with the latest time
    differ, the stricter action counts."""
    last: dict[ClaimKey, Review] = {}
    latest: dict[ClaimKey, Review] = {}
    for line in lines:
        last[line.key] = line
        if line.key not in latest or latest[line.key].time <= line.time:
            latest[line.key] = line
    return {k: max(one, latest[k], key=lambda r: _STRICTNESS[r.action]) for k, one in last.items()}


def approvals(lines: Sequence[Review]) -> dict[ClaimKey, tuple[Review, ...]]:
    """Returns the approvals of each claim that no later line withdraws."""
    given: dict[ClaimKey, tuple[Review, ...]] = {}
    for line in lines:
        given[line.key] = (*given.get(line.key, ()), line) if line.action == "approve" else ()
    last = last_actions(lines)
    return {k: rows for k, rows in given.items() if rows and last[k].action == "approve"}


def logs_on_disk(
    repo: Repo, documents: Iterable[str]
) -> tuple[list[tuple[str, Review]], list[str]]:
    """Returns every line in the logs on disk with its document, sorted by path. Also returns a
    message for each line that cannot be read."""
    names = {log_path(document): document for document in documents}
    found, messages = [], []
    for directory, _, files in sorted(os.walk(f"{repo.root}/{DIRECTORY}")):
        for name in sorted(f for f in files if f.endswith(".jsonl")):
            path = os.path.relpath(f"{directory}/{name}", repo.root).replace(os.sep, "/")
            document = names.get(path, path[len(DIRECTORY) + 1 : -len(".jsonl")])
            lines, broken = readable_lines(_content(repo, path))
            found += [(document, line) for line in lines]
            messages += [f"{path}:{number}: {why}" for number, why in broken]
    return found, messages


def _content(repo: Repo, path: str) -> bytes:
    refuse_links(repo.root, path)
    try:
        with open(f"{repo.root}/{path}", "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


# Writing


class ReviewEntry(Struct, frozen=True):
    """A line to append to a document's log. The reviewer and the time are added when the line is
    written.

    A review that the log already has is not appended again, except approvals in `ended`, which no
    longer count."""

    document: str
    line: Review
    ended: tuple[Review, ...] = ()


def append_reviews(
    repo: Repo, entries: Iterable[ReviewEntry], reviewer: str
) -> list[tuple[str, Review]]:
    """Appends the review in each entry to the log of the entry's document. Skips a review that the
    log already has.

    Returns the appended reviews as pairs (path of the document, review). `reviewer` is the address
    that is written into each review. Changes no log and raises GroundedIngestError if a log cannot
    be read."""
    by_document: dict[str, list[ReviewEntry]] = {}
    for entry in entries:
        by_document.setdefault(entry.document, []).append(entry)
    written: list[tuple[str, Review]] = []
    # Read the logs again under the lock, because another process may have written to them.
    with locked(repo):
        contents = {document: _content(repo, log_path(document)) for document in by_document}
        for document, wanted in by_document.items():
            path = log_path(document)
            lines = read_lines(contents[document], path)
            new = list(_new_lines(lines, wanted, reviewer))
            if new:
                _append(repo, path, contents[document], new)
                written += [(document, line) for line in new]
    return written


def _new_lines(lines: list[Review], wanted: list[ReviewEntry], reviewer: str) -> Iterator[Review]:
    """Yields the lines to append for the entries in `wanted`, and adds them to `lines`, the present
    lines of the log. Skips an entry that would not change any decision."""
    for entry in wanted:
        at = _time_after([r.reviewed_at for r in lines if r.key == entry.line.key])
        line = replace(entry.line, reviewer=reviewer, reviewed_at=at)
        if not _is_on_record([r for r in lines if r not in entry.ended], line):
            lines.append(line)
            yield line


def _is_on_record(lines: list[Review], wanted: Review) -> bool:
    last = last_actions(lines).get(wanted.key)
    if last is not None and last.action != wanted.action:
        return False
    for line in reversed([line for line in lines if line.key == wanted.key]):
        if line.action != wanted.action:
            return False
        if wanted.action == "approve" and line.digest != wanted.digest:
            continue  # The context of the claim was different at the time of that approval.
        if line.reviewer == wanted.reviewer or wanted.action == "revoke":
            return True
    return wanted.action == "revoke"


def _time_after(times: list[str]) -> str:
    """Returns the present time, or a millisecond after the latest of `times` if that is later, so
    that a line with a future date can be withdrawn."""
    latest, now = max(times, default=""), _iso_time(datetime.now(UTC))
    if latest < now:
        return now
    try:
        later = datetime.fromisoformat(latest).astimezone(UTC) + timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        return now
    return _iso_time(later)


def _iso_time(at: datetime) -> str:
    return f"{at.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def _append(repo: Repo, path: str, before: bytes, lines: list[Review]) -> None:
    """Replaces the log by a longer one in a single step, so that a killed process loses no line."""
    full = f"{repo.root}/{path}"
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    rows = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    mode = os.stat(full).st_mode & 0o777 if os.path.exists(full) else None
    write_whole(full, before + gap + rows, mode=mode, durable=True)

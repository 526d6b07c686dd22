"""Writing what an audit fixes: documents whole or not at all, then the sidecars that are behind."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import diff_bytes, unified_diff
from typing import NamedTuple

from grounded_ingest.audit.fix_plan import Fixed
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.sidecar_plan import SidecarPlan
from grounded_ingest.report.sidecar_writer import locked, write_sidecars

_NO_NEWLINE = b"\n\\ No newline at end of file\n"


class WrittenFixes(NamedTuple):
    """Documents that were rewritten, and those that were another meanwhile."""

    documents: tuple[str, ...]
    passed_over: tuple[str, ...]


def write_documents(repo: Repo, fixed: Iterable[Fixed]) -> WrittenFixes:
    """Replace each document that is still as it was read. Raises GroundedIngestError where a file
    cannot be written."""
    done, passed = [], []
    with locked(repo):
        for one in fixed:
            full = f"{repo.root}/{one.path}"
            try:
                with open(full, "rb") as file:
                    same = file.read() == one.before
                if not same or os.path.islink(full):
                    passed.append(one.path)
                    continue
                _replace(full, one.after)
            except OSError as error:
                raise GroundedIngestError(f"{one.path}: {error.strerror}") from None
            done.append(one.path)
    return WrittenFixes(tuple(done), tuple(passed))


def _replace(full: str, content: bytes) -> None:
    """Atomic: a temporary file beside it, on disk before it takes the name."""
    temporary = f"{os.path.dirname(full)}/.grounded-{os.getpid()}-{os.urandom(4).hex()}"
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, os.stat(full).st_mode & 0o7777)
        os.replace(temporary, full)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def stale_part(plan: SidecarPlan, *, orphans: bool = True) -> SidecarPlan:
    """The part of a plan that an audit writes: sidecars that there are and that hold something
    else by now, and orphans. It makes none for documents that have none."""
    fresh = {p: c for p, c in plan.fresh.items() if plan.recorded.get(p)}
    return plan._replace(fresh=fresh, orphans=plan.orphans if orphans else ())


def write_evidence(repo: Repo, plan: SidecarPlan, *, orphans: bool = True) -> tuple[str, ...]:
    return tuple(sorted(write_sidecars(repo, stale_part(plan, orphans=orphans), stage=False)))


def diff(fixed: Iterable[Fixed]) -> bytes:
    """The unified diff of all documents, for `git apply`."""
    return b"".join(row for one in fixed for row in _diff(one))


def _diff(one: Fixed) -> Iterator[bytes]:
    name = os.fsencode(one.path)
    before, after = _rows(one.before), _rows(one.after)
    rows = diff_bytes(unified_diff, before, after, b"a/" + name, b"b/" + name, lineterm=b"\n")
    for row in rows:
        yield row if row.endswith(b"\n") else row + _NO_NEWLINE


def _rows(content: bytes) -> list[bytes]:
    """Lines as git counts them: a carriage return ends none."""
    rows = content.split(b"\n")
    return [r + b"\n" for r in rows[:-1]] + ([rows[-1]] if rows[-1] else [])

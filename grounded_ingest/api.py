"""The Python API (docs/python.md): checks documents and claims, compares texts with memories or
sources, finds memories, and reviews waiting claims."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec.structs import asdict, replace

from grounded_ingest.config.settings import Config, Trust
from grounded_ingest.errors import GroundedIngestError, expect_one_of
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import (
    Decision,
    DocClass,
    Kind,
    MemoryType,
    Place,
    Source,
    Tier,
    Validation,
)
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.evidence_files import horizon_of
from grounded_ingest.report.findings import decision_reason
from grounded_ingest.report.fixes import drop_unfixable
from grounded_ingest.report.horizons import ends_on
from grounded_ingest.report.selection import mute_findings
from grounded_ingest.repository.scope import NOTHING, Asked

if TYPE_CHECKING:
    from grounded_ingest.retrieval.answer import Answer
    from grounded_ingest.review.desk import Desk, QueueFilter, QueueState, ReviewOutcome
    from grounded_ingest.verify.memory_index import Memories
    from grounded_ingest.verify.result import Memory, Verification
    from grounded_ingest.verify.text_judge import TextJudgement

QUEUE = "memory/queue"
"""Directory of the memory files that `ReviewQueue` writes, one for each owner."""

# The other imports are inside the functions, so that a caller loads only the modules that the
# called function needs.


def check(
    repo: str = ".",
    scope: Asked | Literal["worktree", "staged", "all"] = "worktree",
    config: Config | None = None,
    *,
    online: bool = True,
) -> Report:
    """Checks documents in the repository at `repo`. `scope` selects what is checked: the files that
    differ from HEAD, what is staged, or all documents.

    `config` replaces the repository's configuration. If `online` is false, uses no network. Raises
    GroundedIngestError if the check cannot run.
    """
    if not isinstance(scope, Asked):
        expect_one_of("scope", scope, ("worktree", "staged", "all"))
        scope = Asked(scope)
    with Repo(repo, own=repo == ".") as opened:
        result = run(opened, scope, Options(online=online), judged_by=config)
        result = drop_unfixable(mute_findings(result))
        result.kb.index.close()
        return result.report


def ground(
    text: str,
    memories: Iterable[Memory | Mapping[str, Any]] | Memories,
    *,
    mode: Literal["strict", "permissive"] = "strict",
    trust: Trust = Trust(),  # noqa: B008  frozen
) -> Verification:
    """Returns which parts of a text the memories support, as the command `verify --memories` does.

    `memories` are `Memory` objects, mappings with the fields of a memory file, or a `Memories`
    index, which can be used many times. With `mode` "strict", a detail that no memory mentions
    fails; with "permissive" it passes. Memories can contradict each other if their trust is at
    least `trust.threshold` and differs by less than `trust.difference`. Raises GroundedIngestError
    if a memory cannot be read."""
    # Imported late for a fast start: the hook uses neither verify nor retrieval.
    from grounded_ingest.verify.memory_files import memories_of
    from grounded_ingest.verify.memory_index import Memories
    from grounded_ingest.verify.result import Memory
    from grounded_ingest.verify.verify import VerificationMode, verify_text

    expect_one_of("mode", mode, get_args(VerificationMode))
    if not isinstance(memories, Memories):
        rows = (
            (f"memory {n}", asdict(m) if isinstance(m, Memory) else m)
            for n, m in enumerate(memories, 1)
        )
        given = memories_of(rows)
        memories = Memories(given, threshold=trust.threshold, difference=trust.difference)
    return verify_text(text, memories, mode=mode)


def support(text: str, sources: Mapping[str, str]) -> TextJudgement:
    """Returns which claims in a text the sources support, as the command `verify --source` does.
    `sources` maps the name of each source to its text."""
    from grounded_ingest.verify.text_judge import NamedSource, check_text

    return check_text(text, [NamedSource(name, source) for name, source in sources.items()])


def recall(
    question: str,
    repo: str = ".",
    *,
    k: int = 20,
    budget: int = 0,
    types: Iterable[MemoryType | str] = tuple(MemoryType),
    pending: bool = False,
) -> Answer:
    """Returns the memories (passages of documents) in the repository at `repo` that answer a
    question, best first. Their references are all right, or they are approved on the base branch.

    Returns at most `k` memories of the given types. `budget` limits their total length in tokens,
    counted as four characters each. 0 means no limit. If `pending` is true, also returns other
    memories, unless they are wrong. Raises GroundedIngestError if the question is empty, `k` is
    less than 1, a type is unknown or the repository cannot be read."""
    from grounded_ingest.retrieval.answer import RecallQuery
    from grounded_ingest.retrieval.session import recall_in

    wanted = [types] if isinstance(types, str) else [*types]
    for name in wanted:
        expect_one_of("types", name, MemoryType)
    query = RecallQuery(question, k, budget, tuple(map(MemoryType, wanted)), pending)
    with Repo(repo, own=repo == ".") as opened:
        return recall_in(opened, query)


def validate(
    text: str,
    *,
    source: Source | str = Source.UNKNOWN,
    kind: Kind | str | None = None,
    memory_type: MemoryType | str | None = None,
    valid_until: str = "",
    repo: str = ".",
    config: Config | None = None,
    online: bool = True,
) -> Validation:
    """Returns the decision (approve, review or block) for a claim, as if somebody wrote it into a
    memory document now.

    `source` is the origin of the claim, such as "user". The function trusts this argument, unlike a
    source that a document states about itself. By default, `kind` and `memory_type` are derived
    from the text. `valid_until` is an ISO 8601 date. Raises GroundedIngestError if the text is
    empty or a value is unknown."""
    from grounded_ingest.extract.claims import single_claim

    for name, value, known in (
        ("source", source, Source), ("kind", kind, Kind), ("memory_type", memory_type, MemoryType),
    ):  # fmt: skip
        if value is not None:
            expect_one_of(name, value, known)
    claim = single_claim(text)
    if claim is None:
        raise GroundedIngestError("the text is empty; expected the text of a claim")
    if valid_until and ends_on(valid_until) is None:
        raise GroundedIngestError(f"valid_until: {valid_until!r} is no ISO 8601 date")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    changes: dict[str, Any] = {"timestamp": now, "valid_until": valid_until}
    changes |= {"kind": Kind(kind)} if kind else {}
    if memory_type:
        changes |= {"memory_type": MemoryType(memory_type), "cues": ("declared",), "split": ()}
    place = Place("", DocClass.MEMORY, replace(claim, **changes))
    with Repo(repo, own=repo == ".") as opened:
        result = run(opened, NOTHING, Options(online=online), judged_by=config)
        decision = result.engine.decide_one(place, Source(source))
        result.kb.index.close()
        return _validation(decision, result.config)


def _validation(decision: Decision, config: Config) -> Validation:
    return Validation(
        **asdict(decision),
        reason=decision_reason(decision),
        validity_horizon=horizon_of(decision, config),
    )


class ReviewQueue:
    """The claims of one owner that wait for a person, in `memory/queue/OWNER.jsonl`.

    Claims of other owners cannot be read or decided. The reviewer is the user that git is
    configured for, and must be allowed to review the file (docs/review.md). At most `per_owner`
    claims wait for one owner, and `total` for all.
    """

    def __init__(
        self,
        owner: str,
        repo: str = ".",
        *,
        per_owner: int = 100,
        total: int = 10_000,
        online: bool = False,
    ) -> None:
        if not re.fullmatch(r"\w[\w.@+-]*", owner):
            raise GroundedIngestError(
                f"owner: {owner!r} is not a valid file name", "use letters, digits and . @ + - _"
            )
        self.path, self.repo, self.online = f"{QUEUE}/{owner}.jsonl", repo, online
        self.per_owner, self.total = per_owner, total

    def enqueue(
        self,
        text: str,
        *,
        source: Source | str = Source.UNKNOWN,
        memory_type: MemoryType | str | None = None,
        valid_until: str = "",
    ) -> Validation:
        """Adds a claim to the queue as a record with the present time, and returns its decision. A
        claim that waits already is not added again.

        Raises GroundedIngestError if a rule blocks the claim or the queue is full."""
        decision = validate(
            text, source=source, memory_type=memory_type, valid_until=valid_until, repo=self.repo,
            online=self.online,
        )  # fmt: skip
        if decision.tier is Tier.BLOCK:
            raise GroundedIngestError(f"{decision.rule} blocks the claim: {decision.reason}")
        claim = decision.place.claim
        record = {"text": text, "source": str(source), "timestamp": claim.timestamp}
        record |= {"memory_type": str(memory_type)} if memory_type else {}
        record |= {"valid_until": valid_until} if valid_until else {}
        with self._desk() as desk:
            waiting = desk.find(_queued(f"{QUEUE}/**"))
            mine = [d for d in waiting if d.place.path == self.path]
            if any(d.place.claim.id == claim.id for d in mine):
                return decision
            for count, limit in ((len(mine), self.per_owner), (len(waiting), self.total)):
                if count >= limit:
                    raise GroundedIngestError(
                        f"the queue is full: {count} claims wait",
                        "approve or reject some of these claims first",
                    )
            row = json.dumps(record, ensure_ascii=False)
            self._rewrite(desk.repo, lambda rows: [*rows, row])
        return decision

    def waiting(self, *states: QueueState) -> tuple[Validation, ...]:
        """Returns the owner's claims that are in one of the states, such as "pending" or
        "approved". Without states, returns the claims that nobody has decided."""
        from grounded_ingest.review.desk import QueueState

        for state in states:
            expect_one_of("state", state, get_args(QueueState))
        with self._desk() as desk:
            found = desk.find(_queued(self.path, states)._replace(all_owners=False))
            return tuple(_validation(d, desk.config) for d in found)

    def approve(self, *ids: str, reason: str = "") -> ReviewOutcome:
        """Approves claims by their ids. An approval counts once it is merged into the base branch.

        Raises GroundedIngestError if a coding agent runs this process, or the owner has no claim
        with one of the ids."""
        with self._desk() as desk:
            return desk.act("approve", self._named(desk, ids), reason)

    def reject(self, *ids: str, reason: str) -> ReviewOutcome:
        """Rejects claims by their ids and removes their records. From now on, the same text is
        blocked in every document.

        Raises GroundedIngestError as `approve` does.
        """
        if not reason.strip():
            raise GroundedIngestError("reject needs a reason")
        with self._desk() as desk:
            found = self._named(desk, ids)
            done = desk.act("reject", found, reason)
            refused = [decision for decision, _ in done.refused]
            before = self._rows(desk.repo)
            gone = {before[d.place.claim.line - 1] for d in found if d not in refused}
            self._rewrite(desk.repo, lambda rows: [row for row in rows if row not in gone])
            return done

    @contextmanager
    def _desk(self) -> Iterator[Desk]:
        from grounded_ingest.review.desk import Desk

        with Repo(self.repo, own=self.repo == ".") as repo:
            desk = Desk(repo, online=self.online, environ=os.environ)
            try:
                yield desk
            finally:
                desk.close()

    def _named(self, desk: Desk, ids: tuple[str, ...]) -> Sequence[Decision]:
        from grounded_ingest.review.desk import QueueState

        found = desk.find(_queued(self.path, get_args(QueueState)))
        known = {d.place.claim.id for d in found}
        if not ids or not known.issuperset(ids):
            raise GroundedIngestError(
                f"no claim in {self.path} has the id {' '.join(i for i in ids if i not in known)}",
                "give ids of claims that `waiting` returns",
            )
        return [d for d in found if d.place.claim.id in ids]

    def _rows(self, repo: Repo) -> list[str]:
        try:
            with open(f"{repo.root}/{self.path}", encoding="utf-8") as file:
                rows = file.read().split("\n")
        except FileNotFoundError:
            return []
        return rows if rows[-1] else rows[:-1]

    def _rewrite(self, repo: Repo, change: Callable[[list[str]], list[str]]) -> None:
        from grounded_ingest.records.whole_file import locked, refuse_links, write_whole

        refuse_links(repo.root, self.path)
        with locked(repo):
            rows = change(self._rows(repo))
            write_whole(f"{repo.root}/{self.path}", "".join(f"{r}\n" for r in rows).encode())


def _queued(path: str, states: tuple[QueueState, ...] = ()) -> QueueFilter:
    from grounded_ingest.review.desk import QueueFilter

    return QueueFilter(paths=(path,), states=states or ("pending", "open"), all_owners=True)

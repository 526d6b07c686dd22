"""The Python API: the commands `check`, `verify` and `recall`, and a decision for one claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import asdict, replace

from grounded_ingest.config.settings import Config, Trust
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision, DocClass, Kind, MemoryType, Place, Source
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.selection import mute_findings
from grounded_ingest.repository.scope import Asked

if TYPE_CHECKING:
    from grounded_ingest.retrieval.answer import Answer
    from grounded_ingest.verify.memory_index import Memories
    from grounded_ingest.verify.result import Memory, Verification

# Imports inside functions: who asks for one answer does not pay for the modules of the others.


def check(
    repo: str = ".",
    scope: Asked | None = None,
    config: Config | None = None,
    *,
    online: bool = True,
) -> Report:
    """Checks a scope of the repository at `repo`; by default what differs from HEAD.

    `config` replaces the repository's configuration. Raises GroundedIngestError if the command
    would exit with code 2.
    """
    with Repo(repo, own=repo == ".") as opened:
        result = run(opened, scope or Asked(), Options(online=online), judged_by=config)
        result.kb.index.close()
        return mute_findings(result).report


def ground(
    text: str,
    memories: Iterable[Memory | Mapping[str, Any]] | Memories,
    *,
    mode: Literal["strict", "permissive"] = "strict",
    trust: Trust = Trust(),  # noqa: B008  frozen
) -> Verification:
    """Compares a text with memories, as `grounded-ingest verify` does.

    `memories` are `Memory` objects, mappings with the fields of a memory file, or a `Memories`
    index, which can be built once and used often. Raises GroundedIngestError for a memory that
    cannot be read.
    """
    from grounded_ingest.verify.memory_files import memories_of
    from grounded_ingest.verify.memory_index import Memories
    from grounded_ingest.verify.result import Memory
    from grounded_ingest.verify.verify import verify_text

    if not isinstance(memories, Memories):
        rows = (
            (f"memory {n}", asdict(m) if isinstance(m, Memory) else m)
            for n, m in enumerate(memories, 1)
        )
        given = memories_of(rows)
        memories = Memories(given, threshold=trust.threshold, difference=trust.difference)
    return verify_text(text, memories, mode=mode)


def recall(
    question: str,
    repo: str = ".",
    *,
    k: int = 20,
    budget: int = 0,
    types: Iterable[MemoryType | str] = tuple(MemoryType),
    pending: bool = False,
) -> Answer:
    """Returns the grounded memories of the repository at `repo` that answer a question, best first.

    At most `k` memories; `budget` limits their length in tokens of four characters (0: no limit).
    With `pending`, memories that are not grounded are returned too. Raises GroundedIngestError if
    the command would exit with code 2.
    """
    from grounded_ingest.retrieval.answer import RecallQuery
    from grounded_ingest.retrieval.session import recall_in

    wanted = RecallQuery(question, k, budget, tuple(map(MemoryType, types)), pending)
    with Repo(repo, own=repo == ".") as opened:
        return recall_in(opened, wanted)


def validate(
    text: str,
    *,
    source: Source | str = Source.UNKNOWN,
    kind: Kind | str | None = None,
    memory_type: MemoryType | str | None = None,
    repo: str = ".",
    config: Config | None = None,
    online: bool = True,
) -> Decision:
    """Decides one claim as if it were written into a memory document now.

    `source` counts, unlike the source that a file names for itself: the caller knows where the
    claim comes from. `kind` and `memory_type` are derived from the text by default. Raises
    GroundedIngestError for an empty text.
    """
    from grounded_ingest.extract.claims import single_claim

    claim = single_claim(text)
    if claim is None:
        raise GroundedIngestError("empty text: there is nothing to validate")
    changes: dict[str, Any] = {"kind": Kind(kind)} if kind else {}
    if memory_type:
        changes |= {"memory_type": MemoryType(memory_type), "cues": ("declared",), "split": ()}
    place = Place("", DocClass.MEMORY, replace(claim, **changes))
    with Repo(repo, own=repo == ".") as opened:
        # A path that no document has: only the claim is judged.
        result = run(opened, Asked("paths", ("\0",)), Options(online=online), judged_by=config)
        decision = result.engine.decide_one(place, Source(source))
        result.kb.index.close()
        return decision

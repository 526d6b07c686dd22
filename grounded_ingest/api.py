"""The Python API: `check`, `ground`, `recall`, and `validate`, which decides a single claim."""

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
from grounded_ingest.report.fixes import drop_unfixable
from grounded_ingest.report.selection import mute_findings
from grounded_ingest.repository.scope import NOTHING, Asked

if TYPE_CHECKING:
    from grounded_ingest.retrieval.answer import Answer
    from grounded_ingest.verify.memory_index import Memories
    from grounded_ingest.verify.result import Memory, Verification

# The imports are inside the functions, so that a caller loads only the modules that the called
# function needs.


def check(
    repo: str = ".",
    scope: Asked | None = None,
    config: Config | None = None,
    *,
    online: bool = True,
) -> Report:
    """Checks documents in the repository at `repo`. `scope` selects what is checked. By default,
    these are the files that differ from HEAD.

    `config` replaces the repository's configuration. If `online` is false, uses no network. Raises
    GroundedIngestError if the check cannot run.
    """
    with Repo(repo, own=repo == ".") as opened:
        result = run(opened, scope or Asked(), Options(online=online), judged_by=config)
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
    """Compares a text with memories, as the command `grounded-ingest verify` does.

    `memories` are `Memory` objects, mappings with the fields of a memory file, or a `Memories`
    index. A `Memories` index is built once and can be used many times. With `mode` "strict", a
    detail that no memory mentions fails; with "permissive" it passes. `trust` decides between
    memories that contradict each other. Raises GroundedIngestError if a memory cannot be read.
    """
    # Imported late for a fast start: the hook uses neither verify nor retrieval.
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
    """Returns the grounded memories in the repository at `repo` that answer a question, best first.

    Returns at most `k` memories. `budget` limits their total length in tokens, counted as four
    characters each. 0 means no limit. If `pending` is true, also returns memories that are not
    grounded. Raises GroundedIngestError if the question is empty or the repository cannot be read.
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
    """Decides a claim as if somebody wrote the claim into a memory document now.

    `source` is the origin of the claim. The function believes the caller, but never a source that a
    document states about itself. By default, `kind` and `memory_type` are derived from the text.
    Raises GroundedIngestError if the text is empty.
    """
    from grounded_ingest.extract.claims import single_claim

    claim = single_claim(text)
    if claim is None:
        raise GroundedIngestError("the text is empty; expected the text of a claim")
    changes: dict[str, Any] = {"kind": Kind(kind)} if kind else {}
    if memory_type:
        changes |= {"memory_type": MemoryType(memory_type), "cues": ("declared",), "split": ()}
    place = Place("", DocClass.MEMORY, replace(claim, **changes))
    with Repo(repo, own=repo == ".") as opened:
        result = run(opened, NOTHING, Options(online=online), judged_by=config)
        decision = result.engine.decide_one(place, Source(source))
        result.kb.index.close()
        return decision

"""The Python API: the command's pipeline, and a decision for one claim a caller holds."""

from __future__ import annotations

from msgspec.structs import replace

from grounded_ingest.config import Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git import Repo
from grounded_ingest.model import Decision, DocClass, Kind, MemoryType, Place, Report, Source
from grounded_ingest.pipeline import Options, run
from grounded_ingest.scope import Asked


def check(
    repo: str = ".",
    scope: Asked | None = None,
    config: Config | None = None,
    *,
    online: bool = True,
) -> Report:
    """Check a scope of the repository at `repo`; without one, what differs from HEAD.

    Raises GroundedIngestError for what the command answers with exit code 2.
    """
    with Repo(repo, own=repo == ".") as opened:
        result = run(opened, scope or Asked(), Options(online=online), judged_by=config)
        result.kb.index.close()
        return result.report


def validate(
    text: str,
    *,
    source: Source | str = Source.UNKNOWN,
    kind: Kind | str | None = None,
    memory_type: MemoryType | str = MemoryType.SEMANTIC,
    repo: str = ".",
    config: Config | None = None,
    online: bool = True,
) -> Decision:
    """The decision for one claim as if it were written into a memory document now.

    The caller's `source` is honoured: a caller knows where its claim comes from, a file does not.
    """
    from grounded_ingest.extract.statement import single_claim

    claim = single_claim(text)
    if claim is None:
        raise GroundedIngestError("empty text: there is nothing to validate")
    changes = {"memory_type": MemoryType(memory_type)} | ({"kind": Kind(kind)} if kind else {})
    place = Place("", DocClass.MEMORY, replace(claim, **changes))
    with Repo(repo, own=repo == ".") as opened:
        result = run(opened, Asked("paths", ("\0",)), Options(online=online), judged_by=config)
        decision = result.judge.decide_one(place, Source(source))
        result.kb.index.close()
        return decision

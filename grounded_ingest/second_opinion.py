"""A configured judge asked once for all claims of a run, and what its opinions change."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from grounded_ingest.judges import Judge, Pair, reviewed
from grounded_ingest.model import Evidence, Verdict
from grounded_ingest.sources import Sources
from grounded_ingest.support.judging import Judged
from grounded_ingest.support.source import Source
from grounded_ingest.supported import Compared, settled


def opinions(
    judge: Judge, compared: Sequence[Compared], sources: Sources, *, may_support: bool
) -> list[tuple[Evidence, ...]]:
    """The evidence of each claim as rules and judge see it together. An opinion that cannot be had
    leaves what it was about unknown; what a judge changed depends on the network."""
    asked = [(c, n, *held) for c in compared for n, held in c.judged.items()]
    pairs = [Pair(c.said, source, verdict) for c, _, source, verdict in asked]
    verdicts: dict[int, dict[int, tuple[Source, Judged]]] = {}
    unknown: dict[tuple[int, int], str] = {}
    combined = reviewed(judge, pairs, may_support=may_support)
    for (c, n, source, _), outcome in zip(asked, combined, strict=True):
        verdicts.setdefault(id(c), {})[n] = (source, outcome.judged)
        if outcome.unknown:
            unknown[id(c), n] = outcome.unknown
    return [_settled(c, verdicts.get(id(c), {}), unknown, sources) for c in compared]


def _settled(
    compared: Compared,
    verdicts: dict[int, tuple[Source, Judged]],
    unknown: dict[tuple[int, int], str],
    sources: Sources,
) -> tuple[Evidence, ...]:
    found = list(settled(compared._replace(judged=verdicts), sources))
    for n, (_, before) in compared.judged.items():
        if reason := unknown.get((id(compared), n)):
            found[n] = replace(
                found[n], verdict=Verdict.UNKNOWN, reason=reason, grounds=False, network=True
            )
        elif verdicts[n][1] != before:
            found[n] = replace(found[n], network=True)
    return tuple(found)

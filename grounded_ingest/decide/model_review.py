"""A configured judge asked once for all claims of a run, and what its opinions change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from grounded_ingest.decide.model_judge import ModelJudge, reviewed
from grounded_ingest.decide.model_opinion import Combined, ComparedPair
from grounded_ingest.decide.support_stage import Compared, with_support
from grounded_ingest.model.claims import Evidence, Verdict
from grounded_ingest.verify.sources import Sources


def opinions(
    judge: ModelJudge, compared: Sequence[Compared], sources: Sources, *, may_support: bool
) -> list[tuple[Evidence, ...]]:
    """The evidence of each claim as rules and judge see it together. An opinion that cannot be had
    leaves what it was about unknown; what a judge changed depends on the network."""
    pairs = [ComparedPair(c.said, *held) for c in compared for held in c.judged.values()]
    outcomes = iter(reviewed(judge, pairs, may_support=may_support))
    return [_settled(c, {n: next(outcomes) for n in c.judged}, sources) for c in compared]


def _settled(
    compared: Compared, outcomes: Mapping[int, Combined], sources: Sources
) -> tuple[Evidence, ...]:
    judged = {n: (source, outcomes[n].judged) for n, (source, _) in compared.judged.items()}
    found = list(with_support(compared._replace(judged=judged), sources))
    for n, (_, before) in compared.judged.items():
        if reason := outcomes[n].unknown:
            found[n] = replace(
                found[n], verdict=Verdict.UNKNOWN, reason=reason, grounds=False, network=True
            )
        elif outcomes[n].judged != before:
            found[n] = replace(found[n], network=True)
    return tuple(found)

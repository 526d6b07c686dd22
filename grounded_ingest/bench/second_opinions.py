"""What a judge makes of claims that stand in a clone: by itself, and together with the rules."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.decide.engine import Engine
from grounded_ingest.decide.model_judge import ModelJudge, from_config, pairs_of
from grounded_ingest.decide.model_opinion import ComparedPair, Opinion
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import WorkTree
from grounded_ingest.knowledge.judging_config import explicit_config, read_config
from grounded_ingest.model.claims import Support
from grounded_ingest.pipeline import Result
from grounded_ingest.verify.grants import within_reach

_NO_END = 86_400.0
_MANY = 1_000_000


class BenchJudge(NamedTuple):
    """A judge to be measured, and whether it may lift."""

    judge: ModelJudge
    may_support: bool
    name: str


class SecondOpinions(NamedTuple):
    """Of one claim: whether the judge alone would approve it, why not, and what rules and judge
    approve together."""

    alone: bool
    reason: str
    both: bool


class _AskedOnce:
    """A judge that is asked the same once in a run, whatever came of it."""

    def __init__(self, judge: ModelJudge) -> None:
        self._judge = judge
        self._told: dict[tuple[object, ...], Opinion] = {}

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        names = [(p.claim, p.source, p.context) for p in pairs]
        new = {n: p for n, p in zip(names, pairs, strict=True) if n not in self._told}
        self._told |= zip(new, self._judge.judge([*new.values()]), strict=True)
        return [self._told[name] for name in names]


def configured_judge(repo: Repo, config_file: str, *, cache: bool = True) -> BenchJudge:
    """The judge that a configuration names and this machine grants, without its limits of a run.
    Raises GroundedIngestError where there is none."""
    config = explicit_config(config_file) if config_file else read_config(WorkTree(repo))
    reach = within_reach(repo, config, os.environ)
    settings = reach.config.judge
    if settings.kind == "rules":
        why = next((r for r in reach.refused if r.startswith("judge.")), "")
        raise GroundedIngestError(
            why or "no judge is configured here", "configure and grant one: docs/judge.md"
        )
    free = replace(reach.config, judge=replace(settings, budget=_NO_END, max_requests=_MANY))
    kept = f"{repo.common_dir}/grounded-ingest" if cache else None
    chosen = from_config(free, mode="all", online=True, cache_dir=kept, root=repo.root)
    if chosen.reason or chosen.judge is None:
        raise GroundedIngestError(chosen.reason)
    name = settings.model if settings.kind == "openai" else " ".join(settings.command)
    return BenchJudge(_AskedOnce(chosen.judge), settings.may_support, name)


def second_opinions(result: Result, path: str, asked: BenchJudge) -> dict[int, SecondOpinions]:
    """Of each claim of a document that a run has judged by rules alone, by its line."""
    (document,) = [d for d in result.documents if d.path == path]
    rules = result.judge
    compared = rules.compare(document)
    pairs = [pairs_of(one) for one in compared]
    told = iter(asked.judge.judge([pair for own in pairs for pair in own]))
    both = Engine(
        rules.standing, agent=rules.agent, second=asked.judge, may_support=asked.may_support
    ).decide([document], {path: None})
    found: dict[int, SecondOpinions] = {}
    for claim, own, decision in zip(document.extraction.claims, pairs, both, strict=True):
        one = _told([next(told) for _ in own], decision.tier == 1)
        found[claim.line] = _worse(found[claim.line], one) if claim.line in found else one
    return found


def _told(said: list[Opinion], both: bool) -> SecondOpinions:
    held_back = [o.reason or str(o.support) for o in said if o.support is not Support.SUPPORTED]
    reason = next(iter(held_back), "" if said else "nothing to compare it with")
    return SecondOpinions(not reason, reason, both)


def _worse(one: SecondOpinions, other: SecondOpinions) -> SecondOpinions:
    """Of a sentence that became two claims."""
    alone = one if not one.alone else other
    return alone._replace(both=one.both and other.both)

"""A second opinion on support, where one is configured. Not imported otherwise.

`rules` (`support.judging`) always judges and is no variant here: a judge is asked about what the
rules found, and `reviewed` says what comes of both.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from msgspec.structs import replace

from grounded_ingest.config.settings import Config
from grounded_ingest.decide.model_opinion import (
    Combined,
    ComparedPair,
    Opinion,
    asks,
    combine,
    liftable,
    raisable,
    unknown,
)
from grounded_ingest.decide.support_stage import Compared, with_support
from grounded_ingest.language.lexicon.judge_prompt import DENIAL
from grounded_ingest.model.claims import Evidence, Support, Verdict
from grounded_ingest.net.address_policy import names_host
from grounded_ingest.support.other_words import touches, without_other_words
from grounded_ingest.verify.sources import Sources


class ModelJudge(Protocol):
    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        """One opinion for each pair, in their order. Raises nothing: what fails is unknown."""
        ...


class Silent:
    """A judge that cannot be asked; every opinion is unknown, for this reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        return [unknown(self._reason)] * len(pairs)


class Chosen(NamedTuple):
    """The judge of a run, None for the rules alone. `reason`: why a configured one is not asked,
    which is a problem where `judge` is set (claims wait) and worth a word where it is None."""

    judge: ModelJudge | None
    reason: str = ""


_UNABLE = "the configured judge cannot be asked"


def from_config(
    config: Config,
    *,
    mode: str,
    online: bool,
    cache_dir: str | None,
    root: str = "",
    environ: Mapping[str, str] = os.environ,
) -> Chosen:
    """The judge this configuration, which has to be base's, names for a run of this mode
    (`staged`: the hook). Valid opinions are kept in `cache_dir`, where one is given; no program is
    started that lies in the work tree `root`."""
    settings, wished = config.judge, config.wishes.judge
    if settings.kind == wished.kind == "rules":
        return Chosen(None)
    if not online:
        return Chosen(None, "the configured judge is not asked offline")
    if mode == "staged" and not (settings.in_hook or wished.in_hook):
        return Chosen(None, "the configured judge is not asked in the hook (judge.in_hook)")
    if settings.kind == "rules":  # nobody granted it, which is said
        return Chosen(None)
    from grounded_ingest.verify.response_cache import Answers

    kept = Answers(cache_dir, config.network.cache_ttl) if cache_dir else None
    if settings.kind == "command":
        from grounded_ingest.decide.model_command import CommandJudge

        program = CommandJudge(
            settings, root=root, together=config.network.per_host, environ=environ, kept=kept
        )
        return Chosen(program, program.lacking and f"{_UNABLE}: {program.lacking}")
    key = environ.get(settings.key_env, "").strip() if settings.key_env else ""
    if lacking := _lacking(config, key):
        return Chosen(Silent(lacking), f"{_UNABLE}: {lacking}")
    from grounded_ingest.decide.model_client import OpenAIJudge

    return Chosen(OpenAIJudge(settings, config.network, key, kept))


def _lacking(config: Config, key: str) -> str:
    settings = config.judge
    if settings.key_env and not key:
        return f"the environment variable {settings.key_env} is not set"
    if not key.isascii() or not key.isprintable() or " " in key:
        return f"the environment variable {settings.key_env} holds no key"
    try:
        url = urlsplit(settings.base_url)
        host, port = url.hostname or "", url.port or 80
    except ValueError:
        return "judge.base_url is no address"
    if url.scheme != "https" and not names_host(host.rstrip("."), port, config.network.allow):
        return "judge.base_url is not https, and network.allow does not name its host"
    return ""


def reviewed(
    judge: ModelJudge, pairs: Sequence[ComparedPair], *, may_support: bool = False
) -> list[Combined]:
    """What comes of the rules' verdicts and the judge's opinions. The judge is asked only where
    its opinion can change something."""
    wanted = [
        n
        for n, pair in enumerate(pairs)
        if asks(pair.rules, may_support=may_support)
        and not (raisable(pair.rules) and without_other_words(pair.claim, pair.source))
    ]
    told = dict(zip(wanted, judge.judge([pairs[n] for n in wanted]), strict=True))
    if may_support:
        told |= _confirmed(judge, pairs, told)
    return [
        combine(pair.rules, told[n], may_support=may_support) if n in told else Combined(pair.rules)
        for n, pair in enumerate(pairs)
    ]


def _confirmed(
    judge: ModelJudge, pairs: Sequence[ComparedPair], told: Mapping[int, Opinion]
) -> dict[int, Opinion]:
    """Opinions that would make a claim stronger, the judge asked about its denial too: who says
    yes to both, be it that a text of theirs asks for it, says nothing."""
    lifts = [
        n
        for n, o in told.items()
        if o.support is Support.SUPPORTED
        and liftable(pairs[n].rules)
        and touches(pairs[n].claim, o.quote)
    ]
    denied = [replace(pairs[n], claim=f"{DENIAL}{pairs[n].claim}") for n in lifts]
    found = {}
    for n, denial in zip(lifts, judge.judge(denied), strict=True):
        sound = denial.support is not Support.SUPPORTED
        found[n] = replace(told[n], confirmed=sound) if denial.support else denial
    return found


def pairs_of(compared: Compared) -> list[ComparedPair]:
    """What a judge may be asked about a claim: each of its sources."""
    context = compared.context
    return [ComparedPair(compared.said, *held, context) for held in compared.judged.values()]


def opinions(
    judge: ModelJudge, compared: Sequence[Compared], sources: Sources, *, may_support: bool
) -> list[tuple[Evidence, ...]]:
    """The evidence of each claim as rules and judge see it together. An opinion that cannot be had
    leaves what it was about unknown; what a judge changed depends on the network."""
    pairs = [pair for one in compared for pair in pairs_of(one)]
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

"""Asks the configured judge, a model behind a command or an endpoint, whether a source says what a
claim says."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from msgspec.structs import replace

from grounded_ingest.config.settings import Config
from grounded_ingest.judge.opinion import ComparedPair, Opinion, unknown
from grounded_ingest.judge.question import fields_of
from grounded_ingest.model.claims import Evidence, Place, Verdict
from grounded_ingest.net.address_policy import names_host
from grounded_ingest.references.reference import Over
from grounded_ingest.references.source_text import SourceText
from grounded_ingest.references.sources import Sources, UnreadError
from grounded_ingest.rules.pointer import points_only
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.lexicon.judge_prompt import DENIAL
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim


class ModelJudge(Protocol):
    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        """Returns one opinion for each pair, in their order. Raises nothing: what fails is
        unknown."""
        ...


class Silent:
    """Stands in for a judge that cannot be asked: every opinion is unknown, for this reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        return [unknown(self._reason)] * len(pairs)


class Chosen(NamedTuple):
    """Holds the judge of a run, None if none is asked. `reason` says why a configured judge is not
    asked, or cannot be."""

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
    """Returns the judge that a configuration names, for a run of this mode (`staged`: the hook).

    The configuration has to be base's, so that a change cannot choose its judge. Valid opinions are
    kept in `cache_dir`, if one is given. No program of the work tree `root` is started.
    """
    settings, wished = config.judge, config.wishes.judge
    if settings.kind == wished.kind == "rules":
        return Chosen(None)
    if not online:
        return Chosen(None, "the configured judge is not asked offline")
    if mode == "staged" and not (settings.in_hook or wished.in_hook):
        return Chosen(None, "the configured judge is not asked in the hook (judge.in_hook)")
    if settings.kind == "rules":  # the user has not granted it, which `not-granted` reports
        return Chosen(None)
    from grounded_ingest.references.response_cache import Answers

    kept = Answers(cache_dir, config.network.cache_ttl) if cache_dir else None
    if settings.kind == "command":
        from grounded_ingest.judge.command import CommandJudge

        program = CommandJudge(
            settings, root=root, together=config.network.per_host, environ=environ, kept=kept
        )
        return Chosen(program, program.lacking and f"{_UNABLE}: {program.lacking}")
    key = environ.get(settings.key_env, "").strip() if settings.key_env else ""
    if lacking := _lacking(config, key):
        return Chosen(Silent(lacking), f"{_UNABLE}: {lacking}")
    from grounded_ingest.judge.client import OpenAIJudge

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


_NUMBER = compiled(r"\d+(?:[.,_]\d+)*")


_Claims = Sequence[tuple[Place, tuple[Evidence, ...], Over]]
"""Claims with their evidence and the text above them."""


class _Asked(NamedTuple):
    """A question, and of which claim and which of its references it is."""

    claim: int
    reference: int
    pair: ComparedPair


def opinions(judge: ModelJudge, claims: _Claims, sources: Sources) -> list[tuple[Evidence, ...]]:
    """Returns the evidence of each claim with the judge's answers about the claim's own sources.

    A claim that says nothing beside its citations is not asked about, and neither is a source that
    lacks a number or a code span of the claim. A yes counts if the judge does not say yes to the
    claim's denial as well.
    """
    sources.fetch(o for _, found, _ in claims for e in found if _is_askable(e) for o in e.origins)
    asked = list(_questions(claims, sources))
    given = [list(found) for _, found, _ in claims]
    for one, answer in zip(asked, _answers(judge, [a.pair for a in asked]), strict=True):
        given[one.claim][one.reference] = _answered(given[one.claim][one.reference], answer)
    return [tuple(found) for found in given]


def _questions(claims: _Claims, sources: Sources) -> Iterator[_Asked]:
    for number, (place, found, over) in enumerate(claims):
        if place.claim.only_refers or points_only(place.claim):
            continue
        said = read_claim(place.claim).uncited.text
        headings = (("heading", h) for h in place.claim.section.split(" > ") if h)
        above = (*headings, *over)
        for at, one in enumerate(found):
            source = _source_of(one, sources) if _is_askable(one) else None
            if source is not None and _may_support(place.claim.text, said, source):
                yield _Asked(number, at, ComparedPair(said, source, above))


def _answers(judge: ModelJudge, pairs: Sequence[ComparedPair]) -> list[Opinion]:
    """Asks about each claim, and about the denial of each that the judge says yes to."""
    answers = list(judge.judge(pairs))
    yes = [n for n, answer in enumerate(answers) if answer.verdict == "supported"]
    denials = [replace(pairs[n], claim=f"{DENIAL}{pairs[n].claim}") for n in yes]
    for n, denial in zip(yes, judge.judge(denials), strict=True):
        if denial.verdict == "":
            answers[n] = denial
        elif denial.verdict == "supported":
            answers[n] = unknown("it says yes to the claim and to its denial")
    return answers


def _is_askable(found: Evidence) -> bool:
    return found.own and found.verdict is Verdict.CONFIRMED and bool(found.origins)


def _source_of(found: Evidence, sources: Sources) -> SourceText | None:
    """Returns the text of a reference that means one source; None if it cannot be read."""
    if len(found.origins) != 1:
        return None
    try:
        return sources.of(found.origins[0])
    except UnreadError:
        return None


def _may_support(text: str, said: str, source: SourceText) -> bool:
    """Whether the source holds each number and each code span of the claim.

    Numbers are compared whole: "30" does not stand in "130". A claim's other words are the judge's
    to compare; for these there are no other words, and a model overlooks them.
    """
    held = "\n".join(fields_of(source).values())
    spans = [s.text.strip("` ") for s in code_spans(text)]
    return set(_NUMBER.findall(said)) <= set(_NUMBER.findall(held)) and all(
        span in held for span in spans if span in said
    )


def _answered(found: Evidence, answer: Opinion) -> Evidence:
    match answer.verdict:
        case "supported" | "contradicted":
            return replace(
                found, judged=answer.verdict, network=True, reason=answer.reason,
                quote=answer.quote, line=answer.line,
            )  # fmt: skip
        case _:  # no valid answer, or no verdict that decides: the reason is for `explain`
            return replace(found, reason=answer.reason, network=True)

"""Chooses the configured judge model, and asks the model whether sources support claims."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from msgspec.structs import replace

from grounded_ingest.config.settings import Config
from grounded_ingest.judge.exchange import AskedJudge, ComparedPair, Opinion, source_parts, unknown
from grounded_ingest.model.claims import CitationKind, Evidence, Place, Verdict
from grounded_ingest.net.addresses import names_host
from grounded_ingest.references.reference import Over
from grounded_ingest.references.response_cache import Answers
from grounded_ingest.references.sources import Sources, SourceText, UnreadError
from grounded_ingest.rules.registry import points_only
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.lexicon.judge_prompt import DENIAL
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim

_NUMBER = compiled(r"\d+(?:[.,_]\d+)*")
_UNABLE = "the configured judge model cannot be asked"


def choose_judge(
    config: Config,
    *,
    mode: str,
    online: bool,
    cache_dir: str | None,
    root: str = "",
    environ: Mapping[str, str] = os.environ,
) -> tuple[AskedJudge | None, str]:
    """Returns the judge model for a run, and the reason why the configured model is not asked.

    The model is None if the run does not ask one. The reason is empty if the model is asked, or if
    none is configured and granted. `config` has to be the configuration on the base branch, because
    a change must not choose its own judge model. `mode` is `staged` in the hook. Valid opinions are
    cached in `cache_dir`. No program in the work tree `root` is started."""
    settings, wished = config.judge, config.wishes.judge
    if settings.kind == wished.kind == "rules":
        return None, ""
    if not online:
        return None, "the configured judge model is not asked, because the run is offline"
    if mode == "staged" and not (settings.in_hook or wished.in_hook):
        return None, (
            "the configured judge model is not asked in the hook; to change this, set"
            " `judge.in_hook: true`"
        )
    if settings.kind == "rules":  # the user did not grant the model: `not-granted` reports that
        return None, ""
    kept = Answers(cache_dir, config.network.cache_ttl) if cache_dir else None
    # EndpointJudge imports the HTTP client, so a run with a command does not load it.
    if settings.kind == "command":
        # Imported late: a run without a judge model needs neither.
        from grounded_ingest.judge.command import CommandJudge

        together = config.network.per_host
        program = CommandJudge(settings, root=root, together=together, environ=environ, kept=kept)
        return program, program.failure and f"{_UNABLE}: {program.failure}"
    key = environ.get(settings.key_env, "").strip() if settings.key_env else ""
    failure = _endpoint_failure(config, key)
    from grounded_ingest.judge.endpoint import EndpointJudge

    endpoint = EndpointJudge(settings, config.network, key, kept, failure=failure)
    return endpoint, failure and f"{_UNABLE}: {failure}"


def _endpoint_failure(config: Config, key: str) -> str:
    settings = config.judge
    if settings.key_env and not key:
        return f"the environment variable {settings.key_env} is not set"
    if not key.isascii() or not key.isprintable() or " " in key:
        return (
            f"the environment variable {settings.key_env} has no valid key: expected printable"
            " ASCII characters without spaces"
        )
    try:
        url = urlsplit(settings.base_url)
        host, port = url.hostname or "", url.port or 80
    except ValueError:
        return "judge.base_url is not a URL; expected https://HOST/PATH"
    if url.scheme != "https" and not names_host(host.rstrip("."), port, config.network.allow):
        return (
            "judge.base_url does not start with https://, and network.allow does not list its host"
        )
    return ""


JudgedClaims = Sequence[tuple[Place, tuple[Evidence, ...], Over]]
"""Claims, each with its evidence and the headings and lead-ins above the claim."""


def add_opinions(
    judge: AskedJudge, claims: JudgedClaims, sources: Sources
) -> list[tuple[Evidence, ...]]:
    """Returns the evidence about each claim, with the judge model's opinions on cited sources.

    A claim that says more than its proofs, such as `src/a.py::PORT = 80`, is compared with its
    proofs, any other claim with its sources. A source that lacks a number or a code span of the
    claim is not sent. The verdict "supported" does not count if the model also supports the denial
    of the claim. The model is not asked about a claim that consists only of citations."""
    questions = list(_questions(claims, sources))
    opinions = checked_opinions(judge, [pair for _, _, pair in questions])
    given = [list(found) for _, found, _ in claims]
    for (number, at, _), opinion in zip(questions, opinions, strict=True):
        given[number][at] = _with_opinion(given[number][at], opinion)
    return [tuple(found) for found in given]


def _questions(claims: JudgedClaims, sources: Sources) -> Iterator[tuple[int, int, ComparedPair]]:
    """Yields the pairs of claim and source to ask about, each with the number of the claim, and the
    number of the reference in the evidence about this claim."""
    for number, (place, found, over) in enumerate(claims):
        if place.claim.only_refers or points_only(place.claim):
            continue
        text = read_claim(place.claim).uncited.text
        headings = (("heading", h) for h in place.claim.section.split(" > ") if h)
        context = (*headings, *over)
        beside = [n for n, e in enumerate(found) if _says_more_than_proof(e)]
        if beside:
            proofs = SourceText("proof", "\n".join(found[n].target for n in beside))
            if _may_support(place.claim.text, place.claim.text, proofs):
                yield number, beside[0], ComparedPair(place.claim.text, proofs, context)
            continue
        for at, evidence in enumerate(found):
            source = _source(evidence, sources)
            if source is not None and _may_support(place.claim.text, text, source):
                yield number, at, ComparedPair(text, source, context)


def checked_opinions(judge: AskedJudge, pairs: Sequence[ComparedPair]) -> list[Opinion]:
    """Returns the opinions on `pairs`. Rejects an opinion if the model also supports the denial of
    the claim.

    Asks about each claim, and then about the denial of each supported claim. A model that supports
    everything, or that obeys an instruction in the text, supports the claim and its denial."""
    opinions = list(judge.judge(pairs))
    supported = [n for n, opinion in enumerate(opinions) if opinion.verdict == "supported"]
    denials = [replace(pairs[n], claim=f"{DENIAL}{pairs[n].claim}") for n in supported]
    for n, denial in zip(supported, judge.judge(denials), strict=True):
        if denial.verdict == "":
            opinions[n] = denial
        elif denial.verdict == "supported":
            opinions[n] = unknown("no verdict: the model supports the claim and its denial")
    return opinions


def _says_more_than_proof(evidence: Evidence) -> bool:
    """Returns whether a proof is confirmed, but the claim says more than the proof."""
    holds = evidence.kind is CitationKind.PROOF and evidence.verdict is Verdict.CONFIRMED
    return holds and not evidence.proves and not evidence.note


def _source(evidence: Evidence, sources: Sources) -> SourceText | None:
    """Returns the text that a right reference in the claim's own sentence cites. Returns None for
    any other reference, if the reference can mean several sources, or if its source cannot be
    read."""
    if not evidence.own or evidence.verdict is not Verdict.CONFIRMED or len(evidence.origins) != 1:
        return None
    try:
        return sources.of(evidence.origins[0])
    except UnreadError:
        return None


def _may_support(claim: str, uncited: str, source: SourceText) -> bool:
    """Returns whether the source contains each number and each code span of the claim.

    `uncited` is the claim without its citations. A source can paraphrase other words, but not
    numbers and code, and a model does not notice that a number is missing. Whole numbers are
    compared: "30" is not in "130"."""
    whole = "\n".join(source_parts(source).values())
    spans = [s.text.strip("` ") for s in code_spans(claim)]
    return set(_NUMBER.findall(uncited)) <= set(_NUMBER.findall(whole)) and all(
        span in whole for span in spans if span in uncited
    )


def _with_opinion(evidence: Evidence, opinion: Opinion) -> Evidence:
    if evidence.kind is CitationKind.PROOF:  # the line is the definition's
        opinion = replace(opinion, line=evidence.line)
    if opinion.verdict in ("supported", "contradicted"):
        return replace(
            evidence, judged=opinion.verdict, network=True, reason=opinion.reason,
            quote=opinion.quote, line=opinion.line,
        )  # fmt: skip
    # The other verdicts do not decide the claim. `explain` shows their reason.
    return replace(evidence, reason=opinion.reason, network=True)

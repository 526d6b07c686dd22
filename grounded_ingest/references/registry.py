"""The kinds of references, a file each, and what the tree makes of those of many claims.

A new kind is a file, a line here, and its section in docs/references.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.language.code_spans import code_spans
from grounded_ingest.language.mask import MASK
from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    Evidence,
    Place,
    Verdict,
)
from grounded_ingest.references import (
    command_path,
    defined_symbol,
    environment_variable,
    heading_anchor,
    listed_package,
    manifest_command,
    memory_import,
    program_flag,
    runtime_version,
    stated_count,
)
from grounded_ingest.references.frame_words import is_framed
from grounded_ingest.references.reference import (
    Answering,
    Answers,
    Over,
    Reference,
    TreeAnswer,
    exemption,
    is_said,
    names_one,
    why_exempt,
)
from grounded_ingest.verify.context import BROKEN, Context, Request, requests_of
from grounded_ingest.verify.disclaimers import disowned
from grounded_ingest.verify.drifted_lines import drifted
from grounded_ingest.verify.verifiers import verify_citations

KINDS: tuple[Answering, ...] = (
    manifest_command,
    program_flag,
    command_path,
    memory_import,
    runtime_version,
    heading_anchor,
    stated_count,
    listed_package,
    environment_variable,
    defined_symbol,
)


def references_in(path: str, claim: Claim) -> list[Reference]:
    """What a claim mentions that the tree may know, in order."""
    found = [r for kind in KINDS for r in kind.mentions(path, claim) if not _is_quoted(r, claim)]
    return sorted(dict.fromkeys(found), key=lambda r: (r.start, r.end))


def _is_quoted(reference: Reference, claim: Claim) -> bool:
    """Whether a mention stands in quotation marks: it is somebody's words, or an example. What a
    link leads to is masked as well."""
    said = claim.masked[reference.start : reference.end]
    if not said or said.strip(MASK) or reference.kind is CitationKind.ANCHOR:
        return False
    spans = code_spans(claim.text)
    return not any(s.start <= reference.start <= s.start + len(s.text) for s in spans)


def referred(
    places: Sequence[Place], over: Callable[[int], Over], context: Context
) -> list[tuple[Evidence, ...]]:
    """Evidence per claim: what the tree refutes or cannot tell, and what it confirms where the
    claim says nothing more than that. `over` is what a claim stands under, by its index. What
    breaks in a kind makes its own references wait, and no others."""
    asked: list[list[Reference]] = []
    broken: dict[int, Evidence] = {}
    for n, place in enumerate(places):
        try:
            asked.append(references_in(place.path, place.claim))
        except Exception as error:  # noqa: BLE001  never approved by accident, never lost
            asked.append([])
            reason = _broken(error)
            broken[n] = Evidence(CitationKind.SYMBOL, place.claim.id, Verdict.UNKNOWN, reason)
    found: dict[Reference, TreeAnswer] = {}
    for kind, own in _by_kind(asked):
        found.update(_answered(kind, own, context))
    return [
        (broken[n],) if n in broken else tuple(_evidence(place, mentioned, found, over(n)))
        for n, (place, mentioned) in enumerate(zip(places, asked, strict=True))
    ]


def skipped(
    places: Sequence[Place], over: Callable[[int], Over], context: Context
) -> Iterator[tuple[Place, str, str]]:
    """Yields (place, target, reason) of the references that the tree refutes and that the text
    means otherwise."""
    asked = [references_in(place.path, place.claim) for place in places]
    found: dict[Reference, TreeAnswer] = {}
    for kind, own in _by_kind(asked):
        found.update(_answered(kind, own, context))
    for n, (place, mentioned) in enumerate(zip(places, asked, strict=True)):
        for reference in mentioned:
            answer, exempt = found.get(reference), exemption(place.claim, over(n), reference)
            if answer and not is_said(reference, answer, place, exempt):
                yield place, answer.target, why_exempt(exempt)


def judge_references(
    places: Sequence[Place],
    over: Callable[[int], Over],
    context: Context,
    verified: dict[Request, Evidence | None],
    progress: Callable[[str], object] = lambda _: None,
) -> list[tuple[Evidence, ...]]:
    """Returns the answers to everything that each claim refers to: what it cites, and what else the
    tree may know. `over` is what a claim stands under, by its index. Adds the answers to citations
    to `verified`."""
    asked = [requests_of(place.path, place.claim) for place in places]
    progress(f"looking up {sum(map(len, asked))} citations")
    verified.update(verify_citations(chain.from_iterable(asked), context))
    progress("asking the tree about names")
    told = referred(places, over, context)
    moved = drifted(places, asked, verified, context)
    found = (
        (*(moved.get((n, r), verified[r]) for r in own), *more)
        for n, (own, more) in enumerate(zip(asked, told, strict=True))
    )
    return [tuple(dict.fromkeys(e for e in some if e is not None)) for some in found]


def _answered(kind: Answering, asked: list[Reference], context: Context) -> Answers:
    try:
        return kind.answers(asked, context)
    except GroundedIngestError:
        raise
    except Exception as error:  # noqa: BLE001  never approved by accident, never lost
        return {r: TreeAnswer(Verdict.UNKNOWN, r.name, _broken(error)) for r in asked}


def _broken(error: Exception) -> str:
    return f"{BROKEN}: {type(error).__name__}: {error}"


def _by_kind(asked: Sequence[Sequence[Reference]]) -> Iterator[tuple[Answering, list[Reference]]]:
    wanted = list(dict.fromkeys(r for own in asked for r in own))
    for kind in KINDS:
        if own := [r for r in wanted if r.kind is kind.KIND]:
            yield kind, own


def _evidence(
    place: Place, mentioned: Sequence[Reference], found: dict[Reference, TreeAnswer], over: Over
) -> Iterator[Evidence]:
    told = [(r, found[r]) for r in mentioned if r in found]
    if not told:
        return
    told = _meant_here(_outermost(told), place.claim, over)
    confirmed = [
        r._replace(start=r.start - a.before) for r, a in told if a.verdict is Verdict.CONFIRMED
    ]
    exempt = {r: exemption(place.claim, over, r) for r, _ in told}
    proves = (
        not any(exempt.values())
        and len(confirmed) == len(told)
        and not any(answer.loose for _, answer in told)
        and is_framed(place.claim, confirmed)
        and not disowned(place.claim, over)
    )
    for reference, answer in told:
        said = is_said(reference, answer, place, exempt[reference])
        if answer.verdict is Verdict.CONFIRMED or said:
            yield Evidence(
                reference.kind,
                answer.target,
                answer.verdict,
                answer.reason,
                line=answer.line,
                proves=proves,
                instead=answer.instead,
            )


def _meant_here(
    told: list[tuple[Reference, TreeAnswer]], claim: Claim, over: Over
) -> list[tuple[Reference, TreeAnswer]]:
    """References but for those of another place that has the thing, and that the text names."""
    return [(r, a) for r, a in told if not (a.elsewhere and names_one(a.elsewhere, claim, over))]


def _outermost(told: list[tuple[Reference, TreeAnswer]]) -> list[tuple[Reference, TreeAnswer]]:
    """Returns the answers without those of references inside a longer confirmed reference."""
    confirmed = [r for r, a in told if a.verdict is Verdict.CONFIRMED]
    return [(r, a) for r, a in told if not any(_is_part(r, other) for other in confirmed)]


def _is_part(one: Reference, other: Reference) -> bool:
    """Returns whether a reference is a shorter piece of another. `make nope check` has two targets,
    and the references to both start at `make`: neither target is a piece of the other."""
    inside = other.start <= one.start and one.end <= other.end
    shorter = one.end - one.start < other.end - other.start
    targets = one.kind is other.kind is CitationKind.COMMAND and one.start == other.start
    return inside and shorter and not targets

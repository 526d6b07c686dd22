"""Evidence with what each source says of the claim: the stage between verify and decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.language.printable import printable
from grounded_ingest.language.reading import read_claim, read_text
from grounded_ingest.model.claims import (
    CitationKind,
    Evidence,
    Place,
    Strength,
    Support,
    Verdict,
)
from grounded_ingest.model.origin import Origin
from grounded_ingest.support.budget import compared_words
from grounded_ingest.support.commit_sizes import speaks_of_size, without_size
from grounded_ingest.support.cross_examination import other_environment
from grounded_ingest.support.disclaimers import disowned
from grounded_ingest.support.source import SourceText, SourceVerdict
from grounded_ingest.verify.comparison_cache import Comparison
from grounded_ingest.verify.context import fingerprint, is_comparable
from grounded_ingest.verify.sources import Sources, UnreadError

T = TypeVar("T")
_QUOTE = 300
PARAPHRASE = "paraphrase"
"""Begins the reason where only the share of words is too small."""
_MEMBERS = 12
"""Members of a range of decisions that are read."""


def remote(place: Place, evidence: Iterable[Evidence], sources: Sources) -> list[Origin]:
    """Pages and issues that have to be read for a claim, so that all are fetched at once."""
    found = [
        o for e in evidence if is_comparable(e) for o in e.origins if o.kind in ("page", "issue")
    ]
    return found if found and is_compared(place, sources) else []


class PagesToRead:
    """The URLs of pages that a claim says something of, beside pointing there. What a claim says
    is looked at when its page is asked for, while others are waited for."""

    def __init__(self, citing: Mapping[str, Sequence[Place]], sources: Sources) -> None:
        self._citing, self._sources = citing, sources

    def __contains__(self, url: object) -> bool:
        try:
            return any(is_compared(p, self._sources) for p in self._citing.get(str(url), ()))
        except Exception:  # noqa: BLE001  told where it is compared
            return False

    def kept(self) -> Sources:
        """What looked at the claims, for comparing them; what it found is kept."""
        self._sources.judgements.keep()
        return self._sources


def is_compared(place: Place, sources: Sources) -> bool:
    """Whether a claim says something beside pointing."""
    return not sources.judgements.only_points(_said(place))


def _said(place: Place) -> str:
    """What a claim says, its citations left out."""
    return read_claim(place.claim).uncited.text


def _sized(text: str, cited: Iterable[Evidence], sources: Sources) -> str:
    """A claim without the size of the commit it cites, where git says the same."""
    commits = [o.commit for e in cited if e.own for o in e.origins if o.kind == "commit"]
    if not commits or not speaks_of_size(text):
        return text
    return without_size(text, [s for oid in dict.fromkeys(commits) for s in sources.sizes(oid)])


class Compared(NamedTuple):
    """A claim beside its sources: its evidence, and what was compared, by index of the evidence.
    `said` is the claim without its citations."""

    said: str
    evidence: tuple[Evidence, ...]
    judged: Mapping[int, tuple[SourceText, SourceVerdict]] = MappingProxyType({})
    disowned: str = ""
    """Why the claim's own surroundings take it back."""
    context: tuple[tuple[str, str], ...] = ()
    """What the claim stands in, the outermost first."""


class _Pair(Struct, frozen=True):
    """A claim and the texts it is to be compared with, by index of its evidence: those it cites
    itself, and the others."""

    compared: Compared
    own: Mapping[int, SourceText] = MappingProxyType({})
    others: Mapping[int, SourceText] = MappingProxyType({})

    @property
    def asked(self) -> Comparison:
        """What is asked of whoever compares."""
        own, others = tuple(self.own.values()), tuple(self.others.values())
        said = self.compared.said
        return Comparison(said, own, others, compared_words(said, *own, *others))

    def judged(self, sources: Sources) -> Compared:
        """What the rules make of it."""
        own, others = [*self.own.values()], [*self.others.values()]
        verdicts = sources.judgements.of(self.compared.said, own, others)
        texts = {**self.own, **self.others}
        pairs = zip(texts.values(), verdicts, strict=True)
        return self.compared._replace(judged=dict(zip(texts, pairs, strict=True)))


def support(place: Place, evidence: Sequence[Evidence], sources: Sources) -> tuple[Evidence, ...]:
    """The evidence of a claim, its confirmed citations compared with what they cite."""
    compared = compare(place, evidence, sources)
    sources.judgements.keep()
    return with_support(compared, sources)


def compare(place: Place, evidence: Sequence[Evidence], sources: Sources) -> Compared:
    """What the rules make of a claim beside each of its sources.

    What should ground it and cannot be read is unknown; a claim that only points has nothing to
    compare. Own citations are judged together, inherited ones by themselves.
    """
    pair = _pair(place, evidence, sources)
    return pair.judged(sources) if pair.own or pair.others else pair.compared


def _pair(place: Place, evidence: Sequence[Evidence], sources: Sources) -> _Pair:
    """What is to be compared for a claim, as far as the budget goes."""
    asked = {n: e for n, e in enumerate(evidence) if is_comparable(e)}
    if not asked:
        return _Pair(Compared("", tuple(evidence)))
    said, found = _sized(_said(place), asked.values(), sources), list(evidence)
    if sources.judgements.only_points(said):
        for n, e in asked.items():
            found[n] = replace(e, support=Support.NOTHING_TO_COMPARE, strength=Strength.POINTER)
        return _Pair(Compared(said, tuple(found)))
    texts = _texts(asked, found, sources)
    if over := sources.budget.over(compared_words(said, *texts.values())):
        for n in texts:
            found[n] = replace(found[n], verdict=Verdict.UNKNOWN, reason=over, grounds=False)
        return _Pair(Compared(said, tuple(found)))
    own = {n: text for n, text in texts.items() if evidence[n].own}
    others = {n: text for n, text in texts.items() if n not in own}
    return _Pair(Compared(said, tuple(found)), own, others)


def _texts(
    asked: Mapping[int, Evidence], found: list[Evidence], sources: Sources
) -> dict[int, SourceText]:
    """The text behind each piece of evidence; what cannot be read is unknown in `found`."""
    texts = {}
    for n, e in asked.items():
        try:
            texts[n] = _text(e, sources)
        except UnreadError as why:
            found[n] = _unread(e, str(why))
    return texts


def compare_all(
    places: Sequence[Place],
    cited: Sequence[Sequence[Evidence]],
    sources: Sources,
    context: Callable[[int], Context],
) -> list[Compared]:
    """The same for many claims; pages and issues are read at once. What goes wrong in comparing a
    claim leaves what it cites unknown. `context` says what a claim stands in, by its index."""
    both = list(zip(places, cited, strict=True))
    with suppress(Exception):  # each is asked for again at its claim, and told there
        sources.fetch(o for place, evidence in both for o in remote(place, evidence, sources))
    compared = _each_judged(both, sources)
    for at, one in enumerate(compared):
        if not one.judged:
            continue
        over, paths = context(at), [source.path for source, _ in one.judged.values()]
        why = disowned(places[at].claim, over) or _of_another(places[at], over, paths)
        headings = tuple(("heading", h) for h in places[at].claim.section.split(" > ") if h)
        compared[at] = one._replace(disowned=why, context=(*headings, *over))
    sources.judgements.keep()
    return compared


def _each_judged(
    both: Sequence[tuple[Place, Sequence[Evidence]]], sources: Sources
) -> list[Compared]:
    """The comparisons of claims."""
    pairs = [_guarded(partial(_pair, *one, sources), one[1]) for one in both]
    compared = [pair if isinstance(pair, Compared) else pair.compared for pair in pairs]
    asked = [(n, p) for n, p in enumerate(pairs) if isinstance(p, _Pair) and (p.own or p.others)]
    sources.judgements.ahead([pair.asked for _, pair in asked], sources.jobs)
    for n, pair in asked:
        compared[n] = _guarded(partial(pair.judged, sources), both[n][1])
    return compared


Context = tuple[tuple[str, str], ...]
"""What a claim stands in, as (kind, text), the outermost first."""


def _of_another(place: Place, context: Context, paths: Iterable[str]) -> str:
    """Why a claim under "Production" is not borne out by a file of staging."""
    labels = [text for kind, text in context if kind in ("lead-in", "item")]
    said = read_text("\n".join((place.claim.section, *labels))).words
    found = next(filter(None, (other_environment(said, path) for path in paths)), None)
    return f"it stands under “{found[0]}”, the source is of {found[1]}" if found else ""


def _guarded(work: Callable[[], T], evidence: Sequence[Evidence]) -> T | Compared:
    try:
        return work()
    except GroundedIngestError:
        raise
    except Exception as error:  # noqa: BLE001  a comparison that breaks waits for review
        reason = f"could not be compared: {type(error).__name__}: {error}"
        broken = {"verdict": Verdict.UNKNOWN, "reason": reason, "grounds": False}
        return Compared(
            "",
            tuple(replace(e, **broken) if e.verdict is Verdict.CONFIRMED else e for e in evidence),
        )


def with_support(compared: Compared, sources: Sources) -> tuple[Evidence, ...]:
    """The evidence with the verdicts in it."""
    found = list(compared.evidence)
    for n, (_, verdict) in compared.judged.items():
        found[n] = _shown(found[n], verdict, sources)
        if compared.disowned and found[n].support is Support.SUPPORTED:
            found[n] = replace(
                found[n], support=Support.UNSUPPORTED, reason=compared.disowned, strength=None
            )
    return tuple(found)


def _text(evidence: Evidence, sources: Sources) -> SourceText:
    """The text behind a citation; the members of a range of decisions as one."""
    if len(evidence.origins) == 1:
        return sources.of(evidence.origins[0])
    members = [sources.of(o) for o in evidence.origins[:_MEMBERS]]
    return replace(members[0], text="\n\n".join(m.text for m in members), title="")


def _unread(evidence: Evidence, why: str) -> Evidence:
    """A source that was found and cannot be compared: unknown, where it would have counted."""
    if not evidence.grounds:
        return evidence
    return replace(evidence, verdict=Verdict.UNKNOWN, reason=f"not compared: {why}", grounds=False)


def _shown(evidence: Evidence, judged: SourceVerdict, sources: Sources) -> Evidence:
    """Evidence with the verdict and its quote."""
    verdict, reason, grounds = _weight(evidence, judged, sources)
    strength = judged.strength if verdict is Support.SUPPORTED else None
    shown = replace(
        evidence,
        support=verdict,
        reason=reason or evidence.reason,
        grounds=grounds,
        strength=strength,
    )
    if judged.paraphrase and verdict is Support.UNSUPPORTED:
        return _paraphrased(shown, judged)
    if verdict not in (Support.SUPPORTED, Support.CONTRADICTED) or not judged.quote:
        return shown
    quote = judged.quote[:_QUOTE]
    mark = evidence.fingerprint if evidence.origins[0].lines else fingerprint(quote)
    return replace(shown, quote=quote, fingerprint=mark, line=judged.line)


def _paraphrased(shown: Evidence, judged: SourceVerdict) -> Evidence:
    """Says perhaps the same in other words: with the place, so that its words can be taken."""
    place = f"line {judged.line}" if judged.line else "its nearest place"
    quote = printable(judged.quote, _QUOTE)
    said = f"{PARAPHRASE}: {judged.differs}; {place} says “{quote}”"
    return replace(shown, reason=said if quote else f"{PARAPHRASE}: {judged.differs}")


def _weight(
    evidence: Evidence, judged: SourceVerdict, sources: Sources
) -> tuple[Support, str, bool]:
    """The verdict as far as it counts, why not, and whether it grounds. A path without lines and
    an inherited citation count only where one sentence, line or definition holds everything."""
    if why := _too_weak(judged, sources):
        return Support.UNSUPPORTED, why, evidence.grounds
    origin, verdict = evidence.origins[0], judged.support
    bare = evidence.kind is CitationKind.PATH and origin.kind == "file" and origin.lines is None
    if verdict is Support.CONTRADICTED and (bare or len(evidence.origins) > 1):
        # Somewhere in a file anything is said; of several, one may say otherwise.
        return Support.UNSUPPORTED, judged.differs, evidence.grounds
    if verdict is not Support.SUPPORTED or not (bare or not evidence.own):
        return verdict, judged.differs, evidence.grounds
    documented = bare and judged.line and sources.is_document(origin)
    if documented and not _vouches(origin, judged, sources):
        return Support.UNSUPPORTED, "source not grounded", False
    return verdict, "" if judged.strict else "no one place of it says all of this", judged.strict


def _too_weak(judged: SourceVerdict, sources: Sources) -> str:
    """Why what bears a claim out does not approve it; empty where it may."""
    weakest = sources.context.config.weakest
    told = judged.strength if judged.strength is not Strength.POINTER else None
    if judged.support is not Support.SUPPORTED or not told or told.rank >= weakest.rank:
        return ""
    return f"borne out as {told}, `approve_at` asks for {weakest}"


def _vouches(origin: Origin, judged: SourceVerdict, sources: Sources) -> bool:
    """Whether the quoted lines of a document are grounded claims on base."""
    last = max(judged.line, judged.end_line)
    return sources.context.witness(origin.path, (judged.line, last))

"""Claims of documents to decisions: detect, verify, support, decide."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.decide.base_view import BaseView, configured_source
from grounded_ingest.decide.memory_stage import remembered
from grounded_ingest.decide.table import decide, suspendable
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.language.reading import read_claim
from grounded_ingest.language.word_keys import jaccard
from grounded_ingest.memory.operations import Former
from grounded_ingest.model.claims import (
    Claim,
    Decision,
    DocClass,
    Document,
    Evidence,
    Finding,
    Ignore,
    Operation,
    Place,
    Problem,
    Source,
    Verdict,
)
from grounded_ingest.references.reference import Over
from grounded_ingest.references.registry import referred
from grounded_ingest.rules.hedges import find_hedges
from grounded_ingest.rules.registry import detect_all
from grounded_ingest.rules.rule import Case
from grounded_ingest.verify.context import Request, evidence, is_comparable, requests_of
from grounded_ingest.verify.verifiers import VERIFIERS

if TYPE_CHECKING:
    from grounded_ingest.decide.model_judge import ModelJudge as SecondOpinion
    from grounded_ingest.decide.support_stage import Compared, PagesToRead
    from grounded_ingest.verify.sources import Sources

    Cited = tuple[tuple[Evidence, ...], Compared | None]
    """The evidence of a claim, and what of it was compared."""


SAME = 0.75
"""Jaccard from which on a claim is another version of one that stood before."""


class Changed(Struct, frozen=True):
    """What a change does to a document: the claims it adds, by their numbers in it, and those it
    takes out."""

    new: frozenset[int]
    removed: tuple[Claim, ...]


UNCHANGED = Changed(frozenset(), ())


def _stood(
    place: Place, findings: tuple[Finding, ...], removed: Iterable[Claim]
) -> tuple[Finding, ...]:
    """Findings, speculation that stood before turned into a hedge: a commit that only changes a
    version or a link beside an old doubt brings no doubt in. It still waits for review."""
    guess = next((f for f in findings if f.rule == "speculation"), None)
    if guess is None:
        return findings
    words = read_claim(place.claim).word_set
    for old in removed:
        same = jaccard(words, read_claim(old).word_set) >= SAME
        if same and any(h.rule == guess.rule and h.words == guess.words for h in find_hedges(old)):
            stood = replace(
                guess, rule="technical-hedge", message=f"{guess.message} It stood here before."
            )
            return tuple(stood if f is guess else f for f in findings)
    return findings


def _cited(
    requests: Iterable[Request], found: Mapping[Request, Evidence | None]
) -> tuple[Evidence, ...]:
    """The evidence of a claim, each piece once."""
    cited = (found[r] for r in requests)
    return tuple(dict.fromkeys(e for e in cited if e is not None))


class Engine:
    """Decides the claims of documents. `agent`: the environment shows an agent at work; `second`
    is asked about what the rules found, where one is configured, and lifts where `may_support`."""

    def __init__(
        self,
        standing: BaseView,
        *,
        agent: bool,
        second: SecondOpinion | None = None,
        may_support: bool = False,
        progress: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.standing, self.agent, self._progress = standing, agent, progress
        self.second, self.may_support = second, may_support
        self.context = standing.context
        self.configured = partial(configured_source, self.context.config)
        self.problems: list[Problem] = []
        self._removed: tuple[tuple[Claim, ...], Former] | None = None
        self.verified: dict[Request, Evidence | None] = {}
        """What became of every citation that was decided on."""

    def decide(
        self, documents: Sequence[Document], changed: Mapping[str, Changed | None]
    ) -> list[Decision]:
        """Decisions for every claim, in order; `changed` names the claims that count by document
        (None: all, missing: none)."""
        rows = [
            (document, number, Place(document.path, document.doc_class, claim))
            for document in documents
            for number, claim in enumerate(document.extraction.claims)
        ]
        places = [place for _, _, place in rows]
        asked = [requests_of(place.path, place.claim) for place in places]
        self._progress(f"looking up {sum(map(len, asked))} citations")
        to_read = self._to_read(places, asked)
        found = self.verify(chain.from_iterable(asked), to_read or ())
        sources = to_read.kept() if to_read else None
        self.verified.update(found)
        decisions = []
        used: set[tuple[str, Ignore]] = set()

        def over(at: int) -> tuple[tuple[str, str], ...]:
            return rows[at][0].extraction.context(rows[at][2].claim)

        supported = self._with_references(
            places,
            self._supported(places, [_cited(requests, found) for requests in asked], over, sources),
            over,
        )
        self._progress(f"judging {len(rows)} claims of {len(documents)} documents")
        for (document, number, place), cited in zip(rows, supported, strict=True):
            change = changed.get(document.path, UNCHANGED)
            is_changed = change is None or number in change.new
            removed = change.removed if change else ()
            case, does = self._case(document, place, cited, removed, used, changed=is_changed)
            decision = decide(case, self.context.config.policy)
            decisions.append(replace(decision, operation=does) if does.of else decision)
        self._unused(documents, used)
        return decisions

    def decide_one(self, place: Place, source: Source) -> Decision:
        """The decision for a claim that stands in no document, from a source its caller knows."""
        asked = requests_of(place.path, place.claim)
        known = self._supported([place], [_cited(asked, self.verify(asked))])
        ((cited, _),) = self._with_references([place], known, lambda _: ())
        findings, failed = self._detect(place)
        case = Case(
            place,
            findings,
            cited,
            configured=source,
            source=source,
            trusted=self.context.config.trusted_sources,
            failed=failed,
        )
        return decide(case, self.context.config.policy)

    def compare(self, document: Document) -> list[Compared]:
        """What the rules make of each claim of a document beside its sources."""
        from grounded_ingest.decide.support_stage import compare_all
        from grounded_ingest.verify.sources import Sources

        read = document.extraction
        places = [Place(document.path, document.doc_class, claim) for claim in read.claims]
        asked = [requests_of(place.path, place.claim) for place in places]
        found = self.verify(chain.from_iterable(asked))
        cited = [_cited(requests, found) for requests in asked]
        sources = Sources(self.context)
        return compare_all(places, cited, sources, lambda at: read.context(places[at].claim))

    def evidence_of(self, document: Document) -> list[tuple[Evidence, ...]]:
        """The evidence of each claim of a document, as if the tree had it so."""
        read = document.extraction
        places = [Place(document.path, document.doc_class, claim) for claim in read.claims]
        asked = [requests_of(place.path, place.claim) for place in places]
        found = self.verify(chain.from_iterable(asked))

        def over(at: int) -> tuple[tuple[str, str], ...]:
            return read.context(places[at].claim)

        cited = self._supported(places, [_cited(requests, found) for requests in asked], over)
        return [evidence for evidence, _ in self._with_references(places, cited, over)]

    def verify(
        self, requests: Iterable[Request], to_read: Container[str] = ()
    ) -> dict[Request, Evidence | None]:
        """Evidence for citations. What goes wrong in a verifier makes its citations unknown."""
        context = self.context._replace(to_read=to_read) if to_read else self.context
        by_kind: dict[str, list[Request]] = {}
        for request in dict.fromkeys(requests):
            by_kind.setdefault(request.citation.kind, []).append(request)
        found: dict[Request, Evidence | None] = {}
        for kind, verifier in VERIFIERS.items():
            asked = by_kind.get(kind)
            if not asked:
                continue
            try:
                found.update(verifier(asked, context))
            except Exception as error:  # noqa: BLE001  never approved by accident, never lost
                said = str(error).partition("\n")[0] or type(error).__name__
                reason = f"could not be checked: {said}"
                found.update((r, evidence(r, Verdict.UNKNOWN, reason)) for r in asked)
        return found

    def _to_read(
        self, places: Sequence[Place], asked: Sequence[tuple[Request, ...]]
    ) -> PagesToRead | None:
        """The URLs that claims cite which say something to compare with their pages; None where
        no page is asked for."""
        citing: dict[str, list[Place]] = {}
        if self.context.web is not None:
            for place, requests in zip(places, asked, strict=True):
                for url in {r.citation.raw for r in requests if r.citation.raw.startswith("http")}:
                    citing.setdefault(url, []).append(place)
        if not citing:
            return None
        from grounded_ingest.decide.support_stage import PagesToRead
        from grounded_ingest.verify.sources import Sources

        return PagesToRead(citing, Sources(self.context, self.standing.kb.jobs))

    def _with_references(
        self, places: Sequence[Place], cited: Sequence[Cited], over: Callable[[int], Over]
    ) -> list[Cited]:
        """The evidence of each claim with what the tree says of its references."""
        self._progress("asking the tree about names")
        told = referred(places, over, self.context)
        return [
            ((*evidence, *more), compared) if more else (evidence, compared)
            for (evidence, compared), more in zip(cited, told, strict=True)
        ]

    def _case(
        self,
        document: Document,
        place: Place,
        cited: Cited,
        removed: tuple[Claim, ...],
        used: set[tuple[str, Ignore]],
        *,
        changed: bool,
    ) -> tuple[Case, Operation]:
        found, failed = self._detect(place)
        findings = _stood(place, found, removed) if removed else found
        former = self._former(place.path, place.doc_class, removed) if changed else None
        known = remembered(place, found, *cited, former, self.standing)
        ruling = self.standing.people.ruling(place)
        configured = self.configured(place)
        advisory = (Finding("advisory-approval", ruling.said),) if ruling.said else ()
        case = Case(
            place,
            (*findings, *known.findings, *advisory),
            cited[0],
            review=ruling.action,
            configured=configured,
            source=self._shown(configured),
            trusted=self.context.config.trusted_sources,
            failed=failed or known.failed,
            changed=changed,
        )
        return self._ignoring(document, case, used), known.operation

    def _supported(
        self,
        places: Sequence[Place],
        cited: Sequence[tuple[Evidence, ...]],
        context: Callable[[int], tuple[tuple[str, str], ...]] = lambda _: (),
        sources: Sources | None = None,
    ) -> list[Cited]:
        """The evidence of each claim with what its sources say, and a judge where one is asked."""
        if not any(is_comparable(e) for own in cited for e in own):
            return [(own, None) for own in cited]
        from grounded_ingest.decide.support_stage import compare_all, with_support
        from grounded_ingest.verify.sources import Sources

        self._progress("comparing claims with what they cite")
        sources = sources or Sources(self.context, self.standing.kb.jobs)
        compared = compare_all(places, cited, sources, context)
        if self.second is None:
            return [(with_support(c, sources), c) for c in compared]
        from grounded_ingest.decide.model_judge import opinions

        given = opinions(self.second, compared, sources, may_support=self.may_support)
        return list(zip(given, compared, strict=True))

    def _former(self, path: str, doc_class: DocClass, removed: tuple[Claim, ...]) -> Former:
        """What the change takes out of a document, made once for all its claims."""
        if self._removed is None or self._removed[0] is not removed:
            self._removed = removed, Former(path, doc_class, removed)
        return self._removed[1]

    def _detect(self, place: Place) -> tuple[tuple[Finding, ...], str]:
        try:
            return detect_all(place, self.standing), ""
        except GroundedIngestError:
            raise
        except Exception as error:  # noqa: BLE001  a check that breaks waits for review
            failed = f"could not be checked: {type(error).__name__}: {error}"
            return (Finding("check-failed", failed),), failed

    def _shown(self, configured: Source) -> Source:
        return Source.AI_SYNTHESIS if configured is Source.UNKNOWN and self.agent else configured

    def _ignoring(self, document: Document, case: Case, used: set[tuple[str, Ignore]]) -> Case:
        if not document.extraction.ignores:
            return case
        claim = case.place.claim
        near = [
            i for i in document.extraction.ignores if claim.line - 1 <= i.line <= claim.end_line
        ]
        policy = self.context.config.policy
        named = {rule for i in near if i.reason for rule in i.rules} & suspendable(policy)
        if not named:
            return case
        decided = decide(case, policy)
        if decided.rule in named:
            asked = [i for i in near if decided.rule in i.rules]
            used.update((document.path, i) for i in asked)
            reason = "; ".join(i.reason for i in asked)
            said = Finding("ignored", f"suspends {decided.rule}: {reason}", words=_words(decided))
            return replace(case, ignored=frozenset(named), findings=(*case.findings, said))
        return case

    def _unused(self, documents: Sequence[Document], used: set[tuple[str, Ignore]]) -> None:
        for document in documents:
            for ignore in document.extraction.ignores:
                names = ", ".join(ignore.rules)
                if not ignore.reason:
                    message = f"ignore[{names}] gives no reason: it has no effect"
                    self.problems.append(
                        Problem(document.path, ignore.line, "ignore-without-reason", message)
                    )
                elif (document.path, ignore) not in used:
                    message = f"ignore[{names}] suspends nothing"
                    self.problems.append(
                        Problem(document.path, ignore.line, "unused-ignore", message)
                    )


def _words(decision: Decision) -> str:
    """The words that decided, if a finding did."""
    return decision.deciding.words if decision.deciding else ""

"""Turns the claims of documents into decisions: verify, detect, ask the judge, decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.decide.base_view import BaseView, configured_source
from grounded_ingest.decide.former_references import FormerReferences
from grounded_ingest.decide.ignores import Ignores
from grounded_ingest.decide.table import decide
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import (
    Claim,
    Decision,
    DocClass,
    Document,
    Evidence,
    Finding,
    Operation,
    Place,
    Source,
    Verdict,
)
from grounded_ingest.references.adr import is_decided
from grounded_ingest.references.context import BROKEN, Request
from grounded_ingest.references.exemptions import find_withdrawal
from grounded_ingest.references.reference import Over
from grounded_ingest.references.registry import judge_references
from grounded_ingest.rules.reference_rules import severity_of
from grounded_ingest.rules.registry import detect_all
from grounded_ingest.rules.rule import Case
from grounded_ingest.statements.hedges import find_hedges
from grounded_ingest.statements.near_duplicates import jaccard
from grounded_ingest.statements.operations import ADD, Former, operation
from grounded_ingest.text.reading import read_claim

if TYPE_CHECKING:
    from grounded_ingest.judge.judge import ModelJudge

Cited = tuple[Evidence, ...]

SAME = 0.75
"""Jaccard from which on a claim is another version of one that stood before."""


class Changed(Struct, frozen=True):
    """What a change does to a document: the claims it adds, by their numbers in it, and those it
    takes out."""

    new: frozenset[int]
    removed: tuple[Claim, ...]


def _is_newly_wrong(evidence: Evidence) -> bool:
    return evidence.own and evidence.verdict is Verdict.REFUTED and not evidence.old


UNCHANGED = Changed(frozenset(), ())


def _stood(
    place: Place, findings: tuple[Finding, ...], removed: Iterable[Claim]
) -> tuple[Finding, ...]:
    """Returns the findings; a guess that a removed claim already had becomes a `technical-hedge`: a
    commit that only changes a version or a link beside an old doubt brings no doubt in."""
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


class Engine:
    """Decides the claims of documents. `agent` is true if the environment shows an agent at work.
    `judge` is the configured model, None without one; its yes counts if `may_support`."""

    def __init__(
        self,
        standing: BaseView,
        *,
        agent: bool,
        judge: ModelJudge | None = None,
        may_support: bool = False,
        progress: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.standing, self.agent, self._progress = standing, agent, progress
        self.judge, self.may_support = judge, may_support
        self.context = standing.context
        self.configured = partial(configured_source, self.context.config)
        self.ignores = Ignores()
        self._removed: tuple[tuple[Claim, ...], Former] | None = None
        self.verified: dict[Request, Evidence | None] = {}
        """What became of every citation that was decided on."""

    def decide(
        self,
        documents: Sequence[Document],
        changed: Mapping[str, Changed | None],
        before: FormerReferences | None = None,
    ) -> list[Decision]:
        """Decisions for every claim, in order; `changed` names the claims that count by document
        (None: all, missing: none). `before` tells which references were wrong before the change;
        without it all wrong references are new."""
        rows = [
            (document, number, Place(document.path, document.doc_class, claim))
            for document in documents
            for number, claim in enumerate(document.extraction.claims)
        ]
        places = [place for _, _, place in rows]

        def over(at: int) -> Over:
            return rows[at][0].extraction.context(places[at].claim)

        is_changed = [
            (change := changed.get(document.path, UNCHANGED)) is None or number in change.new
            for document, number, _ in rows
        ]
        cited_by = self._answered(places, over)
        if before is not None:
            cited_by = before.marked(places, cited_by, is_changed)
        self._progress(f"judging {len(rows)} claims of {len(documents)} documents")
        decisions = []
        for at, ((document, _, place), cited) in enumerate(zip(rows, cited_by, strict=True)):
            change = changed.get(document.path, UNCHANGED)
            removed = change.removed if change else ()
            case, does = self._case(place, cited, over(at), removed, changed=is_changed[at])
            decision = self._decided(document, case)
            decisions.append(replace(decision, operation=does) if does.of else decision)
        return decisions

    def decide_elsewhere(self, places: Sequence[Place], before: FormerReferences) -> list[Decision]:
        """Decides claims of documents that the change leaves as they are. Returns those with a
        reference that holds before the change and is wrong after it."""
        cited_by = self._answered(places, lambda at: self.standing.context_of(places[at]))
        cited_by = before.marked(places, cited_by, [False] * len(places))
        found = []
        for place, cited in zip(places, cited_by, strict=True):
            document = self.standing.kb.document(place.path)
            if document is not None and any(_is_newly_wrong(e) for e in cited):
                case = Case(place, (), self._allowed(cited), changed=False)
                found.append(self._decided(document, case))
        return [d for d in found if d.newly_wrong]

    def decide_one(self, place: Place, source: Source) -> Decision:
        """The decision for a claim that stands in no document, from a source its caller knows."""
        (cited,) = self._answered([place], lambda _: ())
        findings, failed = self._detect(place)
        case = Case(
            place,
            findings,
            cited,
            configured=source,
            source=source,
            trusted=self.context.config.trusted_sources,
            failed=failed,
            quoted=is_decided(place.claim, place.path, self.context),
            may_judge=self.may_support,
        )
        return decide(case, self.context.config.policy)

    def evidence_of(self, document: Document) -> list[tuple[Evidence, ...]]:
        """The evidence of each claim of a document, as if the tree had it so."""
        read = document.extraction
        places = [Place(document.path, document.doc_class, claim) for claim in read.claims]
        return self._answered(places, lambda at: read.context(places[at].claim))

    def _answered(self, places: Sequence[Place], over: Callable[[int], Over]) -> list[Cited]:
        """Returns the evidence of each claim, with the judge's answers where one is configured."""
        found = judge_references(places, over, self.context, self.verified, self._progress)
        if self.judge is None:
            return found
        from grounded_ingest.judge.judge import add_opinions
        from grounded_ingest.references.sources import Sources

        self._progress("asking the judge")
        claims = [(place, found[n], over(n)) for n, place in enumerate(places)]
        return add_opinions(self.judge, claims, Sources(self.context))

    def _case(
        self,
        place: Place,
        cited: Cited,
        over: Over,
        removed: tuple[Claim, ...],
        *,
        changed: bool,
    ) -> tuple[Case, Operation]:
        found, failed = self._detect(place)
        failed = failed or next((e.reason for e in cited if e.reason.startswith(BROKEN)), "")
        findings = _stood(place, found, removed) if removed else found
        former = self._former(place.path, place.doc_class, removed) if changed else None
        does = operation(place, found, former, self.standing) if former is not None else ADD
        ruling = self.standing.people.ruling(place)
        configured = self.configured(place)
        advisory = (Finding("advisory-approval", ruling.said),) if ruling.said else ()
        case = Case(
            place,
            (*findings, *advisory),
            self._allowed(cited),
            review=ruling.action,
            configured=configured,
            source=self._shown(configured),
            trusted=self.context.config.trusted_sources,
            failed=failed,
            changed=changed,
            quoted=is_decided(place.claim, place.path, self.context)
            and not find_withdrawal(place.claim, over),
            may_judge=self.may_support and not find_withdrawal(place.claim, over),
        )
        return case, does

    def _allowed(self, cited: Cited) -> Cited:
        """Returns the evidence, its wrong references muted if the policy turns their rule off."""
        if self.context.config.policy.get("refuted-citation") != "off":
            return cited
        return tuple(replace(e, muted=True) if e.verdict is Verdict.REFUTED else e for e in cited)

    def _decided(self, document: Document, case: Case) -> Decision:
        """Decides a case after the ignore comments. A reference that was wrong before the change
        hides nothing that another row reports of a changed claim."""
        policy = self.context.config.policy
        found = decide(self.ignores.suspend(document, case, policy), policy)
        if not case.changed or not any(e.old for e in case.evidence):
            return found
        muted = tuple(replace(e, muted=True) if e.old else e for e in case.evidence)
        without = self.ignores.suspend(document, replace(case, evidence=muted), policy)
        other = decide(without, policy)
        quiet = severity_of(other.rule, int(other.tier)) == "quiet"
        return found if quiet else replace(other, evidence=found.evidence)

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
            failed = f"{BROKEN}: {type(error).__name__}: {error}"
            return (Finding("check-failed", failed),), failed

    def _shown(self, configured: Source) -> Source:
        return Source.AI_SYNTHESIS if configured is Source.UNKNOWN and self.agent else configured

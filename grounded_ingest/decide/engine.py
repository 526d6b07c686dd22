"""Decides the claims in documents.

For each claim, the engine looks up the references, runs the rules, asks the judge model if there is
one, and applies the decision table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.decide.base_view import BaseView, configured_source
from grounded_ingest.decide.former_references import FormerReferences
from grounded_ingest.decide.table import Ignores, decide
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import (
    Claim,
    Decision,
    Document,
    Evidence,
    Finding,
    Operation,
    Place,
    Source,
    Verdict,
)
from grounded_ingest.references.context import BROKEN, Context, Request
from grounded_ingest.references.exemptions import find_withdrawal
from grounded_ingest.references.reference import Over
from grounded_ingest.references.registry import is_quoted, judge_references
from grounded_ingest.rules.reference_rules import severity_of
from grounded_ingest.rules.registry import detect_all
from grounded_ingest.rules.rule import Case
from grounded_ingest.statements.hedges import find_hedges
from grounded_ingest.statements.near_duplicates import jaccard
from grounded_ingest.statements.operations import ADD, Former, operation
from grounded_ingest.text.printable import counted
from grounded_ingest.text.reading import read_claim

if TYPE_CHECKING:
    from grounded_ingest.judge.exchange import AskedJudge

SAME_CLAIM = 0.75
"""Minimum Jaccard similarity of two claims to be treated as versions of the same claim."""


class Changed(Struct, frozen=True):
    """The claims that a change adds to a document and removes from it. `new` has the positions of
    the added claims in the document's list of claims."""

    new: frozenset[int]
    removed: tuple[Claim, ...]


UNCHANGED = Changed(frozenset(), ())


class Engine:
    """Decides the claims in documents. `agent` is true if environment variables show that an agent
    runs the check. `judge` is the configured judge model, which can approve a claim only if
    `may_support` is true. Memory operations are found only if `operations` is true. `progress`
    receives a message about each step."""

    def __init__(
        self,
        view: BaseView,
        *,
        agent: bool,
        judge: AskedJudge | None = None,
        may_support: bool = False,
        operations: bool = True,
        progress: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.view, self.agent, self._progress = view, agent, progress
        self.judge, self.may_support = judge, may_support
        self._operations = operations
        self.context = view.context
        self.ignores = Ignores()
        self._former: tuple[tuple[Claim, ...], Former] | None = None
        self.verified: dict[Request, Evidence | None] = {}
        """Maps each citation in the decided claims to its evidence, or to None if the text turned
        out not to be a citation."""

    def decide(
        self,
        documents: Sequence[Document],
        changed: Mapping[str, Changed | None],
        before: FormerReferences | None = None,
    ) -> list[Decision]:
        """Returns one decision for every claim, in the order of the documents and claims. `changed`
        maps the path of a document to the claims that the change adds and removes, or to None if
        all are new; a document without an entry has no new claims. `before` finds the references
        that were wrong before the change; without it, all wrong references count as new."""
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
        evidence = self._evidence(places, over)
        if before is not None:
            evidence = before.mark_old(places, evidence, is_changed)
        decisions = []
        each = counted(
            zip(rows, evidence, strict=True), len(rows), "deciding claims", self._progress
        )
        for at, ((document, _, place), found) in enumerate(each):
            change = changed.get(document.path, UNCHANGED)
            removed = change.removed if change else ()
            case, does = self._case(place, found, over(at), removed, changed=is_changed[at])
            decision = self._decide_case(document, case)
            decisions.append(replace(decision, operation=does) if does.of else decision)
        return decisions

    def decide_elsewhere(self, places: Sequence[Place], before: FormerReferences) -> list[Decision]:
        """Returns decisions for claims in documents that the change does not touch, if the change
        makes a reference wrong. `before` finds the references that were wrong already."""
        evidence = self._evidence(places, lambda at: self.view.kb.context_of(places[at]))
        evidence = before.mark_old(places, evidence, [False] * len(places))
        decisions = []
        for place, found in zip(places, evidence, strict=True):
            document = self.view.kb.document(place.path)
            if document is not None and any(
                e.own and e.verdict is Verdict.REFUTED and not e.old for e in found
            ):
                # The change does not edit the text of the claim, so the detectors need not run.
                case = Case(place, (), self._without_muted(found), changed=False)
                decisions.append(self._decide_case(document, case))
        return [d for d in decisions if d.newly_wrong]

    def decide_one(self, place: Place, source: Source) -> Decision:
        """Returns the decision for a claim from `source` that is not in a document."""
        (evidence,) = self._evidence([place], lambda _: ())
        findings, failure = self._detect(place)
        case = Case(
            place,
            findings,
            evidence,
            configured=source,
            source=source,
            trusted=self.context.config.trusted_sources,
            failed=failure,
            quoted=is_quoted(place, (), self.context),
            may_judge=self.may_support,
            by_existence=self.context.config.preset == "existence",
        )
        former = Former("", place.doc_class, ())
        does = operation(place, findings, former, self.view, self.view.memories(place))
        return replace(decide(case, self.context.config.policy), operation=does)

    def evidence_of(self, document: Document, numbers: Iterable[int]) -> list[tuple[Evidence, ...]]:
        """Looks up the references in the claims of `document` with these `numbers`. Returns the
        results in the order of `numbers`. The text of `document` may differ from the file in the
        tree. Cited lines are not compared with an earlier commit, as no commit has this text."""
        read, context = document.extraction, self.context._replace(blames=False)
        places = [Place(document.path, document.doc_class, read.claims[n]) for n in numbers]
        return self._evidence(places, lambda at: read.context(places[at].claim), context)

    def _evidence(
        self, places: Sequence[Place], over: Callable[[int], Over], context: Context | None = None
    ) -> list[tuple[Evidence, ...]]:
        context = context or self.context
        found = judge_references(places, over, context, self.verified, self._progress)
        if self.judge is None:
            return found
        # These modules import the prompts and the readers of pages and issues, so a run without a
        # judge model does not load them.
        from grounded_ingest.judge.judge import add_opinions
        from grounded_ingest.references.sources import Sources

        self._progress("asking the judge model")
        claims = [(place, found[n], over(n)) for n, place in enumerate(places)]
        return add_opinions(self.judge, claims, Sources(self.context))

    def _case(
        self,
        place: Place,
        evidence: tuple[Evidence, ...],
        over: Over,
        removed: tuple[Claim, ...],
        *,
        changed: bool,
    ) -> tuple[Case, Operation]:
        """Returns everything that the decision table needs to know about a claim (a `Case`), and
        the memory operation of the claim, such as add or update."""
        found, failure = self._detect(place)
        failure = failure or next((e.reason for e in evidence if e.reason.startswith(BROKEN)), "")
        findings = _soften_old_guess(place, found, removed) if removed else found
        does = self._operation(place, found, removed) if changed and self._operations else ADD
        ruling = self.view.rulings.ruling(place)
        if ruling.objection:
            findings = (*findings, Finding("advisory-approval", ruling.objection))
        configured = configured_source(self.context.config, place)
        # Reports show this source. The table uses `configured`, which is equal on all machines.
        unknown = configured is Source.UNKNOWN and self.agent
        by_existence = self.context.config.preset == "existence"
        stated = (by_existence or self.may_support) and not find_withdrawal(place.claim, over)
        case = Case(
            place,
            findings,
            self._without_muted(evidence),
            review=ruling.action,
            configured=configured,
            source=Source.AI_SYNTHESIS if unknown else configured,
            trusted=self.context.config.trusted_sources,
            failed=failure,
            changed=changed,
            quoted=is_quoted(place, over, self.context),
            may_judge=self.may_support and stated,
            by_existence=by_existence and stated,
        )
        return case, does

    def _operation(
        self, place: Place, found: tuple[Finding, ...], removed: tuple[Claim, ...]
    ) -> Operation:
        """Returns what an added claim does to the memories. The change removes the claims `removed`
        from the same document."""
        if self._former is None or self._former[0] is not removed:  # once for each document
            self._former = removed, Former(place.path, place.doc_class, removed)
        return operation(place, found, self._former[1], self.view, self.view.memories(place))

    def _detect(self, place: Place) -> tuple[tuple[Finding, ...], str]:
        try:
            return detect_all(place, self.view), ""
        except GroundedIngestError:
            raise
        except Exception as error:  # noqa: BLE001  a claim waits for review if its check fails
            failure = f"{BROKEN}: {type(error).__name__}: {error}"
            return (Finding("check-failed", failure),), failure

    def _without_muted(self, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """Returns the evidence, with wrong references marked as muted if the policy turns the rule
        `refuted-citation` off."""
        if self.context.config.policy.get("refuted-citation") != "off":
            return evidence
        return tuple(
            replace(e, muted=True) if e.verdict is Verdict.REFUTED else e for e in evidence
        )

    def _decide_case(self, document: Document, case: Case) -> Decision:
        """Returns the decision for a case, with ignore comments applied.

        If the claim has an old wrong reference, applies the decision table a second time without
        it, because an old mistake must not hide the finding of a later rule.
        """
        policy = self.context.config.policy
        first = decide(self.ignores.suspend(document, case, policy), policy)
        if not case.changed or not any(e.old for e in case.evidence):
            return first
        muted = tuple(replace(e, muted=True) if e.old else e for e in case.evidence)
        without = self.ignores.suspend(document, replace(case, evidence=muted), policy)
        second = decide(without, policy)
        if severity_of(second.rule, int(second.tier)) == "quiet":
            return first
        return replace(second, evidence=first.evidence)


def _soften_old_guess(
    place: Place, findings: tuple[Finding, ...], removed: Iterable[Claim]
) -> tuple[Finding, ...]:
    """Returns the findings, with `speculation` replaced by `technical-hedge` if a removed claim had
    the same guess. For example, a commit may only edit a number in an old guess."""
    guess = next((f for f in findings if f.rule == "speculation"), None)
    if guess is None:
        return findings
    words = read_claim(place.claim).word_set
    for old in removed:
        same = jaccard(words, read_claim(old).word_set) >= SAME_CLAIM
        if same and any(h.rule == guess.rule and h.words == guess.words for h in find_hedges(old)):
            message = f"{guess.message} The text had the same guess before this change."
            softened = replace(guess, rule="technical-hedge", message=message)
            return tuple(softened if f is guess else f for f in findings)
    return findings

"""The decision table and the detectors.

To add a row: a `Rule` at its place in `TABLE`, its examples in `examples/<rule>.yaml`, and its page
by `REGOLD=1 pytest tests/rules/test_examples.py`. If a detector reports it, a line in `DETECTORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from posixpath import basename

from grounded_ingest.model.claims import (
    Claim,
    DocClass,
    Finding,
    Form,
    Kind,
    Place,
    Source,
    Verdict,
)
from grounded_ingest.rules.rule import Case, Rule
from grounded_ingest.statements import conflicts, hedges, near_duplicates
from grounded_ingest.statements.knowledge_protocol import Knowledge
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import read_claim

Detector = Callable[[Place, Knowledge], Iterable[Finding]]

_POINTING = compiled(
    r"(?i)[^\w~]*(?:please )?(?:see\b|refer to\b|(?:further |more )?details (?:are )?in\b"
    r"|for (?:more |further )?(?:details|information)\b)"
)
_WORD = compiled(r"\w+")
_POINTING_WORDS = frozenset(
    "please see also refer to for more further details information are in and or adr adrs commit"  # noqa: SIM905
    " commits issue issues file files line lines".split()
)


def points_only(claim: Claim) -> bool:
    """Whether a claim says "See X" and no more: beside its references it only has words that
    point."""
    own = [c for c in claim.citations if c.own]
    if not own or not all(_is_name_of(c.label, c.raw) for c in own if c.link):
        return False
    rest = read_claim(claim).uncited.text
    for citation in own:
        if citation.label:
            rest = rest.replace(citation.label.strip("`"), " ")
    words = frozenset(_WORD.findall(rest.lower()))
    return words <= _POINTING_WORDS and bool(_POINTING.match(claim.text))


def _is_name_of(label: str, target: str) -> bool:
    """Whether the text of a link names its target. "See [production runs in Oslo](guide.md)" makes
    a statement that the guide may not confirm."""
    bare = label.strip("`*_ ")
    name = basename(target.rstrip("/"))
    return bare in (target, target.lstrip("./"), name, name.rpartition(".")[0])


def _is_wrong(case: Case) -> bool:
    return any(e.verdict is Verdict.REFUTED and not e.muted for e in case.own)


def _is_pointer(case: Case) -> bool:
    own = case.own
    confirmed = bool(own) and all(e.verdict is Verdict.CONFIRMED for e in own)
    return confirmed and points_only(case.place.claim)


def _has_nothing_to_check(case: Case) -> bool:
    """Whether the claim states nothing, and neither a citation nor a finding says otherwise."""
    return bool(case.place.claim.nothing) and not (
        case.findings
        or any(c.own for c in case.place.claim.citations)
        or any(e.own and e.verdict is not Verdict.UNKNOWN for e in case.evidence)
    )


def _states_preference(case: Case) -> bool:
    in_conversation = case.configured in (Source.CONVERSATION, Source.CHAT)
    return case.kind is Kind.PREFERENCE and in_conversation


TABLE: tuple[Rule, ...] = (
    Rule(
        id="rejected",
        tier=3,
        severity="error",
        summary="A reviewer rejected this claim.",
        way_out=(
            "Remove or correct it; a reviewer who erred takes it back with"
            " `grounded-ingest review revoke`."
        ),
        condition=lambda case: case.review == "reject",
    ),
    Rule(
        id="speculation",
        tier=3,
        fixed=False,
        severity="error",
        summary=(
            "The author is guessing: a personal guess, an admitted doubt, or a suggestion (“I"
            " think”, “not sure if”, “maybe we should”)."
        ),
        way_out="Find out and state it with its source, or label it as open (“Open questions:”).",
        yields_in=(DocClass.DOCS,),
    ),
    Rule(
        id="conflicting-update",
        tier=3,
        fixed=False,
        severity="error",
        summary=(
            "The claim repeats a grounded claim of base with one number, version or negation"
            " changed, and does not say that it changed."
        ),
        way_out=(
            "If the value changed, say so (“changed from X to Y”) or correct the older claim too;"
            " else remove this one."
        ),
    ),
    Rule(
        id="duplicate",
        tier=3,
        fixed=False,
        severity="error",
        summary="The claim says what a grounded memory already says.",
        way_out=(
            "Remove it, or refer to the memory that has it; to revise that memory, edit it in"
            " place."
        ),
    ),
    Rule(
        id="approved",
        tier=1,
        severity="quiet",
        summary="A person approved this claim, and the approval is on record.",
        way_out="Nothing to do; the approval ends when the claim is changed or removed.",
        condition=lambda case: case.review == "approve",
    ),
    Rule(
        id="check-failed",
        tier=2,
        severity="warning",
        summary="A check of this claim could not run, so nothing is known in its favour.",
        way_out="Remove the cause named in the message and run the check again.",
        condition=lambda case: bool(case.failed),
    ),
    Rule(
        id="refuted-citation",
        tier=2,
        fixed=False,
        severity="error",
        summary="Something this claim cites or names does not exist, or no longer holds.",
        way_out="Name one that is there; if it is gone on purpose, say “removed `x`”.",
        condition=_is_wrong,
    ),
    Rule(
        id="contradiction",
        tier=2,
        fixed=False,
        severity="warning",
        summary="Two memories that agents load together state facts that exclude each other.",
        way_out="Keep the one that is true; if the fact changed, say “is now Y, previously X”.",
    ),
    Rule(
        id="judge-denies",
        tier=2,
        fixed=False,
        severity="warning",
        summary="The configured judge finds that a source the claim cites says otherwise.",
        way_out="Correct the claim, or cite the place that says it.",
        condition=lambda case: any(e.judged == "contradicted" for e in case.own),
    ),
    Rule(
        id="hidden-text",
        tier=2,
        fixed=False,
        severity="warning",
        summary=(
            "Agents read this text, but a person who looks at the rendered page does not see it."
        ),
        way_out="Make it visible, or remove it.",
    ),
    Rule(
        id="technical-hedge",
        tier=2,
        fixed=False,
        severity="quiet",
        summary=(
            "The claim qualifies itself (“usually”, “roughly”, “unclear”), so what it states is"
            " open."
        ),
        way_out="State the exact condition or value with its source.",
        yields_in=(DocClass.DOCS,),
    ),
    Rule(
        id="repeat",
        tier=2,
        fixed=False,
        severity="quiet",
        summary="The same text already stands elsewhere in the knowledge base.",
        way_out="Keep one and link to it; name deliberate copies in `mirrors`.",
    ),
    Rule(
        id="ignored",
        tier=2,
        severity="quiet",
        summary="An ignore comment with a reason suspends what was found of this claim.",
        way_out="Have it reviewed, or correct the claim and remove the comment.",
        condition=lambda case: bool(case.ignored),
    ),
    Rule(
        id="proved",
        tier=1,
        severity="quiet",
        summary="The claim says no more than what the tree answers, and the tree agrees.",
        way_out="Nothing to do.",
        condition=lambda case: any(e.proves for e in case.own),
    ),
    Rule(
        id="quoted",
        tier=1,
        severity="quiet",
        summary="The claim repeats, letter for letter, a sentence that an accepted ADR decides.",
        way_out="Nothing to do.",
        condition=lambda case: case.quoted,
    ),
    Rule(
        id="judged",
        tier=1,
        fixed=False,
        severity="quiet",
        summary="The configured judge finds that a source the claim cites says it.",
        way_out="Nothing to do.",
        condition=lambda case: case.may_judge and any(e.judged == "supported" for e in case.own),
    ),
    Rule(
        id="pointer",
        tier=1,
        severity="quiet",
        summary="The claim only points to something that is there.",
        way_out="Nothing to do.",
        condition=_is_pointer,
    ),
    Rule(
        id="trusted-source",
        tier=1,
        severity="quiet",
        summary="The document comes from a source that this repository's configuration trusts.",
        way_out="Nothing to do; see `sources` and `trusted_sources` in the configuration.",
        condition=lambda case: case.configured in case.trusted,
    ),
    Rule(
        id="stated-decision",
        tier=1,
        severity="quiet",
        summary=(
            "A decision taken from a conversation, in a document that the configuration names as"
            " such."
        ),
        way_out="Nothing to do; see `sources` in the configuration.",
        condition=lambda case: (
            case.kind is Kind.DECISION and case.configured is Source.CONVERSATION
        ),
    ),
    Rule(
        id="stated-preference",
        tier=1,
        severity="quiet",
        summary=(
            "A preference stated in a conversation or chat, in a document that the configuration"
            " names as such."
        ),
        way_out="Nothing to do; see `sources` in the configuration.",
        condition=_states_preference,
    ),
    Rule(
        id="cited",
        tier=2,
        severity="quiet",
        summary="References of this claim hold; nothing shows that they say what it says.",
        way_out="Nothing to do; to approve it, have it reviewed.",
        condition=lambda case: case.cites(Verdict.CONFIRMED),
    ),
    Rule(
        id="nothing-to-check",
        tier=2,
        fixed=False,
        severity="quiet",
        summary=(
            "Nothing here can be found true or false: an instruction, a plan, history, a label."
        ),
        way_out="Leave it; if it states a fact as well, give that a sentence of its own.",
        condition=_has_nothing_to_check,
    ),
    Rule(
        id="ungrounded",
        tier=2,
        severity="quiet",
        summary="Nothing shows yet where this claim comes from.",
        way_out=(
            "Cite what it rests on (`src/x.py::name`, an ADR, a commit, an issue, a URL), or have"
            " it reviewed."
        ),
        condition=lambda _: True,
    ),
)
"""The rows in their order, which is a promise to users (docs/decisions/deciding.md): the first row
that applies decides."""

RULES: dict[str, Rule] = {rule.id: rule for rule in TABLE}
ROWS: tuple[str, ...] = tuple(RULES)


def _find_hidden_text(place: Place, knowledge: Knowledge) -> Iterable[Finding]:
    del knowledge
    if place.claim.form is Form.HIDDEN:
        yield Finding("hidden-text", "a rendered page does not show this text")


DETECTORS: dict[str, Detector] = {
    "speculation technical-hedge": lambda place, _: hedges.find_hedges(place.claim),
    "hidden-text": _find_hidden_text,
    "duplicate repeat": near_duplicates.find_duplicate,
    "conflicting-update contradiction": conflicts.find_conflict,
}
"""Detectors by the rules they report, in the order in which a decision lists its findings."""


def detect_all(place: Place, knowledge: Knowledge) -> tuple[Finding, ...]:
    """Returns the findings of all detectors for one claim."""
    if place.claim.only_refers:
        return ()
    return tuple(f for detect in DETECTORS.values() for f in detect(place, knowledge))


def all_index_keys(place: Place, threshold: float) -> set[int]:
    """Returns the keys under which the index must list a claim, so that the detectors find it
    beside other claims."""
    if place.claim.only_refers:
        return set()
    return {
        *near_duplicates.set_keys(read_claim(place.claim).word_set, threshold),
        *conflicts.masked_keys(place),
    }

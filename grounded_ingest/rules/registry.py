"""Defines all rules: the decision table, the rules for problems, and the detectors.

A problem concerns a file or the run and not a claim, such as a file that cannot be read. To add a row, add a `Rule` to `TABLE` and write its examples into `examples/<rule>.yaml`. If a
detector reports the rule, add the detector to `DETECTORS`. Then create the rule's page with
`REGOLD=1 pytest tests/rules/test_examples.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from posixpath import basename

from grounded_ingest.model.claims import (
    CitationKind,
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
    """Returns whether a claim only says "See X": apart from its references it only has words such
    as "see", "refer to" or "for details"."""
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
    """Returns whether the text of a link is only the path or file name of the target. "See
    [production runs in Oslo](guide.md)" makes a statement that the guide may not confirm."""
    bare = label.strip("`*_ ")
    name = basename(target.rstrip("/"))
    return bare in (target, target.lstrip("./"), name, name.rpartition(".")[0])


def _is_wrong(case: Case) -> bool:
    return any(
        e.verdict is Verdict.REFUTED and not e.muted and e.kind is not CitationKind.PROOF
        for e in case.own
    )


def _has_proof(case: Case, verdict: Verdict) -> bool:
    proofs = (e for e in case.own if e.kind is CitationKind.PROOF and not e.muted)
    return any(e.verdict is verdict for e in proofs)


def _is_verified(case: Case) -> bool:
    own = [e for e in case.own if e.kind is not CitationKind.PROOF]
    return case.by_existence and bool(own) and all(e.verdict is Verdict.CONFIRMED for e in own)


def _is_pointer(case: Case) -> bool:
    own = case.own
    confirmed = bool(own) and all(e.verdict is Verdict.CONFIRMED for e in own)
    return confirmed and points_only(case.place.claim)


def _has_nothing_to_check(case: Case) -> bool:
    """Returns whether the claim states nothing that can be true or false, and has no citation and
    no finding."""
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
            "Remove or correct the claim. If the rejection was a mistake, the reviewer runs"
            " `grounded-ingest review revoke`."
        ),
        condition=lambda case: case.review == "reject",
    ),
    Rule(
        id="proof-failed",
        tier=3,
        severity="error",
        summary="The claim states a value, but the file that it names has another value.",
        way_out="Write the value that the file has, or change the file.",
        condition=lambda case: _has_proof(case, Verdict.REFUTED),
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
        way_out=(
            "Find out what is true and state it with its source, or label it as open (“Open"
            " questions:”)."
        ),
        yields_in=(DocClass.DOCS,),
    ),
    Rule(
        id="conflicting-update",
        tier=3,
        fixed=False,
        severity="error",
        summary=(
            "The claim repeats a grounded claim on the base branch with another number, version or"
            " negation, and does not say that the fact changed."
        ),
        way_out=(
            "If the fact changed, write “changed from X to Y” or correct the older claim as well."
            " If not, remove this claim."
        ),
    ),
    Rule(
        id="duplicate",
        tier=3,
        fixed=False,
        severity="error",
        summary="The claim says the same as a grounded memory that already exists.",
        way_out=(
            "Remove the claim, or link to the existing memory. To revise the existing memory, edit"
            " its text in its own file."
        ),
    ),
    Rule(
        id="approved",
        tier=1,
        summary="A person approved this claim, and the approval is on record.",
        way_out="Nothing to do. The approval ends when somebody changes or removes the claim.",
        condition=lambda case: case.review == "approve",
    ),
    Rule(
        id="check-failed",
        tier=2,
        severity="warning",
        summary="A check of this claim failed with an error, so nothing confirms the claim.",
        way_out="Remove the cause that the message names, and run the check again.",
        condition=lambda case: bool(case.failed),
    ),
    Rule(
        id="refuted-citation",
        tier=2,
        fixed=False,
        severity="error",
        summary="The claim cites or names something that does not exist or is no longer true.",
        way_out="Correct or remove what is wrong.",
        condition=_is_wrong,
    ),
    Rule(
        id="contradiction",
        tier=2,
        fixed=False,
        severity="warning",
        summary="Agents load two memories together whose facts cannot both be true.",
        way_out=(
            "Keep the memory that is true. If the fact changed, write “is now Y, previously X”."
        ),
    ),
    Rule(
        id="judge-denies",
        tier=2,
        fixed=False,
        severity="warning",
        summary="The judge model finds that a cited source contradicts the claim.",
        way_out="Correct the claim, or cite a source that supports it.",
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
        way_out="Make the text visible on the rendered page, or remove it.",
    ),
    Rule(
        id="technical-hedge",
        tier=2,
        fixed=False,
        summary=(
            "The claim has a word such as “usually”, “roughly” or “unclear”, so it does not say"
            " exactly what is true."
        ),
        way_out="State the exact condition or value with its source.",
        yields_in=(DocClass.DOCS,),
    ),
    Rule(
        id="repeat",
        tier=2,
        fixed=False,
        summary="Another place in the documents already has the same text.",
        way_out=(
            "Keep one of the two texts and link to it. List deliberate copies in the setting"
            " `mirrors`."
        ),
    ),
    Rule(
        id="ignored",
        tier=2,
        summary="An ignore comment with a reason suppresses a finding about this claim.",
        way_out="Let a person review the claim, or correct the claim and remove the comment.",
        condition=lambda case: bool(case.ignored),
    ),
    Rule(
        id="proved",
        tier=1,
        summary="The files of the repository prove everything that the claim says.",
        condition=lambda case: any(e.proves for e in case.own),
    ),
    Rule(
        id="quoted",
        tier=1,
        summary=(
            "The claim repeats, letter for letter, what an accepted decision record (ADR) decides."
        ),
        condition=lambda case: case.quoted,
    ),
    Rule(
        id="judged",
        tier=1,
        fixed=False,
        summary="The judge model finds that a cited source supports the claim.",
        condition=lambda case: case.may_judge and any(e.judged == "supported" for e in case.own),
    ),
    Rule(
        id="pointer",
        tier=1,
        summary="The claim only refers to something that exists, such as “See `docs/setup.md`”.",
        condition=_is_pointer,
    ),
    Rule(
        id="verified-citation",
        tier=1,
        fixed=False,
        summary="All references of the claim are right, and the preset is `existence`.",
        way_out="Nothing to do. With the preset `default`, the references alone prove nothing.",
        condition=_is_verified,
    ),
    Rule(
        id="trusted-source",
        tier=1,
        summary="The document comes from a source that this repository's configuration trusts.",
        way_out="Nothing to do. See `sources` and `trusted_sources` in the configuration.",
        condition=lambda case: case.configured in case.trusted,
    ),
    Rule(
        id="stated-decision",
        tier=1,
        summary=(
            "The claim is a decision, and the setting `sources` gives its document the source"
            " `conversation`."
        ),
        way_out="Nothing to do. See `sources` in the configuration.",
        condition=lambda case: (
            case.kind is Kind.DECISION and case.configured is Source.CONVERSATION
        ),
    ),
    Rule(
        id="stated-preference",
        tier=1,
        summary=(
            "The claim is a preference, and the configuration says that its document comes from"
            " conversations or chats."
        ),
        way_out="Nothing to do. See `sources` in the configuration.",
        condition=_states_preference,
    ),
    Rule(
        id="proof-new",
        tier=2,
        summary="Files that the same change adds or edits prove the claim.",
        way_out="Nothing to do. The claim is proved when the change is on the base branch.",
        condition=lambda case: any(e.note == "not-landed" for e in case.own),
    ),
    Rule(
        id="proof-open",
        tier=2,
        summary="The claim states a value, but the check cannot tell which value the file has.",
        way_out="Nothing to do. Only a constant that its file sets once, as `PORT = 80`, can be compared.",
        condition=lambda case: _has_proof(case, Verdict.UNKNOWN),
    ),
    Rule(
        id="proof-beside",
        tier=2,
        summary="The files of the repository prove a part of the claim, but the claim says more.",
        way_out="Nothing to do. To get the proved part approved, put it in its own sentence.",
        condition=lambda case: _has_proof(case, Verdict.CONFIRMED),
    ),
    Rule(
        id="cited",
        tier=2,
        summary=(
            "No reference that was looked up is wrong, and at least one is right. Whether the claim"
            " itself is true was not checked."
        ),
        way_out="Nothing to do. To approve the claim, let a person review it.",
        condition=lambda case: case.cites(Verdict.CONFIRMED),
    ),
    Rule(
        id="nothing-to-check",
        tier=2,
        fixed=False,
        summary=(
            "The claim cannot be true or false: it is an instruction, a plan, history or a label."
        ),
        way_out=(
            "Nothing to do. If the text states a fact as well, move the fact to a sentence of its"
            " own."
        ),
        condition=_has_nothing_to_check,
    ),
    Rule(
        id="ungrounded",
        tier=2,
        summary="The claim does not name a source, and nobody has approved it.",
        way_out=(
            "Cite the source of the claim (`src/x.py::name`, an ADR, a commit, an issue, a URL), or"
            " let a person review the claim."
        ),
        condition=lambda _: True,
    ),
)
"""The rows of the decision table. The first row that applies to a claim decides the claim. The
order is a promise to users (docs/decisions/deciding.md)."""

_PROBLEMS: tuple[Rule, ...] = (
    Rule(
        id="scope",
        severity="note",
        summary="The run left out a part of the check. The message says how to include that part.",
        way_out="Run the command that the message names.",
    ),
    Rule(
        id="not-granted",
        severity="note",
        summary=(
            "The configuration asks for an address or a secret that the user of this machine did"
            " not grant, so the run ignores this setting."
        ),
        way_out=(
            "Do nothing, or grant the address and the secret in your own git configuration. For a"
            " tracker at the address URL whose token is in the environment variable VARIABLE, run"
            ' `git config --global --add grounded-ingest.grant "tracker URL VARIABLE"`.'
        ),
    ),
    Rule(
        id="judge",
        severity="note",
        summary="The run did not ask the configured judge model, or could not reach it.",
        way_out="Remove the cause that the message names, and run the check again.",
    ),
    Rule(
        id="unknown-reference",
        severity="warning",
        summary="The run could not look up a reference, so whether the reference is right is unknown.",
        way_out=(
            "Write the reference so that it has only one meaning, or ignore it:"
            ' `<!-- grounded: ignore[unknown-reference] reason="…" -->`.'
        ),
    ),
    Rule(
        id="expired",
        severity="warning",
        summary=(
            "The claim was valid until a date, and this date is past (only `audit` and `status`"
            " compare dates with today)."
        ),
        way_out="Confirm the claim with a new date, or remove the claim.",
    ),
    Rule(
        id="unreadable",
        tier=3,
        severity="warning",
        summary=(
            "A document could not be read, so the run checked none of its text. The problem blocks"
            " in class `memory`, because agents will read the document anyway. In other classes it"
            " waits for review."
        ),
        way_out=(
            "Repair the document (UTF-8, size and nesting within the limits), or list its path in"
            " `exclude`."
        ),
    ),
    Rule(
        id="unread",
        tier=2,
        severity="warning",
        summary=(
            "Agents can read a text that the run did not check: an unknown format, a link or import"
            " that leads out of the repository, a submodule, or invisible characters."
        ),
        way_out=(
            "Move the text to a format that is checked (Markdown, plain text, records). If no agent"
            " reads the file, list its path in `exclude`."
        ),
    ),
    Rule(
        id="broken-record",
        tier=3,
        severity="error",
        summary=(
            "A record could not be parsed, so the run did not check the record. In class `memory`"
            " this blocks; in other classes it waits for review. Or a line in a review log could"
            " not be parsed: then no approval in this log counts, and a change that edits the log"
            " without repairing it is blocked."
        ),
        way_out="Correct the record in the line that the message names.",
    ),
    Rule(
        id="stale-sidecar",
        severity="warning",
        summary=(
            "The evidence file of a document is missing, broken or older than the document's text."
            " Only `--locked`, the preset `strict` and `stage_evidence: false` report this problem,"
            " and then the run fails."
        ),
        way_out="Run `grounded-ingest check --write` on the document and commit its evidence file.",
    ),
    Rule(
        id="config-change",
        severity="note",
        summary=(
            "This change makes the checks weaker: in the preset, excludes, ignores, baseline or"
            " policy."
        ),
        way_out="Review the change of the configuration as you would review code.",
    ),
    Rule(
        id="baseline",
        severity="note",
        summary=(
            "The baseline file is missing or broken, was updated, or lists findings that do not exist"
            " any more."
        ),
        way_out="Run `grounded-ingest check --all --update-baseline` and commit the file.",
    ),
    Rule(
        id="advisory-approval",
        severity="note",
        summary="A recorded approval of a claim does not count, or does not count yet.",
        way_out=(
            "Merge the approval into the base branch, or let somebody who may approve sign the"
            " approving commit."
        ),
    ),
    Rule(
        id="not-staged",
        severity="note",
        summary="The text names a path that exists on disk but is not staged.",
        way_out="Run `git add` on the path.",
    ),
    Rule(
        id="old-setting",
        severity="note",
        summary="The configuration has a setting from an earlier version that has no effect now.",
        way_out="Remove the setting from the configuration file.",
    ),
    Rule(
        id="unused-ignore",
        severity="note",
        summary=(
            "An ignore comment or an entry of `per_file_ignores` has no effect, because its rules"
            " report nothing there. Only `check --all` looks for such entries."
        ),
        way_out="Remove the comment, or the entry in `per_file_ignores`.",
    ),
    Rule(
        id="ignore-without-reason",
        severity="note",
        summary="An ignore comment does not give a reason, so it has no effect.",
        way_out=(
            'Add a reason (`<!-- grounded: ignore[rule] reason="…" -->`), or remove the comment.'
        ),
    ),
)

PROBLEMS: tuple[str, ...] = tuple(problem.id for problem in _PROBLEMS)
EVERY_RULE: dict[str, Rule] = {rule.id: rule for rule in (*TABLE, *_PROBLEMS)}
"""Maps rule ids to rules: the rows of the decision table in their order, then the problems."""

RULES: dict[str, Rule] = {rule.id: rule for rule in TABLE}
ROWS: tuple[str, ...] = tuple(RULES)


def _find_hidden_text(place: Place, knowledge: Knowledge) -> Iterable[Finding]:
    del knowledge
    if place.claim.form is Form.HIDDEN:
        yield Finding("hidden-text", "the rendered page does not show this text")


DETECTORS: dict[str, Detector] = {
    "speculation technical-hedge": lambda place, _: hedges.find_hedges(place.claim),
    "hidden-text": _find_hidden_text,
    "duplicate repeat": near_duplicates.find_duplicate,
    "conflicting-update contradiction": conflicts.find_conflict,
}
"""Maps the ids of the rules that a detector reports to the detector. A decision lists its findings
in this order."""


def detect_all(place: Place, knowledge: Knowledge) -> tuple[Finding, ...]:
    """Returns the findings of all detectors for one claim."""
    if place.claim.only_refers:
        return ()
    return tuple(f for detect in DETECTORS.values() for f in detect(place, knowledge))


def all_index_keys(place: Place, threshold: float) -> set[int]:
    """Returns the numbers (index keys) under which the index lists a claim. If two claims may
    repeat or contradict each other, they share a number, so only such pairs are compared."""
    if place.claim.only_refers:
        return set()
    return {
        *near_duplicates.set_keys(read_claim(place.claim).word_set, threshold),
        *conflicts.masked_keys(place),
    }

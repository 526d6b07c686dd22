"""Problems: what reports name beside the decisions, and the list of all rules."""

from __future__ import annotations

from grounded_ingest.rules.registry import TABLE
from grounded_ingest.rules.rule import Rule

_PROBLEMS: tuple[Rule, ...] = (
    Rule(
        id="scope",
        severity="note",
        summary="The run looked at something other than what was asked for, and says at what.",
        way_out="Nothing to do, unless the scope surprises you.",
    ),
    Rule(
        id="not-granted",
        severity="note",
        summary=(
            "The configuration asks for an address or a secret that the user of this machine did"
            " not grant. It is ignored."
        ),
        way_out=(
            "Ignore it, or grant it in your own git configuration: `git config --global --add"
            ' grounded-ingest.grant "tracker URL VARIABLE"`.'
        ),
    ),
    Rule(
        id="judge",
        severity="note",
        summary="The configured judge was not asked, or could not be.",
        way_out="Do what the message asks for.",
    ),
    Rule(
        id="unknown-reference",
        severity="warning",
        summary="A reference could not be looked up, so it is neither right nor wrong.",
        way_out="Make it unambiguous, or ignore it with a reason.",
    ),
    Rule(
        id="impacted",
        severity="note",
        summary=(
            "An existing claim rests on what this change touches (`check --impacted` lists them)."
        ),
        way_out="Read the claim beside the change; correct it where it no longer holds.",
    ),
    Rule(
        id="expired",
        severity="warning",
        summary=(
            "The claim is past the date that it carries or says (only `audit` looks at the day)."
        ),
        way_out="Confirm it with a new date, or remove it.",
    ),
    Rule(
        id="unreadable",
        tier=3,
        severity="warning",
        summary=(
            "A document could not be read, so none of its text was judged. It blocks in class"
            " `memory`, where agents will read it anyway, and waits for review elsewhere."
        ),
        way_out="Repair it (UTF-8, size and nesting within the limits), or list it in `exclude`.",
    ),
    Rule(
        id="unread",
        tier=2,
        severity="warning",
        summary=(
            "Agents can read a text in a memory place that was not checked: an unknown format, a link"
            " or import that leads out of the repository, a submodule, invisible characters."
        ),
        way_out=(
            "Write it where it is read (Markdown, text, records), or list it in `exclude` if no agent"
            " reads it."
        ),
    ),
    Rule(
        id="broken-record",
        tier=3,
        severity="error",
        summary=(
            "A record of a readable file could not be parsed, so it was not judged. It blocks in"
            " class `memory` and waits for review elsewhere. While a review log has such a line, none"
            " of its approvals counts; a change that adds the line is blocked."
        ),
        way_out="Correct the record at the line named.",
    ),
    Rule(
        id="stale-sidecar",
        severity="warning",
        summary=(
            "The evidence file of a document is missing, broken or behind its text. Only `--locked`"
            " and the preset `strict` report it, and fail."
        ),
        way_out="Run `grounded-ingest check --write` on the document and commit its evidence file.",
    ),
    Rule(
        id="config-change",
        severity="note",
        summary=(
            "This change loosens the guard: preset, excludes, ignores, the baseline or the policy."
        ),
        way_out="Review that as you would review code.",
    ),
    Rule(
        id="baseline",
        severity="note",
        summary="The baseline is missing or broken, or lists findings that are gone.",
        way_out="Run `grounded-ingest check --all --update-baseline` and commit the file.",
    ),
    Rule(
        id="advisory-approval",
        severity="note",
        summary="Claims have an approval on record that does not count, or not yet.",
        way_out=(
            "Let it land, or have the approving commit signed, or the head commit reviewed, by"
            " somebody who may approve."
        ),
    ),
    Rule(
        id="not-staged",
        severity="note",
        summary="A path that the text names lies on disk and is not staged.",
        way_out="Run `git add` on it.",
    ),
    Rule(
        id="old-setting",
        severity="note",
        summary="The configuration has a setting of an earlier version without effect in this one.",
        way_out="Remove it.",
    ),
    Rule(
        id="unused-ignore",
        severity="note",
        summary="An ignore comment suspends nothing.",
        way_out="Remove it.",
    ),
    Rule(
        id="ignore-without-reason",
        severity="note",
        summary="An ignore comment gives no reason and has no effect.",
        way_out='Add one: `<!-- grounded: ignore[rule] reason="…" -->`, or remove the comment.',
    ),
)

PROBLEMS: tuple[str, ...] = tuple(problem.id for problem in _PROBLEMS)
EVERY_RULE: dict[str, Rule] = {rule.id: rule for rule in (*TABLE, *_PROBLEMS)}
"""Every rule by its id: the rows of the decision table in their order, then the problems."""

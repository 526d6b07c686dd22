"""Defines the rules for problems, which concern a file or the run and not a claim, such as a file
that cannot be read.

Also defines the list of all rules.
"""

from __future__ import annotations

from grounded_ingest.rules.registry import TABLE
from grounded_ingest.rules.rule import Rule

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
            "The baseline file is missing or broken, or lists findings that do not exist any more."
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

"""Defines `grounded-ingest review`, which lists waiting claims and records what people decide."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast, get_args

import click
import msgspec

from grounded_ingest.cli.group import cli, color_option, json_option, network_option, rare_option
from grounded_ingest.cli.review_walk import MERGE_FIRST, QueueWalk, need_terminal
from grounded_ingest.cli.terminal import coloured, done, emit, progress, say
from grounded_ingest.config.globs import matches
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision, Source
from grounded_ingest.records.review_log import Review, ReviewAction, logs_on_disk
from grounded_ingest.report.as_json import format_json
from grounded_ingest.report.explanation import (
    log_line,
    queue_entry,
    queue_line,
    queue_lines,
    review_lines,
)
from grounded_ingest.report.formats import PLAIN, Look
from grounded_ingest.review.context_view import review_entries
from grounded_ingest.review.desk import Desk, QueueFilter, QueueState, ReviewOutcome
from grounded_ingest.rules.registry import RULES
from grounded_ingest.text.printable import number_of, printable

STATES: tuple[QueueState, ...] = get_args(QueueState)
_DONE = {"approve": "approved", "reject": "rejected", "revoke": "taken back"}
_AGE = {"h": 1 / 24, "d": 1.0, "w": 7.0}


class _Age(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "age"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        found = re.fullmatch(r"(\d{1,5})([hdw])", str(value))
        if found is None:
            self.fail(
                f"`{value}` is not an age; expected a form such as 12h, 30d or 4w", param, ctx
            )
        return int(found[1]) * _AGE[found[2]]


_FILTERS = (
    click.option(
        "--path", "paths", multiple=True, metavar="GLOB", help="Only claims in these files."
    ),
    rare_option(
        "--section",
        default="",
        metavar="TEXT",
        help="Only claims in sections whose heading contains TEXT.",
    ),
    rare_option(
        "--rule",
        "rules",
        multiple=True,
        type=click.Choice([*RULES]),
        metavar="RULE",
        help="Only claims decided by this rule.",
    ),
    rare_option(
        "--source",
        "sources",
        multiple=True,
        type=click.Choice([*map(str, Source)]),
        metavar="SOURCE",
        help="Only claims from this source, such as user or ai_synthesis.",
    ),
    rare_option(
        "--author",
        default="",
        metavar="TEXT",
        help="Only claims whose author's name or e-mail contains TEXT.",
    ),
    rare_option(
        "--age",
        type=_Age(),
        default="0h",
        metavar="AGE",
        help="Only claims at least this old: 12h, 30d, 4w.",
    ),
    click.option("--all-owners", is_flag=True, help="Also include claims that other people own."),
)


def _filters(function: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_FILTERS):
        function = option(function)
    return function


@contextmanager
def _desk(*, offline: bool, quiet: bool = False) -> Iterator[Desk]:
    """Checks the current repository and yields its review queue. Closes the queue at the end."""
    with Repo() as repo:
        progress(quiet=quiet)("reading the queue")
        desk = Desk(repo, online=not offline, environ=os.environ)
        done()
        try:
            yield desk
        finally:
            desk.close()


@cli.group("review", invoke_without_command=True)
@_filters
@network_option
@color_option
@click.pass_context
def command(ctx: click.Context, /, *, offline: bool, color: Any, **filters: Any) -> None:
    """Approve or reject claims that wait for a person. Without one of the commands below: asks on a
    terminal and records each answer immediately.

    \b
    grounded-ingest review --path "docs/**"
    """
    if ctx.invoked_subcommand is not None:
        return
    need_terminal()
    with _desk(offline=offline) as desk:
        desk.refuse_agents()
        QueueWalk(desk, QueueFilter(**filters), Look(color=coloured(color))).run()
    sys.exit(Exit.OK)


@command.command("list")
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice(STATES),
    default=("pending",),
    help="Only claims in this state. May be repeated. Default: pending.",
)
@_filters
@json_option
@network_option
@color_option
def list_(*, states: Any, as_json: bool, offline: bool, color: Any, **filters: Any) -> None:
    """List claims that wait for a person, by document section.

    \b
    grounded-ingest review list --age 7d
    """
    with _desk(offline=offline, quiet=as_json) as desk:
        wanted = QueueFilter(**filters, states=states)
        entries = _entries(desk, desk.find(wanted))
        hidden = desk.hidden(wanted)
    if as_json:
        claims = [queue_entry(*e) for e in entries]
        found = {"schema": "grounded-ingest/review-list/1", "claims": claims, "of_others": hidden}
        emit(format_json(found), exact=True)
        return
    emit("".join(f"{line}\n" for line in queue_lines(entries, Look(color=coloured(color)))))
    emit(f"{number_of(len(entries), 'claim')} ({', '.join(states)})\n")
    if hidden:
        emit(f"{number_of(hidden, 'claim')} with other owners are not listed; add --all-owners\n")


@command.command()
@click.argument("names", nargs=-1, required=True, metavar="ID|PATH:LINE…")
@json_option
@network_option
@color_option
def show(*, names: tuple[str, ...], as_json: bool, offline: bool, color: Any) -> None:
    """Show all details of claims.

    \b
    grounded-ingest review show memory/notes.md:5


    The details are findings, evidence, cited text, similar claims and the review log.
    """
    with _desk(offline=offline, quiet=as_json) as desk:
        wanted = QueueFilter(names=names, states=STATES, all_owners=True)
        found = review_entries(desk, desk.find(wanted))
    if as_json:
        _emit_json("show", claims=found)
        return
    look = Look(color=coloured(color))
    emit("\n".join("".join(f"{line}\n" for line in review_lines(f, look)) for f in found))


@command.command()
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="GLOB",
    help="Only entries about claims in these files.",
)
@click.option(
    "--reviewer",
    default="",
    metavar="TEXT",
    help="Only entries whose reviewer's e-mail contains TEXT.",
)
@json_option
def log(*, paths: tuple[str, ...], reviewer: str, as_json: bool) -> None:
    """Show what people decided about claims.

    \b
    grounded-ingest review log


    Each entry has a time, an action, a reviewer and a reason.
    """
    with Repo() as repo:
        lines, messages = logs_on_disk(repo, repo.index())
        for message in messages:
            say(printable(message))
        found = [
            (path, line)
            for path, line in lines
            if (not paths or matches(paths, path, below=True))
            and reviewer.casefold() in line.reviewer.casefold()
        ]
    found.sort(key=lambda f: f[1].reviewed_at)
    if as_json:
        _emit_json("log", lines=[{"path": path, **_review_json(line)} for path, line in found])
        return
    for path, line in found:
        what = f"{line.id[:8]} {printable(path)}: {printable(line.claim, 120)}"
        emit(f"{log_line(_review_json(line))}\n    {what}\n")


def _add_decision_command(
    action: ReviewAction, states: tuple[QueueState, ...], why: str, about: str
) -> None:
    """Adds the command `approve`, `reject` or `revoke`. states: the states that a filter such as
    `--path` selects from. why, about: the help for `--reason` and for the command."""

    @_filters
    @click.argument("names", nargs=-1, metavar="[ID|PATH|PATH:LINE…]")
    @click.option("--reason", default="", metavar="TEXT", help=why)
    @click.option("--dry-run", is_flag=True, help="Show what would be done, but write nothing.")
    @click.option("--yes", is_flag=True, help="Do not ask before deciding about several claims.")
    @json_option
    @network_option
    def decide(
        *,
        names: tuple[str, ...],
        reason: str,
        dry_run: bool,
        yes: bool,
        as_json: bool,
        offline: bool,
        **filters: Any,
    ) -> None:
        if action == "reject" and not reason.strip():
            raise GroundedIngestError("reject needs a reason", "add --reason TEXT")
        wanted = QueueFilter(**filters, names=names, states=STATES if names else states)
        if not wanted.narrow:
            raise GroundedIngestError(
                f"there is no claim to {action}: no id, place or filter is given",
                f"give an ID, a PATH:LINE or a filter such as --path: review {action} ID",
            )
        with _desk(offline=offline, quiet=as_json) as desk:
            desk.refuse_agents()
            found = desk.find(wanted._replace(all_owners=bool(names) or wanted.all_owners))
            do = not dry_run and (len(found) <= 1 or yes or _confirm(desk, action, found))
            did = desk.act(action, found, reason.strip(), dry=not do)
            if as_json:
                _emit_decided(action, desk, found, did, dry=not do)
            else:
                _tell_decided(action, desk, found, did, dry=not do)
        sys.exit(Exit.FOUND if did.refused else Exit.OK)

    codes = f"Exit codes: 0 done, 1 you may not {action} some of the claims, 2 wrong usage."
    decide.__doc__ = f"{about}\n\n\b\ngrounded-ingest review {action} docs/setup.md:12\n\n{codes}"
    command.command(action)(decide)


_add_decision_command(
    "approve",
    ("pending",),
    "Reason for the review log.",
    "Approve claims in documents that you may review.",
)
_add_decision_command(
    "reject",
    ("pending", "advisory", "approved", "grounded", "open"),
    "Reason for the review log; required.",
    "Reject claims. A rejected claim blocks every commit that contains it.",
)
_add_decision_command(
    "revoke",
    ("advisory", "approved", "rejected"),
    "Reason for the review log.",
    "Undo approvals and rejections.",
)


def _confirm(desk: Desk, action: ReviewAction, found: Sequence[Decision]) -> bool:
    if not sys.stdin.isatty():
        raise GroundedIngestError(
            f"review {action} for {number_of(len(found), 'claim')} needs a terminal or --yes",
            "check the claims with --dry-run, then add --yes",
        )
    emit("".join(f"{line}\n" for line in queue_lines(_entries(desk, found), PLAIN)))
    return click.confirm(f"{action} {number_of(len(found), 'claim')}?")


def _entries(
    desk: Desk, found: Sequence[Decision]
) -> list[tuple[Decision, str, Sequence[tuple[str, str]]]]:
    return [(d, desk.state(d), desk.context(d)) for d in found]


def _emit_decided(
    action: ReviewAction, desk: Desk, found: Sequence[Decision], did: ReviewOutcome, *, dry: bool
) -> None:
    refused = [{"path": d.place.path, "id": d.place.claim.id, "why": why} for d, why in did.refused]
    _emit_json(
        action,
        dry_run=dry,
        claims=[queue_entry(*e) for e in _entries(desk, found)],
        written=[{"path": path, **_review_json(line)} for path, line in did.written],
        unchanged=did.unchanged,
        refused=refused,
    )


def _tell_decided(
    action: ReviewAction, desk: Desk, found: Sequence[Decision], did: ReviewOutcome, *, dry: bool
) -> None:
    refused = {d.place for d, _ in did.refused}
    for decision in found if dry else ():
        if decision.place not in refused:
            emit(f"would {action} {queue_line(decision, desk.state(decision), PLAIN)}\n")
    for decision, why in did.refused:
        place = decision.place
        say(f"refused {printable(place.path)}:{place.claim.line}: {printable(why)}")
    if dry:
        count = number_of(len(found) - len(did.refused), "claim")
        emit(f"{count} would be {_DONE[action]}; nothing was written\n")
        return
    unchanged = f", {did.unchanged} unchanged" if did.unchanged else ""
    emit(f"{number_of(len(did.written), 'claim')} {_DONE[action]}{unchanged}\n")
    if did.written and action == "approve":
        emit(MERGE_FIRST)


def _emit_json(what: str, **found: Any) -> None:
    emit(format_json({"schema": f"grounded-ingest/review-{what}/1", **found}), exact=True)


def _review_json(line: Review) -> dict[str, Any]:
    built = cast("dict[str, Any]", msgspec.to_builtins(line))
    return built | {"ordinal": line.ordinal, "reason": line.reason, "claim": line.claim}

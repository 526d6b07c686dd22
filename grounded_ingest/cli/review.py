"""`grounded-ingest review`: the queue, and what people decide about it."""

from __future__ import annotations

import sys
from typing import Any

import click

from grounded_ingest.cli.options import color_option, network_option
from grounded_ingest.cli.review_bulk import (
    STATES,
    claims,
    deciding,
    desk_of,
    emit_json,
    filtered,
    json_option,
    review_line,
    wanted_by,
)
from grounded_ingest.cli.terminal import coloured, emit, say
from grounded_ingest.errors import Exit
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.explanation import log_line, queue_entry, queue_lines, review_lines
from grounded_ingest.report.formats import Look
from grounded_ingest.text.printable import printable


@click.group(invoke_without_command=True)
@click.option(
    "--from-pr",
    type=click.IntRange(min=1),
    metavar="N",
    help="Record what a reviewer approved by approving this pull or merge request.",
)
@filtered
@network_option
@color_option
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:
    """Walk the queue section by section, or list and decide with the commands below.

    Without a command: needs a terminal, and writes every decision when it is made.
    """
    if ctx.invoked_subcommand is None:
        _walk(**flags)
        sys.exit(Exit.OK)


def _walk(*, from_pr: int | None, offline: bool, color: Any, **filters: Any) -> None:
    if from_pr is not None:
        from grounded_ingest.review.import_from_pull import import_approvals

        with desk_of(offline=offline) as desk:
            emit("".join(f"{printable(line)}\n" for line in import_approvals(desk, from_pr)))
        return
    from grounded_ingest.cli.review_interactive import need_terminal, walk_queue

    need_terminal()
    with desk_of(offline=offline) as desk:
        walk_queue(desk, wanted_by(filters), Look(color=coloured(color)))


@command.command("list")
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice(STATES),
    default=("pending",),
    help="In these states; pending if not said.",
)
@filtered
@json_option
@network_option
@color_option
def list_(*, states: Any, as_json: bool, offline: bool, color: Any, **filters: Any) -> None:
    """List claims that wait, by document section."""
    with desk_of(offline=offline, quiet=as_json) as desk:
        wanted = wanted_by(filters, states=states)
        entries = [(d, desk.state(d), desk.context(d)) for d in desk.find(wanted)]
        hidden = desk.hidden(wanted)
    if as_json:
        emit_json("list", claims=[queue_entry(*e) for e in entries], of_others=hidden)
        return
    emit("".join(f"{line}\n" for line in queue_lines(entries, Look(color=coloured(color)))))
    emit(f"{claims(len(entries))} ({', '.join(states)})\n")
    if hidden:
        emit(f"{claims(hidden)} of other owners (--all-owners)\n")


@command.command()
@click.argument("names", nargs=-1, required=True, metavar="ID|PATH:LINE…")
@json_option
@network_option
@color_option
def show(*, names: tuple[str, ...], as_json: bool, offline: bool, color: Any) -> None:
    """Show claims in full: findings, evidence, sources' text, nearest memories, log."""
    from grounded_ingest.review.context_view import in_full

    with desk_of(offline=offline, quiet=as_json) as desk:
        wanted = wanted_by({}, names=names, states=STATES, all_owners=True)
        found = in_full(desk, desk.find(wanted))
    if as_json:
        emit_json("show", claims=found)
        return
    look = Look(color=coloured(color))
    emit("\n".join("".join(f"{line}\n" for line in review_lines(f, look)) for f in found))


command.add_command(
    deciding("approve", ("pending",), "Why, for the log.", "Approve claims you may decide about.")
)
command.add_command(
    deciding(
        "reject",
        ("pending", "advisory", "approved", "grounded", "open"),
        "Why; required.",
        "Reject claims: they block from now on, and when they come back.",
    )
)
command.add_command(
    deciding(
        "revoke",
        ("advisory", "approved", "rejected"),
        "Why, for the log.",
        "Take approvals and rejections back.",
    )
)


@command.command()
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Of these documents.")
@click.option("--reviewer", default="", metavar="TEXT", help="By whom: part of the address.")
@json_option
def log(*, paths: tuple[str, ...], reviewer: str, as_json: bool) -> None:
    """Show what was decided: time, reviewer, action, reason."""
    from grounded_ingest.config.globs import matches
    from grounded_ingest.records.review_log import logs_on_disk

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
        emit_json("log", lines=[{"path": path, **review_line(line)} for path, line in found])
        return
    for path, line in found:
        what = f"{line.id[:8]} {printable(path)}: {printable(line.claim, 120)}"
        emit(f"{log_line(review_line(line))}\n    {what}\n")

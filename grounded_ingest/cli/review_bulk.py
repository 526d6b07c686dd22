"""`grounded-ingest review approve`, `reject` and `revoke`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import click

from grounded_ingest.cli.options import network_option
from grounded_ingest.cli.terminal import done, emit, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.explanation import queue_entry, queue_line, queue_lines
from grounded_ingest.report.formats import PLAIN
from grounded_ingest.text.printable import printable

if TYPE_CHECKING:
    from grounded_ingest.model.claims import Decision
    from grounded_ingest.records.review_log import Review, ReviewAction
    from grounded_ingest.review.desk import Desk, QueueFilter, ReviewOutcome

DONE = {"approve": "approved", "reject": "rejected", "revoke": "taken back"}


def deciding(action: ReviewAction, states: tuple[str, ...], why: str, about: str) -> click.Command:
    """A command; all have the same options. `states`: what filters alone can mean."""

    @filtered
    @click.argument("names", nargs=-1, metavar="[ID|PATH|PATH:LINE…]")
    @click.option("--reason", default="", metavar="TEXT", help=why)
    @click.option("--dry-run", is_flag=True, help="Say what would be done, do nothing.")
    @click.option("--yes", is_flag=True, help="Do it without asking.")
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
            raise GroundedIngestError("a rejection needs its reason", "add --reason TEXT")
        wanted = wanted_by(filters, names=names, states=STATES if names else states)
        if not wanted.narrow:
            raise GroundedIngestError(
                f"nothing says what to {action}", "give ids, places or a filter"
            )
        with desk_of(offline=offline, quiet=as_json) as desk:
            desk.refuse_agents()
            found = desk.find(wanted._replace(all_owners=bool(names) or wanted.all_owners))
            do = not dry_run and (len(found) <= 1 or yes or _agreed(desk, action, found))
            did = desk.act(action, found, reason.strip(), dry=not do)
            _tell(action, desk, found, did, dry=not do, as_json=as_json)
        sys.exit(Exit.FOUND if did.refused else Exit.OK)

    decide.__doc__ = about
    return click.command(action)(decide)


def _agreed(desk: Desk, action: ReviewAction, found: Sequence[Decision]) -> bool:
    if not sys.stdin.isatty():
        raise GroundedIngestError(
            f"{claims(len(found))} would be {DONE[action]}, and there is no terminal to ask on",
            "look with --dry-run, then add --yes",
        )
    emit(
        "".join(
            f"{line}\n"
            for line in queue_lines([(d, desk.state(d), desk.context(d)) for d in found], PLAIN)
        )
    )
    return click.confirm(f"{action} {claims(len(found))}?")


def _tell(
    action: ReviewAction,
    desk: Desk,
    found: Sequence[Decision],
    did: ReviewOutcome,
    *,
    dry: bool,
    as_json: bool,
) -> None:
    if as_json:
        emit_json(
            action,
            dry_run=dry,
            claims=[queue_entry(d, desk.state(d), desk.context(d)) for d in found],
            written=[{"path": path, **review_line(line)} for path, line in did.written],
            unchanged=did.unchanged,
            refused=[
                {"path": d.place.path, "id": d.place.claim.id, "why": w} for d, w in did.refused
            ],
        )
        return
    refused = {d.place for d, _ in did.refused}
    for decision in found if dry else ():
        if decision.place not in refused:
            emit(f"would {action} {queue_line(decision, desk.state(decision), PLAIN)}\n")
    for decision, why in did.refused:
        place = decision.place
        say(f"refused {printable(place.path)}:{place.claim.line}: {printable(why)}")
    if dry:
        count = claims(len(found) - len(did.refused))
        emit(f"{count} would be {DONE[action]}; nothing was written\n")
        return
    unchanged = f", {did.unchanged} as it was" if did.unchanged else ""
    emit(f"{claims(len(did.written))} {DONE[action]}{unchanged}\n")
    if did.written and action == "approve":
        emit("advisory until it lands: commit .grounded/reviews with the text\n")


STATES = (
    "pending", "advisory", "approved", "rejected", "grounded", "blocked", "open",
)  # fmt: skip
_AGE = {"h": 1 / 24, "d": 1.0, "w": 7.0}


class _Age(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "age"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        found = re.fullmatch(r"(\d{1,5})([hdw])", str(value))
        if found is None:
            self.fail(f"{value} is no age; write it as 12h, 30d or 4w", param, ctx)
        return int(found[1]) * _AGE[found[2]]


_FILTERS = (
    click.option("--path", "paths", multiple=True, metavar="GLOB", help="Of these documents."),
    click.option("--section", default="", metavar="TEXT", help="Whose section path has this."),
    click.option("--rule", "rules", multiple=True, metavar="RULE", help="Decided by these rules."),
    click.option("--source", "sources", multiple=True, metavar="SOURCE", help="Of these sources."),
    click.option("--author", default="", metavar="TEXT", help="By whom: part of name or address."),
    click.option(
        "--age", type=_Age(), default="0h", metavar="AGE", help="At least so old: 12h, 30d, 4w."
    ),
    click.option("--all-owners", is_flag=True, help="Those of other owners as well."),
)


def filtered(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the filters."""
    for option in reversed(_FILTERS):
        function = option(function)
    return function


json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


@contextmanager
def desk_of(*, offline: bool, quiet: bool = False) -> Iterator[Desk]:
    """The queue of the repository we are in."""
    from grounded_ingest.review.desk import Desk

    with Repo() as repo:
        progress(quiet=quiet)("reading the queue")
        desk = Desk(repo, online=not offline, environ=os.environ)
        done()
        try:
            yield desk
        finally:
            desk.close()


def wanted_by(filters: dict[str, Any], **more: Any) -> QueueFilter:
    """Filters as they were given."""
    from grounded_ingest.review.desk import QueueFilter

    return QueueFilter(**{**filters, **more})


def emit_json(what: str, **found: Any) -> None:
    """One JSON object that names its schema."""
    from grounded_ingest.report.as_json import format_json

    emit(format_json({"schema": f"grounded-ingest/review-{what}/1", **found}), exact=True)


def review_line(line: Review) -> dict[str, Any]:
    """A line of a log in full."""
    import msgspec

    built = cast("dict[str, Any]", msgspec.to_builtins(line))
    return built | {"ordinal": line.ordinal, "reason": line.reason, "claim": line.claim}


def claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"

"""What the commands of `grounded-ingest review` share: filters, the desk, JSON, counts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import click

from grounded_ingest.cli.terminal import done, emit, progress
from grounded_ingest.git.repository import Repo

if TYPE_CHECKING:
    from grounded_ingest.records.review_log import Review
    from grounded_ingest.review.desk import Desk, QueueFilter

STATES = ("pending", "advisory", "approved", "rejected", "grounded", "blocked")
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
    from grounded_ingest.report.as_json import pretty

    emit(pretty({"schema": f"grounded-ingest/review-{what}/1", **found}), exact=True)


def review_line(line: Review) -> dict[str, Any]:
    """A line of a log in full."""
    import msgspec

    built = cast("dict[str, Any]", msgspec.to_builtins(line))
    return built | {"ordinal": line.ordinal, "reason": line.reason, "claim": line.claim}


def claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"

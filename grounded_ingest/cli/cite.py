"""`grounded-ingest cite`: where a sentence, or a line, could be cited."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from grounded_ingest.cli.options import color_option
from grounded_ingest.cli.terminal import coloured, emit
from grounded_ingest.errors import Exit
from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.formats import Look
from grounded_ingest.repository.scope import Asked

_AT = re.compile(r"(?P<path>[^\s:]+):(?P<line>\d{1,7})$")


@click.command()
@click.argument("what", metavar="TEXT|PATH:LINE")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@color_option
def command(what: str, *, as_json: bool, color: Any) -> None:
    """Offer up to three places to cite for TEXT, or names for PATH:LINE.

    Definitions come first, as `path::name`. It is advice: nothing is written, and whether a place
    bears the text out only `check` says.
    """
    from grounded_ingest.references.citable import citable, citable_at

    with Repo() as repo:
        result = run(repo, Asked("paths", ("\0",)), Options(online=False))
        context = result.engine.context
        at = _AT.match(what)
        if at and context.tree.has(at["path"]):
            places = citable_at(at["path"], int(at["line"]), context)
        else:
            places = citable(what, context)
        result.kb.index.close()
    if as_json:
        from grounded_ingest.report.as_json import format_json

        found = [place._asdict() for place in places]
        emit(format_json({"schema": "grounded-ingest/cite/1", "places": found}), exact=True)
    else:
        look = Look(color=coloured(color))
        lines = [f"{look.paint(p.target, 'bold')}  {p.quote}" for p in places]
        emit("".join(f"{line}\n" for line in lines or ["nothing in the tree says most of this"]))
    sys.exit(Exit.OK if places else Exit.FOUND)

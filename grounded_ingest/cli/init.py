"""`grounded-ingest init`: set up the hook, the configuration and what guards the evidence."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from grounded_ingest.cli.options import color_option
from grounded_ingest.cli.terminal import coloured, emit
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.verbosity import Look

if TYPE_CHECKING:
    from grounded_ingest.cli.judge_offers import JudgeOffer


@click.command()
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, write nothing.")
@click.option(
    "--preset",
    type=click.Choice(["advisory", "default", "strict"]),
    default="advisory",
    help="What the configuration starts with; advisory never fails a commit.",
)
@click.option(
    "--judge", default="", metavar="NAME", help="Configure this judge, of those found here."
)
@click.option(
    "--repo", "source", default="", metavar="URL", help="Let pre-commit install from here."
)
@click.option("--rev", default="", metavar="REV", help="The tag or commit for --repo.")
@color_option
def command(
    *, yes: bool, dry_run: bool, preset: str, judge: str, source: str, rev: str, color: Any
) -> None:
    """Set up the hook, the configuration and the evidence directory.

    Shows first exactly what it will write, and asks. Without --repo and --rev the hook runs the
    grounded-ingest that is installed on this machine.
    """
    from grounded_ingest.cli.installation import as_diff, carry_out, steps
    from grounded_ingest.cli.judge_offers import judge_offers, told_offers

    if bool(source) != bool(rev):
        raise GroundedIngestError("--repo and --rev go together", "give both, or neither")
    with Repo() as repo:
        if repo.bare:
            raise GroundedIngestError("init needs a work tree; this repository is bare")
        offers = judge_offers(repo.root)
        chosen = _chosen(offers, judge)
        plan = steps(repo.root, preset, source, rev, chosen.configuration if chosen else "")
    look = Look(color=coloured(color))
    emit("".join(f"{line}\n" for step in plan.steps for line in as_diff(step, look)))
    if plan.steps and not dry_run and _agreed(yes=yes):
        carry_out(repo.root, plan.steps)
        emit(
            "written. Next: pre-commit install --hook-type pre-commit --hook-type pre-merge-commit,"
            " then commit these files.\n"
        )
    elif not plan.steps:
        emit("nothing to do: everything is set up\n")
    hints = (*plan.hints, *(told_offers(offers, chosen) if chosen or not plan.judged else ()))
    emit("".join(f"{hint}\n" for hint in hints))
    sys.exit(Exit.OK)


def _chosen(offers: list[JudgeOffer], name: str) -> JudgeOffer | None:
    found = next((o for o in offers if o.name == name), None)
    if name and not found:
        names = ", ".join(o.name for o in offers) or "none"
        raise GroundedIngestError(f"no judge {name} was found here", f"found: {names}")
    return found


def _agreed(*, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise GroundedIngestError("nothing written: there is no terminal to ask on", "add --yes")
    if click.confirm("Write this?"):
        return True
    emit("nothing written\n")
    return False

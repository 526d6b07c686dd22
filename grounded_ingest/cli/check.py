"""`grounded-ingest check`: the command, the hook and what the action runs."""

from __future__ import annotations

import os
import sys
from typing import Any

import click
from msgspec.structs import replace

from grounded_ingest import staging
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git import Repo
from grounded_ingest.model import Problem, Report, Tier
from grounded_ingest.pipeline import Options, Result, run
from grounded_ingest.report import FORMATS
from grounded_ingest.scope import Asked, asked_of_environment
from grounded_ingest.sidecar import DIRECTORY

_Argument = click.argument("paths", nargs=-1, type=click.Path())


@click.command()
@_Argument
@click.option("--staged", is_flag=True, help="Check what is staged (the hook).")
@click.option("--since", metavar="REF", help="Check the commits since REF.")
@click.option("--range", "range_", metavar="A..B", help="Check what B changes against A.")
@click.option("--all", "all_", is_flag=True, help="Check every claim of the knowledge base.")
@click.option("--base", metavar="REF", default="", help="Judge against this branch.")
@click.option(
    "--fail-on", type=click.Choice(["block", "review", "never"]), help="What makes exit code 1."
)
@click.option("--locked", is_flag=True, help="Fail where evidence is missing or behind.")
@click.option("--offline/--online", default=False, help="Leave the network alone.")
@click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="S", help="Seconds for all of the network."
)
@click.option(
    "--output-format",
    "formats",
    multiple=True,
    type=click.Choice(list(FORMATS)),
    help="May be repeated.",
)
@click.option(
    "--output-file",
    "files",
    multiple=True,
    type=click.Path(dir_okay=False),
    help="In pairs with --output-format.",
)
@click.option(
    "--config",
    default="",
    type=click.Path(dir_okay=False),
    help="Judge by this configuration file.",
)
@click.option("--isolated", is_flag=True, help="Judge by the defaults alone.")
@click.option(
    "--select", multiple=True, metavar="RULE", help="Only these of the rules a policy may move."
)
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave these rules out.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the local cache.")
@click.option("--write/--no-write", default=False, help="Write evidence files.")
@click.option("-q", "--quiet", is_flag=True, help="Show only what blocks.")
@click.option("-v", "--verbose", is_flag=True, help="Show every claim that waits for review.")
def command(paths: tuple[str, ...], **flags: Any) -> None:
    """Sort claims into approve, review and block by their evidence.

    Without arguments: documents that differ from HEAD, untracked ones included.
    """
    if len(flags["files"]) > max(1, len(flags["formats"])):
        raise GroundedIngestError("--output-file without its --output-format", "give them in pairs")
    verbosity = -1 if flags["quiet"] else int(flags["verbose"])
    with Repo() as repo:
        asked = asked_of_environment(_asked(repo, paths, flags), os.environ)
        result = run(repo, asked, _options(flags), _progress(flags["quiet"]))
        result, failed = _evidence(repo, result, flags)
        _output(result.report, flags["formats"] or ("text",), flags["files"], verbosity)
        if failed:
            _keep(repo, result.report)
        result.kb.index.close()
    sys.exit(Exit.FOUND if failed else Exit.OK)


def _asked(repo: Repo, paths: tuple[str, ...], flags: dict[str, Any]) -> Asked:
    chosen = [n for n in ("staged", "since", "range_", "all_") if flags[n]]
    if len(chosen) > 1 or (paths and chosen):
        raise GroundedIngestError("choose one of PATHS, --staged, --since, --range and --all")
    base = flags["base"]
    if flags["staged"]:
        return Asked("staged", base=base)
    if flags["since"]:
        return Asked("range", start=flags["since"], base=base)
    if flags["range_"]:
        start, dots, end = flags["range_"].partition("..")
        if not dots or not start:
            raise GroundedIngestError(f"not a range: {flags['range_']}", "write it as A..B")
        return Asked("range", start=start, end=end.lstrip(".") or "HEAD", base=base)
    if flags["all_"]:
        return Asked("all", base=base)
    if paths:
        return Asked("paths", tuple(_from_root(repo, p) for p in paths), base=base)
    return Asked("worktree", base=base)


def _from_root(repo: Repo, path: str) -> str:
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(repo.root)).replace(
        os.sep, "/"
    )
    if relative.startswith("../"):
        raise GroundedIngestError(f"{path} is outside the repository {repo.root}")
    if not os.path.lexists(path):
        raise GroundedIngestError(f"{path} does not exist")
    return relative


def _options(flags: dict[str, Any]) -> Options:
    return Options(
        config=flags["config"],
        isolated=flags["isolated"],
        online=not flags["offline"],
        budget=flags["timeout"],
        cache=not flags["no_cache"],
        select=flags["select"],
        ignore=flags["ignore"],
    )


def _progress(quiet: bool) -> Any:
    if quiet or not sys.stderr.isatty() or os.environ.get("PRE_COMMIT"):
        return lambda _: None
    return lambda text: sys.stderr.write(f"\r\033[K{text} …\r")


def _evidence(repo: Repo, result: Result, flags: dict[str, Any]) -> tuple[Result, bool]:
    """Compare and, where asked, write sidecars; whether the run fails."""
    failed = staging.fails(result, flags["fail_on"] or "")
    hook = result.scoped.mode == "staged"
    written = (
        flags["write"]
        and result.scoped.mode in ("staged", "worktree", "paths")
        or (flags["write"] and flags["all_"])
    )
    plan = staging.make_plan(result, heal=bool(written))
    said: list[Problem] = []
    if written and not failed and not repo.bare:
        why = staging.why_not_written(repo, plan, result) if hook else ""
        if why and plan.writes:
            said.append(Problem("", 0, "stale-sidecar", f"evidence is not written: {why}"))
            staging.note_behind(repo, (d.path for d in result.documents))
        else:
            stage = hook and result.config.stage_evidence
            changed = staging.write(repo, result, plan, stage=stage)
            if hook and changed and not stage:
                said.append(
                    Problem(
                        "",
                        0,
                        "stale-sidecar",
                        f"evidence was written; run: git add {DIRECTORY}",
                    )
                )
                failed = True
    elif flags["locked"] or (plan.stale and result.scoped.tree.is_dir(DIRECTORY)):
        tier = Tier.BLOCK if flags["locked"] else 0
        said += [replace(p, tier=int(tier)) for p in plan.stale]
        failed = failed or (flags["locked"] and bool(plan.stale))
    report = replace(result.report, problems=(*result.report.problems, *said))
    return replace(result, report=report), failed


def _output(
    report: Report, formats: tuple[str, ...], files: tuple[str, ...], verbosity: int
) -> None:
    for number, name in enumerate(formats):
        text = FORMATS[name](report, verbosity)
        if number < len(files) and files[number] != "-":
            try:
                with open(files[number], "w", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise GroundedIngestError(f"{files[number]}: {error.strerror}") from None
        else:
            click.echo(text, nl=False)


def _keep(repo: Repo, report: Report) -> None:
    """Keep a failed run in the git directory, for `explain`."""
    try:
        os.makedirs(f"{repo.git_dir}/grounded-ingest", exist_ok=True)
        with open(f"{repo.git_dir}/grounded-ingest/last-run.json", "w", encoding="utf-8") as file:
            file.write(FORMATS["json"](report, 0))
    except OSError:
        pass

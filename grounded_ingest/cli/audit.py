"""`grounded-ingest audit`: the whole knowledge base judged again, beside its history."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from grounded_ingest.cli.options import color_option, network_option
from grounded_ingest.cli.terminal import When, coloured, done, emit, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo

if TYPE_CHECKING:
    from grounded_ingest.audit.fixes import PlannedFixes
    from grounded_ingest.audit.model import Audit
    from grounded_ingest.audit.run import Audited
    from grounded_ingest.pipeline import Options, Progress


class AuditFlags(NamedTuple):
    """Arguments and options of the command, named as click names them."""

    paths: tuple[str, ...]
    fix: bool
    anchors: bool
    diff: bool
    base: str | None
    fail_on: Literal["block", "wrong", "review", "never"] | None
    offline: bool
    timeout: float | None
    form: Literal["text", "json"]
    file: str
    config: str | None
    isolated: bool
    no_cache: bool
    color: When
    quiet: bool
    verbose: bool


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--fix", is_flag=True, help="Rewrite what is certain; commit it yourself.")
@click.option(
    "--anchors",
    is_flag=True,
    help="With --fix or --diff: cite definitions (path::name) in place of lines.",
)
@click.option("--diff", is_flag=True, help="Show what --fix would rewrite; write nothing.")
@click.option(
    "--base", metavar="REF", help="Use this branch as base instead of the configured one."
)
@click.option(
    "--fail-on",
    type=click.Choice(["wrong", "block", "review", "never"]),
    help="What makes exit code 1.",
)
@network_option
@click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="S", help="Seconds for all of the network."
)
@click.option(
    "--output-format",
    "form",
    default="text",
    type=click.Choice(["text", "json"]),
    help="How the report is written.",
)
@click.option(
    "--output-file",
    "file",
    default="-",
    type=click.Path(dir_okay=False),
    help="Where the report goes; - is stdout.",
)
@click.option("--config", type=click.Path(dir_okay=False), help="Judge by this configuration file.")
@click.option("--isolated", is_flag=True, help="Judge by the defaults alone.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the local cache.")
@color_option
@click.option("-q", "--quiet", is_flag=True, help="Show only what is stale.")
@click.option("-v", "--verbose", is_flag=True, help="Show every citation, pair and old claim.")
def command(**flags: Any) -> None:
    """Judge the whole knowledge base again: what moved, changed, went, expired or landed.

    Without PATHS: every document.
    """
    sys.exit(_audit(AuditFlags(**flags)))


def _audit(flags: AuditFlags) -> int:
    _no_contradiction(flags)
    with Repo() as repo:
        tell = progress(quiet=flags.quiet)
        return _judge(repo, flags, tell)


def _no_contradiction(flags: AuditFlags) -> None:
    if flags.quiet and flags.verbose:
        raise GroundedIngestError("choose one of --quiet and --verbose")
    if flags.anchors and not (flags.fix or flags.diff):
        raise GroundedIngestError(
            "`--anchors` only works together with `--fix` or `--diff`", "add one of them"
        )
    given = {"--config": flags.config, "--base": flags.base}
    for name, value in given.items():
        if value == "":
            raise GroundedIngestError(f"{name} is empty", "check the variable behind it")
    directory = os.path.dirname(flags.file) or "."
    if flags.file != "-" and not os.path.isdir(directory):
        raise GroundedIngestError(f"{flags.file}: {directory} is no directory")


def _options(flags: AuditFlags) -> Options:
    from grounded_ingest.pipeline import Options

    return Options(
        config=flags.config or "",
        isolated=flags.isolated,
        online=not flags.offline,
        budget=flags.timeout,
        cache=not flags.no_cache,
    )


def _judge(repo: Repo, flags: AuditFlags, tell: Progress) -> int:
    from grounded_ingest.audit.run import audit
    from grounded_ingest.cli.check_run import from_root

    if flags.fix and not flags.diff and repo.bare:
        raise GroundedIngestError("--fix needs a work tree; this repository is bare")
    paths = tuple(from_root(repo, p) for p in flags.paths)
    audited = audit(repo, _options(flags), paths, flags.base or "", tell)
    report = audited.report
    if flags.diff:
        done()
        return _diff(flags, audited, paths)
    if flags.fix:
        report = _fix(repo, flags, audited, paths, tell)
    done()
    reused = audited.result.kb.index.reused
    if reused and not flags.quiet:
        say(f"{reused} {'text' if reused == 1 else 'texts'} of documents taken from the cache")
    _deliver(flags, _rendered(flags, report))
    audited.result.kb.index.close()
    return Exit.FOUND if _fails(flags, audited, report) else Exit.OK


def _diff(flags: AuditFlags, audited: Audited, paths: tuple[str, ...]) -> int:
    """Prints the diff of the documents; names evidence files on stderr. Returns 1 if there are
    any."""
    from grounded_ingest.audit.fixes import diff, plan_fixes, stale_part
    from grounded_ingest.language.printable import inert_text, printable

    planned = plan_fixes(audited, anchors=flags.anchors)
    _say_left(flags, planned)
    found = diff(planned.documents).decode(errors="replace")
    # GitHub reads `::error::` behind white space, as in a context line.
    shown = inert_text(re.sub(r"(?m)^([ \t]+)::", r"\1:\\u003a", found))
    emit(shown, exact=True)
    if shown != found:
        say("lines that a CI log would take for commands (`##word`, `::word::`) are changed in")
        say("  this diff, so git apply refuses it: write the documents with audit --fix")
    evidence = sorted(stale_part(audited.plan, orphans=not paths).writes)
    for path in evidence:
        say(f"would rewrite or remove {printable(path)}")
    return Exit.FOUND if found or evidence else Exit.OK


def _fix(
    repo: Repo, flags: AuditFlags, audited: Audited, paths: tuple[str, ...], tell: Progress
) -> Audit:
    """Documents first; what they hold then decides their evidence."""
    from msgspec.structs import replace

    from grounded_ingest.audit.fixes import plan_fixes, write_documents, write_evidence
    from grounded_ingest.audit.run import audit
    from grounded_ingest.language.printable import printable

    planned = plan_fixes(audited, anchors=flags.anchors)
    _say_left(flags, planned)
    written = write_documents(repo, planned.documents)
    for path in written.passed_over:
        say(f"{printable(path)} was changed meanwhile and is left as it is")
    after = audited
    if written.documents:
        after = audit(repo, _options(flags), paths, flags.base or "", tell)
    evidence = write_evidence(repo, after.plan, orphans=not paths)
    after.result.kb.index.close()
    return replace(after.report, fixed=(*written.documents, *evidence), orphans=(), behind=())


_LEFT = 20
"""Citations that stay lines and are named without -v."""


def _say_left(flags: AuditFlags, planned: PlannedFixes) -> None:
    """Which citations of lines stay, and why, on stderr."""
    from grounded_ingest.language.printable import printable

    if flags.quiet:
        return
    most = len(planned.left) if flags.verbose else _LEFT
    for left in planned.left[:most]:
        say(f"{printable(left.path)}:{left.line}: {printable(left.cited)} stays: {left.why}")
    if len(planned.left) > most:
        say(f"{len(planned.left) - most} more citations of lines stay (-v names all)")


def _fails(flags: AuditFlags, audited: Audited, report: Audit) -> bool:
    least = {"block": 3, "wrong": 2, "review": 2, "never": 4}
    return report.worst >= least[flags.fail_on or audited.result.config.fail_on]


def _rendered(flags: AuditFlags, report: Audit) -> str:
    if flags.form == "json":
        from grounded_ingest.audit.render import as_json

        return as_json(report)
    from grounded_ingest.audit.render import as_text
    from grounded_ingest.cli.invocation import program
    from grounded_ingest.report.verbosity import Look

    verbosity = -1 if flags.quiet else int(flags.verbose)
    color = flags.file == "-" and coloured(flags.color)
    return as_text(report, Look(verbosity, color, program()))


def _deliver(flags: AuditFlags, text: str) -> None:
    if flags.file == "-":
        emit(text, exact=flags.form != "text")
        return
    from grounded_ingest.cli.output import write_report

    write_report(flags.file, text)

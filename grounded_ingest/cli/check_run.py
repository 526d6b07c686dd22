"""What `grounded-ingest check` does, and the hook's short way to it, without click."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.terminal import When, done, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo, path_below

if TYPE_CHECKING:
    from grounded_ingest.knowledge.scope import Asked
    from grounded_ingest.model.report import Report
    from grounded_ingest.pipeline import Options, Result
    from grounded_ingest.report.selection import Selection


class CheckFlags(NamedTuple):
    """Arguments and options of the command, named as click names them."""

    paths: tuple[str, ...] = ()
    staged: bool = False
    since: str | None = None
    range_: str | None = None
    all_: bool = False
    base: str | None = None
    before: str = ""
    fail_on: Literal["block", "wrong", "review", "never"] | None = None
    exit_zero: bool = False
    impacted: bool = False
    locked: bool = False
    offline: bool = False
    timeout: float | None = None
    formats: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    config: str | None = None
    isolated: bool = False
    landed: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str | None = None
    update_baseline: bool = False
    no_cache: bool = False
    write: bool = False
    fix: bool = False
    diff: bool = False
    audit: bool = False
    statistics: bool = False
    show_skipped: bool = False
    watch: bool = False
    color: When = "auto"
    quiet: bool = False
    verbose: int = 0


_SWITCHES = {
    "--staged": {"staged": True}, "--all": {"all_": True}, "--write": {"write": True},
    "--no-write": {"write": False}, "--offline": {"offline": True}, "--online": {"offline": False},
    "--impacted": {"impacted": True}, "--locked": {"locked": True},
    "--exit-zero": {"exit_zero": True}, "--update-baseline": {"update_baseline": True},
    "--statistics": {"statistics": True}, "--show-skipped": {"show_skipped": True},
    "--watch": {"watch": True},
    "--isolated": {"isolated": True}, "--no-cache": {"no_cache": True},
    "--fix": {"fix": True}, "--diff": {"diff": True},
    "--quiet": {"quiet": True}, "-q": {"quiet": True},
}  # fmt: skip
_VERBOSE = ("--verbose", "-v")
_EITHER = (("quiet", "verbose"), ("write", "locked"), ("update_baseline", "watch"))


def switches(arguments: Sequence[str]) -> CheckFlags | None:
    """The flags of `check` with nothing but switches, as the hook has them; None for all else.

    That is click's, whose import costs as much as three git processes."""
    if not arguments or arguments[0] != "check":
        return None
    flags = CheckFlags()
    for argument in arguments[1:]:
        if argument in _VERBOSE:
            flags = flags._replace(verbose=flags.verbose + 1)
        elif argument in _SWITCHES:
            flags = flags._replace(**_SWITCHES[argument])  # type: ignore[arg-type]
        else:
            return None
    return flags


STEPS = 4
"""What a check says that it does: it reads, looks up, asks the tree, judges."""


def run_check(flags: CheckFlags) -> int:
    """Run the command. Returns its exit code; raises GroundedIngestError."""
    if flags.watch:
        from grounded_ingest.cli.watch import watch

        _no_contradiction(flags)
        watch(lambda: _checked(flags), flags.files)
    return _checked(flags)


def _checked(flags: CheckFlags) -> int:
    with Repo(staged=flags.staged) as repo:
        return _check(repo, flags)


def _check(repo: Repo, flags: CheckFlags) -> int:
    # Imported while git works.
    from msgspec.structs import replace

    from grounded_ingest.cli.output import deliver, keep_report, targets
    from grounded_ingest.knowledge.scope import asked_of_environment
    from grounded_ingest.language.printable import printable
    from grounded_ingest.pipeline import run
    from grounded_ingest.report import sidecar_writer as staging
    from grounded_ingest.report.kept_report import CheckOutcome, kept_outcome, may_keep

    wanted = targets(flags.formats, flags.files, statistics=flags.statistics)
    _no_contradiction(flags)
    selection = _selection(flags)
    asked = asked_of_environment(_asked(repo, flags), os.environ)

    if flags.diff:
        return _show_diff(run(repo, asked, _options(flags), progress(quiet=flags.quiet)))

    def check() -> tuple[CheckOutcome, bool]:
        tell = progress(quiet=flags.quiet, steps=STEPS)
        result = run(repo, asked, _options(flags), tell)
        if flags.fix and _fix(repo, result):
            result.kb.index.close()
            result = run(repo, asked, _options(flags), tell)
        if flags.audit:
            from grounded_ingest.report.horizons import with_expired

            result = with_expired(result)
        chosen, keeps = _chosen(result, selection, flags)
        settled, failed = staging.settle(
            repo, chosen, write=flags.write, locked=flags.locked, fail_on=_fail_on(flags),
            keeps=keeps, tell=say,
        )  # fmt: skip
        outcome = CheckOutcome(settled.report, failed, (*map(printable, settled.undocumented),))
        result.kb.index.close()  # writing a report takes as much memory as what it was made of
        return outcome, may_keep(result)

    outcome = kept_outcome(repo, _asked_for(asked, flags), check) if _rests(flags) else check()[0]
    failed = outcome.failed and not flags.exit_zero
    report = outcome.report
    if fail_on := _fail_on(flags):
        report = replace(report, fail_on=fail_on)
    done()
    verbosity = -1 if flags.quiet else flags.verbose
    if not (flags.staged and _is_silent(flags, report, failed=failed)):
        deliver(report, wanted, verbosity, flags.color, statistics=flags.statistics)
    for path in outcome.undocumented:
        say(f"{path}: no document here (see: {program()} explain {path})")
    if failed and not flags.no_cache:
        keep_report(repo, report)
    return Exit.FOUND if failed else Exit.OK


def _fix(repo: Repo, result: Result) -> bool:
    """Rewrites documents of the work tree; returns whether any was."""
    from grounded_ingest.language.printable import printable
    from grounded_ingest.report.fixes import plan_fixes, write_fixes

    if repo.bare:
        raise GroundedIngestError("--fix needs a work tree; this repository is bare")
    written = write_fixes(repo, plan_fixes(result))
    for path in written.passed_over:
        say(f"{printable(path)} was changed meanwhile and is left as it is")
    for path in written.documents:
        say(f"fixed {printable(path)}")
    return bool(written.documents)


def _show_diff(result: Result) -> int:
    """Prints what --fix would rewrite. Returns 1 if there is something."""
    from grounded_ingest.cli.terminal import emit
    from grounded_ingest.language.printable import inert_text
    from grounded_ingest.report.fixes import diff, plan_fixes

    found = diff(plan_fixes(result)).decode(errors="replace")
    result.kb.index.close()
    done()
    # GitHub reads `::error::` behind white space, as in a context line.
    shown = inert_text(re.sub(r"(?m)^([ \t]+)::", r"\1:\\u003a", found))
    emit(shown, exact=True)
    if shown != found:
        say("lines that a CI log would take for commands are changed in this diff: use --fix")
    return Exit.FOUND if found else Exit.OK


def _is_silent(flags: CheckFlags, report: Report, *, failed: bool) -> bool:
    """Whether a hook prints nothing: it passes, and would pass without `advisory`."""
    from grounded_ingest.report.ordering import entries, fails_at

    asked = flags.verbose or flags.formats or flags.show_skipped or failed
    return not asked and not fails_at(entries(report), "wrong")


def _rests(flags: CheckFlags) -> bool:
    """Whether a run reads much, writes nothing, and may find all as it was."""
    writes = flags.write or flags.fix or flags.audit or flags.update_baseline or flags.no_cache
    return not writes and bool(flags.all_ or flags.paths or flags.since or flags.range_)


def _asked_for(asked: Asked, flags: CheckFlags) -> bytes:
    """All that a check is asked for, with the files that may lie outside of the repository; how it
    is printed is no part of it."""
    printed = CheckFlags()
    judged = flags._replace(**{name: getattr(printed, name) for name in _PRINTED})
    return repr((asked, judged, *map(_content, (flags.config, flags.baseline)))).encode()


_PRINTED = (
    "formats", "files", "statistics", "color", "quiet", "verbose",
)  # fmt: skip


def _content(path: str | None) -> bytes:
    try:
        with open(path or os.devnull, "rb") as file:
            return file.read()
    except OSError:  # said when it is read
        return b""


def _fail_on(flags: CheckFlags) -> str:
    """What a run that stops nothing fails on is nothing: its evidence is written."""
    return "never" if flags.exit_zero else flags.fail_on or ""


def _selection(flags: CheckFlags) -> Selection | None:
    """What is to be muted; None where nothing is, but by the configuration."""
    if not (flags.select or flags.ignore or flags.baseline or flags.update_baseline):
        return None
    from grounded_ingest.report.selection import Selection, selectors_of

    return Selection(
        selectors_of("--select", flags.select),
        selectors_of("--ignore", flags.ignore),
        flags.baseline or "",
        flags.update_baseline,
        flags.landed,
    )


def _chosen(
    result: Result, selection: Selection | None, flags: CheckFlags
) -> tuple[Result, Callable[[str, str], bool]]:
    """The result with what is not chosen muted, and whether a rule is in a document."""
    config = result.config
    if selection is None and not (config.per_file_ignores or config.baseline):
        return result, lambda *_: True
    from grounded_ingest.report.selection import Keeping, Selection, narrowed

    selection = selection or Selection(landed=flags.landed)
    return narrowed(result, selection), Keeping(selection, result)


def _no_contradiction(flags: CheckFlags) -> None:
    for one, other in _EITHER:
        if getattr(flags, one) and getattr(flags, other):
            raise GroundedIngestError(f"choose one of {_spelt(one)} and {_spelt(other)}")
    if flags.write and (flags.since or flags.range_):
        raise GroundedIngestError(
            "--write has nowhere to write in a range", "use --staged, PATHS or --all"
        )
    if not (flags.staged or flags.since or flags.range_):
        return
    if flags.update_baseline:
        raise GroundedIngestError(
            "--update-baseline accepts nothing of a change alone", "use PATHS or --all"
        )
    for name in ("fix", "diff", "watch"):
        if getattr(flags, name):
            raise GroundedIngestError(
                f"--{name} works on the work tree, not with --staged, --since or --range",
                "use PATHS, --all or neither",
            )


def _spelt(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _asked(repo: Repo, flags: CheckFlags) -> Asked:
    from grounded_ingest.knowledge.scope import Asked, asked_range

    _one_scope(flags)
    base, before = flags.base or "", flags.before
    if flags.staged:
        return Asked("staged", base=base)
    if flags.since:
        return Asked("range", start=flags.since, base=base)
    if flags.range_:
        return asked_range(flags.range_)._replace(base=base, before=before)
    if flags.all_ or (flags.update_baseline and not flags.paths):
        return Asked("all", base=base, before=before)
    if flags.paths:
        paths = tuple(from_root(repo, p) for p in flags.paths)
        return Asked("paths", paths, base=base, before=before)
    return Asked("worktree", base=base)


def _one_scope(flags: CheckFlags) -> None:
    for name in ("since", "range_", "config", "base", "baseline"):
        # An unset variable of a workflow must not judge something else.
        if getattr(flags, name) == "":
            raise GroundedIngestError(
                f"{_spelt(name.rstrip('_'))} is empty", "check the variable behind it"
            )
    chosen = [n for n in ("staged", "since", "range_", "all_") if getattr(flags, n)]
    if len(chosen) > 1 or (flags.paths and chosen):
        raise GroundedIngestError("choose one of PATHS, --staged, --since, --range and --all")


def from_root(repo: Repo, path: str) -> str:
    """A path from the root; of a symbolic link where it leads, as documents are known by that."""
    found = path_below(repo.root, path)
    if not os.path.lexists(path):
        raise GroundedIngestError(f"{path} does not exist")
    return found


def _options(flags: CheckFlags) -> Options:
    from grounded_ingest.pipeline import Options

    return Options(
        config=flags.config or "",
        isolated=flags.isolated,
        landed=flags.landed,
        online=not flags.offline,
        budget=flags.timeout,
        cache=not flags.no_cache,
        impacted=flags.impacted,
        show_skipped=flags.show_skipped,
    )

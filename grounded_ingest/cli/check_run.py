"""Runs a check.

The hook runs this module without click, because importing click takes as long as three git
processes. Other modules are imported while git works (see `_check`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.terminal import When, done, emit, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo, path_below
from grounded_ingest.text.printable import inert_text, printable

if TYPE_CHECKING:
    from grounded_ingest.model.report import Report
    from grounded_ingest.pipeline import Options, Result
    from grounded_ingest.report.selection import Selection
    from grounded_ingest.repository.scope import Asked


class CheckFlags(NamedTuple):
    """The arguments and options for `check`; each field has the name that click gives the option.

    Four fields are not options. audit: also report expired claims. landed: always read the
    configuration and the baseline from the base branch. advises: print which commands to run next.
    before: the base commit if the base branch already contains the checked commit.
    """

    paths: tuple[str, ...] = ()
    staged: bool = False
    since: str | None = None
    range_: str | None = None
    all_: bool = False
    base: str | None = None
    before: str = ""
    fail_on: Literal["block", "wrong", "review", "never"] | None = None
    exit_zero: bool = False
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
    advises: bool = False
    statistics: bool = False
    show_skipped: bool = False
    color: When = "auto"
    quiet: bool = False
    verbose: int = 0


_SWITCHES = {
    "--staged": {"staged": True}, "--all": {"all_": True}, "--all-files": {"all_": True},
    "--write": {"write": True},
    "--no-write": {"write": False}, "--offline": {"offline": True}, "--online": {"offline": False},
    "--locked": {"locked": True},
    "--exit-zero": {"exit_zero": True}, "--update-baseline": {"update_baseline": True},
    "--statistics": {"statistics": True}, "--show-skipped": {"show_skipped": True},
    "--isolated": {"isolated": True}, "--no-cache": {"no_cache": True},
    "--fix": {"fix": True}, "--diff": {"diff": True},
    "--quiet": {"quiet": True}, "-q": {"quiet": True},
}  # fmt: skip
_VERBOSE = ("--verbose", "-v")


def switches(arguments: Sequence[str]) -> CheckFlags | None:
    """Returns the flags for `check` if all arguments are options without a value, as in the hook.
    Returns None for any other command line."""
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


def run_check(flags: CheckFlags) -> int:
    """Runs a check and prints its report. Returns the exit code. Raises GroundedIngestError if
    options contradict each other or the check cannot run."""
    with Repo(staged=flags.staged) as repo:
        if not flags.advises:
            return _check(repo, flags)
        # A first look writes nothing into the repository, so it uses a copy of the cache.
        from tempfile import TemporaryDirectory

        from grounded_ingest.git.cache import copy_cache

        with TemporaryDirectory(prefix="grounded-ingest-", ignore_cleanup_errors=True) as place:
            copy_cache(repo.cache_directory, place)
            repo.cache_directory = place
            return _check(repo, flags)


def _ways_on(repo: Repo, flags: CheckFlags, report: Report, *, failed: bool) -> str:
    """Returns what a user can do next after a first look or a stopped commit, else ""."""
    if flags.advises:
        return _next_commands(repo, report)
    if not (flags.staged and failed) or flags.quiet or flags.verbose or flags.formats:
        return ""
    # pre-commit and the script for git name the remote before a push.
    act = "push" if os.environ.get("PRE_COMMIT_REMOTE_NAME") else "commit"
    why = f"Why: {program()} explain PATH:LINE\n"
    return f"{why}{act.capitalize()} anyway: git {act} --no-verify\n"


def _next_commands(repo: Repo, report: Report) -> str:
    """Returns the commands to run after the first check. Names `--fix` only if it has an effect,
    and `init` only in a repository without a configuration."""
    from grounded_ingest.config.files import FILE
    from grounded_ingest.report.findings import list_findings

    configured = os.path.lexists(f"{repo.root}/{FILE}")
    fixes = any(item.instead for item in list_findings(report))
    left_out = bool(report.unread or report.references.skipped)
    rows = (
        ("explain PATH:LINE", "explain the decision for the claim on a line", True),
        ("check --all --fix", "correct what has exactly one possible correction", fixes),
        ("check --all --show-skipped", "list what was not checked, and why", left_out),
        ("init", "set up the commit hook; asks before it writes", not configured),
    )
    shown = [(command, about) for command, about, fits in rows if fits]
    width = max(len(command) for command, _ in shown)
    lines = (f"  {program()} {command:<{width}}  {about}\n" for command, about in shown)
    return f"\nNext:\n{''.join(lines)}"


def _check(repo: Repo, flags: CheckFlags) -> int:
    # These modules are imported while the git process that `Repo` started lists the index.
    from msgspec.structs import replace

    from grounded_ingest.cli.output import deliver, keep_report, print_brief, targets
    from grounded_ingest.pipeline import run
    from grounded_ingest.report.as_text import render_first_look, render_warnings
    from grounded_ingest.report.evidence_files import settle_evidence
    from grounded_ingest.report.kept_report import CheckOutcome, may_keep, reuse_outcome
    from grounded_ingest.repository.scope import asked_of_environment

    wanted = targets(flags.formats, flags.files, statistics=flags.statistics)
    _refuse_contradictions(flags)
    selection = _selection(flags)
    asked = asked_of_environment(_asked(repo, flags), os.environ)

    if flags.diff:
        return _show_diff(run(repo, asked, _options(flags), progress(quiet=flags.quiet)))

    fixed = 0

    def check() -> tuple[CheckOutcome, bool]:
        nonlocal fixed
        tell = progress(quiet=flags.quiet)
        result = run(repo, asked, _options(flags), tell)
        if flags.fix and _fix(repo, result):
            fixed = _fixable(result.report)
            result.kb.index.close()
            result = run(repo, asked, _options(flags), tell)
            fixed -= _fixable(result.report)
        if flags.audit:
            from grounded_ingest.report.horizons import add_expired  # the hook does not import it

            result = add_expired(result)
        chosen, keeps = _mute(result, selection, flags)
        settled, failed = settle_evidence(
            repo, chosen, write=flags.write, locked=flags.locked, fail_on=_fail_on(flags),
            keeps=keeps, tell=say,
        )  # fmt: skip
        if settled.report.has_fix:
            from grounded_ingest.report.fixes import drop_unfixable  # few runs need it

            settled = drop_unfixable(settled)
        outcome = CheckOutcome(settled.report, failed, (*map(printable, settled.undocumented),))
        result.kb.index.close()  # frees memory, because writing a large report needs as much again
        return outcome, may_keep(result)

    outcome = (
        reuse_outcome(repo, _cache_key(asked, flags), check) if _is_reusable(flags) else check()[0]
    )
    failed = outcome.failed and not flags.exit_zero
    report = outcome.report
    if fail_on := _fail_on(flags):
        report = replace(report, fail_on=fail_on)
    done()
    verbosity = -1 if flags.quiet else flags.verbose
    if flags.staged and _is_brief(flags, report, failed=failed):
        print_brief(repo, report, flags.color, render_warnings)
    elif flags.advises:
        print_brief(repo, report, flags.color, render_first_look)
    else:
        deliver(repo, report, wanted, verbosity, flags.color, statistics=flags.statistics)
    emit(_ways_on(repo, flags, report, failed=failed))
    _say_fixed(flags, fixed, report)
    for path in outcome.undocumented:
        say(f"{path}: there is no document to check here. To see why: {program()} explain {path}")
    if not (flags.no_cache or flags.advises):
        keep_report(repo, report)
    return Exit.FOUND if failed else Exit.OK


def _fix(repo: Repo, result: Result) -> bool:
    """Corrects references in the documents in the work tree. Returns whether any file changed."""
    # Imported late: the hook does not need it.
    from grounded_ingest.report.fixes import plan_fixes, write_fixes

    if repo.bare:
        raise GroundedIngestError(
            "--fix needs a work tree; this repository is bare",
            "use --fix in a clone that has a work tree",
        )
    fixed, changed = write_fixes(repo, plan_fixes(result))
    for path in changed:
        say(f"{printable(path)} was not fixed, because it changed during the check; run again")
    for path in fixed:
        say(f"fixed {printable(path)}")
    return bool(fixed)


def _fixable(report: Report) -> int:
    """Returns the number of findings that have one possible correction."""
    from grounded_ingest.report.findings import drop_repeats, list_findings

    return sum(bool(item.instead) for item in drop_repeats(list_findings(report)))


def _say_fixed(flags: CheckFlags, fixed: int, report: Report) -> None:
    """Prints how many references `--fix` corrected, and how many errors are left."""
    if flags.quiet or not flags.fix:
        return
    from grounded_ingest.report.findings import drop_repeats, list_findings

    errors = (e for e in drop_repeats(list_findings(report)) if e.severity == "error")
    if (left := len([*errors])) or fixed:
        say(f"{fixed} fixed, {left} left")


def _show_diff(result: Result) -> int:
    """Prints the diff that `--fix` would apply. Returns 1 if the diff is not empty, else 0."""
    # Imported late: the hook does not need it.
    from grounded_ingest.report.fixes import diff, plan_fixes

    found = diff(plan_fixes(result)).decode(errors="replace")
    result.kb.index.close()
    done()
    # GitHub also obeys `::error::` after white space, as in a context line of a diff.
    shown = inert_text(re.sub(r"(?m)^([ \t]+)::", r"\1:\\u003a", found))
    emit(shown, exact=True)
    if shown != found:
        say(
            "this diff cannot be applied, because some of its lines are escaped: a CI log would run"
            " them as commands; use --fix instead"
        )
    if not found:
        say("nothing has exactly one possible correction")
    return Exit.FOUND if found else Exit.OK


def _is_brief(flags: CheckFlags, report: Report, *, failed: bool) -> bool:
    """Returns whether the hook prints only the findings of `findings_of_change`, because the run
    passes without errors."""
    from grounded_ingest.report.findings import fails_at, list_findings

    if flags.verbose or flags.formats or flags.show_skipped or failed:
        return False
    return not fails_at(list_findings(report), "wrong")


def _is_reusable(flags: CheckFlags) -> bool:
    """Returns whether the report may be cached and reused: the run writes nothing, and checks
    paths, a commit range or all documents."""
    writes = flags.write or flags.fix or flags.audit or flags.update_baseline or flags.no_cache
    return not writes and bool(flags.all_ or flags.paths or flags.since or flags.range_)


_PRINTING = (
    "formats", "files", "statistics", "color", "quiet", "verbose", "advises",
)  # fmt: skip
"""Options that change how a report is printed, but not the content of the report."""


def _cache_key(asked: Asked, flags: CheckFlags) -> bytes:
    """Returns the cache key for a report. The key covers the options, and the content of the
    configuration and baseline files that they name, which may be outside the repository."""
    defaults = CheckFlags()
    judging = flags._replace(**{name: getattr(defaults, name) for name in _PRINTING})
    files = map(_content, (flags.config, flags.baseline))
    # Only runs with `--output-format` find memory operations.
    return repr((asked, judging, bool(flags.formats), *files)).encode()


def _content(path: str | None) -> bytes:
    try:
        with open(path or os.devnull, "rb") as file:
            return file.read()
    except OSError:  # the check itself reports it
        return b""


def _fail_on(flags: CheckFlags) -> str:
    """Returns the value of `--fail-on`, `never` for `--exit-zero`, or "" if the preset decides."""
    return "never" if flags.exit_zero else flags.fail_on or ""


def _selection(flags: CheckFlags) -> Selection | None:
    if not (flags.select or flags.ignore or flags.baseline or flags.update_baseline):
        return None
    from grounded_ingest.report.selection import Selection, parse_selectors

    return Selection(
        parse_selectors("--select", flags.select),
        parse_selectors("--ignore", flags.ignore),
        flags.baseline or "",
        flags.update_baseline,
        flags.landed,
    )


def _mute(
    result: Result, selection: Selection | None, flags: CheckFlags
) -> tuple[Result, Callable[[str, str], bool]]:
    """Returns the result without the findings that the options, `per_file_ignores` or the baseline
    mute. Also returns a function that takes a rule and a path, and returns whether the findings of
    that rule in that document are reported."""
    config = result.config
    if selection is None and not (config.per_file_ignores or config.baseline):
        return result, lambda *_: True
    from grounded_ingest.report.selection import Selection, mute_findings, rule_filter

    selection = selection or Selection(landed=flags.landed)
    return mute_findings(result, selection), rule_filter(selection, result)


def _refuse_contradictions(flags: CheckFlags) -> None:
    for one, other in (("quiet", "verbose"), ("write", "locked")):
        if getattr(flags, one) and getattr(flags, other):
            raise GroundedIngestError(
                f"{_spell(one)} does not work together with {_spell(other)}", "give one of them"
            )
    if flags.write and (flags.since or flags.range_):
        raise GroundedIngestError(
            "--write does not work together with --since and --range",
            "add --staged, --all or PATHS to --write",
        )
    if not (flags.staged or flags.since or flags.range_):
        return
    for name in ("update_baseline", "fix", "diff"):
        if getattr(flags, name):
            raise GroundedIngestError(
                f"{_spell(name)} does not work together with --staged, --since and --range",
                f"use {_spell(name)} with PATHS, with --all or alone",
            )


def _spell(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _asked(repo: Repo, flags: CheckFlags) -> Asked:
    from grounded_ingest.repository.scope import Asked, asked_range

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
        # `--since "$REF"` in a workflow without REF must not check something else.
        if getattr(flags, name) == "":
            raise GroundedIngestError(
                f"the value of {_spell(name.rstrip('_'))} is empty",
                "check the shell variable in the command",
            )
    chosen = [n for n in ("staged", "since", "range_", "all_") if getattr(flags, n)]
    if len(chosen) > 1 or (flags.paths and chosen):
        raise GroundedIngestError(
            "more than one of PATHS, --staged, --since, --range and --all is given",
            "give only one of them",
        )


def from_root(repo: Repo, path: str) -> str:
    """Returns `path` relative to the root of the repository.

    `path` is relative to the current directory or, as in reports, to the root. Follows symbolic
    links, because a document has the path of the real file. Raises GroundedIngestError if the path
    does not exist or is outside the repository.
    """
    if not os.path.lexists(path) and os.path.lexists(f"{repo.root}/{path}"):
        path = f"{repo.root}/{path}"
    found = path_below(repo.root, path)
    if not os.path.lexists(path):
        from grounded_ingest.config.syntax import nearest  # imported late: few runs need it

        near = nearest(found, repo.index())
        raise GroundedIngestError(f"{path} does not exist", f"did you mean {near}?" if near else "")
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
        show_skipped=flags.show_skipped,
        operations=bool(flags.formats),
    )

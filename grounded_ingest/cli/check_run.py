"""What `grounded-ingest check` does, and the hook's short way to it, without click."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from grounded_ingest.cli.terminal import When, done, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo

if TYPE_CHECKING:
    from grounded_ingest.knowledge.scope import Asked
    from grounded_ingest.pipeline import Options, Result


class CheckFlags(NamedTuple):
    """Arguments and options of the command, named as click names them."""

    paths: tuple[str, ...] = ()
    staged: bool = False
    since: str | None = None
    range_: str | None = None
    all_: bool = False
    base: str = ""
    before: str = ""
    fail_on: Literal["block", "review", "never"] | None = None
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
    jobs: int = 0
    no_cache: bool = False
    write: bool = False
    color: When = "auto"
    quiet: bool = False
    verbose: bool = False


_SWITCHES = {
    "--staged": {"staged": True}, "--all": {"all_": True}, "--write": {"write": True},
    "--no-write": {"write": False}, "--offline": {"offline": True}, "--online": {"offline": False},
    "--impacted": {"impacted": True}, "--locked": {"locked": True},
    "--isolated": {"isolated": True}, "--no-cache": {"no_cache": True},
    "--quiet": {"quiet": True}, "-q": {"quiet": True},
    "--verbose": {"verbose": True}, "-v": {"verbose": True},
}  # fmt: skip


def switches(arguments: Sequence[str]) -> CheckFlags | None:
    """The flags of `check` with nothing but switches, as the hook has them; None for all else.

    That is click's, whose import costs as much as three git processes."""
    if not arguments or arguments[0] != "check":
        return None
    flags = CheckFlags()
    for argument in arguments[1:]:
        if argument not in _SWITCHES:
            return None
        flags = flags._replace(**_SWITCHES[argument])  # type: ignore[arg-type]
    return flags


def run_check(flags: CheckFlags) -> int:
    """Run the command. Returns its exit code; raises GroundedIngestError."""
    with Repo(staged=flags.staged) as repo:
        return _check(repo, flags)


def _check(repo: Repo, flags: CheckFlags) -> int:
    # Imported while git works.
    from grounded_ingest.cli.output import deliver, keep_report, targets
    from grounded_ingest.knowledge.scope import asked_of_environment
    from grounded_ingest.pipeline import run
    from grounded_ingest.report import sidecar_writer as staging

    wanted = targets(flags.formats, flags.files)
    _no_contradiction(flags)
    asked = asked_of_environment(_asked(repo, flags), os.environ)
    result = run(repo, asked, _options(flags), progress(quiet=flags.quiet))
    result, failed = staging.settle(
        repo, result, write=flags.write, locked=flags.locked, fail_on=flags.fail_on or ""
    )
    done()
    verbosity = -1 if flags.quiet else int(flags.verbose)
    deliver(result.report, wanted, verbosity, flags.color)
    _say_what_is_no_document(result)
    if failed:
        keep_report(repo, result.report)
    result.kb.index.close()
    return Exit.FOUND if failed else Exit.OK


def _no_contradiction(flags: CheckFlags) -> None:
    if flags.quiet and flags.verbose:
        raise GroundedIngestError("choose one of --quiet and --verbose")
    if flags.write and flags.locked:
        raise GroundedIngestError("choose one of --write and --locked")
    if flags.write and (flags.since or flags.range_):
        raise GroundedIngestError(
            "--write has nowhere to write in a range", "use --staged, PATHS or --all"
        )


def _say_what_is_no_document(result: Result) -> None:
    from grounded_ingest.language.printable import printable

    documents = [d.path for d in result.documents]
    for path in result.scoped.paths:
        if path != "." and not any(d == path or d.startswith(f"{path}/") for d in documents):
            shown = printable(path)
            say(f"{shown}: no document here (see: grounded-ingest explain {shown})")


def _asked(repo: Repo, flags: CheckFlags) -> Asked:
    from grounded_ingest.knowledge.scope import Asked

    _one_scope(flags)
    base, before = flags.base, flags.before
    if flags.staged:
        return Asked("staged", base=base)
    if flags.since:
        return Asked("range", start=flags.since, base=base)
    if flags.range_:
        start, dots, end = flags.range_.partition("..")
        if not dots or not start:
            raise GroundedIngestError(f"not a range: {flags.range_}", "write it as A..B")
        end = end.lstrip(".") or "HEAD"
        return Asked("range", start=start, end=end, base=base, before=before)
    if flags.all_:
        return Asked("all", base=base, before=before)
    if flags.paths:
        paths = tuple(from_root(repo, p) for p in flags.paths)
        return Asked("paths", paths, base=base, before=before)
    return Asked("worktree", base=base)


def _one_scope(flags: CheckFlags) -> None:
    for name in ("since", "range_", "config"):
        # An unset variable of a workflow must not judge something else.
        if getattr(flags, name) == "":
            raise GroundedIngestError(
                f"--{name.rstrip('_')} is empty", "check the variable behind it"
            )
    chosen = [n for n in ("staged", "since", "range_", "all_") if getattr(flags, n)]
    if len(chosen) > 1 or (flags.paths and chosen):
        raise GroundedIngestError("choose one of PATHS, --staged, --since, --range and --all")


def from_root(repo: Repo, path: str) -> str:
    """A path from the root; of a symbolic link where it leads, as documents are known by that."""
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(repo.root))
    if os.path.isabs(relative) or relative.split(os.sep)[0] == os.pardir:
        raise GroundedIngestError(f"{path} is outside the repository {repo.root}")
    if not os.path.lexists(path):
        raise GroundedIngestError(f"{path} does not exist")
    return relative.replace(os.sep, "/")


def _options(flags: CheckFlags) -> Options:
    from grounded_ingest.pipeline import Options

    return Options(
        config=flags.config or "",
        isolated=flags.isolated,
        landed=flags.landed,
        online=not flags.offline,
        budget=flags.timeout,
        cache=not flags.no_cache,
        jobs=flags.jobs,
        select=flags.select,
        ignore=flags.ignore,
        impacted=flags.impacted,
    )

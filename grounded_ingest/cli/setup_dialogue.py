"""The questions of `init`: each has an option and a default, and is asked where it matters."""

from __future__ import annotations

import os
import sys
from typing import Literal, NamedTuple, cast

import click

from grounded_ingest.cli.installation import (
    BASELINE,
    WORKFLOWS,
    SetUp,
    configured,
    files_for_agents,
    has_workflow,
    is_fetched,
)
from grounded_ingest.cli.invocation import origin, program
from grounded_ingest.cli.terminal import When, emit
from grounded_ingest.config.settings import DEFAULTS
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.hooks import PRE_COMMIT, find_hook, found_runner, unattended_stages
from grounded_ingest.git.repository import Repo

HookRunner = Literal["pre-commit", "git", "none"]


class SetUpFlags(NamedTuple):
    """Options of `init`, named as click names them; None is not said."""

    yes: bool
    dry_run: bool
    preset: str | None
    hook: HookRunner | None
    source: str | None
    rev: str | None
    install: bool | None
    ci: bool | None
    agents: bool | None
    baseline: bool | None
    evidence: bool | None
    judge: str
    agent: tuple[str, ...]
    offline: bool
    color: When


class SetUpAnswers(NamedTuple):
    """What was answered. `runner` is the pre-commit that shall be told to install, if any;
    `evidence` is None if that is asked once the documents are judged, with the number of files."""

    wanted: SetUp
    runner: str = ""
    baseline: bool = False
    evidence: bool | None = False


class _Asker:
    """Takes what an option says; else asks, on a terminal; else says which default it takes."""

    def __init__(self, *, asks: bool, first: bool) -> None:
        self._asks, self._first = asks, first
        self.dialogue = asks and first

    def choice(self, given: str | None, option: str, question: str, choices: str) -> str:
        """One of several, the first of them by default."""
        names = choices.split()
        if given is not None:
            return given
        if self._asks:
            return str(click.prompt(question, type=click.Choice(names), default=names[0]))
        emit(f"{question} {names[0]} ({option} {'|'.join(names[1:])})\n")
        return names[0]

    def text(self, given: str | None, question: str, default: str) -> str:
        if given is not None or not self._asks:
            return default if given is None else given
        return str(click.prompt(question, default=default, show_default=bool(default)))

    def wants(
        self, given: bool | None, option: str, question: str, *, default: bool = False
    ) -> bool:
        """What a set-up begins with: asked once; an option has its say at any time."""
        if given is None and not self._first:
            return False
        return self.agreed(given, option, question, default=default)

    def agreed(
        self, given: bool | None, option: str, question: str, *, default: bool = False
    ) -> bool:
        if given is not None:
            return given
        if self._asks:
            return click.confirm(question, default=default)
        other = f"--no-{option}" if default else f"--{option}"
        emit(f"{question} {'yes' if default else 'no'} ({other})\n")
        return default


def asked_set_up(repo: Repo, flags: SetUpFlags, judge: str) -> SetUpAnswers:
    """Ask what is not set up yet and no option says. Raises GroundedIngestError for options that
    do not go together."""
    if bool(flags.source) != bool(flags.rev):
        raise GroundedIngestError("--repo and --rev go together", "give both, or neither")
    config, there = configured(repo.root), find_hook(repo)
    bare = config.origin == DEFAULTS.origin
    asks = sys.stdin.isatty() and not (flags.yes or flags.dry_run)
    asker = _Asker(asks=asks, first=bare or not (there.configured or there.installed))
    preset: str = config.preset
    if bare:
        preset = asker.choice(
            flags.preset, "--preset", "What stops a commit?", "advisory default strict"
        )
    hook = _hook(repo, flags, asker)
    source, rev = _source(flags, asker, new=hook == "pre-commit" and not _has_entry(repo))
    runner = _runner(repo, flags, asker, hook)
    ci = _ci(repo, flags, asker, source)
    agents = _agents(repo, flags, asker)
    asked = f"Accept what is found today ({BASELINE}), so that only new findings are shown?"
    accepts = preset != "advisory"  # which stops nothing, so that nothing has to be accepted
    baseline = asker.wants(flags.baseline, "baseline", asked, default=accepts)
    asked = "Write evidence of the documents there are now?"
    later = asker.dialogue and flags.evidence is None
    evidence = None if later else asker.wants(flags.evidence, "evidence", asked)
    wanted = SetUp(preset, hook, source, rev, ci, agents, judge, program())
    evidence = evidence if config.evidence != "off" else False
    return SetUpAnswers(wanted, runner, baseline and not config.baseline, evidence)


def _ci(repo: Repo, flags: SetUpFlags, asker: _Asker, source: str) -> bool:
    if has_workflow(repo.root):
        return False
    if flags.ci and not is_fetched(source):
        hint = "name it: --repo https://… --rev REV"
        raise GroundedIngestError("--ci: a job has nowhere to install from", hint)
    used = os.path.isdir(f"{repo.root}/{WORKFLOWS}") and is_fetched(source)
    asked = "A GitHub workflow that checks pull requests?"
    return bool(flags.ci) or (used and asker.wants(flags.ci, "ci", asked, default=True))


def _agents(repo: Repo, flags: SetUpFlags, asker: _Asker) -> tuple[str, ...]:
    files = files_for_agents(repo.root)
    asked = f"Lines in {' and '.join(files)} that tell agents how to cite?"
    return files if files and asker.wants(flags.agents, "agents", asked) else ()


def _has_entry(repo: Repo) -> bool:
    return PRE_COMMIT in find_hook(repo).configured


def _hook(repo: Repo, flags: SetUpFlags, asker: _Asker) -> HookRunner:
    there = find_hook(repo)
    if flags.hook is None and (there.configured or there.installed):
        return "pre-commit" if _has_entry(repo) else "none"
    question = "Who runs the hook at a commit?"
    return cast("HookRunner", asker.choice(flags.hook, "--hook", question, "pre-commit git none"))


def _source(flags: SetUpFlags, asker: _Asker, *, new: bool) -> tuple[str, str]:
    """Where pre-commit and CI install from: what is said, else where this came from."""
    known = origin()
    if flags.source is not None or not new:
        return flags.source or known[0], flags.rev or known[1]
    question = "Repository pre-commit installs grounded-ingest from (empty: the one on PATH)"
    source = asker.text(None, question, known[0])
    rev = asker.text(None, "Its tag or commit", known[1]) if source else ""
    return (source, rev) if rev else ("", "")


def _runner(repo: Repo, flags: SetUpFlags, asker: _Asker, hook: HookRunner) -> str:
    """The pre-commit that shall install itself, where there is one and it is not yet."""
    if hook != "pre-commit" or not unattended_stages(repo):
        if flags.install and hook != "pre-commit":
            raise GroundedIngestError("--install is of --hook pre-commit")
        return ""
    found = found_runner()
    if not found:
        if flags.install:
            raise GroundedIngestError("pre-commit is not on PATH", "install it, or --no-install")
        return ""
    question = f"Run {found} install, for commits, merges and pushes?"
    return found if asker.agreed(flags.install, "install", question, default=True) else ""

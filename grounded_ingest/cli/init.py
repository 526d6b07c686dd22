"""Defines `grounded-ingest init`, which asks how to set up a repository and writes the files."""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextlib import suppress
from typing import Any, NamedTuple

import click

from grounded_ingest.agents.registry import AGENTS
from grounded_ingest.cli.group import cli, color_option, network_option, rare_option
from grounded_ingest.cli.installation import (
    BASELINE,
    WORKFLOWS,
    FileChange,
    HookRunner,
    InstallationPlan,
    SetUp,
    agents_of,
    files_for_agents,
    has_workflow,
    hint_owners,
    is_public,
    plan_agents,
    plan_set_up,
    read_configuration,
    write_changes,
)
from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.removal import apply_removal, plan_removal
from grounded_ingest.cli.terminal import When, coloured, done, emit, progress
from grounded_ingest.config.files import FILE, parse_yaml
from grounded_ingest.config.settings import DEFAULTS
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.hooks import (
    HOOKS,
    INSTALL,
    PRE_COMMIT,
    build_environment,
    find_hook,
    find_runner,
    install_hooks,
    unattended_stages,
)
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import WorkTree
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.findings import list_findings
from grounded_ingest.report.formats import NAME, Look
from grounded_ingest.report.selection import baseline_entries, baseline_text, mute_findings
from grounded_ingest.repository.judging_config import read_config
from grounded_ingest.repository.scope import Asked
from grounded_ingest.text.printable import printable
from grounded_ingest.version import installed_from, origin

LOCAL = "local"
"""Value of `--repo`: the hook runs the grounded-ingest on PATH. pre-commit uses the same word."""


class InitFlags(NamedTuple):
    """The options for `init`, named as click names them. A field is None if its option was not
    given."""

    yes: bool
    dry_run: bool
    remove: bool
    preset: str | None
    hook: HookRunner | None
    source: str | None
    rev: str | None
    install: bool | None
    ci: bool | None
    agents: bool | None
    baseline: bool | None
    agent: tuple[str, ...]
    offline: bool
    color: When


@cli.command("init")
@click.option("--yes", is_flag=True, help="Do not ask: write the defaults.")
@click.option("--dry-run", is_flag=True, help="Only show what would be written.")
@click.option("--remove", is_flag=True, help="Remove everything that init wrote, after asking.")
@click.option(
    "--preset",
    type=click.Choice(["advisory", "default", "strict"]),
    metavar="NAME",
    help="What stops a commit: advisory (nothing), default (errors), strict (warnings too).",
)
@click.option(
    "--hook",
    type=click.Choice(["pre-commit", "git", "none"]),
    metavar="RUNNER",
    help="What runs the hook: pre-commit (default), git, none.",
)
@click.option(
    "--repo",
    "source",
    metavar="URL",
    help="Where to install from; local: use the one on PATH.",
)
@rare_option("--rev", metavar="REV", help="Tag or commit to install from --repo.")
@rare_option("--install/--no-install", default=None, help="Run `pre-commit install`.")
@click.option("--ci/--no-ci", default=None, help="Add a GitHub workflow for pull requests.")
@click.option(
    "--agents/--no-agents",
    default=None,
    help="Add lines to AGENTS.md and CLAUDE.md, and the hooks of the agents in use.",
)
@rare_option("--baseline/--no-baseline", default=None, help="Accept all findings in a baseline.")
@rare_option(
    "--agent",
    multiple=True,
    type=click.Choice([*AGENTS]),
    help="Set up only the hook of this coding agent. Can be given several times.",
)
@network_option
@color_option
def command(**options: Any) -> None:
    """Set up the commit hook, coding agents and CI. Asks about each part, and shows every change
    before it writes.

    \b
    grounded-ingest init --dry-run
    """
    flags = InitFlags(**options)
    with Repo() as repo:
        if repo.bare:
            raise GroundedIngestError(
                "init needs a work tree; this repository is bare",
                "run init in a clone that has a work tree",
            )
        if flags.remove:
            _remove(repo, flags)
        elif flags.agent:
            _set_up_agents(repo, flags)
        else:
            _set_up(repo, flags)
    sys.exit(Exit.OK)


class _SetUpQuestion(NamedTuple):
    """A question about a part that `init` sets up. `about` is printed before the question, and
    `more` if the answer is `?`."""

    option: str
    text: str
    about: str
    more: str


_HOOK = _SetUpQuestion(
    "hook",
    "Set up the commit hook?",
    "The hook checks the documents in a commit. With `preset: advisory` it stops no commit.",
    "URL or URL@REV: pre-commit installs from this git repository, by default at the commit that"
    " you have installed. The hook prints one line for each finding. `--hook git` uses git's own"
    " scripts instead of pre-commit. `--preset default` stops commits with wrong references.",
)
_AGENTS = _SetUpQuestion(
    "agents",
    "Set up coding agents?",
    "Agents then see a finding right after they write a file.",
    "This adds lines to AGENTS.md and CLAUDE.md, and a hook for each agent whose folder (or"
    " CLAUDE.md) is in this repository. `init --agent NAME` sets up only that agent.",
)
_CI = _SetUpQuestion(
    "ci",
    "Add a GitHub workflow that checks pull requests?",
    "The workflow checks what a pull request changes, also if its author has no hook.",
    "The workflow installs grounded-ingest from the same address as the hook and needs no secrets.",
)
_NO_AGENT = (
    "No coding agent is recognised, so none gets a hook. Name one: `{} init --agent NAME`"
    f" ({', '.join(AGENTS)}).\n"
)
_NO_WORKFLOW = (
    "No GitHub workflow is offered: it needs a public address to install grounded-ingest from"
    " (--repo https://…).\n"
)
_WRITE = ("Write this?", "`init --remove` removes it again.")
_REMOVE = ("Remove this?", "Only what is shown above changes.")


_ON_PATH = "Each colleague needs grounded-ingest on PATH, or git refuses their commits."
_ONLY_HERE = (
    "pre-commit installs grounded-ingest from {}, which colleagues do not have.\n"
    "For them, name the address of a repository"
)
_UNKNOWN_SOURCE = (
    "pre-commit cannot install this program for your colleagues, because its address is unknown.\n"
    "Name an address (--repo URL --rev REV) or a clone (--repo CLONE). Or set up only an agent's\n"
    "hook (--agent NAME). --repo local works if the program is on each colleague's PATH."
)


_ADDRESS = re.compile(
    r"(?P<url>(?:https?|ssh|git)://[^\s/]+/\S+?|[\w.-]+@[\w.-]+:\S+?)(?:@(?P<rev>[\w./-]+))?$"
)
"""Matches URL or URL@REV, the address of a git repository with a revision."""


def _wrap(text: str) -> str:
    return click.wrap_text(text, click.get_current_context().make_formatter().width)


def _read_answer(text: str, more: str, *, default: str = "yes", address: bool = False) -> str:
    """Asks until the answer is "yes" or "no", or an address if `address` is true. Prints `more`
    after `?`, and after any other answer, which it names first."""
    known = {"": default, "y": "yes", "yes": "yes", "n": "no", "no": "no"}
    keys = f"{'Y/n' if default == 'yes' else 'y/N'}{'/URL' if address else ''}/?"
    while True:
        answer = str(click.prompt(f"{text} [{keys}]", default="", show_default=False)).strip()
        if answer.lower() in known:
            return known[answer.lower()]
        if address and _ADDRESS.match(answer):
            return answer
        unknown = f'Did not understand "{printable(answer)}".\n' if answer != "?" else ""
        emit(f"{unknown}{_wrap(more)}\n")


class _Asker:
    """Answers the questions of `init`: from the options, or else by asking the user on a terminal.
    Without a terminal it prints the question and uses the default. first: the repository is not set
    up yet, so `init` also asks about optional parts.
    """

    def __init__(self, *, asks: bool, first: bool) -> None:
        self.asks, self.first = asks, first

    def ask(self, question: _SetUpQuestion, *, default: bool, about: str = "") -> str:
        """Returns "yes" or "no", or the address that answers the question about the hook."""
        answer, opposite = ("yes", "no") if default else ("no", "yes")
        if not self.asks:
            other = f"--no-{question.option}" if default else f"--{question.option}"
            if question is _HOOK:
                other = "--hook none" if default else "--hook pre-commit"
            emit(f"{question.text} {answer} ({other}: {opposite})\n")
            return answer
        lines = (_wrap(question.about), *([about] if about else []))
        emit("".join(f"{line}\n" for line in ("", *lines)))
        hook = question is _HOOK
        return _read_answer(question.text, question.more, default=answer, address=hook)

    def wants(self, given: bool | None, question: _SetUpQuestion, *, default: bool = False) -> bool:
        """Returns whether to set up an optional part. Without an option (`given`), asks the user,
        but only at the first set-up."""
        if given is not None:
            return given
        return self.first and self.ask(question, default=default) == "yes"


def _ask(repo: Repo, flags: InitFlags) -> tuple[SetUp, str, bool]:
    """Asks about the hook, agents and CI, unless they are set up or an option decides. Returns the
    settings for the files to plan, the path of pre-commit if `init` has to run `pre-commit install`
    (else ""), and whether to accept the current findings in a baseline. Raises GroundedIngestError
    if two options contradict each other."""
    source, rev = _find_source(flags)
    config = read_configuration(repo.root)
    bare = config.origin == DEFAULTS.origin
    asker = _Asker(asks=_asks(flags), first=bare or not any(find_hook(repo)))
    preset: str = (flags.preset or "advisory") if bare else config.preset
    hook, answer = _ask_hook(repo, flags, asker, source)
    if _ADDRESS.match(answer):
        source, rev = _split_address(answer, rev)
    runner = _find_runner(repo, flags, hook)
    files, found = files_for_agents(repo.root), agents_of(repo.root)
    agents = tuple(name for name, has_hook in found.items() if not has_hook)
    wanted = asker.wants(flags.agents, _AGENTS) if files or agents else bool(flags.agents)
    emit(_NO_AGENT.format(program()) if wanted and not found else "")
    ci = _ask_ci(repo, flags, asker, source)
    set_up = SetUp(
        preset, hook, source, rev, ci, files if wanted else (), program(), flags.offline,
        agents if wanted else (),
    )  # fmt: skip
    return set_up, runner, bool(flags.baseline) and not config.baseline


def _ask_hook(repo: Repo, flags: InitFlags, asker: _Asker, source: str) -> tuple[HookRunner, str]:
    """Returns what runs the hook, and the user's answer, which may be an address."""
    found = find_hook(repo)
    if flags.hook is not None:
        return flags.hook, ""
    if found.configured or found.installed:
        return "pre-commit" if PRE_COMMIT in found.configured else "none", ""
    works = bool(source) or flags.source == LOCAL
    reach = f"For each colleague, pre-commit installs grounded-ingest from {printable(source)}."
    if not source:
        reach = _ON_PATH if works else _UNKNOWN_SOURCE
        emit("" if works or asker.asks else f"{reach}\n")
    elif os.path.exists(source):
        reach = _ONLY_HERE.format(printable(source))
        emit("" if asker.asks else f"{reach} (--repo URL --rev REV)\n")
        reach += ": answer with URL or URL@REV."
    elif not is_public(source):
        reach += " Each colleague needs access to this address."
    answer = asker.ask(_HOOK, default=works, about=reach)
    return "none" if answer == "no" else "pre-commit", answer


def _find_source(flags: InitFlags) -> tuple[str, str]:
    """Returns the address and revision that pre-commit and CI install from: those that `--repo`
    names, or those that this program was installed from. The latter are a public git repository, a
    clone (at its HEAD), or a package file, which has no revision. Both are empty if the hook runs
    the program on PATH."""
    if flags.source == LOCAL:
        return "", ""
    if flags.source and os.path.isdir(flags.source):
        path = os.path.abspath(flags.source)
        with Repo(path, own=False) as clone:
            return path, flags.rev or clone.head()
    if flags.rev:
        if not flags.source:
            raise GroundedIngestError("--rev needs --repo", "add --repo URL, or leave out --rev")
        return flags.source, flags.rev
    url, commit = origin()
    found = (url, commit) if commit else _find_installed()
    return _split_address(flags.source, found[1]) if flags.source else found


def _split_address(answer: str, installed: str) -> tuple[str, str]:
    """Returns the address and revision of URL or URL@REV. The revision of URL is the one that is
    installed. Raises GroundedIngestError if it is unknown, or if `answer` is no address."""
    address = _ADDRESS.match(answer)
    if not address:
        raise GroundedIngestError(
            f"--repo {printable(answer)} is neither a folder nor an address",
            "name a clone, URL or URL@REV",
        )
    if not (rev := address["rev"] or installed):
        raise GroundedIngestError(
            f"the revision to install from {printable(answer)} is unknown",
            f"name it: {printable(answer)}@REV",
        )
    return address["url"], rev


def _find_installed() -> tuple[str, str]:
    """Returns the clone or package file that this program was installed from, and its revision.
    Returns the public address of the clone instead if the clone's HEAD is pushed there."""
    place = installed_from()
    if not os.path.isdir(place):
        return place, ""
    with suppress(GroundedIngestError), Repo(place, own=False) as clone:
        head, remote = clone.head(), clone.remote_url()
        if HOOKS in clone.tree(head):
            tips = clone.remote_branches().values()
            pushed = any(clone.merge_base(head, tip) == head for tip in tips)
            return remote if pushed and is_public(remote) else place, head
    return "", ""


def _find_runner(repo: Repo, flags: InitFlags, hook: HookRunner) -> str:
    """Returns the path of pre-commit if `init` has to run `pre-commit install`, else ""."""
    if hook != "pre-commit" or not unattended_stages(repo):
        if flags.install and hook != "pre-commit":
            raise GroundedIngestError(
                "--install only works together with --hook pre-commit",
                "leave out --install, or use --hook pre-commit",
            )
        return ""
    found = find_runner()
    if not found and flags.install:
        raise GroundedIngestError(
            "pre-commit is not on PATH", "install pre-commit, or use --no-install"
        )
    return "" if flags.install is False else found


def _ask_ci(repo: Repo, flags: InitFlags, asker: _Asker, source: str) -> bool:
    if has_workflow(repo.root):
        return False
    if flags.ci and not is_public(source):
        raise GroundedIngestError(
            "--ci needs a public address that the job installs grounded-ingest from",
            "add --repo https://… --rev REV",
        )
    if flags.ci is not None or not os.path.isdir(f"{repo.root}/{WORKFLOWS}"):
        return bool(flags.ci)
    if is_public(source):
        return asker.wants(None, _CI, default=True)
    emit(_NO_WORKFLOW if asker.first else "")
    return False


def _set_up(repo: Repo, flags: InitFlags) -> None:
    set_up, runner, baseline = _ask(repo, flags)
    plan = plan_set_up(repo, set_up)
    if plan.configuration and not _is_used(repo, flags, set_up):
        emit("nothing to do: no part is chosen\n")
        return
    if baseline:
        _plan_baseline(repo, flags, plan)
    hint_owners(plan)
    emit("".join(f"{line}\n" for line in plan.diff(Look(color=coloured(flags.color)))))
    if runner:
        emit(f"then: {runner} {' '.join(INSTALL)}\n")
    steps = ""
    if not (plan.changes or runner):
        emit("nothing to do: everything is already set up\n")
    elif not flags.dry_run and _agree(*_WRITE, yes=flags.yes):
        installed = _write(repo, plan, runner)
        if installed and set_up.source and not (flags.yes or flags.offline):
            _build_environment(repo, runner, set_up)
        steps = _next_steps(repo, set_up, plan, installed=installed)
    emit("".join(f"{hint}\n" for hint in plan.hints) + steps)


def _asks(flags: InitFlags) -> bool:
    return sys.stdin.isatty() and not (flags.yes or flags.dry_run)


def _is_used(repo: Repo, flags: InitFlags, set_up: SetUp) -> bool:
    """Returns whether anything uses a new configuration: a part that is chosen or already set up.
    An option for the configuration itself counts, too."""
    chosen = set_up.hook != "none" or set_up.ci or set_up.agents or set_up.agent_hooks
    there = any(find_hook(repo)) or has_workflow(repo.root) or any(agents_of(repo.root).values())
    return bool(chosen or there or flags.preset or flags.baseline)


def _refuse_others(flags: InitFlags, option: str, *known: str) -> None:
    given = [name for name, value in flags._asdict().items() if value not in (None, False, "", ())]
    known = (*known, option, "yes", "dry_run", "color")
    if others := [name for name in given if name not in known]:
        named = " and ".join(f"--{name.replace('_', '-')}" for name in others)
        raise GroundedIngestError(
            f"--{option} does not work together with {named}",
            f"run init twice: with --{option}, and with {named}",
        )


def _set_up_agents(repo: Repo, flags: InitFlags) -> None:
    _refuse_others(flags, "agent")
    plan = plan_agents(repo.root, flags.agent, program())
    emit("".join(f"{line}\n" for line in plan.diff(Look(color=coloured(flags.color)))))
    if not plan.changes:
        emit("nothing to do: the hook is already set up\n")
    elif not flags.dry_run and _agree(*_WRITE, yes=flags.yes):
        write_changes(repo, plan.changes)
        emit("written\n")
    emit("".join(f"{hint}\n" for hint in plan.hints))


def _remove(repo: Repo, flags: InitFlags) -> None:
    _refuse_others(flags, "remove", "offline")
    plan = plan_removal(repo)
    emit("".join(f"{line}\n" for line in plan.diff(Look(color=coloured(flags.color)))))
    emit("".join(f"{printable(line)}\n" for line in plan.list_deletions()))
    if plan.is_empty:
        emit("nothing to remove\n")
    elif not flags.dry_run and _agree(*_REMOVE, yes=flags.yes):
        apply_removal(repo, plan)
        emit("removed\n")
    emit("".join(f"{hint}\n" for hint in plan.hints))


def _plan_baseline(repo: Repo, flags: InitFlags, plan: InstallationPlan) -> None:
    tree, planned = WorkTree(repo), plan.configuration
    config = parse_yaml(planned.after, FILE) if planned else read_config(tree)
    options = Options(online=not flags.offline, cache=not flags.dry_run)
    result = run(repo, Asked("all"), options, progress(), config)
    accepted = baseline_entries(list_findings(mute_findings(result).report))
    result.kb.index.close()
    done()
    if not accepted:
        plan.hint("the baseline was not written: there are no findings to accept")
        return
    before = (tree.read(BASELINE) or b"").decode(errors="replace")
    after = baseline_text(accepted).decode()
    plan.name_baseline()
    if before != after:
        plan.changes.append(FileChange(BASELINE, before, after, derived=True))


def _agree(text: str, more: str, *, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise GroundedIngestError(
            "nothing was written: init cannot ask without a terminal", "add --yes to write"
        )
    if _read_answer(text, more) == "yes":
        return True
    emit("nothing written\n")
    return False


def _write(repo: Repo, plan: InstallationPlan, runner: str) -> bool:
    """Writes the files and runs `pre-commit install`. Returns whether that command succeeded."""
    write_changes(repo, plan.changes)
    emit("written\n")
    if not runner:
        return False
    failure = install_hooks(repo.root, runner)
    emit(f"pre-commit install failed: {failure}\n" if failure else "pre-commit is installed\n")
    return not failure


def _build_environment(repo: Repo, runner: str, set_up: SetUp) -> None:
    emit("pre-commit builds the environment of the hook, once on this machine ...\n")
    reason = build_environment(repo.root, runner, set_up.source, set_up.rev)
    emit(f"this failed, so the first commit tries again: {reason}\n" if reason else "")


def _next_steps(repo: Repo, set_up: SetUp, plan: InstallationPlan, *, installed: bool) -> str:
    rows = []
    by_runner = set_up.hook == "pre-commit"
    if by_runner and not installed and unattended_stages(repo):
        rows.append(
            (f"pre-commit {' '.join(INSTALL)}", "install the scripts with which git runs the hook")
        )
    paths = [c.path for c in plan.changes if not c.executable]
    if paths:
        about = "commit these files"
        if any(find_hook(repo)) or any(agents_of(repo.root).values()):
            about += ". The hook uses them at once; pull requests use them after the merge"
        rows.append((f"git add {shlex.join(paths)}", about))
    rows.append((program(), "check all documents"))
    text = "Next:\n" + "".join(f"  {command}\n      {about}\n" for command, about in rows)
    if by_runner and not set_up.source and program() != NAME:
        text += (
            "The hook runs grounded-ingest from PATH, but it is not on PATH. Install it with"
            " `uv tool install` or `pipx install`, or run init again with --repo URL --rev REV, the"
            " address that pre-commit installs grounded-ingest from.\n"
        )
    return text

"""`grounded-ingest init`: set up the hook, the configuration and what guards the evidence."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from grounded_ingest.agents.registry import AGENTS
from grounded_ingest.cli.options import color_option, network_option
from grounded_ingest.cli.setup_dialogue import SetUpAnswers, SetUpFlags, asked_set_up
from grounded_ingest.cli.terminal import coloured, done, emit, progress
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.hooks import INSTALL
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.formats import Look

if TYPE_CHECKING:
    from grounded_ingest.cli.installation import FileChange, InstallationPlan
    from grounded_ingest.cli.judge_offers import JudgeOffer
    from grounded_ingest.cli.todays_state import TodaysState


@click.command()
@click.option("--yes", is_flag=True, help="Ask nothing: the defaults, and write.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, write nothing.")
@click.option(
    "--preset",
    type=click.Choice(["advisory", "default", "strict"]),
    help="What the configuration starts with. Default: advisory, which fails no commit.",
)
@click.option(
    "--hook",
    type=click.Choice(["pre-commit", "git", "none"]),
    help="Who runs the hook: pre-commit, or a script of git.",
)
@click.option("--repo", "source", metavar="URL", help="Let pre-commit and CI install from here.")
@click.option("--rev", metavar="REV", help="The tag or commit for --repo.")
@click.option("--install/--no-install", default=None, help="Run `pre-commit install`.")
@click.option("--ci/--no-ci", default=None, help="A workflow of GitHub Actions.")
@click.option("--agents/--no-agents", default=None, help="Lines in AGENTS.md, CLAUDE.md.")
@click.option("--baseline/--no-baseline", default=None, help="Accept today's findings.")
@click.option(
    "--evidence/--no-evidence", default=None, help="Write evidence of the documents there are."
)
@click.option(
    "--judge", default="", metavar="NAME", help="Configure this judge, of those found here."
)
@click.option(
    "--agent",
    multiple=True,
    type=click.Choice([*AGENTS]),
    help="Set up this agent's own hook, and nothing else; may be repeated.",
)
@network_option
@color_option
def command(**flags: Any) -> None:
    """Set up the hook, the configuration, and what else is wanted, in one dialogue.

    Shows exactly what it will write, and asks. What exists stays as it is.
    """
    with Repo() as repo:
        if repo.bare:
            raise GroundedIngestError("init needs a work tree; this repository is bare")
        given = SetUpFlags(**flags)
        if given.agent:
            _set_up_agents(repo, given)
        else:
            _set_up(repo, given)
    sys.exit(Exit.OK)


def _set_up(repo: Repo, flags: SetUpFlags) -> None:
    from grounded_ingest.cli.installation import steps
    from grounded_ingest.cli.judge_offers import judge_offers, told_offers

    offers = judge_offers(repo.root)
    chosen = _chosen(offers, flags.judge)
    answers = asked_set_up(repo, flags, chosen.configuration if chosen else "")
    plan = steps(repo, answers.wanted)
    state, plan = _with_today(repo, flags, answers, plan)
    anything = _show(plan, state, answers, Look(color=coloured(flags.color)))
    written = anything and not flags.dry_run and _agreed(yes=flags.yes)
    installed = written and _carry_out(repo, plan.steps, state, answers)
    offered = told_offers(offers, chosen) if chosen or not plan.judged else ()
    emit("".join(f"{hint}\n" for hint in (*plan.hints, *offered)))
    if written:
        emit(_next(repo, answers, plan, state, installed=installed))


def _set_up_agents(repo: Repo, flags: SetUpFlags) -> None:
    """The hooks of agents: each file shown as it will be, then written."""
    from grounded_ingest.cli.installation import agent_steps, as_diff, carry_out
    from grounded_ingest.cli.invocation import program

    plan = agent_steps(repo.root, flags.agent, program())
    look = Look(color=coloured(flags.color))
    emit("".join(f"{line}\n" for step in plan.steps for line in as_diff(step, look)))
    if not plan.steps:
        emit("nothing to do: the hook is set up\n")
    elif not flags.dry_run and _agreed(yes=flags.yes):
        carry_out(repo, plan.steps)
        emit("written\n")
    emit("".join(f"{hint}\n" for hint in plan.hints))


def _show(plan: InstallationPlan, state: TodaysState, answers: SetUpAnswers, look: Look) -> bool:
    """Show what is to be done; whether that is anything."""
    from grounded_ingest.cli.installation import as_diff

    emit("".join(f"{line}\n" for step in plan.steps for line in as_diff(step, look)))
    evidence = sorted(state.evidence.writes) if state.evidence else []
    emit(_told_evidence(evidence))
    if answers.runner:
        emit(f"then: {answers.runner} {' '.join(INSTALL)}\n")
    anything = bool(plan.steps or evidence or answers.runner)
    if not anything:
        emit("nothing to do: everything is set up\n")
    return anything


def _chosen(offers: list[JudgeOffer], name: str) -> JudgeOffer | None:
    found = next((o for o in offers if o.name == name), None)
    if name and not found:
        names = ", ".join(o.name for o in offers) or "none"
        raise GroundedIngestError(f"no judge {name} was found here", f"found: {names}")
    return found


def _with_today(
    repo: Repo, flags: SetUpFlags, answers: SetUpAnswers, plan: InstallationPlan
) -> tuple[TodaysState, InstallationPlan]:
    """What the documents as they are add to the plan."""
    from grounded_ingest.cli.installation import named_baseline
    from grounded_ingest.cli.todays_state import TodaysState, todays_state
    from grounded_ingest.pipeline import Options

    if not answers.baseline and answers.evidence is False:
        return TodaysState(), plan
    options = Options(online=not flags.offline, cache=not flags.dry_run)
    configured, hints = plan.configuration(), [*plan.hints]
    state = todays_state(
        repo, configured, options, progress(), baseline=answers.baseline,
        evidence=answers.evidence is not False,
    )  # fmt: skip
    done()
    found = list(plan.steps)
    if state.baseline:
        found += [state.baseline] if state.baseline.before != state.baseline.after else []
        named = named_baseline(repo.root, configured)
        if named is None:
            hints.append(f"add this to the configuration by hand: baseline: {state.baseline.path}")
        else:
            found = [named, *(s for s in found if s is not configured)]
    elif answers.baseline:
        hints.append("no baseline: nothing is found today that could be accepted")
    if state.blocked:
        hints.append("no evidence: claims block; mend them, or accept them (--baseline)")
    if answers.evidence is None and not _agreed_evidence(state):
        state = state._replace(evidence=None)
    return state, plan._replace(steps=tuple(found), hints=tuple(hints))


def _agreed_evidence(state: TodaysState) -> bool:
    """Asks whether documents that exist get evidence now, or each when it is changed."""
    many = sum(c is not None for c in state.evidence.writes.values()) if state.evidence else 0
    if not many:
        return False
    files = f"{many} evidence {'file' if many == 1 else 'files'}"
    asked = f"Write evidence of what is there now ({files} for {state.documents} documents)?"
    return click.confirm(asked, default=False)


def _told_evidence(paths: list[str]) -> str:
    from grounded_ingest.cli.installation import SHOWN
    from grounded_ingest.text.printable import printable

    if not paths:
        return ""
    more = f"  … and {len(paths) - SHOWN} more\n" if len(paths) > SHOWN else ""
    shown = "".join(f"  {printable(path)}\n" for path in paths[:SHOWN])
    what = "evidence file" if len(paths) == 1 else "evidence files"
    return f"{len(paths)} {what}, derived from the documents:\n{shown}{more}"


def _agreed(*, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise GroundedIngestError("nothing written: there is no terminal to ask on", "add --yes")
    if click.confirm("Write this?"):
        return True
    emit("nothing written\n")
    return False


def _carry_out(
    repo: Repo, steps: tuple[FileChange, ...], state: TodaysState, answers: SetUpAnswers
) -> bool:
    """Write, and install where that was agreed; whether pre-commit is installed then."""
    from grounded_ingest.cli.installation import carry_out
    from grounded_ingest.git.hooks import install_hooks
    from grounded_ingest.report.evidence_files import write_evidence

    carry_out(repo, steps)
    if state.evidence:
        write_evidence(repo, state.evidence, stage=False)
    emit("written\n")
    if not answers.runner:
        return False
    failure = install_hooks(repo.root, answers.runner)
    emit(f"pre-commit install failed: {failure}\n" if failure else "pre-commit is installed\n")
    return not failure


def _next(
    repo: Repo,
    answers: SetUpAnswers,
    plan: InstallationPlan,
    state: TodaysState,
    *,
    installed: bool,
) -> str:
    """What to type next."""
    import shlex

    from grounded_ingest.cli.invocation import on_path, program
    from grounded_ingest.git.hooks import unattended_stages
    from grounded_ingest.records.evidence import DIRECTORY

    rows = []
    by_runner = answers.wanted.hook == "pre-commit"
    if by_runner and not installed and unattended_stages(repo):
        rows.append((f"pre-commit {' '.join(INSTALL)}", "let git run the hook"))
    paths = [s.path for s in plan.steps if not s.executable]
    paths += [DIRECTORY] if state.evidence and state.evidence.writes else []
    if paths:
        told = "then commit; the hook follows it at once, pull requests once it has landed"
        rows.append((f"git add {shlex.join(paths)}", told))
    rows.append((program(), "what is wrong today"))
    text = "Next:\n" + "".join(f"  {command}\n      {what}\n" for command, what in rows)
    if by_runner and not answers.wanted.source and not on_path():
        text += (
            "The hook runs the grounded-ingest on PATH, where it is not now: put it there"
            " (uv tool install, pipx install), or name where pre-commit installs it from"
            " (--repo URL --rev REV).\n"
        )
    return text

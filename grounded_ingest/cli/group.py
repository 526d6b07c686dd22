"""The command `grounded-ingest`: its subcommands, and options that several of them share.

A new command is a click function in a module of this folder and a line in COMMANDS.
"""

from __future__ import annotations

from importlib import import_module

import click
from click.shell_completion import CompletionItem, get_completion_class

from grounded_ingest.cli.terminal import emit
from grounded_ingest.version import __version__

COMMANDS = {
    "check": "Check documents: look up their references, sort their claims.",
    "review": "Decide about claims that wait for a person.",
    "explain": "Say why a claim was decided so, or why a line is no claim.",
    "cite": "Find places in the repository to cite for a sentence.",
    "rule": "Describe the rules.",
    "audit": "Check every document, and find claims that have expired.",
    "verify": "Compare a text with memories or with sources.",
    "recall": "Find grounded memories that answer a question.",
    "status": "Show documents, references, tiers, evidence and set-up.",
    "init": "Set up the commit hook and the configuration.",
    "hook": "Answer the hook of a coding agent.",
    "mcp": "Answer a coding agent over MCP.",
    "lsp": "Serve an editor over the language server protocol.",
    "fleet": "Check many repositories, and query the results.",
    "bench": "Show which commits of a history the hook would have stopped.",
    "completion": "Print the completion script of a shell.",
}
"""Commands with what they do, in the order of `--help`."""

_MODULES = {
    "audit": "check", "explain": "questions", "cite": "questions", "rule": "questions",
    "status": "questions", "mcp": "serve", "lsp": "serve", "completion": "group",
}  # fmt: skip
"""Modules with several commands: there the click function of `audit` is `audit_command`. Any other
command has a module of its own name, and the function `command` in it."""

color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour of text on stdout; auto follows NO_COLOR, FORCE_COLOR and the terminal.",
)
network_option = click.option(
    "--offline/--online", default=False, help="Do not use the network. Default: --online."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


class Commands(click.Group):
    """A group that imports a command when it runs: the help of all imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"grounded_ingest.cli.{_MODULES.get(cmd_name, cmd_name)}")
        name = f"{cmd_name}_command" if cmd_name in _MODULES else "command"
        command = getattr(module, name)
        return command if isinstance(command, click.Command) else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        options = click.Command.shell_complete(self, ctx, incomplete)
        commands = (item for item in COMMANDS.items() if item[0].startswith(incomplete))
        return [*(CompletionItem(name, help=about) for name, about in commands), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="grounded-ingest")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Check what AI agents write into this repository's documents.

    Without a command: check all documents, offline. This writes nothing and exits with 0.

    Exit codes of commands: 0 nothing that fails the run, 1 something that does, 2 usage,
    configuration or environment, 3 a bug, 130 interrupted.
    """
    if ctx.invoked_subcommand is None:
        # Late: help and completion, which runs at each press of the key, need no git.
        from grounded_ingest.cli.check_run import check_everything

        ctx.exit(check_everything(ctx.get_help()))


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the script that completes commands, options and rules in SHELL."""
    if made := get_completion_class(shell):
        script = made(cli, {}, "grounded-ingest", "_GROUNDED_INGEST_COMPLETE").source()
        emit(script, exact=True)

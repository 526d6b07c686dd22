"""The command line. One file per command, imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from grounded_ingest.version import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "check": "Look up the references of documents and sort their claims.",
    "review": "Walk the queue of claims that wait; approve, reject, revoke.",
    "explain": "Say why a claim was decided as it was, or why a line is no claim.",
    "cite": "Offer places to cite for a text or a line.",
    "rule": "Describe the rules.",
    "audit": "Check every document, and look for claims past their date.",
    "verify": "Say whether memories, or a source, ground a text.",
    "recall": "Serve the memories that answer a question.",
    "status": "Show the knowledge base: classes, references, tiers, evidence.",
    "init": "Set up the hook and the configuration.",
    "hook": "Answer a coding agent's hook about what it has just written.",
    "mcp": "Answer a coding agent's questions over MCP.",
    "lsp": "Serve an editor: diagnostics, hover, definitions, quick fixes.",
    "fleet": "Check many repositories, and write one set of tables over them.",
    "bench": "Show what the hook would have stopped in a history.",
    "completion": "Print the completion script of a shell.",
}
"""Commands and what they do; each is the function `command` of its module."""


class Commands(click.Group):
    """A group whose commands cost nothing until they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"grounded_ingest.cli.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        options = click.Command.shell_complete(self, ctx, incomplete)
        named = (item for item in COMMANDS.items() if item[0].startswith(incomplete))
        return [*(CompletionItem(name, help=said) for name, said in named), *options]

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
    """Guard what AI agents write into this repository's memory.

    Without a command: what is wrong today in all documents, offline. It writes nothing and exits
    with 0.

    Exit codes of commands: 0 nothing that fails the run, 1 something that does, 2 usage,
    configuration or environment, 3 a bug, 130 interrupted.
    """
    if ctx.invoked_subcommand is None:
        from grounded_ingest.cli.first_run import first_run

        ctx.exit(first_run(ctx.get_help()))

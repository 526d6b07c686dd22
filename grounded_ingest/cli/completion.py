"""`grounded-ingest completion`: the script by which a shell completes commands and options."""

from __future__ import annotations

import click

from grounded_ingest.cli.terminal import emit


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script by which SHELL completes commands, options and rules."""
    from click.shell_completion import get_completion_class

    from grounded_ingest.cli.group import cli

    if made := get_completion_class(shell):
        emit(made(cli, {}, "grounded-ingest", "_GROUNDED_INGEST_COMPLETE").source(), exact=True)

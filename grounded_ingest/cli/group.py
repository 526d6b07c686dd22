"""Defines the command `grounded-ingest`, lists its subcommands, and defines the options that
several of them share.

A new command is a function with `@cli.command("NAME")` in a module of this folder, and a line in
COMMANDS.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from inspect import cleandoc
from shlex import quote
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem, get_completion_class

from grounded_ingest.cli.terminal import emit
from grounded_ingest.text.patterns import compiled
from grounded_ingest.version import __version__

COMMANDS = {
    "check": "Check the references and the claims in documents.",
    "review": "Approve or reject claims that wait for a person.",
    "explain": "Explain a line of the report, or the decision for a claim.",
    "cite": "Find places in the repository that a sentence can cite.",
    "prove": "Check the proofs in a document, and suggest more.",
    "rule": "Describe the rules.",
    "audit": "Check every document, and find claims that have expired.",
    "verify": "Compare a text with memories or with sources.",
    "recall": "Find grounded memories that answer a question.",
    "status": "Count documents, references and claims, and show the set-up.",
    "init": "Set up the commit hook and the configuration.",
    "hook": "Check what a coding agent wrote; its own hook runs this command.",
    "mcp": "Serve a coding agent over MCP.",
    "lsp": "Serve an editor over the language server protocol.",
    "fleet": "Check many repositories, and query the results.",
    "bench": "Measure the hook on past commits, and the judge model.",
    "config": "Show the settings that apply.",
    "clean": "Delete the cache and the last report.",
    "completion": "Print the completion script for a shell.",
    "version": "Show the version.",
    "help": "Show all commands, or all options of a command.",
}
"""Maps each command to its description, in the order that `grounded-ingest help` prints."""
FIRST = ("check", "audit", "explain", "review", "init", "status")
"""The commands that `--help` lists, so that it fits a screen."""

_MODULES = {
    "audit": "check", "explain": "questions", "cite": "questions", "rule": "questions",
    "prove": "questions", "status": "questions", "mcp": "serve",
    "lsp": "serve", "completion": "group", "version": "group", "help": "group",
    "clean": "questions", "config": "questions",
}  # fmt: skip
"""Maps a command to the module that defines it, if the module has another name."""

EXIT_CODES = "Exit codes: "
COMMON_CODES = "0 done, 2 wrong usage or set-up"
EVERYTHING = "grounded_ingest.everything"
"""Key in `click.Context.meta`: the help also shows rare options and rare commands."""


class RareOption(click.Option):
    """An option that `--help` leaves out, so that it fits a screen. `help COMMAND` shows it."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return super().get_help_record(ctx) if EVERYTHING in ctx.meta else None


rare_option = partial(click.option, cls=RareOption)


class CliCommand(click.Command):
    """A command whose help begins with an example, which is the paragraph after `\\b` in its
    docstring, and ends with the exit codes, the last sentences of the docstring."""

    def list_omitted(self) -> str:
        """Returns what `--help` leaves out, in one word, or an empty string."""
        return "options" if any(isinstance(p, RareOption) for p in self.params) else ""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        about, _, rest = cleandoc(self.help or "").partition(EXIT_CODES)[0].partition("\n\n\b\n")
        example, _, more = rest.partition("\n\n")
        with formatter.indentation():
            for text in (f"\b\n{example}", f"{about}\n\n{more}"):
                formatter.write_paragraph()
                formatter.write_text(text)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        codes = (self.help or "").partition(EXIT_CODES)[2]
        formatter.write_paragraph()
        own = " ".join(codes.split()).removesuffix(".") or COMMON_CODES
        formatter.write_text(f"{EXIT_CODES}{own}, 3 a bug, 130 interrupted.")
        if EVERYTHING not in ctx.meta and (omitted := self.list_omitted()):
            name, *words = ctx.command_path.split()
            formatter.write_text(f"All {omitted}: {' '.join((name, 'help', *words))}")


class CliGroup(CliCommand, click.Group):
    """A group of commands with the same form of help."""

    command_class = CliCommand


color_option = rare_option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    metavar="WHEN",
    help="Colours: auto, always or never.",
)
network_option = click.option("--offline/--online", default=False, help="Do not use the network.")
offline_option = click.option(
    "--offline/--online", default=True, help="Do not use the network. Default: --offline."
)


def format_option(*formats: str) -> Callable[[Any], Any]:
    """Returns the option `--output-format` of a command that prints one result. The first format is
    the default. The command receives the format as `form`."""
    return click.option(
        "--output-format",
        "form",
        default=formats[0],
        type=click.Choice(formats),
        metavar="FORMAT",
        help=f"{', '.join(formats)}.",
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


_OTHER_WORDS = {
    "lint": "check", "run": "check", "scan": "check", "fix": "check --fix", "doctor": "status",
    "install": "init", "uninstall": "init --remove", "server": "lsp", "--uninstall": "--remove",
}  # fmt: skip
"""Maps words of other tools to commands and options that mean the same."""


def _suggested(word: str, known: Iterable[str]) -> str:
    """Returns the command or option in `known` that a wrong word probably means, or an empty
    string."""
    # Imported late, because only a wrong word needs it.
    from grounded_ingest.config.syntax import nearest

    other, names = _OTHER_WORDS.get(word, ""), [*known]
    return other if other.partition(" ")[0] in names else nearest(word, names)


def _refuse_command(ctx: click.Context, typed: str, word: str, known: Iterable[str]) -> NoReturn:
    """Fails because there is no command `typed`, whose last word is `word`. The error names a
    similar command, or the command that checks a file with this name."""
    hint = ""
    if near := _suggested(word, known):
        hint = f" Did you mean '{near}'?"
    elif os.path.lexists(typed):
        hint = f" To check this path, run: grounded-ingest check {quote(typed)}"
    ctx.fail(f"No such command '{typed}'.{hint}")


def usage_error(error: click.ClickException) -> click.ClickException:
    """Returns click's error about an unknown option or value with at most one suggestion: a similar
    option or value. Without a command, the error also says if the option belongs to `check`."""
    kind = getattr(getattr(error, "param", None), "type", None)
    choices = [*map(str, kind.choices)] if isinstance(kind, click.Choice) else []
    wrong = _CHOICE.match(error.message)
    if wrong and (near := _suggested(wrong[1], choices)):
        said = f"{error.format_message()} Did you mean '{near}'?"
        return click.UsageError(said, getattr(error, "ctx", None))
    if not isinstance(error, click.NoSuchOption):
        return error
    assert error.ctx is not None  # the parser of click always sets it
    name, asked, hint = error.option_name, error.ctx.command, ""
    check = cli.get_command(error.ctx, "check") if asked is cli else None
    if near := _suggested(name, _options_of(asked)):
        hint = f" Did you mean '{near}'?"
    elif check and name in _options_of(check):
        hint = f" To check documents, run: grounded-ingest check {name}"
    return click.UsageError(f"No such option '{name}'.{hint}", error.ctx)


_CHOICE = compiled(r"'([^']*)' is not one of ")


def _options_of(command: click.Command) -> list[str]:
    return [name for p in command.params for name in (*p.opts, *p.secondary_opts)]


class Commands(CliGroup):
    """A click group that imports the module of a command only when that command runs.
    `grounded-ingest --help` therefore imports no command."""

    group_class = CliGroup

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            import_module(f"grounded_ingest.cli.{_MODULES.get(cmd_name, cmd_name)}")
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command that `args` begin with. If there is none, the error names another
        command."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            _refuse_command(ctx, args[0], args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        options = click.Command.shell_complete(self, ctx, incomplete)
        commands = (item for item in COMMANDS.items() if item[0].startswith(incomplete))
        return [*(CompletionItem(name, help=about) for name, about in commands), *options]

    def list_omitted(self) -> str:
        return "commands"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown = COMMANDS if EVERYTHING in ctx.meta else FIRST
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in shown])


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="grounded-ingest")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Check what AI agents write into this repository's documents.

    \b
    grounded-ingest          check all documents, offline; writes nothing
    grounded-ingest check    check what differs from HEAD
    grounded-ingest init     set up the commit hook

    Exit codes: 0 passed, 1 a finding, 2 wrong usage.
    """
    if ctx.invoked_subcommand is None:
        # Imported late: help and completion do not need git, and completion runs at each Tab key.
        from grounded_ingest.cli.check_run import CheckFlags, run_check

        run_check(CheckFlags(all_=True, offline=True, advises=True))


@cli.command("version")
def version_command() -> None:
    """Show the version.

    \b
    grounded-ingest version
    """
    emit(f"grounded-ingest, version {__version__}\n")


@cli.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show the help of a command, with all options.

    \b
    grounded-ingest help review list
    """
    ctx.meta[EVERYTHING] = True
    at: click.Command = cli
    context = ctx.find_root()
    for word in words:
        known = at.list_commands(context) if isinstance(at, click.Group) else []
        found = at.get_command(context, word) if isinstance(at, click.Group) else None
        if found is None:
            _refuse_command(ctx, " ".join(words), word, known)
        at, context = found, click.Context(found, context, word)
    emit(f"{at.get_help(context)}\n")


@cli.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print a script that completes commands, options and rule ids in SHELL.

    \b
    eval "$(grounded-ingest completion bash)"
    """
    if made := get_completion_class(shell):
        script = made(cli, {}, "grounded-ingest", "_GROUNDED_INGEST_COMPLETE").source()
        emit(script, exact=True)

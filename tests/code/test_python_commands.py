"""Commands below commands, as click and typer declare them in several modules."""

from __future__ import annotations

import pytest

from grounded_ingest.code.python_programs import command_tree, declared_options

TYPER = (
    "import typer\napp = typer.Typer()\nproject = typer.Typer()\napp.add_typer(project, name='project')\n",
    "import typer\nfrom .main import app, project\n\n"
    "@project.command('add')\ndef add_project(): ...\n\n"
    "@project.command()\ndef list_all(): ...\n\n@app.command()\ndef sync(): ...\n",
)
CLICK = (
    "import click\n\n@click.group()\ndef cli(): ...\n\n@cli.group()\ndef db(): ...\n\n"
    "@db.command()\ndef migrate(): ...\n\n@click.command('up')\ndef bring(): ...\n\ncli.add_command(bring)\n",
)

CALLED = ("import typer\napp = typer.Typer()\napp.command('info')(info)\napp.command()(run_all)\n",)


@pytest.mark.parametrize(
    ("texts", "words", "missing"),
    [
        (TYPER, ["project", "add", "x"], None),
        (TYPER, ["project", "list-all"], None),
        (TYPER, ["sync", "anything"], None),
        (TYPER, ["project", "remove"], 1),
        (TYPER, ["list-all"], 0),
        (CLICK, ["db", "migrate"], None),
        (CLICK, ["up"], None),
        (CLICK, ["db", "up"], 1),
        (CLICK, ["migrate"], 0),
        (CALLED, ["info"], None),
        (CALLED, ["run-all"], None),
        (CALLED, ["predict"], 0),
        # What makes its commands as it runs, or cannot be parsed, may have any.
        ((*TYPER, "import click\nx = click.Group(cls=Lazy)\n"), ["project", "remove"], None),
        ((*TYPER, "import typer\ndef broken(:\n"), ["project", "remove"], None),
        (("import typer\nfor n in NAMES:\n    app.add_typer(load(n), name=n)\n",), ["x"], None),
        (("import os\n",), ["x"], None),
    ],
)
def test_the_first_word_that_names_no_command(
    texts: tuple[str, ...], words: list[str], missing: int | None
) -> None:
    found = command_tree(texts).missing(words)
    assert (found and found[0]) == missing if found else missing is None


def test_a_function_of_a_called_decorator_has_unknown_options() -> None:
    assert not declared_options(CALLED).whole


@pytest.mark.parametrize(
    ("text", "subcommands"),
    [
        (
            "import click\n\n@click.command()\n@click.argument('task')\ndef score(task): ...\n",
            set(),
        ),
        ("import typer\napp = typer.Typer()\n\n@app.command()\ndef score(task): ...\n", set()),
        (
            "import typer\napp = typer.Typer()\n\n@app.command()\ndef score(task): ...\n\n"
            "@app.command()\ndef show(): ...\n",
            {"score", "show"},
        ),
        (CLICK[0], {"migrate", "up", "cli", "db"}),
    ],
)
def test_the_argument_of_a_lone_command_is_no_subcommand(text: str, subcommands: set[str]) -> None:
    assert declared_options([text]).commands == subcommands


PARSERS = """
import argparse
from elsewhere import add_more

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose")
    sub = parser.add_subparsers()
    p = sub.add_parser("list", aliases=["ls"])
    group = p.add_argument_group("shown")
    group.add_argument("--reverse")
    shared(p)
    p = sub.add_parser("search")
    p.add_argument("--outdated")
    run = sub.add_parser("run")
    run.add_argument("command", nargs=argparse.REMAINDER)
    lent = sub.add_parser("lent")
    add_more(lent)
    if NEW:
        either = sub.add_parser("new")
    else:
        either = sub.add_parser("old")
    either.add_argument("--either")
    sub.add_parser("child", parents=[p])

def shared(p):
    p.add_argument("--json")
"""
CLICKED = """
import click
from elsewhere import extra

def shared(f):
    return click.option("--json")(f)

color = click.option("--color")
files = click.argument("files")

@click.group()
@click.option("--verbose")
def cli(): ...

@cli.command()
@click.option("--outdated", is_flag=True)
@click.option("--cache/--no-cache")
def search(outdated, cache): ...

@cli.command("list")
@shared
@color
@files
def show(json, files): ...

@cli.command()
@extra
def run(): ...
"""


@pytest.mark.parametrize(
    ("text", "command", "lacks"),
    [
        (PARSERS, "list --outdated", True),
        (PARSERS, "ls --outdated", True),
        (PARSERS, "search --outdated", False),
        (PARSERS, "search --reverse", True),
        (PARSERS, "list --reverse", False),
        (PARSERS, "list --json", False),  # from a function that gets the parser
        (PARSERS, "list --verbose", False),
        (PARSERS, "list --verb", False),  # argparse accepts a prefix
        (PARSERS, "run --outdated", False),  # of the program that is run
        (PARSERS, "lent --outdated", False),  # another package may add options
        (PARSERS, "new --either", False),
        (PARSERS, "old --either", False),
        (PARSERS, "child --outdated", False),
        (PARSERS, "plugin --outdated", False),
        (PARSERS, "plugin --nope", False),
        (PARSERS, "list --nope", True),
        (CLICKED, "list --outdated", True),
        (CLICKED, "search --outdated", False),
        (CLICKED, "list --json", False),
        (CLICKED, "list --verbose", False),
        (CLICKED, "list --color", False),
        (CLICKED, "run --outdated", False),
        (CLICKED, "search --no-outdated", True),
        (CLICKED, "search --no-cache", False),
        (f"import typer\n{CLICKED}", "search --no-outdated", False),
    ],
)
def test_an_option_of_another_subcommand(text: str, command: str, lacks: bool) -> None:
    *words, option = command.split()
    assert declared_options([text]).lacks(option, words) is lacks


@pytest.mark.parametrize(
    ("code", "lacks"),
    [
        ("parser.parse_args(sys.argv[1:]), sys.argv[0]", True),
        ("parser.parse_args(preset(sys.argv[1:]))", False),
        ("main(sys.argv[1:])", False),  # it may read options by hand
        ("parser.parse_args(args if args else sys.argv[1:])", False),
    ],
)
def test_arguments_that_only_the_parser_gets(code: str, lacks: bool) -> None:
    assert declared_options([f"{PARSERS}\n{code}\n"]).lacks("--nope", ["list"]) is lacks


def test_a_word_in_a_docstring_passes_no_arguments_on() -> None:
    text = f'"""A part of ``sys.argv``, see parse_known_args."""\n{PARSERS}'
    assert declared_options([text]).lacks("--nope", ["list"])

"""Commands below commands, as click and typer declare them in several modules."""

from __future__ import annotations

import pytest

from grounded_ingest.code.python_commands import command_tree
from grounded_ingest.code.python_options import declared

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
        # What makes its commands as it runs, or cannot be parsed, may have any.
        ((*TYPER, "import click\nx = click.Group(cls=Lazy)\n"), ["project", "remove"], None),
        ((*TYPER, "import typer\ndef broken(:\n"), ["project", "remove"], None),
        (("import typer\nfor n in NAMES:\n    app.add_typer(load(n), name=n)\n",), ["x"], None),
        (("import os\n",), ["x"], None),
    ],
)
def test_words_of_a_command(texts: tuple[str, ...], words: list[str], missing: int | None) -> None:
    found = command_tree(texts).missing(words)
    assert (found and found[0]) == missing if found else missing is None


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
        (CLICK[0], {"cli", "db", "migrate", "up"}),
    ],
)
def test_the_argument_of_a_lone_command_is_no_subcommand(text: str, subcommands: set[str]) -> None:
    assert declared([text]).commands == subcommands

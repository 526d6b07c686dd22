"""grounded-ingest(1) is what click knows of the commands. `REGOLD=1` writes it anew."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
from collections.abc import Iterator

import click
import pytest
from clirepo import PROJECT

from grounded_ingest.cli.group import COMMANDS, EVERYTHING, cli

FILE = PROJECT / "docs" / "grounded-ingest.1"
NAME = "grounded-ingest"
ABOUT = "guard what AI agents write into a repository's memory"


def roff(text: str) -> str:
    """Words as they are: no line of them is a request, no hyphen a dash."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return re.sub(r"^(?=[.'])", r"\\&", plain, flags=re.MULTILINE)


def paragraphs(help_text: str) -> Iterator[str]:
    for paragraph in inspect.cleandoc(help_text).split("\n\n"):
        asis, text = paragraph.startswith("\b\n"), roff(paragraph.removeprefix("\b\n"))
        yield f".PP\n.nf\n{text}\n.fi" if asis else f".PP\n{text}"


def described(command: click.Command, path: str) -> Iterator[str]:
    """A command with its options, then those below it."""
    context = click.Context(command, info_name=path)
    context.meta[EVERYTHING] = True
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    yield f".SS {roff(usage)}"
    yield from paragraphs(command.help or "")
    for parameter in command.params:
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)):
            yield f".TP\n.B {roff(record[0])}\n{roff(record[1])}"
    for name, below in command.commands.items() if isinstance(command, click.Group) else ():
        yield from described(below, f"{path} {name}")


def page() -> str:
    context = click.Context(cli, info_name=NAME)
    commands = [(name, cli.get_command(context, name)) for name in COMMANDS]
    lines = [
        f'.TH {NAME.upper()} 1 "" {NAME}',
        ".SH NAME",
        f"{roff(NAME)} \\- {ABOUT}",
        ".SH SYNOPSIS",
        f".B {roff(NAME)}\n{roff(' '.join(cli.collect_usage_pieces(context)))}",
        ".SH DESCRIPTION",
        *paragraphs(cli.help or ""),
        ".SH COMMANDS",
        *(line for name, c in commands if c for line in described(c, f"{NAME} {name}")),
        ".SH SEE ALSO",
        ".BR git (1)",
    ]
    return "\n".join(lines) + "\n"


def test_the_man_page_is_of_these_commands() -> None:
    if os.environ.get("REGOLD"):
        FILE.write_text(page(), "utf-8")
    assert FILE.read_text("utf-8") == page()


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_it_is_set_without_a_warning() -> None:
    argv = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", str(FILE)]
    done = subprocess.run(
        argv, capture_output=True, text=True, env={**os.environ, "GROFF_NO_SGR": "1"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(".\b", "", done.stdout)
    for name in COMMANDS:
        assert f"grounded-ingest {name}" in shown
    assert "--fail-on LEVEL" in shown

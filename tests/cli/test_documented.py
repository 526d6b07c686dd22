"""Every command and option is documented, and what the documentation shows exists."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner
from clirepo import PROJECT

from grounded_ingest.cli.group import COMMANDS, cli
from grounded_ingest.errors import Exit
from grounded_ingest.report.formats import FORMATS

PAGE = (PROJECT / "docs" / "commands.md").read_text(encoding="utf-8")
FORMATS_PAGE = (PROJECT / "docs" / "formats.md").read_text(encoding="utf-8")


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name: str) -> None:
    for parameter in command(name).params:
        assert not isinstance(parameter, click.Option) or parameter.help, parameter


def test_commands_exit_codes_and_formats() -> None:
    for name in COMMANDS:
        assert f"grounded-ingest {name} " in PAGE
    for code in Exit:
        assert re.search(rf"^\| {code.value} \| ", PAGE, re.MULTILINE)
    for name in FORMATS:
        assert f"`{name}`" in FORMATS_PAGE


def test_links_lead_somewhere() -> None:
    for page in ("commands.md", "evidence.md"):
        path = PROJECT / "docs" / page
        for target, anchor in re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", path.read_text("utf-8")):
            there = (path.parent / target) if target else path
            assert there.exists(), (page, target)
            if anchor:
                titles = re.findall(r"^#+ (.*)$", there.read_text("utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w -]", "", t).lower().replace(" ", "-") for t in titles}
                assert anchor[1:] in slugs, (page, target, anchor)


def _every_context(above: click.Context) -> Iterator[click.Context]:
    yield above
    if isinstance(above.command, click.Group):
        for name in above.command.list_commands(above):
            found = above.command.get_command(above, name)
            assert found is not None
            yield from _every_context(click.Context(found, above, name))


ROOT = click.Context(cli, info_name="grounded-ingest", terminal_width=80)


@pytest.mark.parametrize("context", [*_every_context(ROOT)], ids=lambda c: c.command_path)
def test_help_fits_a_screen_with_an_example_and_the_exit_codes(context: click.Context) -> None:
    """A screen has 24 lines of 80 characters, and the prompt needs one line."""
    lines = context.get_help().splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"Usage: {context.command_path} ")
    assert context.command_path in lines[2]
    assert any(line.startswith("Exit codes: 0 ") for line in lines)


def test_help_shows_the_options_and_commands_that_a_screen_has_no_room_for() -> None:
    def shown(*arguments: str) -> set[str]:
        text = CliRunner().invoke(cli, arguments, prog_name="grounded-ingest").output
        return {*re.findall(r"^  (?:-\w, )?(-*[a-z][a-z-]+)", text, re.MULTILINE)}

    whole = {max(p.opts, key=len) for p in command("check").params} - {"paths", "--all-files"}
    assert whole | {"--all"} <= shown("help", "check")
    assert not {"--range", "--color"} & shown("check", "--help")
    assert {*COMMANDS} <= shown("help")
    assert "fleet" not in shown("--help")


@pytest.mark.parametrize(
    ("path", "ours", "others"),
    [
        (("check",), "--all", "--all-files"),  # pre-commit
        (("recall",), "-k", "--limit"),  # gh
        (("bench", "replay"), "--limit", "--max"),
    ],
)
def test_an_option_has_the_name_that_other_tools_give_it(
    path: tuple[str, ...], ours: str, others: str
) -> None:
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    (option,) = [p for p in command.params if ours in p.opts]
    assert others in option.opts


def test_the_options_beside_those_of_other_tools_exist() -> None:
    """The table of other tools' names must not promise an option that nobody can give."""
    page = (PROJECT / "docs/commands.md").read_text("utf-8")
    table = page.partition("## Names of other tools")[2].partition("\n## ")[0]
    rows = [row.split(" | ")[0] for row in table.splitlines() if row.startswith("| ")][1:]
    assert 10 <= len(rows) <= 25
    known = page.partition("<!-- made: options of check -->")[2]
    for option in re.findall(r"--[a-z-]+", "\n".join(rows)):
        assert f"`{option}" in known, option

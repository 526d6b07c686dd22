"""The hook's short way past click reads arguments as click does, and costs what it promises."""

from __future__ import annotations

import sys
from itertools import combinations

import click
import pytest
from clirepo import DOCUMENT, PAGE, Repo

from grounded_ingest.cli import check_run as checking
from grounded_ingest.cli.check import command
from grounded_ingest.cli.check_run import CheckFlags, switches

SWITCHES = sorted([*checking._SWITCHES, *checking._VERBOSE])


def by_click(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> CheckFlags:
    """The flags that the click command hands on."""
    seen: list[CheckFlags] = []

    def check(flags: CheckFlags) -> int:
        seen.append(flags)
        return 0

    monkeypatch.setattr("grounded_ingest.cli.check.run_check", check)
    with pytest.raises(SystemExit):
        command.main(arguments, standalone_mode=False)
    return seen[0]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_switches_are_read_as_click_reads_them(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for some in combinations(SWITCHES, count):
        for arguments in ([*some], [*reversed(some)]):
            assert switches(["check", *arguments]) == by_click(arguments, monkeypatch), arguments


def test_every_switch_of_the_command_is_known() -> None:
    """An option without a value that click alone knew would only cost time; none is meant to."""
    flags = [p for p in command.params if isinstance(p, click.Option) and (p.is_flag or p.count)]
    assert {o for p in flags for o in (*p.opts, *p.secondary_opts)} == set(SWITCHES)


CLICKS: list[list[str]] = [
    [], ["status"], ["--version"], ["check", "--help"], ["check", "notes.md"], ["check", "--since=x"],
    ["check", "--staged", "--output-format", "json"], ["check", "--stag"], ["check", "-qv"],
    ["check", "--"], ["check", ""],
]  # fmt: skip


@pytest.mark.parametrize("arguments", CLICKS, ids=" ".join)
def test_the_rest_is_left_to_click(arguments: list[str]) -> None:
    assert switches(arguments) is None


NOT_IMPORTED = (
    "click",
    "httpx",
    "git",
    "yaml",
    "tempfile",
    "inspect",
    "typing_extensions",
    "hashlib",
)


def test_the_hook_imports_none_of_what_it_does_not_need(repo: Repo) -> None:
    (repo.root / DOCUMENT).write_text(PAGE + "\nThe queue holds 200 items.\n")
    repo.git("add", "--all")
    code = (
        "import sys, grounded_ingest.__main__ as m\n"
        "sys.argv = ['grounded-ingest', 'check', '--staged', '--offline']\n"
        "from grounded_ingest.text.patterns import GuardedPattern as G, LazyPattern as L\n"
        "def made(): return [o for o in m.gc.get_objects() if type(o) in (G, L) and o._made]\n"
        "m.os._exit = lambda code: print(*sys.modules, len(made()))\n"
        "m.main()\n"
    )
    *loaded, patterns = repo.run(sys.executable, "-c", code).out.splitlines()[-1].split()
    assert "grounded_ingest.pipeline" in loaded
    assert not {*NOT_IMPORTED} & {*loaded}
    assert len(loaded) <= 406  # as many on Python 3.14
    assert int(patterns) <= 165

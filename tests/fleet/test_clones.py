"""Remote repositories behind a password, from a real server of git, with the user's own helper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grounded_ingest.fleet.tables import TABLES, answer_query
from tests.fleet.conftest import RULES, Fleet
from tests.fleet.githttp import TOKEN, git_forge
from tests.fleet.test_fleet_run import cli
from tests.repos import environment
from tests.terminal import Terminal

pytestmark = pytest.mark.slow  # servers and helpers of git for every case

USER = "x-access-token"


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[str]:
    fleet = Fleet(tmp_path)
    fleet.repository("org/ledger").commit({"CLAUDE.md": RULES})
    with git_forge(fleet.base) as address:
        yield f"{address.removeprefix('http://')}/org/ledger/.git"


class Asked:
    """What a fleet of one URL is asked, and all it wrote."""

    def __init__(self, tmp_path: Path, url: str) -> None:
        self.root, self.out, self.cache = tmp_path, tmp_path / "out", tmp_path / "cache"
        (tmp_path / "list").write_text(f"{url}\n")
        self.args = [
            "--list",
            str(tmp_path / "list"),
            "--out",
            str(self.out),
            "--cache",
            str(self.cache),
        ]

    def rows(self, sql: str) -> tuple[tuple[object, ...], ...]:
        return tuple(answer_query(str(self.out), sql, {}).rows)

    def written(self) -> str:
        tables = str([self.rows(f'SELECT * FROM "{t}"') for t in TABLES])
        files = [
            p.read_bytes() for d in (self.cache, self.out) for p in d.rglob("*") if p.is_file()
        ]
        return tables + b"\n".join(files).decode(errors="replace")


def test_the_users_own_helper_opens_it_and_the_reading_process_has_no_part_in_it(
    tmp_path: Path, forge: str
) -> None:
    """The helper's secret is in the environment, as a nightly job has it."""
    asked = Asked(tmp_path, f"http://{forge}")
    config = tmp_path / "gitconfig"
    config.write_text(
        f'[credential]\nhelper = "!f() {{ echo username={USER}; echo password=$FORGE_TOKEN; }}; f"\n'
        "[clone]\ndefaultRemoteName = upstream\n"
    )
    env = {"GIT_CONFIG_GLOBAL": str(config), "FORGE_TOKEN": TOKEN}
    for _ in range(2):  # made, then brought up to date
        done = cli(*asked.args, "--fresh", **env)
        assert done.returncode == 0, done.stdout + done.stderr
    assert asked.rows("SELECT state, disk_mb > 0, claims FROM repositories") == (("ok", True, 2),)
    assert TOKEN not in asked.written() + done.stdout + done.stderr


def test_without_a_helper_it_is_a_row_and_nobody_is_asked(tmp_path: Path, forge: str) -> None:
    asked = Asked(tmp_path, f"http://{forge}")
    asked.env = environment()  # type: ignore[attr-defined]
    terminal = Terminal(asked, "fleet", *asked.args, SSH_ASKPASS="/bin/false")  # type: ignore[arg-type]
    assert terminal.end() == 1
    assert "Username" not in terminal.screen.replace("not read Username", "")
    assert "1 of 1 repositories, 1 failed, 100%, 0:00:0" in terminal.screen
    [(state, reason)] = asked.rows("SELECT state, reason FROM repositories")
    assert state == "clone"
    # git as it was, and as it is since 2.46
    said = ("terminal prompts disabled", "unable to get password from user")
    assert any(words in str(reason) for words in said)


@pytest.mark.parametrize(("password", "state"), [(TOKEN, "ok"), (f"{TOKEN}-not", "clone")])
def test_what_stands_in_a_url_is_told_to_git_alone(
    tmp_path: Path, forge: str, password: str, state: str
) -> None:
    asked = Asked(tmp_path, f"http://{USER}:{password}@{forge}")
    for _ in range(2):
        done = cli(*asked.args, "--fresh")
        assert asked.rows("SELECT state FROM repositories") == ((state,),), done.stdout
    assert asked.rows("SELECT place FROM repositories") == ((f"http://{forge}",),)
    assert TOKEN not in asked.written() + done.stdout + done.stderr

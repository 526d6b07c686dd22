"""Repositories that attack the fleet, in one run with good ones, whose rows stay as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.fleet.tables import TABLES, answer_query
from tests.fleet.conftest import Fleet, plant
from tests.fleet.test_fleet_run import cli
from tests.repos import Repo, of_user

pytestmark = pytest.mark.slow  # a minute of repositories that are read until a limit ends it

SECRET = "hunter2-is-in-no-table"
RULES = "# Rules\n\nThe ledger keeps its rows for ten years.\n"


def tree_bomb(repo: Repo) -> None:
    """10^30 files in thirty objects."""
    mode, kind, name = "100644", "blob", repo.git("hash-object", "-w", "--stdin", stdin=RULES)
    for _ in range(30):
        rows = "".join(f"{mode} {kind} {name}\t{n}\n" for n in "abcdefghij")
        mode, kind, name = "040000", "tree", repo.git("mktree", stdin=rows)
    of_tree(repo, name)


def of_tree(repo: Repo, tree: str) -> None:
    repo.git("update-ref", "refs/heads/main", repo.git("commit-tree", tree, "-m", "tree"))


def deep_tree(repo: Repo) -> None:
    """Directories within each other, 5,000 deep."""
    name = repo.git("hash-object", "-w", "--stdin", stdin=RULES)
    head = "commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 0\n"
    path = f"{'d/' * 5_000}CLAUDE.md"
    repo.git("fast-import", "--quiet", stdin=f"{head}M 644 {name} {path}\n")


def much_text(repo: Repo) -> None:
    """Eight gigabytes of documents in a pack of kilobytes: a check that does not end."""
    text = "".join(f"The service {n} listens on port {n}.\n\n" for n in range(95_000))
    name = repo.git("hash-object", "-w", "--stdin", stdin=text)
    docs = repo.git("mktree", stdin="".join(f"100644 blob {name}\t{n}.md\n" for n in range(2_000)))
    of_tree(repo, repo.git("mktree", stdin=f"040000 tree {docs}\tdocs\n"))


def huge_blob(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": b"\0" * (128 << 20), "AGENTS.md": RULES})
    (repo.root / "CLAUDE.md").unlink()


def aliases(repo: Repo) -> None:
    """10^9 values in YAML of a few lines."""
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n"
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    repo.commit({"CLAUDE.md": f"---\n{bomb}---\n{RULES}", ".grounded-ingest.yaml": bomb})


def nested_text(repo: Repo) -> None:
    deep = 50_000
    repo.commit({
        "CLAUDE.md": f"{'>' * deep} deep\n", "AGENTS.md": f"{'[' * deep}{']' * deep}\n",
        "docs/a.md": f"{'- ' * 9_000}x\n", "memory-bank/a.json": "[" * deep,
        "docs/b.md": "*_" * deep, "docs/c.md": f"{'<b>' * deep}\n", "docs/d.md": "`" * deep,
    })  # fmt: skip


def long_claim(repo: Repo) -> None:
    """A sentence of 700 kB, no word of it twice."""
    repo.commit({"CLAUDE.md": f"# Rules\n\n{' '.join(f'word{n}' for n in range(70_000))}.\n"})


ATTACKS = {
    tree_bomb: ("memory", "limit"),
    deep_tree: ("ok|error", ""),  # some versions of git refuse it
    much_text: ("time|memory", ""),  # whichever a machine reaches first
    huge_blob: ("ok", ""),
    aliases: ("error", "anchors and aliases are not allowed"),
    nested_text: ("ok", ""),
    long_claim: ("ok", ""),
}


def rows_of(fleet: Fleet, name: str) -> dict[str, Any]:
    return {
        t: answer_query(
            str(fleet.out),
            f"SELECT * EXCLUDE (run) FROM {t} WHERE repository = '{name}' ORDER BY ALL",
        ).rows
        for t in ("claims", "evidence", "findings")
    }


def test_a_hostile_repository_is_a_row_and_changes_no_other(tmp_path: Path) -> None:
    fleet = Fleet(tmp_path)
    plant(fleet)
    ask = ["--directory", str(fleet.base), "--out", str(fleet.out), "--workers", "4"]
    limits = ["--seconds", "15", "--memory", "400", "--fresh"]
    assert cli(*ask).returncode == 0
    good = {n: rows_of(fleet, n) for n in ("gateway", "ledger", "mailer")}
    for attack in ATTACKS:
        attack(fleet.repository(attack.__name__))
    done = cli(*ask, *limits)
    assert done.returncode == 1, done.stderr
    found = {
        name: (state, reason)
        for name, state, reason in answer_query(
            str(fleet.out), "SELECT repository, state, reason FROM repositories"
        ).rows
    }
    for attack, (state, said) in ATTACKS.items():
        assert found[attack.__name__][0] in state.split("|"), (
            attack.__name__,
            found[attack.__name__],
        )
        assert said in found[attack.__name__][1]
    for name, rows in good.items():
        assert rows_of(fleet, name) == rows, name
    assert not [*fleet.out.glob("reports/*.new")]


def test_nothing_of_a_repository_runs_and_no_secret_reaches_a_table(tmp_path: Path) -> None:
    """Its files, and the configuration of its git, ask for a program, a token, and files of others.
    The user granted all of it, to repositories of their own."""
    fleet = Fleet(tmp_path)
    plant(fleet)
    mark, secret = tmp_path / "it-ran", tmp_path / "secret.md"
    run = f"sh -c 'touch {mark}'"
    secret.write_text(f"# Secret\n\nThe password is {SECRET}.\n")
    (tmp_path / "other.config").write_text(
        f'[remote "origin"]\nurl = https://ada:{SECRET}@forge.example/org/thief.git\n'
    )
    thief = fleet.repository("thief")
    thief.commit({
        ".grounded-ingest.yaml": "tracker: {kind: gitlab, url: 'http://127.0.0.1:9', repository: a/b,"
        " token_env: FLEET_TOKEN}\nnetwork: {allow: ['127.0.0.1']}\n"
        f"judge: {{kind: command, command: [touch, '{mark}'], variables: [FLEET_TOKEN]}}\n",
        "CLAUDE.md": f"link:{secret}", "docs/all.md": f"link:{fleet.out}", "docs/up.md": "link:../../../../secret.md",
        "AGENTS.md": f"# Rules\n\nThe port stands in `{secret}`, `../gateway/src/port.py` and #12.\n\n"
        "The gateway listens on port 8443 (`app.py:1`).\n", "app.py": "PORT = 8443\n",
        ".gitattributes": "* diff=evil filter=evil\n", ".gitmodules": f'[submodule "m"]\npath = m\nurl = ext::{run}\n',
    })  # fmt: skip
    git = thief.root / ".git"
    grant = f'judge [\\"touch\\", \\"{mark}\\"] FLEET_TOKEN'
    (git / "config").write_text(
        f"[core]\nrepositoryformatversion = 1\nfsmonitor = {run}\nsshCommand = {run}\npager = {run}\n"
        f"editor = {run}\nhooksPath = {git}/hooks\nattributesFile = {git}/info/attributes\n"
        f'[extensions]\npartialClone = evil\n[remote "evil"]\nurl = ext::{run}\npromisor = true\n'
        f'[diff "evil"]\ntextconv = {run}\ncommand = {run}\n[filter "evil"]\nclean = {run}\nsmudge = {run}\n'
        f"[credential]\nhelper = !{run}\n[gpg]\nprogram = {run}\n[log]\nshowSignature = true\n"
        f'[grounded-ingest]\ngrant = "{grant}"\n[include]\npath = {tmp_path}/other.config\n'
    )
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "post-index-change"):
        path = git / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {mark}\n")
        path.chmod(0o755)
    (git / "grounded-ingest").symlink_to(fleet.base / "gateway/.git")
    before = sorted((fleet.base / "gateway/.git").rglob("*"))
    granted = f'judge ["touch", "{mark}"] FLEET_TOKEN'
    done = cli(
        "--directory", str(fleet.base), "--out", str(fleet.out), "--online",
        FLEET_TOKEN=SECRET, GROUNDED_INGEST_GRANT=granted, **of_user(tmp_path, granted),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert not mark.exists()
    assert sorted((fleet.base / "gateway/.git").rglob("*")) == before
    told = str({t: answer_query(str(fleet.out), f'SELECT * FROM "{t}"').rows for t in TABLES})
    assert "forge.example/org/thief" in told
    for text in (told, done.stdout, done.stderr):
        assert SECRET not in text


def test_a_fleet_of_which_nothing_can_be_read_has_tables(tmp_path: Path) -> None:
    fleet = Fleet(tmp_path)
    aliases(fleet.repository("aliases"))
    done = cli("--directory", str(fleet.base), "--out", str(fleet.out))
    assert (done.returncode, done.stderr) == (1, "")
    assert answer_query(str(fleet.out), "SELECT * FROM claims").rows == ()

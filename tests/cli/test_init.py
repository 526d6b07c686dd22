"""Setting up: shows what it writes, destroys nothing, does it once."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from clirepo import BLOCKED, DOCUMENT, Repo
from servers import Server

from grounded_ingest.cli.judge_offers import find_judges
from grounded_ingest.config.files import parse_yaml
from grounded_ingest.git.hooks import entry_lines, hook_item, with_entry
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.references.grants import within_reach
from grounded_ingest.text.lexicon.judge_programs import PROGRAMS

WRITTEN = [".gitattributes", ".grounded-ingest.yaml", ".pre-commit-config.yaml"]
CONFIG = """\
# our hooks
default_language_version: {python: python3}
repos:
  # the usual ones
  - repo: https://example.org/hooks
    rev: v1.0   # pinned
    hooks:
      - id: trailing-whitespace
        args: [
          --fix,
        ]
      # - id: not-now

ci:
  skip: [x]
"""


def files(repo: Repo) -> dict[str, bytes]:
    return {
        str(p.relative_to(repo.root)): p.read_bytes()
        for p in repo.root.rglob("*")
        if p.is_file() and not {".git", "evidence"} & {*p.relative_to(repo.root).parts}
    }


def test_writes_what_it_showed_and_only_once(repo: Repo) -> None:
    before = files(repo)
    shown = repo.ask("init", "--dry-run")
    assert shown.code == 0
    assert files(repo) == before
    ran = repo.ask("init", "--yes")
    assert ran.code == 0
    assert ran.out.startswith(shown.out.partition("There is no CODEOWNERS")[0])
    assert sorted(set(files(repo)) - set(before)) == WRITTEN
    for path in WRITTEN:
        for line in repo.read(path).splitlines():
            assert f"+{line}" in shown.out.splitlines()
    after = files(repo)
    again = repo.ask("init", "--yes")
    assert (again.code, files(repo)) == (0, after)
    assert again.out.startswith("nothing to do")


def test_what_it_writes_is_a_valid_set_up(repo: Repo) -> None:
    assert repo.ask("init", "--yes").code == 0
    for path in WRITTEN:
        repo.commit(path, repo.read(path))
    ran = repo.run(sys.executable, "-m", "pre_commit", "validate-config")
    assert ran.code == 0, ran.out
    assert repo.ask("status", "--json").json["configuration"] == {
        "file": ".grounded-ingest.yaml",
        "preset": "advisory",
    }
    assert repo.git("check-attr", "linguist-generated", ".grounded/evidence/a/b.md.jsonl").endswith(
        "true\n"
    )
    assert repo.git("check-attr", "merge", ".grounded/evidence/a.md/b.jsonl").endswith("union\n")
    repo.write(DOCUMENT, f"{BLOCKED}\n")
    assert repo.check().code == 0, "advisory fails nothing"


@pytest.mark.parametrize("preset", ["advisory", "default", "strict"])
def test_preset(repo: Repo, preset: str) -> None:
    """Only `advisory` has something to show in a commit that passes: that it would fail."""
    assert repo.ask("init", "--yes", "--preset", preset).code == 0
    assert repo.ask("status", "--json").json["configuration"]["preset"] == preset
    assert ("verbose: true" in repo.read(".pre-commit-config.yaml")) is (preset == "advisory")


@pytest.mark.parametrize(
    "address", [["--repo", "local"], ["--repo", "https://example.org/x", "--rev", "v1"]]
)
def test_offline_is_the_offline_hook(repo: Repo, address: list[str]) -> None:
    """The entry must be the one that `.pre-commit-hooks.yaml` or the command calls offline."""
    assert repo.ask("init", "--yes", "--no-install", "--offline", *address).code == 0
    (entry,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    (hook,) = entry["hooks"]
    assert hook["id"] == "grounded-ingest-offline"
    if entry["repo"] == "local":
        assert hook["entry"] == "grounded-ingest check --staged --write --offline"
    text = repo.read(".pre-commit-config.yaml")
    assert repo.ask("init", "--yes", "--no-install", *address).code == 0
    assert repo.read(".pre-commit-config.yaml") == text, "an existing hook stays"


def test_offline_is_an_offline_script(repo: Repo) -> None:
    assert repo.ask("init", "--yes", "--hook", "git", "--offline").code == 0
    assert repo.read(".git/hooks/pre-commit").endswith(" check --staged --write --offline\n")


def test_a_clone_on_this_machine_needs_no_revision(repo: Repo) -> None:
    repo.git("clone", "--quiet", ".", "../clone")
    assert repo.ask("init", "--yes", "--no-install", "--repo", "../clone").code == 0
    (entry,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    assert entry["repo"] == str((repo.root / "../clone").resolve())
    assert entry["rev"] == repo.git("rev-parse", "HEAD").strip()


@pytest.mark.parametrize("args", [["--rev", "v1"], ["--repo", "https://example.org/x"]])
def test_repo_and_rev_go_together(repo: Repo, args: list[str]) -> None:
    assert repo.ask("init", *args).code == 2


def test_without_a_terminal_it_does_not_write(repo: Repo) -> None:
    before = files(repo)
    ran = repo.ask("init")
    assert ran.code == 2
    assert "add --yes" in ran.err
    assert files(repo) == before


def test_an_existing_configuration_stays(repo: Repo) -> None:
    repo.write("pyproject.toml", '[tool.grounded-ingest]\npreset = "strict"\n')
    repo.write(".gitattributes", "*.md text")
    repo.write(".pre-commit-config.yaml", CONFIG)
    assert repo.ask("init", "--yes").code == 0
    assert not (repo.root / ".grounded-ingest.yaml").exists()
    assert repo.read("pyproject.toml") == '[tool.grounded-ingest]\npreset = "strict"\n'
    assert repo.read(".gitattributes").splitlines()[0] == "*.md text"
    assert len(repo.read(".gitattributes").splitlines()) == 3


OURS = "\n".join(entry_lines("", "", shows=True)) + "\n"
"""As `init --yes` writes it, whose preset is advisory."""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CONFIG, CONFIG.replace("not-now\n", f"not-now\n{OURS}")),
        ("repos:\n- repo: local\n  hooks: []", None),
        ("repos:\n- repo: local\n  hooks:\n  - {id: a, entry: |\n", "refused"),
        ("repos: []\n", "refused"),
        ("repos: [{repo: meta, hooks: []}]\n", "refused"),
        ("repos:\n", "refused"),
        ("[]\n", "refused"),
        ("", "refused"),
        ("repos: &x\n  - repo: local\n    hooks: []\nother: *x\n", "refused"),
        ("repos: [\n", "refused"),
        ("a: !x y\nrepos:\n  - repo: local\n    hooks: []\n", "refused"),
    ],
)
def test_editing_keeps_everything_else(before: str, after: str | None) -> None:
    edited = with_entry(before, "", "", shows=True)
    if after == "refused":
        assert edited is None
        return
    assert edited is not None
    assert yaml.safe_load(edited)["repos"][-1] == hook_item("", "", shows=True)
    kept = [line for line in edited.splitlines() if line in before.splitlines()]
    assert [line for line in before.splitlines() if line not in kept] == []
    assert after is None or edited == after
    assert with_entry(edited, "", "") == edited


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "tail",
    [
        "      - id: a\n        args: |\n          x\n\n          y\n",
        "      - id: a\n        description: >-\n          folded\n          text\n\n\n",
        "      - id: 'a'\n        name: \"two\n          lines\"\n",
        "      - {id: a,\n         args: [b]}\n",
        "      - id: a\n# at the margin\n",
        "      - id: a",
    ],
)
def test_editing_behind_every_kind_of_ending(tail: str, ending: str) -> None:
    before = f"repos:\n  - repo: local\n    hooks:\n{tail}".replace("\n", ending)
    edited = with_entry(before, "https://example.org/x", "v1")
    assert edited is not None
    old, new = yaml.safe_load(before), yaml.safe_load(edited)
    assert new["repos"] == [*old["repos"], hook_item("https://example.org/x", "v1")]
    assert ("\r\n" in edited) == (ending == "\r\n")
    assert edited.count("\n") == edited.count(ending)


@pytest.mark.parametrize(
    "rev", ["v1.0", "1.0", "true", "0123456", "1e5", "a: b", "#x", "null", "'"]
)
def test_revisions_stay_text(rev: str) -> None:
    text = "repos:\n" + "\n".join(entry_lines("https://example.org/x", rev)) + "\n"
    assert yaml.safe_load(text)["repos"][0]["rev"] == rev


def test_what_cannot_be_edited_is_printed(repo: Repo) -> None:
    repo.write(".pre-commit-config.yaml", "repos: []\n")
    ran = repo.ask("init", "--yes", "--repo", "local")
    assert ran.code == 0
    assert repo.read(".pre-commit-config.yaml") == "repos: []\n"
    assert "cannot be edited safely" in ran.out
    assert OURS in ran.out


@pytest.mark.parametrize(
    "hook",
    [
        "id: grounded-ingest",
        "id: grounded-ingest-offline",
        "id: x\n        entry: python -m grounded-ingest check",
    ],
)
def test_a_hook_that_is_there_stays(repo: Repo, hook: str) -> None:
    text = f"repos:\n  - repo: local\n    hooks:\n      - {hook}\n"
    repo.write(".pre-commit-config.yaml", text)
    assert repo.ask("init", "--yes").code == 0
    assert repo.read(".pre-commit-config.yaml") == text


GUARDED = [
    "/.grounded/reviews/", "/.grounded/allowed_signers", "/.grounded/allowed_keys.asc",
    "/.grounded/baseline.jsonl", ".grounded-ingest.yaml", "/.github/",
]  # fmt: skip
"""What decides which texts are judged and which approvals count; docs/security.md names them."""


@pytest.mark.parametrize(
    ("before", "owners", "named"),
    [
        ("* @ann\n", "@ann", []),
        ("* @ann @bob # all\n.github/ @eve\n", "@ann @bob", ["/.github/"]),
        ("* @ann\n/.grounded/ @eve\n", "@ann", GUARDED[:4]),
        ("/.github/ @eve\n* @ann\n", "@ann", []),
        ("* @ann\n" + "".join(f"{g} @ann\n" for g in GUARDED), "", GUARDED),
    ],
    ids=["none", "one", "what lies above", "one that a later line takes back", "all"],
)
def test_owners(repo: Repo, before: str, owners: str, named: list[str]) -> None:
    path = ".github/CODEOWNERS"
    repo.write(path, before)
    assert repo.ask("init", "--yes").code == 0
    added = [f"{g} {owners}\n" for g in GUARDED if g not in named]
    assert repo.read(path) == before + "".join(added)
    assert repo.ask("init", "--yes").out.startswith("nothing to do")


def test_owners_of_the_configuration_and_the_baseline_there_are(repo: Repo) -> None:
    """Wherever they lie, and of a CODEOWNERS that nobody owns yet."""
    table = '[tool.grounded-ingest]\nbaseline = "known.jsonl"\n'
    repo.write("pyproject.toml", table)
    repo.write("CODEOWNERS", "* @ann\n")
    assert repo.ask("init", "--yes").code == 0
    added = repo.read("CODEOWNERS").split()
    assert {"/known.jsonl", "/pyproject.toml", "/CODEOWNERS"} < set(added)
    assert "/.grounded/baseline.jsonl" not in added


@pytest.mark.parametrize("before", ["/docs/ @ann\n", "[Docs]\n* @ann\n", "* ann\n"])
@pytest.mark.parametrize("path", ["CODEOWNERS", ".github/CODEOWNERS"])
def test_owners_that_cannot_be_told_are_a_hint(repo: Repo, path: str, before: str) -> None:
    repo.write(path, before)
    ran = repo.ask("init", "--yes")
    assert (ran.code, repo.read(path)) == (0, before)
    assert f"Name owners in {path} for /.grounded/reviews/, /.grounded/allowed_signers," in ran.out
    assert repo.ask("init", "--yes").out.startswith("nothing to do")


@pytest.mark.parametrize("path", [*WRITTEN, ".github", "CODEOWNERS"])
@pytest.mark.parametrize("target", ["../outside", "inside", "/dev/null"])
def test_links_are_refused(repo: Repo, path: str, target: str) -> None:
    repo.beside("outside").write("CODEOWNERS", "* @ann\n")
    os.symlink(target, repo.root / path)
    before = files(repo)
    ran = repo.ask("init", "--yes")
    assert ran.code == 2
    assert f"the symbolic link {path}" in ran.err
    assert files(repo) == before


@pytest.mark.parametrize("path", WRITTEN)
def test_files_that_are_not_utf_8_stay(repo: Repo, path: str) -> None:
    repo.write(path, b"# caf\xe9\n")
    repo.ask("init", "--yes")
    assert (repo.root / path).read_bytes() == b"# caf\xe9\n"


def test_bare_repositories_are_refused(repo: Repo) -> None:
    repo.git("clone", "--quiet", "--bare", ".", "../bare.git")
    assert repo.beside("bare.git").ask("init", "--yes").code == 2


def offering(repo: Repo, tmp_path: Path) -> dict[str, str]:
    """An environment with one agent's program on PATH, and no other."""
    there = tmp_path / "agents"
    there.mkdir()
    (there / "claude").write_text("#!/bin/sh\n")
    (there / "claude").chmod(0o755)
    usual = [p for p in repo.env["PATH"].split(os.pathsep) if not (Path(p) / "codex").exists()]
    return {"PATH": os.pathsep.join([str(there), *usual])}


def test_a_judge_is_offered_and_not_switched_on(repo: Repo, tmp_path: Path) -> None:
    ran = repo.ask("init", "--yes", **offering(repo, tmp_path))
    assert ran.code == 0
    (offer,) = [row for row in ran.out.splitlines() if "the program" in row]
    assert offer.startswith(f"  the program {tmp_path}/agents/claude: ")
    assert offer.endswith("grounded-ingest init --judge claude")
    assert "judge" not in repo.read(".grounded-ingest.yaml")
    assert "grounded-ingest.grant" not in repo.git("config", "--list")


def test_a_judge_that_is_named_is_configured_and_its_user_grants_it(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = repo.ask("init", "--yes", "--judge", "claude", **offering(repo, tmp_path))
    assert ran.code == 0
    assert "grounded-ingest.grant" not in repo.git("config", "--list")
    (grant,) = [row for row in ran.out.splitlines() if "git config --global --add" in row]
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    env = {**repo.env, "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig")}
    subprocess.run(grant.strip(), shell=True, cwd=repo.root, env=env, check=True)
    config = parse_yaml(repo.read(".grounded-ingest.yaml"), "f").wishes.judge
    assert (config.kind, config.command) == ("command", PROGRAMS["claude"])
    with Opened(str(repo.root), own=False) as opened:
        reach = within_reach(opened, parse_yaml(repo.read(".grounded-ingest.yaml"), "f"), {})
    assert (reach.config.judge.kind, reach.refused) == ("command", ())
    again = repo.ask("init", "--yes", **offering(repo, tmp_path / "agents"))
    assert "--judge" not in again.out


@pytest.mark.parametrize(
    ("before", "added"),
    [
        ("preset: strict\n", True),
        ("# nothing yet", True),
        ("preset: strict\njudge: {timeout: 5}\n", False),
        ("{preset: strict}\n", False),
    ],
)
def test_a_judge_is_added_where_that_is_safe(
    repo: Repo, tmp_path: Path, before: str, added: bool
) -> None:
    repo.write(".grounded-ingest.yaml", before)
    ran = repo.ask("init", "--yes", "--judge", "claude", **offering(repo, tmp_path))
    assert ran.code == 0
    after = repo.read(".grounded-ingest.yaml")
    assert after.startswith(before)
    assert ("kind: command" in after) is added
    assert ("by hand" in ran.out) is not added


def test_a_judge_that_is_not_there_is_said(repo: Repo) -> None:
    before = files(repo)
    ran = repo.ask("init", "--yes", "--judge", "no-such")
    assert ran.code == 2
    assert "there is no judge model named no-such on this machine" in ran.err
    assert files(repo) == before


MODELS = {"object": "list", "data": [{"id": "small-1b", "object": "model"}]}


@pytest.mark.parametrize(
    ("status", "body", "offered"),
    [
        (200, json.dumps(MODELS).encode(), True),
        (200, b"<html>a web application</html>", False),
        (200, b'{"data": []}', False),
        (200, b'{"data": [{"id": "a\\nb: c"}]}', False),
        (404, json.dumps(MODELS).encode(), False),
    ],
)
def test_a_server_of_models_on_this_machine_is_offered(
    tmp_path: Path, status: int, body: bytes, offered: bool
) -> None:
    with Server(lambda handler: handler.say(status, body)) as server:
        found = find_judges(str(tmp_path), {"ollama": server.port, "vllm": 1})
    servers = [o for o in found if o.name in ("ollama", "vllm")]
    assert [o.name for o in servers] == (["ollama"] if offered else [])
    assert {s.path for s in server.seen} == {"/v1/models"}
    for offer in servers:
        config = parse_yaml(offer.configuration, "f")
        assert config.wishes.judge.base_url == f"http://127.0.0.1:{server.port}/v1"
        assert config.wishes.judge.model == "small-1b"
        assert [shlex.split(g)[-1] for g in offer.grants] == [
            f"judge {config.wishes.judge.base_url}", f"allow {config.wishes.allow[0]}",
        ]  # fmt: skip

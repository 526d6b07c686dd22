"""Setting up: shows what it writes, destroys nothing, does it once."""

from __future__ import annotations

import os
import sys

import pytest
import yaml
from clirepo import BLOCKED, DOCUMENT, Repo

from grounded_ingest.git.hooks import entry_lines, hook_item, with_entry

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
    assert ran.out.startswith(shown.out.partition("An approval counts")[0])
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
    """Only with `strict`, a commit that passes has no findings to show."""
    assert repo.ask("init", "--yes", "--preset", preset).code == 0
    assert repo.ask("status", "--json").json["configuration"]["preset"] == preset
    assert ("verbose: true" in repo.read(".pre-commit-config.yaml")) is (preset != "strict")


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


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--rev", "v1"], "--rev needs --repo"),
        (["--repo", "no/such"], "--repo no/such is neither a folder nor an address"),
    ],
)
def test_an_address_that_is_none_is_refused(repo: Repo, args: list[str], said: str) -> None:
    ran = repo.ask("init", "--yes", *args)
    assert ran.code == 2
    assert said in ran.err


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


def test_files_without_owners_are_a_hint(repo: Repo) -> None:
    """What decides which texts are judged and which approvals count; docs/security.md names it."""
    guarded = (
        "/.grounded/reviews/, /.grounded/allowed_signers, /.grounded/allowed_keys.asc,"
        " /.grounded/baseline.jsonl, .grounded-ingest.yaml, /.github/."
    )
    repo.write(".github/CODEOWNERS", "* @ann\n")
    here = "Name code owners in .github/CODEOWNERS for .grounded-ingest.yaml, /.github/.\n"
    assert here in repo.ask("init", "--yes").out  # no file that does not exist
    (repo.root / ".grounded/reviews").mkdir(parents=True)
    for name in ("allowed_signers", "allowed_keys.asc", "baseline.jsonl"):
        repo.write(f".grounded/{name}", "")
    assert f"Name code owners in .github/CODEOWNERS for {guarded}" in repo.ask("init", "--yes").out
    owned = "".join(f"{g} @ann\n" for g in guarded.rstrip(".").split(", ")[:-1])
    repo.write(".github/CODEOWNERS", owned)
    assert "Name code owners in .github/CODEOWNERS for /.github/." in repo.ask("init", "--yes").out


@pytest.mark.parametrize("path", [*WRITTEN, ".github"])
@pytest.mark.parametrize("target", ["../outside", "inside", "/dev/null"])
def test_links_are_refused(repo: Repo, path: str, target: str) -> None:
    os.symlink(target, repo.root / path)
    before = files(repo)
    ran = repo.ask("init", "--yes")
    assert ran.code == 2
    assert f"{path} is a symbolic link" in ran.err
    assert files(repo) == before


@pytest.mark.parametrize("path", WRITTEN)
def test_files_that_are_not_utf_8_stay(repo: Repo, path: str) -> None:
    repo.write(path, b"# caf\xe9\n")
    repo.ask("init", "--yes")
    assert (repo.root / path).read_bytes() == b"# caf\xe9\n"


def test_bare_repositories_are_refused(repo: Repo) -> None:
    repo.git("clone", "--quiet", "--bare", ".", "../bare.git")
    assert repo.beside("bare.git").ask("init", "--yes").code == 2

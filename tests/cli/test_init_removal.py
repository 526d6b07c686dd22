"""`init --remove` takes out what `init` wrote, byte for byte, and nothing that a person wrote."""

from __future__ import annotations

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, Repo
from terminal import Terminal

from grounded_ingest.agents.registry import AGENTS
from grounded_ingest.cli.installation import AGENT_LINES
from grounded_ingest.git.hooks import with_entry, without_entry

HOOKS = """\
# our hooks
repos:
  # the usual ones
  - repo: local
    hooks:
      - {id: a, name: a, entry: "true", language: system, stages: [pre-commit]}

ci:
  skip: [x]"""
ADDRESS = ("--repo", "https://github.com/owner/grounded-ingest", "--rev", "v1")


def state(repo: Repo) -> dict[str, tuple[bytes, int]]:
    """Bytes and modes of the work tree, of git's hooks and of git's configuration."""
    names = ((p, p.relative_to(repo.root).as_posix()) for p in repo.root.rglob("*") if p.is_file())
    kept = (".git/hooks/", ".git/config")
    return {
        name: (p.read_bytes(), p.stat().st_mode)
        for p, name in names
        if not name.startswith(".git/") or name.startswith(kept)
    }


def fill(repo: Repo) -> None:
    """Commits files of the kinds that `init` adds lines to, with unusual formatting."""
    repo.commit(".pre-commit-config.yaml", HOOKS)
    repo.commit(".gitattributes", "*.md text")
    repo.commit("AGENTS.md", "# Agents\r\n\r\nRun the tests.\r\n")
    repo.commit("CLAUDE.md", "# Claude\n\nRun the linter.")
    repo.commit(".github/CODEOWNERS", "* @ann")
    repo.commit(".claude/settings.json", '{"model": "x",\n    "hooks": {"Stop": []}}')


SETUPS = {
    "plain": (),
    "default": ("--preset", "default", "--offline"),
    "git": ("--hook", "git", "--agents", "--no-install"),
    "everything": ("--ci", *ADDRESS, "--agents", "--baseline", "--offline"),
    "none": ("--hook", "none", "--preset", "strict", "--offline"),
    "agents": ("--agent", "claude", "--agent", "kiro", "--agent", "opencode", "--agent", "cline"),
    "all agents": tuple(word for agent in AGENTS for word in ("--agent", agent)),
}
# A set-up is removed by its bytes, which git knows if it was committed: the two with most files.
BEFORE = [
    *((name, filled, False) for name in SETUPS for filled in (False, True)),
    *((name, filled, True) for name in ("everything", "all agents") for filled in (False, True)),
]


@pytest.mark.parametrize(("name", "filled", "commits"), BEFORE)
def test_the_repository_is_as_before(
    repo: Repo, program: str, name: str, filled: bool, commits: bool
) -> None:
    """Also if the set-up was committed: git knows the bytes from before."""
    repo.commit(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    if filled:
        fill(repo)
    before = state(repo)
    assert repo.ask("init", "--yes", *SETUPS[name], PATH=program).code == 0
    assert state(repo) != before
    if commits:
        repo.git("add", "--all")
        repo.git("commit", "--quiet", "--no-verify", "-m", "Set up")
    ran = repo.ask("init", "--remove", "--yes", PATH=program)
    assert ran.code == 0, ran.err
    after = state(repo)
    if filled:  # pre-commit runs the hooks that are left, so its own script stays
        after.pop(".git/hooks/pre-commit", None)
    assert after == before
    assert commits or repo.git("status", "--porcelain") == ""
    assert not (repo.root / ".git/grounded-ingest").exists()
    assert repo.ask("init", "--remove", "--yes").out.startswith("nothing to remove")


@pytest.mark.parametrize("reset", [False, True])
def test_a_later_commit_merge_and_push_work(repo: Repo, program: str, reset: bool) -> None:
    """pre-commit's scripts refuse every push once the configuration is gone."""
    repo.git("clone", "--quiet", "--bare", ".", "../far.git")
    repo.git("remote", "add", "origin", "../far.git")
    assert repo.ask("init", "--yes", PATH=program).code == 0
    if reset:
        (repo.root / ".pre-commit-config.yaml").unlink()
    assert repo.ask("init", "--remove", "--yes", PATH=program).code == 0
    repo.git("switch", "--quiet", "-c", "other")
    repo.write("new.txt", "x\n")
    repo.git("add", "--all")
    for command in (
        ["commit", "-m", "More"],
        ["switch", "-"],
        ["merge", "--no-ff", "other", "-m", "Merge"],
        ["push", "origin", "HEAD:refs/heads/pushed"],
    ):
        ran = repo.run("git", *command, PATH=program)
        assert ran.code == 0, ran.err


def test_a_script_that_pre_commit_moved_comes_back(repo: Repo, program: str) -> None:
    hook = repo.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    before = state(repo)
    assert repo.ask("init", "--yes", PATH=program).code == 0
    assert repo.ask("init", "--remove", "--yes", PATH=program).code == 0
    assert state(repo) == before


def test_it_shows_and_asks_first(repo: Repo, program: str) -> None:
    assert repo.ask("init", "--yes", PATH=program).code == 0
    before = state(repo)
    shown = repo.ask("init", "--remove", "--dry-run")
    assert shown.code == 0
    for path in (".grounded-ingest.yaml", ".pre-commit-config.yaml", ".git/hooks/pre-push"):
        assert f"delete {path}\n" in shown.out
    assert repo.ask("init", "--remove").code == 2
    assert state(repo) == before
    person = Terminal(repo, "init", "--remove")
    person.until("Remove this? [Y/n/?]: ")
    assert person.end("n\n") == 0
    assert state(repo) == before
    assert repo.ask("init", "--remove", "--yes", "--ci").code == 2


def test_what_a_person_changed_stays(repo: Repo) -> None:
    repo.write("AGENTS.md", "# Agents\n")
    assert repo.ask("init", "--yes", "--no-install", "--agents", "--ci", *ADDRESS).code == 0
    assert repo.ask("init", "--yes", "--agent=claude").code == 0
    for path, more in {
        ".grounded-ingest.yaml": 'exclude: ["old"]\n',
        "AGENTS.md": "- Ask Ann.\n",
        ".gitattributes": "*.md text\n",
        ".github/workflows/grounded-ingest.yml": "      - run: make\n",
    }.items():
        repo.write(path, repo.read(path) + more)
    settings = repo.read(".claude/settings.json")
    repo.write(".claude/settings.json", settings.replace("{\n", '{\n  "model": "x",\n', 1))
    ran = repo.ask("init", "--remove", "--yes")
    assert ran.code == 0
    assert repo.read(".grounded-ingest.yaml") == 'exclude: ["old"]\n'
    assert repo.read("AGENTS.md") == "# Agents\n\n- Ask Ann.\n"
    assert repo.read(".gitattributes") == "*.md text\n"
    assert repo.read(".claude/settings.json") == '{\n  "model": "x"\n}\n'
    assert "- run: make" in repo.read(".github/workflows/grounded-ingest.yml")
    assert "grounded-ingest.yml was changed by a person" in ran.out


HEADING, *LINES = AGENT_LINES.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (f"# A\n\n{AGENT_LINES}\nAsk Ann.\n", "# A\n\nAsk Ann.\n"),
        (f"# A\n\n{AGENT_LINES}\n## More\n\nAsk Ann.\n", "# A\n\n## More\n\nAsk Ann.\n"),
        (f"# A\n\n{AGENT_LINES}", "# A\n"),
        (f"{HEADING}\nAsk Ann.\n{''.join(LINES)}", f"{HEADING}\nAsk Ann.\n"),
    ],
)
def test_the_heading_stays_only_above_what_a_person_wrote_below_it(
    repo: Repo, written: str, left: str
) -> None:
    repo.write("CLAUDE.md", written)
    assert repo.ask("init", "--remove", "--yes").code == 0
    assert repo.read("CLAUDE.md") == left


@pytest.mark.parametrize("other", ["hook", "setting"])
def test_the_script_of_pre_commit_stays_for_other_hooks_and_it_is_said(
    repo: Repo, program: str, other: str
) -> None:
    if other == "hook":
        repo.write(".pre-commit-config.yaml", f"{HOOKS}\n")
    assert repo.ask("init", "--yes", PATH=program).code == 0
    if other == "setting":
        repo.write(".pre-commit-config.yaml", repo.read(".pre-commit-config.yaml") + "ci: {}\n")
    ran = repo.ask("init", "--remove", "--yes", PATH=program)
    stays = ".git/hooks/pre-commit stays: pre-commit runs the other hooks of .pre-commit-config"
    assert (stays in ran.out) is (other == "hook")
    assert (repo.root / ".git/hooks/pre-commit").exists() is (other == "hook")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("repos:\n  - repo: x\n    rev: v1\n    hooks: [{id: grounded-ingest-offline}]\n", ""),
        (
            "repos:\n- repo: x\n  hooks:\n  - id: a\n  - id: grounded-ingest\n    verbose: true\n",
            "repos:\n- repo: x\n  hooks:\n  - id: a\n",
        ),
        (
            "repos:\n- repo: x\n  hooks:\n  - id: grounded-ingest\nci: {}\n",
            "repos: []\nci: {}\n",
        ),
        ("repos: [{repo: x, hooks: [{id: grounded-ingest}]}]\n", None),
        ("repos: []\n", "repos: []\n"),
        ("a: [grounded-ingest\n", None),
    ],
)
def test_only_our_hook_leaves_the_configuration(before: str, after: str | None) -> None:
    assert without_entry(before) == after


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_entry_goes_as_it_came(ending: str) -> None:
    text = f"{HOOKS}\n".replace("\n", ending)
    edited = with_entry(text, "https://example.org/x", "v1")
    assert edited is not None
    assert without_entry(edited) == text

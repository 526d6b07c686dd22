"""What `init` asks for beside the configuration: hook, CI, lines for agents, baseline."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
import yaml
from clirepo import BLOCKED, DOCUMENT, PAGE, Repo
from terminal import Terminal
from worktrees import new_repository

from grounded_ingest.cli.installation import AGENT_LINES
from grounded_ingest.git.hooks import build_environment

BASELINE = ".grounded/baseline.jsonl"
WORKFLOW = ".github/workflows/grounded-ingest.yml"
YES = ("grounded-ingest", "init", "--yes")
QUIET = ("--no-baseline", "--no-agents")


def state(repo: Repo) -> dict[str, bytes]:
    ours = (p for p in repo.root.rglob("*") if p.is_file())
    kept = ("hooks/", "config")
    return {
        name: p.read_bytes()
        for p in ours
        if not (name := p.relative_to(repo.root).as_posix()).startswith(".git/")
        or name.removeprefix(".git/").startswith(kept)
    }


def test_one_dialogue_asks_for_everything(repo: Repo, program: str) -> None:
    repo.write("AGENTS.md", "# Agents\n")
    repo.commit(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    (repo.root / ".github/workflows").mkdir(parents=True)
    (repo.root / ".claude").mkdir()
    options = ("--repo", "https://example.org/x/grounded-ingest", "--rev", "v7")
    given = ("--offline", "--preset=default", "--baseline", *options)
    person = Terminal(repo, "init", *given, PATH=program)
    person.answer("?", "Set up the commit hook? [Y/n/URL/?]: ")
    more = person.answer("", "Set up the commit hook? [Y/n/URL/?]: ")
    assert "`--hook git` uses" in more
    assert max(map(len, more.splitlines())) <= 80
    assert "Did not understand" not in more
    person.answer("maybe", "Set up coding agents? [y/N/?]: ")
    unknown = person.answer("y", "Set up coding agents? [y/N/?]: ")
    assert unknown.splitlines()[1] == 'Did not understand "maybe".'
    person.answer("", "Add a GitHub workflow that checks pull requests? [Y/n/?]: ")
    shown = person.answer("?", "Write this? [Y/n/?]: ")
    assert "`init --remove` removes" in person.answer("", "Write this? [Y/n/?]: ")
    person.until("Next:")
    assert person.end() == 0
    for path in (
        ".grounded-ingest.yaml",
        ".pre-commit-config.yaml",
        WORKFLOW,
        "AGENTS.md",
        ".claude/settings.json",
        BASELINE,
    ):
        assert f"+++ b/{path}" in shown
        for line in repo.read(path).splitlines():
            assert line in shown
    assert "rev: v7" in repo.read(".pre-commit-config.yaml")
    assert "pre-commit" in repo.read(".git/hooks/pre-push")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["local"], "Each colleague needs grounded-ingest on PATH"),
        (["https://example.org/x", "--rev", "v1"], "pre-commit installs grounded-ingest from"),
    ],
)
def test_the_question_says_whom_the_hook_works_for(
    repo: Repo, option: list[str], said: str
) -> None:
    person = Terminal(repo, "init", "--repo", *option)
    assert said in person.until("Set up the commit hook? [Y/n/URL/?]: ")
    assert person.end("\x03") == 130


@pytest.fixture
def clone(repo: Repo) -> Repo:
    """A clone of the program, as people install it from."""
    clone = repo.beside("clone")
    new_repository(clone.root)
    clone.commit(".pre-commit-hooks.yaml", "- id: grounded-ingest\n")
    return clone


@pytest.mark.parametrize(
    ("answer", "address", "rev"),
    [
        ("https://example.org/x/y.git", "https://example.org/x/y.git", "HEAD"),
        ("https://example.org/x/y@v2", "https://example.org/x/y", "v2"),
        ("ssh://git@example.org/x/y@v2", "ssh://git@example.org/x/y", "v2"),
        ("git@example.org:x/y@v2", "git@example.org:x/y", "v2"),
        ("", "FOLDER", "HEAD"),
    ],
)
def test_the_answer_may_be_the_address_for_colleagues(
    repo: Repo, clone: Repo, answer: str, address: str, rev: str
) -> None:
    """A folder of this machine works for nobody else, and the question says so."""
    folder, head = str(clone.root), clone.git("rev-parse", "HEAD").strip()
    person = Terminal(repo, "init", "--repo", folder, "--offline", "--no-install")
    asked = person.answer(answer, "Set up the commit hook? [Y/n/URL/?]: ")
    assert "which colleagues do not have" in asked
    person.answer("", "Write this? [Y/n/?]: ")
    person.until("Next:")
    assert person.end() == 0
    (entry,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    assert entry["repo"] == (folder if address == "FOLDER" else address)
    assert entry["rev"] == (head if rev == "HEAD" else rev)


def test_the_environment_of_the_hook_alone_is_built(
    repo: Repo, clone: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first commit would wait for it. Another hook, here a missing one, is not looked at."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(repo.root.parent / "pre-commit"))
    item = "- {id: grounded-ingest, name: x, entry: x, language: system}\n"
    rev = clone.commit(".pre-commit-hooks.yaml", item)
    repo.write(".pre-commit-config.yaml", "repos:\n- {repo: /no/such, rev: x, hooks: [{id: y}]}\n")
    asked = str(repo.root), "pre-commit", str(clone.root)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    assert build_environment(*asked, rev) == ""
    assert "no-such-rev" in build_environment(*asked, "no-such-rev")


@pytest.mark.parametrize(("answer", "code"), [("n\n", 0), ("\x03", 130)])
def test_a_no_and_ctrl_c_write_nothing(repo: Repo, answer: str, code: int) -> None:
    given = ("--preset=advisory", "--hook=none", "--no-baseline")
    before = state(repo)
    person = Terminal(repo, "init", *given)
    person.until("Write this? [Y/n/?]: ")
    assert person.end(answer) == code
    assert state(repo) == before


def test_three_times_no_writes_nothing(repo: Repo) -> None:
    """Init offered a configuration file to a person who had just refused every part."""
    repo.write("AGENTS.md", "# Agents\n")
    (repo.root / ".github/workflows").mkdir(parents=True)
    before = state(repo)
    person = Terminal(repo, "init", "--repo", "https://example.org/x/y", "--rev", "v7")
    for question in ("hook? [Y/n/URL/?]: ", "agents? [y/N/?]: ", "requests? [Y/n/?]: "):
        person.answer("n", question)
    person.until("nothing to do: no part is chosen")
    assert person.end() == 0
    assert state(repo) == before


@pytest.mark.parametrize(
    ("given", "writes"),
    [
        (["--hook", "none"], False),
        (["--hook", "none", "--agents", "--offline"], False),
        (["--hook", "none", "--preset", "advisory"], True),
        (["--hook", "git"], True),
    ],
)
def test_no_configuration_is_written_that_nothing_uses(
    repo: Repo, given: list[str], writes: bool
) -> None:
    before = state(repo)
    ran = repo.ask("init", "--yes", *given)
    assert ran.code == 0
    assert ("nothing to do: no part is chosen" in ran.out) is not writes
    assert (state(repo) != before) is writes
    if not writes:
        repo.write("lefthook.yml", "pre-commit: {commands: {a: {run: grounded-ingest check}}}\n")
        assert repo.ask("init", "--yes", *given).code == 0
        assert (repo.root / ".grounded-ingest.yaml").exists()


def test_without_a_terminal_the_defaults_are_said_and_nothing_is_asked(repo: Repo) -> None:
    before = state(repo)
    ran = repo.ask("init")
    assert ran.code == 2
    assert "Set up the commit hook? yes (--hook none: no)" in ran.out
    assert "add --yes" in ran.err
    assert state(repo) == before


@pytest.mark.parametrize(
    ("args", "accepts"),
    [
        (["--preset", "default"], False),
        (["--preset", "strict", "--baseline"], True),
        ([], False),
        (["--baseline"], True),
    ],
)
def test_a_baseline_of_today(repo: Repo, args: list[str], accepts: bool) -> None:
    repo.commit(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    ran = repo.ask("init", "--yes", "--offline", "--no-install", *args)
    assert ran.code == 0
    assert (repo.root / BASELINE).exists() is accepts
    shown = repo.check("--all", "--fail-on", "block")
    assert shown.code == (0 if accepts else 1)
    assert ("speculation" in shown.out) is not accepts
    before = state(repo)
    again = repo.ask("init", "--yes", "--offline", "--no-install", *args)
    assert (again.out.splitlines()[0], state(repo)) == (
        "nothing to do: everything is already set up",
        before,
    )


@pytest.mark.parametrize(
    ("config", "named"), [("preset: default\n", True), ("{preset: default}\n", False)]
)
def test_a_baseline_beside_a_configuration(repo: Repo, config: str, named: bool) -> None:
    repo.commit(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.write(".grounded-ingest.yaml", config)
    ran = repo.ask("init", "--yes", "--offline", "--no-install", "--baseline")
    assert ran.code == 0
    assert repo.read(".grounded-ingest.yaml").startswith(config)
    assert (f"baseline: {BASELINE}" in repo.read(".grounded-ingest.yaml")) is named
    assert (f"by hand: baseline: {BASELINE}" in ran.out) is not named


def test_a_clean_repository_has_nothing_to_accept(repo: Repo) -> None:
    ran = repo.ask("init", "--yes", "--offline", "--no-install", "--baseline")
    assert "the baseline was not written: there are no findings" in ran.out
    assert not (repo.root / BASELINE).exists()
    assert "baseline" not in repo.read(".grounded-ingest.yaml")


def test_evidence_that_is_off_is_not_configured(repo: Repo) -> None:
    repo.write(".grounded-ingest.yaml", "evidence: off\n")
    ran = repo.ask("init", "--yes", "--offline", "--no-install")
    assert ran.code == 0
    assert ".grounded/evidence" not in repo.read(".gitattributes")


@pytest.mark.parametrize("preset", ["default", "strict"])
def test_the_lines_for_agents_pass_themselves(repo: Repo, preset: str) -> None:
    repo.write("AGENTS.md", "# Agents\r\n\r\nRun the tests.\r\n")
    repo.write("CLAUDE.md", "# Claude\n\nRun the linter.")
    ran = repo.ask("init", "--yes", "--offline", "--no-install", "--agents", "--preset", preset)
    assert ran.code == 0
    section = AGENT_LINES.splitlines()
    assert repo.read("AGENTS.md") == "\r\n".join(
        ["# Agents", "", "Run the tests.", "", *section, ""]
    )
    assert repo.read("CLAUDE.md") == "\n".join(
        ["# Claude", "", "Run the linter.", "", *section, ""]
    )
    report = repo.report("AGENTS.md", "CLAUDE.md", "--isolated")
    assert {d["rule"] for d in report["decisions"]} == {"nothing-to-check"}
    assert [p for p in report["problems"] if p["path"].endswith(".md")] == []
    before = state(repo)
    assert "nothing to do" in repo.ask("init", "--yes", "--offline", "--no-install", "--agents").out
    assert state(repo) == before


@pytest.mark.parametrize("page", ["", "AGENTS.md", "CLAUDE.md", ".claude/x", ".clinerules"])
@pytest.mark.parametrize("hook", ["none", "git"])
def test_it_says_which_hooks_there_are(repo: Repo, page: str, hook: str) -> None:
    """CLAUDE.md belongs to Claude Code, AGENTS.md to no agent alone; a file is no folder."""
    if page:
        repo.write(page, "# Page\n")
    ran = repo.ask("init", "--yes", "--agents", "--hook", hook, "--preset", "default")
    assert ran.code == 0
    claude = page in ("CLAUDE.md", ".claude/x")
    assert (repo.root / ".claude/settings.json").exists() is claude
    assert ("init --agent NAME` (opencode, cline, windsurf, cursor," in ran.out) is not claude
    assert ("The hook uses them at once" in ran.out) is (claude or hook == "git")
    again = repo.ask("init", "--yes", "--agents", "--hook", hook)
    assert "nothing to do" in again.out
    assert ("--agent NAME" in again.out) is not claude


@pytest.mark.parametrize("how", ["import", "link", "told", "absent"])
def test_lines_for_agents_are_written_once(repo: Repo, how: str) -> None:
    repo.write("AGENTS.md", "# Agents\n")
    claude = repo.root / "CLAUDE.md"
    match how:
        case "import":
            claude.write_text("@AGENTS.md\n")
        case "link":
            claude.symlink_to("AGENTS.md")
        case "told":
            claude.write_text("Ask grounded-ingest.\n")
    before = claude.read_text() if how != "link" and claude.exists() else None
    assert repo.ask("init", "--yes", "--offline", "--no-install", "--agents").code == 0
    assert AGENT_LINES in repo.read("AGENTS.md")
    assert claude.exists() == (how != "absent")
    if before is not None:
        assert claude.read_text() == before


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        ("https://github.com/owner/grounded-ingest.git", ["uses: owner/grounded-ingest@v1"]),
        (
            "https://example.org/owner/grounded-ingest",
            ["SOURCE: git+https://example.org/owner/grounded-ingest@v1", 'check --since "origin/'],
        ),
    ],
)
def test_a_workflow(repo: Repo, source: str, steps: list[str]) -> None:
    args = ("init", "--yes", "--no-install", "--ci", "--repo", source, "--rev", "v1")
    assert repo.ask(*args).code == 0
    text = repo.read(WORKFLOW)
    assert all(step in text for step in steps)
    job = yaml.safe_load(text)["jobs"]["check"]
    assert job["steps"][0]["with"] == {"fetch-depth": 0, "persist-credentials": False}
    before = state(repo)
    assert "nothing to do" in repo.ask(*args).out
    assert state(repo) == before


@pytest.mark.parametrize(
    ("given", "said"), [([], True), (["--no-ci"], False), (["--repo", "https://x.org/y@v"], False)]
)
def test_a_workflow_that_could_not_install_is_not_offered_and_it_is_said(
    repo: Repo, given: list[str], said: bool
) -> None:
    (repo.root / ".github/workflows").mkdir(parents=True)
    asked = ("init", "--dry-run", "--repo", "local", *given)
    ran = repo.ask(*asked)
    assert ran.code == 0
    line = "No GitHub workflow is offered: it needs a public address to install grounded-ingest"
    assert (f"{line} from (--repo https://…).\n" in ran.out) is said


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ([], "never"),
        (["--preset", "default"], "wrong"),
        (["--preset", "strict"], "review"),
        (["configured"], "review"),
    ],
)
def test_a_workflow_fails_as_the_preset_says(repo: Repo, given: list[str], written: str) -> None:
    if given == ["configured"]:
        repo.write(".grounded-ingest.yaml", "preset: strict\n")
        given = []
    address = ("--repo", "https://github.com/owner/grounded-ingest", "--rev", "v1")
    assert repo.ask("init", "--yes", "--no-install", "--ci", *address, *given).code == 0
    job = yaml.safe_load(repo.read(WORKFLOW))["jobs"]["check"]
    assert job["steps"][1]["with"]["fail-on"] == written


@pytest.mark.parametrize(
    "source", ["", "git@example.org:x/y", "/srv/x", "https://example.org/$(x)"]
)
def test_a_workflow_that_could_not_install_is_refused(repo: Repo, source: str) -> None:
    given = ["--repo", source, "--rev", "v1"] if source else []
    before = state(repo)
    ran = repo.ask("init", "--yes", "--no-install", "--ci", *given)
    assert ran.code == 2
    assert "needs a public address" in ran.err
    assert state(repo) == before


def test_a_hook_of_git_alone(repo: Repo, program: str) -> None:
    ran = repo.run(*YES, "--hook", "git", "--preset", "default", *QUIET, PATH=program)
    assert ran.code == 0
    assert not (repo.root / ".pre-commit-config.yaml").exists()
    script = repo.root / ".git/hooks/pre-commit"
    assert script.read_text().endswith("\nexec grounded-ingest check --staged --write\n")
    assert script.stat().st_mode & 0o111
    assert (repo.root / ".git/hooks/pre-merge-commit").exists()
    before = state(repo)
    assert "nothing to do" in repo.run(*YES, "--hook", "git", PATH=program).out
    assert state(repo) == before
    repo.git("add", ".")
    repo.git("commit", "--quiet", "--no-verify", "-m", "Set up")
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.git("add", ".")
    stopped = repo.run("git", "commit", "-m", "Guess", PATH=program)
    assert stopped.code == 1
    assert "speculation" in stopped.err
    assert "Commit anyway: git commit --no-verify" in stopped.err
    (repo.root / ".git/hooks/pre-push").symlink_to("pre-commit")
    repo.git("init", "--quiet", "--bare", "../far.git")
    stopped = repo.run("git", "push", "../far.git", "HEAD", PATH=program)
    assert stopped.code == 1
    assert "Push anyway: git push --no-verify" in stopped.err + stopped.out


@pytest.mark.parametrize("where", ["", ".githooks", "outside"])
def test_a_script_that_is_there_stays(repo: Repo, where: str) -> None:
    directory = (
        repo.root / (where or ".git/hooks") if where != "outside" else repo.root / "../hooks"
    )
    directory.mkdir(parents=True, exist_ok=True)
    if where:
        repo.git("config", "core.hooksPath", str(directory) if where == "outside" else where)
    else:
        (directory / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
    ran = repo.ask("init", "--yes", "--hook", "git", *QUIET)
    assert ran.code == 0
    match where:
        case "":
            assert (directory / "pre-commit").read_text() == "#!/bin/sh\nexit 0\n"
            assert ".git/hooks/pre-commit exists; add this line" in ran.out
            assert (directory / "pre-merge-commit").exists()
        case ".githooks":
            assert "exec grounded-ingest check" in (directory / "pre-commit").read_text()
        case _:
            assert list(directory.iterdir()) == []
            assert "outside this repository" in ran.out


@pytest.mark.parametrize("args", [[], ["--no-install"]])
def test_pre_commit_is_told_to_install(repo: Repo, program: str, args: list[str]) -> None:
    ran = repo.ask("init", "--yes", *QUIET, *args, PATH=program)
    assert ran.code == 0
    for stage in ("pre-commit", "pre-merge-commit", "pre-push"):
        assert (repo.root / f".git/hooks/{stage}").exists() is (not args)
    assert ("  pre-commit install --hook-type" in ran.out) is bool(args)
    assert "nothing to do" in repo.ask("init", "--yes", *args, PATH=program).out


def test_a_program_that_is_not_on_path_is_said(repo: Repo, program: str) -> None:
    given = ("--yes", "--no-install", "--repo", "local")
    there = repo.run("grounded-ingest", "init", *given, PATH=program)
    assert "The hook runs grounded-ingest from PATH" not in there.out
    (repo.root / ".pre-commit-config.yaml").unlink()
    bare = os.pathsep.join(
        p
        for p in os.environ["PATH"].split(os.pathsep)
        if not (Path(p) / "grounded-ingest").exists()
    )
    ran = repo.ask("init", *given, PATH=bare)
    assert "The hook runs grounded-ingest from PATH" in ran.out


def installed(repo: Repo, recorded: object) -> str:
    """Returns a PYTHONPATH where an installer recorded this source of the program."""
    site = repo.beside("site")
    info = "grounded_ingest-9.dist-info"
    site.write(f"{info}/METADATA", "Metadata-Version: 2.1\nName: grounded-ingest\nVersion: 9\n")
    site.write(f"{info}/direct_url.json", json.dumps(recorded))
    return os.pathsep.join([str(site.root), repo.env["PYTHONPATH"]])


def test_the_hook_is_installed_from_where_the_program_was(repo: Repo) -> None:
    git = {"url": "https://example.org/x/y", "vcs_info": {"vcs": "git", "commit_id": "abc123"}}
    path = installed(repo, git)
    assert repo.ask("init", "--yes", "--no-install", PYTHONPATH=path).code == 0
    (entry,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    assert (entry["repo"], entry["rev"]) == (git["url"], "abc123")


@pytest.mark.parametrize("pushed", [False, True])
def test_a_clone_is_its_remote_if_the_commit_is_there(
    repo: Repo, clone: Repo, pushed: bool
) -> None:
    """pre-commit installs what it can fetch: an address for everybody, else the folder."""
    address, head = "https://example.org/x/y.git", clone.git("rev-parse", "HEAD").strip()
    clone.git("remote", "add", "origin", address)
    if pushed:
        clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    path = installed(repo, {"url": clone.root.as_uri(), "dir_info": {"editable": True}})
    ran = repo.ask("init", "--yes", "--no-install", PYTHONPATH=path)
    assert ran.code == 0, ran.err
    (entry,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    assert (entry["repo"], entry["rev"]) == (address if pushed else str(clone.root), head)


@pytest.mark.parametrize("rev", ["", "@v2"])
def test_an_address_alone_is_of_the_installed_revision(repo: Repo, rev: str) -> None:
    """A question accepts the same. Without a known revision, nothing could be installed."""
    git = {"url": "https://example.org/x/y", "vcs_info": {"vcs": "git", "commit_id": "abc123"}}
    asked = ("init", "--yes", "--no-install", "--repo", f"https://example.org/fork{rev}")
    unknown = repo.ask(*asked, PYTHONPATH=installed(repo, {}))
    assert (unknown.code == 2) is (not rev)
    assert rev or "name it: https://example.org/fork@REV" in unknown.err
    (repo.root / ".pre-commit-config.yaml").unlink(missing_ok=True)
    assert repo.ask(*asked, PYTHONPATH=installed(repo, git)).code == 0
    (entry,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    assert (entry["repo"], entry["rev"]) == ("https://example.org/fork", rev[1:] or "abc123")


@pytest.mark.parametrize("public", [False, True])
def test_a_package_file_is_installed_by_a_local_hook(repo: Repo, public: bool) -> None:
    file = repo.beside("wheels").root / "grounded_ingest-9-py3-none-any.whl"
    file.touch()
    url = "https://example.org/x.whl" if public else file.as_uri()
    path = installed(repo, {"url": url, "archive_info": {}})
    asked = ("init", "--yes", "--no-install", *(["--ci"] if public else []))
    assert repo.ask(*asked, PYTHONPATH=path).code == 0
    (entry,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    (hook,) = entry["hooks"]
    assert (entry["repo"], hook["language"]) == ("local", "python")
    assert hook["additional_dependencies"] == [f"grounded-ingest @ {url}"]
    ran = repo.run(sys.executable, "-m", "pre_commit", "validate-config")
    assert ran.code == 0, ran.out
    if public:
        assert f"SOURCE: {url}\n" in repo.read(WORKFLOW)


@pytest.mark.parametrize(
    "recorded",
    [
        {},
        {"url": "https://u:p@example.org/x/y", "vcs_info": {"vcs": "git", "commit_id": "a"}},
        {"url": "https://u:p@example.org/x.whl", "archive_info": {}},
        {"url": "ssh://example.org/x/y", "vcs_info": {"vcs": "git", "commit_id": "abc123"}},
        {"url": "file:///no/such/folder", "dir_info": {}},
        {"url": "file:///etc", "dir_info": {}},
    ],
)
def test_without_a_source_no_hook_is_written_and_it_is_said(repo: Repo, recorded: object) -> None:
    """Protects against a hook that refuses the commits of all who have nothing installed."""
    path = installed(repo, recorded)
    ran = repo.ask("init", "--yes", "--no-install", PYTHONPATH=path)
    assert ran.code == 0, ran.err
    assert not (repo.root / ".pre-commit-config.yaml").exists()
    assert not (repo.root / ".grounded-ingest.yaml").exists()
    assert "Set up the commit hook? no (--hook pre-commit: yes)" in ran.out
    assert "pre-commit cannot install this program for your colleagues" in ran.out
    assert "--agent NAME" in ran.out
    asked = ("init", "--yes", "--no-install", "--hook", "pre-commit")
    assert repo.ask(*asked, PYTHONPATH=path).code == 0
    assert "language: system" in repo.read(".pre-commit-config.yaml")

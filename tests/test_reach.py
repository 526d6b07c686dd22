"""Nothing of the user's leaves: what a clone asks for is granted outside its work tree, or ignored.

Every test that says so has a real server on the loopback address, which counts what arrives.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from configs import as_written
from msgspec.structs import replace
from repos import NOTES, Repo, context, environment, of_user, page
from servers import Handler, Server

from grounded_ingest.config.files import parse_yaml
from grounded_ingest.config.settings import DEFAULTS, Network, TrackerSettings
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Citation, CitationKind
from grounded_ingest.net.client import Web
from grounded_ingest.references.context import Request
from grounded_ingest.references.grants import Grant, grants_of, parse_grant, within_reach
from grounded_ingest.references.issue import verify_issues
from grounded_ingest.references.registry import verify_citations
from grounded_ingest.references.tracker import Tracker
from tests.forked import run_command

PROJECT = Path(__file__).parents[1]
FILE = ".grounded-ingest.yaml"
SECRET = "s3cr3t-of-the-user"
CITING = "The retry limit was settled in #12 for all tenants."
ENV = {"AWS_SECRET_ACCESS_KEY": SECRET, "GITHUB_TOKEN": SECRET, "GITLAB_TOKEN": SECRET}
ENV["TEAM_JUDGE_KEY"] = SECRET


def answering(handler: Handler) -> None:
    """Whatever is asked: an issue of a member, a page, or an opinion."""
    length = int(handler.headers.get("Content-Length") or 0)
    handler.rfile.read(length)
    issue = {"number": 12, "title": "Settle the retry limit for all tenants", "state": "closed"}
    handler.say(200, json.dumps(issue | {"author_association": "OWNER"}).encode())


@pytest.fixture
def server() -> Iterator[Server]:
    Handler.do_POST = Handler.do_GET  # type: ignore[attr-defined]
    with Server(answering) as found:
        yield found
    del Handler.do_POST  # type: ignore[attr-defined]


def asking(server: Server) -> dict[str, str]:
    """Configurations of a hostile clone, by what they are after."""
    api = f"{server.url}/api"
    judge = f'{{kind: openai, base_url: "{server.url}/v1", model: m, in_hook: true'
    allow = f"network: {{allow: ['{server.host}', '127.0.0.1', localhost, '169.254.169.254']}}\n"
    tracker = f'tracker: {{kind: github, url: "{api}", repository: a/b'
    return {
        "a named variable": f"{tracker}, token_env: AWS_SECRET_ACCESS_KEY}}\n{allow}",
        "the usual token": f"{tracker}}}\n{allow}",
        "another tracker": f'tracker: {{kind: gitlab, url: "{api}", repository: a/b}}\n{allow}',
        "an address": allow,
        "a judge": f"judge: {judge}}}\n{allow}",
        "a judge's key": f"judge: {judge}, key_env: TEAM_JUDGE_KEY}}\n{allow}",
    }


def everything(server: Server) -> str:
    """One configuration that is after all of it."""
    config = asking(server)
    rows = f"{config['a named variable']}{config['a judge']}".splitlines()
    return "".join(f"{row}\n" for row in dict.fromkeys(rows))


KINDS = [
    "a named variable", "the usual token", "another tracker", "an address", "a judge",
    "a judge's key",
]  # fmt: skip


def clone(tmp_path: Path, server: Server, config: str, *, landed: bool) -> Repo:
    """What somebody gets who clones, and commits something of their own."""
    repo = Repo(tmp_path / "clone")
    text = page(CITING, f"The page is at {server.url}/page now.", "The port is 8443 (`app.py:1`).")
    repo.commit({"app.py": "PORT = 8443\n"} | ({FILE: config} if landed else {}))
    if landed:
        repo.commit({NOTES: text})
        repo.stage({"CLAUDE.md": page(f"{CITING[:-1]} and `app.py:1`.")})
    else:
        repo.stage({FILE: config, NOTES: text})
    return repo


def asked(repo: Repo, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in environment().items() if not k.startswith(("GITHUB_", "CI_"))}
    env |= {"HOME": str(repo.root.parent), "XDG_CONFIG_HOME": str(repo.root.parent)}
    env |= {**ENV, "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1", **more}
    code, out, err = run_command(args, repo.root, env)
    assert code in (0, 1), err
    return subprocess.CompletedProcess(args, code, out.decode(), err.decode())


COMMANDS = {
    "check": ("check", "--all", "--online"),
    "config": ("check", "--all", "--config", FILE),
    "range": ("check", "--range", "HEAD~1..HEAD"),
    "hook": ("check", "--staged", "--write"),
    "audit": ("audit",),
    "status": ("status", "--online"),
    "review": ("review", "list", "--online"),
    "explain": ("explain", f"{NOTES}:3", "--online"),
    "recall": ("recall", "What is the retry limit?"),
    "verify": ("verify", "--knowledge-base", "--text", "The retry limit was settled."),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_arrives_without_a_grant(tmp_path: Path, server: Server, command: str) -> None:
    repo = clone(tmp_path, server, everything(server), landed=True)
    done = asked(repo, *COMMANDS[command])
    assert server.seen == []
    assert SECRET not in done.stdout + done.stderr + _left(repo)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_arrives_in_the_hook(tmp_path: Path, server: Server, kind: str) -> None:
    repo = clone(tmp_path, server, asking(server)[kind], landed=True)
    done = asked(repo, "check", "--staged", "--write", "-v")
    assert server.seen == []
    assert "not-granted" in done.stdout
    assert "Settle the retry limit" not in _left(repo)


def test_what_is_merely_staged_reaches_what_its_user_granted_and_no_more(
    tmp_path: Path, server: Server
) -> None:
    repo = clone(tmp_path, server, everything(server), landed=False)
    asked(repo, "check", "--staged", "--write", "-v")
    assert server.seen == []
    assert "Settle the retry limit" not in _left(repo)
    grants = f"allow {server.host};tracker {server.url} GITHUB_TOKEN"
    asked(repo, "check", "--staged", "-v", GROUNDED_INGEST_GRANT=grants)
    assert {"/api/repos/a/b/issues/12", "/page"} <= {seen.path for seen in server.seen}


def _left(repo: Repo) -> str:
    """All that a run left in the work tree and the git directory, as far as it is text."""
    kept = [p for p in repo.root.rglob("*") if p.is_file() and p.name != "index"]
    return "".join(p.read_bytes().decode(errors="replace") for p in kept)


def test_what_is_granted_arrives(tmp_path: Path, server: Server) -> None:
    """The counterpart: the same clone, and a user who named host and variable."""
    config = asking(server)["a named variable"].replace("AWS_SECRET_ACCESS_KEY", "GHE_TOKEN")
    repo = clone(tmp_path, server, config, landed=True)
    grants = f"tracker {server.url} GHE_TOKEN\nallow {server.host}"
    done = asked(repo, "check", "--all", GROUNDED_INGEST_GRANT=grants, GHE_TOKEN="mine")
    told = {(s.path, s.headers.get("authorization")) for s in server.seen}
    assert ("/api/repos/a/b/issues/12", "Bearer mine") in told
    assert ("/page", None) in told
    assert not any(SECRET in str(seen) for seen in server.seen)
    assert "localhost is ignored: your git configuration does not grant it" in done.stdout


def test_a_grant_of_one_variable_is_none_of_another(tmp_path: Path, server: Server) -> None:
    repo = clone(tmp_path, server, asking(server)["a named variable"], landed=True)
    mine = of_user(tmp_path, f"tracker {server.url} GHE_TOKEN", f"allow {server.host}")
    done = asked(repo, "check", "--all", GHE_TOKEN="mine", **mine)
    assert {s.headers.get("authorization") for s in server.seen} == {"Bearer mine", None}
    assert "tracker.token_env: AWS_SECRET_ACCESS_KEY" in done.stdout


def test_a_redirect_carries_no_token(tmp_path: Path, server: Server) -> None:
    def elsewhere(handler: Handler) -> None:
        handler.say(302, Location=f"{server.url}{handler.path}")

    with Server(elsewhere) as granted:
        repo = clone(tmp_path, granted, asking(granted)["the usual token"], landed=True)
        grants = f"tracker {granted.url} MINE;allow {granted.host};allow {server.host}"
        asked(repo, "check", "--all", GROUNDED_INGEST_GRANT=grants, MINE=SECRET)
        assert any(s.headers.get("authorization") == f"Bearer {SECRET}" for s in granted.seen)
    assert not any("authorization" in s.headers for s in server.seen)


# Files of a work tree that git's configuration can be led to.
LEADS = {
    "an included file": ("../.gitconfig", {".gitconfig": "{grant}"}),
    "a link in the work tree": ("../conf", {"real": "{grant}", "conf": "link:real"}),
    "a link outside": ("{outside}/conf", {"real": "{grant}"}),
    "through a linked directory": ("../out/conf", {"out": "link:../outside2"}),
}


@pytest.mark.parametrize("lead", LEADS)
def test_no_file_of_the_work_tree_grants(tmp_path: Path, server: Server, lead: str) -> None:
    repo = clone(tmp_path, server, asking(server)["an address"], landed=True)
    include, files = LEADS[lead]
    grant = f"[grounded-ingest]\n\tgrant = allow {server.host}\n"
    for name in ("outside", "outside2"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "conf").symlink_to(repo.root / "real")
    (tmp_path / "outside2" / "conf").write_text(grant)
    repo.write({p: c.replace("{grant}", grant) for p, c in files.items()})
    lead_to = include.replace("{outside}", str(tmp_path / "outside"))
    repo.git("config", "include.path", lead_to)
    assert "allow" in repo.git("config", "--get-all", "grounded-ingest.grant")
    for env in ({}, _including(tmp_path, os.path.join(repo.root, ".git", lead_to))):
        done = asked(repo, "check", "--all", **env)
        assert server.seen == []
        assert "that file is in the work tree" in done.stdout


def _including(tmp_path: Path, path: str, key: str = "include.path") -> dict[str, str]:
    """Variables of a user whose git configuration includes a file."""
    file = tmp_path / "including"
    subprocess.run(["git", "config", "--file", str(file), key, path], check=True)
    return {"GIT_CONFIG_GLOBAL": str(file)}


# What an archive can bring in its `.git`, after the commands that make it; OUTSIDE is a file that
# holds a grant and lies elsewhere.
OF_REPOSITORY = {
    "its configuration": [("grounded-ingest.grant", "{grant}")],
    "what that includes": [("include.path", "{outside}")],
    "what that includes on a condition": [("includeIf.gitdir:/.path", "{outside}")],
    "a file beside it": [("include.path", "mine")],
    "the configuration of a work tree": [("extensions.worktreeConfig", "true")],
}


@pytest.mark.parametrize("brings", OF_REPOSITORY)
def test_no_configuration_of_a_repository_grants(
    tmp_path: Path, server: Server, brings: str
) -> None:
    """Whoever packs an archive writes its `.git/config`: tracker, judge and program stand there
    beside the grant of each."""
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\n")
    program.chmod(0o755)
    judge = f"judge: {{kind: command, command: ['{program}'], in_hook: true}}\n"
    repo = clone(tmp_path, server, asking(server)["a named variable"] + judge, landed=True)
    grants = [
        f'judge ["{program}"] AWS_SECRET_ACCESS_KEY', f"allow {server.host}",
        f"tracker {server.url} AWS_SECRET_ACCESS_KEY",
    ]  # fmt: skip
    outside = Path(of_user(tmp_path, *grants)["GIT_CONFIG_GLOBAL"])
    (repo.root / ".git" / "mine").write_bytes(outside.read_bytes())
    for key, value in OF_REPOSITORY[brings]:
        for grant in grants:
            repo.git("config", "--add", key, value.format(grant=grant, outside=outside))
    if "work tree" in brings:
        (repo.root / ".git" / "config.worktree").write_bytes(outside.read_bytes())
    assert len(repo.git("config", "--get-all", "grounded-ingest.grant").splitlines()) >= 3
    for args in (("check", "--all", "--online"), ("check", "--staged", "--write", "-v")):
        done = asked(repo, *args, GIT_CONFIG=".git/config")
        assert server.seen == []
        assert not ran.exists()
        assert "that file belongs to the repository" in done.stdout
        assert "git config --global --add grounded-ingest.grant" in done.stdout
    asked(
        repo, "check", "--all", "--online", GIT_CONFIG_GLOBAL=str(outside)
    )  # now it is the user's
    assert ran.exists()
    assert any("Bearer" in s.headers.get("authorization", "") for s in server.seen)


def test_a_users_configuration_grants_for_one_repository(tmp_path: Path, server: Server) -> None:
    repo = clone(tmp_path, server, asking(server)["an address"], landed=True)
    mine = of_user(tmp_path, f"allow {server.host}")["GIT_CONFIG_GLOBAL"]
    for where, holds in ((tmp_path / "other", False), (repo.root, True)):
        env = _including(tmp_path, mine, f"includeIf.gitdir:{where}/.path")
        asked(repo, "check", "--all", **env)
        assert any(s.path == "/page" for s in server.seen) is holds


def test_the_command_line_and_environment_of_git_grant(tmp_path: Path, server: Server) -> None:
    repo = clone(tmp_path, server, asking(server)["an address"], landed=True)
    told = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "grounded-ingest.grant"}
    asked(repo, "check", "--all", **told, GIT_CONFIG_VALUE_0=f"allow {server.host}")
    assert any(s.path == "/page" for s in server.seen)


@pytest.mark.parametrize("worktree", ["", "..", "."])
def test_a_bare_repository_among_the_files_configures_nothing(
    tmp_path: Path, worktree: str
) -> None:
    repo = Repo(tmp_path / "clone")
    repo.commit({NOTES: page(CITING)})
    inner = repo.root / "docs" / "x"
    repo.git("init", "-q", "--bare", str(inner))
    if worktree:
        for name, value in {"core.bare": "false", "core.worktree": worktree}.items():
            repo.git("--git-dir", str(inner), "config", name, value)
    for where in (inner, inner / "refs"):
        with pytest.raises(GroundedIngestError, match="bare repository inside the work tree"):
            Opened(str(where), own=False)
    with Opened(str(repo.root / "docs"), own=False) as outer:
        assert outer.git_dir == str(repo.root / ".git")


def test_a_bare_repository_of_its_own_is_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "clone")
    repo.commit({NOTES: page(CITING)})
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    for where in (tmp_path / "bare.git", tmp_path / "bare.git" / "refs", repo.root / ".git"):
        with Opened(str(where), own=False) as opened:
            assert opened.head()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("allow localhost", Grant("allow", "localhost")),
        ("allow [::1]:8000", Grant("allow", "[::1]:8000")),
        ("tracker ghe.corp.example GHE_TOKEN", Grant("tracker", "https://ghe.corp.example", "GHE_TOKEN")),
        ("tracker https://github.com MY_PAT", Grant("tracker", "https://api.github.com", "MY_PAT")),
        ("judge http://localhost:11434/v1/", Grant("judge", "http://localhost:11434/v1")),
        ('judge ["a", "-p;"]  X  Y', Grant("judge", '["a", "-p;"]', "X", others=("Y",))),
        ("judge [a]", None),
        ("judge []", None),
        ("judge [1]", None),
        ('judge ["a"] sk-secret', None),
        ('judge ["a"', None),
        ("", None),
        ("allow", None),
        ("allow a b", None),
        ("allow https://x", None),
        ("everything", None),
        ("tracker https://x A B", None),
        ("tracker https://x ghp-secret", None),
        ("tracker ftp://x T", None),
        ("tracker https://u:p@x T", None),
        ("tracker https:// T", None),
    ],
)  # fmt: skip
def test_what_a_grant_is(text: str, expected: Grant | None) -> None:
    if expected is None:
        with pytest.raises(GroundedIngestError, match="not a grant"):
            parse_grant(text, "")
    else:
        assert parse_grant(text, "") == expected


# Wish, grant, and whether it holds.
WISHES = [
    ("network: {allow: ['h.test:80']}", "allow h.test", True),
    ("network: {allow: ['h.test:80']}", "allow h.test:80", True),
    ("network: {allow: ['h.test:81']}", "allow h.test:80", False),
    ("network: {allow: [h.test]}", "allow h.test:80", False),
    ("network: {allow: [x.h.test]}", "allow h.test", False),
    ('tracker: {url: "https://h.test/api/v4"}', "tracker h.test", True),
    ('tracker: {url: "https://H.test:443/api/v4"}', "tracker https://h.test/api", True),
    ('tracker: {url: "https://h.test/apix"}', "tracker https://h.test/api", False),
    ('tracker: {url: "https://h.test/api/../x"}', "tracker https://h.test/api", False),
    ('tracker: {url: "https://h.test/api/%2e%2e/x"}', "tracker https://h.test/api", False),
    ('tracker: {url: "http://h.test/api"}', "tracker h.test", False),
    ('tracker: {url: "https://h.test:8443/api"}', "tracker h.test", False),
    ('tracker: {url: "https://h.test.evil.test/"}', "tracker h.test", False),
    ('tracker: {url: "https://h.test@evil.test/"}', "tracker h.test", False),
    ('tracker: {url: "https://evil.test#@h.test/"}', "tracker h.test", False),
    (r'tracker: {url: "https://evil.test\\@h.test/"}', "tracker h.test", False),
    ('tracker: {url: "https://h.test"}', "judge h.test", False),
    ('tracker: {url: "https://h.test"}', "allow h.test", False),
    ('judge: {kind: openai, base_url: "https://h.test/v1", model: m}', "judge h.test/v1", True),
    ('judge: {kind: openai, base_url: "https://h.test/v2", model: m}', "judge h.test/v1", False),
    ('judge: {kind: openai, base_url: "https://h.test/v1", model: m}', "tracker h.test", False),
    ("judge: {kind: command, command: [a, -p, '']}", 'judge ["a","-p",""]', True),
    ("judge: {kind: command, command: [a, -p]}", 'judge ["a", "-p"] A_LOGIN', True),
    ("judge: {kind: command, command: [a, -p]}", 'judge ["a", "-p", "-x"]', False),
    ("judge: {kind: command, command: [a, -p, -x]}", 'judge ["a", "-p"]', False),
    ("judge: {kind: command, command: [a b]}", 'judge ["a", "b"]', False),
    ("judge: {kind: command, command: [/x/a]}", 'judge ["a"]', False),
    ("judge: {kind: command, command: [h.test]}", "judge h.test", False),
    ("judge: {kind: command, command: [a], variables: [X]}", 'judge ["a"]', False),
    ("judge: {kind: command, command: [a], variables: [X]}", 'judge ["a"] Y', False),
    ("judge: {kind: command, command: [a], variables: [X]}", 'judge ["a"] Y X', True),
]  # fmt: skip


@pytest.mark.parametrize(("wish", "grant", "holds"), WISHES)
def test_a_grant_is_for_its_own_place(tmp_path: Path, wish: str, grant: str, holds: bool) -> None:
    Repo(tmp_path)
    with Opened(str(tmp_path), own=False) as opened:
        for granted in (grant, "allow other.test", ""):
            config = parse_yaml(wish, FILE)
            reach = within_reach(opened, config, {"GROUNDED_INGEST_GRANT": granted})
            full = holds and granted == grant
            assert bool(reach.refused) is not full
            assert (as_written(reach.config).network == reach.config.network) is (
                full or "network" not in wish
            )
            assert bool(reach.config.tracker.url) is (full and "tracker:" in wish)
            assert (reach.config.judge.kind != "rules") is (full and "judge:" in wish)


def test_without_wishes_git_is_not_asked(tmp_path: Path) -> None:
    Repo(tmp_path)
    with Opened(str(tmp_path), own=False) as opened:
        before = opened.processes
        assert within_reach(opened, DEFAULTS, {"GROUNDED_INGEST_GRANT": "nonsense"}).refused == ()
        assert opened.processes == before


def test_what_a_program_configures_itself_needs_no_grant(tmp_path: Path) -> None:
    Repo(tmp_path)
    read = parse_yaml("network: {allow: [h.test]}\ntracker: {url: 'https://h.test'}\n", FILE)
    mine = TrackerSettings("github", "https://mine.test", "o/r", "MINE")
    own = replace(read, network=Network(allow=("127.0.0.1",)), tracker=mine)
    with Opened(str(tmp_path), own=False) as opened:
        config = within_reach(opened, own, {}).config
    assert config.network.allow == ("127.0.0.1",)
    assert config.tracker == mine


def test_a_broken_grant_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Repo(tmp_path / "repo")
    mine = of_user(tmp_path, "allow everything please")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", mine["GIT_CONFIG_GLOBAL"])
    with (
        Opened(str(tmp_path / "repo"), own=False) as opened,
        pytest.raises(GroundedIngestError, match="not a grant"),
    ):
        grants_of(opened, {})


def test_the_token_speaks_for_the_clones_own_repository(tmp_path: Path) -> None:
    """A text that cites an issue of another repository would quote what only its reader may read."""

    def private(handler: Handler) -> None:
        told = handler.headers.get("Authorization")
        answering(handler) if told else handler.say(404)

    with Server(private) as site:
        web = Web(Network(allow=(site.host,)), 5.0)
        tracker = Tracker("github", site.url, "o/r", SECRET, "o/r")
        found = verify_issues(["#12", "o/secret#12", "O/R#12", "o/r2#12"], tracker, web, None)
    said = {target: (e.verdict.value, e.quote) for target, e in found.items()}
    title = "Settle the retry limit for all tenants"
    assert said["#12"] == said["O/R#12"] == ("confirmed", title)
    assert said["o/secret#12"] == said["o/r2#12"] == ("unknown", "")
    assert {s.path for s in site.seen if "authorization" in s.headers} == {
        "/repos/o/r/issues/12", "/repos/O/R/issues/12",
    }  # fmt: skip


def test_status_shows_grants_and_what_is_refused(tmp_path: Path, server: Server) -> None:
    repo = clone(tmp_path, server, asking(server)["a named variable"], landed=True)
    mine = of_user(tmp_path, f"tracker {server.url} GHE_TOKEN")
    told = json.loads(asked(repo, "status", "--json", GHE_TOKEN=SECRET, **mine).stdout)
    assert told["grants"] == [
        {"what": "tracker", "where": server.url, "variable": "GHE_TOKEN", "set": True,
         "said": f"git configuration, {mine['GIT_CONFIG_GLOBAL']}"}
    ]  # fmt: skip
    assert any("AWS_SECRET_ACCESS_KEY" in line for line in told["refused"])
    assert told["tracker"] == {
        "kind": "github", "api": f"{server.url}/api", "repository": "a/b",
        "variable": "GHE_TOKEN", "set": True,
    }  # fmt: skip
    text = asked(repo, "status", GHE_TOKEN=SECRET, **mine).stdout
    assert f"tracker {server.url} GHE_TOKEN" in text
    assert "tracker.token_env: AWS_SECRET_ACCESS_KEY" in text
    assert SECRET not in text
    assert server.seen == []


def test_a_local_page_is_a_citation_by_the_policy_alone(tmp_path: Path) -> None:
    """What counts as a citation is the same on every machine; who asks for it is not."""
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# x\n"})
    config = parse_yaml("network: {allow: ['localhost:1']}", FILE)
    request = Request(NOTES, Citation(CitationKind.URL, "http://localhost:1/x"))
    with context(repo, config=config) as checked:
        found = verify_citations([request], checked)[request]
    assert found is not None
    assert found.reason == "offline"

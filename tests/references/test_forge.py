"""Pages of the repository's own forge are looked up in the clone, all others are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from repos import NOTES, Repo

from grounded_ingest.config.settings import DEFAULTS, Config, TrackerSettings, classify
from grounded_ingest.extract.citations import url_citation
from grounded_ingest.git.cache import Cache
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Decision, Evidence
from grounded_ingest.references.context import BROKEN, Context, Request
from grounded_ingest.references.registry import verify_citations
from grounded_ingest.repository.scope import Asked, resolve_scope

ORIGIN = "git@github.com:Owner/name.git"
OURS = "https://github.com/owner/name"


def adr(status: str) -> str:
    return f"# Keep it in files\n\n## Status\n\n{status}\n\n## Decision\n\nFiles are enough.\n"


def source(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


FIRST = {
    "src/a.py": source("PORT = 80", "# the port is for the tests", "HOST = 'a'", "", "X = 1"),
    "src/old.py": source("OLD = 1"),
    "src/föö bar.py": source("Y = 1"),
    "docs/adr/0001-files.md": adr("Accepted"),
    "docs/adr/0002-ports.md": adr("Proposed"),
    "docs/adr/0003-gone.md": adr("Accepted"),
    "docs/guide.md": source("# Guide", "", "The port is 80 (`src/a.py:1`)."),
    "notes/plain.txt": source("kept", "dropped"),
    ".grounded/x.jsonl": source('{"id": 1}'),
    "lib/deep/only.py": source("Z = 1"),
}
SECOND = {
    "src/a.py": source("PORT = 81", "HOST = 'a'"),
    "src/old.py": None,
    "docs/adr/0001-files.md": adr("Superseded by ADR-2"),
    "docs/adr/0002-ports.md": adr("Accepted"),
    "docs/adr/0003-gone.md": None,
    "notes/plain.txt": source("kept"),
    ".github/workflows/test.yml": source("on: push"),
    "link": "link:src",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`main` as the remote has it, a branch on top of it, and a commit that landed nowhere."""
    repo = Repo(tmp_path_factory.mktemp("forge") / "repo")
    repo.commit(FIRST)
    repo.git("tag", "first")
    repo.commit(SECOND)
    landed(repo, "main")
    repo.git("tag", "2024010")
    repo.git("branch", "facade1")
    repo.git("remote", "add", "origin", ORIGIN)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"src/new.py": source("NEW = 1", "# of this branch")}, "not landed")
    return repo


def landed(repo: Repo, branch: str, *, default: bool = True) -> None:
    repo.git("update-ref", f"refs/remotes/origin/{branch}", "HEAD")
    if default:
        repo.git("symbolic-ref", "refs/remotes/origin/HEAD", f"refs/remotes/origin/{branch}")


@contextmanager
def context(
    repo: Repo, asked: Asked, config: Config = DEFAULTS, environ: dict[str, str] | None = None
) -> Iterator[Context]:
    """A verifier's context over a scope, offline."""
    with Opened(str(repo.root), own=False) as opened:
        scoped = resolve_scope(opened, asked, config.base, environ or {})
        yield Context(
            opened, config, scoped.tree, scoped.base, None, None,
            Cache(""), lambda path: classify(config, path) is not None, scoped.gone,
        )  # fmt: skip


def find_all(
    repo: Repo,
    *urls: str,
    asked: Asked = Asked("staged"),  # noqa: B008
    config: Config = DEFAULTS,
    environ: dict[str, str] | None = None,
) -> list[Evidence | None]:
    with context(repo, asked, config, environ) as there:
        requests = [Request(NOTES, url_citation(url)) for url in urls]
        found = verify_citations(requests, there)
        return [found[request] for request in requests]


def find(repo: Repo, url: str, config: Config = DEFAULTS) -> Evidence | None:
    return find_all(repo, url, config=config)[0]


def told(found: Evidence | None) -> str:
    """`kind target verdict: reason`, in one line."""
    if found is None:
        return "none"
    reason = f": {found.reason}" if found.reason else ""
    return f"{found.kind} {found.target} {found.verdict}{reason}"


@cache
def names(repo: Repo) -> dict[str, str]:
    """Ids of the repository's objects by the names that the tables below give them."""
    first, top, topic = (repo.git("rev-parse", n) for n in ("first", "main", "topic"))
    loose = repo.git("commit-tree", f"{top}^{{tree}}", "-m", "loose")
    ids = {"first": first, "f7": first[:7], "f12": first[:12], "upper": first.upper()}
    none = "3f00aa1" * 5 + "abcde"
    return ids | {"top": top, "t12": top[:12], "topic": topic, "loose": loose, "none": none}


def named(repo: Repo, text: str) -> str:
    """A text with `{first}`, `{f12}` and the like replaced by object ids of the repository."""
    return text.format(**names(repo))


BRANCH = """
blob/main/src/a.py#L1 => path src/a.py:1 confirmed
blob/main/src/a.py#L1-L99999999999 => path src/a.py:1-1000000000 refuted: src/a.py has 2 lines
blob/main/src/a.py#L1-L2 => path src/a.py:1-2 confirmed
blob/main/src/a.py?plain=1#L1C3-L2C5 => path src/a.py:1-2 confirmed
blob/HEAD/src/a.py#L1 => path src/a.py:1 confirmed
blob/refs/heads/main/src/a.py#L1 => path src/a.py:1 confirmed
blame/main/src/a.py#L1 => path src/a.py:1 confirmed
-/blob/main/src/a.py#L1-2 => path src/a.py:1-2 confirmed
-/blob/main/src/a.py?ref_type=heads#L1 => path src/a.py:1 confirmed
blob/main/src/a.py => path src/a.py confirmed
blob/main/src/a.py#readme => path src/a.py confirmed
blob/main/src/a.py#L12345678 => path src/a.py:12345678 refuted: src/a.py has 2 lines
blob/main/src => path src/ confirmed
tree/main/src/ => path src/ confirmed
tree/main => path ./ confirmed
tree/main/src#L1 => path src/ refuted: src/ is a directory, so it has no lines
blob/main/src/f%C3%B6%C3%B6%20bar.py#L1 => path src/föö bar.py:1 confirmed
blob/main/src/fo%CC%88o%CC%88%20bar.py#L1 => path src/föö bar.py:1 confirmed
blob/main/src/new.py#L1 => path src/new.py:1 confirmed
blob/main/src/new.py#L2 => path src/new.py:2 confirmed
blob/main/src/a.py#L3 => path src/a.py:3 refuted: src/a.py has 2 lines
blob/main/src/a.py#L2-L1 => path src/a.py:2-1 refuted: this is not a valid range of lines; src/a.py has 2 lines
blob/main/src/a.py#L0 => path src/a.py:0 refuted: this is not a valid range of lines; src/a.py has 2 lines
blob/main/src/none.py#L1 => path src/none.py:1 refuted: no such file
blob/main/src/old.py => path src/old.py refuted: deleted in {t12} (2026-01-05, “change”)
blob/2024010/src/a.py => path {t12}:src/a.py confirmed
blob/first/src/old.py#L1 => path {f12}:src/old.py:1 confirmed
blob/refs/tags/first/src/old.py => path {f12}:src/old.py confirmed
blob/main/only.py#L1 => path only.py:1 refuted: no such file
blob/main/SRC/a.py#L1 => path SRC/a.py:1 refuted: no such file: the name is src/a.py
blob/main/docs/guide => path docs/guide refuted: no such file
blob/main/link/a.py => path link/a.py unknown: the path leads through the symbolic link link
blob/main/docs/adr/0002-ports.md => adr docs/adr/0002-ports.md confirmed
blob/main/docs/adr/0001-files.md => adr docs/adr/0001-files.md refuted: superseded by ADR-2
blob/main/docs/adr/0003-gone.md => path docs/adr/0003-gone.md refuted: deleted in {t12} (2026-01-05, “change”)
blob/main/docs/guide.md#L3 => path docs/guide.md:3 confirmed
blob/main/.grounded/x.jsonl#L1 => path .grounded/x.jsonl:1 confirmed
blob/main/notes/plain.txt#L1 => path notes/plain.txt:1 confirmed
actions/workflows/test.yml/badge.svg?branch=main&event=push => path .github/workflows/test.yml confirmed
actions/workflows/ci.yml => path .github/workflows/ci.yml refuted: no such file
"""
COMMIT = """
blob/{first}/src/a.py#L1 => path {f12}:src/a.py:1 confirmed
blob/{f7}/src/a.py#L1 => path {f12}:src/a.py:1 confirmed
blob/{upper}/src/a.py#L1 => path {f12}:src/a.py:1 confirmed
-/blob/{first}/src/a.py#L1-2 => path {f12}:src/a.py:1-2 confirmed
blob/{first}/src/a.py#L2 => path {f12}:src/a.py:2 confirmed
blob/{first}/src/a.py#L6 => path {f12}:src/a.py:6 refuted: src/a.py has 5 lines
blob/{first}/src/a.py => path {f12}:src/a.py confirmed
blob/{first}/src/old.py#L1 => path {f12}:src/old.py:1 confirmed
blob/{top}/src/old.py#L1 => path {t12}:src/old.py:1 refuted: commit {t12} has no such file
blob/{first}/only.py => path {f12}:only.py refuted: commit {f12} has no such file
tree/{first}/src => path {f12}:src/ confirmed
tree/{first} => path {f12}:./ confirmed
blob/{first}/notes/plain.txt#L1 => path {f12}:notes/plain.txt:1 confirmed
blob/{first}/notes/plain.txt#L2 => path {f12}:notes/plain.txt:2 confirmed
blob/{first}/docs/guide.md#L3 => path {f12}:docs/guide.md:3 confirmed
blob/{first}/docs/guide.md => path {f12}:docs/guide.md confirmed
blob/{first}/.grounded/x.jsonl#L1 => path {f12}:.grounded/x.jsonl:1 confirmed
blob/{first}/docs/adr/0001-files.md => adr docs/adr/0001-files.md refuted: superseded by ADR-2
blob/{first}/docs/adr/0001-files.md#L1 => adr docs/adr/0001-files.md refuted: superseded by ADR-2
blob/{first}/docs/adr/0002-ports.md => adr docs/adr/0002-ports.md confirmed
blob/{first}/docs/adr/0002-ports.md#L1 => adr {f12}:docs/adr/0002-ports.md:1 unknown: proposed
blob/{top}/docs/adr/0002-ports.md#L1 => path {t12}:docs/adr/0002-ports.md:1 confirmed
blob/{first}/docs/adr/0003-gone.md => adr docs/adr/0003-gone.md unknown: {lost}
blob/{first}/docs/adr/0009-x.md => path {f12}:docs/adr/0009-x.md refuted: commit {f12} has no such file
blob/{topic}/src/new.py#L1 => commit {topic} unknown: {unreachable}
blob/{loose}/src/a.py#L1 => commit {loose} unknown: {unreachable}
blob/{none}/src/a.py#L1 => commit {none} refuted: {absent}
blob/3f00aa1/src/a.py => commit 3f00aa1 refuted: {absent}
commit/{first} => commit {first} confirmed
commit/{upper} => commit {first} confirmed
-/commit/{upper} => commit {first} confirmed
commit/{first}.patch => commit {first} confirmed
commit/{topic} => commit {topic} unknown: {unreachable}
commit/{none} => commit {none} refuted: {absent}
"""
REASONS = {
    "{lost}": "the ADR file no longer exists",
    "{unreachable}": "the commit is not on the base branch; perhaps it is on the current branch",
    "{absent}": "this repository has no such commit",
}


def rows(table: str) -> list[tuple[str, str]]:
    for short, reason in REASONS.items():
        table = table.replace(short, reason)
    pairs = (row.split(" => ") for row in table.split("\n")[1:-1])
    return [(f"{OURS}/{page}", want) for page, want in pairs]


RAW = "https://raw.githubusercontent.com"
BADGE = "https://img.shields.io/github/actions/workflow/status"
OWN = [
    *rows(BRANCH),
    *rows(COMMIT),
    (f"{RAW}/owner/name/main/src/a.py", "path src/a.py confirmed"),
    (f"{BADGE}/owner/name/test.yml?branch=main", "path .github/workflows/test.yml confirmed"),
    (f"{RAW}/owner/name/refs/heads/main/src/a.py", "path src/a.py confirmed"),
    (f"{RAW}/owner/name/{{first}}/src/old.py", "path {f12}:src/old.py confirmed"),
    ("http://github.com/owner/name/blob/main/src/a.py#L1", "path src/a.py:1 confirmed"),
    ("HTTPS://GITHUB.COM/OWNER/NAME/blob/main/src/a.py#L1", "path src/a.py:1 confirmed"),
    ("https://github.com:443/owner/name/blob/main/src/a.py#L1", "path src/a.py:1 confirmed"),
]
OTHERS = """
actions/workflows
actions/runs/12
blob/20240101/src/a.py
blob/facade1/src/a.py
src/tag/v9/src/a.py
src/branch/{first}/src/a.py
src/main/src/a.py
pull/12/commits/{none}
pull/12/commits/none
pull/12/files
blob/topic/src/a.py#L1
blob/v1.0/src/a.py#L1
blob/mainly/src/a.py#L1
blob/Main/src/a.py#L1
blob/refs/tags/main/src/a.py
blob/
wiki/blob/main/x
blob/main/src/../../../../other/name/blob/main/src/a.py#L1
blob/main/src/%2e%2e/src/a.py#L1
blob/main/./src/a.py#L1
blob/main//src/a.py#L1
blob/main/src%5Ca.py
blob/main/src/a.py%00
blob/main/src/a.py?ref_type=tags#L1
blob/main/src/a.py?at=other#L1
https://github.com/other/name/blob/main/src/a.py#L1
https://github.com/other/name/blob/{first}/src/a.py#L1
https://github.com/owner/name2/blob/main/src/a.py#L1
https://github.com/owner/name.git/blob/main/src/a.py#L1
https://github.com/owner/blob/main/src/a.py#L1
https://github.com.evil.dev/owner/name/blob/main/src/a.py#L1
https://evil.dev/github.com/owner/name/blob/main/src/a.py#L1
https://github.com@evil.dev/owner/name/blob/main/src/a.py#L1
https://github.com%5C@evil.dev/owner/name/blob/main/src/a.py#L1
https://github.com\\@evil.dev/owner/name/blob/main/src/a.py#L1
https://user:pw@github.com/owner/name/blob/main/src/a.py#L1
https://github.com:8443/owner/name/blob/main/src/a.py#L1
https://github.com:x/owner/name/blob/main/src/a.py#L1
https://github.com./owner/name/blob/main/src/a.py#L1
https://gıthub.com/owner/name/blob/main/src/a.py#L1
https://gist.github.com/owner/name/blob/main/src/a.py#L1
https://gitlab.com/owner/name/-/blob/main/src/a.py#L1
https://raw.githubusercontent.com/other/name/main/src/a.py
"""


OTHER = [p if p.startswith("http") else f"{OURS}/{p}" for p in OTHERS.split()]


@pytest.fixture(scope="module")
def answers(repo: Repo) -> dict[str, str]:
    """The answer to each page of the tables, looked up together."""
    urls = [*(url for url, _ in OWN), *OTHER]
    return dict(zip(urls, map(told, find_all(repo, *(named(repo, u) for u in urls))), strict=True))


@pytest.mark.parametrize(("url", "want"), OWN)
def test_what_an_own_page_shows(repo: Repo, answers: dict[str, str], url: str, want: str) -> None:
    assert answers[url] == named(repo, want)


@pytest.mark.parametrize("url", OTHER)
def test_other_pages_stay_urls(repo: Repo, answers: dict[str, str], url: str) -> None:
    assert answers[url] == f"url {named(repo, url)} skipped: offline"


@pytest.mark.parametrize(
    ("remote", "url", "own"),
    [
        ("https://github.com/owner/name", OURS, True),
        ("https://x:token@github.com/owner/name.git/", OURS, True),
        ("ssh://git@ssh.github.com:443/owner/name.git", OURS, True),
        ("git@codeberg.org:owner/name.git", "https://codeberg.org/owner/name", True),
        ("git@git.corp.dev:a/b/name", "https://git.corp.dev/a/b/name/-", True),
        ("git@git.corp.dev:a/b/name", "https://git.corp.dev/a/b/-", False),
        ("ssh://git@git.corp.dev:2222/a/b", "https://git.corp.dev/a/b", True),
        ("ssh://git@git.corp.dev:2222/a/b", "https://git.corp.dev:2222/a/b", False),
        ("https://git.corp.dev:3000/a/b", "https://git.corp.dev:3000/a/b", True),
        ("https://git.corp.dev:3000/a/b", "https://git.corp.dev/a/b", False),
        ("https://github.com/fork/name", OURS, False),
        ("/srv/git/owner/name.git", OURS, False),
        ("file:///srv/owner/name.git", OURS, False),
        ("", OURS, False),
    ],
)
def test_the_remote_says_which_forge_is_ours(repo: Repo, remote: str, url: str, own: bool) -> None:
    repo.git("config", "remote.origin.url", remote)
    try:
        found = find(repo, f"{url}/blob/main/src/a.py#L1")
    finally:
        repo.git("config", "remote.origin.url", ORIGIN)
    assert found is not None
    assert (found.target == "src/a.py:1") is own


@pytest.mark.parametrize(
    ("remote", "settings", "own"),
    [
        ("work:owner/name", TrackerSettings("github", "https://github.com"), True),
        ("work:owner/name", TrackerSettings("github", "https://ghe.corp.dev"), False),
        ("work:owner/name", TrackerSettings("none", "https://github.com"), False),
        ("work:own/code", TrackerSettings("github", "https://github.com", "owner/name"), False),
        ("work:owner/name", TrackerSettings("github", "https://github.com", "owner/x"), False),
        (ORIGIN, TrackerSettings("github", repository="owner/issues"), True),
    ],
)
def test_a_tracker_of_the_same_repository_names_its_server(
    repo: Repo, remote: str, settings: TrackerSettings, own: bool
) -> None:
    repo.git("config", "remote.origin.url", remote)
    try:
        found = find(repo, f"{OURS}/blob/main/src/a.py#L1", config=Config(tracker=settings))
    finally:
        repo.git("config", "remote.origin.url", ORIGIN)
    assert found is not None
    assert (found.target == "src/a.py:1") is own


STAGED = Asked("staged")


@pytest.fixture(scope="module")
def branches(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`main` has one commit, `release/1.0` a second one, HEAD a third one."""
    repo = Repo(tmp_path_factory.mktemp("branches"))
    repo.commit({"a.py": "A = 1\n"})
    repo.git("remote", "add", "origin", ORIGIN)
    landed(repo, "main", default=False)
    repo.git("branch", "local")
    repo.git("branch", "taken")
    repo.git("tag", "taken")
    repo.git("tag", "v1")
    repo.git("update-ref", "refs/remotes/upstream/dev", "HEAD")
    repo.commit()
    landed(repo, "release/1.0")
    repo.commit()
    return repo


@pytest.mark.parametrize(
    ("asked", "configured", "environ", "own"),
    [
        (STAGED, "", {}, "release/1.0 HEAD"),
        (STAGED, "main", {}, "main"),
        (STAGED, "release/1.0", {}, "release/1.0 HEAD"),
        (STAGED, "", {"GITHUB_BASE_REF": "main"}, "release/1.0 HEAD"),
        (STAGED, "upstream/dev", {}, ""),
        (STAGED, "v1", {}, ""),
        (STAGED, "local", {}, "local"),
        (STAGED, "taken", {}, ""),
        (Asked("range", start="origin/main"), "", {}, "release/1.0 HEAD"),
        (Asked("range", start="origin/release/1.0"), "", {}, "release/1.0 HEAD"),
        (Asked("range", start="HEAD~2"), "", {}, "release/1.0 HEAD"),
        (Asked("range", start="HEAD~2"), "main", {}, "main"),
        (Asked("range", start="HEAD~1"), "main", {}, "main"),
        (Asked("range", start="HEAD~1"), "", {"GITHUB_BASE_REF": "main"}, "release/1.0 HEAD"),
        (Asked("range", start="HEAD~2"), "", {"GITHUB_BASE_REF": "none"}, "release/1.0 HEAD"),
        (Asked("range", start="HEAD"), "", {}, "release/1.0 HEAD"),
        (Asked("range", start="0" * 40), "main", {}, "main"),
    ],
)
def test_bases_own_branch(
    branches: Repo,
    monkeypatch: pytest.MonkeyPatch,
    asked: Asked,
    configured: str,
    environ: dict[str, str],
    own: str,
) -> None:
    for name in ("GITHUB_BASE_REF", *environ):
        monkeypatch.setenv(name, environ.get(name, ""))
    names = [
        "main",
        "release/1.0",
        "release",
        "HEAD",
        "upstream/dev",
        "dev",
        "v1",
        "local",
        "taken",
    ]
    urls = [f"{OURS}/blob/{n}/a.py#L1" for n in names]
    config = Config(base=configured)
    found = find_all(branches, *urls, asked=asked, config=config, environ=environ)
    ours = [n for n, e in zip(names, found, strict=True) if e and e.target == "a.py:1"]
    assert ours == own.split()


@pytest.mark.parametrize(("name", "own"), [("main", True), ("HEAD", False), ("dev", False)])
def test_before_anything_was_pushed_base_is_the_current_branch(
    tmp_path: Path, name: str, own: bool
) -> None:
    repo = Repo(tmp_path)
    repo.commit({"a.py": "A = 1\n"})
    repo.git("remote", "add", "origin", ORIGIN)
    found = find(repo, f"{OURS}/blob/{name}/a.py#L1")
    assert found is not None
    assert (found.target == "a.py:1") is own


def test_with_an_unknown_base_nothing_is_ours(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"a.py": "A = 1\n"})
    repo.git("remote", "add", "origin", ORIGIN)
    landed(repo, "dev", default=False)
    for page in ("blob/main/a.py#L1", "blob/dev/a.py#L1", "blob/HEAD/a.py#L1"):
        assert told(find(repo, f"{OURS}/{page}")).startswith("url ")
    head = repo.git("rev-parse", "HEAD")
    assert told(find(repo, f"{OURS}/blob/{head}/a.py#L1")).endswith(
        "unknown: the base branch is unknown"
    )


def test_the_change_counts_and_what_it_removes(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/a.py": source("A = 1", "B = 2", "C = 3"), "src/gone.py": source("Z = 'z'")})
    repo.git("remote", "add", "origin", ORIGIN)
    landed(repo, "main")
    repo.git("mv", "src/a.py", "src/b.py")
    repo.stage({"src/gone.py": None})
    want = {
        "a.py#L1": "path src/a.py:1 refuted: moved to src/b.py",
        "b.py#L1": "path src/b.py:1 confirmed",
        "gone.py#L1": "path src/gone.py:1 refuted: removed by this change",
    }
    found = {p: told(find(repo, f"{OURS}/blob/main/src/{p}")) for p in want}
    assert found == want


CLAIMS = [
    ("The port is 81 here ({ours}/blob/main/src/a.py#L1).", "cited"),
    ("The port is 81 ([source]({ours}/blob/{top}/src/a.py#L1)).", "cited"),
    ("The ports are decided ([there]({ours}/blob/main/docs/adr/0002-ports.md)).", "cited"),
    ("The gate is 81 ({ours}/blob/main/src/a.py).", "cited"),
    ("The gate is 81 ({ours}/blob/main/src/a.py#L9).", "refuted-citation"),
    ("The gate is 81 ({ours}/blob/main/src/b.py#L1).", "refuted-citation"),
    ("The port is 80 ({ours}/blob/{first}/docs/guide.md#L3).", "cited"),
    ("The gate is 81 (https://github.com/fork/name/blob/main/src/a.py#L1).", "ungrounded"),
    ("We removed {ours}/blob/main/src/b.py long ago.", "ungrounded"),
]


@pytest.fixture(scope="module")
def judged(repo: Repo) -> dict[str, Decision]:
    texts = {claim: named(repo, claim.replace("{ours}", OURS)) for claim, _ in CLAIMS}
    found = repo.judge_each(texts.values())
    return {claim: found[text] for claim, text in texts.items()}


@pytest.mark.parametrize(("claim", "rule"), CLAIMS)
def test_claims(judged: dict[str, Decision], claim: str, rule: str) -> None:
    assert judged[claim].rule == rule


def test_in_a_submodule_and_in_a_clone_without_trees(repo: Repo, tmp_path: Path) -> None:
    outer = Repo(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", str(repo.root), "vendor/lib")
    outer.commit()
    outer.git("remote", "add", "origin", ORIGIN)
    landed(outer, "main")
    want = "path vendor/lib/src/a.py unknown: the path is inside the submodule vendor/lib"
    assert told(find(outer, f"{OURS}/blob/main/vendor/lib/src/a.py")) == want

    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.root), str(bare))
    repo.git("-C", str(bare), "config", "uploadpack.allowfilter", "true")
    source = f"file://{bare}"
    repo.git("clone", "-q", "--filter=tree:0", "-b", "main", source, str(tmp_path / "partial"))
    partial = Repo(tmp_path / "partial")
    partial.git("config", "remote.origin.url", ORIGIN)
    found = find(partial, named(repo, f"{OURS}/blob/{{first}}/src/none.py#L1"))
    assert told(found) == named(
        repo, "path {f12}:src/none.py:1 unknown: the file is not in this partial clone"
    )


@pytest.mark.parametrize(
    ("urls", "more"),
    [
        ((), 0),
        (("https://docs.dev/guide", f"{OURS}/releases"), 0),
        (("https://github.com/other/name/blob/main/a.py", "https://x.dev/tree/a/b/c"), 1),
    ],
)
def test_other_urls_cost_next_to_nothing(repo: Repo, urls: tuple[str, ...], more: int) -> None:
    with context(repo, STAGED) as there:
        before = there.repo.processes
        for _ in range(2):
            verify_citations([Request(NOTES, url_citation(u)) for u in urls], there)
        assert there.repo.processes - before == more


class Network:
    """Stands for the network: remembers what it is asked, and answers nothing."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def converse(self, talks: dict[str, object]) -> dict[str, object]:
        self.asked += talks
        raise ConnectionError


def test_the_network_is_not_asked(repo: Repo) -> None:
    network = Network()
    with context(repo, STAGED) as there:
        online = there._replace(web=network)  # type: ignore[arg-type]
        mine = [Request(NOTES, url_citation(f"{OURS}/blob/main/{p}")) for p in ("src/a.py", "x")]
        assert len(verify_citations(mine, online)) == 2
        assert network.asked == []
        other = Request(NOTES, url_citation(f"{OURS}/blob/topic/src/a.py"))
        found = verify_citations([*mine, other], online)[other]
        assert found is not None
        assert found.reason == f"{BROKEN}: ConnectionError"
    assert network.asked == [other.citation.raw]


@pytest.mark.parametrize(
    ("manifest", "text", "own"),
    [
        ("package.json", '{"repository": {"type": "git", "url": "git+https://github.com/owner/name.git"}}', True),
        ("package.json", '{"repository": "https://github.com/other/name"}', False),
        ("pyproject.toml", '[project.urls]\nRepository = "https://github.com/owner/name"\n', True),
        ("pyproject.toml", '[project.urls]\nHomepage = "https://github.com/owner/name"\n', False),
        ("Cargo.toml", '[package]\nrepository = "https://github.com/owner/name"\n', True),
        ("go.mod", "module github.com/owner/name\n", True),
    ],
)  # fmt: skip
def test_without_a_remote_a_manifest_says_whose_pages_are_own(
    tmp_path: Path, manifest: str, text: str, own: bool
) -> None:
    repo = Repo(tmp_path)
    repo.commit({manifest: text, "src/a.py": "A = 1\n"})
    found = told(find(repo, f"{OURS}/blob/main/src/none.py"))
    assert found.startswith("path src/none.py refuted" if own else "url ")

"""Issues: what a tracker has to answer for a verdict, with and without a token, and where the token goes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from servers import Reply, Server, liar, tracker

from grounded_ingest.config.settings import Network, TrackerSettings
from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.net.client import Web
from grounded_ingest.references.issue import verify_issues
from grounded_ingest.references.response_cache import Answers
from grounded_ingest.references.tracker import Tracker, TrackerKind, host_and_path, tracker_from

CONFIRMED, REFUTED, UNKNOWN = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
TOKEN = "t0ken"


def web(timeout: float = 3.0) -> Web:
    return Web(Network(timeout=timeout, allow=("127.0.0.1",)), 5.0)


def judge(
    kind: TrackerKind, replies: dict[str, Reply], target: str, token: str, needs: str = ""
) -> tuple[Evidence, list[str]]:
    """The evidence for a target, and the paths the server was asked for."""
    with Server(tracker(replies, needs)) as server:
        desk = Tracker(kind, server.url, "o/r" if kind == "github" else "g/s/p", token)
        found = verify_issues([target], desk, web(), None)[target]
        return found, [seen.path for seen in server.seen]


def issue(number: int, association: str = "NONE", **more: Any) -> Reply:
    said = {"number": number, "title": "It  breaks", "state": "open"}
    return 200, said | {"author_association": association} | more


def pull(number: int, merged_at: str | None, association: str = "NONE") -> Reply:
    state = "closed" if merged_at else "open"
    return issue(number, association, state=state, pull_request={"merged_at": merged_at})


LATER = str(int(time.time()) + 3600)
SPENT = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": LATER}
READABLE: Reply = (200, {"private": False, "has_issues": True, "has_discussions": False})
GITHUB: dict[str, Reply] = {
    "/repos/o/r": READABLE,
    "/repos/o/r/issues/1": issue(1, "MEMBER"),
    "/repos/o/r/issues/2": issue(2, "NONE", state="closed"),
    "/repos/o/r/issues/3": pull(3, "2024-05-01T00:00:00Z"),
    "/repos/o/r/issues/4": pull(4, None),
    "/repos/o/r/issues/5": pull(5, None, "OWNER"),
    "/repos/o/r/issues/6": (410, {"message": "This issue was deleted"}),
    "/repos/o/r/issues/7": (301, {"message": "Moved"}, {"Location": "/repositories/1/issues/7"}),
    "/repos/o/r/issues/8": (403, {"message": "API rate limit exceeded"}, SPENT),
    "/repos/o/r/issues/9": (429, {"message": "slow"}, {"retry-after": "3600"}),
    "/repos/o/r/issues/10": (403, {"message": "Resource not accessible by integration"}),
    "/repos/o/r/issues/11": (401, {"message": "Bad credentials"}),
    "/repos/o/r/issues/12": (502, b"<html>"),
    "/repos/o/r/issues/13": (200, b"<html>"),
    "/repos/o/r/issues/14": (200, []),
    "/repos/o/r/issues/15": issue(99, "OWNER"),
    "/repos/o/r/issues/16": (200, b"[" * 100_000),
    "/repos/o/r/issues/17": (200, b'{"number": 17, "title": "' + b"x" * 2_000_000),
    "/repos/O/other/issues/1": issue(1, "OWNER"),
    "/repos/them/r": READABLE,
    "/repos/them/r/issues/1": issue(1, "OWNER"),
    "/repos/them/r/issues/2": pull(2, "2024-05-01T00:00:00Z"),
}


@pytest.mark.parametrize(
    ("target", "verdict", "reason"),
    [
        ("#1", CONFIRMED, "issue, open"),
        ("#2", CONFIRMED, "issue, closed"),
        ("#3", CONFIRMED, "pull request, merged"),
        ("#4", CONFIRMED, "pull request, open"),
        ("#5", CONFIRMED, "pull request, open"),
        ("o/r#1", CONFIRMED, "issue, open"),
        ("O/other#1", CONFIRMED, "issue, open"),
        ("them/r#1", CONFIRMED, "issue, open"),
        ("them/r#2", CONFIRMED, "pull request, merged"),
        ("#6", REFUTED, "deleted from o/r"),
        ("#404", REFUTED, "not found in o/r"),
        ("them/r#404", REFUTED, "not found in them/r"),
        ("hidden/r#1", UNKNOWN, "cannot read that repository"),
        ("#7", UNKNOWN, "moved"),
        ("#8", UNKNOWN, "rate limit"),
        ("#9", UNKNOWN, "rate limit"),
        ("#10", UNKNOWN, "denies access"),
        ("#11", UNKNOWN, "does not accept the token"),
        ("#12", UNKNOWN, "the tracker responded with status 502"),
        ("#13", UNKNOWN, "could not be parsed"),
        ("#14", UNKNOWN, "could not be parsed"),
        ("#15", UNKNOWN, "could not be parsed"),
        ("#16", UNKNOWN, "could not be parsed"),
        ("#17", UNKNOWN, "could not be parsed"),
        ("!1", UNKNOWN, "this tracker has no issues of this form"),
        ("a/b/c#1", UNKNOWN, "this tracker has no issues of this form"),
        ("../..#1", UNKNOWN, "this tracker has no issues of this form"),
        ("#1x", UNKNOWN, "this tracker has no issues of this form"),
    ],
)
def test_github(target: str, verdict: Verdict, reason: str) -> None:
    found, _ = judge("github", GITHUB, target, TOKEN, TOKEN)
    assert found.verdict is verdict
    assert reason in found.reason
    assert (found.kind, found.target, found.network) == (CitationKind.ISSUE, target, True)
    assert found.quote == ("It breaks" if verdict is CONFIRMED else "")
    assert len(found.fingerprint) == (16 if verdict is CONFIRMED else 0)
    assert found.checked_at.endswith("Z")


@pytest.mark.parametrize(
    ("target", "verdict", "reason"),
    [
        ("#1", CONFIRMED, "issue, open"),
        ("#404", UNKNOWN, "no token"),
        ("#6", UNKNOWN, "no token"),
        ("#8", UNKNOWN, "rate limit"),
        ("#10", UNKNOWN, "denies access"),
    ],
)
def test_github_without_a_token(target: str, verdict: Verdict, reason: str) -> None:
    found, _ = judge("github", GITHUB, target, "")
    assert found.verdict is verdict
    assert reason in found.reason


def where(**more: Any) -> Reply:
    return 200, {"private": False, "has_issues": True, "has_discussions": False} | more


MERGED: Reply = (200, {"number": 1, "title": "T", "state": "closed", "merged_at": "2024-01-01"})


@pytest.mark.parametrize(
    ("replies", "verdict", "reason"),
    [
        ({"/repos/o/r": where(private=True)}, UNKNOWN, "cannot read that repository's issues"),
        (
            {
                "/repos/o/r": where(private=True),
                "/repos/o/r/issues?state=all&per_page=1": (200, []),
            },
            REFUTED,
            "not found in o/r",
        ),
        ({"/repos/o/r": where(has_discussions=True)}, UNKNOWN, "a discussion"),
        ({"/repos/o/r": where(has_issues=False)}, REFUTED, "not found in o/r"),
        (
            {"/repos/o/r": where(has_issues=False), "/repos/o/r/pulls/1": MERGED},
            CONFIRMED,
            "pull request, merged",
        ),
        ({"/repos/o/r": (301, {})}, UNKNOWN, "cannot read that repository"),
        ({"/repos/o/r": (500, {})}, UNKNOWN, "cannot read that repository"),
    ],
)
def test_github_refutes_only_what_it_would_have_shown(
    replies: dict[str, Reply], verdict: Verdict, reason: str
) -> None:
    found, _ = judge("github", replies, "#1", TOKEN, TOKEN)
    assert (found.verdict, reason in found.reason) == (verdict, True), found.reason


def gitlab(iid: int, author: int, state: str = "opened") -> Reply:
    return 200, {"iid": iid, "title": "It breaks", "state": state, "author": {"id": author}}


def project(level: int | None, **more: Any) -> Reply:
    access = None if level is None else {"access_level": level}
    return 200, {"permissions": {"project_access": None, "group_access": access}} | more


P, THEIRS = "/projects/g%2Fs%2Fp", "/projects/them%2Fp"
GITLAB: dict[str, Reply] = {
    P: project(30),
    f"{P}/issues/1": gitlab(1, 7),
    f"{P}/issues/2": gitlab(2, 8, "closed"),
    f"{P}/merge_requests/1": gitlab(1, 8, "merged"),
    f"{P}/merge_requests/2": gitlab(2, 8),
    f"{P}/merge_requests/3": gitlab(3, 7),
    f"{P}/issues/8": (429, {}, {"Retry-After": "3600"}),
    f"{P}/issues/9": (403, {"message": "403 Forbidden"}),
    THEIRS: project(None, merge_requests_access_level="enabled"),
    f"{THEIRS}/issues/1": gitlab(1, 7),
    f"{THEIRS}/merge_requests/1": gitlab(1, 7, "merged"),
}


@pytest.mark.parametrize(
    ("target", "verdict", "reason"),
    [
        ("#1", CONFIRMED, "issue, open"),
        ("#2", CONFIRMED, "issue, closed"),
        ("!1", CONFIRMED, "merge request, merged"),
        ("!2", CONFIRMED, "merge request, open"),
        ("!3", CONFIRMED, "merge request, open"),
        ("g/s/p#1", CONFIRMED, "issue, open"),
        ("g/s/p!1", CONFIRMED, "merge request, merged"),
        ("them/p#1", CONFIRMED, "issue, open"),
        ("them/p!1", CONFIRMED, "merge request, merged"),
        ("#404", REFUTED, "not found in g/s/p"),
        ("!404", REFUTED, "not found in g/s/p"),
        ("them/p!404", REFUTED, "not found in them/p"),
        ("them/p#404", UNKNOWN, "confidential"),
        ("hidden/p#1", UNKNOWN, "cannot read that repository"),
        ("#8", UNKNOWN, "rate limit"),
        ("#9", UNKNOWN, "denies access"),
        ("g/../p#1", UNKNOWN, "this tracker has no issues of this form"),
    ],
)
def test_gitlab(target: str, verdict: Verdict, reason: str) -> None:
    found, _ = judge("gitlab", GITLAB, target, TOKEN, TOKEN)
    assert found.verdict is verdict
    assert reason in found.reason


@pytest.mark.parametrize(
    ("target", "verdict"), [("#1", CONFIRMED), ("!1", CONFIRMED), ("#404", UNKNOWN)]
)
def test_gitlab_without_a_token(target: str, verdict: Verdict) -> None:
    found, asked = judge("gitlab", GITLAB, target, "")
    assert found.verdict is verdict
    assert len(asked) == 1


def test_a_repository_is_asked_once_for_many_missing_issues() -> None:
    with Server(tracker(GITHUB, TOKEN)) as server:
        desk = Tracker("github", server.url, "o/r", TOKEN)
        found = verify_issues([f"#{n}" for n in range(100, 120)], desk, web(), None)
        assert {e.verdict for e in found.values()} == {REFUTED}
        assert [s.path for s in server.seen].count("/repos/o/r") == 1


def test_a_spent_rate_limit_ends_the_asking() -> None:
    replies: dict[str, Reply] = {f"/repos/o/r/issues/{n}": (403, {}, SPENT) for n in range(40)}
    with Server(tracker(replies)) as server:
        desk = Tracker("github", server.url, "o/r", TOKEN)
        found = verify_issues([f"#{n}" for n in range(40)], desk, web(), None)
        assert {e.verdict for e in found.values()} == {UNKNOWN}
        assert len(server.seen) <= Network().per_host


def test_where_nobody_can_be_asked() -> None:
    desk = Tracker("github", "https://api.github.com", "o/r", TOKEN)
    offline = verify_issues(["#1"], desk, None, None)["#1"]
    assert (offline.verdict, offline.reason) == (Verdict.SKIPPED, "offline")
    nobody = verify_issues(["#1"], None, web(), None)["#1"]
    assert (nobody.verdict, nobody.reason) == (
        UNKNOWN,
        "no issue tracker was found; set tracker.url",
    )


@pytest.mark.parametrize(
    ("path", "reason"), [("/silent", "timeout"), ("/reset", "no connection to the host")]
)
def test_a_tracker_that_does_not_answer_is_unknown(path: str, reason: str) -> None:
    with Server(lambda handler: liar_at(handler, path)) as server:
        desk = Tracker("github", server.url, "o/r", TOKEN)
        found = verify_issues(["#1"], desk, web(timeout=0.3), None)
    assert (found["#1"].verdict, found["#1"].reason) == (UNKNOWN, reason)


def liar_at(handler: Any, path: str) -> None:
    handler.path = path
    liar(handler)


def test_confirmed_issues_are_kept_by_tracker(tmp_path: Path) -> None:
    answers = Answers(str(tmp_path), 60)
    targets = ["#2", "#404", "#8"]
    with Server(tracker(GITHUB)) as server:
        desk = Tracker("github", server.url, "o/r", TOKEN)
        first = verify_issues(targets, desk, web(), answers)
        kept = verify_issues(targets, desk, None, answers)
        assert kept["#2"] == first["#2"]
        assert [kept[t].reason for t in targets[1:]] == ["offline", "offline"]
        other = Tracker("github", server.url, "o/other", TOKEN)
        assert verify_issues(["#2"], other, None, answers)["#2"].verdict is Verdict.SKIPPED


def test_the_token_goes_to_the_api_and_is_never_shown() -> None:
    with Server(tracker(GITHUB)) as other:
        moved: dict[str, Reply] = {
            "/repos/o/r/issues/1": (302, {}, {"Location": f"{other.url}/repos/o/r/issues/1"})
        }
        with Server(tracker(moved)) as server:
            desk = Tracker("github", server.url, "o/r", TOKEN)
            found = verify_issues(["#1"], desk, web(), None)["#1"]
            assert server.seen[0].headers["authorization"] == f"Bearer {TOKEN}"
        assert found.verdict is UNKNOWN
        assert other.seen == []
    assert TOKEN not in repr(desk)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@github.com:o/r.git", ("github.com", "o/r")),
        ("github.com:o/r", ("github.com", "o/r")),
        ("https://github.com/o/r.git/", ("github.com", "o/r")),
        ("https://user:pass@GitHub.com/o/r", ("github.com", "o/r")),
        ("https://www.github.com/o/r", ("github.com", "o/r")),
        ("ssh://git@github.com:22/o/r.git", ("github.com", "o/r")),
        ("ssh://git@ssh.github.com:443/o/r.git", ("github.com", "o/r")),
        ("git://gitlab.com/g/sub/p.git", ("gitlab.com", "g/sub/p")),
        ("https://gitlab.com/g/sub/p.git", ("gitlab.com", "g/sub/p")),
        ("/srv/git/r.git", ("", "")),
        ("../r.git", ("", "")),
        ("file:///srv/git/r.git", ("", "")),
        ("https://[broken/o/r", ("", "")),
        ("", ("", "")),
    ],
)
def test_remotes(url: str, expected: tuple[str, str]) -> None:
    assert host_and_path(url) == expected


GH, GL = "https://api.github.com", "https://gitlab.com/api/v4"
BOTH = {"GITHUB_TOKEN": " hub\n", "GITLAB_TOKEN": "lab", "CI_JOB_TOKEN": "job", "MINE": "mine"}
GHE = {
    "GITHUB_SERVER_URL": "https://git.corp.test",
    "GITHUB_API_URL": "https://git.corp.test/api/v3",
    "GITHUB_TOKEN": "hub",
}
CORP_URL = "https://git.corp.test"
CORP = "git@git.corp.test:g/sub/p.git"


@pytest.mark.parametrize(
    ("settings", "remote", "environ", "expected"),
    [
        ({}, "git@github.com:o/r.git", BOTH, Tracker("github", GH, "o/r", "hub", "o/r")),
        ({}, "git@github.com:o/r.git", {}, Tracker("github", GH, "o/r", "")),
        ({}, "git@github.com:o/r.git", {"CI_JOB_TOKEN": "job"}, Tracker("github", GH, "o/r", "")),
        ({}, "git@github.com:o/r", {"GITHUB_TOKEN": "a\nb"}, Tracker("github", GH, "o/r", "")),
        ({}, "https://gitlab.com/g/s/p.git", BOTH, Tracker("gitlab", GL, "g/s/p", "lab", "g/s/p")),
        ({"kind": "none"}, "git@github.com:o/r.git", BOTH, None),
        ({}, CORP, BOTH, None),
        ({}, "", BOTH, None),
        ({}, "/srv/git/r.git", BOTH, None),
        ({"kind": "github"}, "/srv/git/r.git", BOTH, None),
        (
            {"repository": "o/main", "token_env": "MINE"},
            "git@github.com:fork/main.git",
            BOTH,
            Tracker("github", GH, "o/main", "mine"),
        ),
        (
            {"kind": "github", "repository": "o/r", "url": "https://github.com"},
            "/srv/git/r.git",
            BOTH,
            Tracker("github", GH, "o/r"),  # what the token may read is not the file's to say
        ),
        (
            {"kind": "github", "repository": "o/r", "url": "https://github.com"},
            "git@evil.test:o/r.git",
            BOTH,
            Tracker("github", GH, "o/r"),
        ),
        (
            {"repository": "o/main"},
            "git@github.com:fork/main.git",
            BOTH,
            Tracker("github", GH, "o/main", "hub", "fork/main"),
        ),
        ({}, "git@github.com:o/r.git", BOTH | GHE, Tracker("github", GH, "o/r")),
        (
            {"kind": "github", "repository": "o/r"},
            "git@git.corp.test:o/r.git",
            GHE | {"GITHUB_REPOSITORY": "o/other"},
            Tracker("github", f"{CORP_URL}/api/v3", "o/r", "hub", "o/r"),
        ),
        (
            {"kind": "github", "repository": "o/r", "url": CORP_URL},
            "/srv/git/r.git",
            GHE | {"GITHUB_REPOSITORY": "o/job"},
            Tracker("github", f"{CORP_URL}/api/v3", "o/r", "hub", "o/job"),
        ),
        (
            {"kind": "gitlab"},
            CORP,
            BOTH,
            Tracker("gitlab", "https://git.corp.test/api/v4", "g/sub/p", ""),
        ),
        (
            {"kind": "gitlab", "token_env": "GITLAB_TOKEN"},
            CORP,
            BOTH,
            Tracker("gitlab", "https://git.corp.test/api/v4", "g/sub/p", "lab"),
        ),
        (
            {"kind": "gitlab", "url": "https://git.corp.test"},
            CORP,
            BOTH,
            Tracker("gitlab", "https://git.corp.test/api/v4", "g/sub/p"),
        ),
        (
            {"kind": "gitlab", "url": "https://corp.test/git/api/v4/"},
            CORP,
            BOTH,
            Tracker("gitlab", "https://corp.test/git/api/v4", "g/sub/p"),
        ),
        (
            {},
            CORP,
            GHE,
            Tracker("github", "https://git.corp.test/api/v3", "g/sub/p", "hub", "g/sub/p"),
        ),
        (
            {"kind": "github"},
            "git@evil.test:o/r.git",
            GHE,
            Tracker("github", "https://evil.test/api/v3", "o/r", ""),
        ),
        (
            {},
            CORP,
            {"CI_SERVER_URL": "https://git.corp.test", "GITLAB_TOKEN": "lab"}
            | {"CI_API_V4_URL": "https://git.corp.test/api/v4"},
            Tracker("gitlab", "https://git.corp.test/api/v4", "g/sub/p", "lab", "g/sub/p"),
        ),
    ],
)
def test_the_tracker_is_found(
    settings: dict[str, Any], remote: str, environ: dict[str, str], expected: Tracker | None
) -> None:
    assert tracker_from(TrackerSettings(**settings), remote, environ) == expected

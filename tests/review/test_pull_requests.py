"""Reviews on the forge: they carry approvals of a range, and `--from-pr` puts them on record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from reviewrepo import ANN, EVE, FIRST, LOG, NOTES, SECOND, THIRD, Clone, page, team
from servers import Handler, Server

NEW = "Search runs on an index that is rebuilt at night."
ANNS = "ann@users.noreply.127.0.0.1"
RANGE = ("--range", "origin/main..HEAD")


def github_review(login: str, head: str, state: str = "APPROVED", **more: Any) -> dict[str, Any]:
    user = {"login": login, "type": "Bot" if "[bot]" in login else "User"}
    return {
        "user": user, "state": state, "commit_id": head, "author_association": "MEMBER", **more,
    }  # fmt: skip


class Forge:
    """A tracker that has one request, as GitHub or GitLab show it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.head = ""
        self.author = "eve"
        self.reviews: list[dict[str, Any]] = []
        self.notes: list[tuple[str, str, str]] = []
        self.pushed = "2026-01-02T00:00:00.000Z"
        self.approved: list[str] = []

    def __call__(self, handler: Handler) -> None:
        path, _, query = handler.path.removeprefix("/api").partition("?")
        found = getattr(self, f"_{self.kind}")(path, query)
        handler.say(404 if found is None else 200, json.dumps(found).encode())

    def _github(self, path: str, query: str) -> Any:
        match path.split("/")[1:]:
            case ["repos", "o", "r", "pulls", "7"]:
                return {"number": 7, "head": {"sha": self.head}, "user": {"login": self.author}}
            case ["repos", "o", "r", "pulls", "7", "reviews"]:
                number = int(query.partition("&page=")[2])
                return self.reviews[100 * (number - 1) : 100 * number]
            case ["repos", "o", "r", "commits", commit, "pulls"]:
                return [{"number": 7, "head": {"sha": self.head}}] if commit == self.head else []
        return None

    def _gitlab(self, path: str, _: str) -> Any:
        match path.split("/")[1:]:
            case ["projects", "o%2Fr", "merge_requests", "7"]:
                return {"iid": 7, "sha": self.head, "author": {"username": self.author}}
            case ["projects", "o%2Fr", "merge_requests", "7", "versions"]:
                return [{"head_commit_sha": self.head, "created_at": self.pushed}]
            case ["projects", "o%2Fr", "merge_requests", "7", "approvals"]:
                return {"approved_by": [{"user": {"username": name}} for name in self.approved]}
            case ["projects", "o%2Fr", "merge_requests", "7", "notes"]:
                return [
                    {"system": True, "body": f"{did} this merge request", "created_at": at,
                     "author": {"username": who}}
                    for who, did, at in self.notes
                ]  # fmt: skip
            case ["projects", "o%2Fr", "repository", "commits", _, "merge_requests"]:
                return [{"iid": 7, "sha": self.head}]
        return None

    def approve(self, login: str, *, before: bool = False) -> None:
        """An approval of the head, or of what stood there before."""
        self.reviews.append(github_review(login, "0" * 40 if before else self.head))
        self.approved.append(login)
        self.notes.append((login, "approved", f"2026-01-0{1 if before else 3}T00:00:00.000Z"))


@contextmanager
def forge(tmp_path: Path, kind: str, owners: str = "") -> Iterator[tuple[Forge, Clone]]:
    """Eve's request with a new claim."""
    found = Forge(kind)
    with Server(found) as server:
        eve, _ = team(tmp_path)
        tracker = f'tracker: {{kind: {kind}, url: "{server.url}/api", repository: o/r}}\n'
        eve.write(".grounded-ingest.yaml", f'{tracker}network: {{allow: ["{server.host}"]}}\n')
        eve.env["GROUNDED_INGEST_GRANT"] = f"tracker {server.url}/api; allow {server.host}"
        if owners:
            eve.write("CODEOWNERS", owners)
        eve.commit("settings")
        eve.git("push", "-q", "origin", "main")
        eve.git("switch", "-q", "-c", "work")
        found.head = eve.put(NOTES, page(FIRST, SECOND, THIRD, NEW))
        yield found, eve


def with_log(found: Forge, eve: Clone) -> None:
    """The request brings an approval as well."""
    eve.of(ANN).approve(f"{NOTES}:9")
    found.head = eve.of(ANN).commit("Approve")


def told(eve: Clone) -> tuple[str, str]:
    args = ("check", *RANGE, "--output-format", "json")
    report = eve.ask(*args).json
    (rule,) = [d["rule"] for d in report["decisions"] if d["claim"] == NEW]
    said = [p["message"] for p in report["problems"] if p["rule"] == "advisory-approval"]
    return rule, "; ".join(said).partition(": ")[2]


KINDS = pytest.mark.parametrize("kind", ["github", "gitlab"])


@KINDS
def test_a_review_of_the_head_carries_approvals(tmp_path: Path, kind: str) -> None:
    """A review on the forge supports the approvals in the range."""
    with forge(tmp_path, kind, "* @ann\n* @ann ann@example.org\n") as (found, eve):
        with_log(found, eve)
        rule, why = told(eve)
        assert rule == "ungrounded"
        assert "nobody approved the head commit of pull request 7" in why
        found.approve("ann")
        assert told(eve) == ("approved", "")


@KINDS
def test_a_review_of_an_earlier_head_does_not(tmp_path: Path, kind: str) -> None:
    """Commits that were pushed after a review are not approved by it."""
    with forge(tmp_path, kind) as (found, eve):
        with_log(found, eve)
        found.approve("ann", before=True)
        assert told(eve)[0] == "ungrounded"


@KINDS
@pytest.mark.parametrize("who", ["eve", "bob", "claude[bot]"])
def test_whose_review_does_not_count(tmp_path: Path, kind: str, who: str) -> None:
    """The author's, one's who owns nothing here, an agent's."""
    with forge(tmp_path, kind, "* @ann ann@example.org @eve\n") as (found, eve):
        with_log(found, eve)
        found.approve(who)
        assert told(eve)[0] == "ungrounded"


def test_teams_are_left_to_branch_protection(tmp_path: Path) -> None:
    """Who belongs to a team is unknown here, so a team member does not count."""
    with forge(tmp_path, "github", "* @o/team\n") as (found, eve):
        with_log(found, eve)
        found.approve("ann")
        assert told(eve)[0] == "ungrounded"


@pytest.mark.parametrize("last", ["CHANGES_REQUESTED", "DISMISSED", "COMMENTED"])
def test_the_last_word_of_a_reviewer_counts(tmp_path: Path, last: str) -> None:
    """A later dismissal or request for changes takes an approval back, a comment does not."""
    with forge(tmp_path, "github") as (found, eve):
        with_log(found, eve)
        found.approve("ann")
        found.reviews.append(github_review("ann", found.head, last))
        assert told(eve)[0] == ("approved" if last == "COMMENTED" else "ungrounded")


def test_who_is_no_member_does_not_count_where_nobody_is_named(tmp_path: Path) -> None:
    """On GitHub anybody can approve a public pull request."""
    with forge(tmp_path, "github") as (found, eve):
        with_log(found, eve)
        found.reviews.append(github_review("zed", found.head, author_association="NONE"))
        assert told(eve)[0] == "ungrounded"


def test_an_approval_that_was_withdrawn_does_not_count(tmp_path: Path) -> None:
    """GitLab tells so in the notes alone."""
    with forge(tmp_path, "gitlab") as (found, eve):
        with_log(found, eve)
        found.approve("ann")
        found.notes.append(("ann", "unapproved", "2026-01-04T00:00:00.000Z"))
        assert told(eve)[0] == "ungrounded"


def test_many_reviews_come_in_pages(tmp_path: Path) -> None:
    """All pages are read."""
    with forge(tmp_path, "github") as (found, eve):
        with_log(found, eve)
        found.reviews += [github_review(f"u{n}", found.head, "COMMENTED") for n in range(150)]
        found.approve("ann")
        assert told(eve)[0] == "approved"


def test_a_merge_that_ci_checked_out_has_the_head_as_its_second_parent(tmp_path: Path) -> None:
    """CI checks out the merge with the target branch; later commits are not covered."""
    with forge(tmp_path, "github") as (found, eve):
        with_log(found, eve)
        found.approve("ann")
        eve.git("switch", "-q", "--detach", "main")
        eve.git("merge", "-q", "--no-ff", "-m", "Merge 7 into main", "work")
        assert told(eve)[0] == "approved"
        eve.put("docs/more.md", page("Billing events arrive through a webhook."))
        assert told(eve)[0] == "ungrounded"


def from_pull(eve: Clone, **env: str) -> Any:
    return eve.ask("review", "--from-pr", "7", **env)


@KINDS
def test_what_a_reviewer_approved_is_put_on_record(tmp_path: Path, kind: str) -> None:
    """`--from-pr` writes one line for each claim and approver, once."""
    with forge(tmp_path, kind, "* @ann ann@example.org\n") as (found, eve):
        found.approve("ann")
        ran = from_pull(eve)
        assert "ann: 1 approvals recorded" in ran.out, ran.err
        (line,) = eve.log()
        assert (line["reviewer"], line["claim"]) == (ANNS, NEW)
        assert line["reason"] == f"approved pull request 7 at {found.head[:12]}"
        assert "ann: 0 approvals recorded" in from_pull(eve).out
        assert len(eve.log()) == 1
        eve.commit("record")
        eve.git("push", "-q", "origin", "HEAD:main")
        eve.git("fetch", "-q", "origin")
        assert eve.rules()[NEW] == "approved"


@pytest.mark.parametrize("way", ["merge", "squash"])
def test_it_works_after_the_request_was_merged(tmp_path: Path, way: str) -> None:
    """By a merge commit or by a squash."""
    with forge(tmp_path, "github") as (found, eve):
        found.approve("ann")
        eve.git("switch", "-q", "main")
        if way == "merge":
            eve.git("merge", "-q", "--no-ff", "-m", "Merge 7", "work")
        else:
            eve.git("merge", "-q", "--squash", "work")
            eve.commit("work (#7)")
        eve.git("push", "-q", "origin", "main")
        assert "ann: 1 approvals recorded" in from_pull(eve).out
        assert [line["claim"] for line in eve.log()] == [NEW]


def test_only_whom_the_path_belongs_to_is_recorded(tmp_path: Path) -> None:
    """Owners decide, on the forge too."""
    with forge(tmp_path, "github", "* @bob\n") as (found, eve):
        found.approve("ann")
        ran = from_pull(eve)
        assert (
            "ann: 0 approvals recorded; 1 claims refused because this person may not decide about them"
            in ran.out
        )
        assert eve.log() == []


def test_agents_are_not_recorded_and_record_nothing(tmp_path: Path) -> None:
    """Neither an agent's review counts nor an agent's call."""
    with forge(tmp_path, "github") as (found, eve):
        row = github_review("x", found.head)
        row["user"] = {"login": "claude[bot]", "type": "User"}
        found.reviews.append(row)
        assert "claude[bot] is an agent" in from_pull(eve).out
        found.approve("ann")
        assert from_pull(eve, CLAUDECODE="1").code == 2
        assert not (eve.root / LOG).exists()


def test_a_request_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """The message says how to get the missing commits."""
    with forge(tmp_path, "github") as (found, eve):
        found.head = "1" * 40
        ran = from_pull(eve)
        assert (ran.code, "git fetch origin pull/7/head" in ran.err) == (2, True)
        ran = eve.ask("review", "--from-pr", "8")
        assert (ran.code, "pull request 8" in ran.err) == (2, True)
        ran = eve.ask("review", "--from-pr", "7", "--offline")
        assert (ran.code, "--offline" in ran.err) == (2, True)


def test_offline_asks_nobody(tmp_path: Path) -> None:
    """Without the network a review cannot support an approval."""
    with forge(tmp_path, "github") as (found, eve):
        with_log(found, eve)
        found.approve("ann")
        assert eve.of(EVE).rules(*RANGE)[NEW] == "ungrounded"

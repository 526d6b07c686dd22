"""Only pages of the own tracker are issues."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from repos import Repo
from servers import Handler, Reply, Server, tracker

from grounded_ingest.config.settings import Config, Network, TrackerSettings
from grounded_ingest.extract.citations import url_citation
from grounded_ingest.git.cache import Cache
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.net.client import Web
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.registry import verify_citations
from grounded_ingest.references.response_cache import Answers
from grounded_ingest.references.tracker import Tracker, target_of


def issue(number: int, **more: Any) -> Reply:
    said = {"number": number, "title": " Port \n changes ", "state": "open", "body": "It is 8443."}
    return 200, said | {"author_association": "MEMBER"} | more


GITHUB: dict[str, Reply] = {
    "/api/v3/repos/o/r/issues/1": issue(1),
    "/api/v3/repos/o/r/issues/2": issue(2, pull_request={"merged_at": "2024-05-01T00:00:00Z"}),
    "/api/v3/repos/them/r/issues/1": issue(1, author_association="OWNER"),
}  # fmt: skip


def there(
    root: Path, server: Server, answers: Answers | None, kind: Any = "github", own: str = "o/r"
) -> Context:
    opened = Opened(str(root), own=False)
    settings = TrackerSettings(kind=kind, url=server.url, repository=own)
    network = Network(allow=("127.0.0.1", "evil.test"))
    nothing: list[None] = [None] * 2
    web = Web(network, 10.0, lambda *_: ["127.0.0.1"])
    config = Config(tracker=settings, network=network)
    return Context(opened, config, nothing[0], nothing[1], web, answers, Cache(""), bool)  # type: ignore[arg-type]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    repo = Repo(tmp_path / "repo")
    repo.commit({"a.txt": "a\n"})
    return repo.root


def judged(url: str, context: Context) -> Evidence:
    request = Request("docs/a.md", url_citation(url))
    found = verify_citations([request], context)[request]
    assert found is not None
    return found


def pages(handler: Handler) -> None:
    """A tracker's API, and a site whose pages look like issues."""
    if handler.path.startswith("/api/"):
        tracker(GITHUB)(handler)
    else:
        handler.say(200 if handler.path == "/o/r/issues/1" else 404, b"<p>Whatever.</p>")


@pytest.mark.parametrize(
    ("url", "kind", "target", "asked"),
    [
        ("{own}/o/r/issues/1", "issue", "o/r#1", "/api/v3/repos/o/r/issues/1"),
        ("{own}/o/r/pull/2#discussion", "issue", "o/r#2", "/api/v3/repos/o/r/issues/2"),
        ("{own}/them/r/issues/1", "issue", "them/r#1", "/api/v3/repos/them/r/issues/1"),
        ("{evil}/o/r/issues/1", "url", "{evil}/o/r/issues/1", "/o/r/issues/1"),
    ],
)
def test_the_tracker_judges_its_own_pages_alone(
    root: Path, url: str, kind: str, target: str, asked: str
) -> None:
    with Server(pages) as server:
        evil = f"http://evil.test:{server.port}"
        url, target = (t.format(own=server.url, evil=evil) for t in (url, target))
        found = judged(url, there(root, server, None))
        assert (found.kind, found.target) == (CitationKind(kind), target)
        assert found.verdict is Verdict.CONFIRMED
        assert [seen.path for seen in server.seen] == [asked]


HUB = Tracker("github", "https://api.github.com", "o/r")
LAB = Tracker("gitlab", "https://git.corp.test/api/v4", "g/s/p")


@pytest.mark.parametrize(
    ("url", "desk", "remote", "target"),
    [
        ("https://github.com/o/r/issues/12", HUB, "", "o/r#12"),
        ("https://www.GitHub.com:443/o/r/pull/12/?x#y", HUB, "", "o/r#12"),
        ("https://git.corp.test/g/s/p/-/merge_requests/7", LAB, "", "g/s/p!7"),
        ("https://git.corp.test/g/s/p/-/issues/7", LAB, "", "g/s/p#7"),
        ("https://forge.test/g/s/p/issues/7", LAB, "git@forge.test:g/s/p.git", "g/s/p#7"),
        ("https://forge.test/g/s/p/issues/7", LAB, "git@forge.test:g/other.git", ""),
        ("https://evil.test/o/r/issues/12", HUB, "git@github.com:o/r.git", ""),
        ("https://github.com.evil.test/o/r/issues/12", HUB, "", ""),
        ("https://github.com@evil.test/o/r/issues/12", HUB, "", ""),
        ("https://evil.test\\@github.com/o/r/issues/12", HUB, "", ""),
        ("https://github.com:8443/o/r/issues/12", HUB, "", ""),
        ("https://gitlab.com/o/r/issues/12", HUB, "", ""),
        ("https://api.github.com/o/r/issues/12", HUB, "", ""),
        ("https://[broken/o/r/issues/12", HUB, "", ""),
        ("https://github.com/o/r/issues/12/events", HUB, "", ""),
        ("https://github.com/o/r/issues/12", None, "", ""),
    ],
)
def test_whose_issue_a_url_shows(url: str, desk: Tracker | None, remote: str, target: str) -> None:
    assert target_of(url, desk, remote) == target

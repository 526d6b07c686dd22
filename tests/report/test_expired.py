"""Claims that are past a date, on a day that the test chooses."""

from datetime import date
from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.formats import Look
from grounded_ingest.report.horizons import add_expired
from grounded_ingest.report.status import status_json, status_lines
from grounded_ingest.repository.scope import Asked
from grounded_ingest.text.lexicon.end_of_life import LAST_DAYS

DAY = date(2024, 6, 1)
OPTIONS = Options(online=False, cache=False)
PAST = (
    "Deploys are frozen until 2024-01-31.",
    "The exemption for the billing worker is valid until March 2023.",
    "The service runs on Node 14.",
    "The runtime of the worker is Python 3.7.",
    "For the archive, we still use Node 14.",
    "The exporter is pinned to Python 3.7.",
    "The stack of the mailer is Node ^12.20.0 || ^14.13.1.",
    "The runtime of the gateway is PHP ^7.3.",
)
TRUE = (
    "Deploys of the gateway are frozen until 2024-06-01.",
    "The exemption for the mailer is valid until March 2031.",
    "As of March 2023 the team runs 12 services.",
    "Redis held the sessions until 2023-03-01.",
    "The service requires Node 14 or newer.",
    "The worker requires at least Python 3.7.",
    "The library was tested on Python 3.7.",
    "Node 14 reached its end of life, so the service runs on Node 20.",
    "The gateway runs on Node 22.",
    "The ledger runs on `node` ^16.19.0 || >=18.12.0.",
    "The archive runs on Node.js (^14.18.0 || ^20.0.0).",
    "The importer runs on Node 14.x / 22.x.",
    "The exporter runs on Node 14, 16, 20.",
    "The reporter runs on Node 14.x - 20.x.",
    "The runtime of the billing job is Python ^3.7.",
)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "work")


def page(*claims: str) -> str:
    return "# Notes\n\n" + "".join(f"- {claim}\n" for claim in claims)


def expired(repo: Repo, today: date = DAY) -> dict[str, str]:
    """Returns why claims are past their date, by their words."""
    with Opened(str(repo.root), own=False) as opened:
        found = add_expired(run(opened, Asked("all"), OPTIONS), today)
        found.kb.index.close()
    said = [p.message for p in found.report.problems if p.rule == "expired"]
    return {words.rstrip("”"): why for why, _, words in (m.partition(": “") for m in said)}


def test_what_is_past_is_told_beside_what_holds(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": page(*PAST, *TRUE)})
    why = (
        "the claim was valid until 2024-01-31",
        "the claim was valid until 2023-03-31",
        "node 14 got its last update on 2023-04-30",
        "python 3.7 got its last update on 2023-06-27",
        "node 14 got its last update on 2023-04-30",
        "python 3.7 got its last update on 2023-06-27",
        "node 14 got its last update on 2023-04-30",
        "php 7.4 got its last update on 2022-11-28",
    )
    assert expired(repo) == dict(zip(PAST, why, strict=True))


BLOCKS = """\
# Deploy

```dockerfile
FROM node:14-alpine AS builder
FROM node:22
FROM ghcr.io/shop/node-tools:14
FROM postgres:9
```

```yaml
node-version: 16
node-version: [14, 22]
python-version: ["3.6", "3.7"]
python-version: ${{ matrix.python }}
go-version: 1.12
```

The images for old customers run on versions that are unsupported:

```dockerfile
FROM python:3.7
```

## History

```dockerfile
FROM python:3.7
```
"""


def test_a_code_block_with_a_version_without_updates(repo: Repo) -> None:
    repo.commit({"docs/deploy.md": BLOCKS, "docs/plans/deploy.md": BLOCKS})
    assert expired(repo) == {
        "FROM node:14-alpine AS builder": "node 14 got its last update on 2023-04-30",
        "node-version: 16": "node 16 got its last update on 2023-09-11",
        'python-version: ["3.6", "3.7"]': "python 3.7 got its last update on 2023-06-27",
    }


def test_the_last_day_still_counts(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": page(PAST[0], PAST[2])})
    assert expired(repo, date(2023, 4, 30)) == {}
    assert expired(repo, date(2024, 1, 31)) == {
        PAST[2]: "node 14 got its last update on 2023-04-30"
    }
    assert expired(repo, date(2024, 2, 1)).keys() == {PAST[0], PAST[2]}


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("CLAUDE.md", "## Roadmap"),
        ("docs/changelog.md", "## Now"),
        ("docs/adr/0001-freeze.md", "## Decision"),
    ],
)
def test_plans_logs_and_decisions_keep_their_dates(repo: Repo, path: str, heading: str) -> None:
    text = "\n".join(PAST)
    repo.commit({path: f"# Notes\n\n{heading}\n\n{text}\n"})
    assert expired(repo) == {}


def test_status_says_it_in_one_line(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": page(*PAST, *TRUE)})
    with Opened(str(repo.root), own=False) as opened:
        result = run(opened, Asked("all"), OPTIONS)
        found, before = (status_json(opened, result, d) for d in (DAY, date(2020, 1, 1)))
        result.kb.index.close()
    lines = [line for line in status_lines(found, "", Look()) if line.startswith("expired")]
    assert lines == ["expired       8 claims have expired (list: `grounded-ingest audit`)"]
    assert not [line for line in status_lines(before, "", Look()) if line.startswith("expired")]


def test_the_table_of_ends_holds_dates_of_releases() -> None:
    for releases in LAST_DAYS.values():
        assert all(date.fromisoformat(last).year > 2015 for last in releases.values())
        assert all(part.isdigit() for name in releases for part in name.split("."))


def test_a_comment_ignores_it_and_only_audit_needs_the_comment(repo: Repo) -> None:
    comment = '<!-- grounded: ignore[expired] reason="the freeze goes on" -->'
    repo.commit({"docs/notes.md": f"# Notes\n\n{PAST[0]} {comment}\n\n{PAST[2]}\n"})
    assert [text in PAST[2] for text in expired(repo)] == [True]
    assert repo.check("all").report.problems == ()


def test_a_baseline_accepts_it_and_only_audit_finds_it_again(repo: Repo) -> None:
    repo.commit({"docs/notes.md": page(PAST[0])})
    given = ("--offline", "--baseline", "accepted.jsonl")
    assert (
        b"baseline accepts 1 finding" in repo.command("audit", *given, "--update-baseline").stdout
    )
    assert b"expired" not in repo.command("audit", *given).stdout
    assert b"no longer match" not in repo.command("check", "--all", *given).stdout

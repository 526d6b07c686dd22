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

DAY = date(2024, 6, 1)
OPTIONS = Options(online=False, cache=False)
PAST = (
    "Deploys are frozen until 2024-01-31.",
    "The exemption for the billing worker is valid until March 2023.",
)
TRUE = (
    "Deploys of the gateway are frozen until 2024-06-01.",
    "The exemption for the mailer is valid until March 2031.",
    "As of March 2023 the team runs 12 services.",
    "Redis held the sessions until 2023-03-01.",
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
    )
    assert expired(repo) == dict(zip(PAST, why, strict=True))


def test_the_last_day_still_counts(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": page(PAST[0])})
    assert expired(repo, date(2024, 1, 31)) == {}
    assert expired(repo, date(2024, 2, 1)).keys() == {PAST[0]}


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
    assert lines == ["expired       2 claims have expired (list: `grounded-ingest audit`)"]
    assert not [line for line in status_lines(before, "", Look()) if line.startswith("expired")]

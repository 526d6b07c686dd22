"""The share of grounded claims over history, and what the command exits with."""

from __future__ import annotations

from pathlib import Path

import pytest
from auditing import ABOVE, DOCUMENT, PAGE, SOURCE, ask, json_of
from repos import Repo

from grounded_ingest.audit.history_series import POINTS, history, sampled
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import Tier
from grounded_ingest.pipeline import Options

TRUE = "The gateway of the {} listens on port 8443 (`src/ports.py:{}`)."
BARE = "Stored sessions of {} are kept where they were first written."
ANIMALS = [
    "ants",
    "bats",
    "bears",
    "bees",
    "cats",
    "cows",
    "crabs",
    "crows",
    "deer",
    "dogs",
    "doves",
    "ducks",
    "eagles",
    "eels",
    "foxes",
    "frogs",
    "geese",
    "goats",
    "hares",
    "hens",
    "larks",
    "lions",
    "mice",
    "moles",
    "moths",
    "otters",
    "owls",
    "pigs",
]


@pytest.fixture
def long(repo: Repo) -> Repo:
    """Thirty commits: a claim without a source each, every third one with a cited claim besides."""
    ports = "".join(f"{animals.upper()}_GATEWAY_PORT = 8443\n" for animals in ANIMALS)
    for n, animals in enumerate(ANIMALS):
        page = (repo.root / DOCUMENT).read_text() + f"\n{BARE.format(animals)}\n"
        page += f"\n{TRUE.format(animals, n + 1)}\n" if n % 3 == 0 else ""
        repo.commit({DOCUMENT: page, "src/ports.py": ports})
    return repo


def test_every_commit_is_judged_as_of_itself(long: Repo) -> None:
    points = json_of(ask(long, "--history", "--output-format", "json"))["points"]
    assert len(points) == 30
    assert [p["commit"] for p in points] == long.git("rev-list", "--reverse", "HEAD").split()
    assert (points[0]["documents"], points[0]["claims"], points[0]["grounded"]) == (0, 0, 0.0)
    assert (points[1]["claims"], points[1]["tier_1"], points[1]["grounded"]) == (1, 1, 1.0)
    last = points[-1]
    assert (last["claims"], last["tier_1"]) == (39, 11)
    assert last["grounded"] == round(11 / 39, 4)
    checked = long.check("all").report
    assert (last["tier_1"], last["tier_2"]) == (
        checked.tier(Tier.APPROVE),
        checked.tier(Tier.REVIEW),
    )


def test_what_is_lost_later_was_grounded_then(repo: Repo) -> None:
    repo.commit({"src/app.py": SOURCE.replace("GATEWAY_PORT = 8443\n", "")})
    repo.commit({"src/app.py": "# nothing\n"})
    points = json_of(ask(repo, "--history", "--output-format", "json"))["points"]
    assert [p["tier_1"] for p in points] == [0, 1, 0, 0]


def test_steps_and_dates(long: Repo) -> None:
    def count(*args: str) -> int:
        return len(json_of(ask(long, "--history", "--output-format", "json", *args))["points"])

    assert count("--every", "7") == 5
    assert count("--since", "2026-01-01") == 30
    assert count("--since", "2030-01-01") == 0


def test_text_draws_a_line(long: Repo) -> None:
    out = ask(long, "--history").stdout.decode()
    assert out.startswith("grounded  ▁█")
    assert out.count("documents") == 30
    assert "11 of      39 checkable" in out


def test_many_commits_are_thinned_out() -> None:
    commits = [(f"{n:040x}", n) for n in range(1000)]
    points = sampled(commits)
    assert len(points) == POINTS
    assert (points[0], points[-1]) == (commits[-1], commits[0])
    assert sampled(commits[:3]) == commits[:3][::-1]
    assert sampled(commits, 400) == [commits[800], commits[400], commits[0]]


def test_an_unborn_branch_and_a_shallow_clone(long: Repo, tmp_path: Path) -> None:
    empty = Repo(tmp_path / "empty")
    assert ask(empty, "--history").stdout == b"no commit yet\n"
    long.git("clone", "-q", "--depth=3", f"file://{long.root}", str(tmp_path / "shallow"))
    with Opened(str(tmp_path / "shallow"), own=False) as opened:
        assert len(history(opened, Options(online=False))) == 3


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ((), 0),
        (("--fail-on", "review"), 1),
        (("--fail-on", "block"), 0),
        (("--fail-on", "never"), 0),
    ],
)
def test_stale_evidence_counts_as_for_review(repo: Repo, flags: tuple[str, ...], code: int) -> None:
    assert ask(repo, "--fail-on", "review").returncode == 0
    repo.commit({"src/app.py": ABOVE + SOURCE})
    ran = ask(repo, *flags)
    assert ran.returncode == code
    assert (
        b"moved: src/app.py:3 -> src/app.py:5: the quoted lines stand elsewhere. Run: "
        in ran.stdout
    )


def test_what_blocks_fails_and_is_shown(repo: Repo) -> None:
    repo.commit({"memory-bank/guess.md": "# G\n\nI think we should use Redis for sessions.\n"})
    ran = ask(repo)
    assert ran.returncode == 1
    assert b"memory-bank/guess.md:3: speculation:" in ran.stdout
    assert ask(repo, "docs").returncode == 2
    assert ask(repo, DOCUMENT).returncode == 0


def test_the_report_goes_to_a_file(repo: Repo, tmp_path: Path) -> None:
    ran = ask(repo, "--output-format", "json", "--output-file", str(tmp_path / "out.json"))
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert '"grounded-ingest/audit/1"' in (tmp_path / "out.json").read_text()
    assert ask(repo, "--output-file", str(tmp_path / "none/out.json")).returncode == 2


def test_a_hostile_document_cannot_move_the_cursor(repo: Repo) -> None:
    repo.commit({DOCUMENT: PAGE.replace("src/app.py:3", "src/\x1b[2Jgone.py:3")})
    assert b"\x1b" not in ask(repo, "-v").stdout

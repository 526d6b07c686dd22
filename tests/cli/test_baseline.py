"""A baseline accepts findings: wherever their lines move, nothing but them, and never by itself in
a pull request."""

from __future__ import annotations

import json

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, Ran, Repo

FILE = ".grounded/baseline.jsonl"
REFUTED = "The queue is bounded (`src/app.py:99`)."
OTHER = "I think the queue is full by noon."
CONFIG = f"baseline: {FILE}\n"
UPDATE = ("--update-baseline", "--baseline", FILE)


@pytest.fixture
def legacy(repo: Repo) -> Repo:
    """A repository whose findings landed before it was guarded."""
    repo.commit(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{REFUTED}\n")
    return repo


def entries(repo: Repo) -> list[tuple[str, str]]:
    return [(r["rule"], r["text"]) for r in map(json.loads, repo.read(FILE).splitlines())]


def said(ran: Ran) -> list[str]:
    return [line for line in ran.out.splitlines() if f"{FILE}:1: " in line]


def test_todays_findings_are_accepted_and_not_shown(legacy: Repo) -> None:
    before = legacy.check("--all", "-v")
    assert (before.code, BLOCKED in before.out, REFUTED in before.out) == (1, True, True)
    written = legacy.check("-v", *UPDATE)
    assert (written.code, BLOCKED in written.out) == (0, False)
    assert said(written) == [
        f"{FILE}:1: note: baseline: the baseline accepts 2 findings (2 new); removed entries of fixed findings: 0"
    ]
    assert entries(legacy) == [("refuted-citation[line]", REFUTED), ("speculation", BLOCKED)]
    ran = legacy.check("--all", "-v", "--baseline", FILE)
    assert (ran.code, BLOCKED in ran.out, REFUTED in ran.out) == (0, False, False)
    assert said(ran) == []


def test_lines_move_and_what_is_new_is_shown(legacy: Repo) -> None:
    legacy.check(*UPDATE)
    args = ("--all", "-v", "--baseline", FILE)
    legacy.write(DOCUMENT, f"# A\n\nThe store is small.\n\n## B\n\n{REFUTED} {BLOCKED}\n")
    assert legacy.check(*args).code == 0
    legacy.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{REFUTED}\n\n{OTHER}\n")
    ran = legacy.check(*args)
    assert (ran.code, OTHER in ran.out, BLOCKED in ran.out) == (1, True, False)


def test_an_entry_accepts_one_finding(legacy: Repo) -> None:
    """What a change repeats is not accepted for what stood there before."""
    legacy.check(*UPDATE)
    legacy.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{REFUTED}\n\n{BLOCKED}\n")
    ran = legacy.check("--all", "-v", "--baseline", FILE)
    assert (ran.code, ran.out.count(BLOCKED)) == (1, 1)
    assert f"{DOCUMENT}:17:1: speculation" in ran.out


@pytest.mark.parametrize("scope", ["--staged", "--all"])
def test_an_entry_does_not_hide_a_new_sentence_about_its_target(legacy: Repo, scope: str) -> None:
    """The hook said nothing of a second sentence that cites the accepted line 99, because an entry
    was found by document, rule and target."""
    legacy.check(*UPDATE)
    new = "The queue is flushed every minute (`src/app.py:99`)."
    legacy.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n\n{REFUTED}\n\n{new}\n")
    legacy.git("add", "--force", DOCUMENT, FILE)
    ran = legacy.check(scope, "-v", "--baseline", FILE)
    assert (ran.code, new in ran.out, REFUTED in ran.out) == (1, True, False)


def test_the_index_has_the_baseline_of_the_hook(repo: Repo) -> None:
    """A hook is advice to its author: the baseline works from the first minute of a trial. The
    commit that sets the check up loosens nothing, so the hook is silent."""
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.write(".grounded-ingest.yaml", CONFIG)
    repo.check("--all", "--update-baseline")
    repo.git("add", "--all", "--force")
    ran = repo.check("--staged")
    assert (ran.code, ran.out) == (0, "")


def test_a_range_is_judged_by_the_baseline_of_base(repo: Repo) -> None:
    """The entry that would launder a finding comes with it; in a pull request it counts once it has
    landed."""
    repo.commit(".grounded-ingest.yaml", CONFIG)
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.check("--all", "--update-baseline")
    repo.git("add", "--all", "--force")
    repo.git("commit", "--quiet", "--no-verify", "--message", "Change")
    ran = repo.check("-v", "--since", "main")
    assert (ran.code, BLOCKED in ran.out) == (1, True)
    assert said(ran) == [
        f"{FILE}:1: note: baseline: the baseline file is not on the base branch yet, so its entries do not count"
    ]


def test_what_is_found_no_more_is_said_and_dropped(legacy: Repo) -> None:
    legacy.check(*UPDATE)
    legacy.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    idle = "1 entry no longer matches a finding; --update-baseline removes unused entries"
    assert said(legacy.check("--all", "--baseline", FILE))[0].endswith(idle)
    assert said(legacy.check("--baseline", FILE)) == []  # not all of it was looked at
    assert "(0 new); removed entries of fixed findings: 1" in legacy.check(*UPDATE).out
    assert entries(legacy) == [("speculation", BLOCKED)]


def test_what_was_not_looked_at_stays(legacy: Repo) -> None:
    legacy.write("CLAUDE.md", f"# A\n\n{OTHER}\n")
    legacy.check(*UPDATE)
    legacy.write(DOCUMENT, PAGE)
    legacy.write("CLAUDE.md", "# A\n")
    legacy.check(*UPDATE, "CLAUDE.md")
    assert [rule for rule, _ in entries(legacy)] == ["refuted-citation[line]", "speculation"]


@pytest.mark.parametrize("content", ["", "no JSON\n", "<<<<<<< ours\n"])
def test_a_missing_or_broken_file(repo: Repo, content: str) -> None:
    """A configured file that cannot be read accepts nothing, and one line says so; a file that the
    command line names is an error."""
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.write(".grounded-ingest.yaml", CONFIG)
    if content:
        repo.write(FILE, content)
    ran = repo.check("--all")
    assert (ran.code, len(said(ran))) == (1, 1)
    named = repo.check("--all", "--baseline", FILE)
    assert (named.code, FILE in named.err) == (2, True)


def test_a_baseline_needs_a_file(repo: Repo) -> None:
    ran = repo.check("--update-baseline")
    assert ran.code == 2
    assert "needs a baseline file" in ran.err

"""What a change brings in, and what stood before."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo, page

STOOD = "We believe the public API is stable now, but recommend pinning to `0.15.*` for a while."


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        (STOOD.replace("15", "16"), "technical-hedge"),
        (STOOD.replace("We believe", "I think"), "speculation"),
        ("We believe the cache is shared by every worker of the cluster.", "speculation"),
    ],
    ids=["a version changes", "another doubt", "a new doubt"],
)
def test_speculation_that_stood_before(tmp_path: Path, claim: str, rule: str) -> None:
    """Changing a version beside an old guess does not block; a new guess does."""
    repo = Repo(tmp_path)
    repo.commit({NOTES: page(STOOD)})
    repo.stage({NOTES: page(claim)})
    assert [d.rule for d in repo.decisions() if d.changed] == [rule]


DOUBT = "I think the cache is shared by every worker."


@pytest.mark.parametrize(
    ("before", "after", "rules"),
    [
        ("", f"## Open questions\n\n{DOUBT}", ["technical-hedge"]),
        ("", DOUBT, ["speculation"]),
        (f"Open questions:\n\n- {DOUBT}", f"Facts:\n\n- {DOUBT}", ["speculation"]),
        (f"- {DOUBT}", f"Open questions:\n\n- {DOUBT}", []),
    ],
    ids=["labelled", "unlabelled", "the label is taken away", "a label is given"],
)
def test_labelled_doubt(tmp_path: Path, before: str, after: str, rules: list[str]) -> None:
    """A guess under a label waits; taking the label away makes it new."""
    repo = Repo(tmp_path)
    repo.commit({NOTES: page(before)})
    repo.stage({NOTES: page(after)})
    assert [d.rule for d in repo.decisions() if d.changed] == rules


def test_labelled_doubt_is_not_approved_by_its_source(tmp_path: Path) -> None:
    """A citation does not turn a hypothesis into a fact."""
    repo = Repo(tmp_path)
    repo.commit({"src/app.py": "PORT = 8443\n"})
    cited = "the port is 8443 (`src/app.py:1`)."
    repo.stage({NOTES: page(f"The {cited[4:]}", f"Hypothesis: I think {cited}")})
    assert [d.rule for d in repo.decisions()] == ["cited", "technical-hedge"]


def test_speculation_that_still_stands_is_copied(tmp_path: Path) -> None:
    """A second copy of an old guess is new."""
    repo = Repo(tmp_path)
    repo.commit({NOTES: page(STOOD)})
    repo.stage({NOTES: page(STOOD, STOOD.replace("15", "16"))})
    assert [d.rule for d in repo.decisions() if d.changed] == ["speculation"]

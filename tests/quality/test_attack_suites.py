"""Attacks of form, and sources brought along: a sample of each is staged and judged."""

from __future__ import annotations

import pytest

from benchmarks.quality.attacks import as_json, as_text, attacked, read_attacks


@pytest.mark.parametrize(("suite", "least"), [("forms", 0.85), ("brought", 0.85)])
def test_most_of_them_are_held_and_the_true_ones_pass(suite: str, least: float) -> None:
    cases = read_attacks(suite)
    assert len({c.id for c in cases}) == len(cases) > 100
    found = list(attacked(cases[::3]))
    false = [a for a in found if a.attack.expect == "held"]
    true = [a for a in found if a.attack.expect == "approved"]
    assert sum(a.as_expected for a in false) >= least * len(false)
    assert sum(a.as_expected for a in true) >= least * len(true)
    assert "should be held" in as_text(found)
    assert '"counts"' in as_json(found)

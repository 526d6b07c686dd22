"""Falsehoods that somebody wrote to be approved: none of them may reach tier 1.

Each case commits a base, stages a change and looks at the tier of one claim. The cases were written
against word comparison, which approved many of them; the true twins beside them are not approved
by words either.
"""

from __future__ import annotations

import pytest

from benchmarks.attacks import as_json, as_text, attacked, read_attacks


@pytest.mark.parametrize("suite", ["forms", "brought"])
@pytest.mark.parametrize(
    "part", [pytest.param(0), *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))]
)
def test_no_falsehood_is_approved(suite: str, part: int) -> None:
    cases = read_attacks(suite)
    assert len({c.id for c in cases}) == len(cases) > 100
    found = list(attacked(cases[part::3]))
    approved = [a.attack.id for a in found if a.attack.expect == "held" and a.outcome == "approved"]
    assert approved == []
    assert "should be held" in as_text(found)
    assert '"counts"' in as_json(found)

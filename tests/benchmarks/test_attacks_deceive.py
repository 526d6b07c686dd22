"""Proofs over sources that deceive, and in surroundings that take them back, approve nothing."""

from __future__ import annotations

import pytest

from benchmarks.attacks import Attack, attacked, read_attacks

EIGHTH = read_attacks("deceive")[::8]
"""A part of the suite, because each case needs a repository of its own."""


@pytest.mark.parametrize("attack", EIGHTH, ids=lambda a: a.id)
def test_a_case_ends_as_the_page_says(attack: Attack) -> None:
    (found,) = attacked([attack])
    assert found.as_expected, f"{found.outcome}: {attack.why}"

"""What comes of the rules' verdict and an opinion, in full."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grounded_ingest.decide.model_judge import reviewed
from grounded_ingest.decide.model_opinion import Combined, ComparedPair, Opinion, combine, unknown
from grounded_ingest.model.claims import Strength, Support
from grounded_ingest.support.source import SourceText, SourceVerdict

S, U, C, N = (
    Support.SUPPORTED,
    Support.UNSUPPORTED,
    Support.CONTRADICTED,
    Support.NOTHING_TO_COMPARE,
)
RULES = {
    s: SourceVerdict(s, s is S, "the rules' quote", 3, 3, "", 0.9 if s is S else 0.1, 0.7)
    for s in (S, U, C, N)
}


def said(support: Support) -> Opinion:
    return Opinion(support, "the judge's quote", 5, 6, "" if support is S else "the judge: no")


# rules, opinion -> what comes of it, and of it where the judge may support
TABLE = [
    (S, S, S, S),
    (S, U, U, U),
    (S, C, C, C),
    (S, N, U, U),
    (U, S, U, S),
    (U, U, U, U),
    (U, C, U, U),
    (U, N, U, U),
    *((C, o, C, C) for o in (S, U, C, N)),
    *((N, o, N, N) for o in (S, U, C, N)),
]


@pytest.mark.parametrize(("rules", "opinion", "lowered", "raised"), TABLE)
def test_a_judge_lowers_and_raises_only_where_it_may(
    rules: Support, opinion: Support, lowered: Support, raised: Support
) -> None:
    for may_support, expected in ((False, lowered), (True, raised)):
        came = combine(RULES[rules], said(opinion), may_support=may_support)
        assert (came.judged.support, came.unknown) == (expected, "")
        if expected is rules:
            assert came.judged == RULES[rules]
        else:
            assert (came.judged.quote, came.judged.line, came.judged.end_line) == (
                "the judge's quote",
                5,
                6,
            )
            assert not came.judged.strict
            assert (came.judged.confidence >= 0.5) is (expected is S)


@pytest.mark.parametrize(
    ("rules", "may_support", "reason"),
    [
        (S, False, "judge: timeout"),
        (S, True, "judge: timeout"),
        (U, True, "judge: timeout"),
        (U, False, ""),
        (C, True, ""),
        (N, True, ""),
    ],
)
def test_what_the_judge_does_not_know_stays_the_rules_and_is_said(
    rules: Support, may_support: bool, reason: str
) -> None:
    came = combine(RULES[rules], unknown("timeout"), may_support=may_support)
    assert came == Combined(RULES[rules], reason)


def test_what_differs_is_the_judges_word() -> None:
    assert combine(RULES[S], said(C)).judged.differs == "the judge: no"
    assert "nothing to compare" in combine(RULES[S], Opinion(N)).judged.differs
    assert combine(RULES[S], Opinion(N)).judged.quote == "the rules' quote"


class Counting:
    def __init__(self) -> None:
        self.asked: list[ComparedPair] = []

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        self.asked += pairs
        return [Opinion(C, "q", 1, 1, "the judge: no") for _ in pairs]


@pytest.mark.parametrize(("may_support", "asked"), [(False, [S]), (True, [S, U])])
def test_a_judge_is_asked_only_where_it_can_change_something(
    may_support: bool, asked: list[Support]
) -> None:
    judge = Counting()
    pairs = [ComparedPair(f"{s} claim", SourceText("text", "x"), RULES[s]) for s in (N, S, C, U)]
    came = reviewed(judge, pairs, may_support=may_support)
    assert [p.rules.support for p in judge.asked] == asked
    assert [c.judged.support for c in came] == [N, C, C, U]


def test_what_a_judge_raises_is_weaker_than_a_quote() -> None:
    came = combine(RULES[U], said(S), may_support=True).judged
    assert came.strength is Strength.JUDGE
    assert Strength.MATCH.rank < Strength.JUDGE.rank < Strength.QUOTE.rank

"""What comes of the rules' verdict and an opinion, in full."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from grounded_ingest.decide.model_judge import reviewed
from grounded_ingest.decide.model_opinion import Combined, ComparedPair, Opinion, combine, unknown
from grounded_ingest.language.lexicon.judge_prompt import DENIAL
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
P = "paraphrase"
RULES |= {P: replace(RULES[U], paraphrase=True)}


def said(support: Support, *, confirmed: bool = True) -> Opinion:
    reason = "" if support is S else "the judge: no"
    return Opinion(support, "the judge's quote", 5, 6, reason, confirmed)


# rules, opinion -> what comes of it, and of it where the judge may support
TABLE = [
    (S, S, S, S),
    (S, U, U, U),
    (S, C, C, C),
    (S, N, U, U),
    (P, S, U, S),
    (P, U, U, U),
    (P, C, U, U),
    (P, N, U, U),
    *((U, o, U, U) for o in (S, U, C, N)),  # a word of force is not licensed
    *((C, o, C, C) for o in (S, U, C, N)),
    *((N, o, N, N) for o in (S, U, C, N)),
]


@pytest.mark.parametrize(("rules", "opinion", "lowered", "raised"), TABLE)
def test_a_judge_lowers_and_raises_only_where_it_may(
    rules: str, opinion: Support, lowered: Support, raised: Support
) -> None:
    for may_support, expected in ((False, lowered), (True, raised)):
        came = combine(RULES[rules], said(opinion), may_support=may_support)
        assert (came.judged.support, came.unknown) == (expected, "")
        if expected == RULES[rules].support:
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
        (P, True, "judge: timeout"),
        (P, False, ""),
        (U, True, ""),
        (C, True, ""),
        (N, True, ""),
    ],
)
def test_what_the_judge_does_not_know_stays_the_rules_and_is_said(
    rules: str, may_support: bool, reason: str
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


@pytest.mark.parametrize(("may_support", "asked"), [(False, [S]), (True, [S, P])])
def test_a_judge_is_asked_only_where_it_can_change_something(
    may_support: bool, asked: list[str]
) -> None:
    judge = Counting()
    order = (N, S, C, U, P)
    pairs = [ComparedPair(f"{s} claim", SourceText("text", "x"), RULES[s]) for s in order]
    came = reviewed(judge, pairs, may_support=may_support)
    assert [p.claim for p in judge.asked] == [f"{s} claim" for s in asked]
    assert [c.judged.support for c in came] == [N, C, C, U, U]


class Agreeing:
    """Supports what it is asked, and of the denial says this."""

    def __init__(self, denial: Opinion) -> None:
        self.denial = denial

    def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
        found = Opinion(S, "A backup is made each day.", 5, 6)
        return [self.denial if p.claim.startswith(DENIAL) else found for p in pairs]


MATCHED = replace(RULES[S], strength=Strength.MATCH)


@pytest.mark.parametrize(
    ("rules", "denial", "support", "strength", "why"),
    [
        (RULES[P], said(U), S, Strength.JUDGE, ""),
        (RULES[P], said(C), S, Strength.JUDGE, ""),
        (
            RULES[P],
            said(S),
            U,
            None,
            "judge: it supports the denial as well, or quotes what is of something else",
        ),
        (RULES[P], unknown("timeout"), U, None, "judge: timeout"),
        (MATCHED, said(C), S, Strength.JUDGE, ""),
        (MATCHED, said(S), S, Strength.MATCH, ""),
        (MATCHED, unknown("timeout"), S, Strength.MATCH, "judge: timeout"),
        (replace(MATCHED, strength=Strength.QUOTE), said(S), S, Strength.QUOTE, ""),
    ],
)
def test_a_judge_that_supports_whatever_it_is_asked_lifts_nothing(
    rules: SourceVerdict,
    denial: Opinion,
    support: Support,
    strength: Strength | None,
    why: str,
) -> None:
    pair = ComparedPair("Backups run daily.", SourceText("text", "x"), rules)
    (came,) = reviewed(Agreeing(denial), [pair], may_support=True)
    assert (came.judged.support, came.judged.strength, came.unknown) == (support, strength, why)


@pytest.mark.parametrize(
    ("claim", "asked"),
    [
        ("A job is abandoned after 5 tries.", True),
        ("A job is abandoned after five tries.", True),
        ("A job is abandoned after 6 tries.", False),
        ("A job is abandoned after six tries.", False),
        ("Kafka abandons a job after 5 tries.", True),  # begins the sentence: no sure name
        ("A job of Kafka is abandoned after 5 tries.", False),
        ("`requeue` abandons a job after 5 tries.", False),
        ("The worker of `src/jobs.py` abandons a job.", True),
        ("The worker of `src/other.py` abandons a job.", False),
    ],
)
def test_numbers_and_names_have_no_other_words(claim: str, asked: bool) -> None:
    source = SourceText("lines", "RETRIES = 5  # attempts before a job is given up", "src/jobs.py")
    judge = Counting()
    reviewed(judge, [ComparedPair(claim, source, RULES[P])], may_support=True)
    assert bool(judge.asked) is asked


@pytest.mark.parametrize(
    ("claim", "quote", "support"),
    [
        ("Clients reach the gateway there.", "the gateways of all tenants", S),
        ("Five tries are made.", "RETRIES = 5", S),
        ("Tenants share a disk.", "PORT = 8443", U),
        ("It is what it is.", "PORT = 8443", U),
    ],
)
def test_a_quote_of_something_else_lifts_nothing(claim: str, quote: str, support: Support) -> None:
    class Quoting(Agreeing):
        def judge(self, pairs: Sequence[ComparedPair]) -> list[Opinion]:
            told = super().judge(pairs)
            return [replace(o, quote=quote) if o.support is S else o for o in told]

    source = SourceText("text", "RETRIES = 5, PORT = 8443, the gateways of all tenants")
    pair = ComparedPair(claim, source, RULES[P])
    (came,) = reviewed(Quoting(said(U)), [pair], may_support=True)
    assert came.judged.support is support
    assert bool(came.unknown) is (support is U)


def test_what_a_judge_raises_is_weaker_than_a_quote() -> None:
    came = combine(RULES[P], said(S), may_support=True).judged
    assert came.strength is Strength.JUDGE
    assert Strength.MATCH.rank < Strength.JUDGE.rank < Strength.QUOTE.rank

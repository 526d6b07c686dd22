"""A word in the place of another: opposites, values of one kind, names, words that changed places."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.quality.support import measured
from grounded_ingest.language.opposites import are_one_value, are_opposites, are_rival_values
from grounded_ingest.model.claims import Support
from grounded_ingest.support.excerpt import cited_lines
from grounded_ingest.support.source import SourceText
from grounded_ingest.support.verdict import judge

TWINS = Path(__file__).parents[2] / "benchmarks/corpus" / "source-twins.jsonl"
S, U, C = Support.SUPPORTED, Support.UNSUPPORTED, Support.CONTRADICTED


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [
        ("inbound", "outbound", True),  # their heads are opposites, and they end alike
        ("ascending", "descending", True),
        ("accepts", "rejected", True),  # forms of the words
        ("synchronous", "asynchronous", True),
        ("on", "off", True),
        ("once", "one", False),
        ("fast", "quick", False),
    ],
)
def test_opposites(one: str, other: str, opposite: bool) -> None:
    assert are_opposites(one, other) is are_opposites(other, one) is opposite


@pytest.mark.parametrize(
    ("one", "other", "rival", "same"),
    [
        ("doubles", "triples", True, False),
        ("public", "internal", True, False),
        ("staging", "production", True, False),
        ("france", "spanish", True, False),
        ("spain", "spanish", False, True),
        ("red", "france", False, False),
        ("england", "british", False, False),  # a part of the other
    ],
)
def test_values_of_one_kind(one: str, other: str, rival: bool, same: bool) -> None:
    assert (are_rival_values(one, other), are_one_value(one, other)) == (rival, same)


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        # an opposite, or another value of its kind, in the same place
        ("Inbound calls are retried twice.", "Outbound calls are retried twice.", C),
        ("The delay triples after each attempt.", "The delay doubles after each attempt.", C),
        ("Images go to the public registry.", "Images go to the internal registry.", C),
        # not where both stand there, or the rest is another
        ("Inbound calls are retried.", "Inbound and outbound calls are retried.", S),
        ("Inbound calls are retried.", "Outbound mails are signed by the relay.", U),
        # the source speaks of both: only this sentence does not bear it out
        (
            "Inbound calls are retried twice.",
            "Outbound calls are retried twice. Inbound calls are logged.",
            U,
        ),
        # a subject that is a name, and one that may be anything
        ("Bert owns the runbook.", "Anna owns the runbook.", C),
        ("Bert owns the runbook.", "Anna owns the runbook. Bert reads the runbook.", U),
        ("Webhook calls are logged.", "Worker calls are logged.", U),
        ("Caching reduces the load.", "Sharding reduces the load.", U),
        # a word replaced by one of which nothing is known
        ("Amounts are rounded half up.", "Amounts are rounded half to even.", U),
        ("Prices are sorted by weight.", "Prices are sorted by margin.", U),
        ("The writer prints one line per row.", "Per row the writer prints one line.", S),
        # words that changed places; neighbours of a list may
        ("Tabs indent Go, spaces indent Python.", "Spaces indent Go, tabs indent Python.", C),
        ("It reads tags and branches.", "It reads branches and tags.", S),
        # a country of which the source knows nothing
        ("Elena grew up in Norway.", "Elena was born in Porto and grew up in Portugal.", C),
        ("Elena grew up in Portugal.", "Elena grew up in a Portuguese town.", U),
    ],
)
def test_a_reader_asks(claim: str, source: str, expected: Support) -> None:
    assert judge(claim, SourceText("text", source)).support is expected


@pytest.mark.parametrize(
    ("claim", "line", "expected"),
    [
        ("Calls that come in are inbound, mails leave ascending by date.", 1, U),
        ("Inbound calls are retried at most 5 times by the gateway.", 3, C),
        ("Bert owns the runbook of the gateway.", 5, U),  # in a repository both may be true
    ],
)
def test_in_a_repository(claim: str, line: int, expected: Support) -> None:
    text = (
        "Mails leave in descending order.\n\n"
        "Outbound calls are retried at most 5 times by the gateway.\n\n"
        "Anna owns the runbook of the gateway.\n"
    )
    assert (
        judge(claim, cited_lines("docs/calls.md", text, line, line, code=False)).support is expected
    )


def test_the_twins_stay_apart() -> None:
    """Of 70 false claims beside their sources and 35 true ones (docs/evaluation.md)."""
    run = measured(str(TWINS))
    found = {s.verdict: s for s in run.sets["all"][0].verdicts}
    assert run.examples == 105
    assert found[S].given - found[S].hits <= 5
    assert found[S].hits >= 32
    assert found[C].hits >= 30
    assert found[C].given - found[C].hits <= 1

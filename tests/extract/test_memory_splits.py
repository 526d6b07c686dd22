"""Claims that mix what is better stored apart, and claims that do not."""

from __future__ import annotations

from datetime import date as day

import pytest

from grounded_ingest.extract.memory_type import split_of
from grounded_ingest.text.dates import resolved
from grounded_ingest.text.reading import tokens_of

FLAGGED = [
    (
        "The deploy failed on Monday, so the disk is always too small.",
        ("event|belief", "The deploy failed on Monday", "the disk is always too small."),
    ),
    (
        "The build failed twice, which shows that the cache is unreliable.",
        ("event|belief", "The build failed twice", "the cache is unreliable."),
    ),
    (
        "We dropped Redis because it is too slow for us.",
        ("occurrence|motive", "We dropped Redis", "it is too slow for us."),
    ),
    (
        "The port is 8443; never change it in production.",
        ("fact|rule", "The port is 8443", "never change it in production."),
    ),
    (
        "The cache is unreliable, so always clear it first.",
        ("fact|rule", "The cache is unreliable", "always clear it first."),
    ),
]

# The examples of the MemGuard paper (arXiv:2605.28009, CC BY 4.0): a split, no split, and two
# relative times.
PAPER = [
    (
        "Melanie painted a lake sunrise last year and finds painting a fun way to express herself, "
        "get creative, and relax.",
        day(2023, 7, 5),
        "event|belief",
        "2022-01-01 to 2022-12-31",
    ),
    (
        "I'm going to launch a website and run ads for my limited edition hoodie line.",
        day(2023, 7, 5),
        "",
        "",
    ),
    ("I've been playing drums for a month.", day(2022, 3, 27), "", "2022-02-01 to 2022-02-28"),
    ("We went camping last weekend.", day(2023, 7, 5), "", "2023-07-01 to 2023-07-02"),
]

PASSED = [
    # The present verb before “and” has the same subject, not a participle.
    "The server named A01 enforces a cap of 1 MiB and fails fast if the cap is exceeded.",
    # The reason of an event is an event.
    "Fixed the login because it was broken.",
    "We moved to PostgreSQL because the old database broke.",
    # A rule with its reason is a rule.
    "Never edit the generated pages; the tool cannot tell a hand edit from its own output.",
    "If the provider is down, wait; the breaker prevents a storm of retries.",
    # One subject, or a second clause that goes on about the first one's.
    "Redis stores sessions; it keeps them for a day.",
    "Redis stores sessions; Kafka reads the sessions.",
    # Parts of a table of contents, and a definition.
    "Slides — presentation engine; reuses the text engine inside of boxes.",
    "As an admin, I want a rejected suggestion recorded, so the same pair is not shown again.",
    "The importer read the file, checked the sums and wrote the rows.",
]


@pytest.mark.parametrize(("text", "expected"), FLAGGED)
def test_a_claim_that_mixes_types_is_split(text: str, expected: tuple[str, str, str]) -> None:
    assert split_of(text, text, tokens_of(text)) == expected


@pytest.mark.parametrize("text", PASSED)
def test_a_claim_of_one_type_is_not_split(text: str) -> None:
    assert split_of(text, text, tokens_of(text)) == ()


def test_code_and_quotations_join_nothing() -> None:
    text = "The hook prints `deploy failed; never do that` and is done."
    masked = text.replace("`deploy failed; never do that`", "\0" * 30)
    assert split_of(text, masked, tokens_of(masked)) == ()


@pytest.mark.parametrize(("text", "on", "split", "time"), PAPER)
def test_the_examples_of_the_paper(text: str, on: day, split: str, time: str) -> None:
    assert "".join(split_of(text, text, tokens_of(text))[:1]) == split
    assert [f"{t.first} to {t.last}" for t in resolved(text, on)] == [time] * bool(time)

"""Values: numbers in any spelling, which values are the same, which imply another."""

from __future__ import annotations

import pytest

from grounded_ingest.text.values import entails, normal, number, quantity, same

SAME = [
    ("30s", "30 seconds"), ("30 s", "0.5 min"), ("half a minute", "30 seconds"), ("30-second", "30s"),
    ("two", "2"), ("two hundred and fifty", "250"), ("a dozen", "12"), ("1,000", "1000"), ("1.5 million", "1500000"),
    ("5MB", "5 megabytes"), ("1 GB", "1000 MB"), ("$50k", "$50,000"), ("99.9%", "99.9 percent"),
    ("1000 requests per minute", "1000 rpm"), ("100 req/s", "100 requests per second"), ("weekly", "7 days"), ("an hour", "60 minutes"),
    ("January 2024", "2024-01"), ("March 3rd, 2024", "2024-03-03"), ("3 March 2024", "03.03.2024"), ("Fridays", "Friday"),
    ("Postgres", "PostgreSQL"), ("k8s", "Kubernetes"), ("JS", "JavaScript"), ("NYC", "New York City"), ("CS", "Computer Science"),
    ("the Nokia", "Nokia"), ("Siemens AG", "siemens"), ("Acme Inc.", "ACME"), ("on", "enabled"), ("Apache 2.0", "Apache-2.0"),
    ("Delft University", "Delft"),
]  # fmt: skip
DIFFERENT = [
    ("30 s", "30 min"), ("1.5%", "5%"), ("5 MB", "5 MiB"), ("2024-01", "2024-02"), ("Nokia", "Ericsson"), ("on", "off"),
    ("100 per second", "100 per minute"), ("$5", "€5"), ("Friday", "Monday"), ("C", "C++"), ("Java", "JavaScript"), ("", "0"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same(one: str, other: str) -> None:
    assert same(normal(one), normal(other))
    assert same(normal(other), normal(one))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different(one: str, other: str) -> None:
    assert not same(normal(one), normal(other))
    assert not entails(normal(one), normal(other))


@pytest.mark.parametrize(
    ("one", "other", "compatible"),
    [
        ("15", "15.2", True),
        ("15", "16", False),
        ("3.1", "3.10", False),
        ("v20", "20.11", True),
        ("1.2.x", "1.2.9", True),
    ],
)
def test_versions(one: str, other: str, compatible: bool) -> None:
    assert same(normal(one), normal(other), versions=True) is compatible


@pytest.mark.parametrize(
    ("known", "said", "entailed"),
    [
        ("Lyon, France", "Lyon", True), ("Lyon", "Lyon, France", False), ("March 15, 2027", "March 2027", True),
        ("March 2027", "March 15, 2027", False), ("Senior Engineer", "Engineer", True),
    ],
)  # fmt: skip
def test_what_says_no_more(known: str, said: str, entailed: bool) -> None:
    assert entails(normal(known), normal(said)) is entailed


@pytest.mark.parametrize(
    ("written", "value"),
    [("86,400", 86400), ("86_400", 86400), ("1.5", 1.5), ("10k", 10000), ("3,12", None), ("1.2.3", None)],
)  # fmt: skip
def test_a_number_has_one_value(written: str, value: float | None) -> None:
    found = quantity([written])
    assert number(written) == value
    assert (found and found[0].amount) == value

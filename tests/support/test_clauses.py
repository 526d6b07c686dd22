"""Claims lose their citations and fall into clauses; sources fall into passages."""

from __future__ import annotations

import pytest

from grounded_ingest.language.reading import uncited
from grounded_ingest.language.terms import claim_terms, root
from grounded_ingest.support.claim_view import claim_view
from grounded_ingest.support.passages import passages
from grounded_ingest.support.source import SourceText


@pytest.mark.parametrize(
    ("text", "cited", "left"),
    [
        ("The port is 8443 (`src/a.py:12`).", ["src/a.py"], "The port is 8443."),
        ("The port is 8443 (`src/a.py:12-14`).", ["src/a.py"], "The port is 8443."),
        ("Per ADR-0003, clients talk JSON.", ["3"], "clients talk JSON."),
        ("OAuth2 is used (see [ADR-0005](docs/adr/0005.md)).", [], "OAuth2 is used."),
        ("The queue was added in commit abc1234.", ["abc1234"], "The queue was added."),
        ("See [the guide](docs/guide.md) for ports.", [], "See the guide for ports."),
        ("Fixed in #12.", [], "Fixed."),
    ],
)
def test_citations_are_left_out(text: str, cited: list[str], left: str) -> None:
    assert uncited(text, cited) == left


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("The queue is bounded, and the cache expires daily.", 2),
        ("The queue is bounded; each parcel has a weight.", 2),
        ("The worker retries and reconnects.", 1),
        ("The service reads queues, topics, and files.", 1),
        ("The queue is bounded.", 1),
    ],
)
def test_clauses(text: str, clauses: int) -> None:
    assert len(claim_view(text).clauses) == clauses


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The `DeliveryQueue` retries.", ["id", "word"]),
        ("It lives in src/courier/api.py now.", ["word", "path"]),
        ("The queue uses OAuth2 today.", ["word", "word", "name"]),
        ("Set max_retries first.", ["word", "id", "word"]),
    ],
)
def test_terms(text: str, kinds: list[str]) -> None:
    assert [t.kind for t in claim_terms(text)] == kinds


@pytest.mark.parametrize(
    ("one", "other"),
    [("authentication", "authenticated"), ("deliveries", "delivery"), ("added", "add")],
)
def test_roots(one: str, other: str) -> None:
    assert root(one) == root(other)


def test_passages_know_their_lines_and_headings() -> None:
    text = (
        "# Title\n\nOne sentence. Another one\nover two lines.\n\n- 1893) is no item\n- an item\n"
    )
    found = [(p.text, p.line, p.end_line, p.about) for p in passages(SourceText("text", text))]
    assert found == [
        ("Title", 1, 1, ""),
        ("One sentence.", 3, 3, "Title"),
        ("Another one over two lines.", 3, 4, "Title"),
        ("1893) is no item", 6, 6, "Title"),
        ("an item", 7, 7, "Title"),
    ]

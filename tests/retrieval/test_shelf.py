"""The full-text table: which words find which texts, and that rows can be taken out again."""

from __future__ import annotations

import sqlite3
from weakref import finalize

import pytest

from grounded_ingest.retrieval.bm25 import Lexical
from grounded_ingest.retrieval.query import asked, query_terms, spread
from grounded_ingest.retrieval.store import JudgedState, parted, row_of


def filled(*texts: str, over: tuple[str, ...] = ()) -> JudgedState:
    """A shelf with one document. `over` are the headings above its passages."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    shelf = JudgedState(db)
    finalize(shelf, db.close)
    shelf.make()
    above = over or ("",) * len(texts)
    shelf.add("one", list(zip(texts, above, strict=True)))
    return shelf


def ranked(shelf: JudgedState, question: str) -> list[int]:
    return [parted(s.row)[1] for s in Lexical(shelf).ranked(question, lambda _: True)]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Retries are limited by maxRetries.", "max retries"),
        ("Retries are limited by max_retries.", "max retries"),
        ("See docs/limits.md for the numbers.", "limits"),
        ("Call session.close_all at the end.", "close"),
        ("Per ADR-0003 the ledger stays.", "ADR-3"),
        ("Per ADR-3 the ledger stays.", "ADR-0003"),
        ("The HTTPServer listens.", "server"),
        ("It authorises callers.", "who authorizes?"),
        ("Deliveries are retried.", "retry a delivery"),
        ("A request times out after 30 s.", "request timeout"),
        ("The ledger is in PostgreSQL.", "Which database?"),
        ("Entries have a TTL of one day.", "lifetime"),
        ("Configuración de Zürich.", "zurich"),
    ],
)
def test_a_question_finds_a_text(text: str, question: str) -> None:
    assert ranked(filled("Nothing of it is here.", text), question)[:1] == [1]


@pytest.mark.parametrize(
    "question", ["wholly unrelated", "?", "", '"', "a OR b", "x NEAR y", "text : *", "NOT (", "\0"]
)
def test_what_is_asked_is_no_query_language(question: str) -> None:
    assert ranked(filled("The port is 8443."), question) == []


def test_function_words_count_only_alone() -> None:
    assert query_terms("What is the port of it?") == ["port"]
    assert query_terms("what is it") == ["what", "is", "it"]


def test_identifiers_are_spread_once() -> None:
    assert (
        spread("HTTPServer v0012 organised") == "HTTPServer v0012 organised HTTP Server organized"
    )
    assert spread("plain words") == "plain words"


def test_words_weigh_by_what_they_do() -> None:
    found = {w.word: w.factor for w in asked("Which Go linter do we still use in C?")}
    assert found["go"] == found["c"] > found["linter"] > found["use"]


def test_a_heading_counts_less_than_the_text() -> None:
    far = ["Filler of another kind."] * 4
    texts = ("The thing keeps jobs.", *far, "The queue keeps jobs.")
    shelf = filled(*texts, over=("Queue", *[""] * 4, "Thing"))
    assert ranked(shelf, "queue")[:2] == [5, 0]


def test_what_stands_beside_counts() -> None:
    far = ["Filler of another kind."] * 5
    shelf = filled("The cache is small.", "It holds ten entries.", *far, "It holds ten entries.")
    assert ranked(shelf, "How many entries does the cache hold?")[0] == 1


def test_only_rows_that_may_be_served() -> None:
    shelf = filled("The port is 8443.", "The port is 9102.")
    found = Lexical(shelf).ranked("port", lambda row: parted(row)[1] == 1)
    assert [s.row for s in found] == [row_of(1, 1)]


def test_dropping_a_blob_leaves_nothing_of_it() -> None:
    shelf = filled("The port is 8443.")
    texts = [("The maxRetries port is open.", "Network"), ("Nothing else.", "")]
    blob = shelf.add("two", texts)
    assert shelf.count("port") == 2
    shelf.drop(blob, texts)
    assert [shelf.count(w) for w in ("port", "retries", "network", "else")] == [1, 0, 0, 0]
    assert sum(shelf.sizes().values()) == 1
    assert shelf.ids() == {"one": 1}
    shelf.db.execute("INSERT INTO recall_text (recall_text) VALUES ('integrity-check')")


def test_covered_is_the_share_of_what_is_asked() -> None:
    shelf = filled("The ledger uses PostgreSQL 15.", *["Filler of another kind."] * 20)
    whole, *_ = Lexical(shelf).ranked("ledger PostgreSQL", lambda _: True)
    part, *_ = Lexical(shelf).ranked("ledger schedule of the Kubernetes cron", lambda _: True)
    assert whole.covered == pytest.approx(1)
    assert 0 < part.covered < 0.4

"""Notions that are listed once: each reader of a text knows every word of the list."""

from __future__ import annotations

from datetime import date as day

import pytest

from grounded_ingest.retrieval.query import query_terms
from grounded_ingest.text.dates import date, resolved
from grounded_ingest.text.lexicon.number_words import (
    CARDINALS,
    MONTHS,
    WEEKDAYS,
)
from grounded_ingest.text.sentences import sentences
from grounded_ingest.text.values import UNITS_BY_NAME, quantity
from grounded_ingest.text.words import function_words, structure_words

WEDNESDAY = day(2026, 11, 18)


@pytest.mark.parametrize("month", MONTHS)
def test_month(month: str) -> None:
    assert date(f"3 {month} 2024") == (2024, MONTHS[month], 3)


@pytest.mark.parametrize("weekday", WEEKDAYS)
def test_weekday(weekday: str) -> None:
    (found,) = resolved(f"It broke last {weekday}.", WEDNESDAY)
    assert day.fromisoformat(found.first).isoweekday() == WEEKDAYS[weekday]


@pytest.mark.parametrize("word", [w for w in CARDINALS if w != "zero"])
def test_number_word(word: str) -> None:
    (found,) = resolved(f"It broke {word} days ago.", WEDNESDAY)
    assert (WEDNESDAY - day.fromisoformat(found.first)).days == CARDINALS[word]


def test_abbreviated_month_ends_no_sentence_and_a_name_does() -> None:
    assert len(list(sentences("It was due on Sept. 5, 2024. Then it slipped."))) == 2
    assert len(list(sentences("It was due in May. Then it slipped."))) == 2


@pytest.mark.parametrize("unit", [name for name, (of, _) in UNITS_BY_NAME.items() if of == "time"])
def test_unit_of_time(unit: str) -> None:
    (rate, _), taken = quantity(["60", "requests", "per", unit]) or ((0, ""), 0)
    assert (rate, taken) == (pytest.approx(60 / UNITS_BY_NAME[unit][1]), 4)


@pytest.mark.parametrize("word", sorted(structure_words()))
def test_function_word_is_no_term_and_not_asked_for(word: str) -> None:
    assert word in function_words()
    if "'" not in word:
        assert query_terms(f"gateways {word} proxies") == ["gateways", "proxies"]

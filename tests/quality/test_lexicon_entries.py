"""Lexicon entries: found where they occur, left out for a while, and back again."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks.quality.lexicon_entries import entries, occurrences, without, words_of
from grounded_ingest.facts import extraction
from grounded_ingest.facts.fact import Memory
from grounded_ingest.grounding.verify import verify_text
from grounded_ingest.language.stemming import canonical

facts = partial(extraction.facts, persons=True)


def slots(text: str) -> set[str]:
    return {f.slot for f in facts(text) if not f.slot.startswith("says")}


@pytest.mark.parametrize(
    ("phrase", "text", "slot"),
    [
        ("works for", "Erik works for Nokia", "employer"),
        ("datastore", "The datastore is Neo4j", "database"),
        ("RabbitMQ", "We use RabbitMQ", "message_queue"),
        ("vegan", "I am vegan", "diet"),
        ("diagnosed with", "Erik was diagnosed with asthma", "diagnosis"),
    ],
)
def test_an_entry_is_left_out_and_comes_back(phrase: str, text: str, slot: str) -> None:
    removed = frozenset(e for e, words in entries() if words == words_of(phrase))
    assert removed
    assert slot in slots(text)
    with without(removed):
        assert slot not in slots(text)
    assert slot in slots(text)


def test_aliases_and_synonyms_are_entries_too() -> None:
    memories = [Memory("a", "User is employed by Nokia")]
    assert canonical("nyc") == "new york city"
    with without(frozenset([("names.ALIASES", "new york city", "nyc")])):
        assert canonical("nyc") == "nyc"
    assert canonical("nyc") == "new york city"
    assert verify_text("Nokia pays you a salary", memories).grounded is False
    group = next(e for e, _ in entries() if e[0] == "synonyms.GROUPS" and e[2] == "movie")
    film = [Memory("a", "The movie night is on Friday")]
    text = "The film night is on Friday"
    assert verify_text(text, film).grounded
    with without(frozenset([group])):
        assert not verify_text(text, film).grounded
    assert verify_text(text, film).grounded


def test_tables_come_back_after_an_error() -> None:
    entry = ("slots_repository.SLOTS", "database.nouns", "datastore")
    with pytest.raises(ZeroDivisionError), without(frozenset([entry])):
        raise ZeroDivisionError
    assert "database" in slots("The datastore is Neo4j")


def test_occurrences_are_of_stems_without_adverbs() -> None:
    where = occurrences([("a", ["She currently works for Nokia"]), ("b", ["Works of art"])])
    assert where(words_of("work for")) == {"a"}
    assert where(words_of("works")) == {"a", "b"}
    assert where(words_of("retire from")) == set()

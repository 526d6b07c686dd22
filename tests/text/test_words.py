"""Words that deny: a text that denies is told from one that only has such a word."""

import pytest

from grounded_ingest.text.words import is_negated, negations_in, without_negation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The hook reads the index.", False),
        ("The hook does not read the index.", True),
        ("The hook doesn’t read the index.", True),
        ("The hook cannot read the index.", True),
        ("No hook reads the index.", True),
        ("Nothing reads the index.", True),
        ("Never read the index.", True),
        ("It does not fail because nothing is read.", False),
        ("The hook reads neither the index nor the log.", True),
        ("The hook does not read the index, nor the log.", True),
        ("Nor does it read the log.", True),
        ("The hook starts without a network.", False),
        ("The hook cannot start without a network.", True),
        ("The hook reads not only the index.", False),
        ("The hook reads the index, not just the log.", False),
        ("Reads no more than 30 files.", False),
        ("A no-op hook is a not-for-profit one.", False),
        ("Replies 'no' where `not` is asked.", False),
        ("Raises NOT_FOUND and is_not_empty.", False),
        ("The hook hardly reads the index.", False),
    ],
)
def test_a_clause_is_negated(text: str, expected: bool) -> None:
    assert is_negated(text) is expected


def test_words_that_deny() -> None:
    assert negations_in("It can't run without a key; a no-op needs none.") == [
        "can't",
        "without",
        "none",
    ]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("isn't", "is"), ("won't", "will"), ("cannot", "can"), ("mustn't", "must"),
        ("not", ""), ("nor", ""), ("nothing", "nothing"), ("without", "without"), ("key", "key"),
    ],
)  # fmt: skip
def test_what_a_word_says_without_its_denial(word: str, expected: str) -> None:
    assert without_negation(word) == expected

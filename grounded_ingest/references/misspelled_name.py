"""Finds names in code spans that differ in one letter from a name in the code.

A name that no code file contains usually belongs to a library, so it is not wrong by itself. With
one letter too many or too few inside the name, it is a misspelling of the repository's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from string import ascii_lowercase, ascii_uppercase

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.dated_paths import is_current_path
from grounded_ingest.text.patterns import compiled

MOST = 500
"""Maximum number of names that are compared in one run. Each has several hundred spellings."""
_LONG = compiled(
    r"(?=[A-Za-z_]{12,60}$)[A-Za-z]+(?:_[A-Za-z]|(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z][a-z])"
)
"""Matches the beginning of a name of at least 12 letters and two words."""


def misspelled_names(lost: Mapping[Reference, str], context: Context) -> Answers:
    """Returns a "refuted" (wrong) result for each name in `lost` that has exactly one similar name
    in the code files. `lost` maps references to words that no code file contains."""
    words = dict.fromkeys(w for r, w in lost.items() if is_current_path(r.path) and _LONG.match(w))
    asked = {w: _spellings(w) for w in islice(words, MOST)}
    similar = {s for some in asked.values() for s in some}
    try:
        found = files_with(context.repo, context.tree, similar, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        return {}
    answers: Answers = {}
    for reference, word in lost.items():
        near = sorted(asked.get(word, set()) & found.keys())
        if len(near) == 1:
            why = f"no code file contains {word}; perhaps {near[0]}"
            answers[reference] = TreeAnswer(Verdict.REFUTED, reference.name, why)
    return answers


def _spellings(word: str) -> set[str]:
    """Returns the names that differ from a name in one letter: one letter more or less, two
    neighbours exchanged, or one in upper instead of lower case.

    The first and the last letter stay, because `Decoder` and `decoder` are a class and its value,
    and `decoders` are several. No letter is replaced by another: `NO_KREW` beside `NO_BREW`."""
    return set(_changed(word)) - {word}


def _changed(word: str) -> Iterator[str]:
    letters = ascii_uppercase if word.isupper() else ascii_lowercase
    for at in range(1, len(word)):
        before, letter, behind = word[:at], word[at], word[at + 1 :]
        yield from (f"{before}{new}{letter}{behind}" for new in letters)
        if letter != "_" and behind:
            yield f"{before}{behind}"
            yield f"{before}{letter.swapcase()}{behind}"
            if behind[0] != "_" and behind[1:]:
                yield f"{before}{behind[0]}{letter}{behind[1:]}"
